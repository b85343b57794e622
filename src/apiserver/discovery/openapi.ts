/**
 * OpenAPI v2 and v3, made from the definitions when first asked for: enough for kubectl explain, validation, apply,
 * diff and edit. Source: kube-openapi, pkg/handler, pkg/handler3, pkg/builder3; apiserver, pkg/endpoints/openapi.
 */
import { createHash } from 'node:crypto';
import { goPackage } from '../go/type-name.js';
import type { ApiResponse, Headers } from '../machinery/http.js';
import { apiVersion, type Machinery } from '../machinery/machinery.js';
import { JSON_TYPE, readable } from '../machinery/negotiate.js';
import { completeSchema } from '../machinery/object-meta.js';

import type { ResourceDefinition } from '../resource-definition.js';
import { hasFeature } from '../versions.js';
import { Components, type Document } from './openapi-schemas.js';
import { encodeOpenapiV2 } from './openapi-v2-message.js';

const QUERY = {
  create: ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'],
  update: ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'],
  patch: ['dryRun', 'fieldManager', 'fieldValidation', 'force', 'pretty'],
  delete: ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy', 'pretty'],
  get: ['pretty'],
  list: [
    'allowWatchBookmarks',
    'continue',
    'fieldSelector',
    'labelSelector',
    'limit',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'timeoutSeconds',
    'watch',
    'pretty',
  ],
} as const;
const METHODS = {
  get: 'get',
  list: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
} as const;
const TYPES: Readonly<Record<string, 'integer' | 'boolean'>> = {
  gracePeriodSeconds: 'integer',
  limit: 'integer',
  timeoutSeconds: 'integer',
  orphanDependents: 'boolean',
  watch: 'boolean',
  force: 'boolean',
  allowWatchBookmarks: 'boolean',
  sendInitialEvents: 'boolean',
};

function operation(
  definition: ResourceDefinition,
  verb: keyof typeof METHODS,
  reference: Document,
  v3: boolean,
): Document {
  const { group, version, kind, resource } = definition;
  const known = verb === 'deletecollection' ? QUERY.delete : QUERY[verb];
  const parameters: Document[] = known.map((name) => {
    const type = TYPES[name] ?? 'string';
    return v3
      ? { name, in: 'query', schema: { type, uniqueItems: true } }
      : { name, in: 'query', type, uniqueItems: true };
  });
  const takesBody = verb === 'create' || verb === 'update' || verb === 'patch';
  if (takesBody && !v3)
    parameters.push({
      name: 'body',
      in: 'body',
      required: true,
      schema: verb === 'patch' ? { type: 'object' } : reference,
    });
  const content = { 'application/json': { schema: reference }, 'application/yaml': { schema: reference } };
  const ok = v3 ? { description: 'OK', content } : { description: 'OK', schema: reference };
  return {
    operationId: `${verb}${kind}${resource}`,
    ...(v3 ? {} : { consumes: ['*/*'], produces: ['application/json', 'application/yaml'] }),
    parameters,
    ...(takesBody && v3
      ? {
          requestBody: {
            required: true,
            content: verb === 'patch' ? { 'application/merge-patch+json': { schema: { type: 'object' } } } : content,
          },
        }
      : {}),
    responses: { [verb === 'create' ? '201' : '200']: ok, '401': { description: 'Unauthorized' } },
    'x-kubernetes-action': verb === 'create' ? 'post' : verb === 'update' ? 'put' : verb,
    'x-kubernetes-group-version-kind': { group, kind, version },
  };
}

function addPaths(paths: Document, definition: ResourceDefinition, reference: Document, v3: boolean): void {
  const root =
    definition.group === '' ? `/api/${definition.version}` : `/apis/${definition.group}/${definition.version}`;
  const base = definition.namespaced
    ? `${root}/namespaces/{namespace}/${definition.resource}`
    : `${root}/${definition.resource}`;
  const parameter = (name: string): Document =>
    v3
      ? { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } }
      : { name, in: 'path', required: true, type: 'string', uniqueItems: true };
  const scope = definition.namespaced ? [parameter('namespace')] : [];
  const operations = (verbs: readonly (keyof typeof METHODS)[], allowed: readonly string[]): Document =>
    Object.fromEntries(
      verbs
        .filter((verb) => allowed.includes(verb))
        .map((verb) => [METHODS[verb], operation(definition, verb, reference, v3)]),
    );
  paths[base] = { ...operations(['list', 'create', 'deletecollection'], definition.verbs), parameters: scope };
  if (definition.answer !== undefined) return;
  const item = `${base}/{name}`;
  const named = [parameter('name'), ...scope];
  paths[item] = { ...operations(['get', 'update', 'patch', 'delete'], definition.verbs), parameters: named };
  for (const { name, verbs } of definition.subresources) {
    paths[`${item}/${name}`] = {
      ...operations(['get', 'create', 'update', 'patch', 'delete'], verbs as readonly string[]),
      parameters: named,
    };
  }
}

