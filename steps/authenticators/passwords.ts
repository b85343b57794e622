/** Sentences about names and passwords. */
import { loginAsWithout } from '../../src/checks/authenticators/authenticated.js';
import { passwordAskedFor, type Told, toldIn } from '../../src/checks/authenticators/login.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { STRANGERS } from '../common/strangers.js';
import { asksAtDoor, grantDoor } from './door.js';

Then('a name and a password say as little as nothing:', STRANGERS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const { heard: nothing } = await asksAtDoor(this, { kind: 'anonymous' }, 'nothing');
  const logins = await forEach(this, table.raw(), async ([name = '', password = '']) => {
    const authorization = [`Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`];
    return asksAtDoor(this, { kind: 'header', authorization }, `the name "${name}" with the password "${password}"`);
  });
  this.check(
    loginAsWithout,
    logins.map((login) => ({ ...login, nothing })),
  );
});

/** Somebody whom nobody knows. */
const refused = async (world: World): Promise<Told[]> => {
  await grantDoor(world);
  const nobody = { kind: 'token', token: 'joinproof-knows-nobody', isPublic: true } as const;
  return [toldIn('a token that nobody knows', await world.as(nobody).ask({ path: '/api' }))];
};

const REQUESTS = { needs: ['requests'] } as const;

Then('who is refused is asked for a name and a password', REQUESTS, async function (this: World) {
  this.check(passwordAskedFor, await refused(this), { wanted: true });
});

Then('who is refused is asked for no password', REQUESTS, async function (this: World) {
  this.check(passwordAskedFor, await refused(this), { wanted: false });
});
