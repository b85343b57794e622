/** Nodes that stand for another machine than they say, or for none. */
import { rfc3339 } from '../apiserver/clock.js';
import { type Fields, record, records, text } from '../kubernetes/json.js';
import { LABEL_CONTROL_PLANE, TAINT_UNINITIALIZED } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { addNode, edit, finds, kubelet, type NodeParts as Parts } from './arrange.js';
import { aged } from './policy-tokens.js';
import type { Mutant } from './types.js';

const at = (address: string): Fields => ({ addresses: [{ type: 'InternalIP', address }] });

/** Whether it is ready, and since when; when it last said so, and by that is alive, left out: it has not said. */
const condition = (status: string, lastTransitionTime: string, lastHeartbeatTime?: string): Fields => ({
  conditions: [{ type: 'Ready', status, reason: 'Kubelet', lastTransitionTime, lastHeartbeatTime }],
});

/** Two Nodes of which both say the same. */
const doubled = (name: string, defect: string, parts: Parts): Mutant =>
  finds(name, defect, ['P-266'], (reference) => {
    for (const node of ['rack-1', 'rack-2']) addNode(reference, node, parts);
  });
const odd = (name: string, defect: string, rule: string, parts: Parts): Mutant =>
  finds(name, defect, [rule], (reference) => addNode(reference, 'rack-1', parts));
/** It has joined a day ago. */
const long = (...[name, defect, rule, parts]: Parameters<typeof odd>): Mutant => ({
  ...odd(name, defect, rule, parts),
  gateway: aged('rack-1', 24),
});
const LONG_AGO = '2020-01-01T00:00:00Z';
const CLOUD = { key: TAINT_UNINITIALIZED, value: 'true', effect: 'NoSchedule' };

/** Changes every control plane. */
function onControlPlanes(reference: Reference, change: (node: KubeObject) => KubeObject): void {
  for (const { metadata } of reference.api.list(resources.nodes))
    if (metadata.labels?.[LABEL_CONTROL_PLANE] !== undefined)
      edit(reference, { resource: resources.nodes, name: metadata.name ?? '' }, change);
}

/** Another version of a program of the control plane, or of the proxy. */
const versioned = (name: string, defect: string, program: string, version: string): Mutant =>
  finds(name, defect, ['P-275'], (reference) => {
    const renamed = (spec: Fields): Fields => ({
      ...spec,
      containers: records(spec.containers).map((one) => ({
        ...one,
        image: text(one.image).replace(/:v1\.[\d.]+$/, `:${version}`),
      })),
    });
    if (program === 'kube-proxy')
      edit(reference, { resource: resources.daemonSets, namespace: 'kube-system', name: program }, (found) => {
        const template = record(record(found.spec).template);
        return {
          ...found,
          spec: { ...record(found.spec), template: { ...template, spec: renamed(record(template.spec)) } },
        };
      });
    for (const { metadata } of reference.api.list(resources.pods, 'kube-system'))
      if (metadata.labels?.component === program)
        edit(reference, { resource: resources.pods, namespace: 'kube-system', name: metadata.name ?? '' }, (pod) => ({
          ...pod,
          spec: renamed(record(pod.spec)),
        }));
  });

/** A Lease as a kubelet renews it, just now. */
const addLease = ({ api }: Reference, name: string, holderIdentity = name, renewTime?: string): void =>
  void api.create(resources.leases, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: resources.leases.kind,
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity, leaseDurationSeconds: 40, ...(renewTime === undefined ? {} : { renewTime }) },
  } as KubeObject);

/** The Lease of the controllers as it was a while ago. */
const ledBefore = (name: string, spec: Fields): Mutant => ({
  name,
  defect: 'nobody leads the controllers any more',
  killedBy: ['P-373'],
  gateway: {
    after: ({ method, path }, { status, body }) => {
      if (method !== 'GET' || status !== 200 || !path.includes('/leases')) return undefined;
      const items = records(record(body).items).map((one) =>
        record(one.metadata).name === 'kube-controller-manager'
          ? { ...one, spec: { ...record(one.spec), ...spec } }
          : one,
      );
      return { status, body: { ...record(body), items } };
    },
  },
});

