/** For tests only: small HTTPS servers on loopback and the connections to them. */
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server, Socket } from 'node:net';
import { type Authority, createAuthority, issueCredential } from '../pki/authority.js';
import { type Carried, type Connection, fixedCredential } from './connection.js';

export const authority = (commonName = 'test-ca'): Authority =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() });

export const clientCertificate = (ca: Authority, commonName: string): { certificate: string; key: string } => {
  const issued = issueCredential(ca, {
    subject: { commonName },
    extendedKeyUsage: ['clientAuth'],
    key: 'ECDSA-P256',
    now: Date.now(),
  });
  return { certificate: issued.certificatePem, key: issued.keyPem };
};

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  readonly ca: Authority;
  readonly connections: () => number;
  close(): Promise<void>;
}

interface ServeOptions {
  readonly ca?: Authority;
  readonly names?: { dns?: string[]; ip?: string[] };
  readonly validity?: number;
  readonly now?: number;
  readonly clientCa?: Authority;
  readonly requireClient?: boolean;
  readonly plain?: boolean;
  /** Default: any free one. */
  readonly port?: number;
}

export async function serve(listener: RequestListener, options: ServeOptions = {}): Promise<LocalServer> {
  const ca = options.ca ?? authority();
  const leaf = issueCredential(ca, {
    subject: { commonName: 'kube-apiserver' },
    extendedKeyUsage: ['serverAuth'],
    altNames: options.names ?? { dns: ['localhost'], ip: ['127.0.0.1'] },
    key: 'ECDSA-P256',
    now: options.now ?? Date.now(),
    ...(options.validity === undefined ? {} : { validity: options.validity }),
  });
  const tls = {
    cert: leaf.certificatePem,
    key: leaf.keyPem,
    ...(options.clientCa === undefined
      ? {}
      : {
          ca: options.clientCa.certificate.pem,
          requestCert: true,
          rejectUnauthorized: options.requireClient === true,
        }),
  };
  const server = options.plain === true ? createHttp(listener) : createHttps(tls, listener);
  return listen(server, ca, options.plain === true ? 'http' : 'https', options.port);
}

export async function listen(server: Server, ca: Authority, scheme: string, at = 0): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    ca,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export const connectionTo = (
  server: Pick<LocalServer, 'url' | 'ca'>,
  carried: Carried = {},
  more: Partial<Connection> = {},
): Connection => ({
  server: server.url,
  name: `${server.url} (test)`,
  caPem: server.ca.certificate.pem,
  insecure: false,
  credential: fixedCredential(carried),
  ...more,
});

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
