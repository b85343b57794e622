/**
 * The shared certificates in Secret kubeadm-certs, encrypted.
 * Source: cmd/kubeadm/app/phases/copycerts/copycerts.go, util/crypto/crypto.go.
 */
import { createCipheriv } from 'node:crypto';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { OwnerReference, Secret } from '../../kubernetes/objects.js';
import type { RandomBytes } from '../configuration.js';
import type { PkiFiles } from '../pki.js';

/** Seconds that the token lives which owns kubeadm-certs. */
export const CERTS_TTL = 2 * 60 * 60;
export const CERTS_TOKEN_DESCRIPTION = 'Proxy for managing TTL for the kubeadm-certs secret';

/** AES-256-GCM without additional data: 12 bytes of nonce, the ciphertext, 16 bytes of tag. `key` has 32 bytes. */
export function encryptEntry(plain: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The Secret; its keys are the file names with "/" as "-". A nonce for each entry. */
export function certsSecret(files: PkiFiles, key: Buffer, owner: OwnerReference, random: RandomBytes): Secret {
  const data = Object.entries(files).map(([name, pem]): [string, string] => [
    name.replaceAll('/', '-'),
    encryptEntry(Buffer.from(pem, 'utf8'), key, random(12)).toString('base64'),
  ]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'kubeadm-certs', namespace: KUBE_SYSTEM, ownerReferences: [owner] },
    data: Object.fromEntries(data.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** How kubeadm-certs names the token Secret that it dies with. */
export const ownerOf = (token: Secret): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Secret',
  name: token.metadata.name ?? '',
  uid: token.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});
