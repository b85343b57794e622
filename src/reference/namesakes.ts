/** Authorities whose names a TLS server tells its clients, and by which nothing is verified. */
import { generateKeyPairSync } from 'node:crypto';
import { createCertificate, parseCertificates } from '../pki/certificate.js';
import { generateKey } from '../pki/keys.js';
import { certificatesOfPem, encodePem } from '../pki/pem.js';

const CENTURY = 36_525 * 86_400_000;

/**
 * For each certificate in these PEM texts one of the same name, in PEM. Who logs in by which certificate is the
 * authenticator's to say, as in Go: OpenSSL would look at each signature itself, and a wrong one leaves an error behind
 * by which Node ends the connection instead of handing the request on. With a key of another kind than signs
 * certificates of clusters it takes none of them for an issuer.
 */
export function namesakes(pems: readonly string[]): readonly string[] {
  const authorities = pems
    .flatMap((pem) => certificatesOfPem(pem))
    .flatMap((one) => parseCertificates(Buffer.from(one)));
  if (authorities.length === 0) return [];
  const publicKey = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const signingKey = generateKey('ECDSA-P256');
  return authorities.map(({ subject }) => {
    const made = createCertificate({ subject: subject.der, publicKey, signingKey, notBefore: 0, notAfter: CENTURY });
    return encodePem('CERTIFICATE', made.der);
  });
}
