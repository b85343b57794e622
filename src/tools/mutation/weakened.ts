/**
 * Whether the matrix notices that a rule was weakened: its rows on the unchanged reference, then those that its mutants
 * break, then harmless variants that it blames.
 */
import { givenOnBroken, isBroken, isOnBroken } from '../../matrix/broken.js';
import { collectMutants } from '../../matrix/collect.js';
import { reached } from '../../matrix/demands.js';
import { disksPlayed, givenOnDisks, isOnDisks, merged, rulesOfDisks } from '../../matrix/disks.js';
import { ELSEWHERE, elsewhereLists } from '../../matrix/elsewhere.js';
import { VARIANTS } from '../../matrix/foreign.js';
import { givenLists } from '../../matrix/given.js';
import { groupsOf } from '../../matrix/groups.js';
import { type Changed, type Job, type Played, play } from '../../matrix/job.js';
import { PARALYSED } from '../../matrix/paralysed.js';
import { requestLists } from '../../matrix/requests.js';
import { listedRows } from '../../matrix/row-files.js';
import { type Listed, nameOf } from '../../matrix/row-lists.js';
import { type Lines, linesOtherwise } from '../../matrix/rule-lines.js';
import { passedSince, switchTo } from '../../matrix/switch.js';
import { prepareSteps, stepsIn } from '../../run/execute.js';

export interface Weakening {
  readonly name: string;
  /** What its score is told of: "features/policy", "steps/node-files/kept.js". */
  readonly part: string;
  /** Rules that it can touch. */
  readonly rules: readonly string[];
  readonly changed: Changed;
}

export interface Outcome {
  readonly weakening: Weakening;
  /** By what it was noticed first; undefined: by nothing. */
  readonly noticed: string | undefined;
  /** Changes of steps that the rules pass when nothing is changed; only of a weakening without any. */
  readonly passed?: readonly number[];
  /** Those that are passed while the steps are loaded, whatever is played then. */
  readonly loading?: readonly number[];
}

let lists: readonly Listed[] | undefined;
/** What rules ask, and what their checks are given, when nothing is weakened: of those alone that are played. */
let unweakened: readonly (readonly [verb: 'asks' | 'is judged by', listed: Lines])[] | undefined;
async function otherLines(baseline: Played, rules: readonly string[], changed: Changed): Promise<string | undefined> {
  unweakened ??= [
    ['asks', requestLists.read()],
    ['is judged by', givenLists.read()],
  ];
  const said = await linesBeside(unweakened, baseline, rules, changed);
  if (said === undefined) return undefined;
  // what a whole run lists may be more than these rules ask and are given by themselves
  const plain = await play({ kind: 'baseline', name: 'the unchanged reference', rules }, UNCHANGED);
  const own = [
    ['asks', plain.asked ?? {}],
    ['is judged by', merged(plain.given ?? {}, only(givenLists.read(), isOnDisks))],
  ] as const;
  return linesBeside(own, baseline, rules, changed);
}

/** As the package has it: what was weakened while it was loaded stays so, whatever is played then. */
const UNCHANGED: Changed = {};

async function linesBeside(
  listed: readonly (readonly [verb: 'asks' | 'is judged by', listed: Lines])[],
  baseline: Played,
  rules: readonly string[],
  changed: Changed,
): Promise<string | undefined> {
  const otherwise = (given: Lines, isListed: (line: string) => boolean): string | undefined => {
    const now = { asks: baseline.asked ?? {}, 'is judged by': given };
    return first(listed, ([verb, lines]) => linesOtherwise(verb, now[verb], only(lines, isListed))[0]);
  };
  const less = otherwise(baseline.given ?? {}, (line) => !isOnDisks(line) && !isOnBroken(line));
  if (less !== undefined) return less;
  const disks: Played[] = [];
  const variants = await collectMutants();
  for (const job of disksPlayed(variants, rules)) {
    const run = await play(job, changed);
    const told = variants.find(({ name }) => name === job.name)?.toldBy ?? [];
    const blamed = rules.find((rule) => isBlamed(run, rule) && !told.includes(rule));
    if (blamed !== undefined) return `${blamed} blames the harmless ${job.name}`;
    disks.push(run);
  }
  return disks.length === 0
    ? undefined
    : otherwise(merged(baseline.given ?? {}, givenOnDisks(disks)), (line) => !isOnBroken(line));
}
/** How these rules fare where less of the unchanged reference is seen. */
async function elsewhereOtherwise(rules: readonly string[], changed: Changed): Promise<string | undefined> {
  elsewhereListed ??= elsewhereLists.read();
  for (const name of ELSEWHERE) {
    const { elsewhere = {} } = await play({ kind: 'elsewhere', name, rules }, changed);
    const listed = only(elsewhereListed, (line) => line.startsWith(`${name}: `));
    if (linesOtherwise('fares', elsewhere, listed).length === 0) continue;
    // with the rules of a whole run some see more
    const plain = await play({ kind: 'elsewhere', name, rules }, UNCHANGED);
    const [otherwise] = linesOtherwise('fares', elsewhere, plain.elsewhere ?? {});
    if (otherwise !== undefined) return otherwise;
  }
  return undefined;
}
let elsewhereListed: Lines | undefined;
const isBlamed = ({ verdicts }: Played, rule: string): boolean => ['failed', 'error'].includes(verdicts[rule] ?? '');
const only = (lines: Lines, isWanted: (line: string) => boolean): Lines =>
  Object.fromEntries(Object.entries(lines).map(([rule, all]) => [rule, all.filter(isWanted)]));
