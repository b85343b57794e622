/**
 * The order of a request: authentication, impersonation, authorization, then its handler. Source: apiserver,
 * pkg/server/config.go DefaultBuildHandlerChain.
 */

import type { AuthenticationResult, RequestInfo } from '../access.js';
import { nonResource } from '../discovery/non-resource.js';
import { notFoundText, textResponse } from '../discovery/plain-text.js';
import { durationProblem } from '../go/duration.js';
import { NotYetRead } from '../go/yaml-aside.js';
import { attributesFor, authorize } from '../machinery/authorize.js';
import { compress, renderError, warningHeaders } from '../machinery/encode.js';
import { badRequest, internalError, PlainServerError, unauthorized, wordedBy } from '../machinery/errors.js';
import { type ApiRequest, type ApiResponse, header } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';
import { errorOutput, wantsPretty } from '../machinery/negotiate.js';
import { requestInfo } from '../machinery/request-info.js';
import { ResourceHandlers } from '../machinery/resource-handlers.js';
import type { Routes } from '../machinery/routes.js';
import type { WatchHub } from '../machinery/watch.js';
import { ApiError } from '../types.js';

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** Bytes of an answer up to which Go counts them before it writes. Source: net/http, bufferBeforeChunkingSize. */
const COUNTED = 2048;

function finished(request: ApiRequest, response: ApiResponse): ApiResponse {
  if (request.method === 'HEAD' && response.kind === 'full') {
    const length = Buffer.byteLength(response.body);
    const counted = length > COUNTED ? {} : { 'Content-Length': String(length) };
    return { ...response, headers: { ...response.headers, ...counted }, body: '' };
  }
  return compress(response, header(request, 'accept-encoding') ?? '');
}

const LONG_VERBS: readonly string[] = ['watch', 'proxy'];
const LONG_SUBRESOURCES: readonly string[] = ['attach', 'exec', 'proxy', 'log', 'portforward'];

/**
 * A `timeout` that is no duration, of a request that has a deadline. Nothing here takes long enough for one that is.
 * Source: apiserver, pkg/endpoints/filters/request_deadline.go; pkg/controlplane/apiserver/config.go LongRunningFunc.
 * @throws 400
 */
function checkDeadline({ verb, subresource }: RequestInfo, query: URLSearchParams): void {
  const wanted = query.get('timeout') ?? '';
  if (wanted === '' || LONG_VERBS.includes(verb) || LONG_SUBRESOURCES.includes(subresource)) return;
  const problem = durationProblem(wanted);
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - ${problem}`);
}

/** What the filters before the handlers refuse. Source: responsewriters/errors.go RespondWithError. */
class Filtered extends Error {
  constructor(readonly why: unknown) {
    super();
  }
}

/** @throws Filtered */
function filtered<T>(filter: () => T): T {
  try {
    return filter();
  } catch (error) {
    throw error instanceof ApiError ? new Filtered(error) : error;
  }
}

export class Dispatcher {
  private readonly resources: ResourceHandlers;
  constructor(
    private readonly machinery: Machinery,
    private readonly routes: Routes,
    hub: WatchHub,
  ) {
    this.resources = new ResourceHandlers(machinery, routes, hub);
  }

  /** NotYetRead: nothing was done, and the request is to be handed in again when its body has been read. */
  handle(request: ApiRequest): ApiResponse | NotYetRead {
    const query = queryOf(request.url);
    const warnings: string[] = [];
    let response: ApiResponse;
    try {
      response = this.answer(request, request.url.split('?', 1)[0] ?? '', query, warnings);
    } catch (error) {
      if (error instanceof NotYetRead) return error;
      if (error instanceof PlainServerError) return textResponse(500, error.saidOf(request.url));
      response = this.refusal(request, query, error, warnings);
    }
    return finished(request, response);
  }

  /** The answer to a request that nothing else was found out about. */
  refuse(request: ApiRequest, error: unknown): ApiResponse {
    return finished(request, this.refusal(request, queryOf(request.url), error, []));
  }

  private refusal(request: ApiRequest, query: URLSearchParams, given: unknown, warnings: string[]): ApiResponse {
    const error = given instanceof Filtered ? given.why : given;
    const known =
      error instanceof ApiError
        ? error
        : error instanceof RangeError
          ? badRequest('the request is nested too deeply or too large to be worked on: send less of it at once')
          : internalError(error instanceof Error ? error.message : String(error));
    const output = errorOutput(
      header(request, 'accept') ?? '',
      wantsPretty(query, header(request, 'user-agent') ?? ''),
    );
    const response = renderError(wordedBy(known, this.machinery.version.minor), output, {
      ...(given instanceof Filtered ? { 'X-Content-Type-Options': 'nosniff' } : {}),
      ...warningHeaders(warnings),
    });
    const { challenge } = this.machinery.authenticator;
    return known.code === 401 && challenge !== undefined && response.kind === 'full'
      ? { ...response, headers: { ...response.headers, 'WWW-Authenticate': challenge } }
      : response;
  }

  private answer(request: ApiRequest, rawPath: string, query: URLSearchParams, warnings: string[]): ApiResponse {
    let path: string;
    try {
      path = decodeURIComponent(rawPath);
    } catch {
      return {
        kind: 'full',
        code: 400,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' },
        body: '400 Bad Request',
      };
    }
    const info = requestInfo(request.method, path, query);
    checkDeadline(info, query);
    const authenticated = this.authenticate(request, path, warnings);
    if (authenticated.kind === 'refused') {
      if (authenticated.warning !== undefined) warnings.push(authenticated.warning);
      throw unauthorized(this.machinery.manners.unauthorizedMessage(authenticated.cause));
    }
    const headers = this.machinery.authenticator.headersLeft?.(request.headers) ?? request.headers;
    const user = filtered(() => {
      const asked = this.machinery.impersonate(headers, attributesFor(authenticated.user, info));
      authorize(this.machinery, attributesFor(asked, info));
      return asked;
    });
    // The mux knows paths by their text; what tells resources apart has passed over leading slashes.
    if (path.startsWith('//')) return notFoundText();
    const elsewhere = this.machinery.handOn?.({ request, info, user });
    if (elsewhere !== undefined) return { kind: 'later', answer: elsewhere };
    if (info.isResourceRequest && this.serves(info))
      return this.resources.handle({ request, query, info, user, warnings });
    const response = nonResource(this.machinery, this.routes, { request, query, info });
    return response.kind === 'full' && warnings.length > 0
      ? { ...response, headers: { ...response.headers, ...warningHeaders(warnings) } }
      : response;
  }

  /** A group that nobody serves is no resource of this server's: plain text, as for any unknown path. */
  private serves({ apiPrefix, group }: RequestInfo): boolean {
    if (apiPrefix === 'apis' && group === '') return false;
    return this.machinery.definitions.some((definition) => definition.group === group);
  }

  private authenticate(request: ApiRequest, path: string, warnings: string[]): AuthenticationResult {
    const protocols = request.headers['sec-websocket-protocol'];
    const websocket =
      (header(request, 'upgrade') ?? '').toLowerCase() === 'websocket' &&
      /upgrade/i.test(header(request, 'connection') ?? '');
    return this.machinery.authenticator.authenticate(
      {
        authorization: request.headers.authorization ?? [],
        certificates: request.certificates,
        headers: request.headers,
        path,
        ...(websocket ? { webSocketProtocols: protocols ?? [] } : {}),
      },
      warnings,
    );
  }
}
