/**
 * Files and values that flags of a control plane name and that do not belong together, as Pods show them. Files are
 * judged by the names that kubeadm gives them: of others nothing is known.
 * Source: cmd/kubeadm/app/constants; phases/controlplane/manifests.go.
 */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { isFalse, isTrue } from '../node-files/node-flags.js';
import { hostOf } from '../node-files/node-names.js';
import { familyOf, isNarrow, maskOf, shownOf } from '../node-files/node-relations.js';
import { isLoopback, UNBROKEN, unbroken } from '../node-files/node-weakened.js';
import { type JoiningController, listOf, runsController } from '../written/control-plane-flags.js';
import { secondsOf } from '../written/flag-values.js';
import type { PublishedLine } from './published-flags.js';

type Flags = Readonly<Record<string, string>>;

/** What kubeadm names pairs of a certificate, or public key, and its key. */
const NAMES = [
  'ca',
  'front-proxy-ca',
  'etcd/ca',
  'apiserver',
  'apiserver-kubelet-client',
  'apiserver-etcd-client',
  'front-proxy-client',
  'sa',
];
/** "front-proxy-ca" of "/etc/kubernetes/pki/front-proxy-ca.crt"; undefined where kubeadm has no such name. */
function nameOf(path: string): string | undefined {
  const parts = path.replace(/\.(?:crt|key|pub)$/, '').split('/');
  const last = parts.at(-1) ?? '';
  const name = parts.at(-2) === 'etcd' ? `etcd/${last}` : last;
  return parts.length > 1 && NAMES.includes(name) ? name : undefined;
}

const SIGNERS = ['', 'kubelet-serving-', 'kubelet-client-', 'kube-apiserver-client-', 'legacy-unknown-'];
/** Both halves of a pair. */
const PAIRS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'kube-apiserver': [
    ['tls-cert-file', 'tls-private-key-file'],
    ['kubelet-client-certificate', 'kubelet-client-key'],
    ['proxy-client-cert-file', 'proxy-client-key-file'],
    ['etcd-certfile', 'etcd-keyfile'],
  ],
  'kube-controller-manager': SIGNERS.map((signer) => [
    `cluster-signing-${signer}cert-file`,
    `cluster-signing-${signer}key-file`,
  ]),
};
const oddPairs = (program: string, flags: Flags): readonly string[] =>
  (PAIRS[program] ?? []).flatMap(([certificate, key]) => {
    const [one, other] = [flags[certificate] ?? '', flags[key] ?? ''];
    if ((one === '') !== (other === '')) return [`--${one === '' ? key : certificate} without its half`];
    const [name, keyName] = [nameOf(one), nameOf(other)];
    const differ = name !== undefined && keyName !== undefined && name !== keyName;
    return differ ? [`--${certificate}=${one} and --${key}=${other}`] : [];
  });

/** What each is for, and the names that are for something else. */
const AUTHORITIES: Readonly<Record<string, readonly (readonly [flag: string, others: readonly string[]])[]>> = {
  'kube-apiserver': [
    ['client-ca-file', ['front-proxy-ca', 'etcd/ca']],
    ['kubelet-certificate-authority', ['front-proxy-ca', 'etcd/ca']],
    ['requestheader-client-ca-file', ['etcd/ca']],
  ],
  'kube-controller-manager': [
    ['client-ca-file', ['front-proxy-ca', 'etcd/ca']],
    ['root-ca-file', ['front-proxy-ca', 'etcd/ca']],
    ['requestheader-client-ca-file', ['etcd/ca']],
    ...SIGNERS.map((signer) => [`cluster-signing-${signer}cert-file`, ['front-proxy-ca', 'etcd/ca']] as const),
  ],
};
const oddAuthorities = (program: string, flags: Flags): readonly string[] =>
  (AUTHORITIES[program] ?? []).flatMap(([flag, others]) => {
    const path = flags[flag] ?? '';
    return others.includes(nameOf(path) ?? '') ? [`--${flag}=${path}`] : [];
  });

/** kubeadm has the proxy's certificate signed by an authority of its own, and nobody else is let speak for others by that. */
const oddProxies = (flags: Flags): readonly string[] => {
  const { 'requestheader-client-ca-file': authority = '', 'proxy-client-cert-file': proxy = '' } = flags;
  const isMixed = nameOf(authority) === 'ca' && nameOf(proxy) === 'front-proxy-client';
  return isMixed ? [`--requestheader-client-ca-file=${authority} and --proxy-client-cert-file=${proxy}`] : [];
};

/** Its own key is not that of an authority. */
const oddTokenKeys = (flags: Flags): readonly string[] =>
  ['service-account-private-key-file', 'service-account-signing-key-file', 'service-account-key-file'].flatMap(
    (flag) => {
      const name = nameOf(flags[flag] ?? '');
      return name === undefined || name === 'sa' ? [] : [`--${flag}=${flags[flag]}`];
    },
  );

