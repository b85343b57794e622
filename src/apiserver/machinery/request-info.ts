/** What a URL and a method ask for. Source: apiserver, pkg/endpoints/request/requestinfo.go NewRequestInfo. */
import { withoutSlashes } from '../../kubernetes/slashes.js';
import type { RequestInfo } from '../access.js';
import { parseInt64 } from '../go/text.js';
import { badRequest } from './errors.js';
import { parseFieldSelector } from './field-selector.js';
import { parseLabelSelector } from './label-selector.js';
import { truthy } from './query.js';

/** What stands after /namespaces/{name}/ and is no resource of its own. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Parts of a path, without the slashes at both ends. */
export const splitPath = (path: string): string[] => {
  const trimmed = withoutSlashes(path).replace(/^\/+/, '');
  return trimmed === '' ? [] : trimmed.split('/');
};

/** @param path decoded path of the URL */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const plain: RequestInfo = {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix: '',
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
  };
  let parts = splitPath(path);
  if (parts.length < 3 || (parts[0] !== 'api' && parts[0] !== 'apis')) return plain;
  const apiPrefix = parts[0];
  parts = parts.slice(1);
  let group = '';
  if (apiPrefix === 'apis') {
    if (parts.length < 3) return { ...plain, apiPrefix };
    group = parts[0] ?? '';
    parts = parts.slice(1);
  }
  const version = parts[0] ?? '';
  parts = parts.slice(1);
  let verb = VERBS[method] ?? '';
  if (parts[0] === 'watch' || parts[0] === 'proxy') {
    if (parts.length < 2) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
    verb = parts[0];
    parts = parts.slice(1);
  }
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? '';
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '')) parts = parts.slice(2);
  }
  const subresource = parts.length >= 3 && verb !== 'proxy' ? (parts[2] ?? '') : '';
  let name = parts[1] ?? '';
  const resource = parts[0] ?? '';
  const fieldSelector = query.get('fieldSelector') ?? undefined;
  const labelSelector = query.get('labelSelector') ?? undefined;
  if (name === '' && verb === 'get') {
    verb = truthy(query.get('watch')) ? 'watch' : 'list';
    // Of options that cannot be read, nothing counts but whether it is a watch.
    name = areRead(query) ? nameSelected(fieldSelector) : '';
  } else if (name === '' && verb === 'delete') {
    verb = 'deletecollection';
  }
  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

/** Whether the options of a list can be read, but for the selector of fields. */
const areRead = (query: URLSearchParams): boolean =>
  !('error' in parseLabelSelector(query.get('labelSelector') ?? '')) &&
  ['timeoutSeconds', 'limit'].every((key) => !('error' in parseInt64(query.get(key) ?? '0')));

/** metadata.name=x makes a list a question about one object, for authorizers. */
function nameSelected(selector: string | undefined): string {
  if (selector === undefined || selector === '') return '';
  const parsed = parseFieldSelector(selector);
  if ('error' in parsed) return '';
  const exact = parsed.requirements.find(
    (requirement) => requirement.field === 'metadata.name' && requirement.operator === '=',
  );
  return exact === undefined || /[/%]/.test(exact.value) || exact.value === '.' || exact.value === '..'
    ? ''
    : exact.value;
}
