/**
 * What an API server and a controller manager write about themselves as soon as they run. Objects of kinds that are not
 * served are left out.
 * Source: pkg/controlplane (instance.go,
 * controller/{systemnamespaces,kubernetesservice,clusterauthenticationtrust,legacytokentracking}), staging apiserver
 * pkg/reconcilers; cmd/kube-controller-manager/app (service account of each controller).
 */
import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, ApiError } from '../../apiserver/types.js';
import { apiServiceAddress, type InitFacts } from '../../kubeadm/configuration.js';
import type { RequestHeaderFlags } from '../../kubernetes/authentication-flags.js';
import { CONTROLLER_ACCOUNTS } from '../../kubernetes/component-names.js';
import { KUBE_NODE_LEASE, KUBE_PUBLIC, KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import type { ServedResource } from './controller.js';

/** Namespaces that the API server makes and keeps. */
const SYSTEM_NAMESPACES = [KUBE_SYSTEM, KUBE_PUBLIC, KUBE_NODE_LEASE, 'default'] as const;

/** Releases that note since when legacy tokens are tracked. */
const LEGACY_TOKENS_TRACKED: Span = { since: 27 };

export interface ControlPlaneFacts
  extends Pick<InitFacts, 'release' | 'caPem' | 'advertiseAddress' | 'bindPort' | 'serviceSubnet'> {
  /** PEM of whom the API server trusts to sign for clients, and for proxies; undefined: nobody. */
  readonly trusted: { readonly client: string | undefined; readonly proxies: string | undefined };
  readonly requestHeader: RequestHeaderFlags;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly controllers: readonly string[];
}

const configMap = (name: string, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: KUBE_SYSTEM },
  data,
});

/**
 * Whom the API server trusts, for extension API servers.
 * Source: pkg/controlplane/controller/clusterauthenticationtrust getConfigMapDataFor.
 */
function authenticationTrust({ trusted: { client, proxies }, requestHeader }: ControlPlaneFacts): KubeObject {
  const list = (values: readonly string[] | undefined, usual: string): string => JSON.stringify(values ?? [usual]);
  return configMap('extension-apiserver-authentication', {
    ...(client === undefined ? {} : { 'client-ca-file': client }),
    ...(proxies === undefined
      ? {}
      : {
          'requestheader-allowed-names': list(requestHeader.allowedNames, 'front-proxy-client'),
          'requestheader-client-ca-file': proxies,
          'requestheader-extra-headers-prefix': list(requestHeader.extraHeadersPrefix, 'X-Remote-Extra-'),
          'requestheader-group-headers': list(requestHeader.groupHeaders, 'X-Remote-Group'),
          // Of UIDs no header is usual.
          ...(requestHeader.uidHeaders === undefined || requestHeader.uidHeaders.length === 0
            ? {}
            : { 'requestheader-uid-headers': JSON.stringify(requestHeader.uidHeaders) }),
          'requestheader-username-headers': list(requestHeader.usernameHeaders, 'X-Remote-User'),
        }),
  });
}

/** The Service "kubernetes", and where it leads. */
function kubernetesService(facts: ControlPlaneFacts): readonly KubeObject[] {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  const port = { name: 'https', port: facts.bindPort, protocol: 'TCP' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: apiServiceAddress(facts),
        clusterIPs: [apiServiceAddress(facts)],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: facts.bindPort }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: facts.advertiseAddress }], ports: [port] }],
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: facts.advertiseAddress.includes(':') ? 'IPv6' : 'IPv4',
      endpoints: [{ addresses: [facts.advertiseAddress], conditions: { ready: true } }],
      ports: [port],
    },
  ];
}

const priorityClass = (name: string, value: number, description: string): KubeObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  description,
  preemptionPolicy: 'PreemptLowerPriority',
  value,
});

/** Where the Service leads, after a restart at another address. Source: pkg/controlplane/reconcilers. */
function lead(api: ApiClient, resource: ServedResource, { metadata, ...wanted }: KubeObject): void {
  const { name = '', namespace } = metadata;
  const found = api.get(resource, namespace, name);
  // A slice keeps its family of addresses.
  if (found === undefined || found.addressType !== wanted.addressType) return;
  const { apiVersion: _version, kind: _kind, ...places } = wanted;
  const differs = Object.entries(places).some(([key, value]) => !isDeepStrictEqual(found[key], value));
  if (differs) api.update(resource, { ...found, ...places });
}

/**
 * Writes them all, as the server itself. What is there already (a restart) is left as it is. Throws ApiError for
 * anything else.
 */
export function writeControlPlaneObjects(
  api: ApiClient,
  served: readonly ServedResource[],
  facts: ControlPlaneFacts,
): void {
  const byKind = new Map(served.map((resource) => [`${resource.apiVersion}/${resource.kind}`, resource]));
  const objects: readonly KubeObject[] = [
    ...SYSTEM_NAMESPACES.map((name): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
    authenticationTrust(facts),
    ...(inSpan(facts.release.minor, LEGACY_TOKENS_TRACKED)
      ? [
          configMap('kube-apiserver-legacy-service-account-token-tracking', {
            since: new Date(facts.now).toISOString().slice(0, 10),
          }),
        ]
      : []),
    ...kubernetesService(facts),
  ];
  for (const object of objects) {
    const resource = byKind.get(`${object.apiVersion}/${object.kind}`);
    if (resource === undefined) continue;
    try {
      api.create(resource, object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
      if (object.kind === 'Endpoints' || object.kind === 'EndpointSlice') lead(api, resource, object);
    }
  }
}

/** The controllers' service accounts, which the controller manager makes when it takes their credentials. */
export const controllerAccounts = (facts: Pick<ControlPlaneFacts, 'release' | 'controllers'>): readonly KubeObject[] =>
  Object.entries(CONTROLLER_ACCOUNTS)
    .filter(([name, span]) => inSpan(facts.release.minor, span) && isRun(name, facts))
    .map(([name]) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: KUBE_SYSTEM } }));

/** The two token controllers get an account only where they run; everybody else runs always. */
function isRun(account: string, facts: Pick<ControlPlaneFacts, 'controllers'>): boolean {
  if (account === 'bootstrap-signer') return facts.controllers.includes('bootstrapsigner');
  return account !== 'token-cleaner' || facts.controllers.includes('tokencleaner');
}
