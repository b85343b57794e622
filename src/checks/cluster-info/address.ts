/**
 * Whether other machines reach, and recognise, the API server by what cluster-info says of it.
 * Source: 001, ConfigMap signing (example); 002, create the public cluster-info ConfigMap; 000, join with a discovery
 * token.
 */
import { X509Certificate } from 'node:crypto';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { CLUSTER_INFO_NAME, entryForJoining } from './cluster-info.js';
import type { ClusterInfoFacts } from './cluster-info-reader.js';

const DISCOVERY = '000, join with a discovery token; 002, create the public cluster-info ConfigMap';
const subject = CLUSTER_INFO_NAME;

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|\[?::\]?)$/i;
/** Names that the cluster's own DNS knows, for Pods. Source: kubeadm, certs of the API server (alternative names). */
const IN_CLUSTER = /^kubernetes\.default(\.svc(\.[a-z0-9.-]+)?)?$/i;
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** What is known of the cluster's doors. */
export interface Doors {
  /** The address by which joinproof reaches the server; empty where it does not; null: nobody asks it. */
  readonly reached: string | null;
  /** Of the Service kubernetes, which Pods and nodes reach and nobody else. */
  readonly service: readonly string[];
}

/** What is wrong with a host for others than the cluster itself; undefined: nothing is known to be. */
function wrongHost(host: string, { reached, service }: Doors): string | undefined {
  // A cluster of one machine may live on loopback altogether; then that is where we reach it, too.
  if (LOOPBACK.test(host) && reached !== null && (reached === '' || host !== hostOf(new URL(reached))))
    return "only the control plane's own machine reaches it";
  if (IN_CLUSTER.test(host)) return 'only Pods know that name';
  return service.includes(host) ? 'it is the address of the Service, which no joining machine reaches' : undefined;
}

/** Something behind host and port, which every path of the API would be put after; one that we use, too, is a door. */
function hasPath({ pathname, search, hash }: URL, reached: string | null): boolean {
  if (reached === null) return false;
  const own = reached === '' ? '/' : new URL(reached).pathname;
  return !['/', own, `${own}/`].includes(pathname) || search !== '' || hash !== '';
}

export interface Address {
  /** "https://10.138.0.2:6443" */
  readonly url: string;
  /** Without brackets. */
  readonly host: string;
}

/** The address that joining machines are told, or what is wrong with it. */
export function addressIn(facts: ClusterInfoFacts, doors: Doors): Address | { readonly wrong: string } {
  const server = entryForJoining(facts)?.cluster.server;
  if (typeof server !== 'string' || server === '') return { wrong: 'the cluster has no server' };
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    return { wrong: 'its server is no URL' };
  }
  if (url.protocol !== 'https:') return { wrong: `${url.origin}: not https` };
  if (url.port === '0') return { wrong: `${url.origin}: nobody listens at port 0` };
  const wrong = wrongHost(hostOf(url), doors);
  if (wrong !== undefined) return { wrong: `${url.origin}: ${wrong}` };
  if (hasPath(url, doors.reached)) return { wrong: `${url.origin}, and more behind it: not the API server's root` };
  return { url: url.origin, host: hostOf(url) };
}

export const addressForOthers: Check<ClusterInfoFacts, Doors> = {
  id: 'address/for-others',
  source: DISCOVERY,
  nothing: 'cluster-info publishes no kubeconfig with a cluster',
  judge: (facts, doors) => {
    if (entryForJoining(facts) === undefined) return [];
    const address = addressIn(facts, doors);
    const demanded = 'names an https address of the API server that other machines can reach';
    return 'wrong' in address
      ? [demand({ subject, demanded, seen: address.wrong, ok: false })]
      : [demand({ subject, demanded, seen: address.url, ok: true })];
  },
};

