/**
 * A context of a kubeconfig as a connection, as kubectl would use it. Source: client-go
 * tools/clientcmd/client_config.go and validation.go.
 */
import { withoutSlashes } from '../kubernetes/slashes.js';
import {
  type Carried,
  type ClientCertificate,
  type Connection,
  type Credential,
  fixedCredential,
} from './connection.js';
import { ConfigurationError } from './errors.js';
import { type ExecCluster, execCredential } from './exec-plugin.js';
import { Fields, type KubeconfigChoice, type Merged, readKubeconfigs } from './kubeconfig-files.js';
import { checkedCertificates, checkedPair, LARGEST_PEM } from './pem.js';
import { checkedProxy, proxyFromEnvironment } from './proxy.js';
import { readRegular } from './regular-file.js';
import { fileToken } from './token-file.js';

export interface KubeconfigOptions extends KubeconfigChoice {
  /** --context; else current-context. */
  readonly context?: string;
  /** Whether a person can answer a credential plugin. */
  readonly terminal?: boolean;
  readonly now?: () => number;
}

/** The extension of a cluster that plugins get as spec.cluster.config. */
const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** Every mistake throws a ConfigurationError with a sentence. */
export async function loadKubeconfig(options: KubeconfigOptions = {}): Promise<Connection> {
  const merged = await readKubeconfigs(options);
  const env = options.env ?? process.env;
  const files = merged.files.join(', ');
  const name = options.context ?? merged.currentContext;
  if (name === undefined) {
    throw new ConfigurationError(
      `${files} has no current-context; give --context with one of: ${listed(merged.contexts)}.`,
    );
  }
  const context = merged.contexts.get(name);
  if (context === undefined)
    throw new ConfigurationError(
      `${files} has no context ${JSON.stringify(name)}; it has: ${listed(merged.contexts)}.`,
    );
  const cluster = named(merged, 'clusters', context, 'cluster');
  const user = named(merged, 'users', context, 'user');
  const endpoint = await endpointOf(cluster, user, env);
  const execCluster: ExecCluster = {
    server: endpoint.server,
    ...(endpoint.serverName === undefined ? {} : { 'tls-server-name': endpoint.serverName }),
    ...(endpoint.insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(endpoint.caPem === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(endpoint.caPem).toString('base64') }),
    ...(cluster.text('proxy-url') === undefined ? {} : { 'proxy-url': cluster.text('proxy-url') as string }),
    ...(cluster.flag('disable-compression') ? { 'disable-compression': true } : {}),
    ...extensionOf(cluster),
  };
  const credential = await credentialOf(user, execCluster, {
    env,
    terminal: options.terminal ?? (process.stdin.isTTY === true && process.stderr.isTTY === true),
    now: options.now ?? Date.now,
  });
  return { ...endpoint, name: `${endpoint.server} (context ${name})`, credential };
}

const listed = (entries: ReadonlyMap<string, unknown>): string => [...entries.keys()].sort().join(', ') || 'none';

function named(merged: Merged, list: 'clusters' | 'users', context: Fields, field: string): Fields {
  const name = context.text(field);
  // kubectl takes an empty user for nobody.
  if (name === undefined && list === 'users') return new Fields({}, `no user of ${context.where}`, context.folder);
  if (name === undefined)
    throw new ConfigurationError(`${context.where} names no ${field}; it must name one of: ${listed(merged[list])}.`);
  const found = merged[list].get(name);
  if (found === undefined)
    throw new ConfigurationError(
      `${context.where} names the ${field} ${JSON.stringify(name)}, which is not there; there are: ${listed(merged[list])}.`,
    );
  return found;
}

