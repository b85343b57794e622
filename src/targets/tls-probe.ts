/** What a server shows in TLS: looked at over connections of their own, which carry no request and no credential. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
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

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

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
      chain.push(pem(certificate.raw));
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