const MANAGER = 'kube-controller-manager';

/** What flags of a program name that does not belong together, in words. */
export const oddFiles = (program: string, flags: Flags): readonly string[] => [
  ...oddPairs(program, flags),
  ...oddAuthorities(program, flags),
  ...oddProxies(flags),
  ...oddTokenKeys(flags),
];

export const filesBelongTogether: Check<readonly PublishedLine[]> = {
  id: 'published-files/together',
  source: '002, certificates; cmd/kubeadm/app/phases/controlplane/manifests.go',
  judge: (lines) =>
    lines.map(({ subject, program, flags }) => {
      const odd = oddFiles(program, flags);
      return demand({
        subject,
        demanded: 'the files that it is told of belong together, and are for what it takes them for',
        seen: shownOf(odd, 'nothing shows otherwise'),
        ok: odd.length === 0,
      });
    }),
};

/** kubeadm-certs belongs to a token of two hours. Source: cmd/kubeadm/app/phases/copycerts/copycerts.go. */
const KEPT_CERTS = 'kubeadm-certs stays when its token has ended';
/** Controllers without which what has joined is not let be a node, or what joining leaves is not cleaned up. */
const NEEDED: readonly (readonly [JoiningController, why: string])[] = [
  ['csrcleaner', 'requests that nobody decides stay for ever'],
  ['nodelifecycle', 'nodes stay tainted as not ready'],
  ['root-ca-cert-publisher', 'Pods of new nodes do not know the API server'],
  ['serviceaccount', 'Pods have no account to run as'],
  ['daemonset', 'new nodes have neither kube-proxy nor a network of Pods'],
  ['endpointslice', 'Pods of new nodes are behind no Service'],
  ['garbagecollector', KEPT_CERTS],
];

/**
 * Where the controller manager gives each node a part of a range, there is a controller that does, and a part for more
 * than one. Source: cmd/kube-controller-manager/app/core.go startNodeIpamController; pkg/controller/nodeipam.
 */
function oddShares(flags: Flags): readonly string[] {
  const { 'allocate-node-cidrs': allocates = '', 'cluster-cidr': pods = '', controllers = '*' } = flags;
  if (!isTrue(allocates)) return [];
  const lone = listOf(pods).flatMap((range) =>
    range.endsWith(`/${maskOf(flags, familyOf(range))}`)
      ? [`one node alone gets addresses of ${range} for its Pods`]
      : [],
  );
  const narrow = listOf(pods)
    .map((range) => range.replace(/\/.*/, `/${maskOf(flags, familyOf(range))}`))
    .filter(isNarrow);
  return [
    ...narrow.map((part) => `a node gets ${part} for its Pods, which has hardly an address`),
    ...(runsController(controllers, 'nodeipam')
      ? []
      : [`--controllers=${controllers}: new nodes get no addresses for Pods`]),
    ...lone,
  ];
}
/** Longer than ten years, which is how long kubeadm's authority lives. */
const LONGEST = 87_600 * 3600;
/** Kubelets renew their Lease every ten seconds. Source: pkg/kubelet, nodeLeaseDurationSeconds / 4. */
const SHORTEST_GRACE = 10;
/** A machine that is gone keeps its Pods and its addresses for as long. */
const LONGEST_GRACE = 3600;
const OFTEN = 5;

/** When the controller manager takes a node for dead. Source: cmd/kube-controller-manager, node-monitor flags. */
function oddMonitoring(flags: Flags): readonly string[] {
  const { 'node-monitor-grace-period': grace = '', 'node-monitor-period': period = '' } = flags;
  const [until, looks] = [secondsOf(grace), secondsOf(period) ?? OFTEN];
  return [
    ...((until ?? LONGEST_GRACE) <= SHORTEST_GRACE
      ? [`--node-monitor-grace-period=${grace}: nodes are taken for dead between two Leases`]
      : []),
    ...((until ?? 0) > LONGEST_GRACE
      ? [`--node-monitor-grace-period=${grace}: nobody notices that a node is gone`]
      : []),
    ...(looks >= (until ?? OWN_GRACE)
      ? [`--node-monitor-period=${period}: it looks too seldom to see a Lease in time`]
      : []),
  ];
}
/** Until 1.31; ten seconds more since. */
const OWN_GRACE = 40;

/** Of the controller manager: certificates that outlive every authority. */
export function endlessIn({ 'cluster-signing-duration': life = '' }: Flags): readonly string[] {
  return (secondsOf(life) ?? 0) > LONGEST ? [`--cluster-signing-duration=${life}: certificates never end`] : [];
}

