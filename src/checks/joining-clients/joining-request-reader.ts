/** Reads what a body asks for as a request for a certificate, in JSON or protobuf. */
import { isRecord, list, record, text, texts } from '../../kubernetes/json.js';
import { type RequestFacts, readRequestPem } from '../certificates/csr.js';

/** What a certificate is asked for; what is left out is not asked for. */
export interface RequestSeen {
  /** "O=system:nodes, CN=system:node:a" */
  readonly subject: string;
  readonly signer: string;
  readonly usages: readonly string[];
  /** Alternative names; left out: none are asked for. */
  readonly names?: readonly string[];
  /** What the request itself is called; left out: the API server chooses. */
  readonly called?: string;
  /** Bits of its key, where that is one of RSA. */
  readonly rsaBits?: number;
  /** It is not signed by its key as it should be. */
  readonly unsigned?: true;
  /** Life that is asked for, in seconds; nobody knows it in protobuf. */
  readonly seconds?: number;
  /**
   * Fields of the request that the API server fills in, or that keep it there; what the PKCS#10 asks for beside a client
   * of its name.
   */
  readonly besides?: readonly string[];
  /** What somebody has written on it, and beside its PEM; a kubelet leaves all of that out. */
  readonly frills?: readonly string[];
}

const REQUEST_PEM = /-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----/;
const USAGES = ['digital signature', 'key encipherment', 'client auth', 'server auth', 'cert sign', 'any'] as const;
/** Source: kubelet, certificate/bootstrap digestedName. */
const DIGESTED = /node-csr-[\w-]{43}/;
const SIGNER = /kubernetes\.io\/[a-z-]+/;
/** What an API server says of whoever asks. Source: certificates/v1 CertificateSigningRequestSpec. */
const FILLED_IN = ['username', 'groups', 'uid', 'extra'] as const;
/** By whom a request stays although it has ended. Source: apimachinery, meta/v1 ObjectMeta. */
const KEEPING = ['finalizers', 'ownerReferences'] as const;

/** The key in the body of a request for a certificate. */
export const keyIn = (body: string): string | undefined => requestIn(body)?.key;

type Asked = { readonly key: string; readonly request: RequestSeen };

/** What a body asks for, in JSON or protobuf; undefined: no certificate. */
export function requestIn(body: string): Asked | undefined {
  try {
    // In protobuf a text stands as it is.
    const own = body.startsWith('k8s\0') ? REQUEST_PEM.exec(body)?.[0] : undefined;
    return own === undefined ? inJson(JSON.parse(body)) : inProtobuf(own, body.replace(own, ''));
  } catch {
    return undefined;
  }
}

function inProtobuf(pem: string, rest: string): Asked | undefined {
  const called = DIGESTED.exec(rest)?.[0] ?? '';
  return asked(pem, {
    signer: SIGNER.exec(rest)?.[0] ?? '',
    usages: USAGES.filter((usage) => rest.includes(usage)),
    ...(called === '' ? {} : { called }),
    besides: [],
  });
}

function inJson(object: unknown): Asked | undefined {
  const { spec: given, metadata, status } = isRecord(object) ? object : {};
  const spec = record(given);
  const called = text(record(metadata).name);
  const { expirationSeconds } = spec;
  const besides = [
    ...FILLED_IN.filter((field) => spec[field] !== undefined && spec[field] !== null),
    ...(Object.keys(record(status)).length === 0 ? [] : ['status']),
    ...KEEPING.filter((field) => list(record(metadata)[field]).length > 0),
  ];
  const pem = Buffer.from(text(spec.request), 'base64').toString('utf8');
  const frills = [
    ...(['annotations', 'labels'] as const).filter((field) => Object.keys(record(record(metadata)[field])).length > 0),
    ...(/^-----BEGIN [\s\S]*-----\s*$/.test(pem) ? [] : ['text around its PEM']),
  ];
  return asked(pem, {
    signer: text(spec.signerName),
    usages: texts(spec.usages),
    ...(called === '' ? {} : { called }),
    ...(typeof expirationSeconds === 'number' ? { seconds: expirationSeconds } : {}),
    ...(frills.length === 0 ? {} : { frills }),
    besides,
  });
}

/** Usages of a certificate that shows who asks, and no more. */
const OF_CLIENTS: ReadonlySet<string> = new Set([
  ...['digitalSignature', 'contentCommitment', 'keyEncipherment', 'keyAgreement', 'clientAuth'],
]);

/** What a PKCS#10 asks for that no client needs, by its names. Source: RFC 5280, 4.2.1; RFC 2985, 5.4. */
const besidesIn = (facts: RequestFacts): readonly string[] => {
  const { ca, keyUsage = [], extendedKeyUsage = [], others = [], attributes = [], isOdd } = facts;
  return [
    ...(ca ? ['CA'] : []),
    ...[...keyUsage, ...extendedKeyUsage].filter((usage) => !OF_CLIENTS.has(usage)),
    ...others.map((id) => `${id} in its name`),
    ...(attributes.includes(CHALLENGE_PASSWORD) ? ['challengePassword'] : []),
    ...(isOdd === true ? ['a name of another form'] : []),
  ];
};
const CHALLENGE_PASSWORD = '1.2.840.113549.1.9.7';

function asked(pem: string, more: Omit<RequestSeen, 'subject' | 'names' | 'rsaBits' | 'unsigned'>): Asked | undefined {
  const facts = readRequestPem(pem);
  if (!('pin' in facts)) return undefined;
  const { pin, commonName, organizations, altNames, rsaBits, problem, sha1 } = facts;
  const { dns, email, ip, uri, other } = altNames;
  const names = [...dns, ...email, ...ip, ...uri, ...(other === 0 ? [] : ['of another kind'])];
  const { signer, usages, besides: fields = [], ...rest } = more;
  const blocks = pem.match(/-----BEGIN /g)?.length ?? 0;
  const besides = [...fields, ...besidesIn(facts), ...(blocks > 1 ? [`${blocks} blocks of PEM`] : [])];
  return {
    key: pin,
    request: {
      subject: [...organizations.map((one) => `O=${one}`), `CN=${commonName}`].join(', '),
      signer,
      usages,
      ...(names.length === 0 ? {} : { names }),
      ...(rsaBits === undefined ? {} : { rsaBits }),
      ...(problem === undefined && sha1 !== true ? {} : { unsigned: true as const }),
      ...rest,
      ...(besides.length === 0 ? {} : { besides }),
    },
  };
}
