/** What a control plane that joins runs, where its cluster says nothing of it: as kubeadm tells it, and no more. */
import { record, records, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { kubeadmFlags, type Own, PROGRAMS } from '../written/kubeadm-flags.js';
import { type Machines, manifestPod, ofKubeadm } from './joined-files.js';
import type { Machine } from './joined-files-reader.js';

const NOTHING = 'the client starts no control plane';
const SOURCE = 'cmd/kubeadm/app/phases/controlplane/manifests.go; phases/etcd/local.go getEtcdCommand';

/** By the server of the machine: "https://192.0.2.20:6443". */
function ownOf({ ownServer = '' }: Machine): Own {
  const inUrl = /^https:\/\/(\[[^\]]*\]|[^:/]*)/.exec(ownServer)?.[1] ?? '';
  return inUrl.startsWith('[')
    ? { inUrl, address: inUrl.slice(1, -1), lo: '[::1]', services: 'fd00:10:96::/112' }
    : { inUrl, address: inUrl, lo: '127.0.0.1', services: '10.96.0.0/12' };
}

/**
 * How much an etcd keeps and tells, by its release; its name and members are those of the machine. Where each listens to
 * its machine alone is judged by itself.
 */
const OF_RELEASES: Readonly<Record<string, RegExp>> = {
  'kube-controller-manager': /^bind-address$/,
  'kube-scheduler': /^bind-address$/,
  etcd: /^(?:(?:experimental-)?(?:watch-progress-notify-interval|initial-corrupt-check)|snapshot-count|feature-gates|listen-metrics-urls|name|initial-cluster(?:-state)?)$/,
};

interface Told {
  readonly component: string;
  readonly flags: readonly (readonly [name: string, value: string])[];
  readonly pod: Readonly<Record<string, unknown>>;
}

/** What each of its manifests tells; nothing where it has none. */
const toldIn = (machine: Machine): readonly Told[] =>
  PROGRAMS.flatMap((component) => {
    const pod = manifestPod(machine, component);
    if (pod === undefined) return [];
    const [, ...given] = records(pod.containers).flatMap((one) => [...texts(one.command), ...texts(one.args)]);
    const flags = given.map((one): readonly [string, string] => {
      const [name = '', ...value] = one.replace(/^--/, '').split('=');
      return [name, value.join('=')];
    });
    return { component, flags, pod };
  });

/** Of each component one finding. */
const eachComponent = (look: (told: Told, machine: Machine) => Finding): Check<Machines>['judge'] =>
  ofKubeadm((machines) => machines.flatMap((machine) => toldIn(machine).map((told) => look(told, machine))));

export const componentsAsKubeadm: Check<Machines> = {
  id: 'joined-flags/as-kubeadm',
  source: SOURCE,
  nothing: NOTHING,
  judge: eachComponent(({ component, flags }, machine) => {
    const { [component]: wanted = {} } = kubeadmFlags(ownOf(machine));
    const told = new Map(flags);
    const isFree = (name: string): boolean => OF_RELEASES[component]?.test(name) === true;
    const others = flags.filter(([name, value]) => !isFree(name) && wanted[name] !== value);
    const lost = Object.keys(wanted).filter((name) => !told.has(name));
    const twice = flags.length - told.size;
    const seen = [
      ...others.map(([name, value]) => `--${name}=${value}`.slice(0, 120)),
      ...lost.map((name) => `no --${name}`),
      ...(twice === 0 ? [] : [`${twice} flags twice`]),
    ];
    return demand({
      subject: `${component} of ${machine.subject}`,
      demanded: 'is told what kubeadm tells it, and nothing else',
      seen: seen.slice(0, 5).join(', ') || `${flags.length} flags, as kubeadm has them`,
      ok: seen.length === 0,
    });
  }),
};

/** What kubeadm mounts of a machine: authorities of the host, what is of the component, and nothing above it. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  'kube-apiserver':
    /^\/etc\/(?:ssl\/certs|pki(?:\/.*)?|ca-certificates|kubernetes\/pki)$|^\/usr\/(?:local\/)?share\/ca-certificates$/,
  'kube-controller-manager':
    /^\/etc\/(?:ssl\/certs|pki(?:\/.*)?|ca-certificates|kubernetes\/(?:pki|controller-manager\.conf))$|^\/usr\/(?:local\/)?share\/ca-certificates$|^\/usr\/libexec\/kubernetes\/kubelet-plugins\/volume\/exec$/,
  'kube-scheduler': /^\/etc\/kubernetes\/scheduler\.conf$/,
  etcd: /^\/(?:var\/lib\/etcd|etc\/kubernetes\/pki\/etcd)$/,
};

/** What they may write to: etcd its data, and the controller manager plug-ins for volumes. */
const WRITABLE: Readonly<Record<string, RegExp>> = {
  'kube-controller-manager': /^\/usr\/libexec\/kubernetes\//,
  etcd: /./,
};
const MANIFEST = /^\/etc\/kubernetes\/manifests\/(.*)$/;

