import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldSchema } from '../apiserver/resource-definition.js';
import { structSchema } from '../apiserver/resources/schema.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { JoinFailed } from './failures.js';
import { patchedKubelet, patchedManifest } from './patches.js';
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

describe('patches for a manifest', () => {
  const PATH = '/etc/kubernetes/manifests/kube-apiserver.yaml';
  const pod = (container: object, spec: object = {}): object => ({
    kind: 'Pod',
    spec: { containers: [{ name: 'kube-apiserver', ...container }], ...spec },
  });
  const after = (before: object, files: Readonly<Record<string, string>>, path = PATH): unknown =>
    parseYaml(patchedManifest(machineWith(files), 'p', path, JSON.stringify(before)));
  const strategic = (before: object, patch: object): unknown =>
    after(before, { 'p/kube-apiserver.json': JSON.stringify(patch) });

  it('leave a text as it is where there are none, or the file is of another kind', () => {
    for (const [path, file] of [
      [PATH, 'p/kube-scheduler.yaml'],
      ['/etc/kubernetes/kube-apiserver.yaml', 'p/kube-apiserver.yaml'],
      ['/etc/kubernetes/manifests/kube-apiserver.json', 'p/kube-apiserver.yaml'],
    ] as const)
      assert.equal(patchedManifest(machineWith({ [file]: 'a: 2' }), 'p', path, '# as it is'), '# as it is');
    const machine = machineWith({ 'p/kube-apiserver.yaml': 'a: 2' });
    for (const folder of [undefined, ''])
      assert.equal(patchedManifest(machine, folder, PATH, '# as it is'), '# as it is');
  });

  it('know entries by what the API knows them by, and put others in place whole', () => {
    for (const [field, key] of [
      ['env', 'name'],
      ['ports', 'containerPort'],
      ['volumeDevices', 'devicePath'],
      ['volumeMounts', 'mountPath'],
    ] as const)
      assert.deepEqual(
        strategic(
          pod({
            [field]: [
              { [key]: 'a', name: 'a', b: 1 },
              { [key]: 'c', name: 'c' },
            ],
          }),
          pod({
            [field]: [
              { [key]: 'c', name: 'c', d: 2 },
              { [key]: 'e', name: key === 'name' ? 'e' : 'a' },
            ],
          }),
        ),
        pod({
          [field]: [
            { [key]: 'a', name: 'a', b: 1 },
            { [key]: 'c', name: 'c', d: 2 },
            { [key]: 'e', name: key === 'name' ? 'e' : 'a' },
          ],
        }),
        field,
      );
    const probe = (...httpHeaders: readonly object[]): object => pod({ livenessProbe: { httpGet: { httpHeaders } } });
    const [one, other] = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ];
    assert.deepEqual(strategic(probe(one), probe(other)), probe(other));
    assert.deepEqual(strategic(pod({ command: ['a', 'b'] }), pod({ command: ['c'] })), pod({ command: ['c'] }));
    assert.deepEqual(strategic(pod({ env: [one] }), pod({ env: [{}] })), pod({ env: [{}] }));
    assert.deepEqual(strategic(pod({ env: [{}] }), pod({ env: [one] })), pod({ env: [one] }));
  });

  it('take fields away that are null, and add containers', () => {
    assert.deepEqual(
      strategic(pod({ image: 'a', b: 1 }), pod({ image: null, c: { d: null, e: 1 } })),
      pod({ b: 1, c: { e: 1 } }),
    );
    const sidecar = { name: 'sidecar', image: 'b' };
    assert.deepEqual(strategic(pod({}), { spec: { containers: [sidecar] } }), {
      kind: 'Pod',
      spec: { containers: [{ name: 'kube-apiserver' }, sidecar] },
    });
  });

  it('put lists in place whole where they are merge patches, and one follows the other', () => {
    const files = {
      'p/kube-apiserver0+merge.yaml': JSON.stringify(pod({ image: 'b' })),
      'p/kube-apiserver1+json.yaml': '- {op: replace, path: /spec/containers/0/image, value: c}',
      'p/kube-apiserver2+strategic.yaml': `${JSON.stringify(pod({ d: 1 }))}\n---\n${JSON.stringify(pod({ e: 2 }))}`,
    };
    assert.deepEqual(after(pod({ image: 'a', env: [] }), files), pod({ image: 'c', d: 1, e: 2 }));
  });

  it('know every list of a Pod of 1.36 that its type merges by a key', () => {
    const keys = new Map<string, string>();
    const seen = new Set<string>();
    const visit = (schema: FieldSchema): void => {
      if (schema.goType !== undefined) {
        if (seen.has(schema.goType)) return;
        seen.add(schema.goType);
      }
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        if (field.patchMergeKey !== undefined && field.patchStrategy?.includes('merge'))
          keys.set(name, field.patchMergeKey);
        visit(field.items ?? field);
      }
    };
    const { metadata, spec } = structSchema('core.v1.Pod').properties ?? {};
    for (const part of [metadata, spec]) if (part !== undefined) visit(part);
    assert.ok(keys.size > 10);
    for (const [field, key] of keys) {
      const of = (...entries: readonly object[]): object => ({ [field]: entries });
      const merged = strategic(of({ [key]: 'a', x: 1 }), of({ [key]: 'a', y: 2 }, { [key]: 'b' }));
      assert.deepEqual(merged, of({ [key]: 'a', x: 1, y: 2 }, { [key]: 'b' }), field);
    }
  });
});
