/**
 * Settings of a kubelet that it refuses beside others, or held to more than their type and range; flags stand above
 * them. Each of these ends a kubelet of 1.31, 1.33 and 1.36 alike.
 * Source: pkg/kubelet/apis/config/validation/validation.go; pkg/kubelet/eviction/helpers.go ParseThresholdConfig;
 * pkg/kubelet/cm/cpumanager/cpu_manager.go NewManager; component-base logs/api/v1 and tracing/api/v1.
 */
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { secondsOf } from '../written/flag-values.js';
import { quantity } from '../written/pod-values.js';
import { held, type Seen } from './node-files.js';
import { isTrue } from './node-flags.js';

type Odd = (settings: Fields) => readonly string[];
const told = (isOdd: boolean, name: string): readonly string[] => (isOdd ? [name] : []);
const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
/** 0 where nothing is said. */
const seconds = (value: unknown): number => secondsOf(text(value)) ?? 0;
const isOff = ({ featureGates }: Fields, gate: string): boolean => record(featureGates)[gate] === false;
const isFilled = (value: unknown): boolean => Object.keys(record(value)).length > 0;

const oddEviction: Odd = ({ evictionSoft, evictionSoftGracePeriod: grace }) =>
  Object.keys(record(evictionSoft))
    .filter((signal) => !isSet(record(grace)[signal]))
    .map((signal) => `evictionSoft ${signal} without its evictionSoftGracePeriod`);

/** "0-3,7": no blank, no range from the end. Source: k8s.io/utils/cpuset Parse. */
const isCpuSet = (cpus: string): boolean =>
  cpus.split(',').every((range) => {
    const [, from, to = from] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? [];
    return from !== undefined && Number(from) <= Number(to);
  });

const oddCpus: Odd = ({ reservedSystemCPUs: cpus, systemReservedCgroup, kubeReservedCgroup, ...settings }) => {
  const kept = [settings.systemReserved, settings.kubeReserved].map((one) => quantity(record(one).cpu) ?? 0);
  const isStatic = settings.cpuManagerPolicy === 'static';
  return [
    ...told(isSet(cpus) && !isCpuSet(text(cpus)), 'reservedSystemCPUs'),
    ...told(
      isSet(cpus) && (isSet(systemReservedCgroup) || isSet(kubeReservedCgroup)),
      'reservedSystemCPUs with a cgroup',
    ),
    ...told(isStatic && !isSet(cpus) && kept.every((cpu) => cpu === 0), 'cpuManagerPolicy static, and no CPU reserved'),
    ...told(!isStatic && isFilled(settings.cpuManagerPolicyOptions), 'cpuManagerPolicyOptions without their policy'),
  ];
};

const HUGE_PAGES = /^hugepages-\d+(?:[KMGTPE]i)?$/;
const oddMemory: Odd = ({ reservedMemory, memoryManagerPolicy, evictionHard, qosReserved, ...settings }) => {
  const limits = records(reservedMemory).flatMap((node) =>
    Object.entries(record(node.limits)).map(([name, much]) => ({ name, much, key: `${node.numaNode} ${name}` })),
  );
  const keys = limits.map(({ key }) => key);
  // where nothing is said 100Mi are kept back for evictions
  const isKept = !isFilled(evictionHard) || isSet(record(evictionHard)['memory.available']);
  const factor = settings.memoryThrottlingFactor ?? 1;
  return [
    ...limits.flatMap(({ name, much }) =>
      told((name !== 'memory' && !HUGE_PAGES.test(name)) || quantity(much) === 0, `reservedMemory ${name}`),
    ),
    ...told(new Set(keys).size !== keys.length, 'reservedMemory twice for one node'),
    ...told(
      memoryManagerPolicy === 'Static' && records(reservedMemory).length === 0 && isKept,
      'memoryManagerPolicy Static without reservedMemory',
    ),
    ...told(!(Number(factor) > 0 && Number(factor) <= 1), 'memoryThrottlingFactor'),
    ...Object.entries(record(qosReserved)).flatMap(([name, share]) =>
      told(name !== 'memory' || !/^(?:100|\d{1,2})%$/.test(text(share)), `qosReserved ${name}`),
    ),
  ];
};

const oddAllocatable: Odd = ({ enforceNodeAllocatable, cgroupsPerQOS, ...settings }) => {
  const kinds = enforceNodeAllocatable === undefined ? ['pods'] : texts(enforceNodeAllocatable);
  const reserved = (['system', 'kube'] as const).flatMap((name) => {
    const [whole, shared] = [`${name}-reserved`, `${name}-reserved-compressible`];
    const isAsked = kinds.includes(whole) || kinds.includes(shared);
    return [
      ...told(
        isAsked && !isSet(settings[`${name}ReservedCgroup`]),
        `enforceNodeAllocatable without ${name}ReservedCgroup`,
      ),
      ...told(kinds.includes(whole) && kinds.includes(shared), `enforceNodeAllocatable ${whole} twice`),
    ];
  });
  return [
    ...reserved,
    ...told(kinds.includes('none') && kinds.length > 1, 'enforceNodeAllocatable none with others'),
    ...told(
      cgroupsPerQOS === false && kinds.some((kind) => kind !== 'none'),
      'enforceNodeAllocatable without cgroupsPerQOS',
    ),
    ...told(new Set(kinds).size !== kinds.length, 'enforceNodeAllocatable names something twice'),
    ...told(isSet(settings.systemCgroups) && !isSet(settings.cgroupRoot), 'systemCgroups without cgroupRoot'),
  ];
};

