/** Sentences about roles and bindings that somebody has changed in a cluster of ours, and the setup that repairs them. */
import { asBefore, contentOf, type Restored, reallyChanged } from '../../src/checks/authorization/binding-subjects.js';
import { GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import type { Binding, Role } from '../../src/kubernetes/objects.js';
import { type Resource, resourceOfKind } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

/** Each by its kind and name: "Role kube-public/x". */
const CHANGED = slot<readonly Omit<Restored, 'after'>[]>('changed roles and bindings');

type Either = Binding & Role;

function placeOf(world: World, subject: string): { resource: Resource; name: string; namespace: string | undefined } {
  const [kind = '', path = ''] = subject.split(' ');
  const [name = '', namespace] = path.split('/').toReversed();
  const resource = resourceOfKind(kind) ?? world.unknown(`the steps know no kind "${kind}"`);
  return { resource, name, namespace };
}

async function contentIn(world: World, subject: string): Promise<string> {
  const { resource, name, namespace } = placeOf(world, subject);
  return contentOf(await world.objects.get<Either>(resource, name, namespace));
}

const EVERYBODY = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: GROUP_AUTHENTICATED };
const SECRETS = { verbs: ['get'], apiGroups: [''], resources: ['secrets'] };

/** Merge patches, by what the features call them. */
const CHANGES: Readonly<Record<string, (object: Either) => object>> = {
  'binds nobody': () => ({ subjects: null }),
  'binds everybody as well': ({ subjects = [] }) => ({ subjects: [...subjects, EVERYBODY] }),
  'grants nothing': () => ({ rules: [] }),
  'grants Secrets as well': ({ rules }) => ({ rules: [...(rules ?? []), SECRETS] }),
};

/** Other scenarios look at the same variant: they are not played at the same time. */
Given(
  'there somebody has changed:',
  { needs: ['writes'], exclusive: 'bindings of a variant' },
  async function (this: World, table: DataTable) {
    const changed: Omit<Restored, 'after'>[] = [];
    for (const { object: subject = '', change = '' } of table.hashes()) {
      const { resource, name, namespace } = placeOf(this, subject);
      const found = await this.objects.get<Either>(resource, name, namespace);
      const patch = CHANGES[change] ?? this.unknown(`the steps know no change "${change}"`);
      if (found !== undefined) await this.writes.patch(resource, name, namespace, patch(found));
      changed.push({ subject, before: contentOf(found), changed: await contentIn(this, subject) });
    }
    this.put(CHANGED, changed);
    this.grant(
      reallyChanged,
      changed.map((one) => ({ ...one, after: '' })),
    );
  },
);

Then('each of them is as it was before', async function (this: World) {
  const restored: Restored[] = [];
  for (const one of this.get(CHANGED)) restored.push({ ...one, after: await contentIn(this, one.subject) });
  this.check(asBefore, restored);
});
