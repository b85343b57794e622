/**
 * Kubeconfigs that a machine is given: in cluster-info, in a discovery file.
 * Source: client-go, tools/clientcmd {client_config,loader,validation}.go; kubeadm, util/kubeconfig/kubeconfig.go.
 */
import { firstLine } from '../kubernetes/first-line.js';
import { isRecord, records, text } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { type CertificateFacts, parseCertificate } from '../pki/certificate.js';
import { nextPem } from '../pki/pem.js';
import { JoinFailed } from './failures.js';

export interface ClusterEntry {
  readonly server: string;
  /** PEM; '' where the entry has no CA data. */
  readonly caPem: string;
  readonly caFile: string;
  readonly skipsVerification: boolean;
}

export interface UserEntry {
  readonly token: string;
  readonly tokenFile: string;
  /** PEM; '' where there is none. */
  readonly certificatePem: string;
  readonly keyPem: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** An exec plug-in or an auth provider. */
  readonly hasPlugin: boolean;
}

export interface ContextEntry {
  readonly cluster: string;
  readonly user: string;
}

export interface Kubeconfig {
  /** In the order of the text; of two with one name the last counts. */
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string;
}

/** Bytes of base64 as Go's encoding/json reads them. Throws JoinFailed. */
function bytesOf(value: unknown): string {
  const encoded = text(value).replace(/[\r\n]/g, '');
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
    const at = encoded.search(/[^A-Za-z0-9+/]/);
    throw new JoinFailed(`illegal base64 data at input byte ${at < 0 ? encoded.length : at}`);
  }
  return Buffer.from(encoded, 'base64').toString('utf8');
}

const entries = <T>(list: unknown, inner: string, read: (value: Readonly<Record<string, unknown>>) => T) =>
  new Map(
    records(list).map((entry): [string, T] => {
      const value = entry[inner];
      return [text(entry.name), read(isRecord(value) ? value : {})];
    }),
  );

/** Source: clientcmd.Load. Throws JoinFailed. */
export function readKubeconfig(content: string): Kubeconfig {
  let value: unknown;
  try {
    value = parseYaml(content, { uniqueKeys: false }) ?? {};
  } catch (error) {
    throw new JoinFailed(`yaml: ${firstLine(error)}`);
  }
  if (!isRecord(value))
    throw new JoinFailed(
      "couldn't get version/kind; json parse error: json: cannot unmarshal " +
        (Array.isArray(value) ? 'array' : typeof value),
    );
  const { apiVersion = '', kind = '' } = value;
  if (
    ![undefined, null, '', 'v1'].includes(apiVersion as string) ||
    ![undefined, null, '', 'Config'].includes(kind as string)
  )
    throw new JoinFailed(
      `no kind "${kind === '' ? 'Config' : text(kind)}" is registered for version "${text(apiVersion)}"`,
    );
  return {
    clusters: entries(value.clusters, 'cluster', (cluster) => ({
      server: text(cluster.server),
      caPem: bytesOf(cluster['certificate-authority-data']),
      caFile: text(cluster['certificate-authority']),
      skipsVerification: cluster['insecure-skip-tls-verify'] === true,
    })),
    users: entries(value.users, 'user', (user) => ({
      token: text(user.token),
      tokenFile: text(user.tokenFile),
      certificatePem: bytesOf(user['client-certificate-data']),
      keyPem: bytesOf(user['client-key-data']),
      certificateFile: text(user['client-certificate']),
      keyFile: text(user['client-key']),
      hasPlugin: isRecord(user.exec) || isRecord(user['auth-provider']),
    })),
    contexts: entries(value.contexts, 'context', (context) => ({
      cluster: text(context.cluster),
      user: text(context.user),
    })),
    currentContext: text(value['current-context']),
  };
}

/**
 * Source: clientcmd.Validate, validateContext, validateClusterInfo. `skips`: verification may be skipped beside a CA. Throws
 * JoinFailed with all problems.
 */
export function validate({ clusters, users, contexts, currentContext }: Kubeconfig, skips = false): void {
  const problems: string[] = [];
  if (currentContext !== '' && !contexts.has(currentContext))
    problems.push(`context was not found for specified context: ${currentContext}`);
  for (const [name, { cluster, user }] of contexts) {
    if (user === '') problems.push(`user was not specified for context "${name}"`);
    else if (!users.has(user)) problems.push(`user "${user}" was not found for context "${name}"`);
    if (cluster === '') problems.push(`cluster was not specified for context "${name}"`);
    else if (!clusters.has(cluster)) problems.push(`cluster "${cluster}" was not found for context "${name}"`);
  }
  for (const [name, { server, caPem, caFile, skipsVerification }] of clusters) {
    if (server === '')
      problems.push(name === '' ? 'default cluster has no server defined' : `no server found for cluster "${name}"`);
    if (!skips && skipsVerification && (caPem !== '' || caFile !== ''))
      problems.push('specifying a root certificates file with the insecure flag is not allowed');
  }
  if (problems.length === 0) return;
  const [only = '', ...more] = problems;
  throw new JoinFailed(`invalid configuration: ${more.length === 0 ? only : `[${problems.join(', ')}]`}`);
}

/** Source: client-go, util/cert/pem.go ParseCertsPEM. Throws JoinFailed where there is none, or one that is broken. */
export function caCertificates(pem: string): readonly CertificateFacts[] {
  const found: CertificateFacts[] = [];
  for (let next = nextPem(pem); next !== undefined; next = nextPem(next.rest)) {
    const { label, headers, bytes } = next.block;
    if (label !== 'CERTIFICATE' || Object.keys(headers).length > 0) continue;
    try {
      found.push(parseCertificate(bytes));
    } catch (error) {
      throw new JoinFailed(error instanceof Error ? error.message : String(error));
    }
  }
  if (found.length === 0) throw new JoinFailed('data does not contain any valid RSA or ECDSA certificates');
  return found;
}
