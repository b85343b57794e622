import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject, Role } from '../../kubernetes/objects.js';
import { addonsRun, readAddons, readDaemonSeen, readNodeSeen } from './kubeadm-addons.js';

const RBAC = 'rbac.authorization.k8s.io';
type Around = Parameters<typeof readAddons>[1];
type Given = Parameters<typeof readAddons>[0];

const role = (name: string, verbs = ['list', 'watch']): Role => ({
  metadata: { name },
  rules: [
    { verbs, apiGroups: [''], resources: ['services'] },
    { verbs, apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
  ],
});
const bound = (name: string) => ({
  metadata: { name },
  subjects: [{ kind: 'ServiceAccount', namespace: 'kube-system', name }],
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
});
const policy = (roles: readonly Role[]): Around['policy'] => ({
  clusterRoles: roles,
  roles: [],
  clusterRoleBindings: [bound('kube-proxy'), bound('coredns')],
  roleBindings: [],
});
const ROLES = [role('kube-proxy'), role('coredns')];
const node = (labels: object, ...taints: readonly string[]) =>
  readNodeSeen({
    metadata: { labels: { ...labels } },
    spec: { taints: taints.map((key) => ({ key, effect: 'NoSchedule' })) },
  } as KubeObject);
const NODES = [
  node({ 'kubernetes.io/os': 'linux' }, 'node-role.kubernetes.io/control-plane'),
  node({ 'kubernetes.io/os': 'linux' }, 'gpu'),
];
const AROUND: Around = { nodes: NODES, daemons: [], policy: policy(ROLES), answered: false };
const workload = (name: string, pod: object = {}, spec: object = {}): KubeObject => ({
  metadata: { name, namespace: 'kube-system' },
  spec: {
    ...spec,
    template: {
      spec: {
        serviceAccountName: name,
        volumes: [{ name: 'config', configMap: { name } }],
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        tolerations: [{ operator: 'Exists' }],
        ...pod,
      },
    },
  },
});
const whole = (name: string, pod?: object, spec?: object): Given['proxy'] => ({
  workload: workload(name, pod, spec),
  map: { metadata: { name } },
  account: { metadata: { name } },
});
const NONE: Given['proxy'] = { workload: undefined, map: undefined, account: undefined };
const oddOf = (given: Partial<Given>, around: Partial<Around> = {}): readonly string[] =>
  readAddons({ proxy: NONE, dns: NONE, ...given }, { ...AROUND, ...around }).flatMap(({ odd }) => odd);

describe('kube-proxy', () => {
  const proxy = (other: Partial<Given['proxy']>, around?: Partial<Around>): readonly string[] =>
    oddOf({ proxy: { ...whole('kube-proxy'), ...other } }, around);
  it('has what it runs by', () => {
    assert.deepEqual(proxy({}), []);
    assert.deepEqual(proxy({ map: undefined }), ['there is no ConfigMap kube-proxy, which it mounts']);
    assert.deepEqual(proxy({ account: undefined }), ['there is no ServiceAccount kube-proxy, as which it runs']);
    assert.deepEqual(proxy({}, { policy: policy([role('coredns'), role('kube-proxy', ['list'])]) }), [
      'its account may not watch services',
      'its account may not watch endpointslices',
    ]);
    assert.deepEqual(proxy({}, { policy: policy([]) }).length, 2);
    const elsewhere = workload('kube-proxy', { serviceAccountName: 'other', volumes: [] });
    assert.deepEqual(proxy({ workload: elsewhere, map: undefined, account: undefined }), []);
  });

  it('needs no more than it mounts, and runs as', () => {
    const [account, map] = [undefined, undefined];
    assert.deepEqual(proxy({ account }, { policy: policy([]) }), [
      'there is no ServiceAccount kube-proxy, as which it runs',
    ]);
    const other = workload('kube-proxy', { serviceAccountName: 'other' });
    assert.deepEqual(proxy({ workload: other }, { policy: policy([]) }), []);
    for (const configMap of [
      { name: 'kube-proxy', optional: true },
      { name: 'other' },
      { name: 'other', optional: true },
    ])
      assert.deepEqual(proxy({ map, workload: workload('kube-proxy', { volumes: [{ configMap }] }) }), []);
    const both = [
      { configMap: { name: 'other' } },
      { secret: {} },
      { configMap: { name: 'kube-proxy', optional: false } },
    ];
    assert.equal(proxy({ map, workload: workload('kube-proxy', { volumes: both }) }).length, 1);
  });

  it('may see Services of all names in all namespaces, by itself or as one of a group', () => {
    const [, dns = role('coredns')] = ROLES;
    const toGroup = (name: string): Around['policy'] => ({
      ...policy([role('kube-proxy')]),
      clusterRoleBindings: [{ ...bound('kube-proxy'), subjects: [{ kind: 'Group', apiGroup: RBAC, name }] }],
    });
    for (const name of ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'])
      assert.deepEqual(proxy({}, { policy: toGroup(name) }), [], name);
    const neither = [
      'its account may not list and watch services',
      'its account may not list and watch endpointslices',
    ];
    assert.deepEqual(proxy({}, { policy: toGroup('system:nodes') }), neither);
    const named = role('kube-proxy');
    const rules = named.rules?.map((rule) => ({ ...rule, resourceNames: ['kubernetes'] })) ?? [];
    assert.deepEqual(proxy({}, { policy: policy([dns, { ...named, rules }]) }), neither);
    const urls = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
    assert.deepEqual(proxy({}, { policy: policy([dns, { ...named, rules: urls }]) }), neither);
    const [binding] = [{ ...bound('kube-proxy'), metadata: { name: 'kube-proxy', namespace: 'kube-system' } }];
    const inOne = { ...policy([named]), clusterRoleBindings: [], roleBindings: [binding] };
    assert.deepEqual(proxy({}, { policy: inOne }), neither);
  });

  it('comes to nodes whose system is what they are labelled', () => {
    const of = (operatingSystem: string, ...labelled: readonly string[]) =>
      proxy(
        { workload: workload('kube-proxy', { nodeSelector: { 'kubernetes.io/os': 'linux' } }) },
        {
          nodes: [
            node({ 'kubernetes.io/os': 'linux' }),
            readNodeSeen({
              metadata: { labels: Object.fromEntries(labelled.map((os) => ['kubernetes.io/os', os])) },
              status: { nodeInfo: { operatingSystem } },
            } as KubeObject),
          ],
        },
      );
    assert.deepEqual(of('linux', 'windows'), ['a node that runs linux is labelled otherwise, and left out']);
    for (const labelled of [['linux'], []]) assert.deepEqual(of('linux', ...labelled), []);
    assert.deepEqual(of('windows', 'windows'), []);
    assert.deepEqual(of('', 'windows'), []);
  });

  it('comes to nodes that there are', () => {
    const master = [node({ 'kubernetes.io/os': 'linux' }, 'node-role.kubernetes.io/master')];
    assert.deepEqual(
      proxy({ workload: workload('kube-proxy', { tolerations: [{ key: 'gpu' }] }) }, { nodes: master }),
      ['it does not tolerate node-role.kubernetes.io/master'],
    );
    const key = 'node-role.kubernetes.io/control-plane';
    for (const [toleration, isEnough] of [
      [{ key, operator: 'Exists' }, true],
      [{ key, operator: 'Exists', effect: 'NoSchedule' }, true],
      [{ key, effect: 'NoSchedule' }, true],
      [{ key, operator: 'Equal', value: '' }, true],
      [{ operator: 'Exists', effect: 'NoSchedule' }, true],
      [{ key, operator: 'Exists', effect: 'NoExecute' }, false],
      [{ operator: 'Exists', effect: 'NoExecute' }, false],
      [{ key, operator: 'Equal', value: 'true' }, false],
      [{ key: 'node-role.kubernetes.io', operator: 'Exists' }, false],
    ] as const)
      assert.deepEqual(
        proxy({ workload: workload('kube-proxy', { tolerations: [{ key: 'gpu' }, toleration] }) }),
        isEnough ? [] : [`it does not tolerate ${key}`],
        JSON.stringify(toleration),
      );
    const valued = readNodeSeen({
      metadata: { labels: { 'kubernetes.io/os': 'linux' } },
      spec: { taints: [{ key, value: 'true', effect: 'NoExecute' }] },
    } as KubeObject);
    for (const [toleration, isEnough] of [
      [{ key, operator: 'Exists' }, true],
      [{ key, value: 'true' }, true],
      [{ key, operator: 'Equal', value: 'false' }, false],
      [{ key }, false],
    ] as const)
      assert.equal(
        proxy({ workload: workload('kube-proxy', { tolerations: [toleration] }) }, { nodes: [valued] }).length,
        isEnough ? 0 : 1,
        JSON.stringify(toleration),
      );
    const preferred = readNodeSeen({
      metadata: {},
      spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'PreferNoSchedule' }] },
    } as KubeObject);
    assert.deepEqual(preferred, { labels: {}, taints: [], system: '' });
    const soft = { ...preferred, labels: { 'kubernetes.io/os': 'linux' } };
    assert.deepEqual(proxy({ workload: workload('kube-proxy', { tolerations: [] }) }, { nodes: [soft] }), []);

    const selects = (nodeSelector: object) => workload('kube-proxy', { nodeSelector });
    assert.deepEqual(proxy({ workload: selects({ x: 'y' }) }), ['its nodeSelector picks no node']);
    assert.deepEqual(proxy({ workload: selects({ x: 'y' }) }, { nodes: [] }), []);
    assert.deepEqual(proxy({ workload: selects({}) }), []);
    assert.deepEqual(proxy({ workload: workload('kube-proxy', { tolerations: [] }) }), [
      'it does not tolerate node-role.kubernetes.io/control-plane',
    ]);
    const named = [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }];
    assert.deepEqual(proxy({ workload: workload('kube-proxy', { tolerations: named }) }), []);
    assert.deepEqual(proxy({ workload: workload('kube-proxy', { tolerations: [] }) }, { nodes: NODES.slice(1) }), []);
  });

  it('may be done without, where a network does its work', () => {
    const daemon = (image: string, hostNetwork = true) =>
      readDaemonSeen({
        metadata: { name: 'd', namespace: 'n' },
        spec: { template: { spec: { hostNetwork, containers: [{ image }] } } },
      });
    const gone = ['it is not there, and nothing else could do its work'];
    assert.deepEqual(proxy({ workload: undefined }), gone);
    assert.deepEqual(proxy({ workload: undefined }, { daemons: [daemon('quay.io/cilium/cilium:v1.16')] }), []);
    assert.deepEqual(proxy({ workload: undefined }, { daemons: [daemon('example.com/logs', false)] }), gone);
    assert.deepEqual(proxy({ workload: undefined }, { daemons: [daemon('ghcr.io/flannel-io/flannel:v0.26')] }), gone);
    assert.deepEqual(proxy({ workload: undefined, map: undefined }), []);
    for (const image of [
      'flannel',
      'flannel:v0.26',
      'example.com/net/flannel',
      'example.com/net/flannel:v0.26',
      'example.com/net/flannel@sha256:0',
      'example.com/weave-npc:2',
    ])
      assert.deepEqual(proxy({ workload: undefined }, { daemons: [daemon(image)] }), gone, image);
    for (const image of ['example.com/flannel/proxy', 'example.com/flannel-proxy:v1', 'example.com/my-flannel'])
      assert.deepEqual(proxy({ workload: undefined }, { daemons: [daemon(image)] }), [], image);
  });

  it('is done by any container of a network', () => {
    const seen = (hostNetwork: boolean, ...containers: readonly object[]) => {
      const { privileged, networks } = readDaemonSeen({
        metadata: {},
        spec: { template: { spec: { hostNetwork, containers } } },
      });
      return { privileged, networks };
    };
    const [flannel, cilium] = [{ image: 'flannel:v1' }, { image: 'cilium:v1' }];
    assert.deepEqual(seen(true, flannel, cilium), { privileged: true, networks: true });
    assert.deepEqual(seen(true, flannel), { privileged: true, networks: false });
    const privileged = { securityContext: { privileged: true } };
    assert.deepEqual(seen(false, cilium, privileged), { privileged: true, networks: false });
    assert.deepEqual(seen(false, cilium, {}), { privileged: false, networks: false });
  });
});

