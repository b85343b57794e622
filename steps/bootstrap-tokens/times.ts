/** Sentences about the time of tokens: it passes, is all but over, or is over. */
import { When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { CLOCKS, isClockMoved, TOKEN, TOKENS } from '../common/tokens.js';
import { FORGOTTEN } from '../common/waiting.js';

const WAITS = { waits: true } as const;

When('the API server can no longer remember a login', WAITS, async function (this: World) {
  await this.sleep(this.patiently(FORGOTTEN));
});

When('{int} second(s) has/have passed', WAITS, async function (this: World, seconds: number) {
  await this.sleep(this.patiently(seconds * 1000));
});

/** Only where the clock is moved. */
When('{int} hours have passed', { ...WAITS, needs: ['clock'] }, async function (this: World, hours: number) {
  await this.sleep(hours * 3_600_000);
});

const sleepUntil = (world: World, at: number): Promise<void> => world.sleep(Math.max(1, at - world.now()));

/** A second before its end, or so long before it that the end is still to come for everybody. */
When('its time is all but over', WAITS, async function (this: World) {
  await sleepUntil(this, this.get(TOKEN).until - (isClockMoved(this) ? 1_000 : 2 * CLOCKS));
});

When('the time of the others is over', WAITS, async function (this: World) {
  const ends = this.get(TOKENS).flatMap(({ until }) => (Number.isNaN(until) ? [] : [until]));
  await sleepUntil(this, Math.max(...ends) + (isClockMoved(this) ? 0 : CLOCKS));
});
