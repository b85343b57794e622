/**
 * What a KubeSchedulerConfiguration says: why a scheduler refuses it, and which flags it stands for.
 * Source: pkg/scheduler/apis/config/validation, apis/config/v1/defaults.go; cmd/kube-scheduler/app/options, of 1.31 to 1.36.
 */
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import { SCHEDULER } from './configuration-shapes.js';
import { oddFields } from './field-shapes.js';

const DEFAULT = 'default-scheduler';
/** Without them no Pod comes to a machine, or none of those that wait is taken. */
const NEEDED: Readonly<Record<string, string>> = { bind: 'DefaultBinder', queueSort: 'PrioritySort' };

function oddPlugins({ plugins }: Fields): readonly string[] {
  const points = record(plugins);
  return Object.entries(NEEDED).flatMap(([point, needed]) => {
    const { enabled, disabled } = record(points[point]);
    const off = records(disabled).map(({ name }) => text(name));
    const isOff = off.includes(needed) || off.includes('*');
    return isOff && records(enabled).length === 0 ? [`nothing is left of ${point}`] : [];
  });
}

function oddProfiles(profiles: readonly Fields[]): readonly string[] {
  const names = profiles.map(({ schedulerName }) => text(schedulerName) || DEFAULT);
  return [
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `the profile ${name.slice(0, 40)} twice`),
    ...(profiles.length === 0 || names.includes(DEFAULT) ? [] : [`no profile ${DEFAULT}: Pods that name none wait`]),
    ...profiles.flatMap(oddPlugins),
  ];
}

/** Who is asked where Pods may run decides that for the cluster. */
function oddExtenders(extenders: readonly Fields[]): readonly string[] {
  const binders = extenders.filter(({ bindVerb }) => text(bindVerb) !== '');
  return [
    ...(binders.length > 1 ? ['several extenders that bind'] : []),
    ...extenders.flatMap(({ urlPrefix, tlsConfig, enableHTTPS, prioritizeVerb, weight }) => {
      const url = text(urlPrefix);
      const isLocal = /^https?:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(url);
      const isOpen = !isLocal && enableHTTPS !== true && !url.startsWith('https://');
      return [
        ...(url === '' ? ['an extender without urlPrefix'] : []),
        ...(text(prioritizeVerb) !== '' && !(Number(weight) > 0) ? ['an extender without weight'] : []),
        ...(url !== '' && isOpen ? ['an extender that is asked without TLS'] : []),
        ...(record(tlsConfig).insecure === true ? ['an extender that nobody verifies'] : []),
      ];
    }),
  ];
}

const isLess = (value: unknown, least: number): boolean => typeof value === 'number' && value < least;

/** Why it is refused, or gives up what a scheduler is for, in words. */
export function oddScheduler(fields: Fields): readonly string[] {
  const { parallelism, percentageOfNodesToScore: percentage, podInitialBackoffSeconds: first } = fields;
  const { podMaxBackoffSeconds: most, leaderElection, extenders } = fields;
  const { resourceLock } = record(leaderElection);
  return [
    ...(isLess(parallelism, 1) ? [`parallelism ${String(parallelism)}`] : []),
    ...(isLess(percentage, 0) || Number(percentage ?? 0) > 100 ? ['percentageOfNodesToScore is none'] : []),
    ...(isLess(first, 1) || isLess(most, typeof first === 'number' ? first : 1)
      ? ['periods of waiting that are none']
      : []),
    ...(resourceLock === undefined || text(resourceLock) === 'leases' ? [] : ['resourceLock is not leases']),
    ...oddProfiles(records(fields.profiles)),
    ...oddExtenders(records(extenders)),
    ...oddFields(fields, SCHEDULER),
  ];
}

/** Which field stands for which flag. */
const OF_ELECTION: Readonly<Record<string, string>> = {
  leaseDuration: 'leader-elect-lease-duration',
  renewDeadline: 'leader-elect-renew-deadline',
  retryPeriod: 'leader-elect-retry-period',
  resourceName: 'leader-elect-resource-name',
  resourceNamespace: 'leader-elect-resource-namespace',
};

/**
 * Flags of a scheduler as its file makes them: of those of election what is given counts, and --kubeconfig is not looked
 * at beside a file.
 */
export function flagsBy(fields: Fields, flags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { kubeconfig: _, ...others } = flags;
  const file = text(record(fields.clientConnection).kubeconfig);
  const election = record(fields.leaderElection);
  const told = Object.entries(OF_ELECTION).flatMap(([field, flag]) =>
    text(election[field]) === '' ? [] : [[flag, text(election[field])] as const],
  );
  return {
    'leader-elect': String(election.leaderElect ?? true),
    ...Object.fromEntries(told),
    ...others,
    ...(file === '' ? {} : { kubeconfig: file }),
  };
}
