/** Reads one object that a whole init has left in its cluster into facts that a report may hold: no secret is among them. */
import { isRecord, list, record, text, textMap } from '../../kubernetes/json.js';
import { TOKEN_KEYS, USAGE_PREFIX } from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun } from '../../kubernetes/upload-run.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { LeftSeen } from '../preflight/left-reader.js';
import { readHashed } from './init-objects.js';

/** "a.b.0: value" of each leaf; of an image also where it is from. */
function leaves(value: unknown, at: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(one, `${at}.${index}`));
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, at === '' ? name : `${at}.${name}`));
  const own = `${at}: ${String(value)}`.trimEnd();
  return at.endsWith('.image') ? [own, `${at} from ${String(value).replace(/:[^/]*$/, '')}`] : [own];
}

function documentOf(content: string): unknown {
  try {
    return parseYaml(content);
  } catch {
    return null;
  }
}

/** Of a ConfigMap: the fields of documents, and the lines of what is none. */
const dataFacts = (data: unknown): readonly string[] =>
  Object.entries(textMap(data)).flatMap(([key, content]) => {
    const document = documentOf(content);
    if (isRecord(document)) return leaves(document, key);
    return content.split('\n').map((line) => `${key}: ${line.trim()}`);
  });

const decoded = (encoded: unknown): string => Buffer.from(text(encoded), 'base64').toString('utf8');

const HOUR = 3_600_000;
/** How long it lives from when init began. */
const lifeFacts = (end: string, began: number): readonly string[] => [
  'it ends',
  `it lives ${Math.round((Date.parse(end) - began) / HOUR)} hours`,
];

/** Of a token, and of no other Secret: what it is good for, and when it ends. */
function tokenFacts(data: unknown, began: number): readonly string[] {
  const given = record(data);
  const usages = Object.keys(given).filter((key) => key.startsWith(USAGE_PREFIX));
  return [
    ...usages.map((key) => `${key}: ${decoded(given[key])}`),
    ...(given[TOKEN_KEYS.description] === undefined ? [] : [`description: ${decoded(given[TOKEN_KEYS.description])}`]),
    ...(given[TOKEN_KEYS.expiration] === undefined ? [] : lifeFacts(decoded(given[TOKEN_KEYS.expiration]), began)),
    ...(given[TOKEN_KEYS.groups] === undefined ? [] : decoded(given[TOKEN_KEYS.groups]).split(',')).map(
      (group) => `in "${group}"`,
    ),
  ];
}

/** Of what kubeadm has made of its own accord. */
function hashFacts(map: ConfigMap): readonly string[] {
  const { told, computed } = readHashed('', map);
  return told === '' ? [] : [told === computed ? 'its hash is that of its text' : 'its hash is another'];
}

/** `began`: milliseconds since the epoch. */
function factsOf(object: KubeObject, began: number): readonly string[] {
  const { data, spec, metadata } = record(object);
  const { labels, annotations } = record(metadata);
  if (object.kind === 'Secret') return tokenFacts(data, began);
  if (object.kind === 'ConfigMap')
    return [...leaves(labels ?? {}, 'labels'), ...hashFacts(object as ConfigMap), ...dataFacts(data)];
  return [
    ...leaves(labels ?? {}, 'labels'),
    ...leaves(annotations ?? {}, 'annotations'),
    ...leaves(spec ?? {}, 'spec'),
  ];
}

/** `name`: "Deployment kube-system/coredns", "Node cp-1". */
export function readInCluster({ circumstance, times, made }: UploadRun, name: string): LeftSeen {
  const found = list(made).find((one): one is KubeObject => {
    const { kind, metadata } = record(one);
    const { namespace, name: own } = record(metadata);
    return `${text(kind)} ${text(namespace) === '' ? '' : `${text(namespace)}/`}${text(own)}` === name;
  });
  return {
    subject: `an init, ${circumstance}`,
    file: name,
    facts: found === undefined ? null : factsOf(found, times.at(-1)?.began ?? 0),
    exit: times.at(-1)?.exit ?? null,
    words: '',
  };
}
