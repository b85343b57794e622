import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { sentenceOf } from '../../model/finding.js';
import { dnsReached, readDnsPolicies } from './dns-policies.js';

const deployment = (pod: object = {}): KubeObject =>
  ({
    metadata: { name: 'coredns' },
    spec: { template: { metadata: { labels: { 'k8s-app': 'kube-dns' } }, spec: pod } },
  }) as unknown as KubeObject;
const policy = (spec: object, name = 'p'): KubeObject =>
  ({ metadata: { namespace: 'kube-system', name }, spec }) as KubeObject;
const OWN = { podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } };
const UDP = { ports: [{ protocol: 'UDP', port: 53 }] };
const lacks = (...specs: readonly object[]): readonly string[] | undefined =>
  readDnsPolicies(
    specs.map((spec) => policy(spec)),
    deployment(),
    [443, 6443],
  )?.lacks;
const NOBODY = ['nobody beyond kube-system may ask it for names'];

describe('policies for the DNS of the cluster', () => {
  it('let Pods of every namespace ask it', () => {
    for (const sound of [
      { ...OWN, ingress: [{}] },
      { ...OWN, ingress: [UDP] },
      { ...OWN, ingress: [{ ...UDP, from: [{ namespaceSelector: {} }] }] },
      { ...OWN, ingress: [{ ...UDP, from: [{ podSelector: {} }, { ipBlock: { cidr: '0.0.0.0/0' } }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP', port: 'dns' }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP', port: 50, endPort: 60 }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP' }] }] },
      { podSelector: {}, policyTypes: ['Egress'], egress: [{}] },
    ])
      assert.deepEqual(lacks(sound), [], JSON.stringify(sound));
    // one lets in what another one does not
    assert.deepEqual(lacks({ podSelector: {}, policyTypes: ['Ingress'] }, { ...OWN, ingress: [UDP] }), []);
  });

  it('are told where nobody may', () => {
    for (const odd of [
      { podSelector: {} },
      { podSelector: {}, policyTypes: ['Ingress'] },
      { ...OWN, ingress: [] },
      { ...OWN, ingress: [{ ...UDP, from: [{ podSelector: {} }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'TCP', port: 53 }] }] },
      { ...OWN, ingress: [{ ports: [{ port: 53 }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP', port: 54 }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP', port: 54, endPort: 60 }] }] },
      { ...OWN, ingress: [{ ports: [{ protocol: 'UDP', port: 40, endPort: 52 }] }] },
    ])
      assert.deepEqual(lacks(odd), NOBODY, JSON.stringify(odd));
    const silent = ['it may not ask the API server'];
    assert.deepEqual(lacks({ ...OWN, policyTypes: ['Egress'] }), silent);
    assert.deepEqual(lacks({ ...OWN, ingress: [{}], egress: [] }), silent);
    const out = (rule: object) =>
      lacks({ ...OWN, policyTypes: ['Egress'], egress: [{ ...UDP, to: [{ podSelector: {} }] }, rule] });
    for (const odd of [
      UDP,
      { to: [{ podSelector: {} }] },
      { ports: [{ protocol: 'TCP', port: 53 }] },
      { ports: [{ protocol: 'UDP', port: 443 }] },
      { ports: [{ protocol: 'TCP', port: 400, endPort: 442 }] },
      { ports: [{ port: 6443 }], to: [{ podSelector: {} }] },
    ])
      assert.deepEqual(out(odd), silent, JSON.stringify(odd));
    for (const sound of [
      {},
      { to: [{ ipBlock: { cidr: '10.0.0.1/32' } }] },
      { to: [{ namespaceSelector: {} }], ports: [{ port: 443 }] },
      { ports: [{ protocol: 'TCP', port: 6443 }] },
      { ports: [{ protocol: 'TCP', port: 1, endPort: 65535 }] },
      { ports: [{ protocol: 'TCP', port: 6000, endPort: 6443 }] },
      { ports: [{ protocol: 'TCP' }] },
      { ports: [{ protocol: 'TCP', port: 'https' }] },
    ])
      assert.deepEqual(out(sound), [], JSON.stringify(sound));
    // where nobody knows its ports
    const closed = { ...OWN, policyTypes: ['Egress'], egress: [UDP] };
    assert.deepEqual(readDnsPolicies([policy(closed)], deployment())?.lacks, []);
    assert.deepEqual(lacks({ ...OWN, policyTypes: ['Egress'] }, { ...OWN, policyTypes: ['Egress'], egress: [{}] }), []);
  });

  it('pick its Pods', () => {
    const picks = (podSelector: object): number =>
      readDnsPolicies([policy({ podSelector })], deployment())?.picking.length ?? -1;
    const by = (operator: string, key: string, ...values: readonly string[]) => ({
      matchExpressions: [{ key, operator, values }],
    });
    for (const one of [
      {},
      OWN.podSelector,
      by('In', 'k8s-app', 'x', 'kube-dns'),
      by('NotIn', 'k8s-app', 'x'),
      by('NotIn', 'app', 'x'),
      by('Exists', 'k8s-app'),
      by('DoesNotExist', 'app'),
    ])
      assert.equal(picks(one), 1, JSON.stringify(one));
    for (const one of [
      { matchLabels: { 'k8s-app': 'other' } },
      by('In', 'k8s-app', 'x'),
      by('In', 'app', 'x'),
      by('NotIn', 'k8s-app', 'kube-dns'),
      by('Exists', 'app'),
      by('DoesNotExist', 'k8s-app'),
    ])
      assert.equal(picks(one), 0, JSON.stringify(one));
    assert.equal(readDnsPolicies([policy({ podSelector: {} })], undefined), undefined);
    assert.equal(readDnsPolicies([policy({ podSelector: {} })], deployment({ hostNetwork: true })), undefined);
  });

  it('are told in a sentence', () => {
    const judged = (...specs: readonly object[]): readonly string[] =>
      dnsReached
        .judge(
          readDnsPolicies(
            specs.map((spec, at) => policy(spec, `p${at}`)),
            deployment(),
          ),
          undefined,
        )
        .map(sentenceOf);
    assert.deepEqual(judged({ podSelector: {} }, OWN), [
      'NetworkPolicy kube-system/p0, kube-system/p1: lets Pods ask the DNS of the cluster for names, and lets it ask the API server; seen: nobody beyond kube-system may ask it for names',
    ]);
    assert.match(judged({ ...OWN, ingress: [{}] })[0] ?? '', /; seen: it does$/);
    assert.deepEqual(judged(), []);
    assert.deepEqual(dnsReached.judge(undefined, undefined), []);
  });
});
