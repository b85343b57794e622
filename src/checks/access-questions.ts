/**
 * Access as kubectl writes it ("create deployments.apps", "get nodes/proxy"): the review that asks for it, and the real
 * request that tries it as a dry run. Pure.
 * Source: authorization.k8s.io/v1 SubjectAccessReview; apiserver, pkg/endpoints/request/requestinfo.go (verbs of
 * methods).
 */
import type { KubeObject } from '../kubernetes/objects.js';

export interface Access {
  readonly verb: string;
  readonly group: string;
  /** without its subresource */
  readonly resource: string;
  readonly subresource: string;
  /** '' at the cluster scope, or for all namespaces */
  readonly namespace: string;
  /** '' for any */
  readonly name: string;
}

/**
 * Parses "pods/exec", "deployments.apps", "nodes", "/api" with a verb, a namespace ('' for none) and a name ('' for
 * any).
 */
export function access(verb: string, what: string, where = '', name = ''): Access {
  if (what.startsWith('/')) return { verb, group: '', resource: what, subresource: '', namespace: '', name: '' };
  const [path = '', subresource = ''] = what.split('/', 2);
  const dot = path.indexOf('.');
  // kubectl puts the group after the resource and the subresource last: signers.certificates.k8s.io, pods/exec
  const [last = '', ...group] = subresource.split('.');
  const resource = dot < 0 ? path : path.slice(0, dot);
  return {
    verb,
    group: dot < 0 ? group.join('.') : path.slice(dot + 1),
    resource,
    subresource: last,
    namespace: where,
    name,
  };
}

export function accessText(wanted: Access): string {
  const resource = wanted.subresource === '' ? wanted.resource : `${wanted.resource}/${wanted.subresource}`;
  const group = wanted.group === '' ? '' : `.${wanted.group}`;
  const name = wanted.name === '' ? '' : ` ${wanted.name}`;
  const where = wanted.namespace === '' ? '' : ` in ${wanted.namespace}`;
  return `${wanted.verb} ${resource}${group}${name}${where}`;
}

/** Whom a review asks about. */
export interface Asked {
  readonly user: string;
  readonly groups: readonly string[];
}

const attributesOf = (wanted: Access): Readonly<Record<string, unknown>> =>
  wanted.resource.startsWith('/')
    ? { nonResourceAttributes: { verb: wanted.verb, path: wanted.resource } }
    : {
        resourceAttributes: {
          verb: wanted.verb,
          group: wanted.group,
          version: '*',
          resource: wanted.resource,
          ...(wanted.subresource === '' ? {} : { subresource: wanted.subresource }),
          ...(wanted.namespace === '' ? {} : { namespace: wanted.namespace }),
          ...(wanted.name === '' ? {} : { name: wanted.name }),
        },
      };

/** The review; the answer's status.allowed is the API server's opinion. */
export const reviewOf = (wanted: Access, { user, groups }: Asked): KubeObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  metadata: {},
  spec: { user, groups, ...attributesOf(wanted) },
});

export interface AccessQuestion {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** The real request. What writes is a dry run; authorization comes before the body is read, so an empty one will do. */
export function questionOf(wanted: Access): AccessQuestion {
  if (wanted.resource.startsWith('/')) return { method: 'GET', path: wanted.resource, query: {} };
  const root = wanted.group === '' ? '/api/v1' : `/apis/${wanted.group}/v1`;
  const scope = wanted.namespace === '' ? '' : `/namespaces/${wanted.namespace}`;
  const collection = `${root}${scope}/${wanted.resource}`;
  const one = `${collection}/${encodeURIComponent(wanted.name === '' ? 'joinproof-asks' : wanted.name)}`;
  const object = wanted.subresource === '' ? one : `${one}/${wanted.subresource}`;
  const dry = { dryRun: 'All' };
  switch (wanted.verb) {
    case 'list':
      return { method: 'GET', path: collection, query: { limit: '1' } };
    case 'watch':
      return { method: 'GET', path: collection, query: { watch: 'true', timeoutSeconds: '1' } };
    case 'create':
      return {
        method: 'POST',
        path: wanted.subresource === '' ? collection : object,
        query: dry,
        body: bodyOf(wanted),
      };
    case 'update':
      return { method: 'PUT', path: object, query: dry, body: {} };
    case 'patch':
      return { method: 'PATCH', path: object, query: dry, body: {}, contentType: 'application/merge-patch+json' };
    case 'delete':
      return { method: 'DELETE', path: object, query: dry };
    default:
      return { method: 'GET', path: object, query: {} };
  }
}

/** A binding without a role makes the server stumble before it answers; any other body may be empty. */
const bodyOf = (wanted: Access): unknown =>
  wanted.resource.endsWith('rolebindings')
    ? {
        metadata: { name: wanted.name === '' ? 'jp-absent' : wanted.name },
        roleRef: {
          apiGroup: wanted.group,
          kind: wanted.resource === 'rolebindings' ? 'Role' : 'ClusterRole',
          name: 'jp-absent',
        },
      }
    : {};
