/**
 * What unit tests have asked of functions beside checks, readers above all, and what these answer to that and to what
 * is near it. Pure.
 */
import { createHash } from 'node:crypto';
import type { Case } from './cases.js';
import { near } from './near.js';

export type Callable = (...args: readonly unknown[]) => unknown;

export interface Call {
  /** Its file and its name: "jws-reader/readJws". */
  readonly call: string;
  readonly args: readonly unknown[];
}

/** What JSON keeps of it; undefined where it keeps nothing. */
export function kept(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

const whole = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set
    ? [...value]
    : typeof value === 'bigint' || value === undefined || (typeof value === 'number' && !Number.isFinite(value))
      ? `${value}`
      : value;

/** As text: of what it throws the kind; undefined where no text says it all, as of a function or of what comes later. */
export function answerOf(callable: Callable, args: readonly unknown[]): string | undefined {
  try {
    const result = callable(...args);
    if (typeof result === 'function' || result instanceof Promise || result instanceof RegExp) return undefined;
    return JSON.stringify(result, whole);
  } catch (error) {
    return `throws ${error instanceof Error ? error.name : String(error)}`;
  }
}

/** Changes of each call that are looked at. */
const LOOKED_AT = 200;

/** A hash of what is answered to a call and to what is near it. `others`: calls of the same function. */
export function answersTo(callable: Callable, one: Call, others: readonly Call[]): string {
  const asCase = ({ call, args }: Call): Case => ({ check: call, observation: args, findings: [] });
  const changes = near(asCase(one), others.map(asCase));
  const hash = createHash('sha256').update(answerOf(callable, one.args) ?? '');
  for (let index = 0; index < LOOKED_AT; index += 1) {
    const { observation } = changes.next().value();
    if (Array.isArray(observation)) hash.update(`\n${answerOf(callable, observation)}`);
  }
  return hash.digest('base64url').slice(0, 12);
}

/** Characters that calls of one function may take. */
const ROOM = 2500;

/** The shortest of each answer, and then the longest, as far as there is room. `answers`: by the number of a call. */
export function chosen(calls: readonly Call[], answers: readonly string[]): readonly Call[] {
  const sorted = calls
    .map((one, index) => ({ one, answer: answers[index] ?? '', length: JSON.stringify(one.args).length }))
    .sort((a, b) => a.length - b.length || (JSON.stringify(a.one) < JSON.stringify(b.one) ? -1 : 1));
  const known = new Set<string>();
  const shortest = sorted.filter(({ answer }) => !known.has(answer) && known.add(answer));
  let room = ROOM;
  return [...new Set([...shortest, ...sorted.reverse()])]
    .filter(({ length }) => {
      if (length > room) return false;
      room -= length;
      return true;
    })
    .map(({ one }) => one);
}
