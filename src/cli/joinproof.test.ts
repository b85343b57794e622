/** What the first file does before anything else is loaded: in a folder with stand-ins for what it loads. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-first-'));
after(() => rmSync(folder, { recursive: true }));
const FIRST = path.join(folder, 'joinproof.js');
copyFileSync(fileURLToPath(new URL('./joinproof.js', import.meta.url)), FIRST);
writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
const standIn = (file: string, name: string): void =>
  writeFileSync(
    path.join(folder, file),
    `export const ${name} = async (args) => { process.stdout.write(${JSON.stringify(`${name}: `)} + args.join(' ')); };`,
  );

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
/** `node`: the version that it takes its Node for. */
function ran(args: readonly string[], node?: string): Ran {
  const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`;
  const before = node === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...before, FIRST, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe('joinproof', () => {
  it('says in one line that its files are missing', () => {
    for (const words of [['rules'], ['run']]) {
      const { code, out, err } = ran(words);
      assert.deepEqual([code, out], [3, '']);
      assert.match(err, /^joinproof: the installation is incomplete: Cannot find module .*\n$/);
    }
  });

  it('lets commands that deal with foreign things be ended by a thread that keeps them, but not their help', () => {
    standIn('keeper.js', 'keep');
    standIn('main.js', 'main');
    for (const words of ['run', 'run --manifests a', 'replay a', 'sweep', 'serve', 'join a:1'])
      assert.deepEqual(ran(words.split(' ')), { code: 0, out: `keep: ${words}`, err: '' });
    for (const words of ['rules', 'init', 'preflight', 'run --help', 'join -h', '--help', 'help run', 'explain run'])
      assert.deepEqual(ran(words.split(' ')), { code: 0, out: `main: ${words}`, err: '' });
    assert.equal(ran([]).out, 'main: ');
  });

  it('refuses a Node that is too old, or past its end', () => {
    standIn('main.js', 'main');
    for (const node of ['20.19.0', '20.20.1', '22.0.0', '22.30.0', '24.0.0', '26.1.0'])
      assert.deepEqual(ran(['rules'], node), { code: 0, out: 'main: rules', err: '' }, node);
    for (const node of ['18.20.0', '20.18.9', '21.19.0', '23.11.0', '2.0.0']) {
      const { code, out, err } = ran(['rules'], node);
      assert.deepEqual([code, out], [2, ''], node);
      assert.equal(
        err,
        `joinproof: Node ${node} is not supported; use Node 20.19 or newer of 20, 22, or 24 and newer.\n`,
      );
    }
  });
});
