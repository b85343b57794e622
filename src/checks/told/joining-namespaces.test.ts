import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type DaemonSeen, readDaemonSeen } from '../policy/kubeadm-addons.js';
import { namespacesTake, readNamespace } from './joining-namespaces.js';

const quota = (hard: object, used: object, spec: object = {}): KubeObject => ({
  metadata: { name: 'q' },
  spec: { hard, ...spec },
  status: { used },
});
interface Given {
  readonly metadata?: object;
  readonly quotas?: readonly KubeObject[];
  readonly ranges?: readonly KubeObject[];
  readonly daemons?: readonly DaemonSeen[];
}
const lacks = (name: string, { metadata = {}, quotas = [], ranges = [], daemons = [] }: Given): readonly string[] =>
  readNamespace({ namespace: { metadata: { name, ...metadata } }, quotas, ranges, daemons }).lacks;

describe('a namespace that joining writes to', () => {
  it('is not being deleted', () => {
    assert.deepEqual(lacks('kube-node-lease', {}), []);
    assert.deepEqual(lacks('kube-node-lease', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), [
      'it is being deleted',
    ]);
  });

  it('has quotas with room', () => {
    const of = (name: string, ...given: Parameters<typeof quota>): number =>
      lacks(name, { quotas: [quota(...given)] }).length;
    assert.deepEqual(lacks('kube-system', { quotas: [quota({ secrets: '2' }, { secrets: '2' })] }), [
      'ResourceQuota q leaves no secrets',
    ]);
    assert.equal(of('kube-system', { secrets: '2' }, { secrets: '1' }), 0);
    assert.equal(of('kube-system', { pods: '1k' }, { pods: '1000' }), 1);
    assert.equal(of('kube-system', { pods: '0' }, {}), 1);
    assert.equal(of('kube-system', { 'limits.cpu': '0' }, {}), 0);
    assert.equal(of('kube-system', { pods: '0' }, {}, { scopes: ['BestEffort'] }), 0);
    assert.equal(of('kube-system', { pods: '0' }, {}, { scopeSelector: { matchExpressions: [] } }), 0);
    assert.equal(of('kube-node-lease', { 'count/leases.coordination.k8s.io': '3' }, {}), 0);
    assert.equal(of('kube-node-lease', { 'count/leases.coordination.k8s.io': '0' }, {}), 1);
    assert.equal(of('kube-public', { secrets: '0' }, {}), 0);
    for (const what of ['secrets', 'count/secrets', 'pods', 'count/pods']) {
      assert.equal(of('kube-system', { [what]: '2' }, { [what]: '2' }), 1, what);
      assert.equal(of('kube-node-lease', { [what]: '2' }, { [what]: '2' }), 0, what);
    }
    // what is no quantity is nobody's limit
    for (const [hard, used] of [
      ['many', '3'],
      ['many', undefined],
      ['0', 'some'],
      ['many', 'some'],
    ])
      assert.equal(of('kube-system', { secrets: hard }, { secrets: used }), 0, `${hard} ${used}`);
    const nameless = { spec: { hard: { pods: '0' } }, metadata: {} } as KubeObject;
    assert.deepEqual(lacks('kube-system', { quotas: [nameless] }), ['ResourceQuota  leaves no pods']);
    const [one, two] = [quota({ pods: '0' }, {}), quota({ secrets: '9', 'count/pods': '1' }, { 'count/pods': '1' })];
    assert.deepEqual(lacks('kube-system', { quotas: [one, two] }), [
      'ResourceQuota q leaves no pods',
      'ResourceQuota q leaves no count/pods',
    ]);
  });

  it('has quotas of what is critical with room', () => {
    const scoped = (...matchExpressions: readonly object[]): number =>
      lacks('kube-system', { quotas: [quota({ pods: '3' }, { pods: '3' }, { scopeSelector: { matchExpressions } })] })
        .length;
    const of = (operator: string, ...values: readonly string[]) => ({ scopeName: 'PriorityClass', operator, values });
    const critical = 'system-node-critical';
    for (const one of [of('In', 'a', critical), of('NotIn', 'a'), of('Exists')]) assert.equal(scoped(one), 1);
    for (const one of [
      of('In', 'a'),
      of('NotIn', critical),
      of('DoesNotExist'),
      { ...of('Exists'), scopeName: 'BestEffort' },
    ])
      assert.deepEqual([scoped(one), scoped(of('Exists'), one)], [0, 0]);
    assert.equal(scoped(of('Exists'), of('In', critical)), 1);
  });

  it('asks its DaemonSets for nothing that they do not state', () => {
    const daemon = (...containers: readonly object[]): DaemonSeen =>
      readDaemonSeen({
        metadata: { name: 'd', namespace: 'kube-system' },
        spec: { template: { spec: { containers } } },
      });
    const range = (...limits: readonly object[]): KubeObject => ({ metadata: { name: 'r' }, spec: { limits } });
    const silent = daemon({});
    const stating = (resources: object): DaemonSeen => daemon({ resources });
    const asks = (what: string, by = 'ResourceQuota q'): readonly string[] => [
      `${by} asks for ${what}, which DaemonSet d does not state`,
    ];
    const of = (hard: object, one: DaemonSeen, ...ranges: readonly KubeObject[]): readonly string[] =>
      lacks('kube-system', { quotas: [quota(hard, {})], daemons: [one], ranges });
    for (const [what, told = what] of [
      ['limits.cpu'],
      ['limits.memory'],
      ['requests.memory'],
      ['cpu', 'requests.cpu'],
      ['memory', 'requests.memory'],
    ])
      assert.deepEqual(of({ [what ?? '']: '9' }, silent), asks(told ?? ''), what);
    for (const what of ['requests.storage', 'limits.ephemeral-storage', 'requests.cpus', 'x.cpu'])
      assert.deepEqual(of({ [what]: '9' }, silent), [], what);
    assert.deepEqual(of({ cpu: '9' }, stating({ requests: { cpu: '1' } })), []);
    assert.deepEqual(of({ 'requests.cpu': '9', 'limits.cpu': '9' }, stating({ limits: { cpu: '1' } })), []);
    assert.deepEqual(of({ 'limits.cpu': '9' }, stating({ requests: { cpu: '1' } })), asks('limits.cpu'));
    assert.deepEqual(of({ cpu: '9' }, daemon({ resources: { limits: { cpu: '1' } } }, {})), asks('requests.cpu'));
    const added = { type: 'Container', default: { cpu: '1' }, defaultRequest: { memory: '1' } };
    assert.deepEqual(of({ cpu: '9', 'limits.cpu': '9', memory: '9' }, silent, range(added)), []);
    assert.deepEqual(of({ 'limits.memory': '9' }, silent, range(added)), asks('limits.memory'));
    assert.deepEqual(of({ cpu: '9' }, silent, range({ ...added, type: 'Pod' })), asks('requests.cpu'));
    const whole = readDaemonSeen({
      metadata: { name: 'd', namespace: 'kube-system' },
      spec: { template: { spec: { resources: { limits: { cpu: '1' } }, containers: [{}], initContainers: [{}] } } },
    });
    assert.deepEqual(of({ 'limits.cpu': '9' }, whole), []);
    const pods = range({ type: 'Pod', max: { cpu: '1' }, min: { memory: '1' } });
    assert.deepEqual(of({}, silent, pods), [
      ...asks('limits.cpu', 'LimitRange r'),
      ...asks('requests.memory', 'LimitRange r'),
    ]);
    assert.deepEqual(of({}, daemon({}, { resources: { limits: { cpu: '1', memory: '1' } } }), pods), []);
    assert.deepEqual(of({}, silent, range({ type: 'Container', max: { cpu: '1' } })), []);
    assert.deepEqual(lacks('kube-node-lease', { quotas: [quota({ cpu: '1' }, {})], daemons: [silent] }), []);
  });

  it('takes what its DaemonSets state', () => {
    const stating = (resources: object, own: object = {}): DaemonSeen =>
      readDaemonSeen({
        metadata: { name: 'd', namespace: 'kube-system' },
        spec: { template: { spec: { ...own, containers: [{ resources }] } } },
      });
    const range = (limit: object): KubeObject => ({
      metadata: { name: 'r' },
      spec: { limits: [{ type: 'Container', ...limit }] },
    });
    const of = (resources: object, limit: object, own: object = {}): readonly string[] =>
      lacks('kube-system', { ranges: [range(limit)], daemons: [stating(resources, own)] });
    const refuses = (what: string): readonly string[] => [`LimitRange r refuses ${what} of DaemonSet d`];
    const states = { requests: { cpu: '250m' }, limits: { memory: '512Mi' } };
    assert.deepEqual(of(states, { min: { cpu: '1' } }), refuses('requests.cpu'));
    assert.deepEqual(of(states, { min: { cpu: '250m' }, max: { memory: '0.5Gi', cpu: '250m' } }), []);
    assert.deepEqual(of(states, { max: { memory: '100M' } }), [
      ...refuses('limits.memory'),
      ...refuses('requests.memory'),
    ]);
    assert.deepEqual(of(states, { max: { cpu: '100m' } }), refuses('requests.cpu'));
    for (const limit of [{ type: 'Pod', min: { cpu: '1' } }, { min: { cpu: 'much' } }, { min: { gpu: '1' } }, {}])
      assert.deepEqual(
        of(states, limit).filter((one) => one.includes('refuses')),
        [],
      );
    assert.deepEqual(of({}, { max: { cpu: '1' } }, { resources: { limits: { cpu: '4' } } }), []);
  });

  it('lets be what its DaemonSets make', () => {
    const daemon = (spec: object, namespace = 'kube-system'): DaemonSeen =>
      readDaemonSeen({ metadata: { name: 'd', namespace }, spec: { template: { spec } } });
    const of = (level: string, ...daemons: readonly DaemonSeen[]): readonly string[] =>
      lacks('kube-system', { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } }, daemons });
    const networked = daemon({ hostNetwork: true, containers: [{}] });
    assert.deepEqual(of('restricted', networked), ['it enforces "restricted", and DaemonSet d is privileged']);
    assert.equal(of('baseline', daemon({ containers: [{ securityContext: { privileged: true } }] })).length, 1);
    assert.equal(of('restricted', daemon({ containers: [{ securityContext: {} }] })).length, 0);
    assert.equal(of('privileged', networked).length, 0);
    assert.equal(of('restricted').length, 0);
    assert.equal(of('restricted', daemon({ hostNetwork: true }, 'network')).length, 0);
    assert.deepEqual(lacks('kube-system', { daemons: [networked] }), []);
  });

  it('is told with what keeps something out', () => {
    const judged = namespacesTake.judge(
      [
        { name: 'a', lacks: [] },
        { name: 'b', lacks: ['x', 'y'] },
      ],
      undefined,
    );
    assert.equal(judged[0]?.demanded, 'takes what is written for machines that join');
    assert.deepEqual(
      judged.map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`),
      ['met Namespace a: nothing keeps it out', 'unmet Namespace b: x; y'],
    );
  });
});
