/** /healthz, /livez, /readyz and their single checks. Source: apiserver, pkg/server/healthz/healthz.go. */
import type { ApiResponse } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';

const HOOKS = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/bootstrap-controller',
];
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd', ...HOOKS],
  livez: ['ping', 'log', 'etcd', ...HOOKS],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...HOOKS, 'shutdown'],
};

const answer = (code: number, body: string): ApiResponse => ({
  kind: 'full',
  code,
  headers: {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache, private',
  },
  body,
});

/** The answer to a health path, undefined for any other. */
export function health(_machinery: Machinery, path: string, query: URLSearchParams): ApiResponse | undefined {
  const [kind = '', ...rest] = path.slice(1).split('/');
  const checks = Object.hasOwn(CHECKS, kind) ? CHECKS[kind] : undefined;
  if (checks === undefined) return undefined;
  const single = rest.join('/');
  if (single !== '') return checks.includes(single) ? answer(200, 'ok') : undefined;
  if (rest.length > 0) return undefined;
  const excluded = new Set(query.getAll('exclude'));
  const unknown = [...excluded].filter((name) => !checks.includes(name));
  if (!query.has('verbose')) return answer(200, 'ok');
  const lines = checks.map((name) => (excluded.has(name) ? `[+]${name} excluded: ok\n` : `[+]${name} ok\n`));
  const warning =
    unknown.length === 0
      ? ''
      : `warn: some health checks cannot be excluded: no matches for ${unknown.map((name) => `"${name}"`).join(',')}\n`;
  return answer(200, `${lines.join('')}${warning}${kind} check passed\n`);
}
