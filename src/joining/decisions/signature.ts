/**
 * Signatures of cluster-info and pins of its CA. Source: cluster-bootstrap, token/jws; cmd/kubeadm/app/util/pubkeypin.
 */
import { createHash, createHmac } from 'node:crypto';
import { hexProblem } from '../../kubeadm/certificate-key.js';
import { SIGNATURE_KEY_PREFIX, TOKEN_FORM } from '../../kubernetes/names.js';

/** A token taken apart. */
export interface Token {
  readonly id: string;
  readonly secret: string;
}

/** "none of …" or why a text is no pin. */
export type PinReading = { readonly hash: string } | { readonly problem: string };

const FORMATS = 'Known format(s) are: sha256';
const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

export const signatureDecisions = {
  /** Source: cluster-bootstrap, token/api/types.go BootstrapTokenPattern. */
  readToken: (text: string): Token | undefined => {
    const [, id, secret] = TOKEN_FORM.exec(text) ?? [];
    return id === undefined || secret === undefined || text.includes('\n') ? undefined : { id, secret };
  },

  /** The key of cluster-info that holds the signature for a token. */
  signatureKeyOf: (token: Token): string => SIGNATURE_KEY_PREFIX + token.id,

  /** A value that cannot be a signature, and is told apart from a wrong one. */
  isNoSignature: (signature: string): boolean => signature === '',

  /**
   * Whether a signature is the one for this content and token: the same text as the one canonical form. That the MAC
   * would fit under another header, order, padding or alphabet does not count.
   * Source: jws.go DetachedTokenIsValid; RFC 7515, 7.1 and appendix F; RFC 7518, 3.2.
   */
  isSignature: (signature: string, content: string, { id, secret }: Token): boolean => {
    const header = encoded(`{"alg":"HS256","kid":${JSON.stringify(id)}}`);
    const mac = createHmac('sha256', secret)
      .update(`${header}.${encoded(content)}`)
      .digest('base64url');
    return signature === `${header}..${mac}`;
  },

  /**
   * A pin: format and digits in any case, nothing around them.
   * Source: pubkeypin.go Allow, allowSHA256; Go encoding/hex DecodeString.
   */
  readPin: (pin: string): PinReading => {
    const [format = '', digits, ...more] = pin.split(':');
    if (digits === undefined || more.length > 0)
      return { problem: `invalid hash, expected "format:hex-value". ${FORMATS}` };
    if (format.toLowerCase() !== 'sha256') return { problem: `unknown hash format "${format}". ${FORMATS}` };
    const bytes = Math.floor(Buffer.byteLength(digits) / 2);
    const invalid = (why: string): PinReading => ({ problem: `invalid hash "${pin}", ${why}` });
    if (bytes !== 32) return invalid(`expected a 32 byte SHA-256 hash, found ${bytes} bytes`);
    const problem = hexProblem(digits);
    if (problem !== undefined) return invalid(`could not decode SHA-256 from hex: ${problem}`);
    return { hash: digits.toLowerCase() };
  },

  /** What a pin is made of: SHA-256 over the SubjectPublicKeyInfo (DER), in hex. Source: RFC 7469, 2.4. */
  pinOf: ({ spki }: Pinned): string => createHash('sha256').update(spki).digest('hex'),

  /** Whether certificates are pinned: one key of one of them suffices. Source: pubkeypin.go CheckAny. */
  isPinned: (hashes: readonly string[], allowed: readonly string[]): boolean =>
    hashes.some((hash) => allowed.includes(hash)),
};

/** What can be pinned of a certificate, DER. */
export interface Pinned {
  readonly spki: Buffer;
  readonly der: Buffer;
}
