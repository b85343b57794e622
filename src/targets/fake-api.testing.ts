/**
 * For tests only: as little of an API server as the client, the journal and the sweep need. Not the reference: it
 * judges nothing.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mergePatched } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { HttpTarget, type HttpTargetOptions } from './http-target.js';
import { bodyOf, connectionTo, type LocalServer, serve } from './local-server.testing.js';

/** Id of the run of a target that openOn() opens. */
export const RUN = 'abcdefghij';

export const openOn = (api: FakeApi, more: Partial<HttpTargetOptions> = {}): HttpTarget =>
  new HttpTarget({
    kind: 'cluster',
    connection: connectionTo(api, { authorization: 'Bearer admin-secret-token' }),
    signal: new AbortController().signal,
    run: RUN,
    ...more,
  });

export const configMap = (name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...more },
});

/** Path of a ConfigMap. */
export const at = (name: string, namespace = 'default'): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;

export interface FakeApi extends LocalServer {
  /** Objects by the path of each. */
  readonly objects: Map<string, KubeObject>;
  /** "METHOD path" of every request that came. */
  readonly asked: string[];
  /** Looked up before anything else: answers of one's own. Return true where it has answered. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean;
  put(path: string, object: KubeObject): void;
}

export async function fakeApi(): Promise<FakeApi> {
  const objects = new Map<string, KubeObject>();
  const asked: string[] = [];
  let uids = 0;
  let fake: FakeApi | undefined;
  const stored = (path: string, object: KubeObject): KubeObject => {
    const [, resource = '', name = ''] = /\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const whole = {
      kind: KINDS.get(resource) ?? '',
      ...object,
      metadata: {
        name,
        uid: `uid-${++uids}`,
        creationTimestamp: new Date().toISOString(),
        ...object.metadata,
      },
    };
    objects.set(path, whole);
    return whole;
  };
  const end = (path: string): void => {
    const object = objects.get(path);
    if (object === undefined || (object.metadata.finalizers ?? []).length === 0) objects.delete(path);
    else
      objects.set(path, { ...object, metadata: { ...object.metadata, deletionTimestamp: new Date().toISOString() } });
  };
  const server = await serve(async (request, response) => {
    const method = request.method ?? 'GET';
    const text = await bodyOf(request);
    asked.push(`${method} ${(request.url ?? '/').replace(/\?.*/, '')}`);
    if (fake?.before(request, response) === true) return;
    const url = new URL(request.url ?? '/', 'https://x');
    const say = (code: number, body: unknown): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (code: number, reason: string): void =>
      say(code, {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message: `${url.pathname}: ${reason}`,
        reason,
        code,
      });
    const sent = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
    if (url.pathname === '/version') return say(200, { major: '1', minor: '36', gitVersion: 'v1.36.0' });
    const there = objects.get(url.pathname);
    if (method === 'POST') {
      const object = sent as unknown as KubeObject;
      const name = object.metadata?.name ?? `${object.metadata?.generateName ?? 'x'}${String(uids).padStart(5, '0')}`;
      if (url.searchParams.get('dryRun') === 'All')
        return say(201, { ...object, metadata: { ...object.metadata, uid: 'dry' } });
      if (objects.has(`${url.pathname}/${name}`)) return refuse(409, 'AlreadyExists');
      return say(201, stored(`${url.pathname}/${name}`, { ...object, metadata: { ...object.metadata, name } }));
    }
    if (there === undefined && isCollection(url) && method === 'GET') return say(200, list(objects, url));
    if (there === undefined && isCollection(url) && method === 'DELETE') {
      for (const [path] of selected(objects, url)) end(path);
      return say(200, { kind: 'List', metadata: {}, items: [] });
    }
    if (there === undefined) return refuse(404, 'NotFound');
    if (method === 'GET') return say(200, there);
    if (method === 'PATCH') {
      const after = mergePatched(there, sent) as KubeObject;
      if (url.searchParams.get('dryRun') === 'All') return say(200, after);
      if ((after.metadata.finalizers ?? []).length === 0 && after.metadata.deletionTimestamp !== undefined)
        objects.delete(url.pathname);
      else objects.set(url.pathname, after);
      return say(200, after);
    }
    const uid = (sent?.preconditions as { uid?: string } | undefined)?.uid;
    if (uid !== undefined && uid !== there.metadata.uid) return refuse(409, 'Conflict');
    // Where there is a body the query counts for nothing.
    if (sent !== undefined || url.searchParams.get('dryRun') !== 'All') end(url.pathname);
    return say(200, { kind: 'Status', status: 'Success' });
  });
  fake = { ...server, objects, asked, put: (path, object) => void stored(path, object), before: () => false };
  return fake;
}

/** By their plurals. */
const KINDS = new Map<string, string>(Object.values(resources).map(({ resource, kind }) => [resource, kind]));
const isCollection = ({ pathname }: URL): boolean => KINDS.has(pathname.replace(/.*\//, ''));

/** What a collection and a label selector name; without a namespace in the path, of all namespaces. */
function selected(objects: ReadonlyMap<string, KubeObject>, url: URL): (readonly [string, KubeObject])[] {
  const [, root = '', namespace, resource = ''] =
    /^(\/apis?(?:\/[^/]+){1,2})(\/namespaces\/[^/]+)?\/([^/]+)$/.exec(url.pathname) ?? [];
  const selector = url.searchParams.get('labelSelector') ?? '';
  const [, key = '', values = ''] = /^([^=\s]*)(?:=| in \()?([^)]*)\)?$/.exec(selector) ?? [];
  return [...objects].filter(([path, { metadata }]) => {
    const rest = path.startsWith(root)
      ? path.slice(root.length).replace(namespace ?? /^\/namespaces\/[^/]+(?=\/.+\/)/, '')
      : '';
    if (!rest.startsWith(`/${resource}/`) || rest.split('/').length !== 3) return false;
    const label = metadata.labels?.[key];
    return key === '' || (label !== undefined && (values === '' || values.split(',').includes(label)));
  });
}

function list(objects: ReadonlyMap<string, KubeObject>, url: URL): unknown {
  const found = selected(objects, url).map(([, object]) => object);
  const limit = Number(url.searchParams.get('limit') ?? '500');
  const from = Number(url.searchParams.get('continue') ?? '0');
  const next = from + limit < found.length ? String(from + limit) : undefined;
  return {
    kind: 'List',
    metadata: { resourceVersion: '7', ...(next === undefined ? {} : { continue: next }) },
    items: found.slice(from, from + limit),
  };
}
