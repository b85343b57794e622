/** Sentences about what init does to the files of machines. */
import {
  endsInit,
  keeps,
  leaves,
  leavesNothing,
  refusesTold,
  together,
  warnsNot,
  warnsOf,
  writesJust,
} from '../../src/checks/preflight/init-files.js';
import { readLeft, readMade } from '../../src/checks/preflight/left-reader.js';
import type { LookKind } from '../../src/kubernetes/preflight-run.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { filledDown } from '../common/tables.js';
import { expected, lookAt, NEEDS, possible, rowsOf, runOn } from './machines.js';

/** Rows of a machine and words. */
const toldRows = (world: World, table: DataTable) =>
  rowsOf(world, table).map(({ machine, check }) => ({ machine, check: '', words: check }));

Then('init refuses what it is told, and writes nothing:', NEEDS, async function (this: World, table) {
  this.check(refusesTold, await expected(this, 'a whole init', toldRows(this, table)));
});

Then(
  /^(a whole init|the phase \S+) ends on these machines, and keeps what is there:$/,
  NEEDS,
  async function (this: World, look, table) {
    this.check(endsInit, await expected(this, look, toldRows(this, table)));
  },
);

Then(
  /^(a whole init|the phase \S+) keeps what is there on these machines:$/,
  NEEDS,
  async function (this: World, look, table) {
    const rows = rowsOf(this, table);
    this.check(keeps, await forEach(this, rows, ({ machine }) => lookAt(this, look, machine)));
  },
);

Then(/^(a whole init|the phase \S+) warns of these machines:$/, NEEDS, async function (this: World, look, table) {
  this.check(warnsOf, await expected(this, look, toldRows(this, table)));
});

Then(
  /^(a whole init|the phase \S+) does not warn of these machines:$/,
  NEEDS,
  async function (this: World, look, table) {
    this.check(warnsNot, await expected(this, look, toldRows(this, table)));
  },
);

/** Each file is read once. */
const leftOn = (world: World, { look, machine, file }: { look: LookKind; machine: string; file: string }) =>
  world.shared(`${file} after ${look} of a machine ${machine}`, async () =>
    readLeft(await runOn(world, look, machine), file),
  );

Then(/^(a whole init|the phase \S+) leaves on these machines:$/, NEEDS, async function (this: World, look, table) {
  const told = filledDown(table.raw(), 2).map(([machine = '', file = '', what = '']) => ({ machine, file, what }));
  const rows = possible<(typeof told)[number]>(this, told);
  this.check(
    leaves,
    await forEach(this, rows, async ({ machine, file, what }) => ({
      left: await leftOn(this, { look: look as LookKind, machine, file }),
      what,
    })),
  );
});

Then('what a whole init makes on these machines belongs together:', NEEDS, async function (this: World, table) {
  const rows = rowsOf(this, table);
  const all = await forEach(this, rows, async ({ machine }) => readMade(await runOn(this, 'a whole init', machine)));
  this.check(together, all.flat());
});

Then(/^(a dry run|a whole init) leaves nothing on these machines:$/, NEEDS, async function (this: World, look, table) {
  const rows = rowsOf(this, table);
  this.check(leavesNothing, await forEach(this, rows, ({ machine }) => lookAt(this, look as LookKind, machine)));
});

Then('these phases of init write these files, and no others:', NEEDS, async function (this: World, table) {
  const rows = table.raw().map(([machine = '', phase = '', files = '']) => ({ phase, machine, files }));
  this.check(
    writesJust,
    await forEach(this, possible<(typeof rows)[number]>(this, rows), async ({ phase, machine, files }) => ({
      look: await lookAt(this, `the phase ${phase}`, machine),
      files: files.split(' '),
    })),
  );
});
