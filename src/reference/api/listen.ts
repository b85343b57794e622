/** HTTPS in front of the handler: TLS 1.2 and later, a client certificate asked for but never demanded, HTTP/1.1 with keep-alive. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ApiRequest, ApiResponse } from './http.js';

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

interface Peer {
  readonly raw?: Buffer;
  readonly issuerCertificate?: Peer;
}

const chains = new WeakMap<TLSSocket, readonly Buffer[]>();
/** Every certificate that the client sent, leaf first; looked up once per connection. */
function chainOf(socket: unknown): readonly Buffer[] {
  if (!(socket instanceof TLSSocket)) return [];
  const known = chains.get(socket);
  if (known !== undefined) return known;
  const chain: Buffer[] = [];
  let peer: Peer | undefined = socket.getPeerCertificate(true);
  while (peer?.raw !== undefined && !chain.some((seen) => seen.equals(peer?.raw ?? Buffer.alloc(0)))) {
    chain.push(peer.raw);
    peer = peer.issuerCertificate;
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

function serve(handle: (request: ApiRequest) => ApiResponse, limit: number, message: IncomingMessage, response: ServerResponse): void {
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

/** A request whose method Node's parser does not know (FOO, get): read here, as far as its head goes. */
function readHead(packet: Buffer): Omit<ApiRequest, 'certificates'> | undefined {
  const [head = ''] = packet.toString('latin1').split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) (\S+) HTTP\/1\.[01]$/.exec(first);
  if (match === null) return undefined;
  const raw = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { method: match[1] ?? '', url: match[2] ?? '/', headers: headersOf({ rawHeaders: raw }), body: Buffer.alloc(0) };
}

function writeRaw(answer: ApiResponse): Buffer {
  const body = answer.kind === 'full' ? Buffer.from(answer.body) : Buffer.alloc(0);
  const headers = Object.entries({ ...answer.headers, 'Content-Length': String(body.length), Connection: 'close' }).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${answer.code} ${STATUS_CODES[answer.code] ?? ''}\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** @param limit largest body in bytes */
export function listen(handle: (request: ApiRequest) => ApiResponse, options: ListenOptions, limit: number, endStreams: () => void): Promise<Listener> {
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
    const foreign = error.code === 'HPE_INVALID_METHOD' && error.rawPacket !== undefined ? readHead(error.rawPacket) : undefined;
    if (foreign === undefined) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request');
    else socket.end(writeRaw(handle({ ...foreign, certificates: chainOf(socket) })));
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
