/**
 * PKCS#10 certificate requests: made, and read as Go reads them.
 * Source: RFC 2986; Go crypto/x509 ParseCertificateRequest, CheckSignature.
 */
import { elementsOf, GO, GoFields, goBitString, goInteger, goOid, PkiError, syntaxError } from './asn1-go.js';
import { TAG } from './der-read.js';
import { bits, context, type DerTree, der, embed, integer, oid, sequence, setOf } from './der-write.js';
import {
  altNamesExtension,
  type Extension,
  encodeExtension,
  NO_ALT_NAMES,
  type ReadAltNames,
  readAltNames,
  type SubjectAltNames,
} from './extensions.js';
import { type KeyFacts, type KeyObject, spkiOf } from './keys.js';
import { commonNameOf, encodeName, type Name, type NameInput, organizationsOf, readRequestName } from './names.js';
import { EXTENSION, EXTENSION_REQUEST } from './oids.js';
import { encodePem, nextPem } from './pem.js';
import { factsOf, type GoPublicKey, readPublicKey } from './public-key.js';
import {
  type AlgorithmIdentifier,
  defaultSignature,
  encodeAlgorithm,
  hasProperParameters,
  type SignatureName,
  signatureName,
  signatureProblem,
  signWith,
} from './signature.js';

export interface RequestInput {
  readonly key: KeyObject;
  readonly subject: NameInput;
  readonly altNames?: Partial<SubjectAltNames>;
  /** Further extensions to ask for, behind the alternative names. */
  readonly extensions?: readonly Extension[];
  /** Default: what Go chooses for the key. */
  readonly signature?: SignatureName;
}

export interface EncodedRequest {
  readonly der: Buffer;
  /** "CERTIFICATE REQUEST" */
  readonly pem: string;
  /** base64 of the PEM: spec.request of a CertificateSigningRequest. */
  readonly base64: string;
}

/** Makes and signs a request. EC P-256: under a millisecond. */
export function createRequest(input: RequestInput): EncodedRequest {
  const { altNames = {} } = input;
  const named = [altNames.dns, altNames.email, altNames.ip, altNames.uri].some(
    (list) => list !== undefined && list.length > 0,
  );
  const extensions = [...(named ? [altNamesExtension(altNames)] : []), ...(input.extensions ?? [])];
  const attributes: DerTree[] =
    extensions.length === 0
      ? []
      : [sequence(oid(EXTENSION_REQUEST), setOf([sequence(...extensions.map(encodeExtension))]))];
  const info = sequence(
    integer(Buffer.from([0])),
    encodeName(input.subject),
    embed(spkiOf(input.key)),
    context(0, attributes),
  );
  const name = input.signature ?? defaultSignature(input.key);
  const encoded = der(sequence(info, encodeAlgorithm(name), bits(signWith(name, der(info), input.key))));
  const pem = encodePem('CERTIFICATE REQUEST', encoded);
  return { der: encoded, pem, base64: Buffer.from(pem).toString('base64') };
}

/** What a request says. */
export interface RequestFacts {
  readonly der: Buffer;
  readonly subject: Name;
  /** Of several the last; '' where there is none. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly altNames: ReadAltNames;
  readonly extensions: readonly Extension[];
  /** DER of the SubjectPublicKeyInfo. */
  readonly spki: Buffer;
  readonly publicKey: GoPublicKey;
  /** undefined for a key that OpenSSL or Go cannot use. */
  readonly key: KeyFacts | undefined;
  /** Go's name, "ECDSA-SHA256" for instance. */
  readonly signatureName: string;
  /** Go's text for why the self-signature does not hold; undefined: it holds. */
  readonly signatureProblem: string | undefined;
  /**
   * True where the bytes are the one canonical encoding of a version 0 request and nothing besides. Go ignores elements
   * behind the last field and most algorithm parameters; who judges strictly asks for this as well.
   */
  readonly canonical: boolean;
}

export interface ParseRules {
  /** Verify with RSA keys under 1024 bits, as Go did before 1.24. */
  readonly smallRsa?: boolean;
}

/**
 * First block must be a CERTIFICATE REQUEST; text before and after it is ignored. Throws PkiError.
 * Source: pkg/apis/certificates/helpers.go ParseCSR.
 */
