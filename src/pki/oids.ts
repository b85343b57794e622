/**
 * Object identifiers of X.509, PKCS#10 and of the keys and signatures that Kubernetes uses.
 * Source: RFC 5280, RFC 2986, Go crypto/x509.
 */

export const ATTRIBUTE = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  province: '2.5.4.8',
  street: '2.5.4.9',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  title: '2.5.4.12',
  postalCode: '2.5.4.17',
  emailAddress: '1.2.840.113549.1.9.1',
  userId: '0.9.2342.19200300.100.1.1',
  domainComponent: '0.9.2342.19200300.100.1.25',
  /** The user's UID in client certificates. Source: apimachinery, pkg/apis/asn1 X509UID. */
  kubernetesUid: '1.3.6.1.4.1.57683.2',
} as const;

export const EXTENSION = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  nameConstraints: '2.5.29.30',
} as const;

/** PKCS#9 extensionRequest: the attribute of a request that holds the extensions asked for. */
export const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';

/** Bits of KeyUsage by name, in their order. Source: RFC 5280, 4.2.1.3. */
export const KEY_USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const;
export type KeyUsage = (typeof KEY_USAGES)[number];

/**
 * Extended key usages in the order of Go's enumeration, which is the order in which Go writes them (crypto/x509
 * ExtKeyUsage).
 */
export const EXTENDED_KEY_USAGES = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  ipsecEndSystem: '1.3.6.1.5.5.7.3.5',
  ipsecTunnel: '1.3.6.1.5.5.7.3.6',
  ipsecUser: '1.3.6.1.5.5.7.3.7',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  microsoftSgc: '1.3.6.1.4.1.311.10.3.3',
  netscapeSgc: '2.16.840.1.113730.4.1',
} as const;
export type ExtendedKeyUsage = keyof typeof EXTENDED_KEY_USAGES;

const EXTENDED_BY_OID: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENDED_KEY_USAGES).map(([name, id]) => [id, name]),
);

/** The name of an extended key usage, or the dotted identifier of one that has none here. */
export const extendedKeyUsageName = (id: string): string => EXTENDED_BY_OID.get(id) ?? id;

export const KEY_TYPE = {
  rsa: '1.2.840.113549.1.1.1',
  ec: '1.2.840.10045.2.1',
  ed25519: '1.3.101.112',
  x25519: '1.3.101.110',
  ed448: '1.3.101.113',
  dsa: '1.2.840.10040.4.1',
} as const;

/** Named curves that Go knows. */
export interface GoCurve {
  readonly name: string;
  readonly openssl: string;
  readonly bits: number;
  /** Of one coordinate. */
  readonly bytes: number;
  /** Hex of the field's prime, which coordinates are below. */
  readonly prime: string;
}
export const GO_CURVES: Readonly<Record<string, GoCurve>> = {
  '1.3.132.0.33': {
    name: 'P-224',
    openssl: 'secp224r1',
    bits: 224,
    bytes: 28,
    prime: `${'f'.repeat(32)}${'0'.repeat(23)}1`,
  },
  '1.2.840.10045.3.1.7': {
    name: 'P-256',
    openssl: 'prime256v1',
    bits: 256,
    bytes: 32,
    prime: `ffffffff00000001${'0'.repeat(24)}${'f'.repeat(24)}`,
  },
  '1.3.132.0.34': {
    name: 'P-384',
    openssl: 'secp384r1',
    bits: 384,
    bytes: 48,
    prime: `${'f'.repeat(63)}effffffff${'0'.repeat(16)}ffffffff`,
  },
  '1.3.132.0.35': { name: 'P-521', openssl: 'secp521r1', bits: 521, bytes: 66, prime: `01${'f'.repeat(130)}` },
};
