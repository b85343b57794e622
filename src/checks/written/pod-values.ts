/**
 * Values in a static Pod that the kubelet refuses, and the Pod with them, though they are of the right type.
 * Source: pkg/apis/core/validation/validation.go; pkg/kubelet/config/common.go; pkg/api/pod HasAPIObjectReference.
 */
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';

/** What a field of a text chooses from. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
  imagePullPolicy: ['Always', 'IfNotPresent', 'Never'],
  terminationMessagePolicy: ['File', 'FallbackToLogsOnError'],
};
const unlisted = (fields: Fields): readonly string[] =>
  Object.entries(CHOICES).flatMap(([name, choices]) => {
    const value = text(fields[name]);
    return value === '' || choices.includes(value) ? [] : [`${name} ${value.slice(0, 40)}`];
  });

const OF_VOLUMES = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
];

/** 0 is not set; a Pod that has started lives until it has failed once, not once it has answered twice. */
function oddProbe(name: string, probe: Fields): readonly string[] {
  const numbers = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
  const negative = numbers.filter((field) => Number(probe[field] ?? 0) < 0);
  const isMany = name !== 'readinessProbe' && Number(probe.successThreshold ?? 1) > 1;
  return [...negative, ...(isMany ? ['successThreshold'] : [])].map((field) => `${name}.${field}`);
}

const UNITS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
/** "250m" as 0.25; undefined where it is no quantity. Source: apimachinery pkg/api/resource/quantity.go. */
export function quantity(written: unknown): number | undefined {
  const [, digits, unit = '', exponent] =
    /^([-+]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20}))(?:([KMGTPE]i|[numkMGTPE])|[eE]([-+]?\d{1,3}))?$/.exec(
      String(written),
    ) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (UNITS[unit] ?? 1) * 10 ** Number(exponent ?? 0);
}

function oddResources({ limits, requests }: Fields): readonly string[] {
  const [most, asked] = [record(limits), record(requests)];
  const unread = [most, asked].flatMap((all) =>
    Object.entries(all).flatMap(([name, value]) => ((quantity(value) ?? -1) < 0 ? [`${name} of resources`] : [])),
  );
  const tooMuch = Object.keys(asked).filter(
    (name) => (quantity(asked[name]) ?? 0) > (quantity(most[name]) ?? Infinity),
  );
  return [...unread, ...tooMuch.map((name) => `more ${name} than its limit`)];
}

const IMAGE =
  /^(?:[\w.-]+(?::\d+)?\/|\[[\da-fA-F:]+\](?::\d+)?\/)?[a-z\d]+(?:[._/-]+[a-z\d]+)*(?::\w[\w.-]{0,127})?(?:@sha256:[\da-f]{64})?$/;

/** Images whose user is root, unless the Pod says another: those of other programs may have one of their own. */
const OF_ROOT = /^(?!.*bitnami)(?:.*\/)?(?:kube-(?:apiserver|controller-manager|scheduler)|etcd)(?:[:@]|$)/;
/** What the container says goes before what the Pod says. Source: pkg/kubelet/kuberuntime verifyRunAsNonRoot. */
function oddUser(container: Fields, all: Fields): readonly string[] {
  const { runAsNonRoot, runAsUser } = { ...all, ...withoutNull(record(container.securityContext)) };
  const isRoot = runAsUser === 0 || ((runAsUser ?? null) === null && OF_ROOT.test(text(container.image)));
  return runAsNonRoot === true && isRoot ? ['runAsNonRoot of one who is root'] : [];
}
const withoutNull = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

function oddContainer(container: Fields, all: Fields): readonly string[] {
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
    oddProbe(name, record(container[name])),
  );
  const context = record(container.securityContext);
  const image = text(container.image);
  const mounts = records(container.volumeMounts).map(({ mountPropagation }) => text(mountPropagation));
  return [
    ...unlisted(container),
    ...probes,
    ...oddResources(record(container.resources)),
    ...(image === '' || IMAGE.test(image) ? [] : [`the image ${image.slice(0, 80)}`]),
    ...(mounts.includes('Bidirectional') && context.privileged !== true ? ['mountPropagation Bidirectional'] : []),
    ...oddUser(container, all),
    ...(/^(?!\/)./.test(text(container.workingDir)) ? ['a workingDir that begins nowhere'] : []),
  ];
}

