/** Executes chosen scenarios on a target and returns how each ended. cucumber runs them, serially, in this process; verdicts are computed here. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { runCucumber } from '@cucumber/cucumber/api';
import { spareKey } from '../pki/keys.js';
import type { Target } from '../targets/types.js';
import { decideBefore } from './applies.js';
import type { Rule, Scenario } from './features.js';
import { conclude, error, type NotPassed, type Outcome } from './outcome.js';
import { distFolder, moduleOfRun, packageRoot, stepsFolder } from './package-root.js';
import { seededBytes } from './seeded.js';
import { beginSession, endSession, type Session } from './session.js';
import { loadSteps, type SupportLibrary, sink } from './support-library.js';
import { playSideBySide } from './timeline.js';
import { setWorldParameters } from './world.js';

type Envelope = Parameters<NonNullable<Parameters<typeof runCucumber>[2]>>[0];

export interface Execution {
  /** The folder of features that `rules` were read from. */
  readonly folder: string;
  readonly rules: readonly Rule[];
  /** Of those rules, the scenarios to execute, by key. */
  readonly chosen: ReadonlySet<string>;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
  readonly onEnd?: (scenario: Scenario, outcome: Outcome) => void;
  /** Globs of step modules; default: the compiled steps of the package. */
  readonly steps?: readonly string[];
}

const DEFAULT_STEPS = [path.join(stepsFolder, '**', '*.js')];
/** Scenarios in flight that do not wait: enough to hide the latency of a control plane, few enough not to meet its limits. */
const WIDTH = 8;

/** The only kind of key in the features that takes longer than a request. */
const SLOW_KEY = 'RSA-2048';

/** Those that only look, then those that act, then those that wait: a scenario finds the target as untouched as it can be. */
const rank = (scenario: Scenario): number => (scenario.waits ? 2 : scenario.acts ? 1 : 0);

/** Loads the steps without running anything; later runs of the process find them loaded. */
export const prepareSteps = (steps: readonly string[] = DEFAULT_STEPS): Promise<SupportLibrary> =>
  loadSteps([path.join(distFolder, 'src', 'run', 'support.js'), ...steps], packageRoot);

/** How every chosen scenario ended, by key. What went wrong in a scenario is its outcome; rejects only where cucumber itself breaks. */
export async function execute(execution: Execution): Promise<ReadonlyMap<string, Outcome>> {
  const { target, signal, now = () => performance.now(), onEnd = () => {} } = execution;
  const library = await prepareSteps(execution.steps);
  const chosen = execution.rules
    .flatMap((rule) => rule.scenarios.map((scenario) => ({ rule, scenario })))
    .filter(({ scenario }) => execution.chosen.has(scenario.key))
    .sort((a, b) => rank(a.scenario) - rank(b.scenario));
  // An RSA key is made beside what is played first.
  if (chosen.some(({ scenario }) => scenario.steps.some(({ text }) => text.endsWith(SLOW_KEY))))
    void spareKey(SLOW_KEY);
  const decided = new Map<string, Outcome>();
  for (const { rule, scenario } of chosen) {
    const verdict = await decideBefore(rule, scenario, target);
    if (verdict !== undefined) decided.set(scenario.key, { verdict, step: 0, milliseconds: 0 });
  }
  setWorldParameters({ target, random: target.kind === 'reference' ? seededBytes('scenarios') : randomBytes });
  try {
    const open = chosen.map(({ scenario }) => scenario).filter(({ key }) => !decided.has(key));
    const played = target.capabilities.has('clock')
      ? new Map<string, Outcome>()
      : await playSideBySide(open, library, { signal, width: WIDTH, now, onEnd });
    for (const [key, outcome] of played) decided.set(key, outcome);
    const order = new Map(chosen.map(({ scenario }) => [scenario.key, scenario]));
    const session: Session = { folder: execution.folder, order, signal, pickles: new Map(), playing: undefined };
    beginSession(session);
    const recorder = new Recorder(session, decided, now, (scenario, outcome) => {
      if (!played.has(scenario.key)) onEnd(scenario, outcome);
    });
    const files = [
      ...new Set([...order.keys()].map((key) => path.join(execution.folder, key.slice(0, key.lastIndexOf(':'))))),
    ];
    await runCucumber(
      {
        sources: { defaultDialect: 'en', paths: files, names: [], tagExpression: '', order: 'defined' },
        support: library.forCucumber,
        runtime: {
          dryRun: false,
          failFast: false,
          filterStacktraces: true,
          parallel: 0,
          retry: 0,
          retryTagFilter: '',
          strict: true,
          worldParameters: {},
        },
        formats: { stdout: moduleOfRun('silent-formatter.js'), files: {}, publish: false, options: {} },
        plugins: { specifiers: [moduleOfRun('cucumber-plugin.js')], options: {} },
      },
      { cwd: execution.folder, stdout: sink(), stderr: sink(), env: {} },
      (envelope) => recorder.take(envelope),
    );
    return recorder.outcomes;
  } finally {
    endSession();
    setWorldParameters(undefined);
  }
}

