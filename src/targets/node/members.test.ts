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

  it('tells no more than 2000 names, and of a zip what stands at its end', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'members-'));
    const file = path.join(folder, 'a.tar');
    const of = async (content: Buffer): Promise<readonly string[]> => {
      writeFileSync(file, content);
      return namesWithin(file);
    };
    const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `n${at}`);
    try {
      for (const count of [1999, 2000, 2001]) {
        const all = names(count);
        const tar = Buffer.concat([...all.map((name) => member(name, 0)), Buffer.alloc(1024)]);
        assert.deepEqual(await of(tar), all.slice(0, 2000));
        assert.deepEqual(await of(Buffer.concat(all.map(zip))), all.slice(0, 2000));
      }
      const [first, last] = [zip('first'), zip('last')];
      assert.deepEqual(await of(Buffer.concat([first, Buffer.alloc(300 * 1024), last])), ['last']);
      assert.deepEqual(await of(Buffer.concat([first, Buffer.alloc(200 * 1024), last])), ['first', 'last']);
      assert.deepEqual(await of(zip('cut').subarray(0, 30)), []);
      const MIB = 1024 * 1024;
      const beyond = (size: number): Buffer =>
        Buffer.concat([member('a', 0), member('large', size), member('after', 0), Buffer.alloc(1024)]);
      assert.deepEqual(await of(beyond(16 * MIB - 3000)), ['a', 'large', 'after']);
      assert.deepEqual(await of(beyond(16 * MIB)), ['a']);
      assert.deepEqual(await of(gzipSync(beyond(17 * MIB), { level: 1 })), ['a', 'large', 'after']);
      assert.deepEqual(await of(gzipSync(beyond(64 * MIB), { level: 1 })), ['a']);
      const within = zip('PK\u0001\u0002 as a name');
      assert.deepEqual(await of(Buffer.concat([within, last])), ['PK\u0001\u0002 as a name', 'last']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
