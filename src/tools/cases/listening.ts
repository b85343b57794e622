/**
 * Loaded before a test of checks (node --import): what the test hands checks, and functions beside them, is written to
 * the file that JOINPROOF_CASES names, as cases and as calls, a line each.
 */
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { isRecord } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import type { Finding } from '../../model/finding.js';
import { answerOf, type Call, type Callable, kept } from './calls.js';
import type { Case } from './cases.js';

type AnyJudge = Check<unknown, unknown>['judge'];

const written = new Set<string>();
/** What is said again here is no news. */
let isAgain = false;

function again<T>(act: () => T): T {
  isAgain = true;
  try {
    return act();
  } finally {
    isAgain = false;
  }
}

function tell(one: Case | Call): void {
  written.add(JSON.stringify(one));
}

/** As a report would hold it, where the check says the same of what a report keeps. */
function listenedCheck(check: { readonly id: string; judge: AnyJudge }): void {
  const { id, judge } = check;
  check.judge = (observation, parameters) => {
    const findings = judge(observation, parameters);
    if (isAgain) return findings;
    const [o, p] = [kept(observation), kept(parameters)];
    if (again(() => answerOf(judge, [o, p])) === answerOf(() => findings, []))
      tell({
        check: id,
        observation: o ?? null,
        ...(p === undefined ? {} : { parameters: p }),
        findings: kept(findings) as readonly Finding[],
      });
    return findings;
  };
}

/** Where what JSON keeps of its arguments makes no difference. */
const listenedFunction =
  (name: string, callable: Callable): Callable =>
  (...args) => {
    if (isAgain) return callable(...args);
    const before = kept(args) as readonly unknown[];
    const result = callable(...args);
    const answer = answerOf(() => result, []);
    if (answer !== undefined && again(() => answerOf(callable, before)) === answer) tell({ call: name, args: before });
    return result;
  };

/** `value`: what a module of checks exports. */
export function listened(name: string, value: unknown): unknown {
  if (typeof value === 'function') return listenedFunction(name, value as Callable);
  if (isRecord(value) && typeof value.id === 'string' && typeof value.judge === 'function')
    listenedCheck(value as unknown as { readonly id: string; judge: AnyJudge });
  return value;
}

register('./listening-loader.js', import.meta.url);
process.on('exit', () => writeFileSync(process.env.JOINPROOF_CASES ?? '', [...written].join('\n')));
