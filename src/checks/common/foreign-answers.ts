/** Answers that come from something before the API server. Pure. */
import { record } from '../../kubernetes/json.js';

/** What an API server answers by itself: not what kubelets, Pods and others answer through it. */
const OWN = /^\/(?:version$|(?:livez|readyz|healthz)$|apis?(?:$|\/(?!.*\/(?:proxy|log|exec|attach|portforward)\b)))/;

/** What an API server says of a group that is switched off: words, and no Status. Source: Go net/http NotFound. */
const NOT_SERVED = '404 page not found';

/** Lower case letters and digits of a kind, and the resource of that kind: "networkpolicy", "networkpolicies". */
const isPlural = (resource: string, kind: string): boolean =>
  [kind, `${kind}s`, `${kind}es`, `${kind.slice(0, -1)}ies`].includes(resource);

/** A request as this file looks at it. */
interface Put {
  readonly path: string;
  readonly method?: string;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Where objects of Kubernetes' own groups are: resource, name, and what follows that. */
const OF_OBJECTS =
  /^\/(?:api|apis\/(?:[a-z]+|(?!metrics\.)[a-z.]+\.k8s\.io))\/v[a-z0-9]+\/(?:namespaces\/[^/]+\/)?([a-z]+)(?:\/([^/]+))?(\/.*)?$/;
/** Resource and name that a path names; undefined where it leads elsewhere. */
function placeOf(path: string): { readonly resource: string; readonly name?: string | undefined } | undefined {
  const [, resource = '', name, sub] = OF_OBJECTS.exec(path) ?? [];
  const isElse = resource === '' || sub !== undefined || ['status', 'finalize', 'watch', 'bindings'].includes(resource);
  return isElse ? undefined : { resource, name };
}

/** Is it what is there: an object of that resource, or a list of them? Of what is deleted a Status may tell. */
function isOfPlace({ path, method = 'GET' }: Put, kind: string): boolean {
  const place = placeOf(path);
  if (place === undefined || method === 'DELETE') return method !== 'GET' || kind !== 'Status';
  const isList = method === 'GET' && place.name === undefined;
  if (isList && !kind.endsWith('List')) return false;
  return isPlural(place.resource, kind.slice(0, isList ? -'List'.length : undefined).toLowerCase());
}

/** A Status where something went wrong; else an object, a list or the event of a watch. */
function isApiBody(asked: Put, status: number, body: unknown): boolean {
  const { kind, type } = record(body);
  if (status >= 400) return kind === 'Status';
  if (!/^\/apis?(?:$|\/)/.test(asked.path) || ['HEAD', 'OPTIONS'].includes(asked.method ?? '')) return true;
  if (asked.query?.watch !== undefined) return body === undefined || typeof type === 'string';
  return typeof kind === 'string' && isOfPlace(asked, kind);
}

/**
 * What no API server answers to a request for its objects: a page, the way to another address, words or other JSON
 * instead of a Status or an object. It comes from something before it (a gateway, a login page) and says nothing of
 * what the API server would say. Source: apiserver, pkg/endpoints/handlers/responsewriters/writers.go.
 */
export const isForeign = (
  asked: Put,
  { status, text: whole, body }: { readonly status: number; readonly text: string; readonly body: unknown },
): boolean =>
  OWN.test(asked.path) &&
  ((status >= 300 && status < 400) ||
    !(isApiBody(asked, status, body) || (asked.path.startsWith('/apis/') && whole.trim() === NOT_SERVED)) ||
    whole.trimStart().startsWith('<'));
