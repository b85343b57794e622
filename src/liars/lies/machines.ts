/** Honest servers, and machines on which something is otherwise than usual; servers that take their time. */
import type { Lie, Right, Told } from '../lie.js';
import { sharedFiles } from '../shared-certificates.js';

const on = (name: string, server: string, right: Right, told: Told): Lie => ({
  name,
  server: `honest; ${server}`,
  right,
  told,
  ...(told.services === undefined ? {} : { ofKubeadm: true }),
});

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
const THERE = 'left by somebody else\n';

export const machineLies: readonly Lie[] = [
  ...['kubelet.conf', 'bootstrap-kubelet.conf', 'pki/ca.crt'].map((file) =>
    on(`node-has-${file.replace('/', '-')}`, `${file} is there already`, 'asks nothing', {
      present: () => ({ [`${KUBERNETES}/${file}`]: THERE }),
    }),
  ),
  on('disk-closed', 'bootstrap-kubelet.conf cannot be written', 'fails later', {
    closed: `${KUBERNETES}/bootstrap-kubelet.conf`,
  }),
  on('services-none', 'no service manager', 'joins', { services: 'none' }),
  on('services-no-kubelet', 'a service manager without a kubelet', 'joins', { services: 'no kubelet' }),
  on('services-failing', 'the kubelet cannot be restarted', 'joins', { services: 'failing' }),
  on('cp-by-hand', 'a control plane with the shared files, and no certificate key', 'joins', {
    certificateKey: 'none',
    present: ({ cast }) =>
      Object.fromEntries(Object.entries(sharedFiles(cast)).map(([file, text]) => [`${PKI}/${file}`, text])),
  }),
  { name: 'signed-late', server: 'honest; takes its time to approve', right: 'joins', signing: 'late' },
  {
    name: 'approved-first',
    server: 'honest; approves at once, takes its time to sign',
    right: 'joins',
    signing: 'approved first',
  },
];
