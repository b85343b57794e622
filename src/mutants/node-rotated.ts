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
  onDisk,
  strangersAuthority,
} from './node-disk.js';
import type { Mutant } from './types.js';

const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
const OWN: Leaf = { commonName: 'system:node:cp-1', organizations: [GROUP_NODES] };

/** As "kubeadm init phase kubelet-finalize" does. Source: cmd/phases/init/kubeletfinalize.go. */
const named: DiskEdit = edited(`${KUBERNETES}/kubelet.conf`, (text) =>
  text
    .replace(/client-certificate-data: \S+/, `client-certificate: ${CURRENT}`)
    .replace(/client-key-data: \S+/, `client-key: ${CURRENT}`),
);

const holds = (leaf: Leaf, signer: 'ca' | 'a stranger' = 'ca'): DiskEdit =>
  all(named, (disk) => {
    const by = signer === 'ca' ? authorityOn(disk, 'ca') : strangersAuthority();
    const { certificate, key } = issued(by, leaf);
    return added(CURRENT, certificate + key)(disk);
  });

const rotated = (name: string, defect: string, rules: readonly string[], disk: DiskEdit): Mutant =>
  onDisk(`rotated-${name}`, `the renewed certificate of the kubelet ${defect}`, rules, disk);

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
  rotated('is-gone', 'is not there', ['KCFG-002', 'KCFG-003'], named),
];