async function endpointOf(
  cluster: Fields,
  user: Fields,
  env: NodeJS.ProcessEnv,
): Promise<Omit<Connection, 'name' | 'credential'>> {
  const given = cluster.text('server');
  if (given === undefined)
    throw new ConfigurationError(`server of ${cluster.where} is missing; give the URL of the API server.`);
  const insecure = cluster.flag('insecure-skip-tls-verify');
  const ca = await pemOf(cluster, 'certificate-authority');
  if (insecure && ca !== undefined) {
    throw new ConfigurationError(
      `${cluster.where} has both a certificate authority and insecure-skip-tls-verify; keep one of them.`,
    );
  }
  if (ca !== undefined) checkedCertificates(ca.text, ca.from);
  const tls =
    insecure ||
    ca !== undefined ||
    user.text('client-certificate') !== undefined ||
    user.text('client-certificate-data') !== undefined;
  const server = serverUrl(given, tls, cluster.where);
  const proxy = cluster.text('proxy-url');
  const proxyUrl =
    proxy === undefined
      ? proxyFromEnvironment(new URL(server), env)
      : checkedProxy(proxy, `proxy-url of ${cluster.where}`);
  const serverName = cluster.text('tls-server-name');
  return {
    server,
    insecure,
    ...(ca === undefined ? {} : { caPem: ca.text }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

/** "10.0.0.1:6443" is https where the kubeconfig speaks of TLS, else http, as client-go decides. */
function serverUrl(given: string, tls: boolean, where: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `${tls ? 'https' : 'http'}://${given}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(`server of ${where} is not a URL; give one like https://10.0.0.1:6443.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError(`server of ${where} has the scheme ${url.protocol.slice(0, -1)}; give an https URL.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      `server of ${where} has a user or password in it; put credentials into the user of the kubeconfig.`,
    );
  }
  return `${url.origin}${withoutSlashes(url.pathname)}`;
}

/** A PEM from its -data field, which wins, or from its file. */
async function pemOf(fields: Fields, name: string): Promise<{ text: string; from: string } | undefined> {
  const data = fields.data(`${name}-data`);
  if (data !== undefined) return { text: data, from: `${name}-data of ${fields.where}` };
  const file = fields.path(name);
  if (file === undefined) return undefined;
  try {
    return { text: await readRegular(file, LARGEST_PEM), from: `${name} ${file} of ${fields.where}` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new ConfigurationError(
      `${name} of ${fields.where} names ${file}, which ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}.`,
    );
  }
}

async function credentialOf(
  user: Fields,
  cluster: ExecCluster,
  options: { env: NodeJS.ProcessEnv; terminal: boolean; now: () => number },
): Promise<Credential> {
  const provider = user.fields('auth-provider');
  if (provider !== undefined) {
    throw new ConfigurationError(
      `${user.where} uses the auth-provider ${provider.text('name') ?? ''}, which kubectl no longer supports either; use a credential plugin (exec) or a token.`,
    );
  }
  const exec = user.fields('exec');
  const token = user.text('token');
  const tokenFile = user.path('tokenFile');
  const username = user.text('username');
  const password = user.text('password');
  const basic = username !== undefined || password !== undefined;
  if (basic && (token !== undefined || tokenFile !== undefined)) {
    throw new ConfigurationError(`${user.where} has both a token and a password; keep one of them.`);
  }
  const certificate = await certificateOf(user);
  const headers = impersonation(user);
  if (exec !== undefined && token === undefined && tokenFile === undefined && !basic) {
    const plugin = execCredential(exec, cluster, options);
    return {
      async current(signal) {
        const carried = await plugin.current(signal);
        return { ...(certificate === undefined ? {} : { certificate }), ...carried, headers };
      },
      refused: () => plugin.refused(),
    };
  }
  const fixed: Carried = {
    ...(certificate === undefined ? {} : { certificate }),
    ...(basic
      ? { authorization: `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}` }
      : token === undefined
        ? {}
        : { authorization: `Bearer ${token}` }),
    headers,
    secrets: [token, password, certificate?.key].filter((value) => value !== undefined),
  };
  if (tokenFile === undefined) return fixedCredential(fixed);
  const file = fileToken(tokenFile, `tokenFile of ${user.where}`, token, options.now);
  await file.read();
  return {
    async current() {
      const value = await file.read();
      return { ...fixed, authorization: `Bearer ${value}`, secrets: [...(fixed.secrets ?? []), value] };
    },
    refused: () => file.forget(),
  };
}

async function certificateOf(user: Fields): Promise<ClientCertificate | undefined> {
  const certificate = await pemOf(user, 'client-certificate');
  const key = await pemOf(user, 'client-key');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined)
    throw new ConfigurationError(`${user.where} has a client-key without a client-certificate; give both or none.`);
  if (key === undefined)
    throw new ConfigurationError(`${user.where} has a client-certificate without a client-key; give both or none.`);
  return checkedPair(certificate.text, key.text, certificate.from, key.from);
}

/** Source: client-go transport/round_trippers.go impersonatingRoundTripper. */
function impersonation(user: Fields): readonly (readonly [string, string])[] {
  const as = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extra = user.fields('as-user-extra');
  if (as === undefined) {
    if (uid !== undefined || groups.length > 0 || extra !== undefined) {
      throw new ConfigurationError(`${user.where} impersonates a uid, groups or extras without a user; give as too.`);
    }
    return [];
  }
  const headers: [string, string][] = [['impersonate-user', as]];
  if (uid !== undefined) headers.push(['impersonate-uid', uid]);
  for (const group of groups) headers.push(['impersonate-group', group]);
  for (const key of Object.keys(extra?.values ?? {})) {
    for (const value of extra?.texts(key) ?? [])
      headers.push([`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, value]);
  }
  return headers;
}

function extensionOf(cluster: Fields): { config?: unknown } {
  for (const item of cluster.list('extensions')) {
    const entry = (typeof item === 'object' && item !== null ? item : {}) as { name?: unknown; extension?: unknown };
    if (entry.name === EXEC_EXTENSION) return { config: entry.extension };
  }
  return {};
}
