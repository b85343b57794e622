/** Whom kubeconfigs on a node's disk ask, and on which way. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { AltNames } from '../certificates/extensions.js';
import { maySign, type NameLimits } from '../certificates/name-constraints.js';
import { held, type Seen } from './node-files.js';
import { canonical, hostOf, isFor } from './node-names.js';

const SOURCE = '002, kubeconfig files; cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go';

/** What is known of the API server of the machine; '' and null where it has none. */
export interface OwnServer {
  readonly address: string;
  readonly port: string;
  readonly certificate: Seen | null;
  /** The authority of its cluster. */
  readonly root?: Seen;
}

/** What its certificate is for; undefined where it cannot be read. */
function namesOf({ certificate }: OwnServer): AltNames | undefined {
  const read = certificate?.file?.held;
  return read?.kind === 'certificates' ? read.certificates[0]?.facts.altNames : undefined;
}

/** What the authority of the cluster may sign for; undefined where it says nothing of it. */
function limitsOf({ root }: OwnServer): NameLimits | undefined {
  const read = root?.file?.held;
  return read?.kind === 'certificates' ? read.certificates[0]?.limits : undefined;
}

/** Of kubelets, schedulers, controller managers, kube-proxy and etcd: no API server is there. */
const OF_OTHERS = ['2379', '2380', '2381', '10248', '10249', '10250', '10255', '10256', '10257', '10259'];
const portOf = (server: string): string => /:(\d{1,5})\/?$/.exec(server)?.[1] ?? '443';

/** "https://a:6443" and "https://a:6443/" end with the port; without one it is that of https. */
const asksPort = (server: string, port: string): boolean => port === '' || portOf(server) === port;

/** It asks the machine's own API server. */
export const asksOwnServer: Check<readonly Seen[], OwnServer> = {
  id: 'node-servers/own-server',
  source: `${SOURCE} getKubeConfigSpecsBase; 002, manifests: common properties`,
  judge: (all, own) =>
    all.map((seen) =>
      held(seen, 'kubeconfig', "it asks the machine's own API server", ({ server, serverName }) => {
        const { address, port } = own;
        if (address === '') return { seen: `${server}; no manifest says the machine's address`, ok: undefined };
        const host = hostOf(server);
        const isOwn = /^(?:127\.0\.0\.1|localhost|::1)$/.test(host) || host === address;
        const names = namesOf(own);
        // what kubeadm issues is for no loopback
        const asked = serverName || (host === address ? '' : host);
        const isNamed = asked === '' || names === undefined || isFor(names, asked);
        return {
          seen: `${server || 'it asks nobody'}${serverName && ` as ${serverName}`}`,
          ok: isOwn && isNamed && asksPort(server, port) && server.startsWith('https:'),
        };
      }),
    ),
};

/** It asks a server of the cluster over TLS: one that the certificate of the machine's own is for as well. */
export const asksCluster: Check<readonly Seen[], OwnServer> = {
  id: 'node-servers/asks-cluster',
  source: `${SOURCE} validateKubeConfig`,
  judge: (all, own) => {
    const { address, port } = own;
    const names = namesOf(own);
    return all.map((seen) =>
      held(seen, 'kubeconfig', 'it asks a server of the cluster, over TLS', ({ server, serverName }) => {
        const host = hostOf(server);
        const limits = limitsOf(own);
        const isSigned = limits === undefined || maySign(limits, serverName || host);
        const isKnown = (names === undefined || isFor(names, serverName || host)) && isSigned;
        const isOther = OF_OTHERS.includes(portOf(server)) && portOf(server) !== port;
        const isPort = !isOther && (host !== address || asksPort(server, port));
        const isWithUser = server.includes('@');
        const ok = /^https:\/\/./.test(server) && host !== '' && !isWithUser && isKnown && isPort;
        return { seen: `${server || 'it asks nobody'}${serverName && ` as ${serverName}`}`, ok };
      }),
    );
  },
};

const OF_THE_SERVICE = /^kubernetes\.default\.svc(?:\.|$)/;

/**
 * Services are led to by what a kubelet starts, and named by the DNS of the cluster, so a kubelet that asks one finds
 * nobody once its machine has booted. `services`: addresses of the Service of the API server, as far as they are known.
 */
export const asksNoService: Check<Seen, { readonly services: readonly string[] }> = {
  id: 'node-servers/asks-no-service',
  source: `${SOURCE} getKubeConfigSpecsBase`,
  judge: (seen, { services }) => [
    held(seen, 'kubeconfig', 'it does not ask the Service of the API server', ({ server }) => ({
      seen: server || 'it asks nobody',
      ok: !services.includes(canonical(hostOf(server))) && !OF_THE_SERVICE.test(hostOf(server)),
    })),
  ],
};

