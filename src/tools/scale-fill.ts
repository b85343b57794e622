/** Fills a cluster with what large clusters hold, for `npm run bench -- scale`, and takes it away again. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { base64 } from '../kubernetes/json.js';
import {
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
} from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { apiVersionOf, pathOf, type Resource, resources } from '../kubernetes/resources.js';
import { nodeRequest } from '../run/making.js';
import type { Connection } from '../targets/connection.js';
import { type Sent, Transport } from '../targets/transport.js';

export interface Amounts {
  readonly tokens: number;
  readonly secrets: number;
  readonly requests: number;
  readonly bindings: number;
  /** Bytes of each Secret that is no token. */
  readonly bytes: number;
}

const LABEL = 'bench.joinproof.io/scale';
/** Requests in flight. */
const WIDTH = 16;
const NAMESPACES = 50;
const CREATE_MS = 60_000;

interface Made {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly as?: string;
}

const namespaceOf = (index: number): string => `bench-scale-${index % NAMESPACES}`;
const letters = (length: number): string =>
  [...randomBytes(length)].map((byte) => 'abcdefghijklmnopqrstuvwxyz0123456789'[byte % 36]).join('');

/** Every second one is for signing too: cluster-info cannot hold the signatures of 10,000. */
function token(index: number): Made {
  const id = letters(6);
  const values = {
    [TOKEN_KEYS.id]: id,
    [TOKEN_KEYS.secret]: letters(16),
    [TOKEN_KEYS.expiration]: new Date(Date.now() + 86_400_000).toISOString(),
    [TOKEN_KEYS.groups]: GROUP_DEFAULT_NODE_TOKEN,
    [USAGE_AUTHENTICATION]: 'true',
    ...(index % 2 === 0 ? { [USAGE_SIGNING]: 'true' } : {}),
  };
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)]));
  const metadata = { name: TOKEN_SECRET_PREFIX + id, namespace: KUBE_SYSTEM };
  return { resource: resources.secrets, object: { metadata, type: TOKEN_SECRET_TYPE, data } };
}

function otherSecret(index: number, bytes: number): Made {
  const metadata = { name: `password-${letters(10)}`, namespace: namespaceOf(index) };
  const data = { password: randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64') };
  return { resource: resources.secrets, object: { metadata, type: 'Opaque', data } };
}

/** Each of a machine of its own, as the bearer of a token asks. */
function request(): Made {
  const { object } = nodeRequest(`bench-scale-${letters(10)}`, `bench-scale-${letters(10)}`);
  return { resource: resources.certificateSigningRequests, object, as: `system:bootstrap:${letters(6)}` };
}

function binding(index: number): Made {
  const group = 'rbac.authorization.k8s.io';
  const metadata = { name: `readers-${letters(10)}`, namespace: namespaceOf(index) };
  const subjects = [{ kind: 'Group', apiGroup: group, name: `team-${index % 100}` }];
  const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'view' };
  return { resource: resources.roleBindings, object: { metadata, subjects, roleRef } };
}

function* objectsOf({ tokens, secrets, requests, bindings, bytes }: Amounts): Generator<Made> {
  for (let index = 0; index < NAMESPACES; index += 1)
    yield { resource: resources.namespaces, object: { metadata: { name: namespaceOf(index) } } };
  for (let index = 0; index < tokens; index += 1) yield token(index);
  for (let index = 0; index < secrets; index += 1) yield otherSecret(index, bytes);
  for (let index = 0; index < requests; index += 1) yield request();
  for (let index = 0; index < bindings; index += 1) yield binding(index);
}

/** The impersonation headers of a token's bearer. */
const bearerOf = (user: string): readonly (readonly [string, string])[] => [
  ['impersonate-user', user],
  ...[GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED].map(
    (group) => ['impersonate-group', group] as const,
  ),
];

export class Filler {
  readonly #transport: Transport;
  readonly #signal: AbortSignal;

  constructor(connection: Connection, signal: AbortSignal) {
    setMaxListeners(0, signal);
    this.#transport = new Transport(connection, { secret: () => {}, redact: (text) => text });
    this.#signal = signal;
  }

  /** Throws where one of them is refused. */
  async fill(amounts: Amounts): Promise<void> {
    const all = objectsOf(amounts);
    // namespaces first: what lies in them needs them
    for (let index = 0; index < NAMESPACES; index += 1) {
      const namespace = all.next();
      if (namespace.done !== true) await this.#create(namespace.value);
    }
    const worker = async (): Promise<void> => {
      for (let next = all.next(); next.done !== true; next = all.next()) await this.#create(next.value);
    };
    await Promise.all(Array.from({ length: WIDTH }, worker));
  }

  async #create({ resource, object, as }: Made): Promise<void> {
    const marked = { ...object, metadata: { ...object.metadata, labels: { [LABEL]: 'true' } } };
    const path = pathOf(resource, { namespace: object.metadata.namespace });
    const body = JSON.stringify({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...marked });
    const headers = [['content-type', 'application/json'] as const, ...(as === undefined ? [] : bearerOf(as))];
    const asked = { method: 'POST', path, headers, body, timeoutMs: CREATE_MS };
    const { status, text } = await this.#transport.send({ kind: 'admin' }, asked, this.#signal);
    if (status !== 201 && status !== 409)
      throw new Error(`${resource.kind} was refused with ${status}: ${text.slice(0, 200)}`);
  }

  /** Takes away what any filling has made. */
  async empty(): Promise<void> {
    const query = `?labelSelector=${encodeURIComponent(LABEL)}`;
    const away = async (path: string): Promise<void> => {
      // what it answers lists all that was deleted
      const read: Sent['read'] = async (body, alive) => {
        for await (const _ of body) alive();
        return '';
      };
      const asked = { method: 'DELETE', path, headers: [], timeoutMs: CREATE_MS, read };
      await this.#transport.send({ kind: 'admin' }, asked, this.#signal);
    };
    await away(pathOf(resources.secrets, { namespace: KUBE_SYSTEM }) + query);
    await away(pathOf(resources.certificateSigningRequests) + query);
    for (let index = 0; index < NAMESPACES; index += 1) {
      const namespace = namespaceOf(index);
      for (const resource of [resources.secrets, resources.roleBindings])
        await away(pathOf(resource, { namespace }) + query);
      await away(pathOf(resources.namespaces, { name: namespace }));
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
