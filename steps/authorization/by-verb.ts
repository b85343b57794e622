/** Sentences about users who hold one right each, and about every request that may be made where they hold it. */

import { letThroughToThose, type Requests } from '../../src/checks/authorization/let-through.js';
import type { KubeObject, PolicyRule, Role } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { apiVersionOf, pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { clusterRole, onceKnown, roleBinding, user as userNamed } from '../common/grants.js';
import { listedIn } from '../common/tables.js';
import { DRY, triedPatch } from '../common/trials.js';
import { attempts } from './attempts.js';

const WRITES = { needs: ['writes', 'requests', 'ours'], waits: true } as const;
const NAMESPACE = 'default';
const NO_OBJECT = { labelSelector: 'joinproof.io/no-such-object=true' };

/** Two objects of the scenario's own; nobody has made another of a name with an x behind it. */
const OWN = slot<string>('a ConfigMap and a Lease of one name');

const made = (resource: typeof resources.configMaps, name: string): KubeObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata: { name, namespace: NAMESPACE },
});

Given('a ConfigMap and a Lease of one name', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  await this.writes.create(resources.configMaps, made(resources.configMaps, name));
  await this.writes.create(resources.leases, made(resources.leases, name));
  this.put(OWN, name);
});

const maps = (name?: string): string =>
  pathOf(resources.configMaps, { namespace: NAMESPACE, ...(name === undefined ? {} : { name }) });
const leases = (name: string): string => pathOf(resources.leases, { namespace: NAMESPACE, name });
const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
const WATCH = { watch: 'true', timeoutSeconds: '1' };
const applied = (name: string): Question => ({
  method: 'PATCH',
  path: maps(name),
  query: { ...DRY, fieldManager: 'joinproof', force: 'true' },
  contentType: PATCH_TYPES.apply,
  body: JSON.stringify(made(resources.configMaps, name)),
});
const deletion = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] };

/** By what the features call it, in the words that are shown. */
export const REQUESTS: Readonly<Record<string, (name: string) => Question>> = {
  'get it': (name) => ({ path: maps(name) }),
  'list all': () => ({ path: maps() }),
  'list it by its name': (name) => ({ path: maps(), query: named(name) }),
  'watch all': () => ({ path: maps(), query: WATCH }),
  'watch it by its name': (name) => ({ path: maps(), query: { ...WATCH, ...named(name) } }),
  'watch all by the old path': () => ({
    path: maps().replace('/v1/', '/v1/watch/'),
    query: WATCH,
  }),
  'make one': (name) => ({ method: 'POST', path: maps(), query: DRY, body: made(resources.configMaps, `${name}x`) }),
  'replace it': (name) => ({ method: 'PUT', path: maps(name), query: DRY, body: made(resources.configMaps, name) }),
  'put a Lease that is not there': (name) => ({
    method: 'PUT',
    path: leases(`${name}x`),
    query: DRY,
    body: made(resources.leases, `${name}x`),
  }),
  'patch it': (name) => triedPatch(maps(name), 'merge', {}),
  'apply it': applied,
  'apply one that is not there': (name) => applied(`${name}x`),
  'delete it': (name) => ({ method: 'DELETE', path: maps(name), query: DRY, body: deletion }),
  'delete all': () => ({ method: 'DELETE', path: maps(), query: { ...DRY, ...NO_OBJECT }, body: deletion }),
};

/** Everybody of these holds his rights in the one namespace. */
async function holder(world: World, rule: PolicyRule): Promise<string> {
  const [user, role] = [`jp-${world.random(10)}`, `jp-${world.random(10)}`];
  await world.writes.create<Role>(resources.clusterRoles, clusterRole(role, [rule]));
  await world.writes.create(resources.roleBindings, roleBinding([NAMESPACE, role], role, userNamed(user)));
  return user;
}

async function answersOf(
  world: World,
  who: { readonly user: string; readonly subject: string; readonly wanted: readonly string[] },
  requests: Readonly<Record<string, (name: string) => Question>>,
): Promise<Requests> {
  const name = world.get(OWN);
  const ask = async (wanted: readonly string[]) => {
    const asked = wanted.map((what) => {
      const question = requests[what]?.(name) ?? world.unknown(`the steps know no way to ${what}`);
      return { subject: what, question: { ...question, headers: { 'Impersonate-User': who.user } } };
    });
    return attempts(world, world.admin, asked);
  };
  // a new role is not known at once
  await onceKnown(
    world,
    () => ask(who.wanted),
    ({ answer }) => answer.status !== 403,
  );
  const answers = await ask(Object.keys(requests));
  return {
    subject: who.subject,
    wanted: who.wanted,
    answers: answers.map(({ subject, answer }) => ({ request: subject, answer })),
  };
}

Then(
  'who may do this with both in their namespace is let through to just that:',
  WRITES,
  async function (this: World, table: DataTable) {
    const all = await forEach(this, table.hashes(), async ({ verbs = '', requests }) => {
      const rule = {
        verbs: listedIn(verbs),
        apiGroups: ['', 'coordination.k8s.io'],
        resources: ['configmaps', 'leases'],
      };
      const user = await holder(this, rule);
      return answersOf(this, { user, subject: `who may ${verbs}`, wanted: listedIn(requests) }, REQUESTS);
    });
    this.check(letThroughToThose, all);
  },
);
