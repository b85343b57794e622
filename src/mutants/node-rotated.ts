/** Machines whose kubelet has renewed its certificate: kubelet.conf names the file in which it lies with its key. */

import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { GROUP_MASTERS, GROUP_NODES } from '../kubernetes/names.js';
import {
  added,
  all,
  authorityOn,
  edited,
  issued,
  KUBERNETES,
  type Leaf,
  linked,
  mode,
  onDisk,
  strangersAuthority,
} from './node-disk.js';
import type { Mutant } from './types.js';

const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
/** The link leads there. */
const DATED = '/var/lib/kubelet/pki/kubelet-client-2026-01-02-03-04-05.pem';
const OWN: Leaf = { commonName: 'system:node:cp-1', organizations: [GROUP_NODES] };

/** As "kubeadm init phase kubelet-finalize" does. Source: cmd/phases/init/kubeletfinalize.go. */
const named: DiskEdit = edited(`${KUBERNETES}/kubelet.conf`, (text) =>
  text
    .replace(/client-certificate-data: \S+/, `client-certificate: ${CURRENT}`)
    .replace(/client-key-data: \S+/, `client-key: ${CURRENT}`),
);

const lies =
  (leaf: Leaf, signer: 'ca' | 'a stranger' = 'ca'): DiskEdit =>
  (disk) => {
    const by = signer === 'ca' ? authorityOn(disk, 'ca') : strangersAuthority();
    const { certificate, key } = issued(by, leaf);
    return all(added(CURRENT, certificate + key), linked(CURRENT, DATED))(disk);
  };

const holds = (leaf: Leaf, signer: 'ca' | 'a stranger' = 'ca'): DiskEdit => all(named, lies(leaf, signer));

const rotated = (name: string, defect: string, rules: readonly string[], disk: DiskEdit): Mutant =>
  onDisk(`rotated-${name}`, `the renewed certificate of the kubelet ${defect}`, rules, disk);

const SERVES = '/var/lib/kubelet/pki/kubelet-server-current.pem';
const OWN_SERVING: Leaf = { ...OWN, usages: ['serverAuth'], dns: ['cp-1'] };
const asksForOne: DiskEdit = edited('/var/lib/kubelet/config.yaml', (text) => `${text}serverTLSBootstrap: true\n`);

/** What the signer of the cluster gave the kubelet to serve with. */
const serving = (name: string, defect: string, leaf: Leaf): Mutant =>
  onDisk(
    `serving-${name}`,
    `the certificate that the kubelet serves with ${defect}`,
    ['P-210'],
    all(asksForOne, (disk) => {
      const { certificate, key } = issued(authorityOn(disk, 'ca'), leaf);
      return added(SERVES, certificate + key)(disk);
    }),
  );

export const mutants: readonly Mutant[] = [
  { ...rotated('harmless', 'is sound', [], holds(OWN)), name: 'harmless-node-kubelet-renewed' },
  rotated('is-of-another', 'is of another node', ['KCFG-003'], holds({ ...OWN, commonName: 'system:node:cp-2' })),
  rotated(
    'is-of-masters',
    'is of a second group',
    ['KCFG-002'],
    holds({ ...OWN, organizations: [GROUP_NODES, GROUP_MASTERS] }),
  ),
  rotated('has-expired', 'has expired', ['KCFG-003'], holds({ ...OWN, expiredDays: 1 })),
  rotated('of-a-stranger', 'is of a stranger', ['KCFG-003'], holds(OWN, 'a stranger')),
  rotated('for-servers', 'is for servers', ['KCFG-003'], holds({ ...OWN, usages: ['serverAuth'] })),
  rotated('lives-for-long', 'is for ten years', ['P-533'], holds({ ...OWN, days: 3650 })),
  rotated('for-servers-too', 'is for servers, too', ['P-533'], holds({ ...OWN, usages: ['clientAuth', 'serverAuth'] })),
  rotated('names-a-host', 'names a host', ['P-533'], holds({ ...OWN, dns: ['cp-1'] })),
  rotated(
    'is-no-link',
    'lies in a file where the kubelet wants a link',
    ['P-533'],
    all(holds(OWN), (disk) => {
      disk.links.clear();
    }),
  ),
  rotated('is-not-named', 'lies beside an old one, which kubelet.conf embeds', ['BOOT-010'], lies(OWN)),
  rotated('is-gone', 'is not there', ['KCFG-002', 'KCFG-003', 'P-209'], named),
  onDisk(
    'kubeconfigs-for-everybody',
    'everybody reads the kubeconfigs of components, with a key in them or without',
    ['P-356'],
    all(
      holds(OWN),
      ...['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map((component) =>
        mode(`${KUBERNETES}/${component}.conf`, 0o644),
      ),
    ),
  ),
  { ...serving('', 'is sound', OWN_SERVING), name: 'harmless-node-kubelet-serves-as-asked', killedBy: [] },
  serving('of-another', 'is of another node', { ...OWN_SERVING, commonName: 'system:node:cp-2' }),
  serving('of-no-node', 'is of no node', { ...OWN_SERVING, organizations: [] }),
  serving('for-clients', 'is for clients', { ...OWN_SERVING, usages: ['clientAuth'] }),
  serving('for-another-host', 'names another host', { ...OWN_SERVING, dns: ['cp-2'] }),
  serving('has-expired', 'has expired', { ...OWN_SERVING, expiredDays: 1 }),
  onDisk(
    'serving-with-another-key',
    'the certificate that the kubelet serves with lies with the key of another one',
    ['P-210'],
    all(asksForOne, (disk) => {
      const by = authorityOn(disk, 'ca');
      return added(SERVES, issued(by, OWN_SERVING).certificate + issued(by, OWN_SERVING).key)(disk);
    }),
  ),
];