/** In the network of the host both are one. Source: pkg/apis/core/validation validateHostNetwork. */
const oddPorts = (spec: Fields): readonly string[] =>
  spec.hostNetwork === true
    ? records(spec.containers)
        .flatMap(({ ports }) => records(ports))
        .filter(
          ({ hostPort, containerPort }) => typeof hostPort === 'number' && hostPort !== 0 && hostPort !== containerPort,
        )
        .map(({ hostPort }) => `the port ${String(hostPort)} of the host for another one`)
    : [];

/** Users of its own go with no namespace of the host. */
const ownUsers = (spec: Fields): readonly string[] =>
  spec.hostUsers === false
    ? ['hostNetwork', 'hostPID', 'hostIPC']
        .filter((name) => spec[name] === true)
        .map((name) => `${name} without hostUsers`)
    : [];

const REFERRING = ['secret', 'configMap', 'persistentVolumeClaim', 'projected', 'csi', 'ephemeral'];

/** A static Pod stands before any object of the API does: it may name none. */
function references(spec: Fields): readonly string[] {
  const volumes = records(spec.volumes).flatMap((volume) => REFERRING.filter((kind) => isRecord(volume[kind])));
  const variables = records(spec.containers).flatMap(({ envFrom, env }) => [
    ...records(envFrom),
    ...records(env).map(({ valueFrom }) => record(valueFrom)),
  ]);
  const named = variables.flatMap((from) =>
    ['configMapRef', 'secretRef', 'configMapKeyRef', 'secretKeyRef'].filter((kind) => isRecord(from[kind])),
  );
  const names = ['serviceAccountName', 'serviceAccount', 'runtimeClassName'].filter((name) => text(spec[name]) !== '');
  const lists = ['resourceClaims', 'ephemeralContainers'].filter((name) => records(spec[name]).length > 0);
  return [...volumes, ...named, ...names, ...lists].map((name) => `${name}, which the API would have to tell`);
}

/** Who looks names up by nobody's rules says whom it asks. Source: validation.go validatePodDNSConfig. */
const oddNames = ({ dnsPolicy, dnsConfig }: Fields): readonly string[] =>
  dnsPolicy === 'None' && texts(record(dnsConfig).nameservers).length === 0 ? ['dnsPolicy None without a server'] : [];

/** What keeps it from a machine that is Linux, and is its node already. */
const oddPlace = ({ os, schedulingGates }: Fields): readonly string[] => [
  ...(['', 'linux'].includes(text(record(os).name)) ? [] : [`the system ${text(record(os).name).slice(0, 40)}`]),
  ...(records(schedulingGates).length > 0 ? ['schedulingGates, though it has its node'] : []),
];

/** What the kubelet refuses of a Pod, or ends it by: sentences. */
export function refusedIn(pod: Fields): readonly string[] {
  const spec = record(pod.spec);
  const metadata = record(pod.metadata);
  const types = records(spec.volumes).map(({ hostPath }) => text(record(hostPath).type));
  return [
    ...unlisted(spec),
    ...records(spec.containers).flatMap((one) => oddContainer(one, record(spec.securityContext))),
    ...types.filter((type) => !OF_VOLUMES.includes(type)).map((type) => `the type ${type.slice(0, 40)} of a hostPath`),
    ...ownUsers(spec),
    ...oddNames(spec),
    ...oddPlace(spec),
    ...oddPorts(spec),
    ...references(spec),
    ...(spec.activeDeadlineSeconds === undefined || spec.activeDeadlineSeconds === null
      ? []
      : ['activeDeadlineSeconds']),
    ...(metadata.deletionTimestamp === undefined || metadata.deletionTimestamp === null ? [] : ['deletionTimestamp']),
    ...(record(metadata.annotations)['kubernetes.io/config.mirror'] === undefined ? [] : ['the mark of a mirror Pod']),
    ...(Object.keys(record(spec.nodeSelector)).length > 0 || isRecord(spec.affinity) ? ['it chooses among nodes'] : []),
  ];
}
