/** /healthz, /livez, /readyz and their single checks. Source: apiserver, pkg/server/healthz/healthz.go. */
import type { ApiResponse } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';
import type { Lifetime } from '../resource-definition.js';
import { isServed } from '../versions.js';
import { plainPage, textResponse } from './plain-text.js';

interface HealthCheck extends Lifetime {
  readonly name: string;
}

/** The checks of an idle API server, in its order, for the releases that were asked (1.31, 1.33, 1.36). */
const HOOKS: readonly HealthCheck[] = [
  { name: 'poststarthook/start-apiserver-admission-initializer' },
  { name: 'poststarthook/generic-apiserver-start-informers' },
  { name: 'poststarthook/priority-and-fairness-config-consumer' },
  { name: 'poststarthook/priority-and-fairness-filter' },
  { name: 'poststarthook/storage-object-count-tracker-hook' },
  { name: 'poststarthook/start-apiextensions-informers' },
  { name: 'poststarthook/start-apiextensions-controllers' },
  { name: 'poststarthook/crd-informer-synced' },
  { name: 'poststarthook/start-system-namespaces-controller' },
  { name: 'poststarthook/peer-endpoint-reconciler-controller', since: 36 },
  { name: 'poststarthook/start-cluster-authentication-info-controller' },
  { name: 'poststarthook/start-kube-apiserver-identity-lease-controller' },
  { name: 'poststarthook/start-kube-apiserver-identity-lease-garbage-collector' },
  { name: 'poststarthook/storage-readiness', since: 36 },
  { name: 'poststarthook/start-legacy-token-tracking-controller' },
  { name: 'poststarthook/start-service-ip-repair-controllers' },
  { name: 'poststarthook/rbac/bootstrap-roles' },
  { name: 'poststarthook/scheduling/bootstrap-system-priority-classes' },
  { name: 'poststarthook/priority-and-fairness-config-producer' },
  { name: 'poststarthook/bootstrap-controller' },
  { name: 'poststarthook/start-kubernetes-service-cidr-controller', since: 33 },
  { name: 'poststarthook/aggregator-reload-proxy-client-cert' },
  { name: 'poststarthook/start-kube-aggregator-informers' },
  { name: 'poststarthook/apiservice-status-local-available-controller' },
  { name: 'poststarthook/apiservice-status-remote-available-controller' },
  { name: 'poststarthook/apiservice-registration-controller' },
  { name: 'poststarthook/apiservice-wait-for-first-sync' },
  { name: 'poststarthook/apiservice-discovery-controller' },
  { name: 'poststarthook/kube-apiserver-autoregistration' },
  { name: 'autoregister-completion' },
  { name: 'poststarthook/apiservice-openapi-controller' },
  { name: 'poststarthook/apiservice-openapiv3-controller' },
];
const ALIVE: readonly HealthCheck[] = [
  { name: 'ping' },
  { name: 'log' },
  { name: 'loopback-serving-certificate', since: 36 },
  { name: 'etcd' },
];
const FIRST: Readonly<Record<string, readonly HealthCheck[]>> = {
  healthz: ALIVE,
  livez: ALIVE,
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync'].map((name) => ({ name })),
};

function checksOf(kind: string, { minor }: Machinery['version']): readonly string[] | undefined {
  const first = Object.hasOwn(FIRST, kind) ? FIRST[kind] : undefined;
  if (first === undefined) return undefined;
  const last: readonly HealthCheck[] = kind === 'readyz' ? [{ name: 'shutdown' }] : [];
  return [...first, ...HOOKS, ...last].filter((check) => isServed(check, minor)).map(({ name }) => name);
}

/** The answer to a health path, undefined for any other. */
export function health(machinery: Machinery, path: string, query: URLSearchParams): ApiResponse | undefined {
  const [kind = '', ...rest] = path.slice(1).split('/');
  const checks = checksOf(kind, machinery.version);
  if (checks === undefined) return undefined;
  const single = rest.join('/');
  if (single !== '') return checks.includes(single) ? plainPage('ok') : undefined;
  if (rest.length > 0) return undefined;
  const excluded = new Set(query.getAll('exclude'));
  const unknown = [...excluded].filter((name) => !checks.includes(name));
  if (!query.has('verbose')) return textResponse(200, 'ok');
  const lines = checks.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok\n` : `[+]${name} ok\n`));
  const warning =
    unknown.length === 0
      ? ''
      : `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => `"${name}"`).join(',')}\n`;
  return textResponse(200, `${lines.join('')}${warning}${kind} check passed\n`);
}