/** What counts where nothing, or 0, is said. Source: config/v1beta1/defaults.go. */
const LEAST_AGE = 120;
const oddImages: Odd = ({ maxParallelImagePulls: pulls, serializeImagePulls, imageMaximumGCAge, ...settings }) => {
  const [least, most] = [seconds(settings.imageMinimumGCAge) || LEAST_AGE, seconds(imageMaximumGCAge)];
  return [
    ...told(isSet(pulls) && Number(pulls) < 1, 'maxParallelImagePulls'),
    ...told(serializeImagePulls === true && Number(pulls ?? 1) > 1, 'maxParallelImagePulls though they are serialized'),
    ...told(most > 0 && most <= least, 'imageMaximumGCAge within imageMinimumGCAge'),
    ...told(most > 0 && isOff(settings, 'ImageMaximumGCAge'), 'imageMaximumGCAge without its feature gate'),
  ];
};

/** Least seconds between two looks at the logs of containers. */
const LEAST_INTERVAL = 3;
const oddLogs: Odd = ({ containerLogMaxSize: size, containerLogMonitorInterval: interval, logging, ...settings }) => {
  const { verbosity, vmodule, format } = record(logging);
  const { podLogsDir } = settings;
  const logs = text(podLogsDir);
  return [
    ...told(isSet(size) && quantity(size) === undefined, 'containerLogMaxSize'),
    ...told(isSet(interval) && seconds(interval) < LEAST_INTERVAL, 'containerLogMonitorInterval'),
    ...told(
      isSet(settings.containerLogMaxWorkers) && Number(settings.containerLogMaxWorkers) < 1,
      'containerLogMaxWorkers',
    ),
    ...told(isSet(settings.containerLogMaxFiles) && Number(settings.containerLogMaxFiles) < 2, 'containerLogMaxFiles'),
    ...told(
      settings.enableSystemLogQuery === true && settings.enableSystemLogHandler === false,
      'enableSystemLogQuery without enableSystemLogHandler',
    ),
    ...told(Number(verbosity ?? 0) < 0, 'logging.verbosity'),
    ...told(format === 'json' && records(vmodule).length > 0, 'logging.vmodule in json'),
    ...told(
      logs.includes('//') || /\/\.{0,2}(?:\/|$)/.test(logs) || Buffer.byteLength(logs) !== logs.length,
      'podLogsDir',
    ),
  ];
};

const oddEnding: Odd = ({ shutdownGracePeriod: whole, shutdownGracePeriodCriticalPods: critical, ...settings }) => {
  const isAsked = seconds(whole) > 0 || seconds(critical) > 0;
  const isByPriority = records(settings.shutdownGracePeriodByPodPriority).length > 0;
  return [
    ...told(
      [whole, critical].some((one) => seconds(one) > 0 && seconds(one) < 1),
      'shutdownGracePeriod below 1 s',
    ),
    ...told(isAsked && isByPriority, 'shutdownGracePeriod beside shutdownGracePeriodByPodPriority'),
    ...told(isAsked && isOff(settings, 'GracefulNodeShutdown'), 'shutdownGracePeriod without its feature gate'),
    ...told(
      isByPriority && isOff(settings, 'GracefulNodeShutdownBasedOnPodPriority'),
      'shutdownGracePeriodByPodPriority without its feature gate',
    ),
    ...told(settings.runOnce === true, 'runOnce'),
  ];
};

