/** What a join leaves as it was: files of others, and a machine that is not to be changed. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { each, leftAt, type Machines, OWN_WAYS, ofKubeadm, PKI, UNWATCHED } from './joined-files.js';
import type { Done, Machine } from './joined-files-reader.js';

const removed = ({ done = [] }: Machine, path: string): boolean =>
  done.some((one) => one.what === 'removed' && one.path === path);

/** What has become of a file that was there before; undefined: it is as it was. */
export const lossOf = (machine: Machine, path: string): string | undefined =>
  leftAt(machine, path) !== undefined ? 'it is written anew' : removed(machine, path) ? 'it is gone' : undefined;

/** What changes something on the machine; a service manager may be asked how it is. */
const wordsOf = (one: Done): string =>
  one.what === 'ran'
    ? `runs "systemctl ${one.path}"`
    : one.what === 'wrote'
      ? `writes ${one.file.path}`
      : `removes ${one.path}`;

const changing =
  (demanded: string, isChange: (one: Done) => boolean) =>
  (machine: Machine): Finding => {
    const { subject, done } = machine;
    if (done === undefined) return refusal({ subject, demanded, seen: UNWATCHED, ok: undefined });
    const changes = [...new Set(done.filter(isChange).map(wordsOf))];
    const seen = changes.length === 0 ? 'so it is' : `it ${changes.slice(0, 5).join(', ')}`;
    return refusal({ subject, demanded, seen, ok: changes.length === 0 });
  };

/** Who is refused a machine does nothing to it. */
export const machineUntouched: Check<Machines> = {
  id: 'joined-untouched/machine',
  source: 'cmd/kubeadm/app/cmd/join.go, preflight before all other phases',
  nothing: OWN_WAYS,
  judge: ofKubeadm(each(changing('nothing on the machine is changed', () => true))),
};

/** Where a dry run may write. */
const DRY_RUN = '/etc/kubernetes/tmp/';

/** Names in it have a number that nobody knows before. */
export const dryRunChangesNothing: Check<Machines> = {
  id: 'joined-untouched/dry-run',
  source: '002, --dry-run; cmd/kubeadm/app/constants/constants.go GetDryRunDir',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const demanded = `nothing on the machine is changed but below ${DRY_RUN}`;
      const isElsewhere = (path: string): boolean => !`${path}/`.startsWith(DRY_RUN);
      const found = changing(demanded, (one) =>
        one.what === 'ran' ? true : isElsewhere(one.what === 'wrote' ? one.file.path : one.path),
      )(machine);
      const [folder] = (machine.folders ?? []).filter(({ path }) => isElsewhere(path));
      if (folder === undefined || found.result !== 'met') return found;
      return refusal({ subject: machine.subject, demanded, seen: `it makes or changes ${folder.path}`, ok: false });
    }),
  ),
};

/** Of files that the machine was given by hand, whatever becomes of its join. */
export const sharedStay: Check<Machines, { readonly files: readonly string[] }> = {
  id: 'joined-untouched/shared-stay',
  source: 'cmd/kubeadm/app/cmd/join.go; cmd/kubeadm/app/phases/certs/certs.go',
  judge: (machines, { files }) =>
    machines.map((machine) => {
      const { subject, exit, shared, isStarved } = machine;
      const isOther = (name: string): boolean => {
        const left = leftAt(machine, PKI + name);
        return left === undefined ? removed(machine, PKI + name) : left.digest !== shared[name];
      };
      const lost = files.filter(isOther);
      const isEnded = exit !== null || (isStarved === true ? undefined : false);
      const end = exit === null ? 'it had to be ended' : `it ends with ${exit}`;
      return refusal({
        subject,
        demanded: `the ${files.length} files of the other control planes stay as they are`,
        seen: `${end}; ${lost.length === 0 ? 'they do' : `${lost.join(', ')} are changed or gone`}`,
        ok: lost.length === 0 && isEnded,
      });
    }),
};

/** Whether what is wanted is in what is there: lists whole, and what is null taken away. */
const holds = (wanted: unknown, there: unknown): boolean =>
  isRecord(wanted)
    ? isRecord(there) && Object.entries(wanted).every(([key, value]) => holds(value, there[key]))
    : isDeepStrictEqual(wanted ?? undefined, there ?? undefined);

/** Of a file of somebody else, whatever becomes of the join. */
export const fileStays: Check<Machines, { readonly path: string }> = {
  id: 'joined-untouched/file-stays',
  source: 'cmd/kubeadm/app/preflight/checks.go FileAvailableCheck; cmd/phases/join/kubelet.go, os.IsNotExist of caPath',
  judge: each((machine, { path }) => {
    const left = leftAt(machine, path);
    const isSame = left !== undefined && left.digest === machine.present?.[path];
    const lost = isSame ? undefined : lossOf(machine, path);
    return refusal({
      subject: machine.subject,
      demanded: `${path}, which somebody else has left, stays as it was`,
      seen: lost ?? 'it does',
      ok: lost === undefined,
    });
  }),
};

/** Of what is there of an earlier join, and the machine is told to pass over. */
export const leftReplaced: Check<Machines> = {
  id: 'joined-untouched/left-replaced',
  source: 'cmd/kubeadm/app/util/staticpod/utils.go WriteStaticPodToDisk',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, present = {} } = machine;
      const isNew = (path: string): boolean => {
        const left = leftAt(machine, path);
        return left !== undefined && left.digest !== present[path];
      };
      const old = Object.keys(present).filter((path) => !isNew(path));
      return demand({
        subject,
        demanded: 'what an earlier join has left is written anew',
        seen: old.length === 0 ? 'it is' : `${old.join(', ')} is not`,
        ok: old.length === 0,
      });
    }),
  ),
};

const MANIFESTS = '/etc/kubernetes/manifests/';

/** Who writes no manifests at all starts no control plane, which is for others to judge. */
export const patchesApplied: Check<Machines> = {
  id: 'joined-untouched/patches',
  source: 'cmd/kubeadm/app/util/patches/patches.go; phases/kubelet/config.go; phases/controlplane/manifests.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const { subject, patches = [], left } = machine;
      const isPlane = left.some(({ path }) => path.startsWith(MANIFESTS));
      const due = patches.filter(({ path }) => isPlane || !path.startsWith(MANIFESTS));
      const lost = due.filter(({ path, settings }) => {
        const held = leftAt(machine, path)?.held;
        return held?.kind !== 'settings' || !holds(settings, held.settings);
      });
      return demand({
        subject,
        demanded: 'what the machine was told by patches is in its files',
        seen: lost.length === 0 ? 'it is' : `it is not in ${lost.map(({ path }) => path).join(', ')}`,
        ok: lost.length === 0,
      });
    }),
  ),
};
