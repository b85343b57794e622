/**
 * HTTPS in front of the handler: TLS 1.2 and later, a client certificate asked for but never demanded, HTTP/1.1 with
 * keep-alive.
 */
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
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
  // As many headers as fit into their size: none is dropped unseen.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: ParserError, socket) => answerForeign(error, socket, serve));
  // A connection that cannot be accepted (no more file descriptors) is the client's loss, not the server's end.
  server.on('error', () => undefined);
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
