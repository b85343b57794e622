/** Whether the kubelet can run a manifest of a node's disk as kubeadm means it: fields, words, probes, privileges. */
import { type Fields, isRecord, list, record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { isSwitch } from '../written/flag-words.js';
import { oddPodFields } from '../written/pod-fields.js';
import { refusedIn } from '../written/pod-values.js';
import type { Seen } from './node-files.js';
import { componentOf, containerOf, inPod } from './node-pods.js';
import type { ManifestSeen } from './node-seen.js';

const SOURCE = '002, static Pod manifests; cmd/kubeadm/app/util/staticpod/utils.go ComponentPod';

/** What the kubelet would read of it is what stands there. */
export const wellFormed: Check<readonly Seen[]> = {
  id: 'node-manifests/well-formed',
  source: `${SOURCE}; pkg/kubelet/config/common.go tryDecodeSinglePod`,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'it is a Pod of v1 with its component as name, and has no field that a Pod has not', ({ pod }) => {
        const component = componentOf(seen.path);
        const { restartPolicy = 'Always' } = record(pod.spec);
        const odd = [
          ...(pod.apiVersion === 'v1' ? [] : [`apiVersion ${String(pod.apiVersion)}`]),
          ...(record(pod.metadata).name === component ? [] : [`the name ${String(record(pod.metadata).name)}`]),
          ...(restartPolicy === 'Always' ? [] : [`restartPolicy ${String(restartPolicy)}`]),
          ...oddPodFields(pod),
        ];
        return { seen: odd.slice(0, 5).join(', ') || 'it is', ok: odd.length === 0 };
      }),
    ),
};

/** It says nothing that the kubelet refuses, or ends it by. */
export const accepted: Check<readonly Seen[]> = {
  id: 'node-manifests/accepted',
  source: 'pkg/apis/core/validation/validation.go; pkg/kubelet/config/common.go',
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'the kubelet accepts what it says, without an API server', ({ pod }) => {
        const odd = refusedIn(pod);
        return { seen: odd.slice(0, 5).join(', ') || 'it does', ok: odd.length === 0 };
      }),
    ),
};

/** Why a word of a command is not one flag; undefined where it is. etcd takes one dash as well: others read letters then. */
function oddWord(word: unknown, isEtcd: boolean): string | undefined {
  if (typeof word !== 'string') return `${JSON.stringify(word)} is no text`;
  const [, name = ''] = /^--?([^=]*)/.exec(word) ?? [];
  if (!isEtcd && /^-(?!-|[hv](?:=|\d|$))/.test(word)) return `"${word.slice(0, 80)}" has one dash`;
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(name)) return `"${word.slice(0, 80)}" is no flag`;
  if (/\s--?[a-z][a-z0-9-]*(?:=|\s|$)/.test(word)) return `"${word.slice(0, 80)}" is more than one flag`;
  return /=\s/.test(word) ? `"${word.slice(0, 80)}" has a blank before its value` : undefined;
}

/** A flag may stand without "=": its value is the next word, but for a switch, which has none then. */
const flagWords = (words: readonly unknown[], program: 'kubernetes' | 'etcd'): readonly unknown[] =>
  words.filter((word, at) => {
    const before = words[at - 1];
    const isValue = typeof word === 'string' && !word.startsWith('-') && typeof before === 'string';
    const [, name] = isValue ? (/^--?([a-z0-9-]+)$/i.exec(before) ?? []) : [];
    return name === undefined || isSwitch(name, program);
  });

/** The program is the component, and each further word one flag. */
export const oneFlagAWord: Check<readonly Seen[]> = {
  id: 'node-manifests/one-flag-a-word',
  source: `${SOURCE}; cmd/kubeadm/app/util/arguments.go`,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'its program is the component, and each further word one flag', (manifest) => {
        const { command, args } = containerOf(manifest);
        const [program = '', ...words] = [...list(command), ...list(args)];
        const component = componentOf(seen.path);
        const isOwn = String(program).replace(/^.*\//, '') === component;
        const isEtcd = component === 'etcd';
        const odd = flagWords(words, isEtcd ? component : 'kubernetes').flatMap((word) => oddWord(word, isEtcd) ?? []);
        const wrong = isOwn ? odd : [`the program is "${String(program).slice(0, 80)}"`, ...odd];
        return { seen: wrong.slice(0, 3).join(', ') || 'they are', ok: wrong.length === 0 };
      }),
    ),
};

/** Where a component answers those who ask how it is. */
interface Health {
  readonly port: string;
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly paths: RegExp;
}

const OWN_PORTS: Readonly<Record<string, string>> = {
  'kube-apiserver': '6443',
  'kube-controller-manager': '10257',
  'kube-scheduler': '10259',
};
const PATHS = /^\/(?:livez|readyz|healthz)(?:[/?].*)?$/;

