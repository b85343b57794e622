/** Who may read and write the files of a node's disk, and whose they are. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { modeSeen } from './file-mode.js';
import type { Seen } from './node-files.js';

/** `paths`: of files that hold a key or a token. */
export const noSecretsBelow: Check<readonly string[], { readonly folder: string }> = {
  id: 'node-owners/no-secrets-below',
  source: 'cmd/kubeadm/app/constants CreateTempDir; 002, dry-run',
  judge: (paths, { folder }) => {
    const left = paths.filter((path) => path.startsWith(`${folder}/`));
    const seen = left.slice(0, 5).join(', ') || 'it is not';
    return [demand({ subject: folder, demanded: 'no key and no token is left below it', seen, ok: left.length === 0 })];
  },
};

/** Nobody else writes them: what they say is done by root. */
export const unwritable: Check<readonly Seen[]> = {
  id: 'node-owners/unwritable',
  source: '003, certificates; 004, responsibilities; cmd/kubeadm/app/util/staticpod WriteStaticPodToDisk',
  judge: (all) =>
    all.map(({ path, file }) => {
      const mode = file?.mode ?? null;
      // Within a folder with the sticky bit nobody takes away what is another's.
      const isSticky = file?.held.kind === 'folder' && ((mode ?? 0) & 0o1000) !== 0;
      const ok = mode === null ? undefined : (mode & 0o022) === 0 || isSticky;
      return demand({ subject: path, demanded: 'only its owner may write it', seen: modeSeen(mode), ok });
    }),
};

/** Nobody else reads them: the bits of group and others. */
export const closed: Check<readonly Seen[], { readonly isRootless: boolean } | undefined> = {
  id: 'node-owners/closed',
  source: '003, certificates; 004, responsibilities; pkiutil WriteKey; KEP-2568',
  judge: (all, parameters) =>
    all.map(({ path, file }) => {
      const mode = file?.mode ?? null;
      // kubeadm gives it to a group of its own, where components run as users of their own
      const bits = parameters?.isRootless === true && path.endsWith('/sa.key') ? 0o037 : 0o077;
      const ok = mode === null ? undefined : (mode & bits) === 0;
      return demand({ subject: path, demanded: 'only its owner may read it', seen: modeSeen(mode), ok });
    }),
};

/** kubeadm and kubelet write each for its owner alone, with a key in it or without. */
export const kubeconfigsClosed: Check<readonly Seen[]> = {
  id: 'node-owners/kubeconfigs-closed',
  source: 'client-go, tools/clientcmd WriteToFile; cmd/kubeadm, phases/kubeconfig; CIS 4.1.5',
  nothing: 'no kubeconfig of a component lies there',
  judge: (all) =>
    all.flatMap(({ path, file }) => {
      const mode = file?.mode ?? null;
      if (file?.held.kind !== 'kubeconfig' || mode === null) return [];
      return [
        demand({
          subject: path,
          demanded: 'it is for nobody beside its owner and group',
          seen: modeSeen(mode),
          ok: (mode & 0o007) === 0,
        }),
      ];
    }),
};

/** Whose files are: those of root, or of whom a static Pod runs as. */
export interface Owners {
  /** Numbers of users; null: the disk was copied by somebody whose everything is now. */
  readonly known: readonly number[] | null;
}

export const owned: Check<readonly Seen[], Owners> = {
  id: 'node-owners/owned',
  source: '003, certificates; 004, responsibilities; 002, kubeadm runs as root',
  nothing: 'nothing on the disk belongs to root: somebody has copied it, or nobody knows',
  judge: (all, { known }) =>
    all.flatMap(({ path, file }) => {
      const owner = file?.owner ?? null;
      if (known === null || owner === null) return [];
      const ok = known.includes(owner);
      return [demand({ subject: path, demanded: 'it belongs to root', seen: `it belongs to user ${owner}`, ok })];
    }),
};