export function parseRequestPem(pem: string | Uint8Array, rules: ParseRules = {}): RequestFacts {
  const found = nextPem(typeof pem === 'string' ? pem : Buffer.from(pem).toString('latin1'));
  if (found?.block.label !== 'CERTIFICATE REQUEST') throw new PkiError('PEM block type must be CERTIFICATE REQUEST');
  return parseRequest(found.block.bytes, rules);
}

/** Throws PkiError with Go's text where Go cannot parse. The signature is judged in `signatureProblem`, not here. */
export function parseRequest(bytes: Buffer, { smallRsa = false }: ParseRules = {}): RequestFacts {
  const top = new GoFields(bytes);
  const request = top.field(GO.sequence('certificateRequest'));
  const fields = new GoFields(request.content);
  const info = fields.field(GO.sequence('tbsCertificateRequest'));
  const parts = new GoFields(info.content);
  const version = goInteger(parts.field(GO.integer).content);
  const subjectElement = parts.any();
  const spki = parts.field(GO.sequence('publicKeyInfo'));
  const keyParts = new GoFields(spki.content);
  const keyAlgorithm = readAlgorithm(keyParts);
  const keyBits = goBitString(keyParts.field(GO.bitString).content);
  const attributes = elementsOf(parts.field({ tag: 16, compound: true, type: '', context: 0 }).content);
  const algorithm = readAlgorithm(fields);
  const signatureElement = fields.field(GO.bitString);
  const signature = goBitString(signatureElement.content);
  if (!top.ended) throw syntaxError('trailing data');

  const publicKey = readPublicKey({
    algorithm: keyAlgorithm.algorithm,
    parameters: keyAlgorithm.parameters,
    bits: keyBits,
  });
  const subject = readRequestName(subjectElement.full);
  const extensions = readRequestedExtensions(attributes.map((attribute) => attribute.full));
  let altNames = NO_ALT_NAMES;
  for (const extension of extensions)
    if (extension.oid === EXTENSION.subjectAltName) altNames = readAltNames(extension.value);
  const nothingBesides =
    fields.ended && parts.ended && keyParts.ended && version === 0n && signatureElement.content[0] === 0;
  return {
    der: bytes,
    subject,
    commonName: commonNameOf(subject),
    organizations: organizationsOf(subject),
    altNames,
    extensions,
    spki: spki.full,
    publicKey,
    key: factsOf(publicKey),
    signatureName: signatureName(algorithm),
    signatureProblem: signatureProblem(
      { algorithm, signed: info.full, signature, key: publicKey },
      { allowSha1: true, smallRsa },
    ),
    canonical: nothingBesides && algorithm.ended && keyAlgorithm.ended && hasProperParameters(algorithm),
  };
}

function readAlgorithm(fields: GoFields): AlgorithmIdentifier & { readonly ended: boolean } {
  const inner = new GoFields(fields.field(GO.sequence('AlgorithmIdentifier')).content);
  const algorithm = goOid(inner.field(GO.oid).content);
  const parameters = inner.optionalAny()?.full ?? Buffer.alloc(0);
  return { algorithm, parameters, ended: inner.ended };
}

/**
 * Attributes that do not parse are passed over; of an extension request only the first value counts.
 * Source: parseCSRExtensions.
 */
function readRequestedExtensions(attributes: readonly Buffer[]): readonly Extension[] {
  const seen = new Set<string>();
  const extensions: Extension[] = [];
  for (const attribute of attributes) {
    const first = firstExtensionRequest(attribute);
    if (first === undefined) continue;
    const list = new GoFields(first).field(GO.sequence(''));
    const own: Extension[] = elementsOf(list.content, { tag: TAG.sequence & 0x1f, compound: true }).map((element) => {
      const parts = new GoFields(element.content);
      const id = goOid(parts.field(GO.oid).content);
      const critical = parts.optionalBoolean();
      return { oid: id, critical, value: parts.field(GO.octets).content };
    });
    for (const extension of own) {
      if (seen.has(extension.oid))
        throw new PkiError('x509: certificate request contains duplicate requested extensions');
      seen.add(extension.oid);
    }
    extensions.push(...own);
  }
  return extensions;
}

function firstExtensionRequest(attribute: Buffer): Buffer | undefined {
  try {
    const top = new GoFields(attribute);
    const parts = new GoFields(top.field(GO.sequence('pkcs10Attribute')).content);
    const id = goOid(parts.field(GO.oid).content);
    const values = elementsOf(parts.field(GO.setNamed(''), true).content);
    return top.ended && id === EXTENSION_REQUEST ? values[0]?.full : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}
