/** Requests as they go over the wire, and what may go wrong there: what a client and its server speak of. */

/** Whose certificate a server must show: anybody's, that of an authority of the host, or of these (PEM). */
export type Trust = 'anybody' | 'host' | { readonly caPem: string };

/** One request, on a connection that is kept for whoever asks the same server with the same trust. */
export interface WireQuestion {
  readonly method: string;
  /** Absolute, http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly trust: Trust;
  /** Client certificate, PEM. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Versions and ciphers of TLS are offered that protect nothing, too. */
  readonly offersWeak?: true;
  /** Name that the server is told before it shows a certificate; default: that of the URL, '' where it has none. */
  readonly serverName?: string;
  /** Milliseconds for connecting, waiting and reading together; undefined: no limit. */
  readonly within?: number;
  /** Bytes of a body, after decompression, beyond which it is not read. */
  readonly largest: number;
}

/** Why no answer came, or not all of it. */
export type WireFailure =
  /** Nobody listens, the host is not known or cannot be reached, the port is none. */
  | { readonly cause: 'refused' | 'unknown host' | 'unreachable' | 'bad address' }
  /** Broken off by the server: before a byte of the answer came, or in the middle of its body. */
  | { readonly cause: 'reset' | 'ended' }
  /** `begun`: what had come by then, where somebody kept it. */
  | { readonly cause: 'cut'; readonly begun?: Buffer }
  /** The time was over while connecting (TLS included), while waiting for the answer, while reading its body. */
  | { readonly cause: 'time'; readonly during: 'connecting' | 'waiting' | 'reading' }
  /** No TLS spoken there, or none that both know; the server refused the client. */
  | { readonly cause: 'not tls' | 'handshake' }
  | { readonly cause: 'untrusted'; readonly problem: CertificateProblem }
  | { readonly cause: 'too large' }
  /** Anything else, in words. */
  | { readonly cause: 'other'; readonly why: string };

/** Why a serving certificate is not believed; of several reasons the first of this list. Times since the epoch. */
export type CertificateProblem =
  | { readonly kind: 'dates'; readonly notBefore: number; readonly notAfter: number }
  /** `names`: those in the certificate; none: it has no subject alternative name. */
  | { readonly kind: 'name'; readonly host: string; readonly names: readonly string[] }
  | { readonly kind: 'authority' }
  | { readonly kind: 'usage' };

/**
 * In chunks; up to the end of its connection; a few bytes after the other; after an answer of 102, which is none. Source:
 * RFC 9112, 6.3 and 7.1; RFC 9110, 15.2.
 */
export type AnswerForm = 'chunked' | 'until closed' | 'in pieces' | 'after a hint';

export type WireAnswer =
  /** `headers` by lower-case name. `body` is decompressed. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** How it was carried, where somebody kept that. */
      readonly form?: AnswerForm;
    }
  | { readonly kind: 'failure'; readonly failure: WireFailure };

/** Follows no redirect, repeats nothing, throws nothing but what ends the whole run. */
export interface Wire {
  exchange(question: WireQuestion): Promise<WireAnswer>;
}
