/** The disk of a control plane that has joined: kept when its place is closed, and read by whoever judges disks. */
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LeftFile } from '../../kubernetes/transcript.js';
import { openDisk } from '../node/open.js';
import type { NodeFiles } from '../types.js';
import { OWN_ADDRESS } from './cell.js';
import { NODE } from './join-configuration.js';

/** The server before which that is seen. */
export const KEPT_OF = 'cp-download-certs';
/** Milliseconds: it is small and lies here, and is read while others keep the machine busy. */
const TIME = 3_600_000;
const KEPT = ['etc/kubernetes', 'var/lib/kubelet'] as const;

/** Copies what kubeadm and its kubelet have written, with its modes and links. */
export function keepDisk(root: string, folder: string): void {
  for (const one of KEPT)
    cpSync(path.join(root, one), path.join(folder, one), {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
}

/**
 * Writes what the phase needs to be told that makes etcd's manifest: a join asks a living etcd for it. Returns its name.
 * Source: cmd/kubeadm/app/cmd/phases/init/etcd.go.
 */
export function writeEtcdConfiguration(work: string, minor: number): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const documents = [
    {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: OWN_ADDRESS, bindPort: 6443 },
      nodeRegistration: { name: NODE },
    },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: `v1.${minor}.0` },
  ];
  writeFileSync(path.join(work, 'etcd.yaml'), documents.map((one) => JSON.stringify(one)).join('\n---\n'));
  return 'etcd.yaml';
}

const ETCD = 'etc/kubernetes/manifests/etcd.yaml';

/** The manifest that the phase has made, by its path; nothing where it has made none. */
export function etcdIn(root: string): Readonly<Record<string, LeftFile>> {
  const file = path.join(root, ETCD);
  if (!existsSync(file)) return {};
  return { [`/${ETCD}`]: { mode: statSync(file).mode & 0o777, text: readFileSync(file, 'utf8') } };
}

/** `join` lets the control plane join. Rejects where it did not, so that nothing is said of its disk. */
export function joinedDisk(folder: string, join: () => Promise<unknown>): NodeFiles {
  let opened: Promise<NodeFiles> | undefined;
  const open = async (): Promise<NodeFiles> => {
    await join();
    if (!existsSync(folder))
      throw new Error(`The control plane did not join "${KEPT_OF}", so that there is no disk to look at.`);
    return openDisk(folder, TIME);
  };
  return {
    apart:
      'the disk is that of a control plane which has joined a server of joinproof, and not the cluster that is judged',
    now: () => Date.now(),
    async read(paths) {
      opened ??= open();
      return (await opened).read(paths);
    },
  };
}
