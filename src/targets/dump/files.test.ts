import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { readManifests } from './files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-manifests-'));
after(() => rmSync(folder, { recursive: true }));
const put = (name: string, text = name): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const refused = (given: string, message: string): Promise<void> =>
  assert.rejects(readManifests(given), (error: Error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.equal(error.message, message);
    return true;
  });

describe('manifests', () => {
  it('are one file of whatever name, or all of a folder that are named so, in order', async () => {
    const file = put('one/as.txt', 'größer');
    assert.deepEqual(await readManifests(file), [{ name: file, text: 'größer' }]);
    const names = ['d.json', 'b/z.yml', 'c.yaml', 'b/a.JSON', 'a.Yaml'];
    for (const name of [...names, 'b.jsonl', 'yaml', 'xyaml', 'json.bak']) put(`all/${name}`);
    assert.deepEqual(
      await readManifests(path.join(folder, 'all')),
      ['a.Yaml', 'b/a.JSON', 'b/z.yml', 'c.yaml', 'd.json'].map((name) => ({
        name: path.join(folder, 'all', name),
        text: `all/${name}`,
      })),
    );
  });

  it('are looked for in twelve folders within each other', async () => {
    const within = (folders: number): string => `deep/${'f/'.repeat(folders)}${folders}.json`;
    for (const folders of [0, 12, 13]) put(within(folders));
    assert.deepEqual(
      (await readManifests(path.join(folder, 'deep'))).map(({ text }) => text),
      [within(0), within(12)].sort(),
    );
  });

  it('are refused with what was given, and what to give', async () => {
    const none = path.join(folder, 'none');
    await refused(none, `--manifests ${none} cannot be read: there is no such file or folder.`);
    const below = `${put('file')}/below`;
    await assert.rejects(readManifests(below), { message: /^--manifests .*below cannot be read: ENOTDIR: / });
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    await refused(
      empty,
      `--manifests ${empty} holds no .yaml, .yml or .json file; give what "kubectl get … -o yaml" or "kubectl cluster-info dump" wrote.`,
    );
    const socket = path.join(folder, 's');
    const server = createServer().listen(socket);
    await refused(socket, `--manifests ${socket} is neither a file nor a folder; give one of them, or "-".`);
    server.close();
  });

  it('are twenty thousand at most', async () => {
    const many = path.join(folder, 'many');
    const first = put('many/0.json', '');
    for (let at = 1; at <= 20_000; at += 1) linkSync(first, path.join(many, `${at}.json`));
    await refused(many, `--manifests ${many} holds more than 20000 files; give a smaller folder.`);
  });
});
