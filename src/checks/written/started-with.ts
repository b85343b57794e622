/**
 * What a container is started with, as its kubelet writes it out: words with the variables of its environment in them,
 * and what etcd reads from there.
 * Source: k8s.io/kubernetes, third_party/forked/golang/expansion and pkg/kubelet/kubelet_pods.go makeEnvironmentVariables;
 * etcd, client/pkg/fileutil and pkg/flags SetFlagsFromEnv.
 */
import { type Fields, record, records, text, texts } from '../../kubernetes/json.js';
import { ADVERTISED_ENDPOINT } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';

export interface Started {
  readonly words: readonly string[];
  /** By its environment: etcd alone listens to that. Names without dashes. */
  readonly told: readonly (readonly [name: string, value: string])[];
}

/** A name that nobody knows stays as it is written; two dollars are one. */
const written = (word: string, variables: ReadonlyMap<string, string>): string =>
  word.replace(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (variables.get(name) ?? whole),
  );

/** What a field of the Pod says; undefined where that is not known here. kubeadm notes the address of its machine. */
function fieldOf({ metadata, spec, status }: Fields, path: string): string | undefined {
  const { name, namespace, annotations } = record(metadata);
  const { hostIP, podIP } = record(status);
  const [, noted = ''] = /^\[?([0-9a-f.:]+?)\]?:\d+$/i.exec(text(record(annotations)[ADVERTISED_ENDPOINT])) ?? [];
  const known: Readonly<Record<string, string>> = {
    'metadata.name': text(name),
    'metadata.namespace': text(namespace),
    'spec.nodeName': text(record(spec).nodeName),
    'status.hostIP': text(hostIP) || noted,
    // it has the network of its machine
    'status.podIP': text(podIP) || noted,
  };
  return (Object.hasOwn(known, path) && known[path]) || undefined;
}

/** In their order: a value may name those before it. */
function variablesOf(container: Fields, pod: Fields): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const { name, value, valueFrom } of records(container.env)) {
    const { fieldPath } = record(record(valueFrom).fieldRef);
    const found = valueFrom === undefined ? written(text(value), variables) : fieldOf(pod, text(fieldPath));
    if (found !== undefined) variables.set(text(name), found);
  }
  return variables;
}

/** The first container of a Pod, as its flags are read. */
export function startedWith(pod: KubeObject): Started {
  const [container = {}] = records(record(pod.spec).containers);
  const variables = variablesOf(container, record(pod));
  const words = [...texts(container.command), ...texts(container.args)].map((word) => written(word, variables));
  const isEtcd = /(?:^|\/)etcd$/.test(words[0] ?? '');
  const told = isEtcd
    ? [...variables].flatMap(([name, value]) => {
        const [, flag] = /^ETCD_([A-Z0-9_]+)$/.exec(name) ?? [];
        return flag === undefined ? [] : [[flag.toLowerCase().replaceAll('_', '-'), value] as const];
      })
    : [];
  return { words, told };
}
