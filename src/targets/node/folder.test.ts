import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FolderTree } from './folder.js';
import { openDisk } from './open.js';

describe('the disk of a node as a folder', () => {
  let outside = '';
  let root = '';
  const at = (path: string): string => join(root, path);
  const found = async (...paths: readonly string[]) => {
    const entries = await (await openDisk(root)).read(paths);
    return new Map(entries.map((entry) => [entry.path, entry]));
  };
  before(() => {
    outside = mkdtempSync(join(tmpdir(), 'joinproof-outside-'));
    writeFileSync(join(outside, 'secret'), 'of the host');
    root = join(outside, 'root');
    mkdirSync(at('etc/kubernetes/pki'), { recursive: true });
    writeFileSync(at('etc/kubernetes/pki/ca.crt'), 'a certificate');
    chmodSync(at('etc/kubernetes/pki/ca.crt'), 0o640);
  });
  after(() => rmSync(outside, { recursive: true, force: true }));

  it('is not told to lack what may not be looked at', async () => {
    const tree = new FolderTree(root);
    assert.equal(await tree.look('etc/absent'), undefined);
    assert.equal(await tree.look('etc/kubernetes/pki/ca.crt/absent'), undefined);
    await assert.rejects(tree.look(`etc/${'x'.repeat(300)}`), { code: 'ENAMETOOLONG' });
    chmodSync(at('etc/kubernetes'), 0);
    // who is root is let in everywhere
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      await assert.rejects(tree.look('etc/kubernetes/pki'), { code: 'EACCES' });
      await assert.rejects(tree.look('etc/kubernetes/absent'), { code: 'EACCES' });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(at('etc/kubernetes'), 0o755);
    }
  });

  it('shows what lies there, with modes', async () => {
    const seen = await found('/etc/kubernetes', '/var/lib/kubelet/config.yaml');
    assert.deepEqual(seen.get('/etc/kubernetes/pki/ca.crt'), {
      path: '/etc/kubernetes/pki/ca.crt',
      kind: 'file',
      mode: 0o640,
      owner: process.getuid?.(),
      text: 'a certificate',
    });
    assert.equal(seen.get('/etc/kubernetes/pki')?.kind, 'folder');
    assert.equal(seen.has('/var/lib/kubelet/config.yaml'), false);
  });

  it('tells the names of what lies there, and of what an archive there holds', async () => {
    const tree = new FolderTree(root);
    assert.deepEqual(await tree.names('/etc/kubernetes'), ['pki']);
    mkdirSync(at('opt'));
    execFileSync('tar', ['-C', root, '-czf', at('opt/kept.tgz'), 'etc/kubernetes/pki']);
    assert.deepEqual(await tree.members('/opt/kept.tgz'), ['etc/kubernetes/pki/', 'etc/kubernetes/pki/ca.crt']);
    rmSync(at('opt'), { recursive: true });
  });

  it('follows links as the node does, and never out of the folder', async () => {
    symlinkSync('/etc/kubernetes/pki/ca.crt', at('etc/kubernetes/absolute.crt'));
    symlinkSync('../../../../../../secret', at('etc/kubernetes/climbs'));
    symlinkSync(join(outside, 'secret'), at('etc/kubernetes/names'));
    symlinkSync('circle', at('etc/kubernetes/circle'));
    symlinkSync('pki', at('etc/kubernetes/other'));
    const seen = await found('/etc/kubernetes', '/../../secret');
    assert.equal(seen.get('/etc/kubernetes/absolute.crt')?.text, 'a certificate');
    assert.equal(seen.get('/etc/kubernetes/other/ca.crt')?.text, 'a certificate');
    assert.match(seen.get('/etc/kubernetes/circle')?.unreadable ?? '', /circle/);
    assert.match(seen.get('/etc/kubernetes/climbs')?.unreadable ?? '', /link to nothing/);
    assert.match(seen.get('/etc/kubernetes/names')?.unreadable ?? '', /link to nothing/);
    assert.ok([...seen.values()].every(({ text = '' }) => !text.includes('of the host')));
  });

  it('explains what it does not read', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', at('etc/kubernetes/fifo')]);
    writeFileSync(at('etc/kubernetes/giant'), '');
    truncateSync(at('etc/kubernetes/giant'), 3 * 1024 * 1024 * 1024);
    let deep = 'etc/kubernetes/deep';
    for (let level = 0; level < 9; level += 1) deep = join(deep, 'x');
    mkdirSync(at(deep), { recursive: true });
    mkdirSync(at('etc/kubernetes/many'));
    for (let count = 0; count < 1001; count += 1) writeFileSync(at(`etc/kubernetes/many/${count}`), '');
    const seen = await found('/etc/kubernetes');
    assert.match(seen.get('/etc/kubernetes/fifo')?.unreadable ?? '', /no regular file/);
    assert.match(seen.get('/etc/kubernetes/giant')?.unreadable ?? '', /larger than 1024 KiB/);
    assert.match(seen.get('/etc/kubernetes/many')?.unreadable ?? '', /more than 1000 entries/);
    assert.ok([...seen.values()].some(({ unreadable = '' }) => /folders lie within each other/.test(unreadable)));
  });

  it('refuses what is no folder, in a sentence', async () => {
    await assert.rejects(openDisk(at('nothing')), /--node .* cannot be read \(ENOENT\)/);
    await assert.rejects(openDisk(at('etc/kubernetes/pki/ca.crt')), /is no tar archive/);
  });
});
