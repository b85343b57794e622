/**
 * HTTPS in front of the handler: TLS 1.2 and later, a client certificate asked for but never demanded, HTTP/1.1 with
 * keep-alive.
 */
import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
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
  /**
   * PEM of CAs whose names are sent to the client as acceptable issuers; verification is the authenticator's. An
   * empty list: no certificate is asked for.
   */
  readonly clientCas?: readonly string[];
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
    requestCert: options.clientCas?.length !== 0,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    keepAliveTimeout: 60_000,
    handshakeTimeout: HEADERS_TIMEOUT,
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: LONGEST_HEADERS,
    ca: [...(options.clientCas ?? [])],
  };
  const answers = new Answers(serve, limit);
  let made: Server | undefined;
  // Most references of a run are asked without a connection, and OpenSSL takes as long for this as all else at a start.
  const secure = (): Server => {
    made ??= secureServer(tls, answers, serve);
    return made;
  };
  const { server: door, silent } = openDoor(secure, options.plainHttp === true ? answers : undefined);
  // A connection that cannot be accepted (no more file descriptors) is the client's loss, not the server's end.
  door.on('error', () => undefined);
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
            made?.closeAllConnections();
            for (const socket of silent) socket.destroy();
          }),
      });
    });
  });
}

function answeredBy<T extends PlainServer>(server: T, answers: Answers): T {
  server.on('request', (message, response) => answers.answer(message, response));
  server.on('checkContinue', (message, response) => answers.answerWaiting(message, response));
  return server;
}

function secureServer(tls: ServerOptions, answers: Answers, serve: Serve): Server {
  const server = answeredBy(createServer(tls), answers);
  // As many headers as fit into their size: none is dropped unseen.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: ParserError, socket) => answerForeign(error, socket, serve));
  server.on('error', () => undefined);
  return server;
}

/** The first byte of a TLS record that begins a handshake. */
const HANDSHAKE = 0x16;
/** How a request without TLS is known. Source: Go, net/http/server.go tlsRecordHeaderLooksLikeHTTP. */
const HTTP_BEGINS: readonly string[] = ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'];
/** Source: Go, net/http/server.go conn.serve. */
const NOT_HTTPS = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Says who comes with a request where a handshake belongs; with `answers` such a request is answered all the same. */
function openDoor(secure: () => Server, answers: Answers | undefined): Door {
  const plain = answers === undefined ? undefined : answeredBy(createPlainServer(), answers);
  const silent = new Set<Socket>();
  // Go sends what is written at once; a client whose kernel waits for more before it acknowledges would wait 40 ms.
  const server = createNetServer({ noDelay: true }, (socket) => {
    const end = (): unknown => socket.destroy();
    silent.add(socket);
    socket.on('error', end);
    socket.setTimeout(HEADERS_TIMEOUT, end);
    socket.once('close', () => silent.delete(socket));
    socket.once('data', (first: Buffer) => {
      silent.delete(socket);
      socket.setTimeout(0, end);
      if (first[0] !== HANDSHAKE && plain === undefined) {
        if (HTTP_BEGINS.includes(first.subarray(0, 5).toString('latin1'))) socket.end(NOT_HTTPS);
        else end();
        return;
      }
      socket.pause();
      socket.unshift(first);
      (plain === undefined || first[0] === HANDSHAKE ? secure() : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
  return { server, silent };
}

/** What listens, and the connections that have said nothing yet. */
interface Door {
  readonly server: NetServer;
  readonly silent: ReadonlySet<Socket>;
}
