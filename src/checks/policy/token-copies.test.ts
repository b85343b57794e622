import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { base64 } from '../../kubernetes/json.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import { LeakHunt } from '../bootstrap-tokens/leaks.js';
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
    const archive = gzipSync(JSON.stringify({ name: 'joiner', manifest: `--token a1b2c3.${HALF}` }));
    for (const release of [archive.toString('base64'), base64(archive.toString('base64'))])
      assert.deepEqual(told(secret({ release })), ['unmet: it stands in Secret ci/s (data.release)']);
    assert.deepEqual(told(secret({ release: archive.subarray(0, 20).toString('base64') })), ['met: not in 1 Secrets']);
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

  it('is told of each place in a Secret of another namespace, and of no other', () => {
    const subject = 'Secret kube-system/bootstrap-token-a1b2c3';
    const judged = (...objects: readonly string[]) =>
      noCopies.judge(
        {
          searched: 4,
          unread: [],
          tokens: [{ subject, found: objects.map((object) => ({ object, path: 'data.a' })) }],
        },
        undefined,
      )[0];
    for (const object of ['ConfigMap ci/s', 'Secret kube-system/s', 'Pod kube-system/Secret', 'a Secret ci/s'])
      assert.equal(judged(object)?.seen, 'not in 4 Secrets', object);
    const told = judged('Secret ci/s', 'Secret kube-system/s', 'Secret kube-system-copy/s', 'Secret ci/s');
    assert.deepEqual(told, {
      ...told,
      result: 'unmet',
      subject,
      demanded: 'its secret half stands in no Secret of another namespace',
      seen: 'it stands in Secret ci/s (data.a), Secret kube-system-copy/s (data.a)',
    });
  });

  it('is looked for in the other namespaces alone, as deep as anybody writes one', () => {
    const placesIn = (object: KubeObject): readonly string[] => {
      const hunt = new LeakHunt([TOKEN]);
      assert.equal(lookForCopies(hunt, object), true);
      return hunt.search(1).tokens.flatMap(({ found }) => found.map((place) => place.object));
    };
    const copy = { join: base64(`a1b2c3.${HALF}`) };
    assert.deepEqual(placesIn(secret(copy)), ['Secret ci/s']);
    assert.deepEqual(placesIn(secret(copy, { metadata: { name: 's', namespace: 'kube-system' } })), []);
    assert.deepEqual(placesIn(secret({}, { stringData: { join: HALF } })), ['Secret ci/s']);
    const annotations = { a: HALF };
    assert.deepEqual(placesIn(secret({}, { metadata: { name: 's', namespace: 'ci', annotations } })), []);
    assert.deepEqual(placesIn(secret({ a: base64(`${' '.repeat(190_000)}${HALF}`) })), ['Secret ci/s']);
    assert.deepEqual(placesIn(secret({ a: base64(`${' '.repeat(200_000)}${HALF}`) })), []);
  });
});
