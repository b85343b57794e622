/**
 * From a RequestInfo to what is asked for: the definition, its subresource, and whether such a path exists at all.
 * Source: apiserver, pkg/endpoints/installer.go.
 */
import type { RequestInfo } from '../access.js';
import type { ResourceDefinition, Subresource } from '../resource-definition.js';
import type { Kinds } from './decode.js';
import { badRequest, noSuchMethod, noSuchPath } from './errors.js';
import { apiVersion, type Target } from './machinery.js';
import { splitPath } from './request-info.js';

export interface Routes extends Kinds {
  /** by "group/version/resource" */
  readonly byResource: ReadonlyMap<string, ResourceDefinition>;
  /** by "group/resource": what an in-process client names */
  readonly byGroupResource: ReadonlyMap<string, ResourceDefinition>;
  /** "group/version" of everything that is served */
  readonly groupVersions: ReadonlySet<string>;
}

export function routesOf(definitions: readonly ResourceDefinition[]): Routes {
  const byResource = new Map<string, ResourceDefinition>();
  const byGroupResource = new Map<string, ResourceDefinition>();
  const byKind = new Map<string, ResourceDefinition>();
  for (const definition of definitions) {
    byResource.set(`${definition.group}/${definition.version}/${definition.resource}`, definition);
    const key = `${definition.group}/${definition.resource}`;
    if (!byGroupResource.has(key)) byGroupResource.set(key, definition);
    byKind.set(`${apiVersion(definition)}/${definition.kind}`, definition);
  }
  return {
    byResource,
    byGroupResource,
    byKind,
    groupVersions: new Set(definitions.map(({ group, version }) => `${group}/${version}`)),
  };
}

export type Action = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface Route {
  readonly target: Target;
  readonly action: Action;
}

const COLLECTION: Readonly<Record<string, Action>> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' };
const ITEM: Readonly<Record<string, Action>> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** What a proxy passes on beside the methods of items. */
const PASSED_ON: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

/**
 * @throws ApiError 404 where no such path is served, 405 where it knows no such method,
 * 400 where a subresource is of nothing
 */
export function route(routes: Routes, method: string, info: RequestInfo, watching: boolean): Route {
  const definition = routes.byResource.get(`${info.group}/${info.version}/${info.resource}`);
  if (definition === undefined) throw noSuchPath();
  const parts = splitPath(info.path).slice(info.apiPrefix === 'api' ? 2 : 3);
  const prefixed = parts[0] === 'watch';
  if (prefixed) parts.shift();
  const scoped =
    parts[0] === 'namespaces' &&
    (parts[2] === definition.resource || (parts.length > 2 && definition.resource !== 'namespaces'));
  const rest = scoped ? parts.slice(2) : parts;
  if (scoped !== (definition.namespaced && scoped)) throw noSuchPath();
  if (rest[0] !== definition.resource || (rest.length > 3 && rest[2] !== 'proxy')) throw noSuchPath();
  const name = rest[1] ?? '';
  const subresourceName = rest[2] ?? '';
  const namespace = definition.namespaced ? info.namespace : '';
  if (name === '' && (subresourceName === '' || prefixed)) {
    if (rest.length > 1) throw noSuchPath();
    const target: Target = { definition, namespace, name: '', subresource: undefined };
    if (prefixed) return readOnly(target, method, 'watch');
    const action = COLLECTION[method];
    // All namespaces together can be listed, if anything can: there is no path else.
    if (definition.namespaced && !scoped && !definition.verbs.includes('list')) throw noSuchPath();
    if (definition.namespaced && !scoped && action !== 'list') throw noSuchMethod();
    return allowed(target, action === 'list' && watching ? 'watch' : action);
  }
  if (definition.namespaced && !scoped) throw noSuchPath();
  if (prefixed && rest.length > 2) throw noSuchPath();
  if (prefixed) return readOnly({ definition, namespace, name, subresource: undefined }, method, 'watch');
  if (subresourceName === '') {
    if (definition.answer !== undefined) throw noSuchPath();
    return allowed({ definition, namespace, name, subresource: undefined }, ITEM[method]);
  }
  const subresource = definition.subresources.find((candidate) => candidate.name === subresourceName);
  if (subresource === undefined) throw noSuchPath();
  const action =
    subresource.kind === 'action' && method === 'POST'
      ? 'create'
      : subresource.name === 'proxy' && PASSED_ON.has(method)
        ? 'get'
        : ITEM[method];
  if (action === undefined || !(subresource.verbs as readonly string[]).includes(action)) throw noSuchMethod();
  // Source: handlers/namer.go ContextBasedNaming.Name.
  if (name === '') throw badRequest('name must be provided');
  return { target: { definition, namespace, name, subresource: subresource satisfies Subresource }, action };
}

function readOnly(target: Target, method: string, action: Action): Route {
  if (method !== 'GET') throw noSuchMethod();
  return { target, action };
}

function allowed(target: Target, action: Action | undefined): Route {
  if (action === undefined || !target.definition.verbs.includes(action)) throw noSuchMethod();
  return { target, action };
}
