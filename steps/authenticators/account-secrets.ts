/** Sentences about Secrets that ask for tokens of service accounts, and what becomes of them. */
import type { Account } from '../../src/checks/authenticators/service-accounts.js';
import { isDeleted, isThere } from '../../src/checks/common/presence.js';
import { base64, record, text } from '../../src/kubernetes/json.js';
import { ACCOUNT_UID_ANNOTATION } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { presenceOf } from '../common/presence.js';
import { soon } from '../common/soon.js';
import { IN_TIME } from '../common/waiting.js';
import { makeAccount, NAMESPACE, secretOf, tokenIn } from './accounts.js';

const CONTROLLED = { needs: ['writes', 'controllers'], waits: true } as const;
const NO_UID = '00000000-0000-4000-8000-000000000000';

/** Names of Secrets by what the features call them, and the account that some of them are of. */
interface Asking {
  readonly account: Account;
  /** Its own. */
  readonly own: string;
  readonly names: Readonly<Record<string, string>>;
}
const ASKING = slot<Asking>('Secrets that ask for tokens of service accounts');

Given('Secrets that ask for tokens of service accounts', CONTROLLED, async function (this: World) {
  const account = await makeAccount(this);
  const name = this.random(10);
  const secrets: Readonly<Record<string, Secret>> = {
    'the one of the account': secretOf(account, `jp-${name}`),
    'the one of an account that is not there': secretOf({ name: `${account.name}x` }, `jp-${name}0`),
    'the one of an account of that name and another UID': annotated(secretOf(account, `jp-${name}00`)),
  };
  for (const secret of Object.values(secrets)) await this.writes.create<Secret>(resources.secrets, secret);
  const names = Object.entries(secrets).map(([what, { metadata }]) => [what, metadata.name ?? ''] as const);
  this.put(ASKING, { account, own: `jp-${name}`, names: Object.fromEntries(names) });
});

const annotated = (secret: Secret): Secret => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [ACCOUNT_UID_ANNOTATION]: NO_UID } },
});

Then('the Secret of the account is soon given a token', CONTROLLED, async function (this: World) {
  const parameters = { demanded: 'is soon given a token' };
  const { own } = this.get(ASKING);
  this.lookAfresh();
  const look = async () => [{ subject: 'the Secret of an account', there: (await tokenIn(this, own)) !== undefined }];
  this.check(isThere, await soon(this, { check: isThere, within: IN_TIME, parameters }, look), parameters);
});

const ROOT = 'ca.crt';
const rootIn = async (world: World): Promise<string> =>
  text(record((await world.objects.get<Secret>(resources.secrets, world.get(ASKING).own, NAMESPACE))?.data)[ROOT]);
/** What was in the Secret before it was written over. */
const OWN_ROOT = slot<string>('the root certificate in the Secret of an account');

When('another root certificate is put in the Secret of the account', CONTROLLED, async function (this: World) {
  const own = await rootIn(this);
  if (own === '') this.unknown('there is no root certificate in the Secret of an account');
  this.put(OWN_ROOT, own);
  const data = { [ROOT]: base64('made by joinproof') };
  await this.writes.patch(resources.secrets, this.get(ASKING).own, NAMESPACE, { data });
});

Then('it soon has that of the cluster again', CONTROLLED, async function (this: World) {
  const parameters = { demanded: 'is soon that of the cluster' };
  this.lookAfresh();
  const look = async () => [
    { subject: 'the root certificate in the Secret of an account', there: (await rootIn(this)) === this.get(OWN_ROOT) },
  ];
  this.check(isThere, await soon(this, { check: isThere, within: IN_TIME, parameters }, look), parameters);
});

When('the account of the first one is deleted', CONTROLLED, async function (this: World) {
  await this.writes.delete(resources.serviceAccounts, this.get(ASKING).account.name, NAMESPACE);
});

Then('of those Secrets these are soon gone:', CONTROLLED, async function (this: World, table: DataTable) {
  const parameters = { demanded: 'is soon deleted' };
  const { names } = this.get(ASKING);
  this.lookAfresh();
  const look = () => presenceOf(this, table, { resource: resources.secrets, namespace: NAMESPACE, names });
  this.check(isDeleted, await soon(this, { check: isDeleted, within: IN_TIME, parameters }, look), parameters);
});
