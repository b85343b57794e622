/** Steps of the toy features: every way in which a scenario may end. */
import type { Check } from '../../model/check.js';
import { control, demand } from '../../model/finding.js';
import { TargetUnreachable } from '../../targets/errors.js';
import { type DataTable, Given, Then, When } from '../define.js';
import type { World } from '../world.js';
import { seen } from './toy-record.js';

const look = (state: string) => ({
  subject: `toy that is ${state}`,
  demanded: 'sound',
  seen: state,
  ok: state === 'sound',
});
const sound: Check<string> = { id: 'toys/sound', source: 'none', judge: (state) => [demand(look(state))] };
const working: Check<string> = { id: 'toys/working', source: 'none', judge: (state) => [control(look(state))] };
const toys: Check<readonly string[]> = {
  id: 'toys/toys',
  source: 'none',
  nothing: 'there are no toys',
  judge: (states) => states.map((state) => demand(look(state))),
};
const oneRow: Check<readonly string[]> = {
  id: 'toys/one-row',
  source: 'none',
  judge: (values) => [
    demand({ subject: 'table', demanded: 'one row', seen: `${values.length} rows`, ok: values[0] === '1' }),
  ],
};

Given('a toy that is {string}', function (this: World, state: string) {
  seen.looked += 1;
  this.check(sound, state);
});
Given('no toys at all', function (this: World) {
  this.check(toys, []);
});
Given('a positive control that fails', function (this: World) {
  this.check(working, 'broken');
});
Given('a target that is gone', () => {
  throw new TargetUnreachable('https://toy:1 refused the connection.', 'refused');
});
Given('a step that crashes', () => {
  throw new TypeError('toys is undefined\n    at somewhere');
});
Given('a toy that has variants', { needs: ['variants'] }, () => {});
Given('a step that looks at nothing', () => {});
Given('two definitions of one {word}', () => {});
Given('two definitions of one sentence', () => {});
When('{int} milliseconds have passed', { waits: true }, async function (this: World, milliseconds: number) {
  seen.waiting += 1;
  seen.mostWaiting = Math.max(seen.mostWaiting, seen.waiting);
  await this.sleep(milliseconds);
  seen.waiting -= 1;
});
Then('a table of:', function (this: World, table: DataTable) {
  this.check(
    oneRow,
    table.hashes().map(({ value = '' }) => value),
  );
});
Then('this step is never reached', () => {
  throw new Error('it was reached');
});
const ALONE = { waits: true, exclusive: 'toy' } as const;
Given('the toy is mine alone for {int} milliseconds', ALONE, async function (this: World, milliseconds: number) {
  seen.holders += 1;
  seen.most = Math.max(seen.most, seen.holders);
  await this.sleep(milliseconds);
  seen.holders -= 1;
  this.check(sound, 'sound');
});
Given('what only looks has been looked at', { needs: ['writes'] }, function (this: World) {
  this.check(sound, seen.looked > 0 ? 'sound' : 'not looked at');
});