const documentVersion = ({ gitVersion, minor }: Machinery['version']): string =>
  hasFeature('openapiOfEmulated', minor) ? `1.${minor}` : (gitVersion.split('-')[0] ?? '');

function build(definitions: readonly ResourceDefinition[], version: Machinery['version'], v3: boolean): Document {
  const prefix = v3 ? '#/components/schemas/' : '#/definitions/';
  const components = new Components(prefix, v3);
  const paths: Document = {};
  for (const definition of definitions) {
    const schema = completeSchema(definition.schema);
    const group = goPackage(definition.group);
    const reference = components.struct(schema, group, `${definition.version}.${definition.kind}`);
    const gvk = [{ group: definition.group, kind: definition.kind, version: definition.version }];
    const name = components.nameOf(schema) ?? '';
    components.schemas[name] = { ...components.schemas[name], 'x-kubernetes-group-version-kind': gvk };
    addPaths(paths, definition, reference, v3);
  }
  const info = { title: 'Kubernetes', version: documentVersion(version) };
  return v3
    ? { openapi: '3.0.0', info, paths, components: { schemas: components.schemas } }
    : { swagger: '2.0', info, paths, definitions: components.schemas };
}

const rootOf = (definition: Pick<ResourceDefinition, 'group' | 'version'>): string =>
  definition.group === '' ? `api/${definition.version}` : `apis/${apiVersion(definition)}`;

interface Built {
  v2?: Document;
  /** By media type. */
  readonly v2Bodies: Map<string, string | Buffer>;
  readonly v3: Map<string, string>;
}
const built = new WeakMap<Machinery, Built>();

function builtFor(machinery: Machinery): Built {
  const kept = built.get(machinery) ?? { v2Bodies: new Map(), v3: new Map() };
  built.set(machinery, kept);
  return kept;
}

const full = (code: number, body: string | Buffer, headers: Headers): ApiResponse => ({
  kind: 'full',
  code,
  headers: { 'Cache-Control': 'no-cache, private', ...headers },
  body,
});

/** Protocol buffers by their old name and by their new one, which is the answer's. Source: kube-openapi, pkg/handler. */
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V2_TYPES = [JSON_TYPE, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', PROTOBUF] as const;

function version2(kept: Built, accept: string, make: () => Document): ApiResponse {
  const vary = 'Accept-Encoding, Accept';
  const wanted = readable(accept, V2_TYPES);
  if (wanted === undefined) return full(406, '', { Vary: vary });
  const type = wanted === JSON_TYPE ? JSON_TYPE : PROTOBUF;
  let body = kept.v2Bodies.get(type);
  if (body === undefined) {
    kept.v2 ??= make();
    body = type === JSON_TYPE ? JSON.stringify(kept.v2) : encodeOpenapiV2(kept.v2);
    kept.v2Bodies.set(type, body);
  }
  return full(200, body, { 'Content-Type': type, Vary: vary });
}

/** @param parts of the path, "openapi" first */
export function openapi(machinery: Machinery, parts: readonly string[], accept: string): ApiResponse | 'none' {
  const kept = builtFor(machinery);
  const { definitions, version } = machinery;
  if (parts.length === 2 && parts[1] === 'v2') return version2(kept, accept, () => build(definitions, version, false));
  if (parts[1] !== 'v3') return 'none';
  const roots = [...new Set(definitions.map(rootOf))].sort();
  if (parts.length === 2) {
    const hashOf = (root: string): string => {
      const names = definitions.filter((definition) => rootOf(definition) === root).map(({ resource }) => resource);
      return createHash('sha256')
        .update(JSON.stringify([version.gitVersion, root, names]))
        .digest('hex')
        .toUpperCase();
    };
    return full(
      200,
      JSON.stringify({
        paths: Object.fromEntries(
          roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=${hashOf(root)}` }]),
        ),
      }),
      { 'Content-Type': 'text/plain; charset=utf-8' },
    );
  }
  const wanted = parts.slice(2).join('/');
  if (!roots.includes(wanted)) return full(404, '', {});
  if (readable(accept, [JSON_TYPE]) === undefined) return full(406, '', { Vary: 'Accept' });
  const ofGroup = definitions.filter((definition) => rootOf(definition) === wanted);
  const text = kept.v3.get(wanted) ?? JSON.stringify(build(ofGroup, version, true));
  kept.v3.set(wanted, text);
  return full(200, text, { 'Content-Type': JSON_TYPE, Vary: 'Accept' });
}
