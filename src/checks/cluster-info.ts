/**
 * What cluster-info publishes to everybody who can reach the API server. Pure.
 * Source: 001, ConfigMap signing (example); 002, create the public cluster-info ConfigMap; cmd/kubeadm/app/phases/bootstraptoken/clusterinfo/clusterinfo.go.
 */
import { X509Certificate } from 'node:crypto';
import { parse } from 'yaml';
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC, SIGNATURE_KEY_PREFIX } from '../kubernetes/names.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from '../model/evidence.js';

export const CLUSTER_INFO_NAME = `ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}`;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The published kubeconfig as YAML has it, or why it is none. */
export type Published = { readonly kubeconfig: Fields } | { readonly unreadable: string };

export function publishedBy(clusterInfo: ConfigMap): Published {
  const text = clusterInfo.data?.[CLUSTER_INFO_KUBECONFIG];
  if (text === undefined) return { unreadable: `it has no key "${CLUSTER_INFO_KUBECONFIG}"` };
  try {
    const document: unknown = parse(text);
    if (isFields(document)) return { kubeconfig: document };
    return {
      unreadable: typeof document === 'string' ? 'its value is one string, encoded twice' : 'its value is no mapping',
    };
  } catch {
    return { unreadable: 'its value is no YAML' };
  }
}

const object = CLUSTER_INFO_NAME;
const one = (evidence: Omit<Evidence, 'object'>): Verdict => judgeEach([{ object, ...evidence }], '');

export function judgeKubeconfig(published: Published): Verdict {
  const demanded = 'publishes a kubeconfig (apiVersion v1, kind Config)';
  if ('unreadable' in published) return one({ demanded, seen: published.unreadable, ok: false });
  const { apiVersion, kind } = published.kubeconfig;
  return one({
    demanded,
    seen: `apiVersion ${show(apiVersion)}, kind ${show(kind)}`,
    ok: apiVersion === 'v1' && kind === 'Config',
  });
}

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Nothing but clusters: no users, no contexts, no current context. */
export function judgeClusterOnly(kubeconfig: Fields): Verdict {
  const filled = ['users', 'contexts', 'current-context'].filter((key) => !isEmpty(kubeconfig[key]));
  return one({
    demanded: 'publishes clusters only: users, contexts and current-context are empty',
    seen: filled.length === 0 ? 'they are' : `not empty: ${filled.join(', ')}`,
    ok: filled.length === 0,
  });
}

const CREDENTIALS = [
  'token',
  'tokenFile',
  'client-key',
  'client-key-data',
  'client-certificate',
  'client-certificate-data',
  'username',
  'password',
  'exec',
  'auth-provider',
];

