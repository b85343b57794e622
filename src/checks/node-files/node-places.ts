/** Who may change what the kubelet and etcd keep, and who may read the data of etcd. */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isInCommonFolder } from '../written/flag-values.js';
import { isOpen, modeSeen } from './file-mode.js';
import type { Seen } from './node-files.js';
import type { Owners } from './node-owners.js';
import type { NodeFacts } from './node-roles.js';

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const WITH_POWER = 0o6000;
const STICKY = 0o1000;

/** With the bits that give power. */
const shown = (mode: number): string => modeSeen(mode, 0o7777);
const modeOf = ({ file }: Seen): number | null => file?.mode ?? null;

/** Whether others come to a path: each folder above it that is known lets them through, or its mode is not known. */
export const isReached = (disk: NodeFacts['disk'], path: string): boolean =>
  Object.values(disk).every(
    ({ path: folder, held, mode }) =>
      held.kind !== 'folder' || !path.startsWith(`${folder}/`) || mode === null || (mode & 0o011) !== 0,
  );

/**
 * Nobody but their owner changes them. A sticky bit keeps what lies there, and lets anybody put something beside it: a
 * manifest, a bootstrap kubeconfig.
 */
export const unchanging: Check<readonly Seen[]> = {
  id: 'node-places/unchanging',
  source: '003, certificates; CIS Kubernetes Benchmark 1.1, 4.1; pkg/kubelet setupDataDirs',
  judge: (all) =>
    all.flatMap((seen): readonly Finding[] => {
      const mode = modeOf(seen);
      if (mode === null) return [];
      const isSticky = (mode & STICKY) !== 0 && (mode & OTHERS_WRITE) === 0;
      const ok = (mode & (OTHERS_WRITE | GROUP_WRITES)) === 0 || isSticky;
      const power = seen.file?.held.kind !== 'folder' && (mode & WITH_POWER) !== 0;
      return [
        demand({ subject: seen.path, demanded: 'nobody but its owner changes it', seen: shown(mode), ok }),
        ...(power
          ? [demand({ subject: seen.path, demanded: 'nobody gets power by it', seen: shown(mode), ok: false })]
          : []),
      ];
    }),
};

/** Where somebody else may put another file in its place. */
const ofOthers = (place: string): boolean => isInCommonFolder(place) || place.startsWith('/home/');
const isMounted = (place: string): boolean => /^\/(?:mnt|media)\//.test(place);

/** What others obey does not lie where others write, behind a link. `data`: of etcd, which may have a disk of their own. */
export const inPlace: Check<readonly Seen[], { readonly data: string }> = {
  id: 'node-places/in-place',
  source: '003, certificates; symlink(7)',
  nothing: 'no link leads elsewhere',
  judge: (all, { data }) =>
    all.flatMap(({ path, file }) => {
      const at = file?.at;
      if (at === undefined) return [];
      const ok = !ofOthers(at) && (path.startsWith(data) || !isMounted(at));
      return [demand({ subject: path, demanded: 'its link leads where root alone writes', seen: at, ok })];
    }),
};

const READABLE = 0o044;

/** etcd itself writes them for its user alone: other modes somebody has given. */
export const dataClosed: Check<{ readonly folders: readonly Seen[]; readonly files: readonly Seen[] }, Owners> = {
  id: 'node-places/data-closed',
  source: 'CIS Kubernetes Benchmark 1.1.11, 1.1.12; etcd client/pkg/fileutil PrivateDirMode',
  nothing: 'the data of etcd do not lie there',
  judge: ({ folders, files }, { known }) => {
    const there = [...folders, ...files].filter(({ file }) => file !== null);
    return [
      ...files.flatMap((seen): readonly Finding[] => {
        const mode = modeOf(seen);
        if (mode === null) return [];
        const ok = (mode & READABLE) === 0;
        return [demand({ subject: seen.path, demanded: 'only etcd reads it', seen: shown(mode), ok })];
      }),
      ...there.flatMap((seen): readonly Finding[] => {
        const owner = seen.file?.owner ?? null;
        if (known === null || owner === null) return [];
        const ok = known.includes(owner);
        return [
          demand({ subject: seen.path, demanded: 'it belongs to etcd', seen: `it belongs to user ${owner}`, ok }),
        ];
      }),
    ];
  },
};

/** As etcd makes it itself. */
export const dataPrivate: Check<readonly Seen[]> = {
  id: 'node-places/data-private',
  source: 'CIS Kubernetes Benchmark 1.1.11; etcd client/pkg/fileutil TouchDirAll',
  nothing: 'the data of etcd do not lie there',
  judge: (all) =>
    all.flatMap((seen) => {
      const mode = modeOf(seen);
      if (mode === null) return [];
      return [demand({ subject: seen.path, demanded: 'its mode is 0700', seen: shown(mode), ok: !isOpen(mode) })];
    }),
};
