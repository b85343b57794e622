/** What a run has to be, beside its verdicts, for exit code 0: demanded by who runs it. */
import type { Gate } from '../model/report.js';
import { ABILITIES, FACTS, isAbility, isFact, type Need, type Target } from '../targets/types.js';
import { didYouMean } from './nearest.js';
import { isLevel, LEVELS, type Level } from './tags.js';
import { UsageError } from './usage-error.js';

/** As given: --fail-on, --require (commas, repeated), --max-skipped. */
export interface GateOptions {
  readonly failOn?: string | undefined;
  readonly require?: readonly string[] | undefined;
  readonly maxSkipped?: string | undefined;
}

export interface Demanded {
  readonly failOn: Level;
  readonly require: readonly Need[];
  readonly maxSkipped: number | null;
}

/** MAY rules fail no run unless they are asked to. */
export const DEFAULT_FAIL_ON: Level = 'SHOULD';

/** Throws UsageError for levels, needs and numbers that are none. */
export function parseGate({ failOn = DEFAULT_FAIL_ON, require = [], maxSkipped }: GateOptions): Demanded {
  const level = failOn.toUpperCase();
  if (!isLevel(level))
    throw new UsageError(
      `--fail-on "${failOn}" is no level.${didYouMean(level, LEVELS)} The levels are ${LEVELS.join(', ')}.`,
    );
  if (maxSkipped !== undefined && !/^\d{1,6}$/.test(maxSkipped))
    throw new UsageError(
      `--max-skipped "${maxSkipped}" is no number of rules. Give how many may be skipped, for example 0 or 20.`,
    );
  const names = require.flatMap((text) => text.split(',')).map((name) => name.trim());
  return {
    failOn: level,
    require: [...new Set(names.map(needOf))].sort(),
    maxSkipped: maxSkipped === undefined ? null : Number(maxSkipped),
  };
}

const NEEDS: readonly string[] = [...ABILITIES, ...FACTS];

function needOf(name: string): Need {
  const need = name === 'write' ? 'writes' : name;
  if (isAbility(need) || isFact(need)) return need;
  throw new UsageError(
    `--require "${name}" is nothing that a target can have.${didYouMean(name, NEEDS)} There are ${NEEDS.join(', ')}.`,
  );
}

/** Why the run cannot end with 0, whatever its verdicts say; a sentence without a full stop each. */
export function gateOf(demanded: Demanded, target: Target, skipped: number): Gate {
  const { failOn, require, maxSkipped } = demanded;
  const lacking = require
    .filter((need) => (isFact(need) ? !target.facts.holds.has(need) : target.abilities[need] === undefined))
    .map((need) => `the target lacks "${need}", which --require names: ${target.why(need)}`);
  const tooMany =
    maxSkipped !== null && skipped > maxSkipped
      ? [`${skipped} rules were skipped, and --max-skipped allows ${maxSkipped}`]
      : [];
  // Rules that need no object say nothing of a cluster by themselves.
  const blind =
    target.facts.readsNothing?.() === true
      ? [
          'the credential of this run may read nothing that rules look at; give one the rights that "joinproof rbac" prints',
        ]
      : [];
  return { failOn, require, maxSkipped, shortfalls: [...lacking, ...tooMany, ...blind] };
}
