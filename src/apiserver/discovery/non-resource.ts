/**
 * Paths that are no resources: health, version, discovery, OpenID, the index. Source: apiserver,
 * pkg/server/{config,healthz,routes}, pkg/server/mux.
 */

import { withoutSlashes } from '../../kubernetes/slashes.js';
import { renderValue } from '../machinery/encode.js';
import { noSuchMethod, noSuchPath, notAcceptable, qualified } from '../machinery/errors.js';
import { type ApiResponse, header } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';
import { consumes, routed, wantsPretty } from '../machinery/negotiate.js';
import type { Call } from '../machinery/resource-handlers.js';
import type { Routes } from '../machinery/routes.js';
import { hasFeature } from '../versions.js';
import { discovery } from './discovery.js';
import { health } from './health.js';
import { notFoundText, plainPage, textResponse } from './plain-text.js';

const OPENID = '/.well-known/openid-configuration';
const JWKS = '/openid/v1/jwks';
/** Whether a web service of one route is asked for: slashes at the end are nothing. Source: go-restful, curly routing. */
const isAt = (path: string, root: string): boolean => withoutSlashes(path) === root;
/** What lies below such a service is its own to refuse; all else is no path of anybody. */
const isBelow = (path: string, issuer: boolean): boolean =>
  ['/version', ...(issuer ? [OPENID, JWKS] : [])].some((root) => path.startsWith(`${root}/`));

export function nonResource(
  machinery: Machinery,
  routes: Routes,
  { request, query, info }: Pick<Call, 'request' | 'query' | 'info'>,
): ApiResponse {
  const accept = header(request, 'accept') ?? '';
  const contentType = header(request, 'content-type') ?? '';
  const pretty = wantsPretty(query, header(request, 'user-agent') ?? '');
  const { path } = info;
  const healthy = health(machinery, path, query);
  if (healthy !== undefined) return healthy;
  if (isAt(path, '/version')) {
    if (request.method !== 'GET') throw noSuchMethod();
    consumes(contentType, ['application/json']);
    routed(accept, ['application/json']);
    return renderValue(200, versionInfo(machinery), { mediaType: 'application/json', pretty: true });
  }
  const page = pages(machinery, path, accept);
  if (page !== undefined) return page;
  const issuer = machinery.serviceAccountIssuer;
  if (issuer !== undefined && isAt(path, OPENID)) {
    if (request.method !== 'GET') throw noSuchMethod();
    routed(accept, ['application/json']);
    const document = {
      issuer: issuer.issuer,
      jwks_uri: issuer.jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(issuer.keys.map((key) => key.alg))],
    };
    return renderValue(
      200,
      document,
      { mediaType: 'application/json', pretty: false },
      { 'Cache-Control': 'public, max-age=3600' },
    );
  }
  if (issuer !== undefined && isAt(path, JWKS)) {
    if (request.method !== 'GET') throw noSuchMethod();
    routed(accept, ['application/jwk-set+json']);
    return renderValue(
      200,
      { keys: issuer.keys },
      { mediaType: 'application/json', pretty: false },
      { 'Content-Type': 'application/jwk-set+json', 'Cache-Control': 'public, max-age=3600' },
    );
  }
  if (isBelow(path, issuer !== undefined)) throw noSuchPath();
  const found = discovery(machinery, routes, {
    method: request.method,
    path,
    accept,
    contentType,
    ifNoneMatch: header(request, 'if-none-match') ?? '',
    pretty,
  });
  if (found === 'none') return notFoundText();
  if (found === 'unknown') throw noSuchPath();
  return found;
}

/** Pages for people and for collectors of figures. */
function pages(machinery: Machinery, path: string, accept: string): ApiResponse | undefined {
  switch (path) {
    case '/metrics':
    case '/metrics/slis': {
      const escaping = hasFeature('metricsUnderscores', machinery.version.minor) ? 'underscores' : 'values';
      const type = `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}`;
      return plainPage(path === '/metrics' ? metrics(machinery) : '', type);
    }
    case '/debug/pprof/':
      return textResponse(200, '<html><body>no profiles are kept</body></html>\n', 'text/html; charset=utf-8');
    case '/statusz':
    case '/flagz':
      if (!hasFeature('statusPages', machinery.version.minor)) return undefined;
      if (accept !== '' && !/(^|,)\s*(text\/plain|\*\/\*)/.test(accept))
        throw notAcceptable(
          'only the following media types are accepted: application/json, application/yaml, text/plain',
        );
      return plainPage(
        `\napiserver ${path.slice(1)}\nWarning: This endpoint is not meant to be machine parseable, has no formatting ` +
          'compatibility guarantees and is for debugging purposes only.\n',
      );
    default:
      return undefined;
  }
}

function versionInfo({ version }: Machinery): Readonly<Record<string, string>> {
  return {
    major: '1',
    minor: String(version.minor),
    ...(hasFeature('emulationVersion', version.minor)
      ? {
          emulationMajor: '1',
          emulationMinor: String(version.minor),
          minCompatibilityMajor: '1',
          minCompatibilityMinor: String(version.minor - 1),
        }
      : {}),
    gitVersion: version.gitVersion,
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'go1.26.0',
    compiler: 'gc',
    platform: 'linux/amd64',
  };
}

const metrics = (machinery: Machinery): string =>
  [
    '# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split by kind.',
    '# TYPE apiserver_storage_objects gauge',
    ...machinery.definitions
      .filter((definition) => definition.answer === undefined)
      .map(
        (definition) =>
          `apiserver_storage_objects{resource="${qualified(definition)}"} ${machinery.store.list(definition).length}`,
      ),
    '',
  ].join('\n');
