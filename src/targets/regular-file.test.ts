import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { endStale } from './control-plane/process-record.js';
import { readManifests } from './dump/files.js';
import { loadKubeconfig } from './kubeconfig.js';
import { readGiven, readGivenBytes, readRegular, readUnlinked, standardInput } from './regular-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'regular-file-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => path.join(folder, name);
const fifo = at('fifo');
const makeFifo = (file: string): Buffer => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', file]);
makeFifo(fifo);

test('a regular file is read whole, up to its limit', async () => {
  writeFileSync(at('file'), 'größer'.repeat(20_000));
  assert.equal(await readRegular(at('file'), 1_000_000), 'größer'.repeat(20_000));
  await assert.rejects(readRegular(at('file'), 100_000), { code: 'it is larger than 97 KiB' });
  await assert.rejects(readRegular(at('nothing'), 10), { code: 'ENOENT' });
});

test('a link is followed but where it may not be', async () => {
  writeFileSync(at('target'), 'text');
  symlinkSync('target', at('link'));
  assert.equal(await readRegular(at('link'), 10), 'text');
  await assert.rejects(readUnlinked(at('link'), 10), { code: 'ELOOP' });
  assert.equal(await readUnlinked(at('target'), 4), 'text');
  await assert.rejects(readUnlinked(at('target'), 3), { code: 'it is larger than 0 KiB' });
  await assert.rejects(readUnlinked(fifo, 10), { code: 'it is no regular file' });
  writeFileSync(at('bytes'), Buffer.from([0, 0xff, 0xfe]));
  assert.deepEqual(await readGivenBytes(at('bytes'), 3), Buffer.from([0, 0xff, 0xfe]));
  await assert.rejects(readGivenBytes(at('bytes'), 2), { code: 'it is larger than 0 KiB' });
});

test('what waits for somebody is not waited for', async () => {
  for (const file of [fifo, '/dev/zero', folder])
    await assert.rejects(readRegular(file, 10), { code: /^(it is no regular file|EISDIR)$/ });
  const server = createServer().listen(at('socket'));
  await assert.rejects(readRegular(at('socket'), 10), { code: /^(it is no regular file|ENXIO)$/ });
  server.close();
});

test('what the user names may be a pipe, which is read to its end and up to a limit', async () => {
  const fill = (script: string) => spawn('/bin/sh', ['-c', `{ ${script}; } > "$0"`, fifo], { stdio: 'ignore' });
  fill('printf a; sleep 0.2; printf b');
  assert.equal(await readGiven(fifo, 100), 'ab');
  const endless = fill('while :; do echo more; done');
  await assert.rejects(readGiven(fifo, 100_000), { code: 'it is larger than 97 KiB' });
  endless.kill('SIGKILL');
  await assert.rejects(readGiven('/dev/zero', 100_000), { code: 'it is larger than 97 KiB' });
  assert.equal(await readGiven('/dev/null', 10), '');
  writeFileSync(at('given'), 'plain');
  assert.equal(await readGiven(at('given'), 10), 'plain');
  await assert.rejects(readGiven(folder, 10), { code: 'EISDIR' });
});

test('a pipe that nobody writes to is given up', async () => {
  makeFifo(at('unwritten'));
  await assert.rejects(readGiven(at('unwritten'), 10), { code: 'it is empty, or a pipe that nobody writes to' });
});

test('neither a FIFO nor a huge file at the place of a process record stops a sweep', async () => {
  const root = at('root');
  for (const name of ['joinproof-fifo', 'joinproof-huge']) mkdirSync(path.join(root, name), { recursive: true });
  makeFifo(path.join(root, 'joinproof-fifo', 'processes.json'));
  writeFileSync(path.join(root, 'joinproof-huge', 'processes.json'), '');
  truncateSync(path.join(root, 'joinproof-huge', 'processes.json'), 2 ** 40);
  writeFileSync(path.join(root, 'joinproof-file'), '');
  assert.deepEqual(await endStale({ root }), []);
});

test('a kubeconfig that names a FIFO is refused in a sentence', async () => {
  const file = at('kubeconfig');
  const cluster = { server: 'https://127.0.0.1:1', 'certificate-authority': fifo };
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [{ name: 'a', cluster }],
      users: [{ name: 'a', user: {} }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    }),
  );
  await assert.rejects(
    loadKubeconfig({ kubeconfig: file }),
    /certificate-authority .* cannot be read \(it is no regular file\)/,
  );
});

test('a manifest that changed into something else is not waited for', async () => {
  mkdirSync(at('manifests'));
  writeFileSync(at('manifests/a.yaml'), 'kind: List');
  makeFifo(at('manifests/b.yaml'));
  assert.deepEqual(
    (await readManifests(at('manifests'))).map(({ name }) => path.basename(name)),
    ['a.yaml'],
  );
});

test('manifests are no more than 512 MiB together, and a link among them is passed over', async () => {
  mkdirSync(at('large'));
  writeFileSync(at('large/a.yaml'), 'a');
  writeFileSync(at('large/b.json'), '');
  truncateSync(at('large/b.json'), 512 * 1024 * 1024);
  await assert.rejects(readManifests(at('large')), /with .*b\.json there are more than 512 MiB/);
  rmSync(at('large/b.json'));
  symlinkSync(at('given'), at('large/c.yaml'));
  writeFileSync(at('large/d.txt'), 'no manifest');
  writeFileSync(at('large/e.YML'), 'e');
  assert.deepEqual(
    (await readManifests(at('large'))).map(({ name, text }) => [path.basename(name), text]),
    [
      ['a.yaml', 'a'],
      ['e.YML', 'e'],
    ],
  );
});

test('standard input is read to its end, and up to a limit', async () => {
  const given = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const reads = (most: number, ...chunks: readonly string[]): Promise<Buffer> => {
    const value = Readable.from(chunks.map((text) => Buffer.from(text)));
    Object.defineProperty(process, 'stdin', { value, configurable: true });
    return standardInput(most);
  };
  try {
    assert.equal((await reads(4, 'ab', 'cd')).toString(), 'abcd');
    assert.equal((await reads(4)).toString(), '');
    await assert.rejects(reads(4, 'ab', 'cd', 'e'), { code: 'it is larger than 0 KiB' });
  } finally {
    Object.defineProperty(process, 'stdin', given);
  }
});
