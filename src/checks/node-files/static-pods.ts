/** Static Pods of a node that are no component: whether the kubelet runs them, and what of the machine they hold. */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { isLabel, isSubdomain } from '../common/object-names.js';
import { containersOf, mountsSuperAdmin, powerfulPathsIn, signingKeysIn } from '../policy/host-paths.js';
import { oddPodFields } from '../written/pod-fields.js';
import { refusedIn } from '../written/pod-values.js';
import type { Seen } from './node-files.js';
import { inPod } from './node-pods.js';

const twice = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) !== at);
const nameOf = (pod: Fields): string => {
  const { name, namespace } = record(pod.metadata);
  return `${text(namespace) || 'default'}/${text(name)}`;
};

/** What a static Pod that is an operator's own may say: the labels of its node may be what it asks for. */
const ITS_OWN = /^(?:it chooses among nodes|activeDeadlineSeconds)/;
/** Named since kubelets refuse Pods that name objects of the API: 1.34 PreventStaticPodAPIReferences. */
const SINCE_134 = /^(?:serviceAccount|serviceAccountName|runtimeClassName),/;
const PREVENTED = 34;

function oddContainers(pod: Fields): readonly string[] {
  const all = containersOf(pod);
  const volumes = records(record(pod.spec).volumes).map(({ name }) => text(name));
  return [
    ...(records(record(pod.spec).containers).length === 0 ? ['it has no containers'] : []),
    ...twice(all.map(({ name }) => text(name))).map((name) => `two containers ${name.slice(0, 40)}`),
    ...all.flatMap(({ name, image, volumeMounts }) => {
      const mounts = records(volumeMounts);
      return [
        ...(isLabel(name) ? [] : [`the name ${text(name).slice(0, 40) || 'of nothing'} of a container`]),
        ...(text(image) === '' ? ['a container without an image'] : []),
        ...mounts
          .filter((mount) => !volumes.includes(text(mount.name)))
          .map((mount) => `no volume ${text(mount.name).slice(0, 40)}`),
        ...(mounts.some(({ mountPath }) => text(mountPath) === '') ? ['a mount at no path'] : []),
        ...twice(mounts.map(({ mountPath }) => text(mountPath))).map((path) => `two mounts at ${path.slice(0, 60)}`),
      ];
    }),
    ...twice(volumes).map((name) => `two volumes ${name.slice(0, 40)}`),
  ];
}

function oddIn(pod: Fields, minor: number | null): readonly string[] {
  const { name } = record(pod.metadata);
  const isPrevented = minor !== null && minor >= PREVENTED;
  return [
    ...(pod.apiVersion === 'v1' ? [] : [`apiVersion ${String(pod.apiVersion).slice(0, 40)}`]),
    ...(isSubdomain(text(name)) ? [] : [`the name ${text(name).slice(0, 60) || 'of nothing'}`]),
    ...oddContainers(pod),
    ...oddPodFields(pod).filter((odd) => odd.endsWith(' is of another type')),
    ...refusedIn(pod).filter((odd) => !ITS_OWN.test(odd) && (isPrevented || !SINCE_134.test(odd))),
  ];
}

/** The kubelet runs what lies there beside the components. `own`: manifests of components. */
export const helpersRun: Check<readonly Seen[], { readonly own: readonly string[]; readonly minor: number | null }> = {
  id: 'static-pods/run',
  source: 'pkg/kubelet/config/common.go tryDecodeSinglePod; pkg/apis/core/validation/validation.go',
  nothing: 'no static Pod runs beside the components of a control plane',
  judge: (all, { own, minor }) => {
    const names = all.flatMap(({ file }) => (file?.held.kind === 'manifest' ? [nameOf(file.held.pod)] : []));
    const taken = twice(names);
    return all
      .filter(({ path }) => !own.includes(path))
      .map((seen) =>
        inPod(seen, 'the kubelet runs it, under a name of its own', ({ pod }) => {
          const odd = [...oddIn(pod, minor), ...(taken.includes(nameOf(pod)) ? ['another one has its name'] : [])];
          return { seen: odd.slice(0, 4).join(', ').slice(0, 240) || 'it does', ok: odd.length === 0 };
        }),
      );
  },
};

/** Beyond those that are as good as root by themselves: disks and memory of the machine, and who may look at them. */
const POWERFUL = /^(?:CAP_)?(?:SYS_RAWIO|DAC_READ_SEARCH|SYS_BOOT|BPF|PERFMON|MAC_ADMIN|MAC_OVERRIDE)$/i;

function heldBy(pod: Fields, pki: string): readonly string[] {
  const contexts = containersOf(pod).map(({ securityContext }) => record(securityContext));
  const capabilities = contexts.flatMap((one) =>
    texts(record(one.capabilities).add).filter((name) => POWERFUL.test(name)),
  );
  return [
    ...powerfulPathsIn(pod),
    ...signingKeysIn(pod, pki),
    ...capabilities.map((name) => `the capability ${name}`),
    ...contexts.flatMap(({ procMount }) => (procMount === 'Unmasked' ? ['procMount Unmasked'] : [])),
  ];
}

/** It holds nothing by which it were root, or the cluster's authority. */
export const helpersHoldNothing: Check<readonly Seen[], { readonly pki: string }> = {
  id: 'static-pods/hold-nothing',
  source: 'Pod Security Standards, baseline: host path volumes; capabilities(7)',
  nothing: 'no static Pod runs beside the components of a control plane',
  judge: (all, { pki }) =>
    all.map((seen) =>
      inPod(seen, 'it holds nothing of the machine by which it were root, and no key that signs', ({ pod }) => {
        const odd = heldBy(pod, pki);
        return { seen: odd.slice(0, 4).join(', ').slice(0, 240) || 'it holds none', ok: odd.length === 0 };
      }),
    ),
};

/** It works as somebody whom RBAC holds. */
export const helpersHeldByRbac: Check<readonly Seen[]> = {
  id: 'static-pods/held-by-rbac',
  source: 'kubeadm init, super-admin.conf; kube-vip, its manifest while kubeadm init runs',
  nothing: 'no static Pod runs beside the components of a control plane',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'it does not work as who goes around RBAC', ({ pod }) => {
        const ok = !mountsSuperAdmin(pod);
        return { seen: ok ? 'it does not' : 'it mounts super-admin.conf', ok };
      }),
    ),
};
