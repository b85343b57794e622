/** Service accounts that scenarios make, and the tokens that the API server gives for them. */
import type { Account } from '../../src/checks/service-accounts.js';
import { record, text } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
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

/** A token that the API server signs. Ends the scenario where it gives none. */
export async function requestToken(world: World, { namespace, name }: Account, spec: object): Promise<string> {
  const { status, body } = await world.admin.ask({
    method: 'POST',
    path: `${pathOf(resources.serviceAccounts, { namespace, name })}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {}, spec },
  });
  if (status === 403) return world.skip('ability', 'the credential of the run may ask for no token of an account');
  const token = text(record(record(body).status).token);
  if (token === '') return world.unknown(`a TokenRequest is answered with ${status}, and with no token`);
  world.secret(token);
  return token;
}
