/**
 * Hands requests on to extension API servers, as the aggregator does: to where the Service of an APIService leads,
 * without the credentials of who asks, and with who that is. There is no network of Services here, so only Services of
 * the type ExternalName lead anywhere; what does not is unavailable. Discovery does not list these groups.
 * Source: kube-aggregator, pkg/apiserver/handler_proxy.go; apiserver, pkg/util/proxy/proxy.go ResolveCluster.
 */
import { Agent, request as ask, type RequestOptions } from 'node:https';
import { textResponse } from '../apiserver/discovery/plain-text.js';
import type { FullResponse, Headers } from '../apiserver/machinery/http.js';
import type { Admitted } from '../apiserver/machinery/machinery.js';
import type { Store } from '../apiserver/types.js';
import { record, text } from '../kubernetes/json.js';
import { resources } from '../kubernetes/resources.js';
import type { Credential } from '../pki/authority.js';
import type { ProxyHeaders } from './decisions/authentication.js';
import type { Decisions } from './decisions.js';

const WAIT_MS = 30_000;
/** Bytes of an answer that are handed back. */
const LONGEST = 16 * 1024 * 1024;
/** Of one connection. Source: RFC 9110, Connection; Go, httputil/reverseproxy.go hopHeaders. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  'connection proxy-connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
const UNAVAILABLE = textResponse(503, 'service unavailable\n');

export interface AggregatorOptions {
  readonly store: Store;
  readonly decisions: Decisions;
  readonly minor: number;
  /** Headers that this server's own flags name; undefined: none. */
  readonly proxyHeaders: ProxyHeaders | undefined;
  /** The front proxy that it is to others: --proxy-client-cert-file and its key. */
  readonly proxy: () => Promise<Credential>;
  /** Whether this server answers for a group itself. */
  readonly serves: (group: string) => boolean;
}

export interface Aggregator {
  handOn(admitted: Admitted): Promise<FullResponse> | undefined;
  close(): void;
}

/** Where an extension API server is, and how it is known. */
interface Extension {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  /** PEM; undefined: nobody looks at its certificate. */
  readonly ca: string | undefined;
}

export function createAggregator(options: AggregatorOptions): Aggregator {
  const { decisions, minor, proxyHeaders, proxy } = options;
  const agent = new Agent({ keepAlive: true });
  const standard = decisions.standardProxyHeaders(minor);
  const known = proxyHeaders === undefined ? standard : together(standard, proxyHeaders);
  const headersFor = ({ request, user }: Admitted): Headers => {
    const left = decisions.headersAfterImpersonation(decisions.headersForHandlers(request.headers, known));
    const own = Object.entries(left).filter(([name]) => !HOP_BY_HOP.has(name) && name !== 'host');
    return mutable({ ...Object.fromEntries(own), ...decisions.headersOfUser(user, minor) });
  };
  return {
    handOn(admitted) {
      const [, group = '', version = ''] = /^\/apis\/([^/]+)\/([^/]+)/.exec(admitted.info.path) ?? [];
      if (group === '' || options.serves(group)) return undefined;
      const extension = extensionOf(options.store, `${version}.${group}`);
      if (extension === 'none') return undefined;
      if (extension === undefined) return Promise.resolve(UNAVAILABLE);
      const { method, url, body } = admitted.request;
      const headers = headersFor(admitted);
      return proxy()
        .then(({ certificatePem, keyPem }) => {
          const { ca, ...where } = extension;
          const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
          const shown = { cert: certificatePem, key: keyPem, agent, timeout: WAIT_MS };
          return exchange({ ...where, ...trust, ...shown, method, path: url, headers }, body);
        })
        .catch(() => UNAVAILABLE);
    },
    close: () => agent.destroy(),
  };
}

const together = (some: ProxyHeaders, others: ProxyHeaders): ProxyHeaders => ({
  user: [...some.user, ...others.user],
  uid: [...some.uid, ...others.uid],
  group: [...some.group, ...others.group],
  extra: [...some.extra, ...others.extra],
});

const mutable = (headers: Readonly<Record<string, readonly string[]>>): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));

/** 'none': nobody but this server answers for it; undefined: it leads nowhere. */
function extensionOf(store: Store, name: string): Extension | 'none' | undefined {
  const found = store.get(resources.apiServices, undefined, name);
  const spec = record(found?.spec);
  if (found === undefined || spec.service === undefined) return 'none';
  const { namespace, name: service, port } = record(spec.service);
  const led = record(store.get(resources.services, text(namespace), text(service))?.spec);
  if (led.type !== 'ExternalName') return undefined;
  return {
    host: text(led.externalName),
    port: typeof port === 'number' ? port : 443,
    servername: `${text(service)}.${text(namespace)}.svc`,
    ca: spec.insecureSkipTLSVerify === true ? undefined : Buffer.from(text(spec.caBundle), 'base64').toString(),
  };
}

/** Rejects where there is no answer, or none within bounds. */
const exchange = (options: RequestOptions, body: Buffer): Promise<FullResponse> =>
  new Promise((resolve, reject) => {
    const request = ask(options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > LONGEST) request.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const headers = Object.entries(response.headers).flatMap(([name, value]) =>
          value === undefined || HOP_BY_HOP.has(name) || name === 'content-length' ? [] : [[name, value] as const],
        );
        const answer = { code: response.statusCode ?? 502, headers: Object.fromEntries(headers) };
        resolve({ kind: 'full', ...answer, body: Buffer.concat(chunks) });
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body);
  });
