/** Sentences about what is remembered of a token that is used again and again. */
import { isUnauthorized, loginRefused, loginTaken } from '../../src/checks/authenticators/login.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { login } from '../common/login.js';
import { bearer, TOKEN } from '../common/tokens.js';

const WAITS = { needs: ['writes', 'requests'], waits: true } as const;
/** Shorter than a login is remembered, and so often that each of them would be forgotten by then. */
const AGAIN_MS = 4_000;
const TIMES = 6;

Then('its bearer is refused in the end, though it keeps asking', WAITS, async function (this: World) {
  const made = this.get(TOKEN);
  let heard = await login(this, bearer(made));
  for (let time = 0; time < TIMES && !isUnauthorized(heard); time += 1) {
    await this.sleep(AGAIN_MS);
    heard = await login(this, bearer(made));
  }
  this.check(loginRefused, [{ subject: `${made.label}, which keeps asking`, heard }]);
});

/** Shorter than a login is remembered, and longer than a change of a Secret takes to be known. */
const SOON_MS = 6_000;

Then('its bearer logs in before a refusal could be forgotten', WAITS, async function (this: World) {
  const made = this.get(TOKEN);
  let heard = await login(this, bearer(made));
  await this.eventually(SOON_MS, async () => {
    heard = await login(this, bearer(made));
    return isUnauthorized(heard) ? undefined : true;
  });
  this.check(loginTaken, [{ subject: made.label, heard }]);
});
