/**
 * Something before the servers of this process that answers in their place, or changes what they say. It stands behind
 * their TLS, so that identities stay as they are; watches go through it as they come.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Asked, Gateway, Said } from '../mutants/types.js';

const BEARER = /^bearer\s+([a-z0-9]{6})\./i;

/** By the token, else by the certificate. */
function userOf({ headers, socket }: IncomingMessage): string {
  const [, id] = BEARER.exec(headers.authorization ?? '') ?? [];
  if (id !== undefined) return `system:bootstrap:${id}`;
  const { subject } = (socket as Partial<TLSSocket>).getPeerCertificate?.() ?? {};
  const name = subject?.CN as string | readonly string[] | undefined;
  return (typeof name === 'string' ? name : name?.at(-1)) ?? 'system:anonymous';
}

function askedBy(request: IncomingMessage): Asked {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'https://reference');
  return { method: request.method ?? 'GET', path: pathname, query: searchParams, user: userOf(request) };
}

function say(response: ServerResponse, { status, body, headers = {} }: Said): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers, 'content-length': Buffer.byteLength(text) }).end(text);
}

/** Holds back what is answered until it is whole, and says what the gateway makes of it. */
function rewrite(response: ServerResponse, change: (answer: Said) => Said | undefined): void {
  const { writeHead, end } = response;
  const parts: Buffer[] = [];
  let head: readonly [number, OutgoingHttpHeaders] | undefined;
  response.writeHead = (...given: unknown[]) => {
    head = [given[0] as number, (given.at(-1) ?? {}) as OutgoingHttpHeaders];
    return response;
  };
  response.write = (chunk: Buffer | string) => parts.push(Buffer.from(chunk)) > 0;
  response.end = (...given: unknown[]) => {
    if (typeof given[0] === 'string' || Buffer.isBuffer(given[0])) parts.push(Buffer.from(given[0]));
    Object.assign(response, { writeHead, end });
    const whole = Buffer.concat(parts);
    const [status, headers] = head ?? [response.statusCode, {}];
    const said = change({ status, body: parsed(whole.toString('utf8')) });
    if (said !== undefined) say(response, said);
    else response.writeHead(status, headers).end(whole);
    return response;
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Puts it before every server that is asked from here on; ends with what is returned. */
export function gatewayBefore({ before, after }: Gateway): () => void {
  const servers = new WeakSet<Server>();
  let over = false;
  const seen = (message: unknown): void => {
    const { server } = message as { readonly server: Server };
    if (servers.has(server)) return;
    servers.add(server);
    const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean;
    server.emit = (event: string, ...given: unknown[]) => {
      if (event !== 'request' || over) return emit(event, ...given);
      const [request, response] = given as [IncomingMessage, ServerResponse];
      const asked = askedBy(request);
      const said = before?.(asked);
      if (said !== undefined) {
        request.resume();
        say(response, said);
        return true;
      }
      if (after !== undefined && !asked.query.has('watch')) rewrite(response, (answer) => after(asked, answer));
      return emit(event, ...given);
    };
  };
  subscribe('http.server.request.start', seen);
  return () => {
    over = true;
    unsubscribe('http.server.request.start', seen);
  };
}
