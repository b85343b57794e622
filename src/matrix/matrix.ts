/** The kill matrix as data: who kills whom, and what is wrong with that. Pure. */

import type { Mutant } from '../mutants/types.js';
import { type Reached, reached } from './demands.js';
import { FOREIGN, VARIANTS } from './foreign.js';
import type { Played } from './job.js';
import { type Listed, problemsOf } from './row-lists.js';

export interface MatrixRule {
  readonly id: string;
  readonly title: string;
  readonly chapter: string;
}

export interface MatrixInput {
  readonly rules: readonly MatrixRule[];
  readonly mutants: readonly Mutant[];
  readonly played: readonly Played[];
  /** Jobs that could not be played at all. */
  readonly failures: readonly { readonly name: string; readonly failure: string }[];
  /** What the committed lists say of the rows of these rules; nothing is compared without. */
  readonly listed?: readonly Listed[] | undefined;
  /** Ids of all rules that there are; default: those of `rules`. */
  readonly existing?: readonly string[];
  /** False where only some mutants or rules were asked for: then a rule without a killer is no problem. */
  readonly complete: boolean;
}

export interface Matrix {
  readonly rules: readonly (MatrixRule & { readonly killedBy: readonly string[] })[];
  readonly mutants: readonly {
    readonly name: string;
    readonly defect: string;
    readonly named: readonly string[];
    readonly failed: readonly string[];
    readonly errors: readonly string[];
  }[];
  readonly harmless: readonly {
    readonly name: string;
    readonly defect: string;
    readonly noticedBy: readonly string[];
  }[];
  readonly miniatures: readonly {
    readonly name: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly refusal: string;
  }[];
  readonly paralysed: readonly { readonly name: string; readonly counts: Readonly<Record<string, number>> }[];
  /** What the rules look at, thing by thing, and who breaks it. */
  readonly rows: readonly Reached[];
  /** Survivors and everything else that makes the matrix red; sentences, sorted. */
  readonly problems: readonly string[];
}

const idsWith = (played: Played | undefined, ...verdicts: readonly string[]): readonly string[] =>
  Object.entries(played?.verdicts ?? {})
    .filter(([, verdict]) => verdicts.includes(verdict))
    .map(([id]) => id)
    .sort();

function countsOf({ verdicts }: Played): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const verdict of Object.values(verdicts)) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

export function computeMatrix({ rules, mutants, played, failures, complete, existing, listed }: MatrixInput): Matrix {
  const of = (kind: string, name: string): Played | undefined =>
    played.find(({ job }) => job.kind === kind && job.name === name);
  const known = new Set(rules.map(({ id }) => id));
  const problems: string[] = failures.map(({ name, failure }) => `${name} could not be played: ${failure}`);
  const say = (run: Played | undefined, id: string): string =>
    `${run?.verdicts[id] ?? 'not judged'}${run?.reasons[id] === undefined ? '' : ` (${run.reasons[id]})`}`;

  const baseline = played.find(({ job }) => job.kind === 'baseline');
  for (const id of idsWith(baseline, 'failed', 'error'))
    problems.push(`${id} is not met by the unchanged reference: ${say(baseline, id)}`);

  const lethal = mutants.filter(({ killedBy }) => killedBy.length > 0);
  for (const { name, killedBy } of lethal) {
    const run = of('mutant', name);
    for (const id of killedBy) {
      if (existing?.includes(id) === true && !known.has(id)) continue;
      if (!known.has(id)) problems.push(`${name} names ${id}, and there is no such rule`);
      else if (run !== undefined && run.verdicts[id] !== 'failed')
        problems.push(`${name} survives ${id}: ${say(run, id)}`);
    }
  }
  const harmless = mutants.filter(({ killedBy }) => killedBy.length === 0);
  for (const { name, toldBy = [] } of harmless) {
    const run = of('mutant', name);
    for (const id of idsWith(run, 'failed', 'error').filter((one) => !toldBy.includes(one)))
      problems.push(`the harmless ${name} is noticed by ${id}: ${say(run, id)}`);
  }
  const killers = (id: string): readonly string[] =>
    lethal.map(({ name }) => name).filter((name) => of('mutant', name)?.verdicts[id] === 'failed');
  const rows = rules.map((rule) => ({ ...rule, killedBy: killers(rule.id) }));
  if (complete) for (const { id, killedBy } of rows) if (killedBy.length === 0) problems.push(`no mutant kills ${id}`);

  const refusing = new Set(baseline?.refusing ?? []);
  const paralysed = VARIANTS.flatMap(({ name, idle = [], unblamed, client }) => {
    const run = of('paralysed', name);
    if (run === undefined) return [];
    if (unblamed === true)
      for (const id of idsWith(run, 'failed'))
        problems.push(`${id} fails on "${name}", whose answers say nothing of it: ${say(run, id)}`);
    if (client !== undefined)
      for (const id of idsWith(run, 'passed')) problems.push(`${id} passes on the paralysed variant "${name}"`);
    for (const id of idsWith(run, 'passed').filter((candidate) => refusing.has(candidate)))
      if (idle.includes(id) || run.heldBack.includes(id))
        problems.push(`${id}, which is about refusing, passes on the paralysed variant "${name}"`);
    return [{ name, counts: countsOf(run) }];
  });
  for (const { job, replayedOtherwise } of played)
    for (const id of replayedOtherwise)
      problems.push(`${id} on ${job.name} is judged otherwise from the report than on the target`);
  const miniatures = played.flatMap((run) => {
    if (run.job.kind !== 'miniature') return [];
    for (const id of idsWith(run, 'passed')) problems.push(`${id} passes on the miniature "${run.job.name}"`);
    return [{ name: run.job.name, counts: countsOf(run), refusal: run.refusal ?? 'asks it all the same' }];
  });
  const unblamed = new Set(FOREIGN.map(({ name }) => name));
  const seen = reached(played.filter(({ job }) => !unblamed.has(job.name)).map(ofNamedRules(mutants)));
  if (listed !== undefined) problems.push(...problemsOf(seen, listed));
  for (const {
    job,
    rows: { uncontrolled },
  } of played)
    for (const id of uncontrolled) problems.push(`${id} on ${job.name} does not err, although a control is unmet`);
  return {
    rules: rows,
    mutants: lethal.map(({ name, defect, killedBy }) => ({
      name,
      defect,
      named: [...killedBy].sort(),
      failed: idsWith(of('mutant', name), 'failed'),
      errors: idsWith(of('mutant', name), 'error'),
    })),
    harmless: harmless.map(({ name, defect }) => ({
      name,
      defect,
      noticedBy: idsWith(of('mutant', name), 'failed', 'error'),
    })),
    miniatures,
    paralysed,
    rows: seen,
    problems: problems.sort(),
  };
}

/** What a mutant breaks beside the rules that it names is chance, and seen only where the whole suite is played. */
const ofNamedRules =
  (mutants: readonly Mutant[]) =>
  (run: Played): Played => {
    const mutant = mutants.find(({ name }) => run.job.kind === 'mutant' && name === run.job.name);
    if (mutant === undefined) return run;
    const unmet = run.rows.unmet.filter(({ rule }) => mutant.killedBy.includes(rule));
    return { ...run, rows: { ...run.rows, unmet } };
  };
