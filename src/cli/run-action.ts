/** What joinproof run does once its arguments are parsed. */
import { judge, plan } from '../run/judge.js';
import { openTarget, parseTargetChoice } from '../run/open-target.js';
import { CannotJudge } from '../run/usage-error.js';
import { deliver } from './deliver.js';
import { Interrupt } from './interrupt.js';
import type { ExitCode } from './main.js';
import { parseOutputs, parseSeconds } from './options.js';
import { Progress } from './progress.js';
import { say } from './say.js';

interface RunOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
  readonly controlPlane?: string | true;
  readonly manifests?: string;
  readonly allowWrites?: boolean;
  readonly tags?: string;
  readonly rule?: readonly string[];
  readonly chapter?: readonly string[];
  readonly level?: string;
  readonly out?: readonly string[];
  readonly timeout?: string;
  readonly verbose?: boolean;
}

/** Throws UsageError, ConfigurationError, TargetUnreachable, CannotJudge. The target is closed in every case. */
export async function run(options: RunOptions): Promise<ExitCode> {
  const selection = { tags: options.tags, rules: options.rule, chapters: options.chapter, level: options.level };
  const choice = parseTargetChoice(options);
  const seconds = parseSeconds(options.timeout, '--timeout');
  await plan(selection);
  const outputs = parseOutputs(options.out ?? []);
  const interrupt = new Interrupt(seconds, options.allowWrites === true || choice.kind === 'control-plane');
  const progress = new Progress(process.stdout);
  try {
    const target = await openTarget(choice, interrupt.signal);
    interrupt.onSecond(() => target.abort?.());
    let judgement: Awaited<ReturnType<typeof judge>>;
    try {
      judgement = await judge({
        target,
        selection,
        sentences: outputs.length > 0 ? 'all' : 'not passed',
        signal: interrupt.signal,
        onProgress: (done, total, rule) => progress.show(done, total, rule),
      });
    } finally {
      progress.clear();
      await target.close();
      tellLeftovers(target.leftovers ?? []);
    }
    if (interrupt.by !== undefined)
      throw new CannotJudge(
        `The run was interrupted (${interrupt.by}); nothing is reported. What it had made was removed.`,
      );
    const { report } = judgement;
    interrupt.writing();
    deliver(report, {
      outputs,
      verbose: options.verbose === true,
      redact: (text) => target.redactor.redact(text),
    });
    return report.summary.exitCode;
  } catch (error) {
    if (interrupt.by !== undefined && !(error instanceof CannotJudge))
      throw new CannotJudge(`The run was interrupted (${interrupt.by}).`);
    throw error;
  } finally {
    interrupt.end();
  }
}

function tellLeftovers(left: readonly { readonly what: string }[]): void {
  if (left.length === 0) return;
  say(
    `${left.length} objects of this run could not be removed; "joinproof sweep" removes them later: ${left.map(({ what }) => what).join(', ')}`,
  );
}
