import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isArchive, namesWithin } from './members.js';

/** A header of tar, and as many bytes behind it. */
function member(name: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000600', 100);
  block.write(size.toString(8).padStart(11, '0'), 124);
  block.write('0', 156);
  block.write('ustar', 257);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([block, Buffer.alloc(Math.ceil(size / 512) * 512)]);
}
function zip(name: string): Buffer {
  const entry = Buffer.alloc(46);
  entry.write('PK\x01\x02', 0, 'latin1');
  entry.writeUInt16LE(name.length, 28);
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), entry, Buffer.from(name)]);
}

describe('an archive on a disk', () => {
  it('tells the names of what it holds', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'members-'));
    const of = async (content: Buffer): Promise<string> => {
      const file = path.join(folder, 'a.tar');
      writeFileSync(file, content);
      return (await namesWithin(file)).join();
    };
    try {
      const tar = Buffer.concat([member('pki/ca.key', 700), member('b', 0), Buffer.alloc(1024)]);
      assert.equal(await of(tar), 'pki/ca.key,b');
      assert.equal(await of(gzipSync(tar)), 'pki/ca.key,b');
      assert.equal(await of(tar.subarray(0, 1836)), 'pki/ca.key');
      for (const name of ['\u001fa', '\u001f', 'PX', 'P'])
        assert.equal(await of(Buffer.concat([member(name, 0), Buffer.alloc(1024)])), name);
      assert.equal(await of(Buffer.concat([Buffer.from([0, 0x8b]), tar])), '');
      assert.equal(await of(zip('etc/admin.conf')), 'etc/admin.conf');
      assert.equal(await of(Buffer.from('text')), '');
      assert.equal(await of(Buffer.alloc(0)), '');
      assert.deepEqual(await namesWithin(path.join(folder, 'none')), []);
      assert.deepEqual(await namesWithin(folder), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.deepEqual(['a.tgz', 'a.tar.gz', 'a.zip', 'a.db', 'a.tgz.txt'].map(isArchive), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
