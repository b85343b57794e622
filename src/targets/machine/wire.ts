/** The real wire: HTTP/1.1 over TLS, one kept connection for each server and trust. */
import { Agent, type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import type { Duplex } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Wire, WireAnswer, WireFailure, WireQuestion } from '../../kubernetes/wire.js';
import { type Address, failureOf, NotConnected, open } from './connect.js';

/** The time of a question is over. */
class TimeIsOver extends Error {}

type During = 'connecting' | 'waiting' | 'reading';

const failure = (given: WireFailure): WireAnswer => ({ kind: 'failure', failure: given });

export class NodeWire implements Wire {
  readonly #signal: AbortSignal;
  readonly #userAgent: string;
  readonly #kept = new Map<string, Duplex>();

  /** @param signal ends every exchange with its reason */
  constructor(signal: AbortSignal, userAgent: string) {
    this.#signal = signal;
    this.#userAgent = userAgent;
  }

  async exchange(question: WireQuestion): Promise<WireAnswer> {
    const address = addressOf(question.url);
    if (address === undefined) return failure({ cause: 'bad address' });
    const limit = new AbortController();
    const timer =
      question.within === undefined ? undefined : setTimeout(() => limit.abort(new TimeIsOver()), question.within);
    const stop = (): void => limit.abort(this.#signal.reason);
    if (this.#signal.aborted) stop();
    this.#signal.addEventListener('abort', stop, { once: true });
    const state: { during: During } = { during: 'connecting' };
    try {
      return await this.#exchange(question, address, { signal: limit.signal, state });
    } catch (error) {
      this.#signal.throwIfAborted();
      if (limit.signal.reason instanceof TimeIsOver) return failure({ cause: 'time', during: state.during });
      return failure(error instanceof NotConnected ? error.failure : lost(error, state.during));
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', stop);
    }
  }

  /** Ends every connection. */
  close(): void {
    for (const socket of this.#kept.values()) socket.destroy();
    this.#kept.clear();
  }

  async #exchange(
    question: WireQuestion,
    address: Address & { readonly target: string },
    { signal, state }: { readonly signal: AbortSignal; readonly state: { during: During } },
  ): Promise<WireAnswer> {
    const { host, port, secure, target } = address;
    const { method, headers, body, trust, certificate, largest } = question;
    const key = JSON.stringify([host, port, secure, trust, certificate?.certificate]);
    const socket = this.#take(key) ?? (await open(address, question, signal));
    state.during = 'waiting';
    // An agent of its own for each request gives it the connection that was made, and leaves it open afterwards.
    const agent = new Agent({ keepAlive: true });
    Object.assign(agent, { createConnection: () => socket });
    const request = send({
      agent,
      method,
      path: target,
      host,
      port,
      headers: {
        'user-agent': this.#userAgent,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    });
    try {
      const answer = await answerOf(request, body);
      state.during = 'reading';
      const read = await bodyOf(answer, largest);
      if (read === undefined) {
        socket.destroy();
        return failure({ cause: 'too large' });
      }
      if (answer.headers.connection !== 'close' && !socket.destroyed) this.#kept.set(key, socket);
      else socket.destroy();
      return { kind: 'answer', status: answer.statusCode ?? 0, headers: headersOf(answer), body: read };
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  #take(key: string): Duplex | undefined {
    const socket = this.#kept.get(key);
    this.#kept.delete(key);
    return socket?.destroyed === false && !socket.readableEnded ? socket : undefined;
  }
}

function addressOf(url: string): (Address & { readonly target: string }) | undefined {
  const parts = /^(https?):\/\/(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/.*)?$/i.exec(url);
  if (parts === null) return undefined;
  const [, scheme = '', host = '', given, target = '/'] = parts;
  const secure = scheme.toLowerCase() === 'https';
  const port = given === undefined ? (secure ? 443 : 80) : Number(given);
  return port > 65_535 ? undefined : { host: host.replace(/^\[(.*)\]$/, '$1'), port, secure, target };
}

function answerOf(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

/** The whole body, decompressed; undefined where it is larger than `largest`. */
async function bodyOf(answer: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  const isCompressed = answer.headers['content-encoding'] === 'gzip';
  const plain = isCompressed ? answer.pipe(createGunzip()) : answer;
  if (isCompressed) answer.on('error', (error) => plain.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of plain) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largest) {
      answer.destroy();
      return undefined;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

/** An exchange that broke off on an open connection. */
function lost(error: unknown, during: During): WireFailure {
  if (during === 'reading') return { cause: 'cut' };
  const message = error instanceof Error ? error.message : '';
  if (message === 'socket hang up' || message === 'aborted') return { cause: 'ended' };
  return failureOf(error);
}
