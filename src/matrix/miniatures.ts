/**
 * Nine things that are no cluster. Whatever is asked of them, not a single rule may pass: a dead target proves nothing.
 */

import type { ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Authority, createAuthority, issueCredential } from '../pki/authority.js';

export const MINIATURES = [
  'closed port',
  'always 200',
  'always 401',
  'always 403',
  'always 500',
  'HTML page',
  'redirect loop',
  'slow drip',
  'wrong CA',
] as const;
export type MiniatureName = (typeof MINIATURES)[number];

export interface Miniature {
  readonly server: string;
  /** What the client is told to trust. */
  readonly caPem: string;
  close(): Promise<void>;
}

const status = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code });

function json(response: ServerResponse, code: number, body: string): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(body);
}

const ANSWERS: Readonly<
  Record<Exclude<MiniatureName, 'closed port'>, (response: ServerResponse, base: string) => void>
> = {
  'always 200': (response) => json(response, 200, '{}'),
  'always 401': (response) => json(response, 401, status(401, 'Unauthorized')),
  'always 403': (response) => json(response, 403, status(403, 'Forbidden')),
  'always 500': (response) => json(response, 500, status(500, 'InternalError')),
  'HTML page': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Sign in</title><h1>Sign in</h1>'),
  'redirect loop': (response, base) => response.writeHead(302, { location: `${base}/again` }).end(),
  'slow drip': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  'wrong CA': (response) => json(response, 200, '{}'),
};

const authority = (commonName: string): Authority =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() });

/** Starts one on a free port of loopback. */
export async function startMiniature(name: MiniatureName): Promise<Miniature> {
  const ca = authority('kubernetes');
  const leaf = issueCredential(ca, {
    key: 'ECDSA-P256',
    now: Date.now(),
    subject: { commonName: 'kube-apiserver' },
    extendedKeyUsage: ['serverAuth'],
    altNames: { ip: ['127.0.0.1'] },
  });
  const caPem = name === 'wrong CA' ? authority('kubernetes').certificate.pem : ca.certificate.pem;
  const server = await listen({ key: leaf.keyPem, cert: leaf.certificatePem });
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  if (name === 'closed port') {
    await close();
    return { server: base, caPem, close: async () => {} };
  }
  server.on('request', (request, response) => {
    request.resume();
    ANSWERS[name](response, base);
  });
  return { server: base, caPem, close };
}

const listen = (options: ServerOptions): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(options);
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
