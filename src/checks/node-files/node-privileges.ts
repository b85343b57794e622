/** What static Pods of a node may do to it, and what runs in them besides their component. */
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { hostPathsIn, powerfulPathsIn } from '../policy/host-paths.js';
import type { Seen } from './node-files.js';
import { componentOf, containerOf, inPod } from './node-pods.js';
import type { ManifestSeen } from './node-seen.js';

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
  const paths = hostPathsIn(pod).map(({ path }) => path);
  const contexts = containersOf(spec).map(({ securityContext }) => record(securityContext));
  return [
    ...(['hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true),
    ...contexts.flatMap(({ privileged }) => (privileged === true ? ['privileged'] : [])),
    ...contexts.flatMap(({ capabilities }) =>
      texts(record(capabilities).add).filter((name) =>
        /^(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE)$/i.test(name),
      ),
    ),
    ...paths.filter((path) => path === '/').map(() => 'the whole disk'),
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

/** What the loader of programs and Go themselves obey, before any flag; and what takes the place of all flags of etcd. */
const COMMANDING =
  /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|GODEBUG|SSL_CERT_(?:FILE|DIR)|KUBERNETES_SERVICE_(?:HOST|PORT)|KUBECONFIG|PATH)$/;
const FILE_OF_ETCD = 'ETCD_CONFIG_FILE';
/** Whether a program of a control plane obeys a variable before its flags. */
export const isCommanding = (name: string, isEtcd: boolean): boolean =>
  COMMANDING.test(name) || (isEtcd && name === FILE_OF_ETCD);
/** Folders that hold the keys of others, or what the machine runs. */
const BROAD =
  /^\/(?:etc|proc|sys|dev|boot|root|home|bin|sbin|lib|usr|usr\/(?:s?bin|lib)|var|run|var\/run|var\/lib|var\/lib\/kubelet(?:\/.*)?|etc\/kubernetes\/manifests|etc\/systemd(?:\/.*)?)$/;
/** Administrators, where each component has a kubeconfig of its own. */
const OF_OTHERS = /^\/etc\/kubernetes\/(?:super-)?admin\.conf$/;
const OF_ETCD = /^\/var\/lib\/etcd(?:\/|$)/;
/** Flags of files without which a component is not itself. */
const OWN_FILES = [
  'client-ca-file',
  'tls-private-key-file',
  'service-account-signing-key-file',
  'cluster-signing-key-file',
  'kubeconfig',
];

/** What in a component's Pod has power over it, or over the machine, and is not kubeadm's. */
function oddIn({ pod, flags }: Omit<ManifestSeen, 'kind'>, isEtcd: boolean): readonly string[] {
  const spec = record(pod.spec);
  const [container = {}] = containersOf(spec);
  const names = records(container.env).map(({ name }) => text(name));
  const { lifecycle, securityContext } = container;
  const handlers = ['postStart', 'preStop'].filter((when) =>
    ['exec', 'httpGet', 'tcpSocket'].some((how) => isRecord(record(record(lifecycle)[when])[how])),
  );
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].filter((name) => {
    const { command } = record(record(container[name]).exec);
    return /(?:^|\/)(?:ba|da|a|z)?sh$/.test(texts(command)[0] ?? '');
  });
  const context = record(securityContext);
  const own = OWN_FILES.flatMap((flag) => flags[flag] ?? []);
  const written = records(container.volumeMounts).filter(
    ({ mountPath, readOnly }) =>
      readOnly !== true && own.some((file) => file === text(mountPath) || file.startsWith(`${text(mountPath)}/`)),
  );
  const broad = hostPathsIn(pod).flatMap(({ path }) => (BROAD.test(path) || OF_OTHERS.test(path) ? [path] : []));
  return [
    ...names.filter((name) => isCommanding(name, isEtcd)),
    ...handlers,
    ...probes.map((name) => `${name} runs a shell`),
    ...(context.allowPrivilegeEscalation === true ? ['allowPrivilegeEscalation'] : []),
    ...(['', 'Default'].includes(text(context.procMount)) ? [] : [`procMount ${text(context.procMount)}`]),
    ...texts(record(context.capabilities).add)
      .filter((name) => !/^(?:CAP_)?NET_BIND_SERVICE$/.test(name))
      .map((name) => `the capability ${name}`),
    ...(spec.shareProcessNamespace === true ? ['shareProcessNamespace'] : []),
    ...new Set([...broad, ...powerfulPathsIn(pod)]),
    ...(isEtcd ? [] : hostPathsIn(pod).flatMap(({ path }) => (OF_ETCD.test(path) ? [path] : []))),
    ...written.map(({ mountPath }) => `${text(mountPath)} can be written`),
  ];
}

/** Of a mirror Pod, whose kubelet has filled in nothing that matters here; what runs beside it has its volumes. */
export const powersShown = (manifest: Omit<ManifestSeen, 'kind'>, component: string): readonly string[] => [
  ...new Set([...powersIn(manifest.pod), ...oddIn(manifest, component === 'etcd')]),
  ...containersOf(record(manifest.pod.spec))
    .map(({ name }) => text(name))
    .filter((name) => name !== component)
    .map((name) => `${name || 'a container without a name'} runs beside it`),
];

/** Nothing but its flags says what a component does. */
export const undisturbed: Check<readonly Seen[]> = {
  id: 'node-privileges/undisturbed',
  source: `${SOURCE}; controlplane/volumes.go; ld.so(8); crypto/x509`,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'nothing but its flags has power over it, and it has none over the machine', (manifest) => {
        const odd = oddIn(manifest, componentOf(seen.path) === 'etcd');
        return { seen: odd.slice(0, 5).join(', ') || 'it is so', ok: odd.length === 0 };
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

/** A Pod of a component as its kubelet publishes it. */
export interface PublishedPod {
  /** "Pod kube-system/kube-apiserver-cp1" */
  readonly subject: string;
  readonly powers: readonly string[];
}

/** What a live cluster shows of the same. */
export const publishedPodsBound: Check<readonly PublishedPod[]> = {
  id: 'node-privileges/published',
  source: `${SOURCE}; Pod Security Standards, baseline`,
  judge: (pods) =>
    pods.map(({ subject, powers }) =>
      demand({
        subject,
        demanded: 'nothing but its flags has power over it, and it has none over the machine',
        seen: powers.slice(0, 5).join(', ').slice(0, 240) || 'it is so',
        ok: powers.length === 0,
      }),
    ),
};
