/**
 * What a report keeps of a judgement with thousands of findings: examples of each kind of finding with what they were
 * found in, and how many more there were. The smaller observation is kept only where the check says the same of it, so
 * that a replay does.
 */
import { isRecord } from '../kubernetes/json.js';
import type { Check } from '../model/check.js';
import type { Finding, More } from '../model/finding.js';

/** Findings of one kind: of one role and result. */
const MOST = 20;

/** An observation, what it was put to a check with, and what the check found. */
export interface Case {
  readonly observation: unknown;
  readonly parameters: unknown;
  readonly findings: readonly Finding[];
}

export type Examples = Case & { readonly more?: More };

const kindOf = ({ role, result, refusal }: Finding): string => `${role} ${result} ${refusal === true}`;
const textOf = (finding: Finding): string => JSON.stringify(finding);

/** The case itself where it is small, or where a part of it would be judged otherwise. */
export function examplesOf<O, P>(check: Check<O, P>, whole: Case): Examples {
  const wanted = examplesAmong(whole.findings);
  const { observation, parameters } = whole;
  const few = wanted.length === whole.findings.length;
  if (few && !isLong(observation)) return whole;
  const names = namesIn(wanted.map(({ subject }) => subject));
  const seen = namesIn(wanted.filter(({ result }) => result !== 'met').map((finding) => finding.seen));
  const isNamed: Picks = (element) => picked(element, names, 1);
  const isSeen: Picks = (element) => isNamed(element) || picked(element, seen, 3);
  const isNamedWithin: Picks = (element) => picked(element, names, 2);
  const attempts: (() => readonly [unknown, unknown])[] = [
    () => [parts(observation, isNamed), parts(parameters, isNamed)],
    () => [parts(observation, isSeen), parts(parameters, isSeen)],
    () => [parts(observation, isNamedWithin), parts(parameters, isNamedWithin)],
    () => [observation, parts(parameters, isNamed)],
  ];
  for (const attempt of attempts) {
    const [less, fewer] = attempt();
    const findings = check.judge(less as O, fewer as P);
    if (!shows(findings, wanted)) continue;
    const kept = { observation: less, parameters: fewer, findings };
    return few ? kept : { ...kept, more: beyond(whole.findings, findings) };
  }
  return whole;
}

/** So much was looked at that it is not kept for a few findings, or for none. */
const isLong = (observation: unknown): boolean =>
  isRecord(observation)
    ? Object.values(observation).some(isLong)
    : Array.isArray(observation) && observation.length > 10 * MOST;

/**
 * Of each kind so many: first what tenants cannot make, then each thing that is seen once, then the others as they
 * come. Whoever makes a hundred of one thing hides no other by them.
 */
function examplesAmong(findings: readonly Finding[]): Finding[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const alike = kinds.get(kindOf(finding));
    if (alike === undefined) kinds.set(kindOf(finding), [finding]);
    else alike.push(finding);
  }
  const kept = new Set([...kinds.values()].flatMap(mostTelling));
  return findings.filter((finding) => kept.has(finding));
}

function mostTelling(alike: readonly Finding[]): readonly Finding[] {
  if (alike.length <= MOST) return alike;
  const seen = new Set<string>();
  let last: Finding | undefined;
  const isNew = (finding: Finding): boolean => {
    // thousands that follow one another are seen alike
    if (finding.seen === last?.seen && finding.demanded === last.demanded) return false;
    last = finding;
    return seen.size < seen.add(`${finding.demanded} ${finding.seen}`).size;
  };
  const others = alike.filter(isTenants);
  const own = alike.filter((finding) => !isTenants(finding));
  const fresh = [...own.filter(isNew).slice(0, MOST / 2), ...others.filter(isNew)];
  return [...new Set([...fresh, ...own, ...others])].slice(0, MOST);
}

/** In a namespace that is none of Kubernetes' own: "ConfigMap team-a/settings". */
const isTenants = ({ subject }: Finding): boolean => /^\S+ (?!kube-)[^\s/]+\//.test(subject);

/** Every example, and findings of no other kind; some more of the same do no harm. */
function shows(findings: readonly Finding[], wanted: readonly Finding[]): boolean {
  if (findings.length > wanted.length * 2) return false;
  const [texts, kinds] = [new Set(findings.map(textOf)), new Set(wanted.map(kindOf))];
  return wanted.every((finding) => texts.has(textOf(finding))) && findings.every((one) => kinds.has(kindOf(one)));
}

function beyond(all: readonly Finding[], kept: readonly Finding[]): More {
  const count = (findings: readonly Finding[], result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const more = (result: Finding['result']): number => Math.max(0, count(all, result) - count(kept, result));
  return { met: more('met'), unmet: more('unmet'), unclear: more('unclear') };
}

/** Words of a text at which what it is about may begin: "Approved of CertificateSigningRequest csr-1". */
const BEGINNINGS = 6;

/**
 * Texts, what they end in, their words without quotes, and what stands behind the last hyphen of a word:
 * "jws-kubeconfig-07401b" is about 07401b.
 */
const namesIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) => {
      const words = text.split(/[\s,]+/);
      const ends = words.slice(0, BEGINNINGS).map((_, index) => words.slice(index).join(' '));
      const bare = words.map((word) => word.replace(/^"|"$/g, ''));
      return [text, ...ends, ...bare.flatMap((word) => [word, word.slice(word.lastIndexOf('-') + 1)])];
    }),
  );

type Picks = (element: unknown) => boolean;

/** A text that is one of the names or the user of that name, or an object that holds one within so many levels. */
function picked(element: unknown, names: ReadonlySet<string>, levels: number): boolean {
  if (typeof element === 'string') {
    if (names.has(element)) return true;
    const colon = element.lastIndexOf(':');
    return colon > 0 && names.has(element.slice(colon + 1));
  }
  if (levels === 0 || typeof element !== 'object' || element === null) return false;
  if (Array.isArray(element)) return element.some((value) => picked(value, names, levels - 1));
  for (const key in element) if (picked(element[key as keyof typeof element], names, levels - 1)) return true;
  return false;
}

/** The same with long lists reduced to what is picked. */
function parts(value: unknown, picks: Picks): unknown {
  if (Array.isArray(value)) return value.length <= MOST ? value : value.filter(picks);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, parts(inner, picks)]));
}
