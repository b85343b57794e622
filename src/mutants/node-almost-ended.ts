/** Machines on which nobody has renewed what ends soon. */
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { GROUP_NODES } from '../kubernetes/names.js';
import { createAuthority } from '../pki/authority.js';
import { authorityOn, onDisk, PKI, reissued, reissuedIn } from './node-disk.js';
import { CONFS, LEAVES } from './node-keepers.js';
import type { Mutant } from './types.js';

const YEAR = 365 * 86_400_000;
const named = (file: string): string => file.replace('/', '-');

/** The same authority, made so many years ago. */
const aged =
  (name: string, years: number): DiskEdit =>
  (disk) => {
    const { facts, key } = authorityOn(disk, name);
    const { commonName } = facts;
    const { certificate } = createAuthority({ commonName, key, now: Date.now() - years * YEAR });
    disk.write(`${PKI}/${name}.crt`, certificate.pem, 0o644);
  };

export const mutants: readonly Mutant[] = [
  ...['ca', 'front-proxy-ca', 'etcd/ca'].map((name) =>
    onDisk(`${named(name)}-almost-ended`, `${name}.crt ends in half a year`, ['P-535'], aged(name, 9.5)),
  ),
  // ca.crt lies in kubeconfigs, too.
  ...['front-proxy-ca', 'etcd/ca'].map((name) => ({
    ...onDisk(`${named(name)}-in-its-ninth-year`, `${name}.crt ends in two years`, [], aged(name, 8)),
    name: `harmless-node-${named(name)}-in-its-ninth-year`,
  })),
  ...LEAVES.map(([file, authority, , leaf]) =>
    onDisk(
      `${named(file)}-almost-ended`,
      `${file}.crt ends in twenty days`,
      ['P-535'],
      reissued(file, authority, { ...leaf, leftDays: 20 }),
    ),
  ),
  ...CONFS.map((file) =>
    onDisk(
      `${file}-conf-almost-ended`,
      `the certificate in ${file}.conf ends in twenty days`,
      ['P-535'],
      reissuedIn(file, 'ca', { commonName: `of-${file}`, organizations: [GROUP_NODES], leftDays: 20 }),
    ),
  ),
];
