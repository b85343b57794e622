/**
 * The command lines of a control plane's components, one row for each flag.
 * Source: cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go.
 */
import { argumentOf, type ControlPlaneComponent } from './components.js';
import { type Configuration, type ExternalEtcd, hostPort, serviceAccountIssuer } from './configuration.js';
import { inRelease, type Release, type ReleaseSpan } from './release.js';

/**
 * What the flags say beyond kubeadm's defaults: by component, name → value; a list: the flag stands once for each;
 * undefined takes a default away.
 */
export type ExtraArgs = Partial<
  Record<ControlPlaneComponent, Readonly<Record<string, string | readonly string[] | undefined>>>
>;

/** undefined: the flag is left out. */
type Value = (configuration: Configuration) => string | undefined;
interface FlagRow {
  readonly name: string;
  readonly value: string | Value;
  /** The releases that write it; default all. */
  readonly span?: ReleaseSpan;
}

/** Of the family of an address. */
export const loopback = (advertised: string): string => (advertised.includes(':') ? '::1' : '127.0.0.1');
const url = (host: string, port: number): string => `https://${hostPort(host, port)}`;
const client: Value = ({ advertiseAddress }) => url(advertiseAddress, 2379);
const peer: Value = ({ advertiseAddress }) => url(advertiseAddress, 2380);
const local: Value = ({ advertiseAddress }) => url(loopback(advertiseAddress), 2379);

/** A file below the folder of certificates. */
export const inPki =
  (file: string) =>
  ({ certificatesDir }: Pick<Configuration, 'certificatesDir'>): string =>
    `${certificatesDir}/${file}`;
/** A kubeconfig. */
export const confOf =
  (name: string) =>
  ({ kubernetesDir }: Pick<Configuration, 'kubernetesDir'>): string =>
    `${kubernetesDir}/${name}.conf`;

const ca = inPki('ca.crt');
const caKey = inPki('ca.key');
const frontProxyCa = inPki('front-proxy-ca.crt');
const etcdCa = inPki('etcd/ca.crt');
/** Only where there is a Pod subnet. */
const withPods =
  (value: string | Value): Value =>
  (configuration) =>
    configuration.podSubnet === undefined ? undefined : resolved(value, configuration);
const resolved = (value: string | Value, configuration: Configuration): string | undefined =>
  typeof value === 'string' ? value : value(configuration);

/** Of etcd's files: kubeadm's own, or those of an etcd elsewhere; '' is left out. */
const etcdFile =
  (own: string, elsewhere: (etcd: ExternalEtcd) => string): Value =>
  (told) =>
    told.externalEtcd === undefined ? inPki(own)(told) : elsewhere(told.externalEtcd) || undefined;

/** Without structured authorization. Source: manifests.go getAPIServerCommand. */
const authorizationMode: Value = ({ components }) =>
  argumentOf(components['kube-apiserver'], 'authorization-config') === undefined ? 'Node,RBAC' : undefined;

const etcdServers: Value = (told) =>
  told.externalEtcd?.endpoints.join(',') ?? argumentOf(told.components.etcd, 'advertise-client-urls') ?? local(told);

/** etcd 3.6 and later, which kubeadm deploys since 1.34, have no experimental flags. */
const ETCD_36: ReleaseSpan = { since: 34 };
const ETCD_35: ReleaseSpan = { until: 33 };

/** Controllers that kubeadm turns on, and those that are turned off by name. */
export const controllersFlag = (off: readonly string[] = []): string =>
  [
    '*',
    ...['bootstrapsigner', 'tokencleaner'].filter((name) => !off.includes(name)),
    ...off.filter((name) => name.startsWith('csr')).map((name) => `-${name}`),
  ].join(',');

