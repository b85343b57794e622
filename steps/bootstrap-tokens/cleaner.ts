/**
 * Sentences about the TokenCleaner. What must stay is made first; once something expired that was made later is gone,
 * the cleaner has seen it.
 */
import { isDeleted, isLeftAlone, isThere, type Presence } from '../../src/checks/common/presence.js';
import { TOKEN_KEYS } from '../../src/kubernetes/names.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { rowsOfAlterations, valueIn } from '../common/tables.js';
import { changeInTime, demandInTime, type Made, makeToken, secretOf, TOKEN, TOKENS } from '../common/tokens.js';
import { CLEANED, IN_TIME, seconds } from '../common/waiting.js';

const CLEANER = { needs: ['writes', 'controllers'] } as const;

/** A Secret that the scenario has made, as it is now. */
async function presenceOf(world: World, made: Made): Promise<Presence> {
  const { namespace, name, label } = made;
  return { subject: `Secret ${namespace}/${name}, ${label}`, there: (await secretOf(world, made)) !== undefined };
}

/** The same once it is gone, or when the time is over. Milliseconds. */
export async function goneWithin(world: World, made: Made, milliseconds: number): Promise<Presence> {
  let last = await presenceOf(world, made);
  await world.eventually(
    milliseconds,
    async () => {
      last = await presenceOf(world, made);
      return last.there ? undefined : true;
    },
    250,
  );
  return last;
}

Given('a Secret for each of these lines:', { needs: ['writes'] }, async function (this: World, table: DataTable) {
  const rows = rowsOfAlterations(this, table);
  this.put(TOKENS, await forEach(this, rows, ({ label, alterations }) => makeToken(this, label, alterations)));
});

When('an expired bootstrap token, made later, has been cleaned away', CLEANER, async function (this: World) {
  const made = await makeToken(this, 'expired', { [TOKEN_KEYS.expiration]: valueIn('1 hour ago', this.now()) });
  this.grant(isDeleted, [await goneWithin(this, made, CLEANED)], {
    demanded: `is deleted within ${seconds(this, CLEANED)}`,
  });
});

Then('each of the Secrets is still there', async function (this: World) {
  const seen = await forEach(this, this.get(TOKENS), (made) => presenceOf(this, made));
  this.check(isThere, seen, { demanded: 'is still there' });
});

/**
 * A cleaner of one's own may come round every so often, beside the one of the controller manager that was seen at work.
 */
const leftAlone = async (world: World, secrets: readonly Made[]): Promise<void> => {
  await world.sleep(IN_TIME);
  const seen = await forEach(world, secrets, (made) => presenceOf(world, made));
  world.check(isLeftAlone, seen, { demanded: 'is left alone for 30 s' });
};

Then('each of the Secrets is left alone', { waits: true }, async function (this: World) {
  await leftAlone(this, this.get(TOKENS));
});

Then('its Secret is left alone', { waits: true }, async function (this: World) {
  await leftAlone(this, [this.get(TOKEN)]);
});

Then('each of the Secrets is soon gone', CLEANER, async function (this: World) {
  const seen = await forEach(this, this.get(TOKENS), (made) => goneWithin(this, made, CLEANED));
  this.check(isDeleted, seen, { demanded: `is deleted within ${seconds(this, CLEANED)}` });
});

Then('its Secret is soon gone', CLEANER, async function (this: World) {
  const seen = await goneWithin(this, this.get(TOKEN), CLEANED);
  this.check(isDeleted, [seen], {
    demanded: `is deleted within ${seconds(this, CLEANED)} of its expiration`,
  });
});

Given('its Secret is there', async function (this: World) {
  const made = this.get(TOKEN);
  const seen = await presenceOf(this, made);
  if (!seen.there) demandInTime(this, made);
  this.grant(isThere, [seen], { demanded: 'is there before its expiration' });
});

When('its expiration is put off by an hour', { needs: ['writes'] }, async function (this: World) {
  await changeInTime(this, this.get(TOKEN), { [TOKEN_KEYS.expiration]: valueIn('in 1 hour', this.now()) });
});