const listedOf = (rule: string): readonly Listed[] => {
  lists ??= listedRows();
  return lists.filter((row) => row.rule === rule);
};

/** Of what a hundred rules share so many are played together. */
const TOGETHER = 12;

/** Never more than is needed to notice it: what the first rules do not notice is played with the next ones. */
export async function weakened(weakening: Weakening): Promise<Outcome> {
  if (!isChanged(weakening)) return weakenedFor(weakening, weakening.rules);
  let outcome: Outcome = { weakening, noticed: undefined };
  for (let at = 0; at < weakening.rules.length && outcome.noticed === undefined; at += TOGETHER)
    outcome = await weakenedFor(weakening, weakening.rules.slice(at, at + TOGETHER));
  return outcome;
}

const isChanged = ({ changed: { features, change } }: Weakening): boolean =>
  features !== undefined || change !== undefined;

/** The rules as they are, then the mutants that they notice, each once. */
async function weakenedFor(weakening: Weakening, rules: readonly string[]): Promise<Outcome> {
  const { changed } = weakening;
  const loading = isChanged(weakening) ? [] : await passedAtLoad(changed);
  const baseline = await play({ kind: 'baseline', name: 'the unchanged reference', rules }, changed);
  const noticed = first(rules, (rule) => otherwise(rule, baseline));
  if (!isChanged(weakening)) return { weakening, noticed, passed: passedSince(), loading };
  if (noticed !== undefined) return { weakening, noticed };
  const lines = await otherLines(baseline, rules, changed);
  if (lines !== undefined) return { weakening, noticed: lines };
  const otherPlace = await elsewhereOtherwise(rules, changed);
  if (otherPlace !== undefined) return { weakening, noticed: otherPlace };
  const broken: Played[] = [];
  for (const job of await breakers(rules)) {
    const run = await play(job, changed);
    const less = first(job.rules, (rule) => notBroken(rule, baseline, run));
    if (less !== undefined) return { weakening, noticed: less };
    broken.push(run);
  }
  const another = await givenOtherwise(broken);
  if (another !== undefined) return { weakening, noticed: another };
  // who asks nothing of a disk's cluster sees nothing of another one
  const asks = (rule: string): boolean => (baseline.asked?.[rule] ?? []).length > 0;
  const ofClusters = rules.filter((rule) => asks(rule) || rulesOfDisks([rule]).length === 0);
  if (ofClusters.length === 0) return { weakening, noticed: undefined };
  return { weakening, noticed: (await blamedUnseen(ofClusters, changed)) ?? (await blamed(ofClusters, changed)) };
}

/** What checks are given where something is wrong is not what is listed, nor what they are given unweakened. */
async function givenOtherwise(broken: readonly Played[]): Promise<string | undefined> {
  const variants = await collectMutants();
  const now = givenOnBroken(broken, variants);
  if (linesOtherwise('is judged by', now, only(givenLists.read(), isOnBroken)).length === 0) return undefined;
  const recorded = new Set(variants.filter(isBroken).map(({ name }) => name));
  const plain: Played[] = [];
  for (const { job } of broken) if (recorded.has(job.name)) plain.push(await play(job, UNCHANGED));
  return linesOtherwise('is judged by', now, givenOnBroken(plain, variants))[0];
}

/** Somebody is blamed where too little can be seen for that. */
async function blamedUnseen(rules: readonly string[], changed: Changed): Promise<string | undefined> {
  for (const { name, unblamed, rules: some = [] } of VARIANTS) {
    const those = unblamed === true ? rules.filter((rule) => some.includes(rule)) : [];
    if (those.length === 0) continue;
    const { verdicts } = await play({ kind: 'paralysed', name, rules: those }, changed);
    const rule = those.find((one) => verdicts[one] === 'failed');
    if (rule !== undefined) return `${rule} fails though ${name}`;
  }
  return undefined;
}

