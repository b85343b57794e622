/** Secret kubeadm-certs as a liar holds it. Source: kubeadm, phases/copycerts, util/crypto. */

import { createCipheriv, createPrivateKey, randomBytes } from 'node:crypto';
import { remembered } from '../kubernetes/remembered.js';
import { privateKeyPem, publicKeyPem } from '../pki/keys.js';
import type { Cast } from './cast.js';

/** The key that opens it, 64 hex digits. */
export const CERTIFICATE_KEY = '37e5a8bf4a473b268ff396b55f76f1ec59aecf91ba5b2a0ffce1ece19b7fcb7f';

type SharedFiles = Readonly<Record<string, string>>;

/** Entry → bytes: 12 of nonce, the ciphertext, 16 of tag. */
export type SharedEntries = Readonly<Record<string, Buffer>>;

/** As an entry of the Secret. */
export function encrypted(pem: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(CERTIFICATE_KEY, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(pem), cipher.final(), cipher.getAuthTag()]);
}

/** What control planes share, of the liar's own keys: PEM by the name of the file below the folder of certificates. */
export const sharedFiles = remembered((cast: Cast): SharedFiles => {
  const { ca, 'other ca': proxy, 'etcd ca': etcd } = cast.authorities;
  const account = createPrivateKey(cast.serving.good.keyPem);
  return {
    'ca.crt': ca.certificate.pem,
    'ca.key': privateKeyPem(ca.key),
    'front-proxy-ca.crt': proxy.certificate.pem,
    'front-proxy-ca.key': privateKeyPem(proxy.key),
    'etcd/ca.crt': etcd.certificate.pem,
    'etcd/ca.key': privateKeyPem(etcd.key),
    'sa.key': privateKeyPem(account),
    'sa.pub': publicKeyPem(account),
  };
});

/** The same as the Secret has it. */
export const sharedEntries = (cast: Cast): SharedEntries =>
  Object.fromEntries(
    Object.entries(sharedFiles(cast)).map(([name, pem]) => [name.replaceAll('/', '-'), encrypted(pem)]),
  );
