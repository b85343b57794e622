import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createStore } from '../apiserver/storage/store.js';
import { openDataFile } from './data-file.js';
import type { Disk } from './journal.js';

const folder = mkdtempSync(join(tmpdir(), 'joinproof-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const SECRETS = { group: '', resource: 'secrets' };
const object = (name: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'a' } });
const refusal = (path: string): string => {
  try {
    openDataFile(path).close();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the data file', () => {
  it('brings objects, revision and keys back, and what a crash cut off is dropped', () => {
    const path = join(folder, 'data');
    const first = openDataFile(path);
    assert.equal(first.found, undefined);
    const store = createStore();
    store.create(SECRETS, object('before'));
    first.attach({ 'ca.crt': 'PEM' }, store);
    store.create(SECRETS, object('kept'));
    store.create(SECRETS, object('gone'));
    store.delete(SECRETS, 'a', 'gone');
    first.close();
    assert.equal(statSync(path).mode & 0o777, 0o600);
    appendFileSync(path, '{"put":{"group":"","resou');

    const second = openDataFile(path);
    assert.deepEqual(second.found?.pki, { 'ca.crt': 'PEM' });
    assert.equal(second.found?.content.revision, store.revision);
    assert.deepEqual(second.found?.content.objects.map((one) => one.object.metadata.name).sort(), ['before', 'kept']);
    second.attach({ 'ca.crt': 'PEM' }, createStore({ content: second.found?.content ?? { revision: 1, objects: [] } }));
    second.close();
    assert.doesNotMatch(readFileSync(path, 'utf8'), /"resou$/);
  });
  it('is refused while another server uses it, and freed by one that is gone', () => {
    const path = join(folder, 'locked');
    writeFileSync(`${path}.lock`, String(process.ppid));
    assert.match(refusal(path), /is in use by process \d+\. End that one, or give another file\./);
    writeFileSync(`${path}.lock`, '999999999');
    assert.equal(refusal(path), 'none');
  });
  it('leaves files alone that are not its own', () => {
    for (const text of ['hello\n', '{"a":1}\n', '[1]\n', 'null\n']) {
      const path = join(folder, 'foreign');
      writeFileSync(path, text);
      assert.match(refusal(path), /is no data file of joinproof serve/);
      assert.equal(readFileSync(path, 'utf8'), text);
    }
    assert.match(refusal(join(folder, 'no', 'such', 'folder')), /cannot be made \(ENOENT\)/);
  });
  it('reads up to a hole that a power cut left, and says where a file is damaged', () => {
    const path = join(folder, 'hole');
    const first = openDataFile(path);
    const store = createStore();
    first.attach({}, store);
    store.create(SECRETS, object('kept'));
    first.close();
    const whole = readFileSync(path);
    appendFileSync(path, Buffer.concat([Buffer.alloc(4096), Buffer.from('"}\n')]));
    const again = openDataFile(path);
    again.close();
    assert.deepEqual(
      again.found?.content.objects.map((one) => one.object.metadata.name),
      ['kept'],
    );
    writeFileSync(path, Buffer.concat([whole, Buffer.from('{"put":\n'), whole]));
    assert.match(refusal(path), /is damaged in line \d+\. Restore it from a copy, or give another file/);
  });
  it('is no longer than a few times what it holds', () => {
    const path = join(folder, 'grown');
    const file = openDataFile(path);
    const store = createStore();
    file.attach({}, store);
    store.create(SECRETS, object('large'));
    for (let turn = 0; turn < 60; turn += 1)
      store.update(SECRETS, { ...object('large'), text: String(turn).padEnd(1024 * 1024) });
    assert.ok(statSync(path).size < 20 * 1024 * 1024, String(statSync(path).size));
    file.close();
    const again = openDataFile(path);
    again.close();
    assert.equal(String(again.found?.content.objects[0]?.object.text).trim(), '59');
  });
  it('is made anew beside whatever lies in its place, for its owner only', () => {
    const path = join(folder, 'draft');
    const target = join(folder, 'target');
    for (const plant of [
      () => writeFileSync(`${path}.new`, 'x', { mode: 0o666 }),
      () => symlinkSync(target, `${path}.new`),
    ]) {
      plant();
      const file = openDataFile(path);
      file.attach({ 'ca.key': 'KEY' }, createStore());
      assert.equal(lstatSync(path).isFile(), true);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      file.close();
    }
    assert.equal(existsSync(target), false);
    chmodSync(path, 0o666);
    assert.match(refusal(path), /everybody may write to it/);
    assert.match(refusal('/dev/full'), /is no ordinary file|cannot be made/);
  });
});

const refused = (code: string): Error => Object.assign(new Error(code), { code });

describe('a disk that refuses', () => {
  const faults: Readonly<Record<string, (room: { left: number }) => Partial<Disk>>> = {
    'ENOSPC after a short write': (room) => ({
      write(file, bytes) {
        if (room.left === 0) throw refused('ENOSPC');
        const count = writeSync(file, bytes.subarray(0, Math.min(room.left, 7)));
        room.left -= count;
        return count;
      },
    }),
    'EIO of the sync': (room) => ({
      sync(file) {
        if (room.left < 300) throw refused('EIO');
        fdatasyncSync(file);
      },
    }),
    'EIO of everything': (room) => ({
      sync(file) {
        if (room.left < 300) throw refused('EIO');
        fdatasyncSync(file);
      },
      truncate(file, size) {
        if (room.left < 300) throw refused('EIO');
        ftruncateSync(file, size);
      },
    }),
  };
  for (const [name, fault] of Object.entries(faults)) {
    it(`${name}: is an error to who writes, changes nothing and loses nothing`, () => {
      const path = join(folder, name.replaceAll(' ', '-'));
      const room = { left: Number.MAX_SAFE_INTEGER };
      const disk: Disk = { write: writeSync, sync: fdatasyncSync, truncate: ftruncateSync, ...fault(room) };
      const file = openDataFile(path, disk);
      const store = createStore();
      const heard: string[] = [];
      store.subscribe(({ object: { metadata } }) => heard.push(metadata.name ?? ''));
      file.attach({}, store);
      store.create(SECRETS, object('first'));
      room.left = 20;
      for (const one of ['second', 'third'])
        assert.throws(() => store.create(SECRETS, object(one)), {
          code: 500,
          message: /^nothing was changed: the server's data file cannot be written \((ENOSPC|EIO)\); make room/,
        });
      room.left = Number.MAX_SAFE_INTEGER;
      store.create(SECRETS, object('fourth'));
      assert.deepEqual(heard, ['first', 'fourth']);
      file.close();
      const again = openDataFile(path);
      again.close();
      assert.deepEqual(
        again.found?.content.objects.map((one) => one.object.metadata.name),
        ['first', 'fourth'],
      );
      assert.equal(again.found?.content.revision, store.revision);
    });
  }
  it('a start on a disk that is still full is refused, loses nothing, and succeeds where there is room again', () => {
    const path = join(folder, 'full');
    const file = openDataFile(path);
    const store = createStore();
    file.attach({ 'ca.crt': 'PEM' }, store);
    store.create(SECRETS, object('kept'));
    file.close();
    const before = readFileSync(path);
    const full: Disk = {
      write: () => {
        throw refused('ENOSPC');
      },
      sync: fdatasyncSync,
      truncate: ftruncateSync,
    };
    const again = openDataFile(path, full);
    const { found } = again;
    const content = found?.content ?? { revision: 0, objects: [] };
    assert.throws(() => again.attach({ 'ca.crt': 'PEM' }, createStore({ content })), {
      name: 'ConfigurationError',
      message: /cannot be written \(ENOSPC\) and is left as it was\. Make room on its disk, or give/,
    });
    again.close();
    assert.deepEqual(readFileSync(path), before);
    assert.deepEqual([existsSync(`${path}.new`), existsSync(`${path}.lock`)], [false, false]);
    const room = openDataFile(path);
    room.attach({ 'ca.crt': 'PEM' }, createStore({ content }));
    room.close();
    assert.deepEqual(room.found, found);
  });
  it('a file that is no longer there keeps nothing', () => {
    const path = join(folder, 'removed');
    const file = openDataFile(path);
    const store = createStore();
    file.attach({}, store);
    rmSync(path);
    assert.throws(() => store.create(SECRETS, object('lost')), /cannot be written \(ENOENT\)/);
    file.close();
  });
});
