/** Judgement calls of kubeadm's preflight, each of which defaults to what upstream does. */
import { atRelease, inRelease, type Release } from '../release.js';
import type { Level } from './outcome.js';
import * as versions from './versions.js';

/** An address family of the cluster. */
export type Family = 4 | 6;

export const preflightDecisions = {
  /** Ports of a control plane beside that of the API server: scheduler, controller manager. */
  controlPlanePorts: (): readonly number[] => [10_259, 10_257],

  /** Ports of an etcd that kubeadm runs: for clients, for peers. */
  etcdPorts: (): readonly number[] => [2379, 2380],

  kubeletPort: (): number => 10_250,

  /** Components whose manifest must not be there. */
  manifests: (): readonly string[] => ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'],

  /** Files below /etc/kubernetes that hinder a join, and whether the file of the CA does. */
  absentForJoin: (): readonly string[] => ['kubelet.conf', 'bootstrap-kubelet.conf'],
  caMustBeAbsent: (isControlPlane: boolean): boolean => !isControlPlane,

  /** Programs that are looked for, in order. `cluster`: its minor; undefined where it is not known. */
  commands: (release: Release, cluster: number | undefined): readonly versions.Command[] =>
    versions.COMMANDS.filter(
      ({ span, gone, clusters }) =>
        inRelease(release, span) &&
        (gone === undefined || !inRelease(release, gone)) &&
        (clusters === undefined || (cluster !== undefined && cluster <= clusters)),
    ),

  /** Whether Docker is the container runtime, and is checked as such. */
  isDocker: (release: Release, socket: string): boolean =>
    inRelease(release, versions.DOCKER) && socket === versions.DOCKER_SOCKET,

  /** What is said where the machine swaps. */
  swap: (release: Release): { readonly level: Level; readonly message: string } | undefined =>
    atRelease(release, versions.SWAP),

  /** Whether a kernel is supported, and how grave it is where not. */
  kernelIsSupported: (release: Release, kernel: string): boolean =>
    atRelease(release, versions.KERNELS)?.supported.some((pattern) => pattern.test(kernel)) === true,
  kernelLevel: (release: Release): Level => atRelease(release, versions.KERNELS)?.level ?? 'error',

  /** Control groups that must be there. */
  requiredCgroups: (version: versions.CgroupVersion): readonly string[] => versions.CGROUPS[version].required,

  /** How grave version 1 of control groups is for a kubelet of this minor. */
  cgroups1Level: (kubelet: number | undefined): Level =>
    kubelet !== undefined && kubelet >= versions.KUBELET_FAILS_ON_CGROUPS_1 ? 'error' : 'warning',

  /** The oldest minor of a kubelet. */
  oldestKubelet: (release: Release): number => release.minor - (atRelease(release, versions.KUBELET_SKEW) ?? 0),

  /** Whether a kubelet is too new for its control plane. */
  kubeletIsTooNew: (kubelet: number, controlPlane: number): boolean => kubelet > controlPlane,

  /** Whether a cluster is newer than kubeadm can know. */
  clusterIsTooNew: (cluster: number, kubeadm: number): boolean => cluster > kubeadm,

  oldestEtcd: (release: Release): string => atRelease(release, versions.OLDEST_ETCD) ?? '',

  /** Files of the kernel that must begin with 1, for the address families of the cluster. */
  forwarding: (release: Release, families: readonly Family[]): readonly string[] =>
    families.flatMap((family) => [
      ...(inRelease(release, versions.BRIDGES) ? [versions.FORWARDING[family].bridge] : []),
      versions.FORWARDING[family].forward,
    ]),

  /** The service of the kubelet, as its check is named. */
  serviceName: (release: Release, service: string): string =>
    inRelease(release, versions.SERVICE_TITLED)
      ? `Service-${service.slice(0, 1).toUpperCase()}${service.slice(1)}`
      : `Service-${service}`,

  /** Whether errors of a check are to be warnings. `ignored`: names in lower case. */
  isIgnored: (check: string, ignored: ReadonlySet<string>): boolean =>
    ignored.has('all') || ignored.has(check.toLowerCase()),

  /** Names that are ignored, of the flag and of the configuration. Source: validation.go ValidateIgnorePreflightErrors. */
  allIgnored: (told: readonly string[], configured: readonly string[]): readonly string[] => [...told, ...configured],

  /** Why these names cannot be given together; undefined: they can. */
  ignoredProblem: (ignored: ReadonlySet<string>): string | undefined =>
    ignored.has('all') && ignored.size > 1
      ? `ignore-preflight-errors: Invalid value: ${JSON.stringify([...ignored].sort().join(','))}: ` +
        "don't specify individual checks if 'all' is used"
      : undefined,

  /** Whether a machine is looked at all the same where what kubeadm is told is refused. */
  looksAtRefused: (): boolean => false,

  /** Whether the phase of the checks goes on to what comes after them. */
  phaseGoesOn: (): boolean => false,

  /** Whether the machine is looked at before it is changed. */
  looksBeforeItWrites: (): boolean => true,
};
export type PreflightDecisions = typeof preflightDecisions;