/** Follows cucumber's messages: which scenario is on, and how its steps ended where the wrapper was not asked (undefined, ambiguous, a broken hook). */
class Recorder {
  readonly outcomes = new Map<string, Outcome>();
  readonly #scenarios = new Map<string, Scenario>();
  readonly #texts = new Map<string, string>();
  #broken: NotPassed | undefined;

  constructor(
    readonly session: Session,
    readonly decided: ReadonlyMap<string, Outcome>,
    readonly now: () => number,
    readonly onEnd: (scenario: Scenario, outcome: Outcome) => void,
  ) {}

  take({ testCase, testCaseStarted, testStepFinished, testCaseFinished }: Envelope): void {
    if (testCase !== undefined) {
      const scenario = this.session.pickles.get(testCase.pickleId);
      if (scenario === undefined) return;
      this.#scenarios.set(testCase.id, scenario);
      const steps = testCase.testSteps.filter(({ pickleStepId }) => pickleStepId !== undefined);
      for (const [index, step] of steps.entries()) this.#texts.set(step.id, scenario.steps[index]?.text ?? '');
    }
    if (testCaseStarted !== undefined) {
      const scenario = this.#scenarios.get(testCaseStarted.testCaseId);
      if (scenario === undefined) return;
      this.#broken = undefined;
      this.session.playing = {
        scenario,
        decided: this.decided.get(scenario.key),
        startedAt: this.now(),
        steps: 0,
        ended: undefined,
        evidence: [],
      };
    }
    if (testStepFinished !== undefined)
      this.#broken ??= this.#brokenBy(testStepFinished.testStepId, testStepFinished.testStepResult);
    if (testCaseFinished !== undefined) this.#finish();
  }

  #brokenBy(
    id: string,
    { status, message }: { readonly status: string; readonly message?: string },
  ): NotPassed | undefined {
    const text = this.#texts.get(id);
    if (status === 'UNDEFINED') return error(`no step is defined for "${text}"`);
    if (status === 'AMBIGUOUS') return error(`several steps are defined for "${text}"`);
    if (status === 'PENDING') return error(`the step "${text}" is not written yet`);
    if (status !== 'FAILED') return undefined;
    const line = message?.split('\n').find((candidate) => candidate.trim() !== '') ?? 'no message';
    return error(`${text === undefined ? 'a hook' : `the step "${text}"`} broke: ${line.trim()}`);
  }

  #finish(): void {
    const playing = this.session.playing;
    if (playing === undefined) return;
    this.session.playing = undefined;
    const { scenario, decided, evidence } = playing;
    const ended = this.#broken ?? playing.ended;
    const outcome =
      this.#broken === undefined && decided !== undefined
        ? decided
        : {
            verdict: conclude(ended, decided?.verdict.evidence ?? evidence),
            step: undefined,
            milliseconds: this.now() - playing.startedAt,
          };
    this.outcomes.set(scenario.key, outcome);
    this.onEnd(scenario, outcome);
  }
}
