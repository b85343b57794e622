/** One run as data: a selection and an open target in, a report out. */
import { readFileSync } from 'node:fs';
import { type AuthenticatorSeen, heardAsFlagsSay, knownIn } from '../checks/authenticators/authenticators.js';
import type { Evidence } from '../model/finding.js';
import { type Report, SCHEMA_VERSION, type SentenceSeen } from '../model/report.js';
import type { Learned } from '../targets/redaction.js';
import type { Target } from '../targets/types.js';
import { execute } from './execute.js';
import { type Catalogue, readFeatures, type Scenario } from './features.js';
import { Observations } from './observations.js';
import type { Outcome } from './outcome.js';
import { OwnObjects } from './own-objects.js';
import { featuresFolder, packageFile } from './package-root.js';
import { DEFAULT_PROFILE, type Held, isAdvice, packageProfile, seenProfile } from './profiles.js';
import { ruleResult, scenarioResult, summarise } from './results.js';
import type { RunThread } from './run-thread.js';
import { type Selected, type Selection, select } from './select.js';
import { type Sentence, sentencesOf, trapsAround, trapsOf } from './sentences.js';
import { DERIVED, withDerivedTags } from './traits.js';

export const toolVersion = (): string =>
  (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;

export interface JudgeOptions {
  readonly target: Target;
  readonly selection: Selection;
  readonly signal: AbortSignal;
  /** After each scenario: how many are done, of how many. */
  readonly onProgress?: (done: number, total: number, rule: string) => void;
  /**
   * Tell the sentences of every rule (default), or of those only that did not pass: where no report is written nobody
   * reads the others.
   */
  readonly sentences?: 'all' | 'not passed';
  /** What the target is held to; default: the profile kubeadm. */
  readonly held?: Held;
  /** Of thousands of findings of one check keep some examples (default), or all. */
  readonly evidence?: Evidence;
  /** Each plays some of the scenarios. */
  readonly threads?: readonly RunThread[];
  /** Where features and steps are, if not those of the package. */
  readonly suite?: { readonly features: string; readonly steps?: readonly string[] };
}

export interface Judgement {
  readonly report: Report;
  /** By scenario key. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Secrets of the targets that the threads had to themselves. */
  readonly learned: readonly Learned[];
}

/** The documents that demand a rule, by its sentences: "001". Sorted. */
export const documentsOf = (rule: string): readonly string[] =>
  [...new Set(sentencesOf(rule).flatMap(({ places }) => places.map(({ document }) => document)))].sort();

/** The features and what is chosen of them; throws UsageError and CannotJudge before anything is opened. */
export async function plan(
  selection: Selection,
  suite: JudgeOptions['suite'] = { features: featuresFolder },
): Promise<{ readonly catalogue: Catalogue; readonly selected: Selected }> {
  const catalogue = readFeatures(suite.features);
  // Only who chooses by what steps say has to wait for them.
  if (!DERIVED.test(selection.tags ?? '')) return { catalogue, selected: select(catalogue, selection) };
  const { prepareSteps } = await import('./execute.js');
  const derived = withDerivedTags(catalogue, await prepareSteps(suite.steps), {
    sources: documentsOf,
    traps: (rule) => trapsOf(rule).map(({ id }) => id),
  });
  return { catalogue: derived, selected: select(derived, selection) };
}

/** Judges. The caller opens and closes the target. Throws UsageError, CannotJudge. */
export async function judge(options: JudgeOptions): Promise<Judgement> {
  const { target, selection, signal, onProgress, suite, threads = [] } = options;
  const { sentences = 'all', evidence = 'examples' } = options;
  const held = options.held ?? defaultHeld();
  const startedAt = new Date();
  const started = performance.now();
  const { selected } = await plan(selection, suite);
  const ruleOf = new Map<string, string>(
    selected.rules.flatMap((rule) => rule.scenarios.map(({ key }) => [key, rule.id] as const)),
  );
  let done = 0;
  const onEnd = ({ key }: Pick<Scenario, 'key'>): void =>
    onProgress?.(++done, selected.chosen.size, ruleOf.get(key) ?? '');
  const ownObjects = new OwnObjects();
  const others = Promise.all(threads.map((thread) => thread.outcomes(signal, onEnd)));
  const mine = await execute({
    ownObjects,
    rules: selected.rules,
    chosen: new Set([...selected.chosen].filter((key) => !threads.some(({ plays }) => plays.has(key)))),
    target,
    profile: held.profile,
    signal,
    evidence,
    ...(suite?.steps === undefined ? {} : { steps: suite.steps }),
    onEnd,
  });
  const theirs = await others;
  const outcomes = new Map([mine, ...theirs.map((one) => one.outcomes)].flatMap((some) => [...some]));
  const seconds = Math.round(performance.now() - started) / 1000;
  return {
    report: reportOf({ target, held, selection, selected, outcomes, startedAt, seconds, sentences, ownObjects }),
    outcomes,
    learned: theirs.flatMap(({ learned }) => (learned === undefined ? [] : [learned])),
  };
}

const defaultHeld = (): Held => ({ profile: packageProfile(DEFAULT_PROFILE), chosen: 'default', signs: [] });

interface Run {
  readonly target: Target;
  readonly held: Held;
  readonly selection: Selection;
  readonly selected: Selected;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly sentences: 'all' | 'not passed';
  readonly ownObjects: OwnObjects;
}

function sentenceSeen({ id, places, statement, erratum }: Sentence): SentenceSeen {
  const documents = [...new Set(places.map(({ document }) => document))].sort();
  if (erratum === undefined) return { id, documents, statement };
  const { claim, fact, since } = erratum;
  const said = claim === undefined ? '' : `the document says: ${claim}; `;
  return { id, documents, statement, erratum: `${said}${fact}${since === undefined ? '' : ` (since ${since})`}` };
}

/** What a scenario has found out of them. */
function authenticatorsIn(outcomes: Run['outcomes']): Pick<Report['target'], 'authenticators'> {
  const judged = [...outcomes.values()].flatMap((outcome) => outcome.judged);
  const found = judged.find(({ check }) => check === heardAsFlagsSay.id);
  return found === undefined ? {} : { authenticators: knownIn(found.observation as readonly AuthenticatorSeen[]) };
}

function reportOf(run: Run): Report {
  const { target, held, selection, selected, outcomes, startedAt, seconds, sentences, ownObjects } = run;
  const observations = new Observations();
  const rules = selected.rules
    .map((rule) => {
      const chosen = rule.scenarios.filter(({ key }) => selected.chosen.has(key));
      const scenarios = chosen.map((scenario) => scenarioResult(scenario, outcomes.get(scenario.key), observations));
      const told = sentences === 'all' || scenarios.some(({ verdict }) => verdict !== 'passed');
      const judged = told ? sentencesOf(rule.id) : [];
      return ruleResult(rule, scenarios, {
        sentences: judged.map(sentenceSeen),
        errata: trapsAround(judged).map(({ id, trap, today }) => ({ id, trap, today })),
        ...(isAdvice(held.profile, rule) ? { advice: true } : {}),
      });
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const { server, version, holds } = target.facts;
  const { tags, rules: ids, chapters, level } = selection;
  return {
    schemaVersion: SCHEMA_VERSION,
    tool: { name: 'joinproof', version: toolVersion(), node: process.version },
    target: {
      kind: target.kind,
      name: target.name,
      server,
      version: 'unreadable' in version ? null : version.gitVersion,
      abilities: Object.keys(target.abilities).sort(),
      facts: [...holds].sort(),
      ...authenticatorsIn(outcomes),
    },
    profile: {
      level: level ?? null,
      chapters: [...(chapters ?? [])].sort(),
      rules: [...(ids ?? [])].sort(),
      tags: tags ?? null,
      held: seenProfile(held),
    },
    startedAt: startedAt.toISOString(),
    seconds,
    summary: summarise(rules),
    ...(ownObjects.seen === undefined ? {} : { ownObjects: ownObjects.seen }),
    rules,
    observations: observations.all,
  };
}
