import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createStore } from '../apiserver/storage/store.js';
import { openDataFile } from './data-file.js';

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
});
