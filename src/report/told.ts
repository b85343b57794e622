/** What several formats tell of a rule: its findings that are not met, the objects they are of, names that last. */
import { createHash } from 'node:crypto';
import { type Finding, type More, summed } from '../model/finding.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { VERDICTS, type VerdictKind } from '../model/verdict.js';

export interface Told {
  readonly rule: RuleResult;
  readonly scenario: ScenarioResult;
  readonly finding: Finding;
}

/** Something is not met, be it demanded or advised. */
export const isUnmet = ({ verdict }: Pick<RuleResult, 'verdict'>): boolean =>
  verdict === 'failed' || verdict === 'advised';

/** The scenarios that decided the verdict of their rule. */
const decisive = ({ scenarios, verdict }: RuleResult): readonly ScenarioResult[] =>
  scenarios.filter((scenario) => scenario.verdict === verdict);

/** The unmet demands of a rule that failed, is waived or advised, the findings that kept one from being judged. */
export const toldOf = (rule: RuleResult): readonly Told[] =>
  decisive(rule).flatMap((scenario) =>
    scenario.judgements
      .flatMap(({ findings }) => findings)
      .filter(({ result }) => result !== 'met')
      .map((finding) => ({ rule, scenario, finding })),
  );

/** Findings of these scenarios that are counted only. */
export const moreIn = (scenarios: readonly ScenarioResult[]): More =>
  summed(scenarios.flatMap(({ judgements }) => judgements.map(({ more }) => more)));

/** Beside what is told of a rule, of the same scenarios: those that are counted only. */
export const moreOf = (rule: RuleResult): More => moreIn(decisive(rule));

/** How many findings are not met in those scenarios, told or not. */
export const unmetCount = (rule: RuleResult): number => {
  const { unmet, unclear } = moreOf(rule);
  return toldOf(rule).length + unmet + unclear;
};

export const rulesOf = ({ rules }: Report, verdict: VerdictKind): readonly RuleResult[] =>
  rules.filter((rule) => rule.verdict === verdict);

export interface NamedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** "Secret kube-system/bootstrap-token-07401b", "ClusterRoleBinding kubeadm:get-nodes"; else undefined. */
export function objectOf(subject: string): NamedObject | undefined {
  const parts = /^([A-Z][A-Za-z]{1,62}) (?:([a-z0-9][a-z0-9-]{0,62})\/)?([A-Za-z0-9][A-Za-z0-9.:_-]{0,252})$/.exec(
    subject,
  );
  const [, kind, namespace, name] = parts ?? [];
  if (kind === undefined || name === undefined) return undefined;
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** UUIDs that stand for names of joinproof; made once at random. */
const NAMESPACE = Buffer.from('6f0bd1f27c0e4f5e9b3a5d1c2e8f4a67', 'hex');

/** RFC 9562, version 5. */
export function uuidOf(...names: readonly string[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(names)).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * "conformant", "conformant in 74 of 234", "not conformant", "could not be judged": what was not judged is never part of
 * what conforms.
 */
export function conformity({ summary, left, gate }: Report): string {
  const { passed, waived, rules, error, exitCode } = summary;
  if (exitCode === 1) return 'not conformant';
  const met = passed + waived;
  const conformant = met === rules ? 'conformant' : `conformant in ${met} of ${rules}`;
  if (exitCode === 0) return conformant;
  if (error > 0 || met === 0) return 'could not be judged';
  if (left !== undefined) return `${conformant}, but not as it was before`;
  return (gate?.shortfalls ?? []).length > 0 ? `${conformant}, but not what was demanded` : 'could not be judged';
}

/** The chapters of the rules, sorted. */
export const chaptersOf = ({ rules }: Pick<Report, 'rules'>): readonly string[] =>
  [...new Set(rules.map(({ chapter }) => chapter))].sort();

/** "12 of authorization, 54 of bootstrap-tokens"; empty where every rule was judged. */
export function notJudged(report: Report): string {
  const open = [...rulesOf(report, 'skipped'), ...rulesOf(report, 'error')];
  return chaptersOf({ rules: open })
    .map((name) => `${open.filter(({ chapter }) => chapter === name).length} of ${name}`)
    .join(', ');
}

/** "kubeadm (default: ConfigMap kube-system/kubeadm-config); it excuses AUTH-001"; empty where a report does not say. */
export function heldTo({ profile: { held }, rules }: Report): string {
  if (held === undefined) return '';
  const by = held.signs.length === 0 ? '' : `: ${held.signs.slice(0, 5).join('; ')}`;
  const excused = rules
    .filter(({ verdict, reason }) => verdict === 'skipped' && reason?.kind === 'profile')
    .map(({ id }) => id);
  const lenient = excused.length === 0 ? '' : `; it excuses ${excused.length}: ${excused.join(' ')}`;
  return `${held.name} (${held.chosen}${by})${lenient}`;
}

/** Who repairs a violation. */
export const repairer = ({ repair }: Pick<RuleResult, 'repair'>): string =>
  repair.for === 'maker' ? 'For the maker' : 'Repair';

/** "Secret a/b: demanded: has the key; seen: it has not" */
export const findingText = ({ subject, demanded, seen }: Finding): string =>
  `${subject}: demanded: ${demanded}; seen: ${seen}`;

/** When the run ended, RFC 3339. */
export const endedAt = ({ startedAt, seconds }: Report): string =>
  new Date(Date.parse(startedAt) + seconds * 1000).toISOString();

/** "200 passed", "31 skipped", "3 failed": what there is of each, by verdict. */
export const countsOf = ({ summary }: Report): readonly (readonly [VerdictKind, string])[] =>
  VERDICTS.filter((verdict) => summary[verdict] > 0).map(
    (verdict) => [verdict, `${summary[verdict]} ${verdict === 'error' ? 'not judged (error)' : verdict}`] as const,
  );

/** "200 passed, 31 skipped, 3 failed" */
export const counted = (report: Report): string =>
  countsOf(report)
    .map(([, text]) => text)
    .join(', ');

/** "https://10.0.0.1:6443, Kubernetes v1.36.0" */
export const targetName = ({ target: { name, version } }: Report): string =>
  version === null ? name : `${name}, Kubernetes ${version}`;
