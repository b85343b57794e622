/**
 * Ways to join that stand where others read them: commands and configurations of kubeadm join. Never what is secret in
 * them.
 * Source: kubeadm join, discovery; cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go JoinConfiguration.
 */
import { record } from '../../kubernetes/json.js';
import { LAST_APPLIED, TOKEN_KEYS } from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { control, demand, type Finding, refusal } from '../../model/finding.js';
import { decoded, secretName } from '../bootstrap-tokens/token-secrets.js';

/** One way to join. */
export interface JoinTold {
  /** "ConfigMap default/how-to-join" */
  readonly subject: string;
  /** "data.command" */
  readonly path: string;
  readonly problems: readonly string[];
}

const COMMAND = 'kubeadm join';
const CONFIGURATION = 'kind: JoinConfiguration';
/** Characters that one way to join takes. */
const LONGEST = 4_096;
/** Ways told of one text. */
const MOST = 20;

const TOKEN = /(?<![a-z0-9.])[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9])/;
const PIN = /^sha256:[0-9a-f]{64}$/i;

/** A command goes on behind a backslash at the end of a line. */
function commandAt(whole: string, at: number): string {
  const [first = '', ...others] = whole.slice(at, at + LONGEST).split('\n');
  const lines = [first];
  for (const line of others) {
    if (!lines.at(-1)?.trimEnd().endsWith('\\')) break;
    lines.push(line);
  }
  return lines.join(' ').replaceAll('\\', ' ');
}

const valuesOf = (words: readonly string[], flag: string): string[] =>
  words.flatMap((word, index) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
    return word === flag ? [words[index + 1] ?? ''] : [];
  });

function problemsOfCommand(command: string): string[] {
  const words = command.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, ''));
  const pins = valuesOf(words, '--discovery-token-ca-cert-hash').flatMap((value) => value.split(','));
  const renounced = words.some((word) => /^--discovery-token-unsafe-skip-ca-verification(=true)?$/.test(word));
  const byToken = !words.some((word) => word.startsWith('--discovery-file') || word.startsWith('--config'));
  return [
    ...(TOKEN.test(command) ? ['it shows a token'] : []),
    ...(valuesOf(words, '--certificate-key').some((key) => /^[0-9a-f]{64}$/i.test(key))
      ? ['it shows a certificate key']
      : []),
    ...(renounced ? ['it renounces pins'] : []),
    ...(byToken && !renounced && pins.length === 0 ? ['it names no pin'] : []),
    ...(pins.some((pin) => !PIN.test(pin) && !/[<$`{]/.test(pin)) ? ['it names a pin that is none'] : []),
  ];
}

function problemsOfConfiguration(configuration: string): string[] {
  const renounced = /unsafeSkipCAVerification:\s{0,9}true/.test(configuration);
  const byToken = configuration.includes('bootstrapToken:');
  const pins = [...configuration.matchAll(/["']?(?:sha256|md5|sha1|sha512):[^\s"',\]]{0,200}/g)].map(([pin]) =>
    pin.replace(/^["']/, ''),
  );
  return [
    ...(TOKEN.test(configuration) ? ['it shows a token'] : []),
    ...(renounced ? ['it renounces pins'] : []),
    ...(byToken && !renounced && pins.length === 0 ? ['it names no pin'] : []),
    ...(pins.some((pin) => !PIN.test(pin)) ? ['it names a pin that is none'] : []),
  ];
}

function* placesOf(whole: string, word: string): Generator<number> {
  let at = whole.indexOf(word);
  for (let found = 0; at >= 0 && found < MOST; found += 1) {
    yield at;
    at = whole.indexOf(word, at + word.length);
  }
}

const joinsIn = (subject: string, path: string, whole: string): readonly JoinTold[] =>
  [
    ...[...placesOf(whole, COMMAND)].map((at) => problemsOfCommand(commandAt(whole, at))),
    ...[...placesOf(whole, CONFIGURATION)].map((at) => problemsOfConfiguration(whole.slice(at, at + LONGEST))),
  ].map((problems) => ({ subject, path, problems }));

/** A command may be an argument a word. */
const isCommand = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** What describes an object is prose, unless it says how. */
const IS_WAY = /--(?:token|discovery-token|certificate-key)|bootstrapToken:/;

/** Every text of a value with its path; deeper than any object of the API goes nobody looks. */
function* textsOf(value: unknown, path: string, depth = 0): Generator<readonly [path: string, text: string]> {
  if (depth > 20) return;
  if (typeof value === 'string') yield [path, value];
  else if (isCommand(value)) yield [path, value.join(' ')];
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsOf(item, `${path}[${index}]`, depth + 1);
  else
    for (const [key, item] of Object.entries(record(value)))
      if (key !== LAST_APPLIED) yield* textsOf(item, path === '' ? key : `${path}.${key}`, depth + 1);
}

/** Reader: the ways to join that an object tells, in whatever field of it; undefined where it tells none. */
export function joinsToldIn(object: KubeObject, kind: string): readonly JoinTold[] | undefined {
  const { name = '', namespace } = object.metadata;
  const subject = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const told = [...textsOf(object, '')].flatMap(([path, whole]) =>
    path.startsWith('data.') || IS_WAY.test(whole) ? joinsIn(subject, path, whole) : [],
  );
  return told.length === 0 ? undefined : told;
}

/** Reader: commands in the descriptions of tokens, which every list of them prints; prose is none. */
export const joinsDescribedIn = (tokens: readonly Secret[]): readonly JoinTold[] =>
  tokens.flatMap((token) => {
    const description = decoded(token, TOKEN_KEYS.description);
    return IS_WAY.test(description) ? joinsIn(secretName(token), `data.${TOKEN_KEYS.description}`, description) : [];
  });

const TELLS = 'tells no secret, and joins with a pin of the CA';
const waysOf = (told: readonly JoinTold[]): readonly Finding[] =>
  told.map(({ subject, path, problems }) =>
    demand({
      subject,
      demanded: TELLS,
      seen: problems.length === 0 ? `${path}: it does` : `${path}: ${problems.join('; ')}`,
      ok: problems.length === 0,
    }),
  );

interface Told {
  readonly told: readonly JoinTold[];
  /** How many objects there are. */
  readonly seen: number;
  /** What they are; ConfigMaps where it is not said. */
  readonly of?: string;
}

export const joinsToldWell: Check<Told> = {
  id: 'join-commands/well',
  source: 'kubernetes.io, kubeadm join: token-based discovery with CA pinning',
  judge: ({ told, seen, of: subject = 'ConfigMaps' }) => [
    control({ subject, demanded: 'can be listed', seen: `${seen}`, ok: seen > 0 }),
    ...(told.length === 0
      ? [refusal({ subject, demanded: TELLS, seen: 'none tells a way to join', ok: true })]
      : waysOf(told)),
  ],
};

export const joinsDescribedWell: Check<readonly JoinTold[]> = {
  id: 'join-commands/described-well',
  source: 'kubernetes.io, kubeadm join: token-based discovery with CA pinning; kubeadm token list',
  judge: (told) =>
    told.length === 0
      ? [refusal({ subject: 'descriptions of tokens', demanded: TELLS, seen: 'none tells a way to join', ok: true })]
      : waysOf(told),
};
