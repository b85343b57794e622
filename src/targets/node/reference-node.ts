/** Disks of control planes as kubeadm init leaves them, in memory. */
import { posix } from 'node:path';
import { configure } from '../../kubeadm/configuration.js';
import { writeDisk } from '../../kubeadm/init/machine.js';
import { type DiskEdit, MemoryDisk } from '../../kubeadm/init/memory-disk.js';
import { INIT_PHASES, runPhases } from '../../kubeadm/init/phases.js';
import { parseRelease } from '../../kubeadm/release.js';
import { generateKeyAsync } from '../../pki/keys.js';
import type { Reference } from '../reference.js';
import type { NodeEntry, NodeFiles } from '../types.js';
import { isMeant } from './patterns.js';

/** What a disk is made of. */
type Filled = () => Promise<MemoryDisk>;

const made = new Map<string, Promise<MemoryDisk>>();

/** Of a control plane that nobody can ask. Keys on curves: there are many, and RSA keys take long. */
async function init(version: string): Promise<MemoryDisk> {
  const files = new MemoryDisk();
  const configuration = configure({
    release: parseRelease(version),
    nodeName: 'cp-1',
    advertiseAddress: '192.0.2.10',
    controlPlaneEndpoint: '127.0.0.1:6443',
    podSubnet: '10.244.0.0/16',
    keyAlgorithm: 'ECDSA-P256',
  });
  const quiet = (): void => {};
  await runPhases(
    { configuration, files, now: Date.now(), makeKey: generateKeyAsync, tell: quiet, warn: quiet },
    INIT_PHASES,
  );
  return files;
}

/** The disk of a control plane as kubeadm init leaves it: one for all that are of a release. */
export const diskOf =
  (version: string): Filled =>
  () => {
    const known = made.get(version) ?? init(version);
    made.set(version, known);
    return known;
  };

/** The disk of the control plane of a reference that runs. */
export const diskBeside =
  ({ machine, keys: { pki } }: Pick<Reference, 'machine' | 'keys'>): Filled =>
  async () => {
    const files = new MemoryDisk();
    await writeDisk(files, machine, pki);
    return files;
  };

const entriesOf = (disk: MemoryDisk): readonly NodeEntry[] => {
  const folders = new Set<string>();
  for (const path of disk.files.keys())
    for (let at = posix.dirname(path); at !== '/'; at = posix.dirname(at)) folders.add(at);
  const owner = (path: string): number => disk.owners.get(path) ?? 0;
  const folder = (path: string): NodeEntry => ({
    path,
    kind: 'folder',
    mode: disk.folders.get(path) ?? 0o755,
    owner: owner(path),
  });
  return [
    ...[...folders].map(folder),
    ...[...disk.files].map(([path, file]): NodeEntry => {
      const [members, at] = [disk.members.get(path), disk.links.get(path)];
      return {
        path,
        kind: 'file',
        ...file,
        owner: owner(path),
        ...(members === undefined ? {} : { members }),
        ...(at === undefined ? {} : { at }),
      };
    }),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** Read when it is first asked for. `edit`: done to it before anybody looks. */
export function referenceFiles(disk: Filled, edit: DiskEdit = () => {}): NodeFiles {
  let entries: Promise<readonly NodeEntry[]> | undefined;
  const read = async (): Promise<readonly NodeEntry[]> => {
    const copy = (await disk()).copy();
    await edit(copy);
    return entriesOf(copy);
  };
  return {
    now: () => Date.now(),
    async read(paths) {
      entries ??= read();
      return (await entries).filter(({ path }) => paths.some((one) => isMeant(path, one)));
    },
  };
}