/** Every member at any depth whose name or decoded value is a credential; names only, never values. */
function credentialsIn(value: unknown, path: string): string[] {
  if (typeof value === 'string') {
    const texts = [value, Buffer.from(value, 'base64').toString('latin1')];
    if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i.test(value)) return [`${path} (a user in its URL)`];
    return texts.some((text) => text.includes('PRIVATE KEY')) ? [`${path} (a private key)`] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => credentialsIn(item, `${path}[${index}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return CREDENTIALS.includes(key) && !isEmpty(inner) ? [at] : credentialsIn(inner, at);
  });
}

export function judgeNoCredentials(kubeconfig: Fields): Verdict {
  const found = credentialsIn(kubeconfig, '');
  return one({
    demanded: 'publishes no credential',
    seen: found.length === 0 ? 'none found' : `it publishes ${found.join(', ')}`,
    ok: found.length === 0,
  });
}

/** The one cluster that joining machines use: its name is empty. Undefined where there is none. */
export interface ClusterEntry {
  readonly name: string;
  readonly cluster: Fields;
}

export function clusterEntries(kubeconfig: Fields): ClusterEntry[] {
  const list = Array.isArray(kubeconfig.clusters) ? (kubeconfig.clusters as readonly unknown[]) : [];
  return list
    .filter(isFields)
    .flatMap((entry) => (isFields(entry.cluster) ? [{ name: String(entry.name ?? ''), cluster: entry.cluster }] : []));
}

export function judgeClusterEntry(kubeconfig: Fields): Verdict {
  const entries = clusterEntries(kubeconfig);
  const names = entries.map(({ name }) => JSON.stringify(name));
  const odd = entries.length > 1 || entries.some(({ name }) => name !== '');
  return one({
    demanded: 'publishes a cluster',
    seen: entries.length === 0 ? 'it has no cluster entry' : `${entries.length}, named ${names.join(', ')}`,
    ok: entries.length > 0,
    ...(odd ? { note: 'kubeadm writes exactly one, with the empty name, and older clients take no other number' } : {}),
  });
}

/** The certificates of certificate-authority-data as PEM; undefined where it holds none. */
export function authorityOf(entry: ClusterEntry): string | undefined {
  const data = entry.cluster['certificate-authority-data'];
  if (typeof data !== 'string') return undefined;
  const pem = Buffer.from(data, 'base64').toString('utf8');
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function certificatesIn(pem: string): X509Certificate[] | undefined {
  try {
    return (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
  } catch {
    return undefined;
  }
}

export function judgeAuthority(kubeconfig: Fields): Verdict {
  return judgeEach(
    clusterEntries(kubeconfig).map((entry) => {
      const demanded = 'carries the certificate of the cluster CA in certificate-authority-data';
      const pem = authorityOf(entry);
      const certificates = pem === undefined ? undefined : certificatesIn(pem);
      const file = entry.cluster['certificate-authority'];
      const seen =
        pem === undefined
          ? file === undefined
            ? 'it has no PEM certificate there'
            : 'it names a file (certificate-authority) instead'
          : certificates === undefined || certificates.length === 0
            ? 'its PEM holds no readable certificate'
            : certificates
                .map(
                  (certificate) =>
                    `${certificate.subject.replaceAll('\n', ', ')}, ${certificate.ca ? 'a CA' : 'no CA'}`,
                )
                .join('; ');
      return { object, demanded, seen, ok: certificates?.some((certificate) => certificate.ca) ?? false };
    }),
    'cluster-info publishes no cluster',
  );
}

export function judgeNotInsecure(kubeconfig: Fields): Verdict {
  return judgeEach(
    clusterEntries(kubeconfig).map(({ cluster }) => {
      const insecure = cluster['insecure-skip-tls-verify'];
      return {
        object,
        demanded: 'does not tell clients to skip the verification of TLS',
        seen:
          insecure === undefined ? 'insecure-skip-tls-verify is absent' : `insecure-skip-tls-verify: ${show(insecure)}`,
        ok: insecure === undefined || insecure === null || insecure === false,
      };
    }),
    'cluster-info publishes no cluster',
  );
}

/** `data` keys that are neither the kubeconfig nor a signature. */
export function judgeKeys(clusterInfo: ConfigMap): Verdict {
  const foreign = Object.keys(clusterInfo.data ?? {}).filter(
    (key) => key !== CLUSTER_INFO_KUBECONFIG && !new RegExp(`^${SIGNATURE_KEY_PREFIX}[a-z0-9]{6}$`).test(key),
  );
  return one({
    demanded: `holds "${CLUSTER_INFO_KUBECONFIG}" and signatures only`,
    seen: foreign.length === 0 ? 'it does' : `also ${foreign.sort().join(', ')}`,
    ok: foreign.length === 0,
  });
}

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|\[?::\]?)$/i;
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

export interface Address {
  readonly url: string;
  readonly host: string;
}

/** The address in a cluster entry, and what can be said of it without asking it. `reached`: the address by which joinproof reaches the server. */
export function judgeAddress(
  entry: ClusterEntry,
  reached: string,
): { readonly evidence: Evidence; readonly address?: Address } {
  const demanded = 'names an https address of the API server that other machines can reach';
  const server = entry.cluster.server;
  const bad = (seen: string) => ({ evidence: { object, demanded, seen, ok: false } });
  if (typeof server !== 'string' || server === '') return bad('the cluster has no server');
  let url: URL;
  try {
    url = new URL(server);
  } catch {
    return bad('its server is no URL');
  }
  if (url.protocol !== 'https:') return bad(`${url.origin}: not https`);
  // A cluster of one machine may live on loopback altogether; then that is where we reach it, too.
  if (LOOPBACK.test(hostOf(url)) && hostOf(url) !== hostOf(new URL(reached)))
    return bad(`${url.origin}: only the control plane's own machine reaches it`);
  return {
    evidence: { object, demanded, seen: url.origin, ok: true },
    address: { url: url.origin, host: hostOf(url) },
  };
}

/** Does the serving certificate name the host? `leaf` is PEM. */
export function namesHost(leaf: string, host: string): boolean {
  const certificate = new X509Certificate(leaf);
  const isAddress = host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
  return (isAddress ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
}
