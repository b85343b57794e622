/** Sentences about a token beside other credentials, and about what a refused login tells. */
import {
  heardIn,
  type Login,
  loginForbiddenByName,
  loginRefused,
  loginRefusedAlike,
  type OfToken,
  type Told,
  toldIn,
} from '../../src/checks/authenticators/login.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import { strangersPair } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { grantLogin, grantSomething, OTHER_TOKEN, TOKEN, TOKENS } from '../common/tokens.js';
import { writtenAs } from './presented-tokens.js';

const SECRETS = pathOf(resources.secrets, { namespace: KUBE_SYSTEM });

/** Whom a server takes somebody for shows in what it forbids him, on every release. */
async function forbidden(world: World, identity: Identity, subject: string): Promise<Login> {
  const { status, body } = await world.as(identity).ask({ path: SECRETS });
  return { subject: `${subject}, list secrets`, heard: heardIn({ status, body }) };
}

/** Where a proxy answers for strangers, nobody can tell what the API server has read. */
const STRANGERS = { needs: ['anonymous'] } as const;

Then('of both their tokens in two headers the first one logs in', STRANGERS, async function (this: World) {
  const both = [this.get(TOKEN), this.get(OTHER_TOKEN)];
  const seen: OfToken[] = [];
  for (const [first, second] of [both, both.toReversed()]) {
    if (first === undefined || second === undefined) continue;
    await grantSomething(this, first);
    const authorization = [`Bearer ${first.token}`, `Bearer ${second.token}`];
    seen.push({ ...(await forbidden(this, { kind: 'header', authorization }, first.label)), id: first.id });
  }
  this.check(loginForbiddenByName, seen);
});

Then('beside a certificate of a stranger its bearer is who its token says', async function (this: World) {
  const made = this.get(TOKEN);
  await grantSomething(this, made);
  const identity: Identity = {
    kind: 'certificate',
    ...strangersPair('system:node:jp-stranger', []),
    token: made.token,
  };
  this.check(loginForbiddenByName, [{ ...(await forbidden(this, identity, made.label)), id: made.id }]);
});

Then('beside a certificate of a stranger a wrong secret is refused', async function (this: World) {
  const token = writtenAs(this, '<id>.<another secret>');
  const identity: Identity = { kind: 'certificate', ...strangersPair('system:node:jp-stranger', []), token };
  this.check(loginRefused, [await forbidden(this, identity, 'a wrong secret beside a certificate of a stranger')]);
});

const told = async (world: World, token: string, subject: string): Promise<Told> =>
  toldIn(subject, await world.as({ kind: 'token', token }).ask({ path: '/api' }));

Then('the good one logs in and nobody is told why the others do not', async function (this: World) {
  await grantLogin(this, this.get(TOKEN));
  const others = await forEach(this, this.get(TOKENS), ({ token, label }) => told(this, token, label));
  this.check(loginRefusedAlike, others);
});

Then('nobody is told why a login is refused that writes it as:', async function (this: World, table: DataTable) {
  const rows = column(table);
  const { label } = this.get(TOKEN);
  const refused = await forEach(this, rows, (text) =>
    told(this, writtenAs(this, text), `${label}, written as ${text}`),
  );
  this.check(loginRefusedAlike, refused);
});
