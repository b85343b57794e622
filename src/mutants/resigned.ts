/** Certificates that a CA signs which nobody knows. */
import { createAuthority, issue } from '../pki/authority.js';
import { parseCertificate } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';

/** Of the first certificate of a PEM. */
export const factsOf = (leaf: string) => parseCertificate(certificatesOfPem(leaf)[0] ?? Buffer.alloc(0));

/** The same certificate from a CA that nobody knows; with `newKey` for another key, from the same subject. */
export function resign(leaf: string, newKey = false): string {
  const facts = factsOf(leaf);
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: facts.notBefore });
  return issue(authority, {
    subject: { commonName: facts.commonName, organizations: facts.organizations },
    publicKey: newKey ? generateKey('ECDSA-P256') : facts.spki,
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    extendedKeyUsage: facts.extendedKeyUsage ?? [],
  }).pem;
}
