/** Flags of one program, or of two of a machine, that do not go together: it does not start, or serves nobody. */

import type { Check } from '../../model/check.js';
import { isGoUrl, isSuite, secondsOf } from '../written/flag-values.js';
import { endingApiServer } from './api-server-values.js';
import { endingComponent } from './component-values.js';
import { endingEtcd } from './etcd-values.js';
import type { Seen } from './node-files.js';
import { inFlags, isTrue, SIGNERS } from './node-flags.js';
import { componentOf } from './node-pods.js';

type Flags = Readonly<Record<string, string>>;

const listOf = (value: string | undefined): readonly string[] => (value ?? '').split(',').filter((one) => one !== '');
/** What is odd, as long as a sentence stays one. */
export const shownOf = (odd: readonly string[], otherwise: string): string =>
  odd.slice(0, 4).join('; ').slice(0, 240) || otherwise;
const isSet = (flags: Flags, name: string): boolean => (flags[name] ?? '') !== '';
export const familyOf = (subnet: string): 4 | 6 => (subnet.includes(':') ? 6 : 4);

/** Bits of the part of such a range that each node gets. Source: cmd/kube-controller-manager/app/core.go. */
export const maskOf = (flags: Flags, family: 4 | 6): string =>
  flags[`node-cidr-mask-size-ipv${family}`] ?? flags['node-cidr-mask-size'] ?? (family === 4 ? '24' : '64');
const lengthOf = (subnet: string): number => Number(subnet.slice(subnet.indexOf('/') + 1));
/**
 * Of fewer than eight addresses, of which those of the network, its bridge and its broadcast are taken: a machine comes
 * with several Pods.
 */
export const isNarrow = (subnet: string): boolean => lengthOf(subnet) > (familyOf(subnet) === 4 ? 29 : 125);

/** Least and greatest port of "30000-32767" and "30000+2767"; undefined where it is none. */
function portsOf(range: string): readonly [number, number] | undefined {
  const [, first = '', sign, second] = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(range.trim()) ?? [];
  if (first === '') return undefined;
  const from = Number(first);
  const to = sign === undefined ? from : sign === '+' ? from + Number(second) : Number(second);
  return from <= to && to <= 65_535 ? [from, to] : undefined;
}

/** Ports of a control plane that no Service may take. Source: kubeadm, ports and protocols. */
const TAKEN = [2379, 2380, 10_250, 10_257, 10_259];

function oddPorts({ 'service-node-port-range': range = '', 'secure-port': port = '6443' }: Flags): readonly string[] {
  if (range === '') return [];
  const read = portsOf(range);
  if (read === undefined) return [`--service-node-port-range=${range}: it is no range`];
  const taken = [...TAKEN, Number(port)].filter((one) => one >= read[0] && one <= read[1]);
  return taken.length === 0 ? [] : [`--service-node-port-range=${range}: ${taken.join(', ')} are taken`];
}

function oddIssuers(flags: Flags): readonly string[] {
  const { 'service-account-issuer': issuer = '', 'service-account-jwks-uri': keys = '' } = flags;
  const isUrl = /^https?:\/\/[^\s/]/.test(issuer) && isGoUrl(issuer);
  return [
    ...(/^\S*$/.test(issuer) && (!issuer.includes(':') || isUrl) ? [] : ['--service-account-issuer is no URL']),
    ...(keys === '' || keys.startsWith('https://') ? [] : ['--service-account-jwks-uri is not of https']),
  ];
}

function oddEtcdServers({ 'etcd-servers': servers, ...flags }: Flags): readonly string[] {
  const schemes = new Set(listOf(servers).map((url) => url.slice(0, url.indexOf(':'))));
  const odd = schemes.has('http') && isSet(flags, 'etcd-cafile');
  return odd ? ['--etcd-servers without TLS, though there is an authority for it'] : [];
}

/**
 * Each family of the addresses of Pods is one of services, and each range is larger than that of a node, which has more
 * addresses than those of its network, its bridge and a Pod.
 */
function oddRanges(flags: Flags): readonly string[] {
  const { 'cluster-cidr': pods, 'service-cluster-ip-range': services } = flags;
  if (!isTrue(flags['allocate-node-cidrs'])) return [];
  const families = listOf(services).map(familyOf);
  const [first, second] = listOf(pods);
  const isAlike = first !== undefined && second !== undefined && familyOf(first) === familyOf(second);
  // one family of services is enough for Pods of two
  const isServed = families.length === 0 || listOf(pods).some((subnet) => families.includes(familyOf(subnet)));
  const ranges = listOf(pods).flatMap((subnet) => {
    const family = familyOf(subnet);
    const mask = Number(maskOf(flags, family));
    const length = lengthOf(subnet);
    if (!isServed) return [`${subnet} is of another family than services`];
    const isGiven = mask >= length && mask - length <= 16 && !isNarrow(subnet.replace(/\/.*/, `/${mask}`));
    return isGiven ? [] : [`nodes get /${mask} of ${subnet}`];
  });
  const masks = oddMasks(flags);
  return masks.length > 0 ? masks : [...ranges, ...(isAlike ? [`${first} and ${second} are of one family`] : [])];
}

