/**
 * How long each rule waits that waits for something: src/matrix/waits.txt has it, by the clock of the reference. Whoever
 * looks at once finds left alone what is gone a moment later. `node dist/src/matrix/waits.test.js --write` writes it
 * anew.
 */
import { testRecorded } from '../report/recorded.testing.js';
import { prepareSteps } from '../run/execute.js';
import { readFeatures } from '../run/features.js';
import { judge } from '../run/judge.js';
import { featuresFolder, packageFile } from '../run/package-root.js';
import { seededBytes } from '../run/seeded.js';
import { traitsOf } from '../run/traits.js';
import { World } from '../run/world.js';
import { openReference } from '../targets/reference.js';
import type { Target } from '../targets/types.js';

/** Those that other rules are about and that a program makes beside: how long it takes is its own. */
const OF_PROGRAMS = ['client', 'preflight', 'uploads', 'variants'];

const library = await prepareSteps();
const signal = AbortSignal.timeout(280_000);
const waiting = readFeatures(featuresFolder).rules.flatMap(({ id, scenarios }) => {
  const traits = scenarios.map((scenario) => traitsOf(scenario, library));
  const needs = traits.flatMap((of) => ('problem' in of ? [] : of.needs));
  return traits.some((of) => 'waits' in of && of.waits) && !needs.some((need) => OF_PROGRAMS.includes(need))
    ? [id]
    : [];
});

const reference = await openReference({ signal, reference: { random: seededBytes('reference') } });
const lines: string[] = [];
try {
  const { clock } = reference.abilities;
  if (clock === undefined) throw new Error('The reference has no clock.');
  // what waits for the end of a second waits as long whenever this is played
  await clock.move(1_000 - (reference.facts.now() % 1_000));
  let moved = 0;
  let looking = 0;
  const { kind, name, run, facts } = reference;
  const target: Target = {
    ...{ kind, name, run, facts },
    why: (need) => reference.why(need),
    close: async () => {},
    abilities: {
      ...reference.abilities,
      clock: {
        ...clock,
        move: (milliseconds) => {
          if (looking === 0) moved += milliseconds;
          return clock.move(milliseconds);
        },
      },
    },
  };
  // when what is looked for comes is not the rule's: as long as it looks in vain counts
  const { eventually } = World.prototype;
  World.prototype.eventually = async function (within, look, every) {
    looking += 1;
    let seen: unknown;
    try {
      seen = await eventually.call(this, within, look, every);
    } finally {
      looking -= 1;
    }
    if (seen === undefined && looking === 0) moved += within;
    return seen as never;
  };
  const waited = new Map<string, number>();
  // one after the other, since its clock is moved
  const onProgress = (_done: number, _of: number, id: string): void => {
    waited.set(id, (waited.get(id) ?? 0) + moved);
    moved = 0;
  };
  const { report } = await judge({ target, selection: { rules: waiting }, signal, onProgress });
  for (const { id, verdict } of report.rules)
    lines.push(`${id} ${verdict}, waits ${Math.round((waited.get(id) ?? 0) / 1000)} s`);
} finally {
  await reference.close();
}
testRecorded('how long a rule waits', packageFile('src/matrix'), new Map([['waits.txt', `${lines.join('\n')}\n`]]));
