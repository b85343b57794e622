/**
 * What the API server warns of in a Secret of the type kubernetes.io/tls. Of what is no certificate or key inside its
 * block nothing is said. Source: pkg/registry/core/secret/strategy.go warningsForSecret; Go, crypto/tls X509KeyPair.
 */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';

interface Block {
  readonly label: string;
  readonly text: string;
}

const blocksOf = (pem: string): readonly Block[] =>
  [...pem.matchAll(/^-----BEGIN ([^\n-]+)-----\r?\n[^-]*-----END \1-----/gm)].map(([text, label = '']) => ({
    label,
    text,
  }));

const isKey = ({ label }: Block): boolean => /(?:^| )PRIVATE KEY$/.test(label);
const labels = (blocks: readonly Block[]): string => `[${blocks.map(({ label }) => label).join(' ')}]`;

function withoutCertificate(blocks: readonly Block[]): string {
  const [only] = blocks;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  return blocks.length === 1 && only.label.endsWith('PRIVATE KEY')
    ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may ' +
        'have been switched'
    : 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following ' +
        `types: ${labels(blocks)}`;
}

function withoutKey(blocks: readonly Block[]): string {
  const [only] = blocks;
  if (only === undefined) return 'tls: failed to find any PEM data in key input';
  return blocks.length === 1 && only.label === 'CERTIFICATE'
    ? 'tls: found a certificate rather than a key in the PEM for the private key'
    : 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the ' +
        `following types: ${labels(blocks)}`;
}

function unlike(certificate: string, key: string): string | undefined {
  try {
    const of = new X509Certificate(certificate).publicKey;
    const own = createPublicKey(createPrivateKey(key));
    if (of.asymmetricKeyType !== own.asymmetricKeyType) return 'tls: private key type does not match public key type';
    return of.equals(own) ? undefined : 'tls: private key does not match public key';
  } catch {
    return undefined;
  }
}

/** Why a certificate and a key, both PEM, are no pair; undefined where nothing is said. */
export function pairProblem(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate);
  const found = certificates.find(({ label }) => label === 'CERTIFICATE');
  if (found === undefined) return withoutCertificate(certificates);
  const keys = blocksOf(key);
  const own = keys.find(isKey);
  return own === undefined ? withoutKey(keys) : unlike(found.text, own.text);
}
