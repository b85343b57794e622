/** Sentences about an extension API server of ours that stands behind an API server of ours. */
import {
  type HandedOn,
  handedOnWhole,
  handedOnWithout,
  sentIn,
} from '../../src/checks/authenticators/extension-requests.js';
import { extraOf, whoAmI } from '../../src/checks/authenticators/login.js';
import { base64, list, record, records, text } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { ownAuthority } from '../../src/run/own-authority.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Identity } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { knownSoon, login } from '../common/login.js';
import { IN_TIME } from '../common/waiting.js';
import { NAMESPACE } from './accounts.js';
import { firstColumn } from './door.js';
import { madeFor } from './flag-sets.js';
import { groundOf, presented } from './presented.js';

const VERSION = 'v1';
/** The path of its group and version. */
const PATH = slot<string>('an extension API server');

Given(
  'an extension API server of ours stands behind it',
  { needs: ['variants', 'writes', 'requests'], waits: true },
  async function (this: World) {
    this.put(PATH, await this.shared(`what stands behind ${this.target.name}`, () => extend(this)));
  },
);

/** Has the API server hand a group on to a server of ours. Ends the scenario where it does not. */
async function extend(world: World): Promise<string> {
  const name = `jp-${world.random(10)}`;
  const group = `${name}.joinproof.io`;
  const authority = ownAuthority('joinproof-extensions');
  const pair = authority.pair({ commonName: name, dns: [`${name}.${NAMESPACE}.svc`], usages: ['serverAuth'] });
  world.secret(pair.key);
  const { host, port } =
    (await world.main.abilities.variants?.extension(pair)) ?? world.skip('ability', world.main.why('variants'));
  await world.writes.create<KubeObject & { spec: object }>(resources.services, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: NAMESPACE },
    spec: { type: 'ExternalName', externalName: host },
  });
  await world.writes.create<KubeObject & { spec: object }>(resources.apiServices, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${VERSION}.${group}` },
    spec: {
      group,
      version: VERSION,
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { name, namespace: NAMESPACE, port },
      caBundle: base64(authority.pem),
    },
  });
  const path = `/apis/${group}/${VERSION}`;
  const reached = await world.eventually(IN_TIME, async () => {
    const { sent } = sentIn(await world.admin.ask({ path, expects: () => true }));
    return sent === undefined ? undefined : true;
  });
  if (reached === true) return path;
  const found = await world.objects.get<KubeObject>(resources.apiServices, `${VERSION}.${group}`);
  const why = records(record(found?.status).conditions).map(({ message }) => text(message));
  return world.unknown(
    `the API server reaches no extension API server of ours: ${why.join('; ') || 'it says nothing'}`,
  );
}

/** Of his credential, what a header may carry. */
function secretsOf(identity: Identity): readonly string[] {
  switch (identity.kind) {
    case 'token':
      return [identity.token];
    case 'certificate':
      return identity.token === undefined ? [] : [identity.token];
    case 'header':
      return identity.authorization;
    default:
      return [];
  }
}

/** On a busy machine an API server waits too short a time for the one behind it, and says 503 or 504: asked again. */
async function repeated(world: World, ask: () => Promise<Answer>): Promise<Answer> {
  const reached = await world.eventually(IN_TIME, async () => {
    const answer = await ask();
    return answer.status < 500 ? answer : undefined;
  });
  return reached ?? ask();
}

/** What the extension API server is sent of each way to show oneself that a table names. */
async function handedOn(world: World, table: DataTable): Promise<readonly HandedOn[]> {
  const path = world.get(PATH);
  const ground = await groundOf(world, await madeFor(world));
  return forEach(world, firstColumn(table), async (what): Promise<HandedOn> => {
    const { identity, headers = {} } = await presented(what, { ...ground, world });
    const heard = await knownSoon(world, () => login(world, identity, { headers }));
    const who = whoAmI(heard);
    if (who === undefined) return world.unknown(`who shows ${what} is not told who that is`);
    const extra = Object.fromEntries(
      Object.entries(extraOf(heard)).map(([key, values]) => [key, list(values).map(String)]),
    );
    const answer = await repeated(world, () => world.as(identity).ask({ path, headers, expects: () => true }));
    const named = Object.keys(headers).map((name) => name.toLowerCase());
    const { username, uid, groups } = who;
    return { subject: what, ...sentIn(answer), username, uid, groups, extra, named, secrets: secretsOf(identity) };
  });
}

Then('it is told who asks, and sent no credential, whoever shows:', async function (this: World, table: DataTable) {
  this.check(handedOnWithout, await handedOn(this, table));
});

Then(
  /^it is told what else is known( and the UID)? of whoever shows:$/,
  async function (this: World, uid: string | null, table: DataTable) {
    this.check(handedOnWhole, await handedOn(this, table), { uid: uid !== null });
  },
);