/** kubeadm writes down where it has made an API server answer, and asks for it there. */
function oddPlace({ endpoint = '', flags }: PublishedLine): readonly string[] {
  const { 'advertise-address': address = '', 'secure-port': port = '6443' } = flags;
  const own = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return endpoint === '' || address === '' || own === endpoint
    ? []
    : [`it answers at ${own}, and kubeadm has it at ${endpoint.slice(0, 60)}`];
}

/** Admission plugins without which what has joined runs nothing, or too early. Source: pkg/kubeapiserver/options/plugins.go */
const RELIED_ON: Readonly<Record<string, string>> = {
  ServiceAccount: 'Pods of new nodes are given no token',
  TaintNodesByCondition: 'nodes are given Pods before they are ready',
  NamespaceLifecycle: 'what is written into a namespace that ends stays behind',
};

function oddPlugins(flags: Flags): readonly string[] {
  const { 'disable-admission-plugins': off, 'enable-admission-plugins': on } = flags;
  return [
    ...listOf(off).flatMap((name) =>
      Object.hasOwn(RELIED_ON, name) ? [`--disable-admission-plugins=${name}: ${RELIED_ON[name]}`] : [],
    ),
    ...(listOf(on).includes('AlwaysDeny') ? ['--enable-admission-plugins=AlwaysDeny: nobody joins'] : []),
  ];
}

/** What keeps that which joins from becoming a node that works, or is heard by others. */
export function oddValues(program: string, flags: Flags): readonly string[] {
  const { controllers = '*' } = flags;
  const { 'advertise-address': address = '', 'insecure-port': insecure = '0', 'etcd-servers': servers = '' } = flags;
  const plain = servers.split(',').filter((url) => url.startsWith('http://') && !isLoopback(hostOf(url)));
  if (program === MANAGER)
    return [
      ...NEEDED.flatMap(([name, why]) =>
        runsController(controllers, name) ? [] : [`--controllers=${controllers}: ${why}`],
      ),
      ...(isFalse(flags['enable-garbage-collector'] ?? '')
        ? [`--enable-garbage-collector=${flags['enable-garbage-collector']}: ${KEPT_CERTS}`]
        : []),
      ...((flags['root-ca-file'] ?? '') === '' ? ['no --root-ca-file: Pods do not know the API server'] : []),
      ...endlessIn(flags),
      ...oddShares(flags),
      ...oddMonitoring(flags),
    ];
  if (program !== 'kube-apiserver') return [];
  return [
    ...oddPlugins(flags),
    ...(((flags['client-ca-file'] ?? '') === '' && !isFalse(flags['allow-privileged'] ?? '')) ||
    isTrue(flags['allow-privileged'])
      ? []
      : ['without --allow-privileged neither kube-proxy nor a network of Pods runs']),
    ...(isLoopback(address) ? [`--advertise-address=${address}: no other machine reaches it`] : []),
    ...(insecure === '0' ? [] : [`--insecure-port=${insecure}: it answers there without asking who comes`]),
    ...((flags['client-ca-file'] ?? '') !== '' && (flags['kubelet-client-certificate'] ?? '') === ''
      ? ['no --kubelet-client-certificate: kubelets do not let it in']
      : []),
    ...plain.map((url) => `--etcd-servers=${url}: anybody on the way reads Secrets`),
  ];
}

/** It ends where it is to give nodes parts of no range. */
const oddAllocation = (program: string, flags: Flags): readonly string[] =>
  program === MANAGER && isTrue(flags['allocate-node-cidrs']) && (flags['cluster-cidr'] ?? '') === ''
    ? ['--allocate-node-cidrs without --cluster-cidr: it does not start']
    : [];

/** Several that all work undo what another one does. */
const oddElection = (lines: readonly PublishedLine[], program: string, { 'leader-elect': elects = '' }: Flags) =>
  isFalse(elects) && lines.filter((line) => line.program === program).length > 1
    ? [`--leader-elect=${elects}, and there are several`]
    : [];

export const valuesLetJoin: Check<readonly PublishedLine[]> = {
  id: 'published-files/values',
  source: 'cmd/kube-controller-manager/names; pkg/controller; reference of kube-apiserver',
  judge: (lines) =>
    lines.flatMap((line) => {
      const { subject, program, flags } = line;
      const odd = [
        ...oddValues(program, flags),
        ...oddAllocation(program, flags),
        ...oddPlace(line),
        ...oddElection(lines, program, flags),
      ];
      return [
        demand({
          subject,
          demanded: 'what joins becomes a node that works, and nobody listens',
          seen: shownOf(odd, 'nothing shows otherwise'),
          ok: odd.length === 0,
        }),
        demand({
          subject,
          demanded: UNBROKEN,
          ...unbroken(flags['tls-min-version'] ?? '', listOf(flags['tls-cipher-suites'] ?? flags['cipher-suites'])),
        }),
      ];
    }),
};
