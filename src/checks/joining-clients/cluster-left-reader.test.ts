import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { base64 } from '../../kubernetes/json.js';
import type { UploadRun } from '../../kubernetes/upload-run.js';
import { readInCluster } from './cluster-left-reader.js';

const BEGAN = Date.parse('2026-01-01T00:00:00Z');
const made: readonly object[] = [
  {
    kind: 'Deployment',
    metadata: { name: 'dns', namespace: 'kube-system', labels: { a: 'b' }, annotations: { c: '' }, uid: 'x' },
    spec: { replicas: 2, containers: [{ image: 'registry.example:5000/dns:v1' }] },
    status: { replicas: 0 },
  },
  {
    kind: 'ConfigMap',
    metadata: { name: 'dns', namespace: 'kube-system' },
    data: { Corefile: '.:53 {\n    errors\n}\n', 'config.conf': 'a: ""\nb:\n- c: 1\n' },
  },
  {
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    data: {
      'token-id': base64('abcdef'),
      'token-secret': base64('0123456789abcdef'),
      expiration: base64('2026-01-01T05:59:10Z'),
      description: base64('for a rack'),
      'usage-bootstrap-signing': base64('true'),
      'auth-extra-groups': base64('a, b'),
    },
  },
  { kind: 'Node', metadata: { name: 'cp-1' } },
];
const run = { circumstance: 'a whole init', times: [{ exit: 0, began: BEGAN }], made } as unknown as UploadRun;
const factsOf = (name: string) => readInCluster(run, name).facts;

test('objects are read by their fields, and no status', () => {
  assert.deepEqual(factsOf('Deployment kube-system/dns'), [
    'labels.a: b',
    'annotations.c:',
    'spec.replicas: 2',
    'spec.containers.0.image: registry.example:5000/dns:v1',
    'spec.containers.0.image from registry.example:5000/dns',
  ]);
  assert.deepEqual(factsOf('Node cp-1'), []);
});

test('documents of ConfigMaps are read by their fields, and what is none by its lines', () => {
  assert.deepEqual(factsOf('ConfigMap kube-system/dns'), [
    'Corefile: .:53 {',
    'Corefile: errors',
    'Corefile: }',
    'Corefile: ',
    'config.conf.a:',
    'config.conf.b.0.c: 1',
  ]);
});

test('of a configuration it is said whether its hash is that of its text', () => {
  const map = (hash: string) => ({
    kind: 'ConfigMap',
    metadata: { name: 'map', annotations: { 'kubeadm.kubernetes.io/component-config.hash': hash } },
    data: { a: 'b' },
  });
  const hash = `sha256:${createHash('sha256').update('b').digest('hex')}`;
  const said = (of: string) =>
    readInCluster({ ...run, made: [map(of)] } as unknown as UploadRun, 'ConfigMap map').facts;
  assert.deepEqual(said(hash), ['its hash is that of its text', 'a: b']);
  assert.deepEqual(said('sha256:00'), ['its hash is another', 'a: b']);
});

test('of a token it is said what it is good for, and nothing that lets anybody in', () => {
  const facts = factsOf('Secret kube-system/bootstrap-token-abcdef') ?? [];
  const groups = ['in "a"', 'in " b"'];
  assert.deepEqual(facts, [
    ...['usage-bootstrap-signing: true', 'description: for a rack', 'it ends', 'it lives 6 hours'],
    ...groups,
  ]);
});

test('what is not there has no facts', () => {
  assert.equal(factsOf('Node cp-2'), null);
});
