/** A live cluster, reached by a kubeconfig or by the service account of a Pod. Read only unless writing is allowed. */
import { randomBytes, X509Certificate } from 'node:crypto';
import { text } from '../kubernetes/json.js';
import { claimsOf } from '../kubernetes/jwt.js';
import { SERVICE_ACCOUNT_USER_PREFIX } from '../kubernetes/names.js';
import type { Connection } from './connection.js';
import { TargetUnreachable } from './errors.js';
import { HttpTarget } from './http-target.js';
import { loadInCluster } from './in-cluster.js';
import { type KubeconfigOptions, loadKubeconfig } from './kubeconfig.js';
import { lookAround } from './look-around.js';
import { openBeside } from './node/beside.js';
import { learning } from './node/credentials.js';
import { Redactor } from './redaction.js';
import { serverTime } from './server-time.js';
import type { Facts } from './types.js';
import { versionIn } from './version.js';

export interface ClusterOptions extends KubeconfigOptions {
  /** Take the service account of this Pod instead of a kubeconfig. */
  readonly inCluster?: boolean;
  /** A folder laid out like a node's "/", or a tar of one: the disk of a node of this cluster. */
  readonly node?: string;
  /** --allow-writes; default false. */
  readonly allowWrites?: boolean;
  /** Breaks off every question; close() still cleans up. */
  readonly signal?: AbortSignal;
  /** Lower-case letters and digits; default random. Label of everything the run creates. */
  readonly run?: string;
}

const READ_ONLY =
  'the cluster is read only for joinproof; give --allow-writes to let it create objects of its own and remove them again';

/**
 * Opens a live cluster and looks what it can do.
 * Throws ConfigurationError (what was given cannot be used) or TargetUnreachable (no API server answers).
 */
export async function openCluster(options: ClusterOptions = {}): Promise<HttpTarget> {
  return openConnection(await connectionOf(options), options);
}

/** The same without a look at what it can do. */
export async function reachCluster(options: ClusterOptions = {}): Promise<HttpTarget> {
  return (await reach(await connectionOf(options), options)).target;
}

const connectionOf = (options: ClusterOptions): Promise<Connection> =>
  options.inCluster === true ? loadInCluster(options) : loadKubeconfig(options);

type Openly = Pick<ClusterOptions, 'allowWrites' | 'signal' | 'run' | 'node'>;

/** The same for a connection that is already known. */
export async function openConnection(connection: Connection, options: Openly = {}): Promise<HttpTarget> {
  const { target, version, signal, readOnly } = await reach(connection, options);
  try {
    const found = await lookAround(target, { readOnly, version, signal });
    target.declare({ ...found, version, account: await accountOf(connection, signal) });
    return target;
  } catch (error) {
    await target.close();
    throw error;
  }
}

async function reach(connection: Connection, options: Openly) {
  const signal = options.signal ?? new AbortController().signal;
  const readOnly = options.allowWrites === true ? undefined : READ_ONLY;
  const disk = options.node === undefined ? undefined : await openBeside(options.node);
  const redactor = new Redactor();
  const target = new HttpTarget({
    kind: 'cluster',
    redactor,
    connection: disk === undefined ? connection : { ...connection, name: `${connection.name}, and ${disk.name}` },
    ...(disk === undefined ? {} : { files: learning(disk.files, redactor) }),
    signal,
    run: options.run ?? newRun(),
    ...(readOnly === undefined ? {} : { readOnly }),
  });
  try {
    const version = await demandApiServer(target, () => whyRefused(connection, signal));
    if (target.serverClock.isSkewed) {
      const now = await serverTime(target, readOnly === undefined);
      if (now !== undefined) target.serverClock.shows(now);
    }
    return { target, version, signal, readOnly };
  } catch (error) {
    await target.close();
    throw error;
  }
}

/** Whose token the credential is, where it is that of a service account and asks in nobody else's name. */
async function accountOf({ credential }: Connection, signal: AbortSignal): Promise<string | undefined> {
  const { authorization = '', headers = [] } = await credential.current(signal);
  const { sub } = claimsOf(/^Bearer (.{1,32768})$/.exec(authorization)?.[1] ?? '') ?? {};
  return headers.length === 0 && text(sub).startsWith(SERVICE_ACCOUNT_USER_PREFIX) ? text(sub) : undefined;
}

/** Ten lower-case letters and digits: the id of a run. */
export function newRun(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10);
}

/** What is wrong with a credential that is answered with 401, as far as it shows. */
async function whyRefused({ credential }: Connection, signal: AbortSignal): Promise<string> {
  const plain = 'GET /version answers 401';
  try {
    const { certificate } = await credential.current(signal);
    if (certificate === undefined) return plain;
    const { validFrom, validTo } = new X509Certificate(certificate.certificate);
    if (Date.parse(validTo) < Date.now()) return `its client certificate ended on ${validTo}`;
    if (Date.parse(validFrom) > Date.now()) return `its client certificate begins on ${validFrom} only`;
    return plain;
  } catch {
    return plain;
  }
}

/**
 * Is it a Kubernetes API server that answers? A version that cannot be read does not matter here: rules that need it
 * say so.
 */
async function demandApiServer(target: HttpTarget, refused: () => Promise<string>): Promise<Facts['version']> {
  const answer = await target.admin.ask({ path: '/version' });
  const no = (seen: string): TargetUnreachable =>
    new TargetUnreachable(
      `What answers at ${target.facts.server} is no Kubernetes API server: ${seen}.`,
      'no-api-server',
    );
  const location = answer.headers.location;
  if (answer.status >= 300 && answer.status < 400) {
    throw no(
      `GET /version answers ${answer.status}${typeof location === 'string' ? `, a redirect to ${target.redactor.redact(location)}` : ''}; joinproof follows no redirect`,
    );
  }
  if (/^\s*<(!doctype|html|\?xml)/i.test(answer.text))
    throw no(`GET /version answers ${answer.status} with an HTML page, as a login page or a proxy does`);
  if (answer.status === 401)
    throw new TargetUnreachable(
      `${target.facts.server} does not accept the credential: ${await refused()}.`,
      'no-api-server',
    );
  if (answer.status === 403) return versionIn(answer);
  if (answer.status !== 200) throw no(`GET /version answers ${answer.status}`);
  if (typeof answer.body !== 'object' || answer.body === null)
    throw no('GET /version answers 200 without a JSON object');
  const version = versionIn(answer);
  if ('unreadable' in version && !('gitVersion' in answer.body) && !('minor' in answer.body))
    throw no('GET /version answers with an object that shows no version');
  return version;
}
