/** Authorities of joinproof's own, whose certificates an API server of ours is told to believe. */
import { type Authority, createAuthority, issue } from '../pki/authority.js';
import { createCertificate, keyIdentifier, parseCertificate } from '../pki/certificate.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import type { SubjectInput } from '../pki/names.js';
import type { KeyUsage } from '../pki/oids.js';
import { type Pair, UNKNOWN_EXTENSION } from './making.js';

const MINUTES = 60_000;
/** When a certificate is good, by what is said of it; milliseconds from now. */
const TIMES = {
  current: [-5 * MINUTES, 60 * MINUTES],
  expired: [-120 * MINUTES, -MINUTES],
  early: [2 * MINUTES, 60 * MINUTES],
} as const;

type Usage = 'clientAuth' | 'serverAuth' | 'emailProtection' | 'any';

export interface LeafWanted extends SubjectInput {
  readonly time?: keyof typeof TIMES;
  /** Default: clients; [] says nothing of what it is for. */
  readonly usages?: readonly Usage[];
  /** Names of a server. */
  readonly dns?: readonly string[];
  /** It carries a critical extension that nobody knows. */
  readonly unknown?: true;
}

/** What an authority below another one is like. */
export interface BelowWanted {
  readonly time?: keyof typeof TIMES;
  /** Nothing but these; default: whatever there is. */
  readonly usages?: readonly Usage[];
  /** Whether it may sign certificates, by its basic constraints and by its key usage; default: both. */
  readonly may?: { readonly ca: boolean; readonly keyUsage: readonly KeyUsage[] };
  /** So many authorities may stand below it at most. */
  readonly pathLength?: number;
}

export interface OwnAuthority {
  readonly pem: string;
  /** A certificate and its key, which is a secret; with those of the authorities between, where there are any. */
  pair(wanted: LeafWanted): Pair;
  /** An authority that this one has signed. */
  below(wanted?: BelowWanted): OwnAuthority;
  /** The same one, whose certificates come without those of the authorities between. */
  alone(): OwnAuthority;
}

const SIGNS = ['digitalSignature', 'keyCertSign'] as const;

const timesOf = (time: keyof typeof TIMES) => {
  const [from, to] = TIMES[time];
  const now = Date.now();
  return { notBefore: now + from, notAfter: now + to };
};

/** `between`: PEM of what comes along with the certificates that it signs. */
function authorityOf(authority: Authority, between: string): OwnAuthority {
  return {
    pem: authority.certificate.pem,
    pair({ time = 'current', usages = ['clientAuth'], dns, unknown, ...subject }) {
      const key = generateKey('ECDSA-P256');
      const { pem } = issue(authority, {
        subject,
        publicKey: key,
        ...timesOf(time),
        keyUsage: ['digitalSignature'],
        extendedKeyUsage: usages,
        ...(dns === undefined ? {} : { altNames: { dns } }),
        ...(unknown === undefined ? {} : { extensions: [UNKNOWN_EXTENSION] }),
      });
      return { certificate: `${pem}${between}`, key: privateKeyPem(key) };
    },
    below({ time = 'current', usages = [], may = { ca: true, keyUsage: SIGNS }, pathLength } = {}) {
      const key = generateKey('ECDSA-P256');
      const certificate = createCertificate({
        issuer: authority.facts.subject.der,
        signingKey: authority.key,
        ...(authority.facts.subjectKeyId === undefined ? {} : { authorityKeyId: authority.facts.subjectKeyId }),
        subject: { commonName: `${authority.facts.commonName}-below` },
        publicKey: key,
        ...timesOf(time),
        keyUsage: may.keyUsage,
        extendedKeyUsage: usages,
        basicConstraints: { ca: may.ca, ...(pathLength === undefined ? {} : { pathLength }) },
        subjectKeyId: keyIdentifier(key),
      });
      const facts = parseCertificate(certificate.der);
      return authorityOf({ certificate, facts, key }, `${certificate.pem}${between}`);
    },
    alone: () => authorityOf(authority, ''),
  };
}

export const ownAuthority = (commonName: string): OwnAuthority =>
  authorityOf(createAuthority({ commonName, key: 'ECDSA-P256', now: Date.now() - 180 * MINUTES }), '');
