/**
 * Reads what cluster-info publishes into facts that a report may hold: everybody can read it, but a credential that
 * stands there by mistake need not be spread any further.
 * Source: 001, ConfigMap signing (example); client-go, tools/clientcmd/api/v1/types.go.
 */
import { createHash } from 'node:crypto';
import { YAMLParseError } from 'yaml';
import { type Fields, isRecord } from '../../kubernetes/json.js';
import { CLUSTER_INFO_KUBECONFIG } from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import { parseYaml } from '../../kubernetes/yaml.js';

export interface ClusterInfoFacts {
  /** Keys of its data, also of its binary data, sorted. */
  readonly keys: readonly string[];
  /** As YAML has it, with REMOVED in place of every credential; or why it is none. */
  readonly published: { readonly kubeconfig: Fields } | { readonly unreadable: string };
  /** Where credentials stood, "users[0].user.token". */
  readonly credentials: readonly string[];
}

/** Stands where a credential stood. */
export const REMOVED = '(removed by joinproof)';

function publishedBy(clusterInfo: ConfigMap): { readonly kubeconfig: Fields } | { readonly unreadable: string } {
  const text = clusterInfo.data?.[CLUSTER_INFO_KUBECONFIG];
  if (text === undefined) return { unreadable: `it has no key "${CLUSTER_INFO_KUBECONFIG}"` };
  try {
    // through JSON: what refers to itself, or is no JSON, is no kubeconfig
    const document: unknown = JSON.parse(JSON.stringify(parseYaml(text) ?? null));
    if (isRecord(document)) return { kubeconfig: document };
    return {
      unreadable: typeof document === 'string' ? 'its value is one string, encoded twice' : 'its value is no mapping',
    };
  } catch (error) {
    const isSeveral = error instanceof YAMLParseError && error.code === 'MULTIPLE_DOCS';
    return { unreadable: isSeveral ? 'its value is several documents of YAML' : 'its value is no YAML' };
  }
}

/** In small letters, without what joins words: others than kubectl write "bearer_token" and "clientKeyData". */
const CREDENTIALS = [
  'token',
  'tokenfile',
  'bearertoken',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'clientkey',
  'clientkeydata',
  'clientcertificate',
  'clientcertificatedata',
  'clientsecret',
  'username',
  'password',
  'exec',
  'authprovider',
];
const isCredential = (key: string): boolean => CREDENTIALS.includes(key.toLowerCase().replace(/[-_]/g, ''));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const USER_IN_URL = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i;
/** Three parts in base64url, of which the first two are JSON objects: RFC 7519. */
const JWT = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/;
const PRIVATE_KEY = 'PRIVATE KEY';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----(?:(?!-----BEGIN )[\s\S])+?-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, as PEM. */
export const certificatesIn = (pem: string): readonly string[] => pem.match(CERTIFICATE) ?? [];

/** What of a text is a credential, whatever it is called; undefined: nothing is known to be. */
const secretIn = (value: string): string | undefined =>
  value.includes(PRIVATE_KEY) ? 'a private key' : JWT.test(value) ? 'a JSON Web Token' : undefined;

function cleanText(value: string, path: string, found: string[]): string {
  if (USER_IN_URL.test(value)) {
    found.push(`${path} (a user in its URL)`);
    return value.replace(USER_IN_URL, '$1');
  }
  const plain = secretIn(value);
  const decoded = Buffer.from(value, 'base64').toString('latin1');
  const secret = plain ?? secretIn(decoded);
  if (secret === undefined) return value;
  found.push(`${path} (${secret})`);
  // the certificates beside it are still judged
  return plain === undefined
    ? Buffer.from([...certificatesIn(decoded), ''].join('\n'), 'latin1').toString('base64')
    : [...certificatesIn(value), REMOVED].join('\n');
}

/**
 * A copy without what is a credential by its name, at any depth, or by its decoded value; the places go into `found`.
 */
function clean(value: unknown, path: string, found: string[]): unknown {
  if (typeof value === 'string') return cleanText(value, path, found);
  if (Array.isArray(value)) return value.map((item, index) => clean(item, `${path}[${index}]`, found));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const at = path === '' ? key : `${path}.${key}`;
      if (!isCredential(key) || isEmpty(inner)) return [key, clean(inner, at, found)];
      found.push(at);
      return [key, REMOVED];
    }),
  );
}

export function readClusterInfo(clusterInfo: ConfigMap): ClusterInfoFacts {
  const { data = {}, binaryData = {} } = clusterInfo;
  const keys = [...Object.keys(data), ...Object.keys(binaryData)].sort();
  const published = publishedBy(clusterInfo);
  if ('unreadable' in published) return { keys, published, credentials: [] };
  const credentials: string[] = [];
  const kubeconfig = clean(published.kubeconfig, '', credentials);
  // comments are no values, and are read by whoever reads those
  const secret = secretIn(data[CLUSTER_INFO_KUBECONFIG] ?? '');
  if (secret !== undefined && credentials.length === 0) credentials.push(`a comment (${secret})`);
  return { keys, published: { kubeconfig: isRecord(kubeconfig) ? kubeconfig : {} }, credentials };
}

/** SHA-256 of the published text in hexadecimal, by which two texts are compared; null where there is none. */
export function textDigest(clusterInfo: Pick<ConfigMap, 'data'>): string | null {
  const text = clusterInfo.data?.[CLUSTER_INFO_KUBECONFIG];
  return text === undefined ? null : createHash('sha256').update(text, 'utf8').digest('hex');
}
