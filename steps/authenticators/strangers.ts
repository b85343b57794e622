/** Sentences about tokens and headers of nobody, which are presented without anything being made. */
import { loginAsWithout } from '../../src/checks/authenticators/authenticated.js';
import { loginNotTaken, loginRefused, loginUnauthorized } from '../../src/checks/authenticators/login.js';
import { type Fields, record, records, text } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import { forged, type Known } from '../../src/run/forged-tokens.js';
import { keyOfKind } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { valueIn } from '../common/tables.js';
import { asksAtDoor, grantDoor } from './door.js';

const REQUESTS = { needs: ['requests'] } as const;
/** Where a proxy answers for strangers, nobody can tell what the API server has read. */
const STRANGERS = { needs: ['requests', 'anonymous'] } as const;
/** Of any type: a key set is application/jwk-set+json, and 406 where another one is asked for. */
function jsonOf(body: string): Fields {
  try {
    return record(JSON.parse(body));
  } catch {
    return {};
  }
}

const told = async (world: World, path: string): Promise<Fields> =>
  jsonOf((await world.admin.ask({ path, headers: { accept: '*/*' } })).text);

/** Who signs tokens of service accounts, as the API server tells whoever logs in; '': it does not. Source: RFC 8414. */
export const tellsIssuer = async (world: World): Promise<string> =>
  text((await told(world, '/.well-known/openid-configuration')).issuer);

/** What the API server tells everybody who logs in. Source: pkg/serviceaccount/openidmetadata.go. */
async function knownOf(world: World): Promise<Known> {
  const issuer = await tellsIssuer(world);
  const keys = records((await told(world, '/openid/v1/jwks')).keys);
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
      return asksAtDoor(this, { kind: 'token', token }, `a token ${how}`);
    });
    this.check(loginRefused, logins);
  },
);

Then('a bearer is refused that shows:', REQUESTS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const logins = await forEach(this, table.raw(), ([what = '', token = '']) =>
    asksAtDoor(this, { kind: 'token', token }, `${what} as a token`),
  );
  this.check(loginUnauthorized, logins);
});

Then('a header says as little as none that is written:', STRANGERS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const { heard: nothing } = await asksAtDoor(this, { kind: 'anonymous' }, 'nothing');
  const logins = await forEach(this, table.raw(), async ([written = '']) => {
    const authorization = [valueIn(written, this.now()) ?? ''];
    return { ...(await asksAtDoor(this, { kind: 'header', authorization }, `a header written ${written}`)), nothing };
  });
  this.check(loginAsWithout, logins);
});

Then('nobody logs in by these headers:', STRANGERS, async function (this: World, table: DataTable) {
  const headers = Object.fromEntries(table.raw().map(([name = '', value = '']) => [name, value]));
  this.check(loginNotTaken, [await asksAtDoor(this, { kind: 'anonymous' }, 'the headers of a proxy', { headers })]);
});
