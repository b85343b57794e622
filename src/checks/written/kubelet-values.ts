/**
 * Values in a kubelet's configuration with which it does not start, though they are of the right type. What is 0 or
 * empty has its default. Source: pkg/kubelet/apis/config/validation/validation.go; config/v1beta1/defaults.go; pkg/kubelet/eviction/helpers.go.
 */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { isDuration, isSuite, secondsOf } from './flag-values.js';
import { quantity } from './pod-values.js';

const between =
  (least: number, greatest: number) =>
  (value: unknown): boolean =>
    value === undefined || value === null || (Number(value) >= least && Number(value) <= greatest);
const among =
  (choices: string) =>
  (value: unknown): boolean =>
    text(value) === '' || choices.split(' ').includes(text(value));
const atLeast = (least: number): ((value: unknown) => boolean) => between(least, Number.MAX_SAFE_INTEGER);

/** What a number, or a text that chooses, may be. */
const RANGES: Readonly<Record<string, (value: unknown) => boolean>> = {
  port: between(0, 65_535),
  healthzPort: between(0, 65_535),
  readOnlyPort: between(0, 65_535),
  imageGCHighThresholdPercent: between(0, 100),
  imageGCLowThresholdPercent: between(0, 100),
  oomScoreAdj: between(-1000, 1000),
  iptablesMasqueradeBit: between(0, 31),
  iptablesDropBit: between(0, 31),
  eventBurst: atLeast(0),
  eventRecordQPS: atLeast(0),
  kubeAPIBurst: atLeast(0),
  kubeAPIQPS: atLeast(0),
  maxOpenFiles: atLeast(0),
  maxPods: atLeast(0),
  podsPerCore: atLeast(0),
  registryBurst: atLeast(0),
  registryPullQPS: atLeast(0),
  containerLogMaxFiles: (value) => Number(value ?? 5) > 1 || value === 0,
  nodeLeaseDurationSeconds: (value) => Number(value ?? 40) >= 0,
  nodeStatusMaxImages: atLeast(-1),
  hairpinMode: among('hairpin-veth promiscuous-bridge none'),
  cpuManagerPolicy: among('none static'),
  memoryManagerPolicy: among('None Static none static'),
  topologyManagerPolicy: among('none best-effort restricted single-numa-node'),
  topologyManagerScope: among('container pod'),
  configMapAndSecretChangeDetectionStrategy: among('Get Cache Watch'),
  imagePullCredentialsVerificationPolicy: among(
    'NeverVerify NeverVerifyPreloadedImages NeverVerifyAllowlistedImages AlwaysVerify',
  ),
  tlsMinVersion: among('VersionTLS10 VersionTLS11 VersionTLS12 VersionTLS13'),
  clusterDomain: (value) => text(value).length < 254 && /^(?:[a-z\d-]+(?:\.[a-z\d-]+)*\.?)?$/i.test(text(value)),
  podCIDR: (value) =>
    text(value)
      .split(',')
      .every((one) => one === '' || /^[\da-fA-F.:]+\/\d{1,3}$/.test(one.trim())),
};

const DURATIONS =
  'syncFrequency fileCheckFrequency httpCheckFrequency streamingConnectionIdleTimeout nodeStatusUpdateFrequency ' +
  'nodeStatusReportFrequency imageMinimumGCAge imageMaximumGCAge volumeStatsAggPeriod cpuManagerReconcilePeriod ' +
  'runtimeRequestTimeout cpuCFSQuotaPeriod evictionPressureTransitionPeriod shutdownGracePeriod ' +
  'shutdownGracePeriodCriticalPods';
const SIGNALS =
  /^(?:memory\.available|nodefs\.(?:available|inodesFree)|imagefs\.(?:available|inodesFree)|containerfs\.(?:available|inodesFree)|allocatableMemory\.available|pid\.available)$/;
const PERCENT = /^\d{1,3}(?:\.\d+)?%$/;
const ALLOCATABLE = [
  'none',
  'pods',
  'system-reserved',
  'system-reserved-compressible',
  'kube-reserved',
  'kube-reserved-compressible',
];
const SYSCTL = /^[a-z\d](?:[-_a-z\d]*[a-z\d])?(?:[./][a-z\d](?:[-_a-z\d]*[a-z\d])?)*(?:[./]?\*)?$/;

/** A share or an amount: more than nothing where pods are evicted below it, none negative of what is to be won back. */
function isLimit(name: string, limit: string): boolean {
  const isReclaim = name === 'evictionMinimumReclaim';
  if (!limit.endsWith('%')) return (quantity(limit) ?? -1) >= (isReclaim ? 0 : Number.MIN_VALUE);
  const share = PERCENT.test(limit) ? Number(limit.slice(0, -1)) : Number.NaN;
  return isReclaim ? share > 0 : share <= 100;
}
const oddThresholds = (name: string, value: unknown): readonly string[] =>
  Object.entries(record(value)).flatMap(([signal, limit]) =>
    SIGNALS.test(signal) && isLimit(name, String(limit)) ? [] : [`${name} ${signal}`],
  );
