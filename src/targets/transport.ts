/**
 * HTTP/1.1 over undici: one pool per client certificate, never two credentials, no redirect followed, a time limit on everything.
 * undici is imported when the first connection is made: it costs 70 ms that `joinproof --help` need not pay.
 */
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Carried, ClientCertificate, Connection } from './connection.js';
import { TargetUnreachable } from './errors.js';
import { pause } from './pause.js';
import {
  isClosedConnection,
  LARGEST_ANSWER,
  TimeLimit,
  TooLarge,
  Unfinished,
  unreachable,
} from './transport-errors.js';
import type { Answer, Identity } from './types.js';

export interface Sent {
  readonly method: string;
  /** Path with query, as it goes on the wire (the server's own path is put before it). */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly timeoutMs: number;
}

const CONNECT_MS = 10_000;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Attempts of one safe request whose connection was closed under it. */
const ATTEMPTS = 4;
/** Attempts of any request that 429 sent away. Source: client-go, rest/request.go maxRetries 10. */
const ATTEMPTS_WHERE_BUSY = 11;
const LONGEST_RETRY_AFTER_MS = 10_000;

export class Transport {
  readonly #pools = new Map<string, Dispatcher>();
  readonly #connection: Connection;
  readonly #base: URL;
  readonly #secret: (value: string) => void;
  readonly #redact: (text: string) => string;
  readonly #closing = new AbortController();
  #undici: typeof import('undici') | undefined;
  readonly #proxy: string | undefined;
  readonly where: string;

  constructor(connection: Connection, sink: { secret(value: string): void; redact(text: string): string }) {
    this.#connection = connection;
    this.#base = new URL(connection.server);
    this.#secret = sink.secret;
    this.#redact = sink.redact;
    this.where = `${this.#base.hostname}:${this.#base.port || (this.#base.protocol === 'https:' ? '443' : '80')}`;
    this.#proxy = connection.proxyUrl === undefined ? undefined : new URL(connection.proxyUrl).host;
    setMaxListeners(0, this.#closing.signal);
  }

  /** Any answer is returned. Throws TargetUnreachable, ConfigurationError (a credential that cannot be had), or the signal's reason. */
  async send(identity: Identity, request: Sent, signal: AbortSignal): Promise<Answer> {
    let refreshed = false;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const carried = await this.#carried(identity, signal);
      let answer: Answer;
      try {
        answer = await this.#once(carried, request, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt < ATTEMPTS && SAFE.has(request.method) && isClosedConnection(error)) {
          await pause(50 * 2 ** attempt, signal);
          continue;
        }
        throw unreachable(error, this.where, this.#redact, this.#proxy);
      }
      if (answer.status === 401 && identity.kind === 'admin' && !refreshed && this.#connection.credential.refused()) {
        refreshed = true;
        continue;
      }
      // The API server says 429 before it looks at the request, so this is safe for writes too.
      const wait = answer.status === 429 ? retryAfter(answer) : undefined;
      if (wait === undefined || attempt >= ATTEMPTS_WHERE_BUSY) return answer;
      await pause(wait, signal);
    }
  }

  /** Breaks off what is under way and closes every connection. */
  async close(): Promise<void> {
    this.#closing.abort(new TargetUnreachable(`The connection to ${this.where} was closed by joinproof.`, 'aborted'));
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #carried(identity: Identity, signal: AbortSignal): Promise<Carried & { readonly raw?: readonly string[] }> {
    switch (identity.kind) {
      case 'admin': {
        const carried = await this.#connection.credential.current(signal);
        for (const value of carried.secrets ?? []) this.#secret(value);
        if (carried.authorization !== undefined) this.#secret(carried.authorization.replace(/^\S+\s+/, ''));
        return carried;
      }
      case 'anonymous':
        return {};
      case 'token':
        return { authorization: `Bearer ${identity.token}` };
      case 'certificate':
        return {
          certificate: { certificate: identity.certificate, key: identity.key },
          ...(identity.token === undefined ? {} : { authorization: `Bearer ${identity.token}` }),
        };
      case 'header':
        return { raw: identity.authorization };
    }
  }

  async #once(
    carried: Carried & { readonly raw?: readonly string[] },
    request: Sent,
    signal: AbortSignal,
  ): Promise<Answer> {
    const pool = await this.#pool(carried.certificate);
    const headers: string[] = ['user-agent', 'joinproof'];
    for (const [name, value] of request.headers) headers.push(name, value);
    if (carried.authorization !== undefined) headers.push('authorization', carried.authorization);
    for (const value of carried.raw ?? []) headers.push('authorization', value);
    for (const [name, value] of carried.headers ?? []) headers.push(name, value);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new TimeLimit(request.timeoutMs)), request.timeoutMs);
    const stop = (event: Event): void => limit.abort((event.target as AbortSignal).reason);
    signal.addEventListener('abort', stop, { once: true });
    this.#closing.signal.addEventListener('abort', stop, { once: true });
    try {
      const answer = await pool.request({
        origin: this.#base.origin,
        path: this.#base.pathname.replace(/\/$/, '') + request.path,
        method: request.method as Dispatcher.HttpMethod,
        headers,
        body: request.body ?? null,
        signal: limit.signal,
      });
      const text = await textOf(answer.body);
      return {
        status: answer.statusCode,
        headers: defined(answer.headers),
        text,
        body: parsed(text, answer.headers['content-type']),
      };
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      this.#closing.signal.removeEventListener('abort', stop);
    }
  }

  async #pool(certificate: ClientCertificate | undefined): Promise<Dispatcher> {
    const { caPem, serverName, insecure, proxyUrl } = this.#connection;
    this.#undici ??= await import('undici');
    const { Agent, ProxyAgent } = this.#undici;
    const id = certificate === undefined ? '' : `${certificate.certificate}\n${certificate.key}`;
    const known = this.#pools.get(id);
    if (known !== undefined) return known;
    this.#closing.signal.throwIfAborted();
    const tls = {
      ...(caPem === undefined ? {} : { ca: caPem }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
      rejectUnauthorized: !insecure,
    };
    const options = { connections: 16, pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 };
    const pool =
      proxyUrl === undefined
        ? new Agent({ ...options, connect: { ...tls, timeout: CONNECT_MS } })
        : new ProxyAgent({ ...options, uri: proxyUrl, requestTls: { ...tls, timeout: CONNECT_MS } });
    this.#pools.set(id, pool);
    return pool;
  }
}

/** All of a body. Its events are listened to: an iterator over it costs more than the rest of the request. Rejects with TooLarge, or as the connection ends. */
const textOf = (body: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_ANSWER) body.destroy(new TooLarge());
      else chunks.push(chunk);
    });
    body.on('end', () =>
      resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8')),
    );
    body.on('error', reject);
    body.on('close', () => reject(new Unfinished('the answer did not end')));
  });

const defined = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | readonly string[]> => {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept[name] = value;
  return kept;
};

function parsed(text: string, type: string | string[] | undefined): unknown {
  if (text === '' || (typeof type === 'string' && !type.includes('json') && !/^\s*[{[]/.test(text))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds that Retry-After asks for; undefined where it is missing, unreadable or longer than joinproof waits. */
function retryAfter(answer: Answer): number | undefined {
  const value = answer.headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) && milliseconds <= LONGEST_RETRY_AFTER_MS
    ? Math.max(0, milliseconds)
    : undefined;
}