/** As kubeadm writes it, and cuts it into host and port again. Source: cmd/kubeadm/app/util/endpoint.go formatURL. */
const PLAIN = /^https:\/\/[^/?#@\s]+:\d+$/;

export const addressPlain: Check<ClusterInfoFacts> = {
  id: 'address/plain',
  source: 'cmd/kubeadm/app/cmd/util/join.go getJoinCommand',
  nothing: 'cluster-info publishes no kubeconfig with a cluster',
  judge: (facts) => {
    const server = entryForJoining(facts)?.cluster.server;
    if (typeof server !== 'string') return [];
    const demanded = 'writes its server as https://<host>:<port>';
    return [demand({ subject, demanded, seen: server || 'nothing', ok: PLAIN.test(server) })];
  },
};

/** Does a TLS handshake succeed that trusts one CA alone? */
export interface Handshake {
  /** The address that was asked. */
  readonly server: string;
  readonly trusted: boolean;
  /** Why not; empty where it is. */
  readonly reason: string;
}

/** The published CA is the one that the API server can be recognised by. */
export const authorityOfServer: Check<Handshake> = {
  id: 'address/authority-of-server',
  source: DISCOVERY,
  judge: ({ server, trusted, reason }) => [
    demand({
      subject,
      demanded: 'publishes the CA of the API server',
      seen: trusted ? `a TLS handshake with ${server} succeeds` : reason,
      ok: trusted,
    }),
  ],
};

/** Certificates that may name the published host: one by one, until one does. */
export interface HostSeen {
  /** Where joinproof reaches the API server. */
  readonly server: string;
  /** The certificate that is presented there, PEM; null where none is. */
  readonly leaf: string | null;
  readonly address: Address;
  /**
   * Whether a handshake with the published address succeeds that trusts the published CA alone; null where nothing was
   * reached there.
   */
  readonly there: boolean | null;
  /** The same with `server`. */
  readonly own: boolean | null;
}

/** No common name, and no wildcard but a whole label. Source: Go crypto/x509 Certificate.VerifyHostname. */
const AS_GO_DOES = { subject: 'never', partialWildcards: false } as const;

/** Does a certificate in PEM name a host? */
export function namesHost(leaf: string, host: string): boolean {
  try {
    const certificate = new X509Certificate(leaf);
    const isAddress = host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
    return (isAddress ? certificate.checkIP(host) : certificate.checkHost(host, AS_GO_DOES)) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The certificate that is presented, here or at the published address, names the host. The address of the kubeconfig
 * may be another door than joinproof's, with a certificate of its own; that door is no proxy's where the published CA
 * vouches for it: then the API server has this certificate for everybody.
 */
export const certificateNamesHost: Check<HostSeen> = {
  id: 'address/certificate-names-host',
  source: DISCOVERY,
  nothing:
    'the published address cannot be reached from here, and the certificate that is presented here does not name it',
  judge: ({ server, leaf, address, there, own }) => {
    const demanded = `names ${address.host}`;
    const met = (of: string) => [demand({ subject: `the certificate of ${of}`, demanded, seen: 'it does', ok: true })];
    if (leaf !== null && namesHost(leaf, address.host)) return met(server);
    if (there === true) return met(address.url);
    if (there === null && own !== true) return [];
    return [demand({ subject: `the certificate of ${server}`, demanded, seen: 'it does not', ok: false })];
  },
};

/** What became of a handshake with the published address. */
export interface Door {
  /** Where joinproof reaches the API server. */
  readonly server: string;
  readonly address: Address;
  /** `elsewhere`: nothing came back, which on another host may be the way there. */
  readonly answers: 'tls' | 'refused' | 'elsewhere';
}

/** Somebody answers at the published address. */
export const addressAnswers: Check<Door> = {
  id: 'address/answers',
  source: DISCOVERY,
  nothing: 'the published address cannot be reached from here',
  judge: ({ server, address, answers }) => {
    const here = hostOf(new URL(server)) === address.host;
    if (answers !== 'tls' && !(here && answers === 'refused')) return [];
    const ok = answers === 'tls';
    const seen = ok ? 'it does' : `${address.url} refuses TLS connections, and ${server} does not`;
    return [demand({ subject, demanded: 'names a port on which the API server answers', seen, ok })];
  },
};
