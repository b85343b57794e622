/** Sentences about the TokenCleaner. What must stay is made first; once something expired that was made later is gone, the cleaner has seen it. */
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { rowsOfAlterations, valueIn } from '../common/tables.js';
import { changeToken, type Made, makeToken, secretOf, TOKEN, TOKENS } from '../common/tokens.js';

/** joinproof's patience with a cleaner. Source: none in the documents; test/e2e/lifecycle/bootstrap waits a minute. */
const CLEANED = 60_000;

const nameOf = ({ namespace, name }: Made): string => `Secret ${namespace}/${name}`;
const secrets = (world: World): readonly Made[] => world.get(TOKENS);

Given('a Secret for each of these lines:', async function (this: World, table: DataTable) {
  this.put(
    TOKENS,
    await forEach(this, rowsOfAlterations(this, table), ({ label, alterations }) =>
      makeToken(this, label, alterations),
    ),
  );
});

const goneSoon = (world: World, made: Made): Promise<true | undefined> =>
  world.eventually(CLEANED, async () => ((await secretOf(world, made)) === undefined ? true : undefined), 250);

When('an expired bootstrap token, made later, has been cleaned away', async function (this: World) {
  const made = await makeToken(this, 'expired', { expiration: valueIn('1 hour ago', this.now()) });
  const gone = await goneSoon(this, made);
  this.control({
    object: nameOf(made),
    demanded: 'is deleted, since it has expired',
    seen: gone ? 'it is gone' : 'it is still there after 60 s',
    ok: gone === true,
  });
});

Then('each of the Secrets is still there', async function (this: World) {
  for (const made of secrets(this)) {
    const there = (await secretOf(this, made)) !== undefined;
    this.expect({
      object: `${nameOf(made)}, ${made.label}`,
      demanded: 'is left alone',
      seen: there ? 'it is there' : 'it was deleted',
      ok: there,
    });
  }
});

Then('each of the Secrets is soon gone', async function (this: World) {
  const seen = await forEach(this, secrets(this), async (made) => ({ made, gone: await goneSoon(this, made) }));
  for (const { made, gone } of seen)
    this.expect({
      object: `${nameOf(made)}, ${made.label}`,
      demanded: 'is deleted within 60 s',
      seen: gone ? 'it is gone' : 'it is still there',
      ok: gone === true,
    });
});

Then('its Secret is soon gone', async function (this: World) {
  const made = this.get(TOKEN);
  const gone = await goneSoon(this, made);
  this.expect({
    object: nameOf(made),
    demanded: 'is deleted within 60 s of its expiration',
    seen: gone ? 'it is gone' : 'it is still there',
    ok: gone === true,
  });
});

Given('its Secret is there', async function (this: World) {
  const made = this.get(TOKEN);
  const there = (await secretOf(this, made)) !== undefined;
  this.control({
    object: nameOf(made),
    demanded: 'is there before its expiration',
    seen: there ? 'it is' : 'it is gone',
    ok: there,
  });
});

When('its expiration is put off by an hour', async function (this: World) {
  await changeToken(this, this.get(TOKEN), { expiration: valueIn('in 1 hour', this.now()) });
});
