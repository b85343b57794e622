/** What static Pods of a node may do to it, and what runs in them besides their component. */
import { type Fields, record, records, text, texts } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import type { Seen } from './node-files.js';
import { componentOf, containerOf, inPod } from './node-pods.js';

const SOURCE = '002, static Pod manifests; cmd/kubeadm/app/util/staticpod/utils.go ComponentPod';

const containersOf = (spec: Fields): readonly Fields[] => [
  ...records(spec.containers),
  ...records(spec.initContainers),
];

/** Who asks the container runtime starts what he likes. */
const RUNTIME = /\/(?:containerd|crio|cri-dockerd|dockershim|docker)\.sock$/;

/** What of a Pod is as good as root on the machine. */
function powersIn(pod: Fields): readonly string[] {
  const spec = record(pod.spec);
  const paths = records(spec.volumes).map(({ hostPath }) => text(record(hostPath).path));
  const contexts = containersOf(spec).map(({ securityContext }) => record(securityContext));
  return [
    ...(['hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true),
    ...contexts.flatMap(({ privileged }) => (privileged === true ? ['privileged'] : [])),
    ...contexts.flatMap(({ capabilities }) =>
      texts(record(capabilities).add).filter((name) => /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE)$/.test(name)),
    ),
    ...paths.filter((path) => /^\/+$/.test(path)).map(() => 'the whole disk'),
    ...paths.filter((path) => RUNTIME.test(path)),
  ];
}

const SECCOMP = /^(?:RuntimeDefault|Localhost)$/;

/** A component asks for the network of the host, and for no more of it. */
export const unprivileged: Check<readonly Seen[]> = {
  id: 'node-privileges/unprivileged',
  source: `${SOURCE}; Pod Security Standards, baseline`,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'it runs without privileges, and under the seccomp profile of the runtime', (manifest) => {
        const spec = record(manifest.pod.spec);
        const profileOf = (context: unknown): string => text(record(record(context).seccompProfile).type);
        const profile = profileOf(containerOf(manifest).securityContext) || profileOf(spec.securityContext);
        const odd = [
          ...powersIn(manifest.pod),
          ...(SECCOMP.test(profile) ? [] : [`the seccomp profile ${profile || 'of nobody'}`]),
        ];
        return { seen: odd.join(', ') || 'it does', ok: odd.length === 0 };
      }),
    ),
};

/** The kubelet runs what lies there, and asks nobody: an operator's own Pod is as trusted as the control plane. */
export const powerless: Check<readonly Seen[]> = {
  id: 'node-privileges/powerless',
  source: 'Pod Security Standards, baseline; pkg/kubelet/config/file.go',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'what is no component of the control plane is not as good as root', ({ pod }) => {
        const odd = powersIn(pod);
        return { seen: odd.join(', ') || 'it is not', ok: odd.length === 0 };
      }),
    ),
};

/** Nothing else runs with its keys. */
export const alone: Check<readonly Seen[]> = {
  id: 'node-privileges/alone',
  source: SOURCE,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'its component runs alone in it', ({ pod }) => {
        const component = componentOf(seen.path);
        const names = containersOf(record(pod.spec)).map(({ name }) => text(name) || 'without a name');
        return { seen: names.join(', ') || 'nothing does', ok: names.join() === component };
      }),
    ),
};
