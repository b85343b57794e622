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

export interface WireOptions {
  readonly userAgent: string;
  /** Authorities of the host, PEM; default: those that Node knows. */
  readonly hostCaPem?: string;
}

export class NodeWire implements Wire {
  readonly #signal: AbortSignal;
  readonly #options: WireOptions;
  readonly #agents = new Map<string, Agent>();

  /** @param signal ends every exchange with its reason */
  constructor(signal: AbortSignal, options: WireOptions) {
    this.#signal = signal;
    this.#options = options;
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
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  async #exchange(
    question: WireQuestion,
    address: Address & { readonly target: string },
    { signal, state }: { readonly signal: AbortSignal; readonly state: { during: During } },
  ): Promise<WireAnswer> {
    const { host, port, target } = address;
    const { method, headers, body, largest } = question;
    const { hostCaPem } = this.#options;
    const request = send({
      agent: this.#agent(question, address, () => open(address, question, { signal, hostCaPem })),
      method,
      path: target,
      host,
      port,
      headers: {
        'user-agent': this.#options.userAgent,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      signal,
    });
    request.once('socket', () => {
      state.during = 'waiting';
    });
    const answer = await answerOf(request, body);
    state.during = 'reading';
    const read = await bodyOf(answer, largest);
    if (read === undefined) return failure({ cause: 'too large' });
    return { kind: 'answer', status: answer.statusCode ?? 0, headers: headersOf(answer), body: read };
  }

  /** The agent that keeps the connection of this trust to this server, and connects by `connect` where it has none. */
  #agent({ trust, certificate }: WireQuestion, { host, port, secure }: Address, connect: () => Promise<Duplex>): Agent {
    const key = JSON.stringify([host, port, secure, trust, certificate?.certificate]);
    const agent = this.#agents.get(key) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    this.#agents.set(key, agent);
    const createConnection = (_: unknown, made: (error: Error | null, socket?: Duplex) => void): void => {
      connect().then(
        (socket) => made(null, socket),
        (error: Error) => made(error),
      );
    };
    return Object.assign(agent, { createConnection });
  }
}

/** An IPv4 address that is written as one of IPv6 is one, as Go has it. */
const plainHost = (host: string): string => host.replace(/^::ffff:(?=\d+(?:\.\d+){3}$)/i, '');

function addressOf(url: string): (Address & { readonly target: string }) | undefined {
  const parts = /^(https?):\/\/(\[[^\]]*\]|[^/:]*)(?::(\d+))?(\/.*)?$/i.exec(url);
  if (parts === null) return undefined;
  const [, scheme = '', host = '', given, target = '/'] = parts;
  const secure = scheme.toLowerCase() === 'https';
  const port = given === undefined ? (secure ? 443 : 80) : Number(given);
  return port > 65_535 ? undefined : { host: plainHost(host.replace(/^\[(.*)\]$/, '$1')), port, secure, target };
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
