/** Static Pods that are no component of a control plane, and users that components run as. */
import { record, records } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { keyFoldersIn } from '../policy/host-paths.js';
import type { Seen } from './node-files.js';
import { inPod } from './node-pods.js';
import type { Disk } from './node-seen.js';

/** Folders whose keys make others of whoever reads them. What a load balancer needs is a file, not they. */
export const keepsToItself: Check<readonly Seen[], { readonly pki: string; readonly data: string }> = {
  id: 'node-helpers/keeps-to-itself',
  source: 'Pod Security Standards, baseline; kube-vip, haproxy and keepalived as static Pods',
  nothing: 'no static Pod runs beside the control plane',
  judge: (all, { pki, data }) =>
    all.map((seen) =>
      inPod(seen, 'it mounts no folder of keys', ({ pod }) => {
        const odd = keyFoldersIn(pod, pki, data);
        return { seen: odd.slice(0, 4).join(', ').slice(0, 240) || 'it does not', ok: odd.length === 0 };
      }),
    ),
};

/** A file with the keys and settings of a program, and who may read it. */
interface Named {
  readonly path: string;
  readonly mode: number | null;
  readonly owner: number | null;
}

const OTHERS_OR_GROUP_READ = 0o044;

/** Below here nobody else has put it. */
const OURS = '/etc/kubernetes/';

export const userReads: Check<readonly Seen[], { readonly files: readonly Named[] }> = {
  id: 'node-helpers/user-reads',
  source: 'KEP-2568, rootless control plane; cmd/kubeadm/app/util/users',
  judge: (all, { files }) =>
    all.map((seen) =>
      inPod(seen, 'whom it runs as may read the files that its flags name', ({ pod, flags }) => {
        const spec = record(pod.spec);
        const contexts = [...records(spec.containers).slice(0, 1), spec].map((one) => record(one.securityContext));
        const user = contexts.map(({ runAsUser }) => runAsUser).find((one) => typeof one === 'number');
        // what a container says of itself goes before what its Pod says of all
        const isNobodys = contexts.map(({ runAsNonRoot }) => runAsNonRoot).find((one) => typeof one === 'boolean');
        if (isNobodys === true && user === 0) return { seen: 'it may not be root, and is', ok: false };
        if (user === undefined || user === 0) return { seen: 'it runs as root', ok: true };
        const named = Object.values(flags);
        const closed = files.filter(
          ({ path, mode, owner }) =>
            named.includes(path) &&
            mode !== null &&
            owner !== null &&
            owner !== user &&
            (mode & OTHERS_OR_GROUP_READ) === 0,
        );
        const odd = closed.map(({ path }) => path);
        return {
          seen: odd.length === 0 ? 'it may' : `user ${user} may not read ${odd.slice(0, 3).join(', ')}`,
          ok: odd.length === 0,
        };
      }),
    ),
};

/** What of a disk is needed for it. */
export const namedFiles = (disk: Disk): readonly Named[] =>
  Object.values(disk)
    .filter(({ path, held }) => path.startsWith(OURS) && held.kind !== 'folder')
    .map(({ path, mode, owner }) => ({ path, mode, owner }));
