/**
 * Access as kubectl writes it ("create deployments.apps", "get nodes/proxy"): the review that asks for it, and the real
 * request that tries it as a dry run. Pure.
 * Source: authorization.k8s.io/v1 SubjectAccessReview; apiserver, pkg/endpoints/request/requestinfo.go (verbs of
 * methods).
 */
import type { KubeObject } from '../../kubernetes/objects.js';

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

/** "pods/exec", "deployments.apps", "deployments.apps/scale", "*.*" */
export function resourceIn(what: string): Pick<Access, 'group' | 'resource' | 'subresource'> {
  const [path = '', subresource = ''] = what.split('/', 2);
  const [resource = '', ...group] = path.split('.');
  return { group: group.join('.'), resource, subresource };
}

/** With a verb, a namespace ('' for none) and a name ('' for any): "pods/exec", "deployments.apps/scale", "/api". */
export const access = (verb: string, what: string, where = '', name = ''): Access =>
  what.startsWith('/')
    ? { verb, group: '', resource: what, subresource: '', namespace: '', name: '' }
    : { verb, ...resourceIn(what), namespace: where, name };

export function accessText(wanted: Access): string {
  const group = wanted.group === '' ? '' : `.${wanted.group}`;
  const subresource = wanted.subresource === '' ? '' : `/${wanted.subresource}`;
  const name = wanted.name === '' ? '' : ` ${wanted.name}`;
  const where = wanted.namespace === '' ? '' : ` in ${wanted.namespace}`;
  return `${wanted.verb} ${wanted.resource}${group}${subresource}${name}${where}`;
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

/**
 * The real request. What writes is a dry run; authorization comes before the body is read, so an empty one will do.
 * Throws where no request is authorized as that verb ("bind", "approve", "*").
 */
export function questionOf(wanted: Access): AccessQuestion {
  if (wanted.resource.startsWith('/')) return { method: 'GET', path: wanted.resource, query: {} };
  const root = wanted.group === '' ? '/api/v1' : `/apis/${wanted.group}/v1`;
  const scope = wanted.namespace === '' ? '' : `/namespaces/${wanted.namespace}`;
  const collection = `${root}${scope}/${wanted.resource}`;
  const one = `${collection}/${encodeURIComponent(wanted.name === '' ? 'joinproof-asks' : wanted.name)}`;
  const object = wanted.subresource === '' ? one : `${one}/${wanted.subresource}`;
  const dry = { dryRun: 'All' };
  // a list or watch of one name is authorized by that name
  const only = wanted.name === '' ? {} : { fieldSelector: `metadata.name=${wanted.name}` };
  switch (wanted.verb) {
    case 'list':
      return { method: 'GET', path: collection, query: { limit: '1', ...only } };
    case 'watch':
      return { method: 'GET', path: collection, query: { watch: 'true', timeoutSeconds: '1', ...only } };
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
      return { method: 'DELETE', path: object, query: dry, body: { ...NO_DELETION, preconditions: { uid: NO_UID } } };
    case 'deletecollection':
      return { method: 'DELETE', path: collection, query: { ...dry, labelSelector: NO_OBJECT }, body: NO_DELETION };
    case 'get':
      return { method: 'GET', path: object, query: {} };
    default:
      throw new Error(`no request is authorized as "${wanted.verb}": put it to the API server in reviews`);
  }
}

/**
 * What the API server authorizes for kubelets and serves nothing of. Source: kubelet, pkg/kubelet/server/auth.go.
 */
const OF_KUBELETS = /^\/api\/v1\/nodes\/[^/]+\/(?:log|stats|metrics|spec|pods|configz|healthz|checkpoint)$/;
export const isUnserved = ({ path }: Pick<AccessQuestion, 'path'>): boolean => OF_KUBELETS.test(path);

/** Nothing is deleted even where a gateway drops the query of a dry run: no object has this UID or this label. */
const NO_DELETION = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };
const NO_UID = '00000000-0000-4000-8000-000000000000';
const NO_OBJECT = 'joinproof.io/no-such-object=true';

/** Without what they bind the server stumbles over bindings before it answers; any other body may be empty. */
function bodyOf({ group, resource, subresource, name }: Access): unknown {
  const metadata = { name: name === '' ? 'jp-absent' : name };
  if (resource === 'bindings' || subresource === 'binding')
    return { metadata, target: { kind: 'Node', name: 'jp-absent' } };
  if (!resource.endsWith('rolebindings')) return {};
  const kind = resource === 'rolebindings' ? 'Role' : 'ClusterRole';
  return { metadata, roleRef: { apiGroup: group, kind, name: 'jp-absent' } };
}