const FLAGS: Readonly<Record<ControlPlaneComponent, readonly FlagRow[]>> = {
  'kube-apiserver': [
    { name: 'advertise-address', value: ({ advertiseAddress }) => advertiseAddress },
    { name: 'allow-privileged', value: 'true' },
    { name: 'authorization-mode', value: authorizationMode },
    { name: 'client-ca-file', value: ca },
    { name: 'enable-admission-plugins', value: 'NodeRestriction' },
    { name: 'enable-bootstrap-token-auth', value: 'true' },
    { name: 'etcd-cafile', value: etcdFile('etcd/ca.crt', ({ caFile }) => caFile) },
    { name: 'etcd-certfile', value: etcdFile('apiserver-etcd-client.crt', ({ certFile }) => certFile) },
    { name: 'etcd-keyfile', value: etcdFile('apiserver-etcd-client.key', ({ keyFile }) => keyFile) },
    { name: 'etcd-servers', value: etcdServers },
    { name: 'kubelet-client-certificate', value: inPki('apiserver-kubelet-client.crt') },
    { name: 'kubelet-client-key', value: inPki('apiserver-kubelet-client.key') },
    { name: 'kubelet-preferred-address-types', value: 'InternalIP,ExternalIP,Hostname' },
    { name: 'proxy-client-cert-file', value: inPki('front-proxy-client.crt') },
    { name: 'proxy-client-key-file', value: inPki('front-proxy-client.key') },
    { name: 'requestheader-allowed-names', value: 'front-proxy-client' },
    { name: 'requestheader-client-ca-file', value: frontProxyCa },
    { name: 'requestheader-extra-headers-prefix', value: 'X-Remote-Extra-' },
    { name: 'requestheader-group-headers', value: 'X-Remote-Group' },
    { name: 'requestheader-username-headers', value: 'X-Remote-User' },
    { name: 'secure-port', value: ({ bindPort }) => String(bindPort) },
    { name: 'service-account-issuer', value: serviceAccountIssuer },
    { name: 'service-account-key-file', value: inPki('sa.pub') },
    { name: 'service-account-signing-key-file', value: inPki('sa.key') },
    { name: 'service-cluster-ip-range', value: ({ serviceSubnet }) => serviceSubnet },
    { name: 'tls-cert-file', value: inPki('apiserver.crt') },
    { name: 'tls-private-key-file', value: inPki('apiserver.key') },
  ],
  'kube-controller-manager': [
    { name: 'allocate-node-cidrs', value: withPods('true') },
    { name: 'authentication-kubeconfig', value: confOf('controller-manager') },
    { name: 'authorization-kubeconfig', value: confOf('controller-manager') },
    { name: 'bind-address', value: '127.0.0.1' },
    { name: 'client-ca-file', value: ca },
    { name: 'cluster-cidr', value: withPods(({ podSubnet }) => podSubnet) },
    { name: 'cluster-name', value: ({ clusterName }) => clusterName || undefined },
    { name: 'cluster-signing-cert-file', value: (told) => (told.externalCa ? '' : ca(told)) },
    { name: 'cluster-signing-key-file', value: (told) => (told.externalCa ? '' : caKey(told)) },
    { name: 'controllers', value: controllersFlag() },
    { name: 'kubeconfig', value: confOf('controller-manager') },
    { name: 'leader-elect', value: 'true' },
    { name: 'requestheader-client-ca-file', value: frontProxyCa },
    { name: 'root-ca-file', value: ca },
    { name: 'service-account-private-key-file', value: inPki('sa.key') },
    { name: 'service-cluster-ip-range', value: withPods(({ serviceSubnet }) => serviceSubnet) },
    { name: 'use-service-account-credentials', value: 'true' },
  ],
  'kube-scheduler': [
    { name: 'authentication-kubeconfig', value: confOf('scheduler') },
    { name: 'authorization-kubeconfig', value: confOf('scheduler') },
    { name: 'bind-address', value: '127.0.0.1' },
    { name: 'kubeconfig', value: confOf('scheduler') },
    { name: 'leader-elect', value: 'true' },
  ],
  etcd: [
    { name: 'advertise-client-urls', value: client },
    { name: 'cert-file', value: inPki('etcd/server.crt') },
    { name: 'client-cert-auth', value: 'true' },
    { name: 'data-dir', value: ({ etcdDataDir }) => etcdDataDir },
    { name: 'experimental-initial-corrupt-check', value: 'true', span: ETCD_35 },
    { name: 'experimental-watch-progress-notify-interval', value: '5s', span: ETCD_35 },
    { name: 'feature-gates', value: 'InitialCorruptCheck=true', span: ETCD_36 },
    { name: 'initial-advertise-peer-urls', value: peer },
    { name: 'initial-cluster', value: (told) => `${told.nodeName}=${peer(told)}` },
    { name: 'key-file', value: inPki('etcd/server.key') },
    { name: 'listen-client-urls', value: (told) => `${local(told)},${client(told)}` },
    {
      name: 'listen-metrics-urls',
      value: ({ advertiseAddress }) => `http://${hostPort(loopback(advertiseAddress), 2381)}`,
    },
    { name: 'listen-peer-urls', value: peer },
    { name: 'name', value: ({ nodeName }) => nodeName },
    { name: 'peer-cert-file', value: inPki('etcd/peer.crt') },
    { name: 'peer-client-cert-auth', value: 'true' },
    { name: 'peer-key-file', value: inPki('etcd/peer.key') },
    { name: 'peer-trusted-ca-file', value: etcdCa },
    { name: 'snapshot-count', value: '10000' },
    { name: 'trusted-ca-file', value: etcdCa },
    { name: 'watch-progress-notify-interval', value: '5s', span: ETCD_36 },
  ],
};

/** Releases that leave the user's own behind the defaults, in the user's order; before they were sorted in. */
const IN_USERS_ORDER: ReleaseSpan = { since: 32 };

const before = ([a, one]: readonly string[], [b, other]: readonly string[]): number =>
  a === b ? Number((one ?? '') > (other ?? '')) - Number((one ?? '') < (other ?? '')) : (a ?? '') < (b ?? '') ? -1 : 1;

/**
 * Arguments in kubeadm's order: defaults by name, what is overridden taken away, then the user's own, a repeated name
 * repeated. Source: util/arguments.go ArgumentsToCommand.
 */
export function mergedArguments(
  defaults: readonly (readonly [string, string])[],
  own: readonly (readonly [string, string | undefined])[],
  release: Release,
): readonly string[] {
  const overridden = new Set(own.map(([name]) => name));
  const given = own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const kept = defaults.filter(([name]) => !overridden.has(name)).sort(before);
  const all = inRelease(release, IN_USERS_ORDER) ? [...kept, ...given] : [...kept, ...given].sort(before);
  return all.map(([name, value]) => `--${name}=${value}`);
}

/** The command line of a component without its name. `extra` comes behind what the configuration adds. */
export function argumentsOf(
  component: ControlPlaneComponent,
  configuration: Configuration,
  extra: ExtraArgs = {},
): readonly string[] {
  const { release, components } = configuration;
  const own = [
    ...(components[component]?.extraArgs ?? []),
    ...Object.entries(extra[component] ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as const),
    ),
  ];
  const defaults = FLAGS[component]
    .filter(({ span = {} }) => inRelease(release, span))
    .flatMap(({ name, value }) => {
      const written = resolved(value, configuration);
      return written === undefined ? [] : [[name, written] as const];
    });
  return mergedArguments(defaults, own, release);
}
