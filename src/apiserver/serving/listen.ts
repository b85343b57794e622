/**
 * HTTPS in front of the handler: TLS 1.2 and later, a client certificate asked for but never demanded, HTTP/1.1 with
 * keep-alive.
 */
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from 'node:net';
import { Answers, REQUEST_TIMEOUT } from './answers.js';
import { answerForeign, type ParserError } from './foreign-requests.js';
import type { Serve } from './turns.js';

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
  /** Requests that come without TLS are answered as well. Default: no. */
  readonly plainHttp?: boolean;
}

export interface Listener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Milliseconds. Source: apiserver, pkg/server/secure_serving.go ReadHeaderTimeout. */
const HEADERS_TIMEOUT = 32_000;
/** Bytes of the request line and all headers. Source: Go, net/http DefaultMaxHeaderBytes and its slop. */
const LONGEST_HEADERS = 1024 * 1024 + 4096;

/** @param limit largest body in bytes */
export function listen(serve: Serve, options: ListenOptions, limit: number, endStreams: () => void): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const tls: ServerOptions = {
    key: options.key,
    cert: options.cert,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    keepAliveTimeout: 60_000,
    handshakeTimeout: HEADERS_TIMEOUT,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: LONGEST_HEADERS,
    ...(options.clientCa === undefined ? {} : { ca: options.clientCa }),
  };
  const answers = new Answers(serve, limit);
  const server = createServer(tls, (message, response) => answers.answer(message, response));
  const door = options.plainHttp === true ? openDoor(server, answers) : server;
  // As many headers as fit into their size: none is dropped unseen.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: ParserError, socket) => answerForeign(error, socket, serve));
  // A connection that cannot be accepted (no more file descriptors) is the client's loss, not the server's end.
  server.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(options.port ?? 0, host, () => {
      door.off('error', reject);
      const { port } = door.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host;
      resolve({
        url: `https://${shown}:${port}`,
        host,
        port,
        close: () =>
          new Promise((done) => {
            endStreams();
            door.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** The first byte of a TLS record that begins a handshake. */
const HANDSHAKE = 0x16;

/** A port that speaks TLS with whoever begins to, and plain HTTP with the others. */
function openDoor(secure: Server, answers: Answers): NetServer {
  const plain = createPlainServer((message, response) => answers.answer(message, response));
  return createNetServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === HANDSHAKE ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}