/** The size of a node's range is told for both families, or for each. Source: app/core.go setNodeCIDRMaskSizes. */
function oddMasks({ 'cluster-cidr': pods, 'node-cidr-mask-size': mask = '0', ...flags }: Flags): readonly string[] {
  const families = listOf(pods).map(familyOf);
  const own = ([4, 6] as const).filter((family) => (flags[`node-cidr-mask-size-ipv${family}`] ?? '0') !== '0');
  const [foreign] = own.filter((family) => families.length > 0 && !families.includes(family));
  if (mask !== '0' && families.length > 1) return ['--node-cidr-mask-size with two ranges'];
  if (mask !== '0' && own.length > 0) return [`--node-cidr-mask-size beside --node-cidr-mask-size-ipv${own[0]}`];
  return foreign === undefined ? [] : [`--node-cidr-mask-size-ipv${foreign} without a range of it`];
}

/** Clouds give out ranges by programs of their own. Source: pkg/controller/nodeipam/ipam. */
const oddAllocator = ({ 'cidr-allocator-type': type = '' }: Flags): readonly string[] =>
  type === '' || type === 'RangeAllocator' ? [] : [`--cidr-allocator-type=${type.slice(0, 40)}`];

/** Periods of which it ends where they are none. */
const TICKS = ['horizontal-pod-autoscaler-sync-period', 'legacy-service-account-token-clean-up-period'];
const oddTicks = (flags: Flags): readonly string[] =>
  TICKS.filter((name) => (secondsOf(flags[name] ?? '1s') ?? 0) === 0).map((name) => `--${name}=${flags[name]}`);

const OWN_SIGNERS = SIGNERS.flatMap((signer) => [
  `cluster-signing-${signer}-cert-file`,
  `cluster-signing-${signer}-key-file`,
]);

function oddSigners(flags: Flags): readonly string[] {
  const own = OWN_SIGNERS.filter((name) => isSet(flags, name));
  const common = ['cluster-signing-cert-file', 'cluster-signing-key-file'].some((name) => isSet(flags, name));
  const halves = own.filter((name) => {
    const other = name.endsWith('-cert-file') ? name.replace('-cert-', '-key-') : name.replace('-key-', '-cert-');
    return !isSet(flags, other);
  });
  return [
    ...(common ? own.map((name) => `--${name} beside --cluster-signing-cert-file`) : []),
    ...(common ? [] : halves.map((name) => `--${name} without its half`)),
  ];
}

/** A leader renews before its lease is over. Source: client-go tools/leaderelection NewLeaderElector. */
function oddElection(flags: Flags): readonly string[] {
  if (flags['leader-elect'] !== undefined && !isTrue(flags['leader-elect'])) return [];
  const { 'leader-elect-resource-lock': lock = 'leases' } = flags;
  if (lock !== 'leases') return [`--leader-elect-resource-lock=${lock.slice(0, 40)}`];
  const of = (name: string, otherwise: number): number => secondsOf(flags[`leader-elect-${name}`] ?? '') ?? otherwise;
  const [lease, renew, retry] = [of('lease-duration', 15), of('renew-deadline', 10), of('retry-period', 2)];
  return lease > renew && renew > retry * 1.2 && retry > 0
    ? []
    : [`leases of ${lease} s are renewed within ${renew} s, every ${retry} s`];
}

const oddSuites = (flags: Flags): readonly string[] =>
  listOf(flags['tls-cipher-suites'])
    .filter((suite) => !isSuite(suite.trim()))
    .map((suite) => `--tls-cipher-suites=${suite.slice(0, 40)}`);

/** Source: apiserver pkg/server/options/serving.go, "missing filename for serving cert". */
const oddServing = (flags: Flags): readonly string[] =>
  isSet(flags, 'tls-cert-file') === isSet(flags, 'tls-private-key-file')
    ? []
    : ['--tls-cert-file and --tls-private-key-file go together'];

const WITHOUT_WORKERS = /^concurrent-.*-syncs$/;
const oddWorkers = (flags: Flags): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) =>
    WITHOUT_WORKERS.test(name) && /^(?:0|-\d+)$/.test(value) ? [`--${name}=${value}: nobody does its work`] : [],
  );

/** Source: cmd/kube-controller-manager/app/options/attachdetachcontroller.go Validate. */
function oddReconciler({ 'attach-detach-reconcile-sync-period': period = '' }: Flags): readonly string[] {
  return (secondsOf(period) ?? 1) < 1 ? [`--attach-detach-reconcile-sync-period=${period}`] : [];
}

