/**
 * Certificate requests (PKCS#10) as the judge reads them.
 * Source: RFC 2986; pkg/apis/certificates/helpers.go ParseCSR.
 */
import { type Node, oidOf, readDer, type Subject, sequenceOf, subjectOf, Unreadable, wholeBits } from './der.js';
import { type Extensions, readExtensions } from './extensions.js';
import { blocksOf } from './pem.js';
import { isSha1, keyOf, pinOf, signatureProblem } from './signature.js';

/** What a request says; plain JSON. */
export interface RequestFacts extends Subject, Extensions {
  /** "sha256:<hex>" of its public key. */
  readonly pin: string;
  /** Bits of its RSA key; missing for keys of other kinds. */
  readonly rsaBits?: number;
  /** It is signed with SHA-1. */
  readonly sha1?: true;
  /** Attributes beside extensions, by object identifier; missing where there are none. */
  readonly attributes?: readonly string[];
  /** Why its own key has not signed it; missing where it has. */
  readonly problem?: string;
}

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** The extensions asked for: of each attribute that lists some the first value. Source: Go parseCSRExtensions. */
const requested = (attributes: Node | undefined): readonly Node[] =>
  (attributes?.parts ?? []).flatMap(({ parts: [id, values] }) =>
    id?.tag === 6 && oidOf(id) === EXTENSION_REQUEST ? (values?.parts.slice(0, 1) ?? []) : [],
  );

const attributesIn = (attributes: Node | undefined): readonly string[] =>
  (attributes?.parts ?? [])
    .flatMap(({ parts: [id] }) => (id?.tag === 6 ? oidOf(id) : []))
    .filter((id) => id !== EXTENSION_REQUEST);

function strengthOf(spki: Buffer, algorithm: Node | undefined): Pick<RequestFacts, 'rsaBits' | 'sha1'> {
  const bits = keyOf(spki)?.asymmetricKeyDetails?.modulusLength;
  const sha1 = isSha1(oidOf(sequenceOf(algorithm, 'the signature algorithm')[0]));
  return { ...(bits === undefined ? {} : { rsaBits: bits }), ...(sha1 ? { sha1 } : {}) };
}

/** Throws Unreadable. */
export function readRequest(der: Buffer): RequestFacts {
  const [info, algorithm, signature] = sequenceOf(readDer(der), 'a request');
  const [, subject, key, attributes] = sequenceOf(info, 'what is signed');
  if (info === undefined || key === undefined) throw new Unreadable('it has no key');
  const spki = key.der();
  const others = attributesIn(attributes);
  const problem = signatureProblem({
    algorithm,
    signed: info.der(),
    signature: wholeBits(signature, 'the signature'),
    spki,
    old: true,
  });
  return {
    ...subjectOf(subject),
    ...readExtensions(requested(attributes)),
    pin: pinOf(spki),
    ...strengthOf(spki, algorithm),
    ...(others.length === 0 ? {} : { attributes: others }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** From PEM whose first block must be a request; text around it does not matter. */
export function readRequestPem(pem: string): RequestFacts | { readonly unreadable: string } {
  const [first] = blocksOf(pem);
  if (first?.label !== 'CERTIFICATE REQUEST')
    return { unreadable: `it is ${first === undefined ? 'no PEM' : `PEM of a ${first.label}`}` };
  try {
    return readRequest(first.bytes);
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    throw error;
  }
}
