/** Service accounts that scenarios make, and the tokens that the API server gives for them. */
import type { Account } from '../../src/checks/authenticators/service-accounts.js';
import { base64, record, text } from '../../src/kubernetes/json.js';
import { ACCOUNT_NAME_ANNOTATION, ACCOUNT_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';

export const NAMESPACE = 'default';

export async function makeAccount(world: World, name = `jp-${world.random(10)}`): Promise<Account> {
  const { metadata } = await world.writes.create<KubeObject>(resources.serviceAccounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace: NAMESPACE },
  });
  return { namespace: NAMESPACE, name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

/** A Secret for a token of an account: it asks for one where it has none. */
export const secretOf = (
  account: Pick<Account, 'name'>,
  name: string,
  more: { readonly labels?: Readonly<Record<string, string>>; readonly token?: string } = {},
): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: ACCOUNT_SECRET_TYPE,
  metadata: {
    name,
    namespace: NAMESPACE,
    ...(more.labels === undefined ? {} : { labels: more.labels }),
    annotations: { [ACCOUNT_NAME_ANNOTATION]: account.name },
  },
  ...(more.token === undefined ? {} : { data: { token: base64(more.token) } }),
});

/** The token that a controller has put into such a Secret; undefined where there is none. No report tells it. */
export async function tokenIn(world: World, secret: string): Promise<string | undefined> {
  const found = await world.objects.get<Secret>(resources.secrets, secret, NAMESPACE);
  const encoded = text(record(found?.data).token);
  if (encoded === '') return undefined;
  const token = Buffer.from(encoded, 'base64').toString();
  world.secret(token);
  world.secret(encoded);
  return token;
}

/** The request for a token of an account. */
export const accountTokenRequest = ({ namespace, name }: Account, spec: object, metadata: object = {}) =>
  ({
    method: 'POST',
    path: `${pathOf(resources.serviceAccounts, { namespace, name })}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec },
  }) as const;

/** A token that the API server signs, and what its answer says of it. */
export interface GivenToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expires: string;
  /** What it was asked for, as the answer has it. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** undefined: it is refused as one that cannot be. Ends the scenario where it gives none for another reason. */
export async function tokenUnlessRefused(
  world: World,
  account: Account,
  spec: object,
): Promise<GivenToken | undefined> {
  const { status, body } = await world.admin.ask(accountTokenRequest(account, spec));
  if (status === 422) return undefined;
  if (status === 403) return world.skip('ability', 'the credential of the run may ask for no token of an account');
  const given = record(record(body).status);
  const token = text(given.token);
  if (token === '') return world.unknown(`a TokenRequest is answered with ${status}, and with no token`);
  world.secret(token);
  return { token, expires: text(given.expirationTimestamp), spec: record(record(body).spec) };
}

/** Ends the scenario where it gives none. */
export const requestToken = async (world: World, account: Account, spec: object): Promise<GivenToken> =>
  (await tokenUnlessRefused(world, account, spec)) ??
  world.unknown('a TokenRequest is answered with 422, and with no token');
