/** What Node's parser refuses: requests that Go reads all the same, and those that Go refuses in words of its own. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answered, ApiRequest } from '../machinery/http.js';
import { chainOf, headersOf } from './connection.js';
import type { Serve } from './turns.js';

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const REQUEST_LINE = new RegExp(`^(${TOKEN}) (\\S+) HTTP/1\\.[01]$`);
const HEADER_LINE = new RegExp(`^${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*$`);

/** What Go reads and Node's parser does not: methods that it has never heard of (FOO, get), and folded header lines. */
function readHead(
  code: string,
  packet: Buffer,
):
  | { readonly head: Omit<ApiRequest, 'certificates' | 'body'>; readonly body: Buffer; readonly length: number }
  | undefined {
  const text = packet.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const folded = /\r\n[ \t]+/.test(text.slice(0, end));
  if (end < 0 || (code !== 'HPE_INVALID_METHOD' && !folded)) return undefined;
  const [first = '', ...lines] = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const match = REQUEST_LINE.exec(first);
  if (match === null || !lines.every((line) => HEADER_LINE.test(line))) return undefined;
  const rawHeaders = lines.flatMap((line) => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const headers = headersOf({ rawHeaders });
  const length = Math.min(Number(headers['content-length']?.[0] ?? 0) || 0, 64 * 1024);
  return { head: { method: match[1] ?? '', url: match[2] ?? '/', headers }, body: packet.subarray(end + 4), length };
}

function writeRaw(answer: Answered): Buffer {
  const body = answer.kind === 'full' ? Buffer.from(answer.body) : Buffer.alloc(0);
  const headers = Object.entries({
    ...answer.headers,
    'Content-Length': String(body.length),
    Connection: 'close',
  }).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code] ?? ''}\r\n${headers.join('\r\n')}\r\n\r\n`,
      'latin1',
    ),
    body,
  ]);
}

/** An answer of the HTTP layer itself. Source: Go, net/http/server.go badRequestError, errTooLarge. */
const plain = (code: 400 | 431): string => {
  const text = `${code} ${STATUS_CODES[code]}`;
  return `HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`;
};

/** Milliseconds that the rest of a body may take. */
const PATIENCE = 30_000;

export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/**
 * What OpenSSL could not verify of a client's certificate may come up later, as an error of a connection that is sound:
 * the certificate is judged by the authenticator, and the request that came with it is answered.
 */
const isOfTls = ({ code }: ParserError): boolean => code?.startsWith('ERR_SSL_') === true;

/** Answers what could not be parsed, and ends the connection. */
export function answerForeign(error: ParserError, socket: Duplex & Partial<Timed>, serve: Serve): void {
  if (isOfTls(error)) return;
  if (!socket.writable || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  socket.setTimeout?.(PATIENCE, () => socket.destroy());
  const foreign = error.rawPacket === undefined ? undefined : readHead(error.code ?? '', error.rawPacket);
  if (foreign === undefined) {
    socket.end(plain(error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400));
    return;
  }
  const { head, length } = foreign;
  let { body } = foreign;
  const answer = (): void =>
    serve({ ...head, body, certificates: chainOf(socket) }, (response) => socket.end(writeRaw(response)));
  if (body.length >= length) {
    answer();
    return;
  }
  socket.on('data', (chunk: Buffer) => {
    if (body.length >= length) return;
    body = Buffer.concat([body, chunk]);
    if (body.length >= length) answer();
  });
}

interface Timed {
  setTimeout(milliseconds: number, act: () => void): unknown;
}
