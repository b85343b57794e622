/** Refuses certificates and keys that TLS could not use, in sentences, before a handshake fails with a riddle. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ClientCertificate } from './connection.js';
import { ConfigurationError } from './errors.js';

/** Bytes of a file with certificates or a key; the bundle of all public authorities has a quarter of it. */
export const LARGEST_PEM = 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----(?:(?!-----BEGIN )[\s\S])+?-----END CERTIFICATE-----/g;

/**
 * The text again. Throws ConfigurationError; `what` begins the sentence ("certificate-authority-data of cluster x").
 */
export function checkedCertificates(text: string, what: string): string {
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0)
    throw new ConfigurationError(
      `${what} holds no PEM certificate; it ought to begin with -----BEGIN CERTIFICATE-----.`,
    );
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch {
      throw new ConfigurationError(
        `${what}: certificate ${index + 1} of ${blocks.length} cannot be read; it is damaged or no X.509 certificate.`,
      );
    }
  }
  return text;
}

/** Both again, seen to belong together. Throws ConfigurationError. */
export function checkedPair(
  certificate: string,
  key: string,
  certificateFrom: string,
  keyFrom: string,
): ClientCertificate {
  checkedCertificates(certificate, certificateFrom);
  const leaf = new X509Certificate((certificate.match(CERTIFICATE) ?? [])[0] as string);
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(key)) {
    throw new ConfigurationError(
      `${keyFrom} is encrypted with a pass phrase; give a key without one, as kubectl demands too.`,
    );
  }
  let fits: boolean;
  try {
    fits = leaf.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw new ConfigurationError(`${keyFrom} holds no PEM private key that can be read.`);
  }
  if (!fits)
    throw new ConfigurationError(
      `${keyFrom} does not belong to the certificate of ${certificateFrom}; give the key that the certificate was made for.`,
    );
  return { certificate, key };
}
