/**
 * Requests in and answers out, within bounds: what clients send and do not end, or ask for and do not take, has a
 * common limit, and nobody waits for them for ever. Source of the times: apiserver, pkg/server/config.go
 * RequestTimeout.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { textResponse } from '../discovery/plain-text.js';
import type { Answered, ApiRequest } from '../machinery/http.js';
import { chainOf, headersOf } from './connection.js';
import type { Serve } from './turns.js';

/** Milliseconds within which a request is sent and an answer taken. */
export const REQUEST_TIMEOUT = 60_000;
/** Bytes that all clients together may keep here: of bodies not ended, and of answers not taken. */
const MOST_HELD = 256 * 1024 * 1024;
/** Answers up to this size are not counted: the socket's own buffer bounds them. */
const SMALL = 64 * 1024;

/** Source: apiserver, pkg/server/filters/maxinflight.go tooManyRequests. */
const TOO_MANY: Answered = (() => {
  const answer = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...answer, headers: { ...answer.headers, 'Retry-After': '1' } };
})();

/** The path and query of a request target, which may be a whole URL. Source: RFC 9112, Request Target. */
const originForm = (target: string): string => {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') || rest === target ? rest : `/${rest}`;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

export class Answers {
  private held = 0;

  /** @param limit largest body in bytes */
  constructor(
    private readonly serve: Serve,
    private readonly limit: number,
  ) {}

  answer(message: IncomingMessage, response: ServerResponse): void {
    // A client that goes away in the middle is told nothing; its connection's end is heard of by 'close'.
    response.on('error', () => response.destroy());
    if (hasBody(message)) this.receive(message, response);
    else this.ask(message, response, { body: Buffer.alloc(0) });
  }

  /** Answers who waits for leave to send a body; it is given where a body is read. Source: Go, net/http expectContinueReader. */
  answerWaiting(message: IncomingMessage, response: ServerResponse): void {
    if (hasBody(message)) response.writeContinue();
    this.answer(message, response);
  }

  private ask(
    message: IncomingMessage,
    response: ServerResponse,
    body: Pick<ApiRequest, 'body' | 'bodyTooLarge'>,
  ): void {
    const request: ApiRequest = {
      method: message.method ?? 'GET',
      url: originForm(message.url ?? '/'),
      headers: headersOf(message),
      certificates: chainOf(message.socket),
      ...body,
    };
    this.serve(request, (answer) => {
      try {
        if (!response.destroyed) this.send(message, response, answer);
      } catch {
        // An answer that HTTP cannot carry ends its connection, not the server.
        response.destroy();
      }
    });
  }

  private receive(message: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let size = 0;
    let ended = false;
    const end = (act: () => void): void => {
      if (ended) return;
      ended = true;
      this.held -= size;
      act();
    };
    message.on('data', (chunk: Buffer) => {
      if (ended) return;
      size += chunk.length;
      this.held += chunk.length;
      if (size <= this.limit && this.held <= MOST_HELD) {
        chunks.push(chunk);
        return;
      }
      response.setHeader('Connection', 'close');
      end(() => {
        if (size > this.limit) this.ask(message, response, { body: Buffer.concat(chunks), bodyTooLarge: true });
        else this.send(message, response, TOO_MANY);
      });
    });
    message.on('end', () =>
      end(() =>
        this.ask(message, response, { body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }),
      ),
    );
    message.on('close', () => end(() => undefined));
  }

  private send(message: IncomingMessage, response: ServerResponse, answer: Answered): void {
    if (answer.kind === 'stream') {
      this.stream(message, response, answer);
      return;
    }
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    if (body.length > SMALL) {
      if (this.held + body.length > MOST_HELD && message.method === 'GET') {
        this.send(message, response, TOO_MANY);
        return;
      }
      this.hold(response, body.length);
      destroyUntaken(response);
    }
    const length = message.method === 'HEAD' || answer.code === 304 ? {} : { 'Content-Length': String(body.length) };
    response.writeHead(answer.code, { ...answer.headers, ...length });
    response.end(body);
  }

  /** Counts bytes until the answer is taken or given up. */
  private hold(response: ServerResponse, bytes: number): void {
    this.held += bytes;
    response.once('close', () => {
      this.held -= bytes;
    });
  }

  private stream(
    message: IncomingMessage,
    response: ServerResponse,
    answer: Extract<Answered, { kind: 'stream' }>,
  ): void {
    response.writeHead(answer.code, answer.headers);
    response.flushHeaders();
    const stop = answer.open({
      write: (chunk) => response.write(chunk),
      onDrain: (act) => response.on('drain', act),
      end: () => {
        response.end();
        destroyUntaken(response);
      },
    });
    response.on('close', stop);
    message.resume();
  }
}

/** Who takes nothing within the time loses the connection. */
function destroyUntaken(response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), REQUEST_TIMEOUT);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