const MILLION = 1_000_000;
const OF_TOPOLOGY = ['prefer-closest-numa-nodes', 'max-allowable-numa-nodes'];
const KEY = /^(?:[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?\/)?[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?$/;
const VALUE = /^(?:[A-Za-z\d](?:[\w.-]{0,61}[A-Za-z\d])?)?$/;
const oddOthers: Odd = ({ tracing, registerWithTaints, topologyManagerPolicyOptions, ...settings }) => {
  const { samplingRatePerMillion, endpoint } = record(tracing);
  const rate = Number(samplingRatePerMillion ?? 0);
  const [, scheme = 'dns'] = /^([a-z][a-z-]{0,20}):\/\//.exec(text(endpoint)) ?? [];
  const period = seconds(settings.cpuCFSQuotaPeriod);
  return [
    ...told(rate < 0 || rate > MILLION, 'tracing.samplingRatePerMillion'),
    ...told(!['dns', 'unix', 'unix-abstract'].includes(scheme), 'tracing.endpoint'),
    ...records(registerWithTaints).flatMap(({ key, value, timeAdded }) =>
      told(!KEY.test(text(key)) || !VALUE.test(text(value)) || isSet(timeAdded), `the taint ${text(key).slice(0, 40)}`),
    ),
    ...Object.keys(record(topologyManagerPolicyOptions)).filter((name) => !OF_TOPOLOGY.includes(name)),
    ...told(isSet(settings.cpuCFSQuotaPeriod) && period > 1, 'cpuCFSQuotaPeriod above 1 s'),
    ...told(
      isSet(settings.showHiddenMetricsForVersion) && !/^1\.\d{1,3}$/.test(text(settings.showHiddenMetricsForVersion)),
      'showHiddenMetricsForVersion',
    ),
  ];
};

/** Settings that hold texts by name: the kubelet reads nothing else there, not even a number. */
const OF_TEXTS =
  'cpuManagerPolicyOptions topologyManagerPolicyOptions qosReserved evictionHard evictionSoft evictionSoftGracePeriod ' +
  'evictionMinimumReclaim systemReserved kubeReserved';
const oddTexts: Odd = (settings) => [
  ...OF_TEXTS.split(' ').flatMap((name) =>
    Object.entries(record(settings[name])).flatMap(([member, value]) =>
      told(typeof value !== 'string' && value !== null, `${name} ${member} is no text`),
    ),
  ),
  ...Object.entries(record(settings.staticPodURLHeader)).flatMap(([name, values]) =>
    told(!Array.isArray(values) && values !== null, `staticPodURLHeader ${name} is no list`),
  ),
];

/** Settings with which a kubelet does not start, by their names. */
export const oddKubeletLimits: Odd = (settings) =>
  [oddTexts, oddEviction, oddCpus, oddMemory, oddAllocatable, oddImages, oddLogs, oddEnding, oddOthers].flatMap((of) =>
    of(settings),
  );

/** "a=b,c=d", and "a<b,c<d" of evictions. */
const pairsIn = (value: string): Fields =>
  Object.fromEntries(
    value.split(',').flatMap((pair) => {
      const [, name, own] = /^([^=<]{1,80})[=<](.*)$/.exec(pair.trim()) ?? [];
      return name === undefined ? [] : [[name, own ?? ''] as const];
    }),
  );
const listed = (value: string): unknown => value.split(',').filter((one) => one !== '');
const asIs = (value: string): unknown => value;

/** Flags that stand above these settings. Source: cmd/kubelet/app/options AddKubeletConfigFlags. */
const ABOVE: readonly (readonly [flag: string, setting: string, read: (value: string) => unknown])[] = [
  ['reserved-cpus', 'reservedSystemCPUs', asIs],
  ['system-reserved-cgroup', 'systemReservedCgroup', asIs],
  ['kube-reserved-cgroup', 'kubeReservedCgroup', asIs],
  ['system-cgroups', 'systemCgroups', asIs],
  ['cgroup-root', 'cgroupRoot', asIs],
  ['cpu-manager-policy', 'cpuManagerPolicy', asIs],
  ['memory-manager-policy', 'memoryManagerPolicy', asIs],
  ['cpu-manager-policy-options', 'cpuManagerPolicyOptions', pairsIn],
  ['topology-manager-policy-options', 'topologyManagerPolicyOptions', pairsIn],
  ['system-reserved', 'systemReserved', pairsIn],
  ['kube-reserved', 'kubeReserved', pairsIn],
  ['qos-reserved', 'qosReserved', pairsIn],
  ['eviction-hard', 'evictionHard', pairsIn],
  ['eviction-soft', 'evictionSoft', pairsIn],
  ['eviction-soft-grace-period', 'evictionSoftGracePeriod', pairsIn],
  ['cgroups-per-qos', 'cgroupsPerQOS', isTrue],
  ['serialize-image-pulls', 'serializeImagePulls', isTrue],
  ['runonce', 'runOnce', isTrue],
  ['enforce-node-allocatable', 'enforceNodeAllocatable', listed],
  ['container-log-max-size', 'containerLogMaxSize', asIs],
  ['container-log-max-files', 'containerLogMaxFiles', asIs],
  // where it is a flag nobody reads it here
  ['reserved-memory', 'reservedMemory', (value) => [{ value }]],
];

/** What counts of the settings once flags stand above them. */
const counted = (settings: Fields, flags: Readonly<Record<string, string>>): Fields => ({
  ...settings,
  ...Object.fromEntries(
    ABOVE.flatMap(([flag, setting, read]) => {
      const value = flags[flag];
      return value === undefined ? [] : [[setting, read(value)] as const];
    }),
  ),
});

/** The kubelet starts with its settings as they stand beside each other. */
export const settingsTogether: Check<{
  readonly config: Seen;
  readonly flags: Readonly<Record<string, string>>;
}> = {
  id: 'kubelet-limits/together',
  source: 'pkg/kubelet/apis/config/validation/validation.go; pkg/kubelet/eviction/helpers.go; pkg/kubelet/cm',
  judge: ({ config, flags }) => [
    held(config, 'settings', 'its settings go together, flags above them', ({ settings }) => {
      const odd = isRecord(settings) ? oddKubeletLimits(counted(settings, flags)) : [];
      return { seen: odd.slice(0, 5).join(', ').slice(0, 240) || 'they do', ok: odd.length === 0 };
    }),
  ],
};
