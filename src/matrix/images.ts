/**
 * Setting a reference up is half of what a mutant costs, and most of them are set up alike: where they differ in
 * decisions that the set-up does not make, or makes likewise, they start from what it comes to.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Decisions, upstream } from '../reference/decisions.js';
import { CannotStart } from '../reference/host-addresses.js';
import { type Image, manualClock, startReference } from '../reference/index.js';
import { seededBytes } from '../run/seeded.js';

/** What was asked of a decision, and what it said. */
interface Call {
  readonly given: readonly unknown[];
  readonly said: unknown;
}

/** Calls of one decision that are kept: beyond, who decides otherwise is set up by itself. */
const KEPT = 40;
/** Milliseconds after which the clock of a cluster that starts from an image would lag too far behind. */
const OLD = 60_000;

interface Taken {
  readonly image: Image;
  readonly calls: ReadonlyMap<string, readonly Call[]>;
  /** Random bytes that the set-up took. */
  readonly drawn: number;
  readonly takenAt: number;
}

/** How a reference starts; from an image with what is left of the random bytes. */
export interface Beginning {
  readonly random: (length: number) => Buffer;
  readonly image?: Image;
}

const SEED = 'reference';
type AnyDecision = (...given: readonly unknown[]) => unknown;

let last: Promise<Taken> | undefined;

/** Opens what differs from upstream in these decisions alone: from an image where it can be. */
export async function fromImage<T>(
  replaced: Partial<Decisions> = {},
  open: (beginning: Beginning) => Promise<T>,
): Promise<T> {
  const { image, calls, drawn } = await newest();
  if (!decidesAlike(replaced, calls)) return open(withoutImage());
  const beginning = { ...withoutImage(), image };
  beginning.random(drawn);
  try {
    return await open(beginning);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    // Somebody else listens at its port by now.
    last = undefined;
    return open(withoutImage());
  }
}

/** With everything that a set-up takes. */
export const withoutImage = (): Beginning => ({ random: seededBytes(SEED) });

async function newest(): Promise<Taken> {
  const known = await last;
  if (known !== undefined && performance.now() - known.takenAt < OLD) return known;
  last = take();
  return last;
}

/** Sets a reference up and notes what it decides on the way. */
async function take(): Promise<Taken> {
  const calls = new Map<string, Call[]>();
  const noting = ([name, decide]: readonly [string, AnyDecision]): readonly [string, AnyDecision] => [
    name,
    (...given) => {
      const said = decide(...given);
      const noted = calls.get(name);
      if (noted === undefined) calls.set(name, [{ given, said }]);
      else if (noted.length <= KEPT) noted.push({ given, said });
      return said;
    },
  ];
  const decisions = Object.fromEntries(
    Object.entries(upstream as unknown as Readonly<Record<string, AnyDecision>>).map(noting),
  ) as unknown as Decisions;
  let drawn = 0;
  const bytes = seededBytes(SEED);
  const random = (length: number): Buffer => {
    drawn += length;
    return bytes(length);
  };
  const reference = await startReference({ withNode: true, decisions, random, clock: manualClock(Date.now()) });
  const image = reference.image();
  await reference.close();
  return { image, calls, drawn, takenAt: performance.now() };
}

const decidesAlike = (replaced: Partial<Decisions>, calls: Taken['calls']): boolean =>
  Object.entries(replaced as unknown as Readonly<Record<string, AnyDecision>>).every(([name, decide]) => {
    const noted = calls.get(name) ?? [];
    return noted.length <= KEPT && noted.every(({ given, said }) => saysAlike(decide, given, said));
  });

function saysAlike(decide: AnyDecision, given: readonly unknown[], said: unknown): boolean {
  try {
    return isDeepStrictEqual(decide(...given), said);
  } catch {
    return false;
  }
}