describe('CoreDNS', () => {
  const dns = (other: Partial<Given['dns']>, around?: Partial<Around>): readonly string[] =>
    oddOf({ dns: { ...whole('coredns'), ...other } }, around);
  it('has what it runs by, and runs', () => {
    assert.deepEqual(dns({}), []);
    assert.deepEqual(dns({ map: undefined }), ['there is no ConfigMap coredns, which it mounts']);
    assert.equal(dns({}, { policy: policy([role('kube-proxy')]) }).length, 2);
    const nowhere = workload('coredns', { nodeSelector: { disk: 'none' } });
    assert.deepEqual(dns({ workload: nowhere }), ['its nodeSelector picks no node']);
    assert.deepEqual(dns({ workload: nowhere }, { nodes: [] }), []);
    const none = workload('coredns', {}, { replicas: 0 });
    assert.deepEqual(dns({ workload: none }), ['it has no replicas, and nobody answers for it']);
    assert.deepEqual(dns({ workload: none }, { answered: true }), []);
    assert.deepEqual(dns({ workload: undefined }), ['it is not there, and nobody answers for it']);
    assert.deepEqual(dns({ workload: undefined }, { answered: true }), []);
    assert.deepEqual(oddOf({}), []);
  });

  it('is told beside kube-proxy', () => {
    const judged = addonsRun.judge(
      readAddons({ proxy: whole('kube-proxy'), dns: { ...whole('coredns'), account: undefined } }, AROUND),
      undefined,
    );
    assert.deepEqual(
      judged.map(({ result, subject, seen }) => `${result} ${subject}: ${seen}`),
      [
        'met DaemonSet kube-system/kube-proxy: it has',
        'unmet Deployment kube-system/coredns: there is no ServiceAccount coredns, as which it runs',
      ],
    );
  });

  it('is told with the first of what it lacks, as far as anybody reads', () => {
    const told = (...odd: readonly string[]) => addonsRun.judge([{ subject: 'a', odd }], undefined)[0];
    assert.equal(told('a', 'b', 'c', 'd', 'e', 'f')?.seen, 'a; b; c; d; e');
    assert.equal(told('a'.repeat(300))?.seen, 'a'.repeat(240));
    assert.equal(told()?.demanded, 'has what it runs by, and runs on the machines of the cluster');
  });
});

it('what runs beside kube-proxy is never in its place', () => {
  const isOne = (image: string): boolean =>
    JSON.stringify(
      readDaemonSeen({
        metadata: { name: 'a', namespace: 'b' },
        spec: {
          template: {
            spec: { hostNetwork: true, containers: [{ image, securityContext: { privileged: true } }] },
          },
        },
      } as KubeObject),
    ).includes('"networks":true');
  for (const name of [
    ...['flannel', 'flannel-cni-plugin', 'weave-kube', 'weave-npc', 'k8s-dns-node-cache', 'node-exporter'],
  ])
    assert.ok(!isOne(`registry.example/${name}:v1`), name);
  assert.ok(isOne('registry.example/cilium:v1'));
});