const oddReserved = (name: string, value: unknown): readonly string[] =>
  Object.entries(record(value)).flatMap(([resource, much]) =>
    !KEPT_BACK.includes(resource) || (quantity(much) ?? (resource === 'pid' ? 0 : -1)) < 0
      ? [`${name} ${resource}`]
      : [],
  );

/** Critical Pods end within the time of all. */
function oddShutdown({
  shutdownGracePeriod: whole,
  shutdownGracePeriodCriticalPods: critical,
}: Fields): readonly string[] {
  const [all, last] = [secondsOf(text(whole)) ?? 0, secondsOf(text(critical)) ?? 0];
  return last > all ? ['shutdownGracePeriodCriticalPods'] : [];
}

/** What a kubelet may keep back. Source: cmd/kubelet/app/server.go parseResourceList. */
const KEPT_BACK = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

/** What ids of users a Pod gets: whole blocks of them. Source: pkg/kubelet/userns/userns_manager.go. */
const BLOCK = 65_536;
function oddOwnUsers({ userNamespaces }: Fields): readonly string[] {
  const { idsPerPod = BLOCK } = record(userNamespaces);
  const count = Number(idsPerPod ?? BLOCK);
  return count >= BLOCK && count % BLOCK === 0 && count < 2 ** 32 ? [] : ['userNamespaces.idsPerPod'];
}

/** Seconds that a container waits at most before it is started again. */
function oddBackOff({ crashLoopBackOff }: Fields): readonly string[] {
  const longest = text(record(crashLoopBackOff).maxContainerRestartPeriod);
  const seconds = secondsOf(longest) ?? 0;
  return longest === '' || (seconds >= 1 && seconds <= 300) ? [] : ['crashLoopBackOff.maxContainerRestartPeriod'];
}

/** Flags that are settings under another name. Source: cmd/kubelet/app/options AddKubeletConfigFlags. */
const RENAMED: Readonly<Record<string, string>> = {
  'event-qps': 'eventRecordQPS',
  'kube-api-qps': 'kubeAPIQPS',
  'kube-api-burst': 'kubeAPIBurst',
  'registry-qps': 'registryPullQPS',
  'image-gc-high-threshold': 'imageGCHighThresholdPercent',
  'image-gc-low-threshold': 'imageGCLowThresholdPercent',
  'iptables-masquerade-bit': 'iptablesMasqueradeBit',
};
/** What flags say of settings that are a number, or a text that chooses, under their names as settings. */
export function settingsOfFlags(flags: Readonly<Record<string, string>>): Fields {
  const told = Object.entries(flags).map(([flag, value]) => {
    const name = RENAMED[flag] ?? flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [name, value] as const;
  });
  return Object.fromEntries(told.filter(([name, value]) => Object.hasOwn(RANGES, name) && value !== ''));
}

/** Values with which the kubelet does not start, by the names of their settings. */
export function oddKubeletValues(settings: Fields): readonly string[] {
  const gates = record(settings.featureGates);
  const webhooks = [record(record(settings.authentication).webhook), record(record(settings.authorization).webhook)];
  const durations = [
    ...DURATIONS.split(' ').map((name) => [name, settings[name]] as const),
    ...webhooks.flatMap((webhook) => Object.entries(webhook).filter(([name]) => name.endsWith('TTL'))),
  ];
  const [high, low] = [settings.imageGCHighThresholdPercent ?? 85, settings.imageGCLowThresholdPercent ?? 80];
  const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
  return [
    ...Object.entries(RANGES).flatMap(([name, isFit]) => (isFit(settings[name]) ? [] : [name])),
    ...durations.flatMap(([name, value]) => (text(value) === '' || isDuration(text(value)) ? [] : [name])),
    ...durations.flatMap(([name, value]) => (text(value).startsWith('-') ? [`${name} below 0`] : [])),
    ...(Number(low) >= Number(high) ? ['imageGCLowThresholdPercent'] : []),
    ...Object.entries(gates).flatMap(([gate, value]) =>
      typeof value === 'boolean' ? [] : [`the feature gate ${gate}`],
    ),
    ...(settings.serverTLSBootstrap === true && gates.RotateKubeletServerCertificate === false
      ? ['serverTLSBootstrap without its feature gate']
      : []),
    ...['evictionHard', 'evictionSoft', 'evictionMinimumReclaim'].flatMap((name) =>
      oddThresholds(name, settings[name]),
    ),
    ...['systemReserved', 'kubeReserved'].flatMap((name) => oddReserved(name, settings[name])),
    ...oddShutdown(settings),
    ...oddOwnUsers(settings),
    ...oddBackOff(settings),
    ...texts(settings.enforceNodeAllocatable).filter((item) => !ALLOCATABLE.includes(item)),
    ...texts(settings.allowedUnsafeSysctls).filter((item) => !SYSCTL.test(item)),
    ...texts(settings.tlsCipherSuites).filter((suite) => !isSuite(suite) && !suite.endsWith('_POLY1305')),
    ...records(settings.registerWithTaints).flatMap(({ effect }) =>
      effects.includes(text(effect)) ? [] : ['a taint'],
    ),
    ...(among('text json')(record(settings.logging).format) ? [] : ['logging.format']),
    ...(among('NoSwap LimitedSwap UnlimitedSwap')(record(settings.memorySwap).swapBehavior) ? [] : ['memorySwap']),
  ];
}
