/** What Go refuses of a certificate that can be read, and identifiers of keys. Source: crypto/x509; crypto/tls. */
import { X509Certificate } from 'node:crypto';
import { rememberedText } from '../../kubernetes/remembered.js';
import { type Node, oidOf, readDer, sequenceOf } from './der.js';
import { type NameLimits, nameLimits } from './name-constraints.js';

/** By what Go refuses it; identifiers of its key and of its issuer's, hex. */
export interface Besides {
  readonly odd?: readonly string[];
  readonly keyId?: string;
  readonly issuersKeyId?: string;
  readonly limits?: NameLimits;
}

/** Curves of crypto/tls, and of tokens. Source: crypto/tls auth.go signatureSchemesForCertificate. */
export const GO_CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];
const EXPONENT = 65_537n;

function oddKey(der: Buffer): readonly string[] {
  const { publicKey } = new X509Certificate(der);
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '', publicExponent = EXPONENT } = {} } =
    publicKey;
  if (type === 'rsa') return publicExponent < EXPONENT ? [`the exponent of its key is ${publicExponent}`] : [];
  if (type === 'ec') return GO_CURVES.includes(namedCurve) ? [] : [`its key is on the curve ${namedCurve}`];
  return type === 'ed25519' ? [] : [`its key is of the kind ${type}`];
}

/** Extensions whose meaning Go knows. */
const KNOWN = /^(?:2\.5\.29\.|1\.3\.6\.1\.5\.5\.7\.1\.)\d+$/;

/** Source: crypto/x509 parser.go, since Go 1.23 (x509negativeserial). */
function isNegative(tbs: Node | undefined): boolean {
  const serial = sequenceOf(tbs, 'what is signed').find((node) => node.class === 0);
  return ((serial?.content[0] ?? 0) & 0x80) !== 0;
}

/** Throws Unreadable. */
function extensionsOf(der: Buffer): Besides {
  const [tbs] = sequenceOf(readDer(der), 'a certificate');
  const found = sequenceOf(tbs, 'what is signed').find((node) => node.class === 2 && node.tag === 3);
  const ids: { keyId?: string; issuersKeyId?: string; limits?: NameLimits } = {};
  const odd = isNegative(tbs) ? ['its number is negative'] : [];
  if (found === undefined) return odd.length === 0 ? {} : { odd };
  for (const extension of sequenceOf(found.parts[0], 'the list of extensions')) {
    const parts = sequenceOf(extension, 'an extension');
    const id = oidOf(parts[0]);
    const value = parts.at(-1)?.content;
    if (value === undefined) continue;
    if (parts.length === 3 && parts[1]?.content[0] === 255 && !KNOWN.test(id)) odd.push(`the extension ${id}`);
    if (id === '2.5.29.30') ids.limits = nameLimits(readDer(value));
    if (id === '2.5.29.14') ids.keyId = readDer(value).content.toString('hex');
    if (id === '2.5.29.35') {
      const key = sequenceOf(readDer(value), 'the identifier').find((node) => node.class === 2 && node.tag === 0);
      if (key !== undefined) ids.issuersKeyId = key.content.toString('hex');
    }
  }
  return { ...(odd.length === 0 ? {} : { odd }), ...ids };
}

/** What `read` finds; nothing of what cannot be read: others say so. */
function readable<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}

/** Of a key that is odd and of extensions that are, whether the other can be read or not. */
export const besidesIn = (der: Buffer): Besides => besides(der.toString('latin1'));

const besides = rememberedText((bytes): Besides => {
  const der = Buffer.from(bytes, 'latin1');
  const { odd = [], ...ids } = readable(() => extensionsOf(der), {});
  const all = [...readable(() => oddKey(der), []), ...odd];
  return { ...ids, ...(all.length === 0 ? {} : { odd: all }) };
});
