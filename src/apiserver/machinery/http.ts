/** Requests and answers without a transport, so that HTTPS and tests drive the same code. */

export interface ApiRequest {
  readonly method: string;
  /** path and query as they came, percent-encoded */
  readonly url: string;
  /** lower-case names, every value in order */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** DER of the client's certificate chain, leaf first */
  readonly certificates: readonly Buffer[];
  readonly body: Buffer;
  /** The body was longer than the limit and has been cut off. */
  readonly bodyTooLarge?: boolean;
}

export type Headers = Record<string, string | string[]>;

/** Where a stream writes to. */
export interface Sink {
  /** Returns false where the client has yet to take what it was sent; what follows waits for `onDrain`. */
  write(chunk: string | Buffer): boolean;
  /** Calls `act` whenever the client has taken everything after a write that returned false. */
  onDrain(act: () => void): void;
  end(): void;
}

export interface FullResponse {
  readonly kind: 'full';
  readonly code: number;
  readonly headers: Headers;
  readonly body: string | Buffer;
}

/** An answer that is there. */
export type Answered =
  | FullResponse
  | {
      readonly kind: 'stream';
      readonly code: number;
      readonly headers: Headers;
      /** Begins to write; returns what stops it when the client goes away. */
      readonly open: (sink: Sink) => () => void;
    };

/** `later`: somebody else is asked for it; that never rejects. */
export type ApiResponse = Answered | { readonly kind: 'later'; readonly answer: Promise<FullResponse> };

export const header = (request: ApiRequest, name: string): string | undefined => request.headers[name]?.[0];

/**
 * The header of a warning; its UTF-8 is written byte by byte, as Node writes headers. Source: apimachinery,
 * pkg/util/net/http.go NewWarningHeader.
 */
export const warningHeader = (text: string): string =>
  Buffer.from(`299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).toString('latin1');
