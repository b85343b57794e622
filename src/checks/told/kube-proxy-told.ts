/**
 * kube-proxy as kubeadm deploys it: every machine that joins runs it as root, with the kubeconfig of its ConfigMap.
 * Source: cmd/kubeadm/app/phases/addons/proxy/{proxy.go,manifests.go}; pkg/proxy/apis/config/validation.
 */
import { isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { decodedPem } from '../certificates/pem.js';
import { certificatesIn } from '../certificates/x509.js';
import { hostOf, portOf } from '../node-files/node-names.js';
import { isSubnets, shareAddresses } from '../node-files/node-subnets.js';
import { currentContext } from '../written/current-context.js';
import { documentOf } from './machine-configuration.js';
import type { Relied } from './own-services.js';

export interface ProxySeen {
  /** "ConfigMap kube-system/kube-proxy" */
  readonly subject: string;
  readonly demanded: string;
  readonly odd: readonly string[];
}

/** What is known of the API server. */
export interface ServerKnown {
  /** Hosts by which it is known; none: nobody says. */
  readonly hosts: readonly string[];
  /** Where it is known to answer; a host that is not among them is asked for no port. */
  readonly places?: readonly Relied[];
  /** PEM of whom machines believe; '' where nobody says. */
  readonly authorities: string;
  /** Addresses of its Service; none: nobody says. */
  readonly services?: readonly string[];
}

const ON_THE_MACHINE = /^(?:127\.|localhost$|::1$|kubernetes(?:\.default|$))/;
/** Projected or of an old Secret, the account of the Pod. */
const OF_THE_POD = /^(?:\/var)?\/run\/secrets\/kubernetes\.io\/serviceaccount\//;

/** A balancer may answer at several ports of one host: those are known that the cluster itself tells others of. */
function oddPort(server: string, places: ServerKnown['places'] = []): readonly string[] {
  const known = places.filter(({ address }) => address === hostOf(server)).map(({ port }) => port);
  const port = portOf(server);
  return known.length === 0 || ON_THE_MACHINE.test(hostOf(server)) || known.includes(port)
    ? []
    : [`port ${port} of ${hostOf(server)}, where the API server is known at ${[...new Set(known)].join(' and ')}`];
}

function oddServer(server: string, { hosts, places }: ServerKnown): readonly string[] {
  const host = hostOf(server);
  const isKnown = host === '' || hosts.length === 0 || hosts.includes(host) || ON_THE_MACHINE.test(host);
  return [
    ...(server.startsWith('https://') ? oddPort(server, places) : [`server ${server || 'is not set'}`]),
    ...(isKnown ? [] : [`server ${host}, by which nobody knows the API server`]),
  ];
}

function oddCluster(cluster: Readonly<Record<string, unknown>>, known: ServerKnown): readonly string[] {
  const own = new Set(certificatesIn(known.authorities).map((der) => der.toString('base64')));
  const embedded = text(cluster['certificate-authority-data']);
  const foreign =
    embedded !== '' &&
    own.size > 0 &&
    !certificatesIn(decodedPem(embedded)).some((der) => own.has(der.toString('base64')));
  return [
    ...oddServer(text(cluster.server), known),
    ...(cluster['insecure-skip-tls-verify'] === true ? ['insecure-skip-tls-verify'] : []),
    ...(foreign ? ['certificate-authority-data of another cluster'] : []),
    ...(text(cluster['proxy-url']) === '' ? [] : ['proxy-url']),
  ];
}

function oddUser(user: Readonly<Record<string, unknown>>): readonly string[] {
  const given = ['token', 'password', 'client-key-data', 'client-key', 'exec', 'auth-provider'].filter(
    (name) => user[name] !== undefined,
  );
  const file = text(user.tokenFile);
  return [
    ...given.map((name) => `a credential of its own: ${name}`),
    ...(file === '' || OF_THE_POD.test(file) ? [] : [`tokenFile ${file}`]),
    ...(given.length === 0 && file === '' && user['client-certificate'] === undefined ? ['no credential'] : []),
  ];
}

function oddKubeconfig(map: ConfigMap, known: ServerKnown): readonly string[] {
  const config = documentOf(map, 'kubeconfig.conf');
  if (config === undefined && map.data?.['kubeconfig.conf'] === undefined) return ['there is no kubeconfig.conf in it'];
  if (!isRecord(config)) return ['kubeconfig.conf is no mapping in YAML'];
  const { cluster, user } = currentContext(config);
  if (!isRecord(cluster)) return ['kubeconfig.conf has no cluster in its current context'];
  return [...oddCluster(cluster, known), ...oddUser(record(user))].map((odd) => `kubeconfig.conf: ${odd}`);
}

const MODES = ['', 'iptables', 'ipvs', 'nftables', 'kernelspace'];
/** Minor until which it was one. */
const USERSPACE_UNTIL = 25;
const isAddress = (address: string): boolean => isSubnets(`${address}/${address.includes(':') ? 128 : 32}`);

/** What ends kube-proxy, and what leads it to another kubeconfig. */
function oddConfiguration(map: ConfigMap, { services = [] }: ServerKnown, minor: number): readonly string[] {
  const settings = documentOf(map, 'config.conf');
  if (!isRecord(settings)) return ['config.conf is no mapping in YAML'];
  const { apiVersion, kind, mode, bindAddress, clusterCIDR, clientConnection, nodePortAddresses } = settings;
  const file = text(record(clientConnection).kubeconfig);
  return [
    ...(text(apiVersion).startsWith('kubeproxy.config.k8s.io/') && kind === 'KubeProxyConfiguration'
      ? []
      : [`${text(apiVersion)} ${text(kind)}`]),
    ...(MODES.includes(text(mode)) || (mode === 'userspace' && minor <= USERSPACE_UNTIL) ? [] : [`mode ${text(mode)}`]),
    ...(text(bindAddress) === '' || isAddress(text(bindAddress)) ? [] : [`bindAddress ${text(bindAddress)}`]),
    ...(text(clusterCIDR) === '' || isSubnets(text(clusterCIDR)) ? [] : [`clusterCIDR ${text(clusterCIDR)}`]),
    ...services
      .filter((address) => shareAddresses(text(clusterCIDR), `${address}/${address.includes(':') ? 128 : 32}`))
      .map((address) => `clusterCIDR ${text(clusterCIDR)}, among whose Pods is the Service ${address}`),
    ...texts(nodePortAddresses)
      .filter((one) => one !== 'primary' && !isSubnets(one))
      .map((one) => `nodePortAddresses ${one}`),
    ...(['', '/var/lib/kube-proxy/kubeconfig.conf'].includes(file) ? [] : [`clientConnection.kubeconfig ${file}`]),
  ].map((odd) => `config.conf: ${odd}`);
}

/** Paths that hold credentials, sockets or everything. */
const MIGHTY_PATH =
  /^\/?$|^\/(?:etc|var|var\/lib|run|var\/run|proc|dev|root|home|usr)$|^\/(?:etc\/kubernetes|var\/lib\/(?:kubelet|etcd)|root|home|proc)(?:\/|$)|\.sock$/;

/** "registry.example.com:5000/a/kube-proxy:v1.36.0@sha256:…" */
const nameOfImage = (image: string): string =>
  (image.split('@')[0] ?? '')
    .replace(/:[^/:]*$/, '')
    .split('/')
    .at(-1) ?? '';
const minorOfImage = (image: string): number | undefined => {
  const [, minor] = /:v1\.(\d{1,3})\./.exec(image) ?? [];
  return minor === undefined ? undefined : Number(minor);
};

/** What serves its metrics beside it, or prepares it, needs none of that. */
const isMighty = ({ securityContext, volumeMounts }: Readonly<Record<string, unknown>>): boolean => {
  const { privileged, capabilities } = record(securityContext);
  const mounts = records(volumeMounts).some(({ mountPath }) => text(mountPath) !== SERVICE_ACCOUNT);
  return privileged === true || texts(record(capabilities).add).length > 0 || mounts;
};
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Files that it is told, and that none of its volumes brings. */
function unmounted({ command, args, volumeMounts }: Readonly<Record<string, unknown>>): readonly string[] {
  const mounts = records(volumeMounts).map(({ mountPath }) => text(mountPath).replace(/\/$/, ''));
  return [...texts(command), ...texts(args)].flatMap((word) => {
    const [, flag = '', path = ''] = /^--(config|kubeconfig)=(.*)$/.exec(word) ?? [];
    const isBrought = mounts.some((mount) => path === mount || path.startsWith(`${mount}/`));
    return flag === '' || mounts.length === 0 || isBrought ? [] : [`--${flag}=${path}, which no volume brings`];
  });
}

/** Goes before the server of every kubeconfig. Source: cmd/kube-proxy/app/options.go, server.go createClient. */
function leadsElsewhere({ command, args }: Readonly<Record<string, unknown>>, known: ServerKnown): readonly string[] {
  const words = [...texts(command), ...texts(args)];
  return words.flatMap((word, at) => {
    const [flag, own] = /^--?master(?:=(.*))?$/s.exec(word) ?? [];
    const server = own ?? words[at + 1] ?? '';
    return flag === undefined || server === '' ? [] : oddServer(server, known).map((odd) => `--master: ${odd}`);
  });
}

/** kube-proxy is no newer than the API server. Source: the version skew policy of Kubernetes. */
function oddDaemon({ spec }: KubeObject, known: ServerKnown, minor: number): readonly string[] {
  const pod = record(record(record(spec).template).spec);
  const containers = [...records(pod.containers), ...records(pod.initContainers)];
  const [first, ...others] = containers;
  const image = text(first?.image);
  const [program = ''] = [...texts(first?.command), ...texts(first?.args)];
  const paths = records(pod.volumes).flatMap(({ hostPath }) =>
    isRecord(hostPath) ? [text(hostPath.path).replace(/\/$/, '')] : [],
  );
  const own = minorOfImage(image);
  return [
    ...(/kube-proxy/.test(nameOfImage(image)) ? [] : [`image ${image}`]),
    ...(own !== undefined && own > minor ? [`image ${image}, newer than the API server`] : []),
    ...(program === '' || /(?:^|\/)kube-proxy$/.test(program) ? [] : [`it runs ${program}`]),
    ...unmounted(record(first)),
    ...leadsElsewhere(record(first), known),
    ...others.filter(isMighty).map(({ name }) => `a container ${text(name)} beside it, which is root on the machine`),
    ...paths.filter((path) => MIGHTY_PATH.test(path)).map((path) => `${path || '/'} of the machine`),
    ...(pod.hostNetwork === true ? [] : ['no network of the machine']),
    ...['hostPID', 'hostIPC'].filter((name) => pod[name] === true),
    ...(text(pod.serviceAccountName) === 'kube-proxy' ? [] : [`account ${text(pod.serviceAccountName) || 'default'}`]),
  ];
}

interface Found {
  readonly map: ConfigMap | undefined;
  readonly daemon: KubeObject | undefined;
}

/** Reader. Where somebody else does its work there is neither. */
export function readProxy({ map, daemon }: Found, known: ServerKnown, minor: number): readonly ProxySeen[] {
  const seen: ProxySeen[] = [];
  if (map !== undefined)
    seen.push({
      subject: 'ConfigMap kube-system/kube-proxy',
      demanded: 'leads to the API server of this cluster, and starts kube-proxy',
      odd: [...oddKubeconfig(map, known), ...oddConfiguration(map, known, minor)],
    });
  if (daemon !== undefined)
    seen.push({
      subject: 'DaemonSet kube-system/kube-proxy',
      demanded: 'runs kube-proxy and nothing else, with what it needs of a machine',
      odd: oddDaemon(daemon, known, minor),
    });
  return seen;
}

export const proxyOfCluster: Check<readonly ProxySeen[]> = {
  id: 'kube-proxy-told/own',
  source: 'cmd/kubeadm/app/phases/addons/proxy/manifests.go',
  nothing: 'kubeadm has deployed no kube-proxy here',
  judge: (proxies) =>
    proxies.map(({ subject, demanded, odd }) =>
      demand({
        subject,
        demanded,
        seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'it does',
        ok: odd.length === 0,
      }),
    ),
};
