/** Reads what certificates say that a joining client has left: who, among whom, for what, for which names, by whom. */
import { X509Certificate } from 'node:crypto';
import { rememberedText } from '../../kubernetes/remembered.js';
import type { Truth } from '../../kubernetes/transcript.js';
import { blocksOf } from '../certificates/pem.js';
import { isSignedAmong, tryCertificate } from '../certificates/x509.js';

/** Of the first certificate of a text; left out where it says nothing. */
export interface CertificateSaid {
  readonly groups?: readonly string[];
  readonly usages?: readonly string[];
  /** Hosts and addresses that it is for. */
  readonly names?: readonly string[];
  /** The file, of those that control planes share, whose authority has issued it; left out: none has. */
  readonly issuedBy?: string;
  /** Left out: it has none. */
  readonly commonName?: string;
  /** Its key, as kubeadm's encryptionAlgorithm has it: "RSA-2048", "ECDSA-P384". */
  readonly algorithm?: string;
  /** It may issue others. */
  readonly isAuthority?: true;
  /** Days that it lives, begun ones too. */
  readonly days?: number;
}

export const certificateIn = (content: string) => {
  const block = blocksOf(content).find(({ label }) => label === 'CERTIFICATE');
  const facts = block && tryCertificate(block.bytes);
  return facts === undefined || 'unreadable' in facts ? undefined : facts;
};

/** Who its certificate says that it is, and among whom. */
export function whoIn(content: string, truth: Truth): { readonly groups: readonly string[]; readonly who: string } {
  const facts = certificateIn(content);
  const { organizations = [], commonName = '' } = facts ?? {};
  const who = [...organizations.map((one) => `O=${one}`), `CN=${commonName}`].join(', ');
  return {
    groups: organizations,
    who,
    ...(facts === undefined ? {} : algorithmIn(content)),
    ...issuedIn(content, truth),
  };
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P256', secp384r1: 'P384' };
/** The kind of key of the first certificate; left out for kinds that kubeadm has no name for. */
const algorithmIn = rememberedText((content): { readonly algorithm?: string } => {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = new X509Certificate(content).publicKey;
    if (asymmetricKeyType === 'rsa') return { algorithm: `RSA-${asymmetricKeyDetails?.modulusLength}` };
    const curve = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
    return curve === undefined ? {} : { algorithm: `ECDSA-${curve}` };
  } catch {
    return {};
  }
});

const DAY = 86_400_000;

/** Authorities that control planes share. */
const AUTHORITIES = ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt'] as const;

/** Which of them has issued a certificate. */
function issuedIn(content: string, { shared }: Truth): { readonly issuedBy?: string } {
  const issuer = AUTHORITIES.find((name) => isIssued(`${content}${BETWEEN}${shared[name] ?? ''}`));
  return issuer === undefined ? {} : { issuedBy: issuer };
}

const BETWEEN = '\0';
/** All machines of a cluster have the same certificates of its authorities. */
const isIssued = rememberedText((both) => {
  const [content = '', authority = ''] = both.split(BETWEEN);
  return isSignedAmong(content, authority);
});

export function saidIn(content: string, truth: Truth): CertificateSaid {
  const facts = certificateIn(content);
  const { organizations = [], extendedKeyUsage = [], altNames, commonName = '' } = facts ?? {};
  const names = [...(altNames?.dns ?? []), ...(altNames?.ip ?? [])];
  return {
    ...(commonName === '' ? {} : { commonName }),
    ...(facts === undefined ? {} : { days: Math.ceil((facts.notAfter - facts.notBefore) / DAY) }),
    ...(facts === undefined ? {} : algorithmIn(content)),
    ...(facts?.ca === true || facts?.keyUsage?.includes('keyCertSign') === true ? { isAuthority: true as const } : {}),
    ...(organizations.length === 0 ? {} : { groups: organizations }),
    ...(extendedKeyUsage.length === 0 ? {} : { usages: extendedKeyUsage }),
    ...(names.length === 0 ? {} : { names }),
    ...issuedIn(content, truth),
  };
}
