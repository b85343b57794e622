/** Steps of the toy features: every way in which a scenario may end. */
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { TargetUnreachable } from '../../targets/errors.js';
import type { World } from '../world.js';
import { seen } from './toy-record.js';

const observation = (state: string) => ({
  object: `toy that is ${state}`,
  demanded: 'sound',
  seen: state,
  ok: state === 'sound',
});

Given('a toy that is {string}', function (this: World, state: string) {
  seen.looked += 1;
  this.expect(observation(state));
});
Given('no toys at all', function (this: World) {
  this.judge({ kind: 'skipped', reason: 'there are no toys', evidence: [] });
});
Given('a positive control that fails', function (this: World) {
  this.control(observation('broken'));
});
Given('a target that is gone', () => {
  throw new TargetUnreachable('https://toy:1 refused the connection.', 'refused');
});
Given('a step that crashes', () => {
  throw new TypeError('toys is undefined\n    at somewhere');
});
Given('a step that looks at nothing', () => {});
Given('two definitions of one {word}', () => {});
Given('two definitions of one sentence', () => {});
When('{int} milliseconds have passed', async function (this: World, milliseconds: number) {
  seen.waiting += 1;
  seen.mostWaiting = Math.max(seen.mostWaiting, seen.waiting);
  await this.sleep(milliseconds);
  seen.waiting -= 1;
});
Then('a table of:', function (this: World, table: DataTable) {
  this.expect({
    object: 'table',
    demanded: 'one row',
    seen: `${table.hashes().length} rows`,
    ok: table.hashes()[0]?.value === '1',
  });
});
Then('this step is never reached', () => {
  throw new Error('it was reached');
});
Given('the toy is mine alone for {int} milliseconds', async function (this: World, milliseconds: number) {
  seen.holders += 1;
  seen.most = Math.max(seen.most, seen.holders);
  await this.sleep(milliseconds);
  seen.holders -= 1;
  this.expect(observation('sound'));
});
Given('what only looks has been looked at', function (this: World) {
  this.expect({
    object: 'the order',
    demanded: 'those that look are first',
    seen: seen.looked > 0 ? 'so it was' : 'nobody has looked',
    ok: seen.looked > 0,
  });
});
