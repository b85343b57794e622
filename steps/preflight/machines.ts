/** Sentences about what kubeadm says of machines before init and join. */
import {
  type Expected,
  fails,
  isSubset,
  passes,
  refuses,
  silent,
  stops,
  warns,
  writes,
  writesNothing,
} from '../../src/checks/preflight/preflight.js';
import { type Looked, readLook } from '../../src/checks/preflight/preflight-reader.js';
import type { LookKind, PreflightRun } from '../../src/kubernetes/preflight-run.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';

export const NEEDS = { needs: ['preflight'] } as const;
const SOUND = 'as it should be';
/** Every kubeadm stops there. */
const STOPPED = { machine: 'without mount', check: 'FileExisting-mount', words: 'mount not found in system path' };

/** Ends the scenario as error where there is no such machine: a mistake of the feature. */
export function runOn(world: World, look: LookKind, machine: string): Promise<PreflightRun> {
  const preflight = world.ability('preflight');
  return world.shared(`${look} of a machine ${machine}`, async () => {
    const run = await preflight.look(machine, look);
    if (run === undefined) return world.unknown(`there is no machine "${machine}"`);
    return run.overtaken === undefined ? run : world.unknown(`${run.overtaken}: this machine was too busy`);
  });
}

export const lookAt = async (world: World, look: LookKind, machine: string): Promise<Looked> =>
  readLook(await runOn(world, look, machine));

interface Row {
  readonly machine: string;
  readonly check: string;
  readonly words: string;
}

/** Those that kubeadm can be put on; why it cannot be put on all is said of the scenario. */
export function possible<R extends Pick<Row, 'machine'>>(world: World, rows: readonly R[]): readonly R[] {
  const preflight = world.ability('preflight');
  const there = rows.filter(({ machine }) => preflight.lacks(machine) === undefined);
  if (there.length === rows.length) return rows;
  const why = [...new Set(rows.flatMap(({ machine }) => preflight.lacks(machine) ?? []))].join('; ');
  if (there.length === 0) world.skip('ability', why);
  world.partly('ability', why);
  return there;
}

export const rowsOf = (world: World, table: DataTable): readonly Row[] =>
  possible(
    world,
    table.raw().map(([machine = '', check = '', words = '']) => ({ machine, check, words })),
  );

export const expected = (world: World, look: LookKind, rows: readonly Row[]): Promise<readonly Expected[]> =>
  forEach(world, rows, async ({ machine, ...row }) => ({ look: await lookAt(world, look, machine), ...row }));

/** What is said of these machines is said of no other. */
async function saysNothingOfSound(world: World, look: LookKind, rows: readonly Row[]): Promise<void> {
  const checks = [...new Set(rows.map(({ check }) => check))];
  const sound = checks.map((check) => ({ machine: SOUND, check, words: '' }));
  world.check(silent, await expected(world, look, sound));
}

Then(/^kubeadm (init|join) stops on these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(stops, await expected(this, look, rows));
  await saysNothingOfSound(this, look, rows);
});

Then(/^kubeadm (init|join) only warns of these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(warns, await expected(this, look, rows));
  await saysNothingOfSound(this, look, rows);
});

Then(/^kubeadm (init|join) warns, whatever it is told to ignore:$/, NEEDS, async function (this: World, look, table) {
  this.check(warns, await expected(this, look, rowsOf(this, table)));
});

Then(/^kubeadm (init|join) says nothing of this:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.grant(stops, await expected(this, look, [STOPPED]));
  this.check(silent, await expected(this, look, rows));
});

Then(/^kubeadm (init|join) takes these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(passes, await forEach(this, rows, ({ machine }) => lookAt(this, look, machine)));
});

Then(/^kubeadm (init|join) does not take these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(fails, await forEach(this, rows, ({ machine }) => lookAt(this, look, machine)));
});

Then('kubeadm refuses what it is told of these machines:', NEEDS, async function (this: World, table) {
  const rows = rowsOf(this, table).map(({ machine, check }) => ({ machine, check: '', words: check }));
  this.check(refuses, await expected(this, 'init', rows));
});

Then(/^(init|a whole init) writes nothing on these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(writesNothing, await forEach(this, rows, ({ machine }) => lookAt(this, look, machine)));
});

Then('a whole init goes on to write on these machines:', NEEDS, async function (this: World, table) {
  const rows = rowsOf(this, table);
  this.check(writes, await forEach(this, rows, ({ machine }) => lookAt(this, 'a whole init', machine)));
});

Then('a join looks at these machines for what init looks for:', NEEDS, async function (this: World, table) {
  const rows = rowsOf(this, table);
  const both = await forEach(this, rows, async ({ machine }) => ({
    init: await lookAt(this, 'init', machine),
    join: await lookAt(this, 'join', machine),
  }));
  this.check(isSubset, both);
});
