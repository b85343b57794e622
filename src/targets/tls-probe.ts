/** What a server shows in TLS: looked at over connections of their own, which carry no request and no credential. */
import { createHash } from 'node:crypto';
import { isIP, connect as reach } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { certificatePem } from '../kubernetes/certificate-pem.js';
import { TargetUnreachable } from './errors.js';
import { TimeLimit, unreachable } from './transport-errors.js';

const HANDSHAKE_MS = 10_000;

export interface Handshake {
  readonly server: string;
  /** undefined: trust anything. */
  readonly caPem?: string;
  readonly serverName?: string;
  readonly signal: AbortSignal;
}

/** The chain in the order in which the server sent it, leaf first, PEM. Throws TargetUnreachable. */
export async function presentedCertificates(handshake: Handshake): Promise<readonly string[]> {
  const socket = await shake(handshake);
  try {
    const chain: string[] = [];
    const seen = new Set<string>();
    for (
      let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
      certificate?.raw !== undefined;
    ) {
      const id = createHash('sha256').update(certificate.raw).digest('hex');
      if (seen.has(id)) break;
      seen.add(id);
      chain.push(certificatePem(certificate.raw));
      certificate = certificate.issuerCertificate;
    }
    return chain;
  } finally {
    socket.destroy();
  }
}

/** Does a handshake that trusts only `caPem` succeed? Throws TargetUnreachable only where there is no TLS at all. */
export async function trusted(
  handshake: Handshake & { readonly caPem: string },
): Promise<{ ok: true } | { ok: false; reason: string }> {
  try {
    (await shake(handshake)).destroy();
    return { ok: true };
  } catch (error) {
    if (error instanceof TargetUnreachable && error.why.startsWith('tls-')) return { ok: false, reason: error.message };
    throw error;
  }
}

/** What is read of an answer without TLS. */
const PLAIN_BYTES = 4096;
const PLAIN_MS = 5_000;

/**
 * The head of what comes back for a request that is sent without TLS. A server of TLS closes the connection, or says
 * 400 (Go, net/http: "Client sent an HTTP request to an HTTPS server"). Throws nothing but the reason of an abort.
 */
export function plainAnswer({ server, signal }: Pick<Handshake, 'server' | 'signal'>): Promise<string> {
  const url = new URL(server);
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = reach({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '443') });
    let text = '';
    const end = (): void => {
      signal.removeEventListener('abort', stop);
      socket.destroy();
      resolve(text.split('\r\n\r\n')[0] ?? '');
    };
    const stop = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.setTimeout(PLAIN_MS, end);
    socket.once('error', end);
    socket.once('close', end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.includes('\r\n\r\n') || text.length > PLAIN_BYTES) end();
    });
    socket.write(`GET /version HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  });
}

function shake({ server, caPem, serverName, signal }: Handshake): Promise<TLSSocket> {
  const url = new URL(server);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || '443');
  const where = `${url.hostname}:${port}`;
  if (url.protocol !== 'https:')
    return Promise.reject(
      new TargetUnreachable(`Cannot look at the certificate of ${where}: it is reached by http.`, 'not-https'),
    );
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const name = serverName ?? host;
    let socket: TLSSocket;
    const end = (error: unknown): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket?.destroy();
      reject(error === signal.reason && signal.aborted ? error : unreachable(error, where, (text) => text));
    };
    const stop = (): void => end(signal.reason);
    const timer = setTimeout(() => end(new TimeLimit(HANDSHAKE_MS)), HANDSHAKE_MS);
    signal.addEventListener('abort', stop, { once: true });
    try {
      socket = connect({
        host,
        port,
        // SNI may not hold an address; the name that is checked may.
        ...(isIP(name) === 0 ? { servername: name } : {}),
        ...(caPem === undefined ? {} : { ca: caPem }),
        rejectUnauthorized: caPem !== undefined,
        ...(serverName === undefined || isIP(serverName) === 0
          ? {}
          : { checkServerIdentity: addressCheck(serverName) }),
      });
    } catch (error) {
      end(error);
      return;
    }
    socket.once('error', end);
    socket.once('close', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners('close');
      socket.removeListener('error', end);
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

const addressCheck =
  (address: string) =>
  (_host: string, certificate: { subjectaltname?: string }): Error | undefined =>
    (certificate.subjectaltname ?? '').split(', ').includes(`IP Address:${address}`)
      ? undefined
      : Object.assign(new Error(`the certificate does not name ${address}`), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
