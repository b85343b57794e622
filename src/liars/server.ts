/** A liar on real sockets, on loopback: for clients that are programs. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as listen, type Server, type Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import type { AnswerForm } from '../kubernetes/wire.js';
import { spkiPin } from '../pki/keys.js';
import { Liar } from './liar.js';
import { isWeak, type Lie, type Reply, type Weak } from './lie.js';

/** TLS 1.2 with ciphers for RSA keys only; certificates of liars have elliptic ones. */
const NO_COMMON_CIPHER: SecureContextOptions = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA256' };
/** Handshakes with whoever offers them. OpenSSL has them where it is asked to look away. */
const WEAK: Readonly<Record<Weak, SecureContextOptions>> = {
  'old tls': { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' },
  'null cipher': { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0' },
  'anonymous cipher': { maxVersion: 'TLSv1.2', ciphers: 'AECDH-AES128-SHA:@SECLEVEL=0' },
};
const DRIP_BYTES = 10;
const DRIP_MS = 100;
const PIECE_MS = 50;
/** Bytes of a request's body that are kept. */
const LARGEST_BODY = 1024 * 1024;

type Plain = Exclude<Reply, string>;

/** What a connection is, for the requests on it. */
interface Served {
  readonly connection: number;
  readonly socket: Socket;
  readonly tls: TLSSocket;
  isAsked: boolean;
}

/** Of the extension server_name; Node has it on sockets of servers. Source: RFC 6066, 3. */
function toldName(tls: TLSSocket): string {
  const { servername }: { readonly servername?: unknown } = tls as { readonly servername?: unknown };
  return typeof servername === 'string' ? servername : '';
}

export interface Listening {
  /** Called when somebody connects or asks, before he gets anything: what was done until then was done without it. */
  readonly before?: () => void;
  /** What to listen with instead of a free port of 127.0.0.1: a server that listens already. */
  readonly at?: Server;
  /** Of the cluster, "1.36.1". */
  readonly release?: string;
}

export class LiarServer {
  readonly liar: Liar;
  readonly #before: () => void;
  readonly #server: Server;
  readonly #others: Server[] = [];
  readonly #http = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new Set<Socket>();
  readonly #served = new WeakMap<object, Served>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(server: Server, liar: Liar, before: () => void) {
    this.#server = server;
    this.liar = liar;
    this.#before = before;
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Listens at a free port of 127.0.0.1; a lie that nobody listens for gets a port where nobody does. */
  static async start(lie: Lie, { before = () => {}, at, release }: Listening = {}): Promise<LiarServer> {
    const server = at ?? listen();
    if (at === undefined)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', resolve);
      });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const liar = new Liar(lie, {
      endpoint: `127.0.0.1:${port}`,
      now: () => Date.now(),
      ...(release === undefined ? {} : { release }),
    });
    const started = new LiarServer(server, liar, before);
    if (lie.listens === false) await started.close();
    return started;
  }

  /** The same at another address, with a server that listens there. */
  alsoAt(server: Server): void {
    server.on('connection', (socket: Socket) => this.#accept(socket));
    this.#others.push(server);
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    for (const server of this.#others) server.close();
    for (const timer of this.#timers) clearInterval(timer);
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    this.#before();
    const { connection, how, serving } = this.liar.accept();
    switch (how) {
      case 'closed':
        this.liar.note(connection, 'closed after accept');
        socket.resetAndDestroy();
        return;
      case 'silent':
        this.liar.note(connection, 'silent');
        return;
      case 'plain http':
        socket.once('data', (bytes) => {
          this.liar.note(connection, 'answered without tls', { firstByte: bytes[0] ?? 0 });
          socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        });
        return;
      default:
        this.#secure(socket, connection, {
          key: serving.keyPem,
          cert: serving.certificatePem,
          ...(how === 'no common cipher' ? NO_COMMON_CIPHER : isWeak(how) ? WEAK[how] : {}),
        });
    }
  }

  #secure(socket: Socket, connection: number, context: SecureContextOptions): void {
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext: createSecureContext(context),
      requestCert: true,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    });
    const served: Served = { connection, socket, tls, isAsked: false };
    this.#served.set(tls, served);
    let noted = false;
    tls.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      if (noted) return;
      noted = true;
      if (/HTTP_REQUEST/.test(code)) this.liar.note(connection, 'plain request');
      else if (/NO_SHARED_CIPHER|UNSUPPORTED_PROTOCOL/.test(code)) this.liar.note(connection, 'no common cipher');
      else if (/ALERT/.test(code)) this.liar.note(connection, 'certificate refused');
    });
    // A client need not say why: Node verifies after the handshake, and then sends no alert.
    socket.once('close', () => {
      if (!noted && !served.isAsked && socket.bytesRead > 0) this.liar.note(connection, 'closed without a request');
    });
    this.#http.emit('connection', tls);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const served = this.#served.get(request.socket);
    if (served === undefined) return;
    served.isAsked = true;
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of request) {
        const bytes = Buffer.from(chunk);
        size += bytes.length;
        if (size <= LARGEST_BODY) chunks.push(bytes);
      }
    } catch {
      return;
    }
    const subject = served.tls.getPeerCertificate().subject;
    const shown = served.tls.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' });
    this.#before();
    const reply = this.liar.answer({
      connection: served.connection,
      method: request.method ?? '',
      target: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      body: Buffer.concat(chunks).toString('utf8'),
      ...(subject === undefined ? {} : { clientCertificate: `O=${[subject.O].flat().join('+')}, CN=${subject.CN}` }),
      ...(shown === undefined ? {} : { clientKey: spkiPin(shown) }),
      tls: served.tls.getProtocol() ?? '',
      serverName: toldName(served.tls),
    });
    this.#reply(reply, response, served);
  }

  #reply(reply: Reply, response: ServerResponse, served: Served): void {
    const { socket, connection } = served;
    if (typeof reply !== 'string' && reply.after !== undefined) {
      const { after, ...rest } = reply;
      this.#timers.add(setTimeout(() => this.#reply(rest, response, served), after));
      return;
    }
    if (typeof reply !== 'string' && reply.holds === true) {
      response.writeHead(reply.status, reply.headers);
      response.write(reply.body);
      return;
    }
    if (typeof reply !== 'string' && reply.isHalf === true) {
      response.writeHead(reply.status, { ...reply.headers, 'content-length': 2 * Buffer.byteLength(reply.body) });
      response.write(reply.body, () => socket.end());
      return;
    }
    if (typeof reply !== 'string' && reply.form !== undefined) {
      this.#carry(reply, reply.form, response);
      return;
    }
    if (typeof reply !== 'string') {
      response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
      response.end(reply.body);
      return;
    }
    switch (reply) {
      case 'hang':
        return;
      case 'reset':
        socket.resetAndDestroy();
        return;
      case 'cut':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 4096 });
        response.write('{"kind":"ConfigMap"', () => socket.end());
        return;
      case 'drip':
        this.#drip(response, connection);
    }
  }

  /** An answer in one of the forms that HTTP has besides the plain one. */
  #carry({ status, headers, body: text }: Plain, form: AnswerForm, response: ServerResponse): void {
    const body = Buffer.from(text);
    const half = Math.ceil(body.length / 2);
    const length = { 'content-length': body.length };
    switch (form) {
      case 'chunked':
        response.writeHead(status, headers);
        response.write(body.subarray(0, half));
        response.end(body.subarray(half));
        return;
      case 'until closed':
        response.shouldKeepAlive = false;
        response.useChunkedEncodingByDefault = false;
        response.writeHead(status, { ...headers, connection: 'close' });
        response.end(body);
        return;
      case 'in pieces':
        response.writeHead(status, { ...headers, ...length });
        response.write(body.subarray(0, half));
        this.#timers.add(setTimeout(() => response.end(body.subarray(half)), PIECE_MS));
        return;
      case 'after a hint':
        response.writeProcessing();
        response.writeHead(status, { ...headers, ...length });
        response.end(body);
    }
  }

  /** A hundred bytes a second, until the client has had enough. */
  #drip(response: ServerResponse, connection: number): void {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1024 * 1024 });
    const timer = setInterval(() => response.write(' '.repeat(DRIP_BYTES)), DRIP_MS);
    this.#timers.add(timer);
    response.once('close', () => {
      clearInterval(timer);
      this.liar.note(connection, 'closed by client');
    });
  }
}
