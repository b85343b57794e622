/** TLS connections of a machine that joins: nothing is sent before the certificate was believed. */
import { createConnection, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { CertificateProblem, WireFailure, WireQuestion } from '../../kubernetes/wire.js';
import { codeOf } from '../error-code.js';

/** A connection that did not come to be. */
export class NotConnected extends Error {
  constructor(readonly failure: WireFailure) {
    super(failure.cause);
  }
}

const CAUSES: Readonly<Record<string, WireFailure>> = {
  ECONNREFUSED: { cause: 'refused' },
  ENOTFOUND: { cause: 'unknown host' },
  EAI_AGAIN: { cause: 'unknown host' },
  EHOSTUNREACH: { cause: 'unreachable' },
  ENETUNREACH: { cause: 'unreachable' },
  EADDRNOTAVAIL: { cause: 'unreachable' },
  ETIMEDOUT: { cause: 'time', during: 'connecting' },
  ECONNRESET: { cause: 'reset' },
  EPIPE: { cause: 'reset' },
};
const NOT_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL|RECORD_LAYER/i;
const REFUSED =
  /ALERT_HANDSHAKE_FAILURE|NO_PROTOCOLS_AVAILABLE|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER|PROTOCOL_VERSION/i;

/** What an error of a socket, or of its handshake, means. */
export function failureOf(error: unknown): WireFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = CAUSES[code];
  if (known !== undefined) return known;
  if (NOT_TLS.test(code)) return { cause: 'not tls' };
  if (REFUSED.test(code)) return { cause: 'handshake' };
  if (error instanceof AggregateError) return failureOf(error.errors[0]);
  return { cause: 'other', why: code === '' ? String(error instanceof Error ? error.message : error) : code };
}

/** Why the certificate of an open connection is not believed; undefined where it is. */
function problemOf(socket: TLSSocket, host: string): CertificateProblem | undefined {
  if (socket.authorized) return undefined;
  const error: unknown = socket.authorizationError;
  const code = codeOf(error);
  const certificate = socket.getPeerX509Certificate();
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return {
        kind: 'dates',
        notBefore: Date.parse(certificate?.validFrom ?? ''),
        notAfter: Date.parse(certificate?.validTo ?? ''),
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const kind = isIP(host) === 0 ? 'DNS:' : 'IP Address:';
      const all = certificate?.subjectAltName?.split(', ') ?? [];
      const names = all.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
      return { kind: 'name', host, names };
    }
    case 'INVALID_PURPOSE':
      return { kind: 'usage' };
    default:
      return { kind: 'authority' };
  }
}

/** Host and port of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** What ends it, and the authorities of the host (PEM) where they are not those of Node. */
export interface Opening {
  readonly signal: AbortSignal;
  readonly hostCaPem?: string | undefined;
}

/** Resolves to a connection that may be used; throws NotConnected. Ended when the signal says so. */
export async function open(
  { host, port, secure }: Address,
  { trust, certificate }: Pick<WireQuestion, 'trust' | 'certificate'>,
  { signal, hostCaPem }: Opening,
): Promise<Socket> {
  signal.throwIfAborted();
  const ca = typeof trust === 'object' ? trust.caPem : trust === 'host' ? hostCaPem : undefined;
  const options: ConnectionOptions = {
    host,
    port,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    // Judged below, so that what is wrong can be told.
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  };
  let socket: Socket | undefined;
  try {
    const opened = secure ? connect(options) : createConnection({ host, port });
    socket = opened;
    await ready(opened, secure ? 'secureConnect' : 'connect', signal);
  } catch (error) {
    socket?.destroy();
    signal.throwIfAborted();
    throw new NotConnected(failureOf(error));
  }
  const problem = secure && trust !== 'anybody' ? problemOf(socket as TLSSocket, host) : undefined;
  if (problem === undefined) return socket;
  socket.destroy();
  throw new NotConnected({ cause: 'untrusted', problem });
}

function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', stop);
      act();
    };
    socket.once(event, () => settle(resolve));
    socket.once('error', (error) => settle(() => reject(error)));
    socket.once('close', () => settle(() => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))));
  });
}
