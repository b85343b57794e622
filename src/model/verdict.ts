/**
 * Verdicts of scenarios and rules.
 * Lattice: passed < waived < skipped < advised < failed < error; a rule's verdict is the worst of its scenarios.
 * *Advised*: a demand is unmet that the profile does not make; it is told, and fails no run.
 */
import { type Finding, type More, NO_MORE, sentenceOf } from './finding.js';

export const VERDICTS = ['passed', 'waived', 'skipped', 'advised', 'failed', 'error'] as const;
export type VerdictKind = (typeof VERDICTS)[number];

/** Why something was not simply passed. */
export const REASONS = [
  /** The target lacks an ability. */
  'ability',
  /** The target is not as the scenario takes for granted: not set up by kubeadm, without controllers. */
  'fact',
  /** There is nothing to look at. */
  'nothing',
  /** The rule is about other releases of Kubernetes. */
  'version',
  'profile',
  'waiver',
  /** A demand is unmet. */
  'unmet',
  /** A control is unmet, or was never seen. */
  'control',
  /** An answer came that says nothing, or none. */
  'unclear',
  /** The target was not reached, the run was interrupted or out of time. */
  'target',
  /** The rule itself is malformed, or joinproof failed. */
  'joinproof',
] as const;
export type ReasonKind = (typeof REASONS)[number];

export interface Reason {
  readonly kind: ReasonKind;
  /** For people, one sentence without a full stop. */
  readonly text: string;
}

export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: Exclude<VerdictKind, 'passed'>; readonly reason: Reason };
export type NotPassed = Exclude<Verdict, { readonly kind: 'passed' }>;

export const passed: Verdict = { kind: 'passed' };
export const skipped = (kind: ReasonKind, text: string): NotPassed => ({ kind: 'skipped', reason: { kind, text } });
export const error = (kind: ReasonKind, text: string): NotPassed => ({ kind: 'error', reason: { kind, text } });

/** The worse of two kinds. */
export const worse = (a: VerdictKind, b: VerdictKind): VerdictKind =>
  VERDICTS.indexOf(a) >= VERDICTS.indexOf(b) ? a : b;

/** `more`: of those that are not told, how many. */
const told = (findings: readonly Finding[], more = 0): string => {
  const [first] = findings;
  if (first === undefined) return '';
  const others = findings.length - 1 + more;
  return `${sentenceOf(first)}${others > 0 ? ` (and ${others} more)` : ''}`;
};

/**
 * The verdict of a scenario from all its findings and from what ended it beside them (`ended`: a lacking ability,
 * nothing to look at, a lost connection). What proves nothing is never passed: no finding at all, an unmet control,
 * refusals without anything allowed beside. `more`: findings like these that were counted only.
 */
export function verdictOf(findings: readonly Finding[], ended: NotPassed | undefined, more: More = NO_MORE): Verdict {
  if (ended?.kind === 'error') return ended;
  const controls = findings.filter(({ role }) => role === 'control');
  const unmetControls = controls.filter(({ result }) => result !== 'met');
  if (unmetControls.length > 0) return error('control', `positive control: ${told(unmetControls)}`);
  const unclear = findings.filter(({ result }) => result === 'unclear');
  if (unclear.length > 0) return error('unclear', told(unclear, more.unclear));
  const unmet = findings.filter(({ result }) => result === 'unmet');
  if (unmet.length > 0) return { kind: 'failed', reason: { kind: 'unmet', text: told(unmet, more.unmet) } };
  if (ended !== undefined) return ended;
  if (findings.length === 0) return error('joinproof', 'the scenario recorded no observation, so nothing was judged');
  const demands = findings.filter(({ role }) => role === 'demand');
  if (demands.length === 0) return error('joinproof', 'the scenario demanded nothing, so nothing was judged');
  if (controls.length === 0 && demands.every((finding) => finding.refusal === true))
    return error('control', `nothing that is allowed was seen beside the refusals: ${told(demands)}`);
  return passed;
}
