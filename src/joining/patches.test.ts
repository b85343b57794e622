import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JoinFailed } from './failures.js';
import { patchedKubelet } from './patches.js';
import type { Machine } from './ports.js';

const machineWith = (files: Readonly<Record<string, string>>): Machine =>
  ({
    given: {
      exists: (path: string) => path in files,
      read: (path: string) => files[path],
      list: () => Object.keys(files).map((name) => name.slice('p/'.length)),
    },
  }) as unknown as Machine;
const BEFORE = { a: 1, b: { c: 2, d: 3 } };
const patched = (files: Readonly<Record<string, string>>): unknown => patchedKubelet(machineWith(files), 'p', BEFORE);

describe('patches for a kubelet', () => {
  it('are merged in the order of their names', () => {
    const files = {
      'p/kubeletconfiguration+merge.yaml': 'b: {c: null, d: 4}\n',
      'p/kubeletconfiguration0.json': '{"a": [1]}',
    };
    assert.deepEqual(patched(files), { a: [1], b: { d: 4 } });
  });

  it('may be operations on places', () => {
    const files = {
      'p/kubeletconfiguration0+json.yaml': '- {op: add, path: /e, value: [5]}\n- {op: remove, path: /b/c}\n',
    };
    assert.deepEqual(patched(files), { a: 1, b: { d: 3 }, e: [5] });
  });

  it('are none for others, or of other endings', () => {
    assert.deepEqual(patched({ 'p/kube-apiserver.yaml': 'a: 2\n', 'p/kubeletconfiguration.txt': 'a: 2\n' }), BEFORE);
    assert.deepEqual(patchedKubelet(machineWith({}), undefined, BEFORE), BEFORE);
  });

  for (const [name, text] of [
    ['kubeletconfiguration+json.json', '{}'],
    ['kubeletconfiguration+other.yaml', 'a: 2'],
    ['kubeletconfiguration0+json.yaml', '[{op: remove, path: /e}]'],
    ['kubeletconfiguration.yaml', '- a'],
    ['kubeletconfiguration.yaml', '{'],
  ])
    it(`are refused: ${name}`, () => {
      assert.throws(() => patched({ [`p/${name}`]: text ?? '' }), JoinFailed);
    });
});
