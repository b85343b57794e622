/** Sentences about tokens and headers of nobody, which are presented without anything being made. */
import { requestAllowed } from '../../src/checks/access.js';
import { loginAsWithout } from '../../src/checks/authenticated.js';
import { heardIn, type Login, loginNotTaken, loginRefused, loginUnauthorized } from '../../src/checks/login.js';
import { type Fields, record, records, text } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import { forged, type Known } from '../../src/run/forged-tokens.js';
import { keyOfKind } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import type { Identity, Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { valueIn } from '../common/tables.js';

const REQUESTS = { needs: ['requests'] } as const;
/** Where a proxy answers for strangers, nobody can tell what the API server has read. */
const STRANGERS = { needs: ['requests', 'anonymous'] } as const;
/** Who logs in may read it; strangers may not, and read it nowhere. */
const DOOR = { path: '/api' } as const;

async function asks(world: World, identity: Identity, subject: string, more: Partial<Question> = {}): Promise<Login> {
  return { subject, heard: heardIn(await world.as(identity).ask({ ...DOOR, ...more })) };
}

/** The positive control: whoever is known is let in at the same door. */
async function grantDoor(world: World): Promise<void> {
  const { status, body } = await world.admin.ask(DOOR);
  const subject = 'GET /api as the administrator';
  world.grant(requestAllowed, [{ subject, answer: heardIn({ status, body }) }], {});
}

/** Of any type: a key set is application/jwk-set+json, and 406 where another one is asked for. */
function jsonOf(body: string): Fields {
  try {
    return record(JSON.parse(body));
  } catch {
    return {};
  }
}

/** What the API server tells everybody who logs in. Source: RFC 8414; pkg/serviceaccount/openidmetadata.go. */
async function knownOf(world: World): Promise<Known> {
  const told = async (path: string) => jsonOf((await world.admin.ask({ path, headers: { accept: '*/*' } })).text);
  const issuer = text((await told('/.well-known/openid-configuration')).issuer);
  const keys = records((await told('/openid/v1/jwks')).keys);
  const account = await world.objects.get(resources.serviceAccounts, 'default', KUBE_SYSTEM);
  if (issuer === '' || keys.length === 0)
    return world.skip(
      'nothing',
      'the API server tells neither who signs tokens of service accounts nor with which key',
    );
  if (account === undefined) return world.skip('nothing', 'there is no ServiceAccount default in kube-system');
  return {
    issuer,
    keys,
    account: { namespace: KUBE_SYSTEM, name: 'default', uid: account.metadata.uid ?? '' },
    stranger: await keyOfKind(keys[0]?.kty === 'RSA' ? 'RSA-2048' : 'ECDSA-P256'),
    now: Math.floor(world.now() / 1000),
  };
}

Then(
  'a token of a service account is refused that is:',
  { needs: ['requests', 'objects'] },
  async function (this: World, table: DataTable) {
    const known = await knownOf(this);
    await grantDoor(this);
    const logins = await forEach(this, table.raw(), async ([how = '']) => {
      const token = forged(how, known);
      if (token === undefined) return this.unknown(`nobody knows how a token is made that is ${how}`);
      return asks(this, { kind: 'token', token }, `a token ${how}`);
    });
    this.check(loginRefused, logins);
  },
);

Then('a bearer is refused that shows:', REQUESTS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const logins = await forEach(this, table.raw(), ([what = '', token = '']) =>
    asks(this, { kind: 'token', token }, `${what} as a token`),
  );
  this.check(loginUnauthorized, logins);
});

Then('a header says as little as none that is written:', STRANGERS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const { heard: nothing } = await asks(this, { kind: 'anonymous' }, 'nothing');
  const logins = await forEach(this, table.raw(), async ([written = '']) => {
    const authorization = [valueIn(written, this.now()) ?? ''];
    return { ...(await asks(this, { kind: 'header', authorization }, `a header written ${written}`)), nothing };
  });
  this.check(loginAsWithout, logins);
});

Then('nobody logs in by these headers:', STRANGERS, async function (this: World, table: DataTable) {
  const headers = Object.fromEntries(table.raw().map(([name = '', value = '']) => [name, value]));
  this.check(loginNotTaken, [await asks(this, { kind: 'anonymous' }, 'the headers of a proxy', { headers })]);
});