/** Of one whose clock is an hour ahead, one who has never said that he is alive, and a scheduler of theirs that is gone. */
const OF_OPERATORS = {
  'clock-ahead': { renewTime: new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z') },
  silent: {},
  'kube-scheduler': { renewTime: '2020-01-01T00:00:00.000000Z' },
};

export const mutants: readonly Mutant[] = [
  {
    name: 'harmless-leases-of-operators',
    defect: 'operators keep Leases by clocks of their own',
    killedBy: [],
    strict: true,
    arrange: ({ api }) => {
      for (const [name, times] of Object.entries(OF_OPERATORS))
        api.create(resources.leases, {
          apiVersion: 'coordination.k8s.io/v1',
          kind: resources.leases.kind,
          metadata: { name, namespace: 'default' },
          spec: { holderIdentity: 'operator', ...times },
        });
    },
  },
  ledBefore('controllers-dead', { renewTime: '2020-01-01T00:00:00.000000Z' }),
  ledBefore('controllers-given-up', { holderIdentity: '' }),
  finds('lease-of-no-node', 'a machine that is no Node says that it is alive', ['P-276'], (reference) =>
    addLease(reference, 'rack-9', 'rack-9', '2999-01-01T00:00:00.000000Z'),
  ),
  finds('lease-of-another', 'the Lease of a Node is held by another machine', ['P-276'], (reference) => {
    addNode(reference, 'rack-1', {});
    addLease(reference, 'rack-1', 'rack-2');
  }),
  finds('ready-node-of-no-lease', 'somebody says that a machine is ready that says nothing', ['P-276'], (reference) => {
    addNode(reference, 'rack-1', { status: { ...at('192.0.2.31'), ...condition('True', LONG_AGO) } });
    addNode(reference, 'rack-2', { status: { ...at('192.0.2.32'), ...condition('True', LONG_AGO) } });
    addLease(reference, 'rack-1', 'rack-1', '2020-06-01T00:00:00.000000Z');
  }),
  finds(
    'ready-node-of-an-old-lease',
    'a machine that is taken for ready has not said so for months',
    ['P-276'],
    (reference) => {
      for (const name of ['rack-1', 'rack-2'])
        addNode(reference, name, { status: { addresses: [], ...condition('True', LONG_AGO) } });
      addLease(reference, 'rack-1', 'rack-1', '2020-06-01T00:00:00.000000Z');
      addLease(reference, 'rack-2', 'rack-2', '2020-02-01T00:00:00.000000Z');
    },
  ),
  odd('runtime-of-before', 'kubeadm has written down a runtime that is no more', 'P-267', {
    annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': '/var/run/dockershim.sock' },
  }),
  versioned('scheduler-ahead', 'a scheduler is newer than the API server', 'kube-scheduler', 'v1.99.0'),
  versioned(
    'controllers-far-behind',
    'controllers are too old for the API server',
    'kube-controller-manager',
    'v1.20.9',
  ),
  versioned('controllers-of-any-version', 'controllers run whatever is newest', 'kube-controller-manager', 'latest'),
  long('node-that-never-was-ready', 'a machine has joined, and nothing runs there', 'P-319', {
    status: { ...at('192.0.2.31'), ...condition('False', LONG_AGO) },
  }),
  {
    ...long('node-that-stays-tainted', 'nobody takes away the taint of a machine that is ready', 'P-319', {
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      status: { ...at('192.0.2.31'), ...condition('True', LONG_AGO) },
    }),
    options: { decisions: { controllerHearsAfter: (name) => (name === 'node-lifecycle' ? 3_600_000 : 0) } },
  },
  odd('node-of-tomorrow', 'the clock of a machine is years ahead', 'P-267', {
    status: { ...at('192.0.2.31'), ...condition('True', '2999-01-01T00:00:30Z', '2999-01-01T00:00:30Z') },
  }),
  long('node-of-no-address', 'a Node says nowhere where it is', 'P-267', { status: condition('True', LONG_AGO) }),
  versioned('proxy-ahead', 'kube-proxy is newer than the API server', 'kube-proxy', 'v1.99.0'),
  doubled('nodes-of-one-provider-id', 'two Nodes have one provider id', { spec: { providerID: 'cloud:///zone/i-1' } }),
  doubled('nodes-of-one-hostname', 'two Nodes have one hostname', { labels: { 'kubernetes.io/hostname': 'rack' } }),
  doubled('nodes-of-one-address', 'two Nodes have one address', { status: at('192.0.2.31') }),
  doubled('nodes-of-one-subnet', 'two Nodes give addresses of one subnet to Pods', {
    spec: { podCIDR: '10.244.7.0/24', podCIDRs: ['10.244.7.0/24'] },
  }),
  doubled('nodes-of-one-system', 'two Nodes are copies of one system', {
    status: { nodeInfo: { kubeletVersion: 'v1.36.0', machineID: '1f'.repeat(16) } },
  }),
  doubled('nodes-of-one-board', 'two Nodes that kubeadm has joined have one board', {
    annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
    status: { nodeInfo: { kubeletVersion: 'v1.36.0', systemUUID: '4c4c4544-0000-2010-8020-80c04f202020' } },
  }),
  finds('node-that-says-another', 'a Node says that it is another', ['P-266'], (reference) => {
    addNode(reference, 'rack-1', { status: at('192.0.2.31') });
    addNode(reference, 'rack-2', { status: { addresses: [{ type: 'Hostname', address: 'rack-1' }] } });
  }),
  finds(
    'nodes-within-one-subnet',
    'the Pods of a Node are at addresses of those of another',
    ['P-266'],
    (reference) => {
      addNode(reference, 'rack-1', { spec: { podCIDRs: ['10.244.0.0/16'] } });
      addNode(reference, 'rack-2', { spec: { podCIDRs: ['10.244.7.0/24'] } });
    },
  ),
  long('node-of-no-network', 'a Node was given no addresses for its Pods', 'P-266', {
    status: { ...at('192.0.2.31'), ...condition('True', LONG_AGO) },
  }),
  odd('node-beyond-the-network', 'the Pods of a Node are at addresses of no Pod', 'P-266', {
    spec: { podCIDR: '172.31.7.0/24', podCIDRs: ['172.31.7.0/24'] },
  }),
  odd('node-with-services', 'the Pods of a Node are at addresses of Services', 'P-266', {
    spec: { podCIDRs: ['10.96.0.0/24'] },
  }),
  odd('node-made-by-hand', 'somebody has made a Node by hand, and no kubelet speaks for it', 'P-267', {
    status: { nodeInfo: {} },
  }),
  odd('node-at-loopback', 'a Node is at an address of loopback', 'P-266', { status: at('127.0.1.1') }),
  odd(
    'node-at-loopback-from-outside',
    'a Node says that it is reached from outside at an address of loopback',
    'P-266',
    {
      status: {
        addresses: [
          { type: 'InternalIP', address: '192.0.2.31' },
          { type: 'ExternalIP', address: '127.0.0.1' },
        ],
      },
    },
  ),
  odd('node-labelled-as-another-machine', 'the label of a Node names another architecture than its kubelet', 'P-266', {
    labels: { 'kubernetes.io/arch': 'amd64' },
    status: { nodeInfo: { kubeletVersion: 'v1.36.0', architecture: 'arm64' } },
  }),
  ...['kubernetes.io/hostname', 'kubernetes.io/os', 'kubernetes.io/arch'].map((label) =>
    odd(`node-without-${label.slice(14)}`, `a Node has lost its label ${label}`, 'P-267', { labels: { [label]: '' } }),
  ),
  odd('node-of-two-addresses', 'a Node has two addresses for its Pods', 'P-266', {
    spec: { podCIDR: '10.244.9.4/30', podCIDRs: ['10.244.9.4/30'] },
  }),
  odd('node-at-a-service', 'a Node has the address of a Service', 'P-266', { status: at('10.96.0.1') }),
  odd('kubelet-newer-than-its-server', 'a kubelet is newer than the API server', 'P-267', {
    status: kubelet('v1.99.0'),
  }),
  odd('kubelet-too-old', 'a kubelet is too old for the API server', 'P-267', { status: kubelet('v1.16.3') }),
  odd('kubelet-at-the-port-of-ssh', 'the API server asks a kubelet at the port of something else', 'P-267', {
    status: { daemonEndpoints: { kubeletEndpoint: { Port: 22 } } },
  }),
  odd('runtime-over-a-network', 'a kubelet asks its runtime over a network', 'P-267', {
    annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'tcp://192.0.2.9:2375' },
  }),
  odd('worker-marked-as-control-plane', 'a worker is marked as a control plane', 'P-268', {
    labels: { [LABEL_CONTROL_PLANE]: '' },
    spec: { taints: [{ key: LABEL_CONTROL_PLANE, effect: 'NoSchedule' }] },
    status: kubelet('v1.36.0'),
  }),
  finds('control-plane-without-its-mark', 'a control plane is not marked', ['P-268'], (reference) =>
    onControlPlanes(reference, (node) => ({ ...node, metadata: { ...node.metadata, labels: {} } })),
  ),
  finds(
    'control-plane-without-its-taint',
    'Pods of teams run on control planes beside workers',
    ['P-269'],
    (reference) => onControlPlanes(reference, (node) => ({ ...node, spec: {}, status: kubelet('v1.36.0') })),
  ),
  {
    name: 'harmless-nodes',
    defect: 'Nodes as kubelets, clouds and simulators register them',
    killedBy: [],
    strict: true,
    gateway: aged('old-', 24),
    arrange: (reference) => {
      addNode(reference, 'rack-1', {
        spec: { providerID: 'cloud:///zone/i-1', podCIDR: '10.244.7.0/24', podCIDRs: ['10.244.7.0/24', 'fd00:7::/64'] },
        status: {
          ...kubelet('v1.36.0'),
          addresses: [
            { type: 'InternalIP', address: '192.0.2.31' },
            { type: 'InternalIP', address: '2001:db8::31' },
            { type: 'ExternalIP', address: '203.0.113.9' },
          ],
          daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
        },
        annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/containerd/containerd.sock' },
      });
      addNode(reference, 'rack-2', {
        spec: { taints: [CLOUD] },
        status: { addresses: [{ type: 'ExternalIP', address: '203.0.113.9' }] },
        annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'npipe:////./pipe/containerd-containerd' },
      });
      addNode(reference, 'old-1', {
        spec: { podCIDR: '10.244.31.0/24', podCIDRs: ['10.244.31.0/24'] },
        status: { ...at('192.0.2.33'), ...condition('Unknown', rfc3339(Date.now() - 3_600_000)) },
      });
      addNode(reference, 'old-2', {
        spec: { unschedulable: true, podCIDR: '10.244.32.0/24', podCIDRs: ['10.244.32.0/24'] },
        status: { ...at('192.0.2.34'), ...condition('False', LONG_AGO) },
      });
      addLease(reference, 'rack-1');
      addLease(reference, 'rack-0', 'rack-0', '2020-01-01T00:00:00.000000Z');
      for (const name of ['simulated-1', 'simulated-2'])
        addNode(reference, name, { labels: { type: 'kwok' }, status: { ...at('192.0.2.40'), ...kubelet('v0.0.0') } });
    },
  },
];