function healthOf(component: string, flags: ManifestSeen['flags']): Health {
  if (component !== 'etcd')
    return { port: flags['secure-port'] ?? OWN_PORTS[component] ?? '', scheme: 'HTTPS', paths: PATHS };
  const [, scheme = '', port = ''] = /^(https?):\/\/.*:(\d+)/.exec(flags['listen-metrics-urls'] ?? '') ?? [];
  return { port, scheme: scheme === 'https' ? 'HTTPS' : 'HTTP', paths: /^\/(?:livez|readyz|health)(?:[/?].*)?$/ };
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
/** kubeadm writes it for the API server alone in every minor: for etcd since 1.31, for the scheduler since 1.32. */
const mayLack = (component: string, probe: string): boolean =>
  probe === 'readinessProbe' && component !== 'kube-apiserver';

/** Loopback, every address, or one that the component is told. */
const isOwnHost = (host: string, flags: ManifestSeen['flags']): boolean =>
  /^(?:127\.0\.0\.1|::1|localhost|0\.0\.0\.0|::|)$/.test(host) ||
  [flags['advertise-address'], flags['bind-address']].includes(host) ||
  flags['listen-metrics-urls']?.includes(host) === true;

function probeProblem(probe: Fields, container: Fields, { port, scheme, paths }: Health): string | undefined {
  const http = probe.httpGet;
  // A probe that asks otherwise is the operator's own.
  if (!isRecord(http))
    return ['exec', 'tcpSocket', 'grpc'].some((kind) => isRecord(probe[kind])) ? undefined : 'asks nothing';
  const named = records(container.ports).find(({ name }) => name === http.port)?.containerPort ?? http.port;
  if (String(named) !== port) return `asks at port ${String(named)}, not at ${port || 'any'}`;
  if (text(http.scheme || 'HTTP') !== scheme) return `asks by ${text(http.scheme) || 'HTTP'}`;
  return paths.test(text(http.path)) ? undefined : `asks for ${text(http.path)}`;
}

/** What the kubelet takes where a probe does not say. Source: pkg/apis/core/v1/defaults.go SetDefaults_Probe. */
const UNTOLD = { periodSeconds: 10, failureThreshold: 3, initialDelaySeconds: 0 };
/** Seconds: of one that starts, and of one that runs. kubeadm gives four minutes, and eighty seconds. */
const PATIENCE: Readonly<Record<string, number>> = { startupProbe: 10, livenessProbe: 5, readinessProbe: 0 };

/** Whoever starts more slowly, or is busy for longer, is ended for it, and never comes to its work. */
function impatience(name: string, probe: Fields): string | undefined {
  const told = (field: keyof typeof UNTOLD): number => {
    const value = probe[field];
    return typeof value === 'number' && value > 0 ? value : UNTOLD[field];
  };
  const delay = name === 'startupProbe' ? told('initialDelaySeconds') : 0;
  const seconds = told('periodSeconds') * told('failureThreshold') + delay;
  return seconds < (PATIENCE[name] ?? 0) ? `gives up after ${seconds} s` : undefined;
}

/** The kubelet asks the component where it answers, before it starts it anew. */
export const probed: Check<readonly Seen[]> = {
  id: 'node-manifests/probed',
  source: `${SOURCE}, LivenessProbe, ReadinessProbe, StartupProbe`,
  judge: (all) =>
    all.map((seen) =>
      inPod(seen, 'its probes ask the component where it answers', (manifest) => {
        const component = componentOf(seen.path);
        const container = containerOf(manifest);
        const health = healthOf(component, manifest.flags);
        const odd = PROBES.flatMap((name) => {
          const probe = container[name];
          if (!isRecord(probe)) return mayLack(component, name) ? [] : [`${name} is missing`];
          const host = text(record(probe.httpGet).host);
          const asked = isOwnHost(host, manifest.flags) ? probeProblem(probe, container, health) : `asks ${host}`;
          const problem = asked ?? impatience(name, probe);
          return problem === undefined ? [] : [`${name} ${problem}`];
        });
        return { seen: odd.join(', ') || 'they do', ok: odd.length === 0 };
      }),
    ),
};

/** "192.0.2.10" of "https://192.0.2.10:2379" and of "192.0.2.10:6443". */
const hostIn = (value: string): string =>
  /^(?:https?:\/\/)?(?:\[([^\]]+)\]|([\da-f]*:[\da-f]*:[\da-f:.]*)$|([^:/]+))/.exec(value)?.slice(1).join('') ?? '';

/** The annotation by which kubeadm finds API servers and members of etcd from their Pods; a user may change one flag. */
export const annotated: Check<readonly Seen[], { readonly key: string; readonly flags: readonly string[] }> = {
  id: 'node-manifests/annotated',
  source: 'cmd/kubeadm/app/constants/constants.go; util/config/cluster.go getRawAPIEndpointFromPodAnnotation',
  judge: (all, { key, flags: names }) =>
    all.map((seen) =>
      inPod(seen, `its annotation ${key} has the host of --${names.join(' or of --')}`, ({ pod, flags }) => {
        const value = text(record(record(pod.metadata).annotations)[key]);
        const told = names.map((name) => flags[name] ?? '');
        const host = hostIn(value);
        const ok = host !== '' && told.some((one) => hostIn(one) === host);
        return { seen: value || 'it has none', ok };
      }),
    ),
};
