/** Reads one object that a whole init has left in its cluster into facts that a report may hold: no secret is among them. */
import { isRecord, list, record, text, textMap } from '../../kubernetes/json.js';
import { TOKEN_KEYS, USAGE_PREFIX } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun } from '../../kubernetes/upload-run.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { LeftSeen } from '../preflight/left-reader.js';

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

/** Of a token, and of no other Secret: what it is good for; of its end only that there is one. */
function tokenFacts(data: unknown): readonly string[] {
  const given = record(data);
  const usages = Object.keys(given).filter((key) => key.startsWith(USAGE_PREFIX));
  return [
    ...usages.map((key) => `${key}: ${decoded(given[key])}`),
    ...(given[TOKEN_KEYS.description] === undefined ? [] : [`description: ${decoded(given[TOKEN_KEYS.description])}`]),
    ...(given[TOKEN_KEYS.expiration] === undefined ? [] : ['it ends']),
    ...(given[TOKEN_KEYS.groups] === undefined ? [] : decoded(given[TOKEN_KEYS.groups]).split(',')).map(
      (group) => `in "${group}"`,
    ),
  ];
}

function factsOf(object: KubeObject): readonly string[] {
  const { data, spec, metadata } = record(object);
  const { labels, annotations } = record(metadata);
  if (object.kind === 'Secret') return tokenFacts(data);
  if (object.kind === 'ConfigMap') return [...leaves(labels ?? {}, 'labels'), ...dataFacts(data)];
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
    facts: found === undefined ? null : factsOf(found),
    exit: times.at(-1)?.exit ?? null,
    words: '',
  };
}
