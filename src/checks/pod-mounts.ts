/**
 * What Pods are given of what lets machines join: Secrets of tokens and of control planes, folders of keys, and the
 * sockets by which their machine runs containers.
 * Source: k8s.io/api/core/v1 types.go; cmd/kubeadm/app/constants; cri-api.
 */
import { type Fields, record, records, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM, TOKEN_SECRET_PREFIX } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { refusal } from '../model/finding.js';
import { containersOf, hostPathsIn } from './host-paths.js';

/** A Pod, or what makes Pods. */
export interface MountsSeen {
  /** "Deployment default/a" */
  readonly subject: string;
  /** Secrets that let machines join: "bootstrap-token-a1b2c3". */
  readonly secrets: readonly string[];
  /** Of its machine, where no agent of the cluster needs them. */
  readonly paths: readonly string[];
}

/** Of each kind its Pod: a Deployment has it in a template, a CronJob in that of its Jobs. */
function podOf(object: KubeObject): Fields {
  const spec = record(object.spec);
  const { template } = record(record(spec.jobTemplate).spec);
  if (template !== undefined) return record(template);
  return spec.template === undefined ? { spec } : record(spec.template);
}

const isOfJoining = (name: string): boolean => name === 'kubeadm-certs' || name.startsWith(TOKEN_SECRET_PREFIX);

function secretsIn(pod: Fields): readonly string[] {
  const volumes = records(record(pod.spec).volumes).flatMap(({ secret, projected }) => [
    text(record(secret).secretName),
    ...records(record(projected).sources).map((source) => text(record(source.secret).name)),
  ]);
  const variables = containersOf(pod).flatMap(({ env, envFrom }) => [
    ...records(env).map(({ valueFrom }) => text(record(record(valueFrom).secretKeyRef).name)),
    ...records(envFrom).map(({ secretRef }) => text(record(secretRef).name)),
  ]);
  return [...new Set([...volumes, ...variables].filter(isOfJoining))];
}

/** Keys of the machine, and of the control plane; the folder alone, or what of it is a credential. */
const KEYS =
  /^(?:\/etc\/kubernetes(?:\/pki(?:\/.*\.key|\/etcd)?|\/[a-z-]{1,60}\.conf)?|\/var\/lib\/kubelet\/pki(?:\/.*\.(?:pem|key))?)$/;
/** Who connects there runs what he likes as root, however it is mounted. */
const RUNTIME =
  /^(?:\/var)?\/run\/(?:containerd|crio|docker|cri-dockerd)(?:\.sock|\/(?:containerd|crio|docker)\.sock)$/;

/** What looks at machines for others is on every one of them, or comes and goes. */
const AGENTS = ['DaemonSet', 'Job', 'CronJob', 'Node'];

/**
 * Monitors and scanners read folders of every machine, and may: by a DaemonSet or a Job. What is on one machine because
 * it was told so, and what writes, is no monitor.
 */
function pathsIn(pod: Fields, isAgent: boolean): readonly string[] {
  const found = hostPathsIn(pod).filter(({ path, isWritten }) =>
    isAgent ? isWritten && KEYS.test(path) : KEYS.test(path) || RUNTIME.test(path),
  );
  return [...new Set(found.map(({ path }) => path))];
}

/** Reader; undefined where it is given nothing of the kind. */
export function readMounts(object: KubeObject, kind: string): MountsSeen | undefined {
  const { name = '', namespace = '', ownerReferences = [] } = object.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true)?.kind ?? '';
  const pod = podOf(object);
  const secrets = secretsIn(pod);
  const isAgent = AGENTS.includes(kind) || AGENTS.includes(owner);
  const paths = namespace === KUBE_SYSTEM ? [] : pathsIn(pod, isAgent);
  return secrets.length + paths.length === 0 ? undefined : { subject: `${kind} ${namespace}/${name}`, secrets, paths };
}

interface Mounts {
  readonly mounts: readonly MountsSeen[];
  /** How many Pods and makers of Pods there are. */
  readonly seen: number;
}

const judged = ({ mounts, seen }: Mounts, demanded: string, of: 'secrets' | 'paths') => {
  const found = mounts.filter((one) => one[of].length > 0);
  return found.length === 0
    ? [refusal({ subject: 'Pods', demanded, seen: `none of ${seen} is`, ok: true })]
    : found.map((one) => refusal({ subject: one.subject, demanded, seen: one[of].slice(0, 5).join(', '), ok: false }));
};

/** Nobody but kubeadm reads them, on a machine. */
export const noJoiningSecrets: Check<Mounts> = {
  id: 'pod-mounts/secrets',
  source: '001, the parts of a token; cmd/kubeadm/app/phases/copycerts/copycerts.go',
  judge: (mounts) => judged(mounts, 'is given no Secret that lets machines join', 'secrets'),
};

export const noMachineKeys: Check<Mounts> = {
  id: 'pod-mounts/machine',
  source: 'kubernetes.io, Pod security standards; PKI certificates and requirements',
  judge: (mounts) => judged(mounts, 'is given neither keys nor the container runtime of its machine', 'paths'),
};
