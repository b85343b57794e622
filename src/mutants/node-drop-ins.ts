/** Further configuration that a kubelet does not read, and a certificate that it serves with and that is another's. */
import { added, all, edited, KUBERNETES, onDisk } from './node-disk.js';
import type { Mutant } from './types.js';

const FOLDER = `${KUBERNETES}/kubelet.conf.d`;
const KIND = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

/** A file in a folder that the kubelet is told of. */
const droppedIn = (name: string, defect: string, file: string, text: string): Mutant =>
  onDisk(
    name,
    `a file of the folder of --config-dir ${defect}`,
    ['P-377'],
    all(
      edited('/var/lib/kubelet/kubeadm-flags.env', (flags) => flags.replace(/"$/m, ` --config-dir=${FOLDER}"`)),
      added(`${FOLDER}/${file}`, `${text}maxPods: 90\n`, 0o644),
      added(`${FOLDER}/README`, 'what lies here\n', 0o644),
    ),
  );

export const mutants: readonly Mutant[] = [
  droppedIn('kubelet-passes-over-a-file', 'ends with .yaml', '20-own.yaml', KIND),
  droppedIn('kubelet-ends-at-a-file', 'says no kind', '20-own.conf', ''),
  { ...droppedIn('harmless-node-drop-in', 'is sound', '20-own.conf', KIND), killedBy: [] },
  onDisk(
    'kubelet-serves-as-the-api-server',
    'the kubelet serves with the certificate of the API server',
    ['P-210'],
    edited(
      '/var/lib/kubelet/config.yaml',
      (text) =>
        `${text}tlsCertFile: ${KUBERNETES}/pki/apiserver.crt\ntlsPrivateKeyFile: ${KUBERNETES}/pki/apiserver.key\n`,
    ),
  ),
];
