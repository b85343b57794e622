/** Secret kubeadm-certs as a liar holds it. Source: kubeadm, phases/copycerts, util/crypto. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { privateKeyPem, publicKeyPem } from '../pki/keys.js';
import type { Cast } from './cast.js';

/** The key that opens it, 64 hex digits. */
export const CERTIFICATE_KEY = '37e5a8bf4a473b268ff396b55f76f1ec59aecf91ba5b2a0ffce1ece19b7fcb7f';

/** Entry → bytes: 12 of nonce, the ciphertext, 16 of tag. */
export type SharedEntries = Readonly<Record<string, Buffer>>;

function encrypted(pem: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(CERTIFICATE_KEY, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(pem), cipher.final(), cipher.getAuthTag()]);
}

/** What control planes share, of the liar's own keys. */
export function sharedEntries({ authorities }: Cast): SharedEntries {
  const { ca } = authorities;
  const [certificate, key] = [encrypted(ca.certificate.pem), encrypted(privateKeyPem(ca.key))];
  return {
    'ca.crt': certificate,
    'ca.key': key,
    'front-proxy-ca.crt': certificate,
    'front-proxy-ca.key': key,
    'etcd-ca.crt': certificate,
    'etcd-ca.key': key,
    'sa.key': key,
    'sa.pub': encrypted(publicKeyPem(ca.key)),
  };
}
