import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { flowLimitsAnybody, flowServesJoining, readFlow } from './flow-control.js';

const level = (name: string, spec: object): KubeObject => ({ metadata: { name }, spec });
const limited = (limit: object): object => ({ type: 'Limited', limited: limit });
const LEVELS = [
  level('exempt', { type: 'Exempt' }),
  level('starved', limited({ nominalConcurrencyShares: 0, borrowingLimitPercent: 100 })),
  level('borrows', limited({ nominalConcurrencyShares: 0, borrowingLimitPercent: null })),
  level('default', limited({ borrowingLimitPercent: 0 })),
];
const ALL = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
const group = (name: string): object => ({ kind: 'Group', group: { name } });
const schema = (name: string, to: string, subject: object, rule: object = ALL, matchingPrecedence?: number) =>
  ({
    metadata: { name },
    spec: {
      ...(matchingPrecedence === undefined ? {} : { matchingPrecedence }),
      priorityLevelConfiguration: { name: to },
      rules: [{ subjects: [subject], ...('verbs' in rule ? { resourceRules: [rule] } : rule) }],
    },
  }) satisfies KubeObject;
const served = (...schemas: readonly KubeObject[]): readonly string[] =>
  flowServesJoining
    .judge(readFlow(schemas, LEVELS), undefined)
    .map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`);
const results = (...schemas: readonly KubeObject[]): readonly string[] =>
  served(...schemas).map((one) => one.split(' ')[0] ?? '');

describe('flow control', () => {
  it('starves what falls under a level without seats', () => {
    const leases = { ...ALL, resources: ['leases'], clusterScope: false };
    assert.deepEqual(served(schema('a', 'starved', group('system:nodes'), leases)), [
      'unmet FlowSchema a: "create leases", "update leases" to starved, which has no seats, and borrows none',
    ]);
    assert.deepEqual(served(schema('a', 'default', group('system:nodes'), leases)), [
      'met FlowSchema a: "create leases", "update leases" to default, which has some',
    ]);
    for (const to of ['exempt', 'borrows', 'default']) assert.deepEqual(results(schema('a', to, group('*'))), ['met']);
  });

  it('looks at subjects, verbs, groups, resources and scopes', () => {
    const requests = { ...ALL, verbs: ['create'], resources: ['certificatesigningrequests'] };
    const of = (rule: object, subject = group('system:bootstrappers')): number =>
      results(schema('a', 'starved', subject, rule)).length;
    assert.equal(of(requests), 1);
    assert.equal(of({ ...requests, verbs: ['get'] }), 0);
    assert.equal(of({ ...requests, apiGroups: ['a'] }), 0);
    assert.equal(of({ ...requests, resources: ['a'] }), 0);
    assert.equal(of({ ...requests, clusterScope: false }), 0);
    assert.equal(of({ nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }), 0);
    assert.equal(of(requests, group('system:bootstrappers:kubeadm:default-node-token')), 1);
    assert.equal(of(requests, group('system:masters')), 0);
    assert.equal(of(requests, { kind: 'User', user: { name: '*' } }), 1);
    assert.equal(of(requests, { kind: 'User', user: { name: 'system:bootstrap:a1b2c3' } }), 0);
    const status = { ...ALL, resources: ['certificatesigningrequests/status'] };
    const account = (namespace: string, name: string): object => ({
      kind: 'ServiceAccount',
      serviceAccount: { namespace, name },
    });
    assert.equal(of(status, account('kube-system', '*')), 1);
    assert.equal(of(status, account('kube-system', 'certificate-controller')), 1);
    assert.equal(of(status, account('kube-system', 'other')), 0);
    assert.equal(of(status, account('default', '*')), 0);
    const published = { ...ALL, resources: ['configmaps'], namespaces: ['kube-public'] };
    assert.equal(of(published, { kind: 'User', user: { name: 'system:anonymous' } }), 1);
    assert.equal(of(published, group('system:unauthenticated')), 1);
    assert.equal(of({ ...published, verbs: ['get', 'list'] }, group('system:unauthenticated')), 1);
    assert.equal(of({ ...published, verbs: ['list'] }, group('system:unauthenticated')), 0);
    assert.equal(of({ ...published, namespaces: ['a'] }, group('system:unauthenticated')), 0);
  });

  it('meets what machines ask for by the verb of its request', () => {
    const of = (rule: object, subject: object): string =>
      served(schema('a', 'default', subject, { ...ALL, ...rule })).join();
    const nodes = group('system:nodes');
    const some = (what: string): string => `met FlowSchema a: "${what}" to default, which has some`;
    assert.equal(of({ verbs: ['patch'], resources: ['nodes/status'] }, nodes), some('patch nodes/status'));
    assert.equal(of({ verbs: ['update'], resources: ['nodes/status'] }, nodes), '');
    assert.equal(of({ resources: ['configmaps'] }, group('system:unauthenticated')), some('get cluster-info'));
    const [judged] = flowServesJoining.judge(readFlow([schema('a', 'default', nodes)], LEVELS), undefined);
    assert.equal(judged?.demanded, 'leads what joining machines ask for to a priority level that has seats');
  });

  it('looks at each of its rules and subjects', () => {
    const none = { ...ALL, verbs: ['get'], resources: ['pods'] };
    const spec = (subjects: readonly object[], ...resourceRules: readonly object[]): object => ({
      subjects,
      resourceRules,
    });
    const several = (...rules: readonly object[]): readonly string[] =>
      results({
        metadata: { name: 'a' },
        spec: { priorityLevelConfiguration: { name: 'starved' }, rules },
      } as KubeObject);
    const [nodes, others] = [group('system:nodes'), group('others')];
    assert.deepEqual(several(spec([others], ALL), spec([nodes], ALL)), ['unmet']);
    assert.deepEqual(several(spec([others, nodes], ALL)), ['unmet']);
    assert.deepEqual(several(spec([nodes], none, ALL)), ['unmet']);
    assert.deepEqual(several(spec([others], ALL), spec([nodes], none)), []);
    const other = { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' }, group: { name: '*' } };
    assert.deepEqual(several(spec([other], ALL)), []);
  });

  it('goes by the first that fits, and passes over what leads nowhere', () => {
    const starved = (precedence: number) => schema('b', 'starved', group('system:nodes'), ALL, precedence);
    const sound = schema('a', 'default', group('*'), ALL, 50);
    assert.deepEqual(results(starved(60), sound), ['met']);
    for (const order of [
      [starved(50), sound],
      [sound, starved(50)],
    ])
      assert.deepEqual(results(...order), ['met']);
    assert.deepEqual(results(starved(40), sound), ['unmet', 'met']);
    assert.deepEqual(results(schema('0', 'gone', group('*'), ALL, 1), starved(2)), ['unmet']);
    assert.deepEqual(results(starved(2000), schema('c', 'default', group('*'))), ['met']);
  });

  it('exempts nobody who may be anybody', () => {
    const exempted = (subject: object, rule: object = ALL, to = 'exempt'): readonly string[] =>
      flowLimitsAnybody
        .judge(readFlow([schema('a', to, subject, rule)], LEVELS), undefined)
        .map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(exempted(group('system:unauthenticated')), ['unmet: it exempts system:unauthenticated']);
    assert.deepEqual(exempted({ kind: 'User', user: { name: '*' } }), ['unmet: it exempts *']);
    for (const token of ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'])
      assert.deepEqual(exempted(group(token)), [`unmet: it exempts ${token}`]);
    for (const other of ['system:masters', 'system:nodes', 'system:bootstrappersx'])
      assert.deepEqual(exempted(group(other)), ['met: it exempts no such group']);
    assert.deepEqual(exempted({ kind: 'User', user: { name: 'ops' } }), ['met: it exempts no such group']);
    assert.deepEqual(exempted(group('system:authenticated'), ALL, 'starved'), []);
    const paths = (...nonResourceURLs: readonly string[]) => ({
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs }],
    });
    const everybody = group('system:authenticated');
    const [met, unmet] = [['met: it exempts no such group'], ['unmet: it exempts system:authenticated']];
    assert.deepEqual(exempted(everybody, paths('/healthz', '/livez', '/readyz')), met);
    assert.deepEqual(exempted(everybody, paths('/healthz')), met);
    for (const odd of [paths('/apis/*'), paths('/healthz', '/apis'), paths('/apis', '/livez')])
      assert.deepEqual(exempted(everybody, odd), unmet);
    const two = { nonResourceRules: [{ nonResourceURLs: ['/healthz'] }, { nonResourceURLs: ['/apis'] }] };
    assert.deepEqual(exempted(everybody, two), unmet);
    assert.deepEqual(exempted(group('*')), ['unmet: it exempts *']);
    assert.deepEqual(exempted({ kind: 'User', user: { name: 'system:anonymous' } }), [
      'unmet: it exempts system:anonymous',
    ]);
    const other = { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' }, group: { name: '*' } };
    assert.deepEqual(exempted(other), met);
    const both = schema('a', 'exempt', everybody);
    both.spec.rules[0]?.subjects.push(group('system:unauthenticated'));
    const [judged] = flowLimitsAnybody.judge(readFlow([both], LEVELS), undefined);
    assert.equal(judged?.seen, 'it exempts system:authenticated, system:unauthenticated');
    assert.equal(judged.demanded, 'exempts nobody who may be anybody, but for probes of health');
    assert.equal(readFlow([schema('a', 'default', everybody)], LEVELS)[0]?.seats, 'some');
  });
});
