/** The machine that init ran on, as its kubelet shows it: its Node and the mirror Pods of the static Pods. */
import { LABEL_CONTROL_PLANE } from '../../kubernetes/names.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { COMPONENTS } from '../components.js';
import type { Configuration } from '../configuration.js';
import type { ExtraArgs } from '../flags.js';
import { atRelease, type ByRelease, inRelease, type ReleaseSpan } from '../release.js';
import { mirrorPod } from './static-pods.js';

const MASTER = 'node-role.kubernetes.io/master';
/** Source: release notes of 1.24 and 1.25; phases/markcontrolplane, constants.go LabelNodeRoleOldControlPlane. */
const MASTER_LABEL: ReleaseSpan = { until: 23 };
const TAINTS: ByRelease<readonly string[]> = [
  [{ until: 23 }, [MASTER]],
  [{ until: 24 }, [MASTER, LABEL_CONTROL_PLANE]],
  [{}, [LABEL_CONTROL_PLANE]],
];

/**
 * The Node of the machine that init ran on: marked as a control plane, Ready. `now` is RFC 3339.
 * Source: phases/markcontrolplane; the kubelet's own registration.
 */
export function controlPlaneNode(facts: Configuration, now: string): KubeObject {
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
        [LABEL_CONTROL_PLANE]: '',
        ...(inRelease(facts.release, MASTER_LABEL) ? { [MASTER]: '' } : {}),
        'node.kubernetes.io/exclude-from-external-load-balancers': '',
      },
      annotations: {
        ...(inRelease(facts.release, { until: 33 })
          ? { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///var/run/containerd/containerd.sock' }
          : {}),
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { taints: atRelease(facts.release, TAINTS)?.map((key) => ({ key, effect: 'NoSchedule' })) },
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

/** The mirror Pods of the static Pods, owned by the Node as it is stored. `now` is RFC 3339. */
export function controlPlanePods(
  facts: Configuration,
  node: KubeObject,
  extraArgs: ExtraArgs,
  now: string,
): readonly KubeObject[] {
  const owner: OwnerReference = {
    apiVersion: 'v1',
    kind: 'Node',
    name: facts.nodeName,
    uid: node.metadata.uid ?? '',
    controller: true,
  };
  return COMPONENTS.map((component) => mirrorPod(component, { facts, extraArgs, owner, seen: now }));
}
