import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { authoritiesOf, readRoots, rootsAlike, settledNamespace } from './published-roots.js';

const authority = (): string => {
  const key = generateKey('ECDSA-P256');
  return createCertificate({
    subject: { commonName: 'ca' },
    publicKey: key,
    signingKey: key,
    notBefore: 0,
    notAfter: 1e12,
  }).pem;
};
const [OWN, FURTHER, FOREIGN] = [authority(), authority(), authority()];
const map = (namespace: string, pem: string): KubeObject =>
  ({ metadata: { name: 'kube-root-ca.crt', namespace }, data: { 'ca.crt': pem } }) as KubeObject;
const judged = (maps: readonly KubeObject[], known = OWN): readonly string[] =>
  rootsAlike
    .judge(maps.map(readRoots), { known: authoritiesOf(known) })
    .map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`);

describe('kube-root-ca.crt', () => {
  it('is the same everywhere', () => {
    const sound = [map('default', OWN), map('kube-system', OWN), map('a', OWN)];
    assert.deepEqual(judged(sound), ['met ConfigMaps kube-root-ca.crt: 3 do']);
    assert.deepEqual(judged([...sound, map('b', FOREIGN)]), [
      'unmet ConfigMap b/kube-root-ca.crt: it holds another authority',
    ]);
    assert.deepEqual(judged([...sound, map('b', OWN + FOREIGN)]), [
      'unmet ConfigMap b/kube-root-ca.crt: it holds another authority',
    ]);
    assert.deepEqual(judged([...sound, map('b', '')]), ['unmet ConfigMap b/kube-root-ca.crt: it holds no certificate']);
    assert.deepEqual(judged(sound.slice(1)), ['unmet ConfigMap default/kube-root-ca.crt: it is not there']);
    assert.deepEqual(judged([]), []);
  });

  it('may hold more than cluster-info does, or less', () => {
    const bundle = OWN + FURTHER;
    assert.deepEqual(judged([map('default', bundle), map('kube-system', bundle)]), [
      'met ConfigMaps kube-root-ca.crt: 2 do',
    ]);
    assert.deepEqual(judged([map('default', OWN), map('kube-system', OWN)], bundle), [
      'met ConfigMaps kube-root-ca.crt: 2 do',
    ]);
    assert.deepEqual(judged([map('default', FURTHER), map('kube-system', FURTHER)]), [
      'met ConfigMaps kube-root-ca.crt: 2 do',
    ]);
    assert.equal(judged([map('default', FURTHER), map('kube-system', FURTHER), map('a', OWN)]).length, 1);
    // what most have counts, wherever it stands
    for (const namespaces of [
      ['a', 'default', 'kube-system'],
      ['default', 'a', 'kube-system'],
      ['kube-system', 'default', 'a'],
    ])
      assert.deepEqual(judged(namespaces.map((name) => map(name, name === 'a' ? FOREIGN : FURTHER))), [
        'unmet ConfigMap a/kube-root-ca.crt: it holds another authority',
      ]);
    // several that hold nothing are not what is believed
    const holding = [map('default', OWN), map('kube-system', OWN)];
    assert.equal(judged([map('a', ''), map('b', ''), map('c', ''), ...holding]).length, 3);
    assert.equal(
      judged([map('a', FOREIGN), map('b', ''), map('c', ''), ...holding.slice(1), map('default', '')]).length,
      4,
    );
  });

  it('is read as it is, and said in one sentence', () => {
    assert.deepEqual(readRoots({ metadata: { name: 'kube-root-ca.crt' } }), { namespace: '', roots: [] });
    assert.deepEqual(readRoots(map('a', `text\n${OWN}${FURTHER}`)), {
      namespace: 'a',
      roots: [...authoritiesOf(OWN), ...authoritiesOf(FURTHER)],
    });
    const found = rootsAlike.judge([readRoots(map('default', OWN))], { known: authoritiesOf(OWN) });
    assert.deepEqual(
      [...new Set(found.map(({ demanded }) => demanded))],
      ['holds the authority of the cluster, and no other one'],
    );
    assert.deepEqual(judged([map('default', OWN)]), ['unmet ConfigMap kube-system/kube-root-ca.crt: it is not there']);
  });

  it('are in every namespace that has been there for minutes', () => {
    const now = Date.parse('2026-01-01T01:00:00Z');
    const of = (creationTimestamp: string, more: object = {}) =>
      settledNamespace({ metadata: { name: 'a', creationTimestamp, ...more } }, now);
    assert.equal(of('2026-01-01T00:54:00Z'), 'a');
    for (const young of ['2026-01-01T00:55:00Z', '']) assert.equal(of(young), undefined);
    assert.equal(of('2026-01-01T00:00:00Z', { deletionTimestamp: '2026-01-01T00:59:00Z' }), undefined);
    const phased = (phase: string) =>
      settledNamespace(
        { metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' }, status: { phase } } as KubeObject,
        now,
      );
    assert.equal(phased('Active'), 'a');
    assert.equal(phased('Terminating'), undefined);
    assert.equal(settledNamespace({ metadata: { name: 'a' } }, now), undefined);
    const told = (maps: readonly KubeObject[]) =>
      rootsAlike
        .judge(maps.map(readRoots), { known: authoritiesOf(OWN), namespaces: ['a'] })
        .map(({ subject, seen }) => `${subject}: ${seen}`);
    assert.deepEqual(told([map('default', OWN), map('kube-system', OWN)]), [
      'ConfigMap a/kube-root-ca.crt: it is not there',
    ]);
    assert.equal(told([]).length, 3);
    assert.equal(told([map('default', OWN), map('kube-system', OWN), map('a', OWN), map('b', OWN)]).length, 1);
  });
});
