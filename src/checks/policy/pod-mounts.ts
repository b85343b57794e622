/**
 * What Pods are given of what lets machines join: Secrets of tokens and of control planes, folders of keys, and the
 * sockets by which their machine runs containers.
 * Source: k8s.io/api/core/v1 types.go; cmd/kubeadm/app/constants; cri-api.
 */
import { posix } from 'node:path';
import { CONTROLLER_ACCOUNTS } from '../../kubernetes/component-names.js';
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import { KUBE_SYSTEM, TOKEN_SECRET_PREFIX } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { isOfSystem } from '../admission/system-namespaces.js';
import { containersOf, hostPathsIn } from './host-paths.js';

/** A Pod, or what makes Pods. */
export interface MountsSeen {
  /** "Deployment default/a" */
  readonly subject: string;
  /** Secrets that let machines join: "bootstrap-token-a1b2c3". */
  readonly secrets: readonly string[];
  /** Of its machine, where no agent of the cluster needs them. */
  readonly paths: readonly string[];
  /** The account of a controller that it runs as; '' where it is another. */
  readonly account: string;
}

/** Of each kind its Pod: a Deployment has it in a template, a CronJob in that of its Jobs. */
export function podOf(object: KubeObject): Fields {
  const spec = record(object.spec);
  const { template } = record(record(spec.jobTemplate).spec);
  if (template !== undefined) return record(template);
  return spec.template === undefined ? { spec } : record(spec.template);
}

const isOfJoining = (name: string): boolean => name === 'kubeadm-certs' || name.startsWith(TOKEN_SECRET_PREFIX);

function secretsIn(pod: Fields): readonly string[] {
  const volumes = records(record(pod.spec).volumes).flatMap(({ secret, projected, csi }) => [
    text(record(secret).secretName),
    text(record(record(csi).nodePublishSecretRef).name),
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

/** Folders with keys in them, those of etcd, and what kubelet and runtime obey. */
const WIDE =
  /^\/(?:etc(?:\/kubernetes\/manifests)?|var(?:\/lib)?|var\/lib\/(?:etcd|kubelet|kubelet\/pods)|root|(?:root|home\/[^/]{1,60})\/\.kube(?:\/config)?|(?:var\/)?run(?:\/(?:containerd|crio))?)?$/;

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

/** Whoever claims a volume is given what it is of, whatever his namespace lets Pods mount. */
function ofVolume({ metadata, spec }: KubeObject, kind: string): MountsSeen | undefined {
  const { hostPath, local } = record(spec);
  const written = text(record(hostPath).path) || text(record(local).path);
  const path = written === '' ? '' : posix.resolve('/', written);
  if (!(KEYS.test(path) || WIDE.test(path) || RUNTIME.test(path))) return undefined;
  return { subject: `${kind} ${metadata.name ?? ''}`, secrets: [], paths: [path], account: '' };
}

/** What kubectl debug leaves on a machine is an administrator's, and says so. */
const DEBUGS = 'kubectl-debug';
const WORKLOADS = ['', resources.replicaSets.kind, 'Deployment', 'StatefulSet', 'ReplicationController'];

/** Who is root and sees the processes of a machine enters them. */
function processesIn(pod: Fields): readonly string[] {
  const isRoot = containersOf(pod).some(({ securityContext }) => record(securityContext).privileged === true);
  return isRoot && record(pod.spec).hostPID === true ? ['the processes of its machine, as root'] : [];
}

/** Reader; undefined where it is given nothing of the kind. */
export function readMounts(object: KubeObject, kind: string): MountsSeen | undefined {
  if (kind === resources.persistentVolumes.kind) return ofVolume(object, kind);
  const { name = '', namespace = '', ownerReferences = [], labels } = object.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true)?.kind ?? '';
  // whoever owns it is told, or has been another before
  if (kind === resources.replicaSets.kind && owner !== '') return undefined;
  const pod = podOf(object);
  const secrets = secretsIn(pod);
  const isAgent = AGENTS.includes(kind) || AGENTS.includes(owner);
  const isTold = labels?.['app.kubernetes.io/managed-by'] === DEBUGS;
  const isTeams = !(isAgent || isTold || isOfSystem(namespace)) && WORKLOADS.includes(owner);
  const wide = isTeams
    ? [...hostPathsIn(pod).flatMap(({ path }) => (WIDE.test(path) ? [path] : [])), ...processesIn(pod)]
    : [];
  const paths = namespace === KUBE_SYSTEM ? [] : [...new Set([...pathsIn(pod, isAgent), ...wide])];
  const account = namespace === KUBE_SYSTEM ? controllerOf(pod) : '';
  if (secrets.length + paths.length === 0 && account === '') return undefined;
  return { subject: `${kind} ${namespace}/${name}`, secrets, paths, account };
}

/** Accounts of kube-controller-manager are no Pod's: it asks for their tokens itself. */
function controllerOf(pod: Fields): string {
  const { serviceAccountName, serviceAccount } = record(pod.spec);
  const name = text(serviceAccountName) || text(serviceAccount);
  return Object.hasOwn(CONTROLLER_ACCOUNTS, name) ? name : '';
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

/** Who gets into such a Pod is the controller. */
export const noControllers: Check<Mounts> = {
  id: 'pod-mounts/controllers',
  source: 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go; controller-manager/pkg/clientbuilder',
  judge: ({ mounts, seen }) => {
    const demanded = 'runs as no controller of kube-controller-manager';
    const found = mounts.filter(({ account }) => account !== '');
    if (found.length === 0) return [refusal({ subject: 'Pods', demanded, seen: `none of ${seen} does`, ok: true })];
    return found.map(({ subject, account }) =>
      refusal({ subject, demanded, seen: `it runs as ${account}`, ok: false }),
    );
  },
};

export const noMachineKeys: Check<Mounts> = {
  id: 'pod-mounts/machine',
  source: 'kubernetes.io, Pod security standards; PKI certificates and requirements',
  judge: (mounts) => judged(mounts, 'is given neither keys nor the container runtime of its machine', 'paths'),
};
