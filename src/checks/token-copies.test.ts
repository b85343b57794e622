import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../kubernetes/json.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { LeakHunt } from './leaks.js';
import { lookForCopies, noCopies } from './token-copies.js';

const HALF = 'q9w3mz7tk2xv8r4c';
const TOKEN: Secret = {
  metadata: { name: 'bootstrap-token-a1b2c3', namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  data: { 'token-id': base64('a1b2c3'), 'token-secret': base64(HALF) },
};
const secret = (data: Readonly<Record<string, string>>, other: object = {}): KubeObject =>
  ({ metadata: { name: 's', namespace: 'ci' }, type: 'Opaque', data, ...other }) as KubeObject;
const told = (...secrets: readonly KubeObject[]): readonly string[] => {
  const hunt = new LeakHunt([TOKEN]);
  for (const one of secrets) lookForCopies(hunt, one);
  return noCopies.judge(hunt.search(secrets.length), undefined).map(({ result, seen }) => `${result}: ${seen}`);
};

describe('a copy of a token', () => {
  it('is found in a Secret of another namespace, however it is written', () => {
    const unmet = (path: string): readonly string[] => [`unmet: it stands in Secret ci/s (data.${path})`];
    assert.deepEqual(told(secret({ join: base64(`a1b2c3.${HALF}`) })), unmet('join'));
    assert.deepEqual(told(secret({ id: base64('a1b2c3'), half: base64(HALF) })), unmet('half'));
    assert.deepEqual(told(secret({ data: base64(base64(`kubeadm join --token a1b2c3.${HALF}`)) })), unmet('data'));
  });

  it('is none where it is not, where its readers are those of the token, or where a machine is given it', () => {
    assert.deepEqual(told(secret({ join: base64('a1b2c3.0000000000000000') })), ['met: not in 1 Secrets']);
    const copy = { join: base64(`a1b2c3.${HALF}`) };
    assert.deepEqual(told(secret(copy, { metadata: { name: 's', namespace: 'kube-system' } })), [
      'met: not in 1 Secrets',
    ]);
    assert.deepEqual(told(secret(copy, { type: 'cluster.x-k8s.io/secret' })), ['met: not in 1 Secrets']);
    assert.deepEqual(told(), ['met: not in 0 Secrets']);
    assert.deepEqual(noCopies.judge(new LeakHunt([]).search(3), undefined), []);
  });
});