const ON_LOOPBACK = /^(?:127\.[\d.]+|localhost|::1)$/;

/** From there on the kernel gives out ports, and nobody is told to listen at one: somebody has tried something out. */
const GIVEN_OUT = 32_768;

/** Of a whole disk, and not of two folders of it. */
const WHOLE = ['/usr/bin/kubelet', '/usr/bin/containerd', '/etc/containerd', '/etc/crontab', '/etc/sudoers'];
export const isWholeDisk = (paths: readonly string[]): boolean => WHOLE.some((path) => paths.includes(path));

/** What may answer on loopback: static Pods; programs, folders and units of proxies; an API server that is a unit. */
export const mayBeProxy = (path: string): boolean =>
  /^\/(?:etc\/(?:haproxy|nginx|envoy|traefik|keepalived)|etc\/kubernetes\/manifests\/[^/.][^/]*|usr\/s?bin\/(?:haproxy|nginx|envoy|traefik|kube-vip|gobetween|caddy|stunnel4)|(?:etc|usr\/lib)\/systemd\/system\/[^/]*(?:proxy|nginx|envoy|vip|lb|balanc|tunnel|apiserver|api-server)[^/]*\.service)$/.test(
    path,
  );

/** Of the machine itself: its names and addresses, and where names lead to that it looks up in a table of its own. */
interface OwnPlaces {
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  readonly own?: readonly string[];
}

function leadsToItself(host: string, { hosts = {}, own = [] }: OwnPlaces): boolean {
  const addressesOf = (name: string): readonly string[] => (Object.hasOwn(hosts, name) ? (hosts[name] ?? []) : []);
  const places = new Set([...own, ...own.flatMap(addressesOf)].map(canonical));
  const isItself = (place: string): boolean => ON_LOOPBACK.test(place) || places.has(canonical(place));
  const addresses = addressesOf(host);
  return isItself(host) || (addresses.length > 0 && addresses.every(isItself));
}

/** Who asks a proxy of its own machine has one: on loopback, or at its address. `proxies`: what may answer for it. */
export const proxyThere: Check<readonly Seen[], OwnPlaces & { readonly proxies: readonly string[] }> = {
  id: 'node-servers/proxy-there',
  source: 'kubeadm join, controlPlaneEndpoint; kubernetes.io, options for highly available topology',
  nothing: 'no server on loopback is asked, or not the whole disk lies there',
  judge: (all, { proxies, ...places }) =>
    all.flatMap(({ path, file }) => {
      if (file?.held.kind !== 'kubeconfig' || !leadsToItself(hostOf(file.held.server), places)) return [];
      if (Number(/:(\d{1,5})\/?$/.exec(file.held.server)?.[1] ?? '443') >= GIVEN_OUT) return [];
      const seen =
        proxies.length > 0 ? proxies.slice(0, 3).join(', ') : `nothing there listens for ${file.held.server}`;
      return [demand({ subject: path, demanded: 'somebody answers on loopback', seen, ok: proxies.length > 0 })];
    }),
};

/** A URL, or what stands behind "https://" of one; several are none. Source: client-go rest/url_utils.go DefaultServerURL. */
const isOne = (server: string): boolean =>
  server === '' || (!server.includes(',') && URL.canParse(server.includes('://') ? server : `https://${server}`));

/** Nobody else can answer in the place of the server. */
export const verifies: Check<readonly Seen[]> = {
  id: 'node-servers/verifies',
  source: `${SOURCE}; client-go rest/config.go TLSClientConfig`,
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'kubeconfig', 'it verifies the server', ({ isInsecure, server }) => ({
        seen: isInsecure
          ? 'it says insecure-skip-tls-verify'
          : isOne(server)
            ? 'it does'
            : 'what it asks is no address of one server',
        ok: !isInsecure && isOne(server),
      })),
    ),
};

/** Nobody stands between who asks and who answers, and sees who asks for what. */
export const asksDirectly: Check<readonly Seen[]> = {
  id: 'node-servers/directly',
  source: `${SOURCE}; client-go clientcmd/api/v1 types.go, proxy-url`,
  judge: (all) =>
    all.map((seen) =>
      held(seen, 'kubeconfig', 'it asks without a proxy of its own', ({ proxy }) => ({
        seen: proxy === '' ? 'it does' : 'it names a proxy-url',
        ok: proxy === '',
      })),
    ),
};
