/**
 * Requests to a server of this very process, handed over without a connection: what HTTP and TLS would only carry. What
 * is about the wire itself (bytes that HTTP may refuse, chains of certificates, watches, large bodies) goes over it.
 */
import { X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { ClientCertificate } from './connection.js';
import type { BodyReader } from './list-pages.js';

/** Answers one request; the shapes are those of HTTP. */
export type Handle = (request: {
  readonly method: string;
  /** path and query, percent-encoded */
  readonly url: string;
  /** lower-case names, every value in order */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** DER of the client's certificate chain, leaf first */
  readonly certificates: readonly Buffer[];
  readonly body: Buffer;
}) => Full | { readonly kind: 'later'; readonly answer: Promise<Full> } | { readonly kind: 'stream' };

interface Full {
  readonly kind: 'full';
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
}

export interface HandedOver {
  readonly method: string;
  readonly path: string;
  /** names and values by turns */
  readonly headers: readonly string[];
  readonly certificate: ClientCertificate | undefined;
  readonly body: string | undefined;
  /** Takes the body of a 200. */
  readonly read?: BodyReader | undefined;
}

export interface HandedBack {
  readonly status: number;
  /** lower-case names */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** Characters of a body that a server may find too long. */
const LONG = 256 * 1024;
const WATCH = /[?&](?:watch|follow)=/;
/** What HTTP carries as it is. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
const PLAIN_PATH = /^\/[!-~]*$/;
const ONE_CERTIFICATE = /^\s*-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*$/;

export class InProcess {
  readonly #handle: Handle;
  readonly #chains = new Map<string, readonly Buffer[] | undefined>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Undefined: it has to go over a connection. */
  async ask({ method, path, headers, certificate, body, read }: HandedOver): Promise<HandedBack | undefined> {
    const certificates = certificate === undefined ? [] : this.#chainOf(certificate);
    if (certificates === undefined || WATCH.test(path) || !PLAIN_PATH.test(path) || (body ?? '').length > LONG)
      return undefined;
    const given: Record<string, string[]> = {};
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = (headers[at] as string).toLowerCase();
      const value = headers[at + 1] as string;
      if (!PLAIN.test(value)) return undefined;
      given[name] = [...(given[name] ?? []), value];
    }
    // as between the packets of a connection, others get their turn
    await turn();
    const handled = this.#handle({ method, url: path, headers: given, certificates, body: Buffer.from(body ?? '') });
    if (handled.kind === 'stream') return undefined;
    const answer = handled.kind === 'later' ? await handled.answer : handled;
    const whole = (): string => (method === 'HEAD' ? '' : answer.body.toString());
    return {
      status: answer.code,
      headers: { date: new Date().toUTCString(), ...received(answer.headers) },
      text:
        read === undefined || answer.code !== 200
          ? whole()
          : await read(Readable.from([Buffer.from(answer.body)], { objectMode: false }), () => undefined),
    };
  }

  /** Undefined where TLS would refuse it, or send more than one. */
  #chainOf({ certificate, key }: ClientCertificate): readonly Buffer[] | undefined {
    const id = `${certificate}\n${key}`;
    if (!this.#chains.has(id)) this.#chains.set(id, chainOf(certificate, key));
    return this.#chains.get(id);
  }
}

function chainOf(cert: string, key: string): readonly Buffer[] | undefined {
  if (!ONE_CERTIFICATE.test(cert)) return undefined;
  try {
    createSecureContext({ cert, key });
    return [new X509Certificate(cert).raw];
  } catch {
    return undefined;
  }
}

/** Values of headers are bytes, which clients read as UTF-8. */
function received(headers: Readonly<Record<string, string | string[]>>): Record<string, string | string[]> {
  const text = (value: string): string => Buffer.from(value, 'latin1').toString();
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? text(value) : value.map(text),
    ]),
  );
}
