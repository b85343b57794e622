/**
 * Discovery: which groups, versions and resources there are. Source: apiserver, pkg/endpoints/discovery, apimachinery,
 * pkg/apis/meta/v1.
 */
import { createHash } from 'node:crypto';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { renderValue } from '../machinery/encode.js';
import { noSuchMethod } from '../machinery/errors.js';
import type { ApiResponse } from '../machinery/http.js';
import { apiVersion, type Machinery } from '../machinery/machinery.js';
import { consumes, negotiateAggregated, negotiatePlain, routed } from '../machinery/negotiate.js';
import { splitPath } from '../machinery/request-info.js';
import type { Routes } from '../machinery/routes.js';
import type { ResourceDefinition } from '../resource-definition.js';
import { hasFeature } from '../versions.js';
import { openapi } from './openapi.js';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Newest first within a group: v2, v1, v1beta1 … */
const byVersion = (a: string, b: string): number => rank(b) - rank(a);
function rank(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return (stage === undefined ? 2e6 : stage === 'beta' ? 1e6 : 0) + Number(major) * 1000 + Number(minor);
}

const groupsOf = (routes: Routes): Map<string, string[]> => {
  const groups = new Map<string, string[]>();
  for (const key of routes.groupVersions) {
    const [group = '', version = ''] = key.split('/');
    groups.set(group, [...(groups.get(group) ?? []), version].sort(byVersion));
  }
  return groups;
};

/** A version in which a kind of that group is stored, other than the one it is served in. */
interface Stored extends Span {
  readonly as: string;
}
const soFar = (as: string, until: number, ...kinds: readonly string[]): Readonly<Record<string, Stored>> =>
  Object.fromEntries(kinds.map((kind) => [kind.replace('*', 'v1'), { as: kind.replace('*', as), until }]));

const STORED: Readonly<Record<string, Stored>> = {
  'events.k8s.io/v1/Event': { as: '/v1/Event' },
  'autoscaling/v1/HorizontalPodAutoscaler': { as: 'autoscaling/v2/HorizontalPodAutoscaler' },
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': {
    as: 'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy',
  },
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': {
    as: 'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding',
  },
  'apiextensions.k8s.io/v1/CustomResourceDefinition': { as: 'apiextensions.k8s.io/v1beta1/CustomResourceDefinition' },
  // For a minor after a version is new, older servers must be able to read what is stored.
  ...soFar('v1beta1', 33, 'networking.k8s.io/*/IPAddress', 'networking.k8s.io/*/ServiceCIDR'),
  ...soFar('v1beta1', 35, 'storage.k8s.io/*/VolumeAttributesClass'),
  ...soFar('v1beta2', 34, 'resource.k8s.io/*/DeviceClass', 'resource.k8s.io/*/ResourceClaim'),
  ...soFar('v1beta2', 34, 'resource.k8s.io/*/ResourceClaimTemplate', 'resource.k8s.io/*/ResourceSlice'),
};

/** Source: apiserver, pkg/endpoints/discovery/storageversionhash.go. */
function storageVersionHash({ group, version, kind }: ResourceDefinition, minor: number): string {
  const served = `${group}/${version}/${kind}`;
  const stored = STORED[served];
  const name = stored !== undefined && inSpan(minor, stored) ? stored.as : served;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}

const definitionsOf = (machinery: Machinery, at: GroupVersion): ResourceDefinition[] =>
  machinery.definitions
    .filter(({ group, version }) => group === at.group && version === at.version)
    .sort((a, b) => (a.resource < b.resource ? -1 : 1));

/** Group, version and kind of what a subresource reads and writes; both are '' where they are its resource's own. */
function subresourceKind(
  { group, version, kind }: ResourceDefinition,
  subresource: ResourceDefinition['subresources'][number],
): { readonly group: string; readonly version: string; readonly kind: string } {
  const found = subresource.kind === 'action' ? subresource.answersWith : { group, version, kind };
  const isOwn = found.group === group && found.version === version;
  return isOwn ? { group: '', version: '', kind: found.kind } : { ...found };
}

function resourceList(machinery: Machinery, at: GroupVersion): unknown {
  const resources = definitionsOf(machinery, at).flatMap((definition) => [
    {
      name: definition.resource,
      singularName: definition.singular,
      namespaced: definition.namespaced,
      kind: definition.kind,
      verbs: definition.verbs,
      ...(definition.shortNames.length === 0 ? {} : { shortNames: definition.shortNames }),
      ...(definition.categories.length === 0 ? {} : { categories: definition.categories }),
      // What cannot be watched is not stored.
      ...(definition.verbs.includes('watch')
        ? { storageVersionHash: storageVersionHash(definition, machinery.version.minor) }
        : {}),
    },
    ...[...definition.subresources]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((subresource) => {
        const { group, version, kind } = subresourceKind(definition, subresource);
        return {
          name: `${definition.resource}/${subresource.name}`,
          singularName: '',
          namespaced: definition.namespaced,
          ...(version === '' ? {} : { group, version }),
          kind,
          verbs: [...subresource.verbs].sort(),
        };
      }),
  ]);
  return {
    kind: 'APIResourceList',
    ...(at.group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersion(at),
    resources,
  };
}

const groupOf = (name: string, versions: readonly string[]): Record<string, unknown> => {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
};

function aggregated(
  machinery: Machinery,
  groups: readonly (readonly [string, readonly string[]])[],
  apiVersionOut: string,
): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: apiVersionOut,
    metadata: {},
    items: groups.map(([name, versions]) => ({
      metadata: {
        ...(name === '' ? {} : { name }),
        ...(hasFeature('unsetTimesAreLeftOut', machinery.version.minor) ? {} : { creationTimestamp: null }),
      },
      versions: versions.map((version) => ({
        version,
        resources: definitionsOf(machinery, { group: name, version }).map((definition) => ({
          resource: definition.resource,
          responseKind: { group: '', version: '', kind: definition.kind },
          scope: definition.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: definition.singular,
          verbs: definition.verbs,
          ...(definition.shortNames.length === 0 ? {} : { shortNames: definition.shortNames }),
          ...(definition.categories.length === 0 ? {} : { categories: definition.categories }),
          ...(definition.subresources.length === 0
            ? {}
            : {
                subresources: [...definition.subresources]
                  .sort((a, b) => (a.name < b.name ? -1 : 1))
                  .map((subresource) => ({
                    subresource: subresource.name,
                    responseKind: subresourceKind(definition, subresource),
                    verbs: [...subresource.verbs].sort(),
                  })),
              }),
        })),
        freshness: 'Current',
      })),
    })),
  };
}