/** Without a certificate of its own it makes one there, and ends where it cannot. */
const oddFolder = (flags: Flags): readonly string[] =>
  /^\/(?:proc|sys)(?:\/|$)/.test(flags['cert-dir'] ?? '') && !isSet(flags, 'tls-cert-file')
    ? [`--cert-dir=${flags['cert-dir']?.slice(0, 60)}: nothing can be written there`]
    : [];

const ofScheduler = ({ 'leader-elect-resource-name': name = 'kube-scheduler' }: Flags): readonly string[] =>
  name === 'kube-controller-manager' ? ['the lease of the controller manager'] : [];

/** Since then kubeadm brings etcd 3.6, which has left its second store. */
const WITHOUT_V2 = 34;
function oddStore({ 'v2-deprecation': told = '' }: Flags, minor: number | null): readonly string[] {
  const isGone = told === 'not-yet' && (minor ?? 0) >= WITHOUT_V2;
  return told !== '' && (isGone || !/^(?:not-yet|write-only|write-only-drop-data|gone)$/.test(told))
    ? [`--v2-deprecation=${told.slice(0, 40)}`]
    : [];
}

type Odd = (flags: Flags, minor: number | null) => readonly string[];
const ODD: Readonly<Record<string, readonly Odd[]>> = {
  'kube-apiserver': [oddPorts, oddIssuers, oddEtcdServers, oddSuites, endingApiServer, endingComponent],
  'kube-controller-manager': [
    oddRanges,
    oddAllocator,
    oddTicks,
    oddSigners,
    oddElection,
    oddWorkers,
    oddReconciler,
    oddSuites,
    oddServing,
    oddFolder,
    endingComponent,
  ],
  'kube-scheduler': [oddElection, ofScheduler, oddSuites, oddServing, oddFolder, endingComponent],
  etcd: [endingEtcd, oddStore],
};

/** Which flags of a program do not go together, in words; `minor`: of Kubernetes, null where nobody says it. */
export const oddFlags = (program: string, flags: Flags, minor: number | null = null): readonly string[] =>
  (ODD[program] ?? []).flatMap((of) => of(flags, minor));

/** Flags of a program go together. */
export const flagsGoTogether: Check<readonly Seen[], { readonly minor: number | null } | undefined> = {
  id: 'node-relations/go-together',
  source: 'Validate of the options of each program; client-go leaderelection; etcd embed/config.go',
  judge: (all, parameters) =>
    all.map((seen) =>
      inFlags(seen, 'its flags go together', (flags) => {
        const odd = oddFlags(componentOf(seen.path), flags, parameters?.minor);
        return { seen: shownOf(odd, 'they do'), ok: odd.length === 0 };
      }),
    ),
};

/** Files below /etc/kubernetes that flags name are there. `files`: paths of the disk. */
export const namedFilesThere: Check<
  readonly Seen[],
  { readonly files: readonly string[]; readonly below: string; readonly ofEtcd: boolean }
> = {
  id: 'node-relations/named-files-there',
  source: '002, static Pod manifests',
  judge: (all, { files, below, ofEtcd }) =>
    all.map((seen) =>
      inFlags(seen, `what its flags name below ${below} is there`, (flags) => {
        // what an etcd elsewhere is asked with is brought there by hand
        const told = Object.entries(flags).filter(([name]) => ofEtcd || !name.startsWith('etcd-'));
        const named = told.flatMap(([, value]) => value.replace(/:.*/s, '').split(','));
        const missing = named.filter((path) => path.startsWith(`${below}/`) && !files.includes(path));
        return { seen: [...new Set(missing)].slice(0, 4).join(', ') || 'it is', ok: missing.length === 0 };
      }),
    ),
};

/** What the API server verifies a kubelet with, and what the kubelet of its own machine shows. */
export interface ServingSeen {
  readonly api: Seen;
  readonly authority: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly flags: Flags;
}

/** A kubelet whose certificate nobody has signed shows one that it has made itself. */
export const kubeletVerified: Check<ServingSeen> = {
  id: 'node-relations/kubelet-verified',
  source: 'pkg/kubelet/certificate/bootstrap; kube-apiserver --kubelet-certificate-authority',
  nothing: 'the API server does not verify kubelets',
  judge: ({ api, authority, settings, flags: own }) => {
    const told = api.file?.held.kind === 'manifest' ? api.file.held.flags['kubelet-certificate-authority'] : undefined;
    if (told === undefined || told === '') return [];
    const isSigned =
      settings.serverTLSBootstrap === true || isSet(own, 'tls-cert-file') || (settings.tlsCertFile ?? '') !== '';
    return [
      inFlags(api, 'who verifies kubelets has the authority of their certificates', () => ({
        seen: isSigned ? told : `${told}; the kubelet here shows a certificate of its own making`,
        ok: isSigned && (told === authority || !/front-proxy|etcd/.test(told)),
      })),
    ];
  },
};
