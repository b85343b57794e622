/**
 * HTTPS in front of the handler: TLS 1.2 and later, a client certificate asked for but never demanded, HTTP/1.1 with
 * keep-alive.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse } from '../machinery/http.js';

export interface ListenOptions {
  /** default 127.0.0.1 */
  readonly host?: string;
  /** 0: any free port */
  readonly port?: number;
  /** PEM */
  readonly key: string;
  /** PEM, leaf first */
  readonly cert: string;
  /** PEM of CAs whose names are sent to the client as acceptable issuers; verification is the authenticator's */
  readonly clientCa?: string;
}

export interface Listener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

const chains = new WeakMap<TLSSocket, readonly Buffer[]>();
/**
 * Every certificate that the client sent, leaf first; looked up once per connection. The plain objects of
 * getPeerCertificate cost a hundred times more.
 */
function chainOf(socket: unknown): readonly Buffer[] {
  if (!(socket instanceof TLSSocket)) return [];
  const known = chains.get(socket);
  if (known !== undefined) return known;
  const chain: Buffer[] = [];
  for (let peer = socket.getPeerX509Certificate(); peer !== undefined; peer = peer.issuerCertificate) {
    const { raw } = peer;
    if (chain.some((seen) => seen.equals(raw))) break;
    chain.push(raw);
  }
  chains.set(socket, chain);
  return chain;
}

function headersOf(message: Pick<IncomingMessage, 'rawHeaders'>): Record<string, string[]> {
  const headers: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  const raw = message.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    // Values stay bytes (Latin-1), as Node reads them: who needs text decodes it.
    const text = raw[index + 1] as string;
    const list = headers[name];
    if (list === undefined) headers[name] = [text];
    else list.push(text);
  }
  return headers;
}

function send(message: IncomingMessage, response: ServerResponse, answer: ApiResponse): void {
  if (answer.kind === 'full') {
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    response.writeHead(answer.code, { ...answer.headers, 'Content-Length': String(body.length) });
    response.end(body);
    return;
  }
  response.writeHead(answer.code, answer.headers);
  response.flushHeaders();
  const stop = answer.open({
    write: (chunk) => {
      response.write(chunk);
    },
    end: () => {
      response.end();
    },
  });
  response.on('close', stop);
  message.resume();
}

function serve(
  handle: (request: ApiRequest) => ApiResponse,
  limit: number,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let answered = false;
  const answer = (bodyTooLarge: boolean): void => {
    if (answered) return;
    answered = true;
    const request: ApiRequest = {
      method: message.method ?? 'GET',
      url: message.url ?? '/',
      headers: headersOf(message),
      certificates: chainOf(message.socket),
      body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
      ...(bodyTooLarge ? { bodyTooLarge } : {}),
    };
    send(message, response, handle(request));
  };
  const { headers } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    answer(false);
    return;
  }
  message.on('data', (chunk: Buffer) => {
    if (answered) return;
    size += chunk.length;
    if (size > limit) {
      response.setHeader('Connection', 'close');
      answer(true);
    } else chunks.push(chunk);
  });
  message.on('end', () => answer(false));
}

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

function writeRaw(answer: ApiResponse): Buffer {
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

/** @param limit largest body in bytes */
export function listen(
  handle: (request: ApiRequest) => ApiResponse,
  options: ListenOptions,
  limit: number,
  endStreams: () => void,
): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const tls: ServerOptions = {
    key: options.key,
    cert: options.cert,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    keepAliveTimeout: 60_000,
    ...(options.clientCa === undefined ? {} : { ca: options.clientCa }),
  };
  const server = createServer(tls, (message, response) => serve(handle, limit, message, response));
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const foreign = error.rawPacket === undefined ? undefined : readHead(error.code ?? '', error.rawPacket);
    if (foreign === undefined) {
      socket.end(
        'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 ' +
          'Bad Request',
      );
      return;
    }
    const { head, length } = foreign;
    let { body } = foreign;
    const answer = (): void => {
      socket.end(writeRaw(handle({ ...head, body, certificates: chainOf(socket) })));
    };
    if (body.length >= length) answer();
    else {
      socket.on('data', (chunk: Buffer) => {
        if (body.length >= length) return;
        body = Buffer.concat([body, chunk]);
        if (body.length >= length) answer();
      });
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      const { port } = server.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `https://${shown}:${port}`,
        host,
        port,
        close: () =>
          new Promise((done) => {
            endStreams();
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