/** What the kubelet runs besides, whoever it is. */
const noMoreIn = (machine: Machine): Finding => {
  const known = PROGRAMS.map((component) => `${component}.yaml`);
  const others = machine.left
    .flatMap(({ path }) => MANIFEST.exec(path)?.[1] ?? [])
    .filter((name) => !known.includes(name));
  return refusal({
    subject: machine.subject,
    demanded: 'runs no other static Pod than those of a control plane',
    seen: others.slice(0, 5).join(', ') || 'so it does',
    ok: others.length === 0,
  });
};

export const nothingRunsBeside: Check<Machines> = {
  id: 'joined-flags/nothing-beside',
  source: 'cmd/kubeadm/app/phases/controlplane/manifests.go; phases/etcd/local.go',
  nothing: NOTHING,
  judge: ofKubeadm((machines) => machines.filter((machine) => toldIn(machine).length > 0).map(noMoreIn)),
};

export const componentsHeldApart: Check<Machines> = {
  id: 'joined-flags/held-apart',
  source: 'cmd/kubeadm/app/phases/controlplane/volumes.go; util/staticpod/utils.go ComponentPod',
  nothing: NOTHING,
  judge: eachComponent(({ component, pod }, machine) => {
    const containers = [...records(pod.containers), ...records(pod.initContainers)];
    const folders = records(pod.volumes).map((one) => text(record(one.hostPath).path));
    const more = [
      ...folders.filter((path) => FOLDERS[component]?.test(path) !== true).map((path) => path || 'no folder'),
      ...containers
        .flatMap((one) => records(one.volumeMounts))
        .filter(({ readOnly, mountPath }) => readOnly !== true && WRITABLE[component]?.test(text(mountPath)) !== true)
        .map(({ mountPath }) => `may write to ${text(mountPath)}`),
      ...(containers.length === 1 ? [] : [`${containers.length} containers`]),
      ...(containers.some((one) => record(one.securityContext).privileged === true) ? ['a privileged one'] : []),
      ...(pod.hostPID === true || pod.hostIPC === true ? ['processes of its machine'] : []),
    ];
    return refusal({
      subject: `${component} of ${machine.subject}`,
      demanded: 'is one container that has no more of its machine than kubeadm gives it',
      seen: more.slice(0, 5).join(', ') || `${folders.length} folders, as kubeadm has them`,
      ok: more.length === 0,
    });
  }),
};

/** Of etcd a release of its own, which its image says. */
const isOfRelease = (image: string, component: string, release: string | undefined): boolean =>
  component === 'etcd' ? /:v?\d/.test(image) : release === undefined || image.endsWith(`:v${release}`);

export const componentsKept: Check<Machines> = {
  id: 'joined-flags/kept',
  source: 'cmd/kubeadm/app/util/staticpod/utils.go ComponentPod; phases/controlplane/manifests.go GetStaticPodSpecs',
  nothing: NOTHING,
  judge: eachComponent(({ component, pod }, machine) => {
    const containers = records(pod.containers);
    const lacks = (field: string): boolean => containers.some((one) => Object.keys(record(one[field])).length === 0);
    const images = containers.map((one) => text(one.image));
    const isStarved = containers.some((one) => text(record(record(one.resources).requests).cpu) === '');
    const odd = [
      ...images.filter((image) => !isOfRelease(image, component, machine.release)).map((image) => image || 'no image'),
      ...['livenessProbe', 'startupProbe'].filter(lacks).map((field) => `no ${field}`),
      ...(record(record(pod.securityContext).seccompProfile).type === 'RuntimeDefault' ? [] : ['no seccomp profile']),
      ...(pod.hostNetwork === true ? [] : ['no hostNetwork']),
      ...(pod.priorityClassName === 'system-node-critical' ? [] : ['another priority']),
      ...(isStarved ? ['no part of a processor'] : []),
    ];
    return demand({
      subject: `${component} of ${machine.subject}`,
      demanded:
        'is of the release of the cluster, reached by its machine, looked after, not evicted or starved, and makes few system calls',
      seen: odd.slice(0, 5).join(', ') || 'it is',
      ok: odd.length === 0,
    });
  }),
};
