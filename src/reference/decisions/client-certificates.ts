/**
 * When a client certificate counts and who it stands for.
 * Source: Go, crypto/x509/{verify,x509,parser}.go; apiserver, pkg/authentication/request/x509/x509.go.
 */

import type { UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import type { CertificateFacts } from '../../pki/certificate.js';

/**
 * What x509 authentication reads of a leaf. Times in milliseconds since the epoch; `sha256` in lower-case hex over the
 * DER.
 */
export interface CertificateIdentity {
  readonly commonName: string;
  /** Every O, in order, repetitions kept. */
  readonly organizations: readonly string[];
  /** Values of the subject attribute 1.3.6.1.4.1.57683.2; undefined where one is no string. */
  readonly uids: readonly (string | undefined)[];
  readonly sha256: string;
}

/**
 * Key of UserInfo.extra that names the credential. Source: apiserver, pkg/authentication/user/user.go CredentialIDKey.
 */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

const CREDENTIAL_ID_OF_CERTIFICATES: Span = { since: 32 };
/** Gate AllowParsingUserUIDFromCertAuth. */
const UID_OF_CERTIFICATES: Span = { since: 33 };

/** Extensions that Go handles. Source: crypto/x509, parser.go processExtensions. */
const HANDLED: readonly string[] = [
  ...['14', '15', '17', '19', '30', '31', '32', '33', '35', '36', '37', '54'].map((last) => `2.5.29.${last}`),
  '1.3.6.1.5.5.7.1.1',
];

export const clientCertificateDecisions = {
  /** Whether certificates of clients are looked at. Source: pkg/kubeapiserver/authenticator/config.go New. */
  certificatesAreAsked: (caGiven: boolean): boolean => caGiven,

  /** Certificates in a chain, leaf and root included; what is longer is not followed. Go counts signatures alone. */
  longestChain: (): number => Number.POSITIVE_INFINITY,

  /**
   * Whether a certificate may stand above another one, with `below` certificates of CAs between it and the leaf.
   * Source: crypto/x509, verify.go isValid; x509.go CheckSignatureFrom.
   */
  mayIssue: (
    { basicConstraints, keyUsage, version }: Pick<CertificateFacts, 'basicConstraints' | 'keyUsage' | 'version'>,
    below: number,
    isRoot: boolean,
  ): boolean => {
    if (basicConstraints === undefined ? !isRoot || version === 3 : !basicConstraints.ca) return false;
    if (basicConstraints?.pathLength !== undefined && below > basicConstraints.pathLength) return false;
    return keyUsage === undefined || keyUsage.includes('keyCertSign');
  },

  /**
   * Whether a certificate counts that `paths` chains lead to a trusted CA from. Source: crypto/x509 Certificate.Verify.
   */
  chainIsTrusted: (paths: number): boolean => paths > 0,

  /**
   * Whether a critical extension is understood; any other one makes a chain invalid. Source: crypto/x509, parser.go
   * processExtensions.
   */
  extensionIsHandled: (oid: string): boolean => HANDLED.includes(oid),

  /**
   * A certificate is good from its first to its last second, both included. Milliseconds. Source: crypto/x509
   * Certificate.isValid.
   */
  certificateIsCurrent: (notBefore: number, notAfter: number, now: number): boolean =>
    now >= notBefore && now <= notAfter,

  /**
   * Extended key usages (by the names of pki/oids.ts; undefined where the extension is absent) that let a certificate
   * log in.
   * Source: x509.go, DefaultVerifyOptions; crypto/x509, ExtKeyUsageAny.
   */
  certificateMayLogIn: (extendedKeyUsages: readonly string[] | undefined): boolean =>
    extendedKeyUsages === undefined || extendedKeyUsages.includes('clientAuth') || extendedKeyUsages.includes('any'),

  /** Whether all of a chain is good now, leaf first. Source: crypto/x509 Certificate.Verify, isValid of each. */
  chainIsCurrent: <C>(chain: readonly C[], isCurrent: (certificate: C) => boolean): boolean => chain.every(isCurrent),

  /** Whether all of a chain may log in, leaf first. Source: crypto/x509 checkChainForKeyUsage. */
  chainMayLogIn: <C>(chain: readonly C[], mayLogIn: (certificate: C) => boolean): boolean => chain.every(mayLogIn),

  /**
   * The user of a verified certificate: CN is the name, every O a group. 'no-opinion' without CN; { error } where the
   * UID attribute is bad.
   * `minor` of the version played. Source: x509.go CommonNameUserConversion.
   */
  certificateUser: (
    certificate: CertificateIdentity,
    minor: number,
  ): UserInfo | 'no-opinion' | { readonly error: string } => {
    if (certificate.commonName === '') return 'no-opinion';
    let uid: string | undefined;
    if (inSpan(minor, UID_OF_CERTIFICATES) && certificate.uids.length > 0) {
      uid = certificate.uids[0];
      if (certificate.uids.includes(undefined)) return { error: 'unable to parse UID into a string' };
      if (certificate.uids.length > 1)
        return { error: `expected 1 UID, but found multiple: ${certificate.uids.length}` };
      if (uid === undefined || uid === '') return { error: 'UID cannot be an empty string' };
    }
    return {
      username: certificate.commonName,
      groups: certificate.organizations,
      ...(uid === undefined ? {} : { uid }),
      ...(inSpan(minor, CREDENTIAL_ID_OF_CERTIFICATES)
        ? { extra: { [CREDENTIAL_ID]: [`X509SHA256=${certificate.sha256}`] } }
        : {}),
    };
  },
};
