/** What is encrypted with a certificate key, as in kubeadm-certs. Source: cmd/kubeadm/app/util/crypto/crypto.go. */
import { createDecipheriv } from 'node:crypto';

/** Bytes of the nonce. */
export const NONCE = 12;
const TAG = 16;

/**
 * AES-256-GCM, the nonce before and the tag behind; undefined: the key does not open it.
 *
 * @param key 64 hex digits
 */
export function openedWith(value: Buffer, key: string): string | undefined {
  // Node takes a shorter tag for whole, which kubeadm does not.
  if (value.length < NONCE + TAG) return undefined;
  try {
    const nonce = value.subarray(0, NONCE);
    const cipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce, { authTagLength: TAG });
    cipher.setAuthTag(value.subarray(-TAG));
    return Buffer.concat([cipher.update(value.subarray(NONCE, -TAG)), cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
