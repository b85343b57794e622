/** The files of `kubeadm init phase certs` and `kubeconfig`, for folders without kubeadm. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../kubeadm/configuration.js';
import { controlPlaneFiles, type KeyOwner } from '../../kubeadm/pki.js';
import { onLoopback } from './configuration.js';

/**
 * kubeadm's default, for what clients see: the cluster's authority and the serving certificate. The rest is P-256,
 * which costs no time.
 */
const SEEN: ReadonlySet<KeyOwner> = new Set<KeyOwner>(['ca', 'apiserver']);

/** Writes pki/ and the kubeconfigs into the configuration's folder, readable by their owner only. */
export async function writeCertificates(configuration: Configuration): Promise<void> {
  const { kubernetesDir } = configuration;
  await mkdir(join(kubernetesDir, 'pki', 'etcd'), { recursive: true, mode: 0o700 });
  const files = await controlPlaneFiles(configuration, Date.now(), (owner) =>
    SEEN.has(owner) ? 'RSA-2048' : 'ECDSA-P256',
  );
  await Promise.all(
    Object.entries(files).map(([file, text]) =>
      writeFile(join(kubernetesDir, file), onLoopback(text, configuration), { mode: 0o600 }),
    ),
  );
}
