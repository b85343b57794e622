/** Sentences about a user whose role names the one object that it is about. */
import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import type { Binding, Role } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { onceKnown, RBAC, user as userNamed } from '../common/grants.js';
import { attempts } from './attempts.js';

const WRITES = { needs: ['writes', 'requests', 'ours'], waits: true } as const;
const NAMESPACE = 'default';

/** The ConfigMap need not be there: it is the name that counts. */
interface Reader {
  readonly user: string;
  readonly configMap: string;
}
const READER = slot<Reader>('a user who may read one ConfigMap by its name');

/** Of all ConfigMaps of the namespace, or of one by its name. */
async function reader(world: World, verbs: readonly string[], byName: boolean): Promise<void> {
  const [user, configMap, name] = [`jp-${world.random(10)}`, `jp-${world.random(10)}`, `jp-${world.random(10)}`];
  const metadata = { name, namespace: NAMESPACE };
  const rule = { verbs, apiGroups: [''], resources: ['configmaps'] };
  await world.writes.create<Role>(resources.roles, {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata,
    rules: [byName ? { ...rule, resourceNames: [configMap] } : rule],
  });
  await world.writes.create<Binding>(resources.roleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    subjects: [userNamed(user)],
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
  });
  world.put(READER, { user, configMap });
}

Given('a user who may get, list and watch one ConfigMap by its name', WRITES, async function (this: World) {
  await reader(this, ['get', 'list', 'watch'], true);
});

Given(
  'a user who may {word} the ConfigMaps of a namespace, and nothing else',
  WRITES,
  async function (this: World, verb: string) {
    await reader(this, [verb], false);
  },
);

const one = (name: string, namespace = NAMESPACE): Question => ({
  path: pathOf(resources.configMaps, { namespace, name }),
});
const several = (query: Question['query'], namespace = NAMESPACE): Question => ({
  path: pathOf(resources.configMaps, { namespace }),
  ...(query === undefined ? {} : { query }),
});
const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
const WATCH = { watch: 'true', timeoutSeconds: '1' };

/** By what the features call it. */
const READS: Readonly<Record<string, (configMap: string) => Question>> = {
  'get it': (name) => one(name),
  'list it by its name': (name) => several(named(name)),
  'get another one': (name) => one(`${name}x`),
  'get one of its name in another namespace': (name) => one(name, 'kube-system'),
  'list another one by its name': (name) => several(named(`${name}x`)),
  'list all of its namespace': () => several(undefined),
  'list all but it': (name) => several({ fieldSelector: `metadata.name!=${name}` }),
  'watch all of its namespace': () => several(WATCH),
  'delete all of its namespace': () => ({
    ...several({ dryRun: 'All', labelSelector: 'joinproof.io/no-such-object=true' }),
    method: 'DELETE',
    body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
  }),
  'delete it': (name) => ({ ...one(name), method: 'DELETE', query: { dryRun: 'All' } }),
};

const asked = (world: World, table: DataTable) => {
  const { user, configMap } = world.get(READER);
  return table.raw().map(([what = '']) => {
    const question = READS[what]?.(configMap);
    if (question === undefined) return world.unknown(`the steps know no way to ${what}`);
    return {
      subject: `${what}, as a user of his own rights`,
      question: { ...question, headers: { 'Impersonate-User': user } },
    };
  });
};

/** Not found is let through: nobody has made it. */
const THROUGH = [200, 404];

Then('that user may:', WRITES, async function (this: World, table: DataTable) {
  const requests = asked(this, table);
  const answers = await onceKnown(
    this,
    () => attempts(this, this.admin, requests),
    ({ answer }) => THROUGH.includes(answer.status),
  );
  this.check(requestAllowed, answers, { statuses: THROUGH });
});

Then('that user is forbidden to:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await attempts(this, this.admin, asked(this, table)));
});
