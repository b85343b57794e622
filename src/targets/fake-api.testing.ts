/** For tests only: as little of an API server as the client, the journal and the sweep need. Not the reference: it judges nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject } from '../kubernetes/objects.js';
import { bodyOf, type LocalServer, serve } from './local-server.testing.js';
import { mergeApply } from './merge-patch.js';

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
    const whole = {
      ...object,
      metadata: { uid: `uid-${++uids}`, creationTimestamp: new Date().toISOString(), ...object.metadata },
    };
    objects.set(path, whole);
    return whole;
  };
  const server = await serve(async (request, response) => {
    const url = new URL(request.url ?? '/', 'https://x');
    const method = request.method ?? 'GET';
    const text = await bodyOf(request);
    asked.push(`${method} ${url.pathname}`);
    if (fake?.before(request, response) === true) return;
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
      const name = object.metadata?.name ?? `${object.metadata?.generateName ?? 'x'}${uids}`;
      if (url.searchParams.get('dryRun') === 'All') return say(201, object);
      if (objects.has(`${url.pathname}/${name}`)) return refuse(409, 'AlreadyExists');
      return say(201, stored(`${url.pathname}/${name}`, { ...object, metadata: { ...object.metadata, name } }));
    }
    if (there === undefined && /s$/.test(url.pathname) && method === 'GET') return say(200, list(objects, url));
    if (there === undefined) return refuse(404, 'NotFound');
    if (method === 'GET') return say(200, there);
    if (method === 'PATCH') {
      const after = mergeApply(there, sent) as KubeObject;
      if (url.searchParams.get('dryRun') === 'All') return say(200, after);
      if ((after.metadata.finalizers ?? []).length === 0 && after.metadata.deletionTimestamp !== undefined)
        objects.delete(url.pathname);
      else objects.set(url.pathname, after);
      return say(200, after);
    }
    const uid = (sent?.preconditions as { uid?: string } | undefined)?.uid;
    if (uid !== undefined && uid !== there.metadata.uid) return refuse(409, 'Conflict');
    if ((there.metadata.finalizers ?? []).length > 0)
      objects.set(url.pathname, {
        ...there,
        metadata: { ...there.metadata, deletionTimestamp: new Date().toISOString() },
      });
    else objects.delete(url.pathname);
    return say(200, { kind: 'Status', status: 'Success' });
  });
  fake = { ...server, objects, asked, put: (path, object) => void stored(path, object), before: () => false };
  return fake;
}

/** A collection; without a namespace in the path, of all namespaces. */
function list(objects: ReadonlyMap<string, KubeObject>, url: URL): unknown {
  const [, root = '', namespace, resource = ''] =
    /^(\/apis?(?:\/[^/]+){1,2})(\/namespaces\/[^/]+)?\/([^/]+)$/.exec(url.pathname) ?? [];
  const selector = url.searchParams.get('labelSelector') ?? '';
  const [key = '', value] = selector.split('=');
  const found = [...objects]
    .filter(([path]) => {
      const rest = path.startsWith(root)
        ? path.slice(root.length).replace(namespace ?? /^\/namespaces\/[^/]+(?=\/.+\/)/, '')
        : '';
      return rest.startsWith(`/${resource}/`) && rest.split('/').length === 3;
    })
    .map(([, object]) => object)
    .filter(
      (object) =>
        selector === '' ||
        (value === undefined ? object.metadata.labels?.[key] !== undefined : object.metadata.labels?.[key] === value),
    );
  const limit = Number(url.searchParams.get('limit') ?? '500');
  const from = Number(url.searchParams.get('continue') ?? '0');
  const next = from + limit < found.length ? String(from + limit) : undefined;
  return {
    kind: 'List',
    metadata: { ...(next === undefined ? {} : { continue: next }) },
    items: found.slice(from, from + limit),
  };
}
