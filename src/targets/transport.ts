/**
 * HTTP/1.1 over undici: one pool per client certificate, never two credentials, no redirect followed, a time limit on
 * everything.
 * undici is imported when the first connection is made: it costs 70 ms that `joinproof --help` need not pay.
 */
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { CutOff, firstEvent, jsonOf, textOf, Unreadable } from './answer-body.js';
import type { Carried, ClientCertificate, Connection } from './connection.js';
import { TargetUnreachable } from './errors.js';
import { type HandedBack, InProcess } from './in-process.js';
import type { BodyReader } from './list-pages.js';
import { Pace } from './pace.js';
import { pause } from './pause.js';
import { credentialIn } from './redaction.js';
import { Retries, type Sending } from './retries.js';
import { TimeLimit, unreachable } from './transport-errors.js';
import { Turns } from './turns.js';
import type { Answer, Identity } from './types.js';

export interface Sent {
  readonly method: string;
  /** Path with query, as it goes on the wire (the server's own path is put before it). */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Milliseconds of one sending. */
  readonly timeoutMs: number;
  /** Takes the body of a 200 as it comes, instead of its being kept. */
  readonly read?: BodyReader;
  /** Which answers from 500 on are answers like others. */
  readonly expects?: (answer: Answer) => boolean;
  /** It changes nothing, or the same when it is sent twice. Default: as the method says. */
  readonly repeatable?: boolean;
  /** Sent also where the target counts as gone: removing what was made is worth a try. */
  readonly stubborn?: boolean;
}

const CONNECT_MS = 10_000;
/** Answered with one JSON value after another. */
const WATCH = /[?&]watch=/;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests under way at a time, whoever asks: each may bring an answer of the largest size. */
const ABREAST = 32;
/** Bytes that are sent: what repeats a foreign text is no longer than what an API server takes. */
const LARGEST_REQUEST = 1024 * 1024;
const LONGEST_PATH = 16 * 1024;

export class Transport {
  readonly #pools = new Map<string, Dispatcher>();
  readonly #connection: Connection;
  readonly #inside: InProcess | undefined;
  readonly #base: URL;
  readonly #secret: (value: string) => void;
  readonly #redact: (text: string) => string;
  readonly #closing = new AbortController();
  readonly #retries = new Retries();
  readonly #turns = new Turns(ABREAST);
  /** How quick the target is. */
  readonly pace = new Pace();
  #undici: typeof import('undici') | undefined;
  readonly #proxy: string | undefined;
  readonly where: string;

  constructor(connection: Connection, sink: { secret(value: string): void; redact(text: string): string }) {
    this.#connection = connection;
    this.#inside = connection.handle === undefined ? undefined : new InProcess(connection.handle);
    this.#base = new URL(connection.server);
    this.#secret = sink.secret;
    this.#redact = sink.redact;
    this.where = `${this.#base.hostname}:${this.#base.port || (this.#base.protocol === 'https:' ? '443' : '80')}`;
    this.#proxy = connection.proxyUrl === undefined ? undefined : new URL(connection.proxyUrl).host;
  }

  /**
   * Any answer is returned. Throws TargetUnreachable, ConfigurationError (a credential that cannot be had), or the
   * signal's reason.
   */
  async send(identity: Identity, request: Sent, signal: AbortSignal): Promise<Answer> {
    const { method, path, body = '', repeatable = SAFE.has(method) } = request;
    if (path.length > LONGEST_PATH || body.length > LARGEST_REQUEST) {
      const what = `${method} ${this.#redact(path.slice(0, 100))}`;
      throw new TargetUnreachable(`${what}… is longer than what joinproof sends to an API server.`, 'too-large');
    }
    const since = performance.now();
    let refreshed = false;
    for (let attempt = 1; ; attempt += 1) {
      const sending = await this.#turns.enter(() => this.#send(identity, request, signal));
      if ('answer' in sending && sending.answer.status === 401 && identity.kind === 'admin' && !refreshed) {
        refreshed = this.#connection.credential.refused();
        if (refreshed) continue;
      }
      const wait = this.#retries.next(sending, { attempt, since, repeatable, expects: request.expects });
      if (wait !== undefined) {
        await pause(wait, signal);
        continue;
      }
      this.pace.took(performance.now() - since);
      if ('answer' in sending) return attempt === 1 ? sending.answer : { ...sending.answer, resent: true };
      throw sending.failure;
    }
  }

