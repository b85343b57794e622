/** The files of `kubeadm init phase certs` and `kubeconfig`, for folders without kubeadm. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../../kubeadm/configuration.js';
import { controlPlaneFiles, createPki } from '../../kubeadm/pki.js';
import { generateKeyAsync } from '../../pki/keys.js';
import { onLoopback } from './configuration.js';

/** kubeadm's default, for what clients see: the cluster's authority and the serving certificate. The rest is P-256, which costs no time. */
const SEEN = 'RSA-2048';
const UNSEEN = 'ECDSA-P256';

/** Writes pki/ and the kubeconfigs into the configuration's folder, readable by their owner only. */
export async function writeCertificates(configuration: Configuration): Promise<void> {
  const now = Date.now();
  const { kubernetesDir } = configuration;
  await mkdir(join(kubernetesDir, 'pki', 'etcd'), { recursive: true, mode: 0o700 });
  const [pki, servingKey] = await Promise.all([
    createPki((part) => (part === 'ca' ? SEEN : UNSEEN), now),
    generateKeyAsync(SEEN),
  ]);
  const files = controlPlaneFiles(pki, {
    configuration,
    keyFor: (file) => (file === 'apiserver' ? servingKey : UNSEEN),
    now,
  });
  await Promise.all(
    Object.entries(files).map(([file, text]) =>
      writeFile(join(kubernetesDir, file), onLoopback(text, configuration), { mode: 0o600 }),
    ),
  );
}