/** The versions of the aggregated form that a minor knows. */
const aggregatedVersions = (minor: number): readonly ('v2' | 'v2beta1')[] => [
  ...(hasFeature('aggregatedDiscoveryV2', minor) ? (['v2'] as const) : []),
  ...(hasFeature('aggregatedDiscoveryV2beta1', minor) ? (['v2beta1'] as const) : []),
];

interface DiscoveryRequest {
  readonly method: string;
  readonly path: string;
  /** The header. */
  readonly accept: string;
  /** The header. */
  readonly contentType: string;
  /** The header, '' where there is none. */
  readonly ifNoneMatch: string;
  readonly pretty: boolean;
}

/**
 * The answer; 'unknown' where the group is known but not that version (a Status), 'none' where nothing is (plain
 * text).
 */
export function discovery(
  machinery: Machinery,
  routes: Routes,
  { method, path, accept, contentType, ifNoneMatch, pretty }: DiscoveryRequest,
): ApiResponse | 'unknown' | 'none' {
  const parts = splitPath(path);
  const [root, group = '', version = ''] = parts;
  /** The aggregator's own handlers look at no method and know nothing of the router's check. */
  const answer = (make: () => unknown): ApiResponse => renderValue(200, make(), negotiatePlain(accept, pretty));
  const checkRoute = (): void => {
    if (method !== 'GET') throw noSuchMethod();
    consumes(contentType);
    routed(accept);
  };
  const get = (make: () => unknown): ApiResponse => {
    checkRoute();
    return answer(make);
  };
  const groups = groupsOf(routes);
  if (parts.length === 0 || path === '/index.html')
    return renderValue(200, { paths: paths(routes, groups) }, { mediaType: 'application/json', pretty: true });
  // below v3 a slash at the end asks for a document without a name
  if (root === 'openapi') return openapi(machinery, path.endsWith('/') ? [...parts, ''] : parts, accept);
  const named = [...groups].filter(([name]) => name !== '');
  const versionsKnown = aggregatedVersions(machinery.version.minor);
  const aggregate = (of: readonly (readonly [string, readonly string[]])[]): ApiResponse | undefined => {
    const wanted = negotiateAggregated(accept, versionsKnown);
    if (wanted === undefined) return undefined;
    const { mediaType, version: form } = wanted;
    const value = aggregated(machinery, of, `apidiscovery.k8s.io/${form}`);
    // Source: apiserver, pkg/endpoints/discovery/aggregated/etag.go ServeHTTPWithETag
    const tag = `"${createHash('sha512').update(JSON.stringify(value)).digest('hex').toUpperCase()}"`;
    const cached = { ETag: tag, Vary: 'Accept', 'Cache-Control': 'public' };
    if (ifNoneMatch === tag) return { kind: 'full', code: 304, headers: cached, body: '' };
    return renderValue(
      200,
      value,
      { mediaType, pretty },
      { ...cached, 'Content-Type': `${mediaType};g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList` },
    );
  };
  if (root === 'api' && parts.length === 1) {
    const address = machinery.serverAddress?.() ?? '';
    checkRoute();
    return (
      aggregate([['', groups.get('') ?? []]]) ??
      answer(() => ({
        kind: 'APIVersions',
        versions: groups.get('') ?? [],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
      }))
    );
  }
  if (path === '/apis' || path === '/apis/')
    return (
      // With a slash at the end it is the old list alone.
      (path.endsWith('/') ? undefined : aggregate(named)) ??
      answer(() => ({
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: named.map(([name, versions]) => groupOf(name, versions)),
      }))
    );
  if (root === 'api' && parts.length === 2)
    return routes.groupVersions.has(`/${group}`)
      ? get(() => resourceList(machinery, { group: '', version: group }))
      : 'unknown';
  if (root === 'apis') {
    const versions = groups.get(group);
    if (versions === undefined || group === '') return 'none';
    if (parts.length === 2) return answer(() => ({ kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, versions) }));
    if (parts.length === 3)
      return versions.includes(version) ? get(() => resourceList(machinery, { group, version })) : 'unknown';
  }
  return 'none';
}

const paths = (routes: Routes, groups: ReadonlyMap<string, readonly string[]>): string[] =>
  [
    '/.well-known/openid-configuration',
    '/api',
    '/apis',
    '/apis/',
    '/healthz',
    '/healthz/etcd',
    '/healthz/log',
    '/healthz/ping',
    '/livez',
    '/livez/ping',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/openid/v1/jwks',
    '/readyz',
    '/readyz/ping',
    '/version',
    ...[...groups.keys()].filter((name) => name !== '').map((name) => `/apis/${name}`),
    ...[...routes.groupVersions].map((key) => (key.startsWith('/') ? `/api${key}` : `/apis/${key}`)),
  ].sort();
