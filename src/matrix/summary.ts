/** What a report shows of the rules that were played. */
import type { Finding } from '../model/finding.js';
import { redacted } from '../model/redacted.js';
import type { Report, RuleResult } from '../model/report.js';
import { replay } from '../run/replay.js';
import { faresIn } from './elsewhere.js';
import { givenIn } from './given.js';
import { HELD_BACK } from './hold.js';
import { askedIn } from './requests.js';
import { type RowsSeen, rowsOf } from './rows.js';
import type { Lines } from './rule-lines.js';

/** What was seen of rules that were played. */
export interface Result {
  /** By rule id. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** Rules whose demands, all of them, are that something is refused, absent or left undone. */
  readonly refusing: readonly string[];
  /** Rules that are judged otherwise from the report alone, its secrets taken out, than on the target. */
  readonly replayedOtherwise: readonly string[];
  /** Rules that saw something which a hold has changed. */
  readonly heldBack: readonly string[];
  /** Of other than the unchanged reference only those that are unmet. */
  readonly rows: RowsSeen;
  /** Of the unchanged reference: what its rules ask. */
  readonly asked?: Lines | undefined;
  /** Of the unchanged reference, of disks alone and of what is broken at rest: what checks are given. */
  readonly given?: Lines | undefined;
  /** How its rules fare where less of it is seen. */
  readonly elsewhere?: Lines | undefined;
  /** What joinproof run says before it begins, where it refuses the target. */
  readonly refusal?: string | undefined;
}

/** What is handed every report that is played, as it is judged again without secrets. */
export type Hears = (report: Report) => void;

export const NOTHING_SEEN: Result = {
  verdicts: {},
  reasons: {},
  refusing: [],
  replayedOtherwise: [],
  heldBack: [],
  rows: { all: [], unmet: [], uncontrolled: [] },
};

/** What else is told. */
export interface Told {
  readonly hears: Hears;
  /** What it asks, and what checks are given. */
  readonly isBaseline?: boolean;
  /** What checks are given. */
  readonly tellsGiven?: boolean;
  /** How rules fare there. */
  readonly isElsewhere?: boolean;
}

const demandsOf = ({ scenarios }: RuleResult): readonly Finding[] =>
  scenarios.flatMap(({ judgements }) =>
    judgements.flatMap(({ findings }) => findings.filter(({ role }) => role === 'demand')),
  );

/** What a report shows of them; `redactor`: of the target that was judged. */
export async function summary(
  report: Report,
  redactor: { redact(text: string): string },
  { hears, isBaseline = false, tellsGiven = false, isElsewhere = false }: Told,
): Promise<Result> {
  const { rules } = report;
  const shown = JSON.parse(JSON.stringify(redacted(report, (text) => redactor.redact(text)))) as Report;
  const { report: judgedAgain } = await replay(shown);
  hears(judgedAgain);
  const again = judgedAgain.rules;
  return {
    verdicts: Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict])),
    reasons: Object.fromEntries(rules.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason.text]]))),
    replayedOtherwise: rules.flatMap(({ id, verdict }, index) => (again[index]?.verdict === verdict ? [] : [id])),
    refusing: rules
      .filter((rule) => demandsOf(rule).length > 0 && demandsOf(rule).every(({ refusal }) => refusal === true))
      .map(({ id }) => id),
    heldBack: rules.filter(seesHeldBack).map(({ id }) => id),
    rows: rowsOf(shown),
    ...(isBaseline ? { asked: askedIn(shown) } : {}),
    ...(isBaseline || tellsGiven ? { given: givenIn(shown) } : {}),
    ...(isElsewhere ? { elsewhere: faresIn(shown) } : {}),
  };
}

const seesHeldBack = ({ scenarios }: RuleResult): boolean =>
  scenarios.some(({ judgements }) =>
    judgements.some(({ exchanges = [] }) => exchanges.some(({ as }) => as === HELD_BACK)),
  );