  /** Aborted when the target does not answer any more; the reason says what it was. */
  get gone(): AbortSignal {
    return this.#retries.gone;
  }

  /** Throws ConfigurationError, the signal's reason, or why the target is gone. */
  async #send(identity: Identity, request: Sent, signal: AbortSignal): Promise<Sending> {
    signal.throwIfAborted();
    if (request.stubborn !== true) this.#retries.gone.throwIfAborted();
    const carried = await this.#carried(identity, signal);
    try {
      return { answer: await this.#once(carried, request, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { failure: unreachable(error, this.where, this.#redact, this.#proxy) };
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
        this.#secret(credentialIn(carried.authorization ?? '') ?? '');
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
    const isNamed = request.headers.some(([name]) => name.toLowerCase() === 'user-agent');
    const headers: string[] = isNamed ? [] : ['user-agent', 'joinproof'];
    for (const [name, value] of request.headers) headers.push(name, value);
    if (carried.authorization !== undefined) headers.push('authorization', carried.authorization);
    for (const value of carried.raw ?? []) headers.push('authorization', value);
    for (const [name, value] of carried.headers ?? []) headers.push(name, value);
    const { method, body: sent, read } = request;
    const path = this.#base.pathname.replace(/\/$/, '') + request.path;
    const { certificate } = carried;
    const {
      status,
      headers: received,
      text,
    } = (await this.#inside?.ask({ method, path, headers, certificate, body: sent, read })) ??
    (await this.#overTheWire({ path, headers, certificate }, request, signal));
    const body = parsed(text, received['content-type']);
    if (body === undefined && text !== '' && isJson(received['content-type'])) throw new CutOff();
    return { status, headers: received, text, body };
  }

  async #overTheWire(
    { path, headers, certificate }: { path: string; headers: string[]; certificate: ClientCertificate | undefined },
    request: Sent,
    signal: AbortSignal,
  ): Promise<HandedBack> {
    const pool = await this.#pool(certificate);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new TimeLimit(request.timeoutMs)), request.timeoutMs);
    const stop = (event: Event): void => limit.abort((event.target as AbortSignal).reason);
    const enders = [signal, this.#closing.signal, ...(request.stubborn === true ? [] : [this.#retries.gone])];
    // as many requests as are under way listen to one signal, whoever made it
    setMaxListeners(0, ...enders);
    for (const ender of enders) ender.addEventListener('abort', stop, { once: true });
    try {
      const answer = await pool.request({
        origin: this.#base.origin,
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers,
        body: request.body ?? null,
        // the connection outlives a DELETE that carries options
        reset: false,
        signal: limit.signal,
      });
      const encoding = answer.headers['content-encoding'] ?? 'identity';
      if (encoding !== 'identity') {
        answer.body.on('error', () => undefined).destroy();
        throw new Unreadable('the answer is compressed, which joinproof did not ask for');
      }
      const read = request.read ?? (WATCH.test(request.path) ? firstEvent : (whole: Readable) => textOf(whole));
      const progress = (): void => void timer.refresh();
      const text = await (answer.statusCode === 200 ? read(answer.body, progress) : textOf(answer.body));
      return { status: answer.statusCode, headers: defined(answer.headers), text };
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : error;
    } finally {
      clearTimeout(timer);
      for (const ender of enders) ender.removeEventListener('abort', stop);
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

const defined = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | readonly string[]> => {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept[name] = value;
  return kept;
};

const isJson = (type: string | readonly string[] | undefined): boolean =>
  typeof type === 'string' && type.includes('json');

/** The value of what says that it is JSON, or looks like it. */
function parsed(text: string, type: string | readonly string[] | undefined): unknown {
  if (text === '' || (typeof type === 'string' && !isJson(type) && !/^\s*[{[]/.test(text))) return undefined;
  try {
    return jsonOf(text);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`the answer ${error.message}`) : error;
  }
}
