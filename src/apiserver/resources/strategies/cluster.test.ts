/** What is made of namespaces, nodes, ServiceAccounts and leases, and what is refused of them, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, causesOf, fixture, type Loose } from '../../serving/fixture.js';
import { definitions } from '../index.js';

const asked = () => fixture({ definitions: definitions() });
const sent = (kind: string, name: string, more: object = {}, metadata: object = {}): object => ({
  ...{ apiVersion: 'v1', kind, metadata: { name, ...metadata } },
  ...more,
});

describe('a namespace', () => {
  const NAMESPACES = '/api/v1/namespaces';
  const NONE = 'name is neither a standard finalizer name nor is it fully qualified';
  it('is held by the finalizers it came with, and by that of Kubernetes', () => {
    const { ask } = asked();
    const held = (name: string, ...finalizers: readonly string[]): unknown =>
      ask('POST', NAMESPACES, sent('Namespace', name, { spec: { finalizers } })).json.spec?.finalizers;
    assert.deepEqual(held('a', 'example.com/f'), ['example.com/f', 'kubernetes']);
    assert.deepEqual(held('b', 'kubernetes', 'example.com/f'), ['kubernetes', 'example.com/f']);
    const refused = ask('POST', NAMESPACES, sent('Namespace', 'c', { spec: { finalizers: ['ok.io/x', 'odd'] } }));
    assert.deepEqual(causesOf(refused), [`spec.finalizers: Invalid value: "odd": ${NONE}`]);
  });
  it('loses finalizers by its finalize alone, which takes none that is not one', () => {
    const { ask } = asked();
    const { json } = ask('POST', NAMESPACES, sent('Namespace', 'a', { spec: { finalizers: ['example.com/f'] } }));
    const bare = { ...json, spec: {} };
    const kept = ask('PUT', `${NAMESPACES}/a`, bare).json;
    assert.deepEqual(kept.spec?.finalizers, ['example.com/f', 'kubernetes']);
    const finalize = (finalizers: readonly string[]): Answer =>
      ask('PUT', `${NAMESPACES}/a/finalize`, { ...kept, spec: { finalizers }, status: { phase: 'Terminating' } });
    assert.deepEqual(causesOf(finalize(['kubernetes', 'odd', '/x'])), [
      `spec.finalizers[1]: Invalid value: "odd": ${NONE}`,
      'spec.finalizers[2]: Invalid value: "/x": prefix part must be non-empty',
    ]);
    const { spec, status } = finalize(['kubernetes']).json;
    assert.deepEqual([spec, status], [{ finalizers: ['kubernetes'] }, { phase: 'Active' }]);
  });
  it('has its own name for a label, whatever was said', () => {
    const { ask } = asked();
    const labels = { 'kubernetes.io/metadata.name': 'other', a: 'b' };
    const made = ask('POST', NAMESPACES, sent('Namespace', 'x', {}, { labels })).json;
    assert.deepEqual(made.metadata?.labels, { a: 'b', 'kubernetes.io/metadata.name': 'x' });
    assert.deepEqual(ask('PUT', `${NAMESPACES}/x`, sent('Namespace', 'x')).json.metadata?.labels, {
      'kubernetes.io/metadata.name': 'x',
    });
  });
  it('is terminating when it is being deleted, and at no other time', () => {
    const { ask } = asked();
    const put = (phase: string): Answer =>
      ask('PUT', `${NAMESPACES}/x/status`, { ...ask('GET', `${NAMESPACES}/x`).json, status: { phase } });
    ask('POST', NAMESPACES, sent('Namespace', 'x', { status: { phase: 'Terminating' } }));
    assert.equal(ask('GET', `${NAMESPACES}/x`).json.status?.phase, 'Active');
    assert.deepEqual(causesOf(put('Terminating')), [
      `status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
    ]);
    assert.equal(put('').code, 200);
    ask('DELETE', `${NAMESPACES}/x`);
    assert.deepEqual(causesOf(put('Active')), [
      `status.Phase: Invalid value: "Active": may only be 'Terminating' if \`deletionTimestamp\` is not empty`,
    ]);
    assert.equal(put('Terminating').code, 200);
    const found = (phase: string): unknown =>
      ask('GET', `${NAMESPACES}?fieldSelector=status.phase%3D${phase}`).json.items?.map(
        ({ metadata }) => metadata?.name,
      );
    assert.deepEqual([found('Terminating'), found('Active')], [['x'], ['default']]);
  });
});

describe('a node', () => {
  const NODES = '/api/v1/nodes';
  const made = (more: object): Answer => asked().ask('POST', NODES, sent('Node', 'n', more));
  it('comes with the taint of one that is not ready, beside its own', () => {
    const mine = { key: 'a', effect: 'NoExecute' };
    const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
    const late = { ...notReady, effect: 'NoExecute' };
    for (const [more, taints] of [
      [{}, [notReady]],
      [{ spec: {} }, [notReady]],
      [{ spec: { taints: [mine, late] } }, [mine, late, notReady]],
      [{ spec: { taints: [notReady, mine] } }, [notReady, mine]],
    ] as const)
      assert.deepEqual(made(more).json.spec?.taints, taints);
  });
  it('has taints with a key and an effect, each once', () => {
    const taints = [
      { key: 'a b', value: 'c d' },
      { key: 'k', effect: 'Never' },
      { key: 'd', effect: 'NoSchedule' },
      { key: 'd', value: 'x', effect: 'NoSchedule' },
      { key: 'd', effect: 'NoExecute' },
    ];
    const causes = causesOf(made({ spec: { taints } }));
    assert.deepEqual(
      causes.map((cause) => /^\S+: (Invalid value: "[^"]*"|\w+ value)/.exec(cause)?.[0]),
      [
        'metadata.taints[0].key: Invalid value: "a b"',
        'metadata.taints[0].value: Invalid value: "c d"',
        'metadata.taints[0].effect: Required value',
        'metadata.taints[1].effect: Unsupported value',
        'metadata.taints[3]: Duplicate value',
      ],
    );
    assert.deepEqual(causes.slice(3), [
      'metadata.taints[1].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      'metadata.taints[3]: Duplicate value: {"Key":"d","Value":"x","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ]);
    const { ask } = asked();
    const { json } = ask('POST', NODES, sent('Node', 'n'));
    const tainted = ask('PUT', `${NODES}/n`, { ...json, spec: { taints: [{ key: 'k', effect: 'Never' }] } });
    assert.match(causesOf(tainted)[0] ?? '', /^metadata\.taints\[0\]\.effect: Unsupported value/);
  });
  it('has no less than nothing, and whole numbers of what cannot be shared', () => {
    const capacity = {
      ...{ cpu: '500m', memory: '-1', pods: '1500m', 'example.com/gpu': '500m', 'kubernetes.io/x': '500m' },
      ...{ 'attachable.kubernetes.io/y': '500m' },
    };
    const errors = (field: string): readonly string[] => [
      `${field}.example.com/gpu: Invalid value: "500m": must be an integer`,
      `${field}.memory: Invalid value: "-1": must be greater than or equal to 0`,
      `${field}.pods: Invalid value: "1500m": must be an integer`,
    ];
    assert.deepEqual(causesOf(made({ status: { capacity, allocatable: { cpu: '1' } } })), errors('status.capacity'));
    assert.deepEqual(
      causesOf(made({ status: { capacity: { cpu: '1' }, allocatable: capacity } })),
      errors('status.allocatable'),
    );
    assert.equal(made({ status: { capacity: { pods: '110', 'example.com/gpu': '2' } } }).code, 201);
    const { ask } = asked();
    const { json } = ask('POST', NODES, sent('Node', 'n'));
    const put = ask('PUT', `${NODES}/n/status`, { ...json, status: { capacity: { pods: '1500m' } } });
    assert.deepEqual(
      [...new Set(causesOf(put))],
      [
        'status.capacity.pods: Invalid value: "1500m": must be an integer',
        'status.allocatable.pods: Invalid value: "1500m": must be an integer',
      ],
    );
  });
  it('has one range of addresses of each family, and keeps it', () => {
    const FAMILIES = 'may specify no more than one CIDR for each IP family';
    const ranges = (...podCIDRs: readonly string[]): readonly string[] => causesOf(made({ spec: { podCIDRs } }));
    assert.deepEqual(ranges('10.0.0.0/24', 'fd00::/64'), ['201']);
    assert.deepEqual(ranges('10.0.0.0/24', '10.0.1.0/24'), [
      `spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: ${FAMILIES}`,
    ]);
    assert.deepEqual(ranges('10.0.0.0/24', 'fd00::/64', 'fd01::/64'), [
      `spec.podCIDRs: Invalid value: ["10.0.0.0/24","fd00::/64","fd01::/64"]: ${FAMILIES}`,
    ]);
    assert.deepEqual(ranges('10.0.0.0/24', 'x'), [
      'spec.podCIDRs[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR address: x',
      `spec.podCIDRs: Invalid value: ["10.0.0.0/24","x"]: ${FAMILIES}`,
    ]);
    const { ask } = asked();
    const KEPT = 'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid';
    ask('POST', NODES, sent('Node', 'n'));
    const put = (spec: object): Answer => ask('PUT', `${NODES}/n`, sent('Node', 'n', { spec }));
    const both = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] };
    assert.deepEqual(put({ podCIDRs: both.podCIDRs }).json.spec, both);
    assert.deepEqual(put(both).json.spec, both);
    assert.deepEqual(causesOf(put({ podCIDRs: ['10.0.0.0/24', 'fd01::/64'] })), [KEPT]);
    assert.deepEqual(causesOf(put({ podCIDRs: ['10.0.1.0/24', 'fd01::/64'] })), [KEPT, KEPT]);
    assert.deepEqual(causesOf(put({ podCIDR: '10.0.1.0/24', podCIDRs: both.podCIDRs })), [KEPT]);
    assert.deepEqual(causesOf(put({})), [KEPT]);
  });
  it('keeps the name that its provider gave it, and loses what nobody uses', () => {
    const { ask } = asked();
    const node = { providerID: 'a://1', externalID: 'e', configSource: { configMap: {} } };
    const { json, headers } = ask('POST', NODES, sent('Node', 'n', { spec: node }));
    assert.deepEqual(
      [json.spec?.providerID, json.spec?.externalID, json.spec?.configSource],
      ['a://1', 'e', undefined],
    );
    assert.match(String(headers.Warning), /spec\.externalID: this field is deprecated, and is unused by Kubernetes/);
    const put = (spec: object): readonly string[] => causesOf(ask('PUT', `${NODES}/n`, sent('Node', 'n', { spec })));
    assert.deepEqual(put({ providerID: 'a://2', externalID: 'e' }), [
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    assert.deepEqual(put({ providerID: 'a://1' }), ['spec.externalID: Forbidden: may not be updated']);
    assert.deepEqual(put({ providerID: 'a://1', externalID: 'e' }), ['200']);
    const plain = asked();
    plain.ask('POST', NODES, sent('Node', 'm'));
    const named = plain.ask('PUT', `${NODES}/m`, sent('Node', 'm', { spec: { providerID: 'a://3' } }));
    assert.deepEqual([named.json.spec?.providerID, named.headers.Warning], ['a://3', undefined]);
  });
  it('has each of its addresses once', () => {
    const { ask } = asked();
    const { json } = ask('POST', NODES, sent('Node', 'n'));
    const [inner, other] = ['192.0.2.1', '192.0.2.2'].map((address) => ({ type: 'InternalIP', address }));
    const addresses = [inner, other, { ...inner, type: 'ExternalIP' }];
    const put = (all: readonly unknown[]): readonly string[] =>
      causesOf(ask('PUT', `${NODES}/n/status`, { ...json, status: { addresses: all } }));
    assert.deepEqual(put([...addresses, other]), [
      'status.addresses[3]: Duplicate value: {"Type":"InternalIP","Address":"192.0.2.2"}',
    ]);
    assert.deepEqual(put(addresses), ['200']);
  });
  it('can give what it has, unless it says less', () => {
    const of = (status: object): unknown => made({ status }).json.status?.allocatable;
    assert.deepEqual(of({ capacity: { cpu: '4' } }), { cpu: '4' });
    assert.deepEqual(of({ capacity: { cpu: '4' }, allocatable: { cpu: '3' } }), { cpu: '3' });
    assert.equal(of({}), undefined);
  });
  it('is found by whether Pods may be put on it, and by nothing else of it', () => {
    const { ask } = asked();
    ask('POST', NODES, sent('Node', 'n', { spec: { unschedulable: true } }));
    ask('POST', NODES, sent('Node', 'm'));
    const found = (selector: string): unknown => {
      const { code, json } = ask('GET', `${NODES}?fieldSelector=${encodeURIComponent(selector)}`);
      return code === 200 ? json.items?.map(({ metadata }) => metadata?.name) : json.message;
    };
    assert.deepEqual(found('spec.unschedulable=true'), ['n']);
    assert.deepEqual(found('spec.unschedulable=false'), ['m']);
    assert.deepEqual(found('metadata.name=m'), ['m']);
    assert.match(String(found('spec.providerID=x')), /field label not supported: spec\.providerID/);
  });
});

describe('a ServiceAccount', () => {
  const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
  it('keeps the names of its secrets alone', () => {
    const { ask } = asked();
    const secrets = [{ name: 'a', namespace: 'x', uid: 'u' }, { kind: 'Secret' }];
    const body = sent('ServiceAccount', 's', { secrets });
    assert.deepEqual(ask('POST', ACCOUNTS, body).json.secrets, [{ name: 'a' }, {}]);
    assert.deepEqual(ask('PUT', `${ACCOUNTS}/s`, body).json.secrets, [{ name: 'a' }, {}]);
    assert.equal(ask('PUT', `${ACCOUNTS}/s`, sent('ServiceAccount', 's')).json.secrets, undefined);
  });
  it('is warned of where it is to keep secrets apart', () => {
    const warned = (annotations: object): unknown =>
      asked().ask('POST', ACCOUNTS, sent('ServiceAccount', 's', {}, { annotations })).headers.Warning;
    assert.match(
      String(warned({ 'kubernetes.io/enforce-mountable-secrets': 'false' })),
      /metadata\.annotations\[kubernetes\.io\/enforce-mountable-secrets\]: deprecated in v1\.32\+; prefer separate/,
    );
    assert.equal(warned({ a: 'b' }), undefined);
  });
  it('has to be there to get a token, which lives an hour', () => {
    const requests: Loose[] = [];
    const requestToken = (_account: unknown, body: unknown): never => {
      requests.push(body as Loose);
      throw new Error('enough');
    };
    const { ask } = fixture({ definitions: definitions({ requestToken }) });
    const request = (name: string, spec: object): Answer =>
      ask('POST', `${ACCOUNTS}/${name}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
    const missing = request('none', {});
    assert.deepEqual([missing.code, missing.json.message], [404, 'serviceaccounts "none" not found']);
    const another = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name: 't' }, spec: {} };
    assert.deepEqual(causesOf(ask('POST', `${ACCOUNTS}/none/token`, another)), [
      'metadata.name: Invalid value: "t": must match the service account name if specified',
    ]);
    ask('POST', ACCOUNTS, sent('ServiceAccount', 's'));
    for (const spec of [{}, { expirationSeconds: 700 }]) {
      try {
        request('s', spec);
      } catch {
        // whoever makes tokens is another room
      }
    }
    assert.deepEqual(
      requests.map(({ spec }) => spec?.expirationSeconds),
      [3600, 700],
    );
  });
});

it('a Lease lasts a time, changes hands upwards, and elects nobody', () => {
  const { ask } = asked();
  const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const lease = (spec: object): object => ({ ...sent('Lease', 'l', { spec }), apiVersion: 'coordination.k8s.io/v1' });
  assert.deepEqual(causesOf(ask('POST', LEASES, lease({ leaseDurationSeconds: 0, leaseTransitions: -1 }))), [
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
  ]);
  const election = { strategy: 'OldestEmulationVersion', preferredHolder: 'h' };
  const made = ask('POST', LEASES, lease({ leaseDurationSeconds: 1, leaseTransitions: 0, ...election }));
  assert.deepEqual([made.code, made.json.spec], [201, { leaseDurationSeconds: 1, leaseTransitions: 0 }]);
  const metadata = { name: 'l', resourceVersion: made.json.metadata?.resourceVersion };
  const put = ask('PUT', `${LEASES}/l`, { ...lease({ holderIdentity: 'h', ...election }), metadata });
  assert.deepEqual([put.code, put.json.spec], [200, { holderIdentity: 'h' }]);
  const none = ask('PUT', `${LEASES}/l`, { ...lease({}), metadata: put.json.metadata });
  assert.equal(none.code, 200);
});