/** In the process that loads them first; later they pass nothing. */
async function passedAtLoad({ steps }: Changed): Promise<readonly number[]> {
  switchTo(undefined);
  await prepareSteps(steps === undefined ? undefined : stepsIn(steps));
  return passedSince();
}

/** Somebody harmless is blamed, who is not by the rules as they are. */
async function blamed(rules: readonly string[], changed: Changed): Promise<string | undefined> {
  const harmless = (await collectMutants()).filter(({ killedBy, toldBy }) => killedBy.length === 0 && !toldBy);
  for (const [at, group] of groupsOf(harmless).entries()) {
    const members = group.map(({ name }) => name);
    const job = { kind: 'group', name: `group ${at}`, members, rules } as const;
    const blames = (run: Played): string | undefined => rules.find((rule) => isBlamed(run, rule));
    const rule = blames(await play(job, changed));
    if (rule !== undefined && blames(await play(job)) === undefined)
      return `${rule} blames one of ${members.length} harmless variants: ${members.slice(0, 3).join(', ')}`;
  }
  return undefined;
}

function first<T>(all: readonly T[], problem: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = problem(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The rows of the unchanged reference are others than those listed. */
function otherwise(rule: string, baseline: Played): string | undefined {
  const verdict = baseline.verdicts[rule];
  // skipped: only mutants have what some of its scenarios look at; where more is skipped, rows are gone
  if (verdict !== 'passed' && verdict !== 'skipped') return `${rule} is ${verdict ?? 'gone'}`;
  const now = new Map(rowsOf(rule, [baseline]).map((row) => [nameOf(row), row.times]));
  const then = new Map(listedOf(rule).flatMap((row) => (row.times === 0 ? [] : [[nameOf(row), row]])));
  for (const [name, { times, several }] of then) {
    const found = now.get(name) ?? 0;
    if (several === true ? found === 0 : found !== times) return `${name} is found ${found} times`;
  }
  for (const name of now.keys()) if (!then.has(name)) return `${name} is new`;
  return undefined;
}

type Breaker = Job & { readonly kind: 'mutant' | 'paralysed'; readonly rules: readonly string[] };

/** What breaks rows of these rules, each with those of them that notice it. */
async function breakers(rules: readonly string[]): Promise<readonly Breaker[]> {
  const mutants = await collectMutants();
  const of = (kind: Breaker['kind'], name: string, noticedBy: (rule: string) => boolean): readonly Breaker[] => {
    const those = rules.filter(noticedBy);
    return those.length === 0 ? [] : [{ kind, name, rules: those }];
  };
  const listed = new Map(
    rules.map((rule) => [rule, new Set(listedOf(rule).flatMap(({ by }) => by.map((name) => name.replace(/^~/, ''))))]),
  );
  return [
    ...mutants.flatMap(({ name, killedBy }) => of('mutant', name, (rule) => killedBy.includes(rule))),
    ...PARALYSED.flatMap(({ name }) => of('paralysed', name, (rule) => listed.get(rule)?.has(name) === true)),
  ];
}

const rowsOf = (rule: string, played: readonly Played[]) => reached(played).filter((row) => row.rule === rule);

const brokenBy = (name: string, rows: readonly Pick<Listed, 'scenario' | 'text' | 'by' | 'rule' | 'times'>[]) =>
  rows.filter(({ by }) => by.includes(name) || by.includes(`~${name}`)).map(nameOf);

/** A mutant breaks other rows than those listed. */
function notBroken(rule: string, baseline: Played, run: Played): string | undefined {
  const { name } = run.job;
  if (run.job.kind === 'mutant' && run.verdicts[rule] !== 'failed')
    return `${name} survives ${rule}: ${run.verdicts[rule] ?? 'not judged'}`;
  const listed = listedOf(rule);
  const loose = new Set(listed.flatMap((row) => (row.several === true ? [nameOf(row)] : [])));
  const [now, then] = [rowsOf(rule, [baseline, run]), listed].map((rows) =>
    brokenBy(name, rows).filter((row) => !loose.has(row)),
  ) as [string[], string[]];
  const less = then.find((row) => !now.includes(row));
  const more = now.find((row) => !then.includes(row));
  if (less !== undefined) return `${less} is no longer broken by ${name}`;
  return more === undefined ? undefined : `${more} is newly broken by ${name}`;
}
