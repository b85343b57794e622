/**
 * What a joining client did against a server: the words that server, target and judge share. Times in milliseconds
 * since
 * the server began.
 */

/** How a connection ended before, or instead of, a request. */
export type ConnectionEvent =
  /** The client broke the handshake off: it does not believe the certificate. */
  | 'certificate refused'
  /** The client spoke HTTP without TLS. */
  | 'plain request'
  | 'no common cipher'
  | 'answered without tls'
  | 'closed after accept'
  | 'silent'
  | 'closed by client';

export type Entry =
  | {
      readonly kind: 'request';
      readonly at: number;
      readonly connection: number;
      /** Under which certificate it was served. */
      readonly certificate: string;
      readonly method: string;
      /** With its query. */
      readonly target: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly authorization: string | undefined;
      /** Subject of a client certificate, "O=system:nodes, CN=system:node:a". */
      readonly clientCertificate?: string;
      /** Negotiated, where there is a real handshake. */
      readonly tls?: string;
      readonly body: string;
      /** Status, or what happened instead of an answer. */
      readonly answered: number | 'hang' | 'drip' | 'cut' | 'reset';
    }
  | {
      readonly kind: 'connection';
      readonly at: number;
      readonly connection: number;
      readonly certificate?: string;
      readonly event: ConnectionEvent;
      /** First byte that the client sent, where it was looked at. */
      readonly firstByte?: number;
    };

/** A file that a client left. */
export interface LeftFile {
  readonly mode: number;
  readonly text: string;
}

export interface Transcript {
  /** What the server saw, in order. */
  readonly entries: readonly Entry[];
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** The last words of one that failed; '' else. */
  readonly message: string;
  /** By absolute path below its root; those that were there before are none of them. */
  readonly files: Readonly<Record<string, LeftFile>>;
  /** From start to end. */
  readonly milliseconds: number;
}
