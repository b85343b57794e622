/** The machine that init ran on, as its kubelet shows it: its Node and the mirror Pods of the static Pods. */

import { rfc3339 } from '../apiserver/clock.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { type ReferenceOptions, SWITCHABLE_CONTROLLERS } from '../reference/options.js';
import type { InitFacts } from './facts.js';
import { type Init, write } from './init.js';
import { COMPONENTS, type ExtraArgs, mirrorPod } from './static-pods.js';

/** The Node of the machine that init ran on: marked as a control plane, Ready. Source: phases/markcontrolplane; the kubelet's own registration. */
function controlPlaneNode(facts: InitFacts, now: string): KubeObject {
  const os = { arch: 'amd64', os: 'linux' };
  const condition = (
    type: string,
    status: string,
    reason: string,
    message: string,
  ): Readonly<Record<string, string>> => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: facts.nodeName,
      labels: {
        'beta.kubernetes.io/arch': os.arch,
        'beta.kubernetes.io/os': os.os,
        'kubernetes.io/arch': os.arch,
        'kubernetes.io/hostname': facts.nodeName,
        'kubernetes.io/os': os.os,
        'node-role.kubernetes.io/control-plane': '',
        'node.kubernetes.io/exclude-from-external-load-balancers': '',
      },
      annotations: {
        ...(facts.release.minor <= 33
          ? { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///var/run/containerd/containerd.sock' }
          : {}),
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
    status: {
      addresses: [
        { type: 'InternalIP', address: facts.advertiseAddress },
        { type: 'Hostname', address: facts.nodeName },
      ],
      capacity: { cpu: '2', memory: '4014080Ki', pods: '110' },
      allocatable: { cpu: '2', memory: '3911680Ki', pods: '110' },
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      nodeInfo: {
        architecture: os.arch,
        operatingSystem: os.os,
        kubeletVersion: facts.release.text,
        kubeProxyVersion: '',
        containerRuntimeVersion: 'containerd://2.1.0',
        kernelVersion: '6.1.0',
        osImage: 'joinproof reference',
        machineID: '',
        systemUUID: '',
        bootID: '',
      },
    },
  };
}

/** What the flags of the static Pods say of the switches. */
export function extraArgsOf(options: ReferenceOptions): ExtraArgs {
  const off = SWITCHABLE_CONTROLLERS.filter((name) => options.controllers?.[name] === false);
  const list = [
    '*',
    ...['bootstrapsigner', 'tokencleaner'].filter((name) => !off.some((one) => one === name)),
    ...off.filter((name) => name.startsWith('csr')).map((name) => `-${name}`),
  ];
  return {
    'kube-apiserver': {
      ...(options.bootstrapTokenAuth === undefined
        ? {}
        : { 'enable-bootstrap-token-auth': String(options.bootstrapTokenAuth) }),
      ...(options.anonymousAuth === undefined ? {} : { 'anonymous-auth': String(options.anonymousAuth) }),
    },
    'kube-controller-manager': {
      ...(off.length === 0 ? {} : { controllers: list.join(',') }),
      ...(options.clusterSigningDuration === undefined
        ? {}
        : { 'cluster-signing-duration': `${options.clusterSigningDuration / 1000}s` }),
      ...(options.serviceAccountCredentials === undefined
        ? {}
        : { 'use-service-account-credentials': String(options.serviceAccountCredentials) }),
    },
  };
}

/** The control plane's Node and mirror Pods, as its kubelet shows them. */
export function showNode(init: Init, extraArgs: ExtraArgs): void {
  const now = rfc3339(init.clock.now());
  const node = write(init, controlPlaneNode(init.facts, now));
  if (node === undefined) return;
  const owner = {
    apiVersion: 'v1',
    kind: 'Node',
    name: init.facts.nodeName,
    uid: node.metadata.uid ?? '',
    controller: true,
  };
  for (const component of COMPONENTS) write(init, mirrorPod(component, init.facts, extraArgs, owner, now));
}
