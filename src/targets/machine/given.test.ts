import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { ownAddress, readConfigurationFile, releaseFor, rootOf } from './given.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'joinproof-given-')));
after(() => rmSync(folder, { recursive: true }));

describe('what a user gives with a machine', () => {
  it('is a folder that is there, and no link to one', () => {
    const link = path.join(folder, 'link');
    symlinkSync(folder, link);
    const file = path.join(folder, 'file');
    writeFileSync(file, 'a: b\n');
    assert.equal(rootOf(folder), folder);
    for (const wrong of [link, file, path.join(folder, 'none')])
      assert.throws(() => rootOf(wrong), ConfigurationError, wrong);
  });

  it('is a release that can be read', () => {
    assert.equal(releaseFor('v1.36.1').minor, 36);
    assert.throws(() => releaseFor('newest'), ConfigurationError);
  });

  it('is a file that can be read, or it is said which cannot', async () => {
    const file = path.join(folder, 'config.yaml');
    writeFileSync(file, 'kind: InitConfiguration\n');
    assert.equal(await readConfigurationFile(file), 'kind: InitConfiguration\n');
    await assert.rejects(readConfigurationFile(`${file}x`), ConfigurationError);
  });

  it('is otherwise asked of the machine: an address that others may reach, where it has one', () => {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const own = all.find(({ address }) => address === ownAddress());
    const reached = all.filter(({ family, internal }) => family === 'IPv4' && !internal);
    assert.equal(own?.internal, reached.length === 0);
    assert.equal(own?.family, 'IPv4');
  });
});
