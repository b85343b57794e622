/** What joinproof run does once its arguments are parsed. */
import { configured, type RunOptions } from '../run/configuration.js';
import { heldTo } from '../run/detect.js';
import { finished } from '../run/finished.js';
import { parseGate } from '../run/gate.js';
import { judge, plan } from '../run/judge.js';
import { type OpenTarget, openTarget, parseTargetChoice, type TargetChoice } from '../run/open-target.js';
import { givenProfile, holdToRules } from '../run/profiles.js';
import { readReport } from '../run/read-report.js';
import { RunThread } from '../run/run-thread.js';
import { CannotJudge } from '../run/usage-error.js';
import { baselineOf, evidenceFor } from '../run/waivers.js';
import type { Left } from '../targets/removal.js';
import { deliver } from './deliver.js';
import { Interrupt } from './interrupt.js';
import { leftoversSentence } from './leftovers.js';
import type { ExitCode } from './main.js';
import { detailOf, parseOutputs, parseSeconds, type Spoken } from './options.js';
import { CleaningProgress, Progress } from './progress.js';
import { say } from './say.js';

/** Beside what a configuration can give. */
interface CommandLine extends RunOptions, Spoken {
  readonly config?: string | boolean;
}

/** Throws UsageError, ConfigurationError, TargetUnreachable, CannotJudge. The target is closed in every case. */
export async function run({ config, verbose, quiet, ...line }: CommandLine): Promise<ExitCode> {
  const detail = detailOf({ verbose, quiet });
  const { options, waivers, parameters, file } = await configured(line, config);
  if (file !== undefined && detail !== 'quiet') say(`configured by ${file}.`);
  const selection = { tags: options.tags, rules: options.rule, chapters: options.chapter, level: options.level };
  const choice = parseTargetChoice(options);
  const seconds = parseSeconds(options.timeout, '--timeout');
  const demanded = parseGate(options);
  const profile = options.profile === undefined ? undefined : await givenProfile(options.profile, parameters);
  const { catalogue, selected } = await plan(selection);
  if (profile !== undefined)
    holdToRules(
      profile,
      catalogue.rules.map(({ id }) => id),
    );
  const outputs = parseOutputs(options.out ?? []);
  const baseline = options.baseline === undefined ? undefined : baselineOf(await readReport(options.baseline));
  const evidence = evidenceFor({ waivers, baseline }, options.evidence);
  const interrupt = new Interrupt(seconds, makes(choice));
  const progress = new Progress(detail === 'quiet' ? undefined : process.stdout);
  let redact = (text: string): string => text;
  const threads = choice.kind === 'reference' ? RunThread.of(selected, { given: profile, parameters, evidence }) : [];
  try {
    const target = await openTarget(choice, interrupt.signal);
    redact = (text) => target.redactor.redact(text);
    const judgement = await cleaned(target, interrupt, async () =>
      judge({
        target,
        held: await heldTo(target, profile, parameters),
        selection,
        threads,
        ...(evidence === undefined ? {} : { evidence }),
        sentences: outputs.length > 0 ? 'all' : 'not passed',
        signal: interrupt.signal,
        onProgress: (done, total, rule) => progress.show(done, total, `scenarios  ${rule}`),
      }).finally(() => progress.clear()),
    );
    if (interrupt.by !== undefined)
      throw new CannotJudge(`${interrupted(interrupt.by)}; nothing is reported.${removed(target.leftovers)}`);
    const report = finished(judgement, { target, demanded, waivers, baseline });
    interrupt.writing();
    await deliver(report, {
      outputs,
      detail,
      redact,
    });
    return report.summary.exitCode;
  } catch (error) {
    throw failureOf(error, { by: interrupt.by, redact });
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
    interrupt.end();
  }
}

const interrupted = (by: string): string => `The run was interrupted (${by})`;

/** What is said of what an interrupted run had made; what is left of it was told already. */
export const removed = (left: readonly unknown[] = []): string =>
  left.length > 0 ? '' : ' What it had made was removed.';

/** What a run throws that failed by `error`: without secrets, and where a signal had come that is why. */
export function failureOf(
  error: unknown,
  { by, redact }: { readonly by: string | undefined; readonly redact: (text: string) => string },
): unknown {
  if (by !== undefined && !(error instanceof CannotJudge)) return new CannotJudge(`${interrupted(by)}.`);
  if (error instanceof Error) error.message = redact(error.message);
  return error;
}

/** Whether a run makes what it has to remove again: objects of a cluster, programs, namespaces. */
export function makes(choice: TargetChoice): boolean {
  if (choice.kind === 'cluster' || choice.kind === 'in-cluster') return choice.allowWrites;
  return ['control-plane', 'client', 'kubeadm'].includes(choice.kind);
}

/** What an act on a target comes to; however it ends, the target is closed after it, and a second signal breaks that off. */
export async function cleaned<T>(target: Cleaned, interrupt: Interrupt, act: () => Promise<T>): Promise<T> {
  interrupt.onSecond(() => target.abort?.());
  try {
    return await act();
  } finally {
    await cleanUp(target);
  }
}

/** What of a target its clean-up needs. */
type Cleaned = Pick<OpenTarget, 'abort' | 'close' | 'leftovers' | 'onCleaning'> & {
  readonly redactor: Pick<OpenTarget['redactor'], 'redact'>;
};

/** Says what is left, if anything is. */
async function cleanUp(target: Cleaned): Promise<void> {
  const progress = new CleaningProgress();
  target.onCleaning?.((gone, known) => progress.show(gone, known));
  try {
    await target.close();
  } finally {
    progress.clear();
  }
  const said = leftSaid(target.leftovers);
  if (said !== undefined) say(target.redactor.redact(said));
}

/** What is said of what a run could not remove, be it a single object; undefined where that is nothing. */
export const leftSaid = (left: readonly Left[] = []): string | undefined =>
  left.length === 0
    ? undefined
    : `${leftoversSentence(left).replace(/\.?$/, '.')} "joinproof sweep --all" removes what a run has left.`;
