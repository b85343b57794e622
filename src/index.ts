/**
 * joinproof as a library: `judge` opens a target, judges it, closes it and gives the report, without secrets in it. What
 * the command line does beyond that is about files, signals and people.
 */
import type { Evidence } from './model/finding.js';
import { redacted } from './model/redacted.js';
import type { Report } from './model/report.js';
import type { Waiver } from './model/waiver.js';
import { type Format, writerOf } from './report/formats.js';
import { heldTo } from './run/detect.js';
import { featureTexts } from './run/feature-texts.js';
import { finished } from './run/finished.js';
import { parseGate } from './run/gate.js';
import { judge as judgeTarget, plan } from './run/judge.js';
import { openTarget, parseTargetChoice, type TargetChoice } from './run/open-target.js';
import { givenProfile, holdToRules, type Parameters, type Profile } from './run/profiles.js';
import { conforms } from './run/schemas.js';
import { UsageError } from './run/usage-error.js';
import { baselineOf, evidenceFor } from './run/waivers.js';

export type { Finding } from './model/finding.js';
export type { Gate, Report, RuleResult, ScenarioResult, Summary } from './model/report.js';
export type { Reason, VerdictKind } from './model/verdict.js';
export type { Waiver, WaiverSeen } from './model/waiver.js';
export { FORMATS, type Format } from './report/formats.js';
export type { Parameters } from './run/profiles.js';
export { CannotJudge, UsageError } from './run/usage-error.js';

/** One of these; none: the bundled reference. */
export interface TargetOptions {
  /** Path of a file, or a kubeconfig as an object. */
  readonly kubeconfig?: string | object;
  /** Instead of the current one. */
  readonly context?: string;
  /** The cluster that this Pod runs in. */
  readonly inCluster?: true;
  /** A folder with etcd and kube-apiserver, which are started on loopback. */
  readonly controlPlane?: string;
  /** A file or folder that kubectl wrote. */
  readonly manifests?: string;
  /** A folder laid out like a node's "/", or a tar of one; alone, or beside a cluster or a dump that it belongs to. */
  readonly node?: string;
  /** A file that describes a program which joins machines: schemas/client.schema.json. */
  readonly client?: string;
  /** A kubeadm, which is run in namespaces of its own. */
  readonly kubeadm?: string;
  /** The kubelet that it starts. */
  readonly kubelet?: string;
  /** Let joinproof create objects of its own on a cluster, and remove them again; default false. */
  readonly allowWrites?: boolean;
}

export interface JudgeOptions {
  readonly target?: TargetOptions;
  readonly rules?: readonly string[];
  readonly chapters?: readonly string[];
  /** Rules of at least this level. */
  readonly level?: 'MUST' | 'SHOULD' | 'MAY';
  /** "@MUST and not @waits" */
  readonly tags?: string;
  readonly gate?: {
    readonly failOn?: 'MUST' | 'SHOULD' | 'MAY';
    /** Abilities and facts that the target has to have: "controllers". */
    readonly require?: readonly string[];
    readonly maxSkipped?: number;
  };
  readonly waivers?: readonly Waiver[];
  /** The name of a profile, or a file; default: what the target shows. */
  readonly profile?: string;
  /** Above those of the profile: schemas/parameters.schema.json. */
  readonly parameters?: Partial<Parameters>;
  /** A report that is taken as it is: only what it does not have fails. */
  readonly baseline?: Report;
  /** Of thousands of findings of one check keep some examples (default), or all. */
  readonly evidence?: Evidence;
  /** Breaks the run off; what was made is removed all the same. */
  readonly signal?: AbortSignal;
  /** After each scenario: how many are done, of how many. */
  readonly onProgress?: (done: number, total: number, rule: string) => void;
}

/**
 * Judges a target. Throws UsageError (options that cannot be used), CannotJudge, and errors named ConfigurationError and
 * TargetUnreachable, each with a sentence for people; a rule that is not met is no error, but stands in the report.
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const { target: where = {}, rules, chapters, level, tags, gate = {}, waivers = [], onProgress } = options;
  const selection = { rules, chapters, level, tags };
  const baseline = options.baseline === undefined ? undefined : baselineOf(options.baseline);
  const demanded = parseGate({
    ...gate,
    maxSkipped: gate.maxSkipped === undefined ? undefined : String(gate.maxSkipped),
  });
  const choice = choiceOf(where);
  const { catalogue } = await plan(selection);
  const profile = await checkedProfile(options, catalogue.rules);
  const signal = options.signal ?? new AbortController().signal;
  const evidence = evidenceFor({ waivers, baseline }, options.evidence);
  const target = await openTarget(choice, signal);
  let judgement: Awaited<ReturnType<typeof judgeTarget>>;
  try {
    judgement = await judgeTarget({
      target,
      held: await heldTo(target, profile, options.parameters),
      selection,
      signal,
      ...(evidence === undefined ? {} : { evidence }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } finally {
    await target.close();
  }
  const report = finished(judgement, { target, demanded, waivers, baseline });
  return redacted(report, (text) => target.redactor.redact(text));
}

async function checkedProfile(
  { profile, parameters = {} }: JudgeOptions,
  rules: readonly { readonly id: string }[],
): Promise<Profile | undefined> {
  const [wrong] = conforms('parameters', parameters);
  if (wrong !== undefined) throw new UsageError(`The parameters cannot be used: ${wrong}.`);
  if (profile === undefined) return undefined;
  const found = await givenProfile(profile, parameters);
  holdToRules(
    found,
    rules.map(({ id }) => id),
  );
  return found;
}

function choiceOf({ kubeconfig, ...others }: TargetOptions): TargetChoice {
  if (typeof kubeconfig !== 'object')
    return parseTargetChoice({ ...others, ...(kubeconfig === undefined ? {} : { kubeconfig }) });
  // refuses what names another target beside it
  const choice = parseTargetChoice({ ...others, kubeconfig: 'the given kubeconfig' });
  if (choice.kind !== 'cluster') return choice;
  const { kubeconfig: _, ...cluster } = choice;
  return { ...cluster, content: kubeconfig };
}

/** A report in one of the formats of the command line. */
export async function formatted(report: Report, format: Format): Promise<string> {
  return (await writerOf(format))(report, async () => featureTexts());
}
