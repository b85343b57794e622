/** Sentences about what one write after another comes to: who is held to have written, and what is not done twice. */
import { readSaying, type Saying, saysJustThat } from '../../src/checks/common/sayings.js';
import { record, records, text } from '../../src/kubernetes/json.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Question } from '../../src/targets/types.js';
import { podObject } from '../common/node-client.js';
import { DEFAULT, ownSecret, secretAt } from '../common/secrets.js';
import { DRY, triedPatch } from '../common/trials.js';
import { NODE, POD } from './ended-pods.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** A binding is no object that could be marked. */
const OURS = { needs: ['writes', 'requests', 'ours'] } as const;
const PODS = pathOf(resources.pods, { namespace: DEFAULT });

const KEPT = slot<string>('a Secret that twelve managers have written to');
const MANAGERS = 12;
const LABEL = 'joinproof.invalid/by';
const asManager = (question: Question, fieldManager: string, query: object = {}): Question => ({
  ...question,
  query: { ...query, fieldManager },
});

Given('a Secret that twelve managers have written to', WRITES, async function (this: World) {
  const name = this.put(KEPT, `jp-${this.random(10)}`);
  await this.writes.create<Secret>(resources.secrets, ownSecret(name));
  for (let index = 1; index <= MANAGERS; index += 1) {
    const patch = triedPatch(secretAt(name), 'merge', { metadata: { labels: { [`${LABEL}-${index}`]: 'yes' } } });
    const { status } = await this.admin.ask(asManager(patch, `jp-${index}`));
    if (status !== 200) this.unknown(`a patch of a Secret of the run is answered with ${status}`);
  }
});

/** The same answer, of which something that is counted is looked at. */
const counted = (answer: Answer, body: unknown): Answer => ({ ...answer, body });

/** Source: apimachinery, pkg/util/managedfields/internal/capmanagers.go. */
Then('the latest of them are held, and the others are held as one', WRITES, async function (this: World) {
  const answer = await this.admin.ask({ path: secretAt(this.get(KEPT)) });
  const managers = records(record(record(answer.body).metadata).managedFields).map(({ manager }) => text(manager));
  const held = {
    managers: managers.length,
    earliest: managers.includes('ancient-changes'),
    first: managers.includes('jp-1'),
    latest: managers.includes(`jp-${MANAGERS}`),
  };
  const says = { managers: '10', earliest: 'true', first: 'false', latest: 'true' };
  this.check(saysJustThat, [readSaying('the managers of that Secret', { status: 200, says }, counted(answer, held))]);
});

/** Source: apimachinery, pkg/util/managedfields/internal/managedfields.go DecodeManagedFields; capmanagers.go. */
Then('who puts one of nothing in their place leaves none', WRITES, async function (this: World) {
  const patch = triedPatch(secretAt(this.get(KEPT)), 'merge', { metadata: { managedFields: [{}] } });
  const wanted = { status: 200, says: { kind: 'Secret', 'metadata.managedFields': '' } };
  this.check(saysJustThat, [readSaying('a Secret of no manager', wanted, await this.admin.ask(patch))]);
});

/** Source: apimachinery, pkg/util/managedfields/internal/skipnonapplied.go. */
Then('who first applies what nobody has written to is not all that has', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  await this.writes.create<Secret>(resources.secrets, ownSecret(name));
  const cleared = { ...triedPatch(secretAt(name), 'merge', { metadata: { managedFields: [{}] } }), query: {} };
  const { status } = await this.admin.ask(cleared);
  if (status !== 200) this.unknown(`a patch of a Secret of the run is answered with ${status}`);
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels: { [LABEL]: 'first' } } };
  const apply = asManager(triedPatch(secretAt(name), 'apply', JSON.stringify(body)), 'jp-first', DRY);
  const answer = await this.admin.ask(apply);
  const held = records(record(record(answer.body).metadata).managedFields).map(
    ({ manager, operation }) => `${text(manager)} ${text(operation)}`,
  );
  const says = { managers: '["before-first-apply Update","jp-first Apply"]' };
  const seen = counted(answer, { managers: held.sort() });
  this.check(saysJustThat, [readSaying('a first apply', { status: 200, says }, seen)]);
});

const CONDITIONS = ['joinproof.invalid/one', 'joinproof.invalid/two'] as const;
/** Source: apimachinery, pkg/util/managedfields; structured-merge-diff, merge/update.go prune. */
Then(
  'who applies less of a status than he has takes that away, and nothing else',
  WRITES,
  async function (this: World) {
    const name = `jp-${this.random(10)}`;
    await this.writes.create<KubeObject>(resources.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    const path = pathOf(resources.nodes, { name, subresource: 'status' });
    const applying = (types: readonly string[]): Question => {
      const conditions = types.map((type) => ({ type, status: 'True' }));
      const body = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { conditions } };
      return triedPatch(path, 'apply', JSON.stringify(body));
    };
    const { status } = await this.admin.ask(asManager(applying(CONDITIONS), 'jp-status'));
    if (status !== 200) this.unknown(`an apply of the status of a Node of the run is answered with ${status}`);
    const answer = await this.admin.ask(asManager(applying(CONDITIONS.slice(0, 1)), 'jp-status', DRY));
    const left = records(record(record(answer.body).status).conditions).map(({ type }) => text(type));
    const says = { one: 'true', two: 'false' };
    const [one, two] = CONDITIONS.map((type) => left.includes(type));
    this.check(saysJustThat, [
      readSaying('a status of which less is applied', { status: 200, says }, counted(answer, { one, two })),
    ]);
  },
);

/** Source: apimachinery, pkg/util/managedfields/internal/conflict.go. */
Then('who applies what is of another is told of whom it is, and where', WRITES, async function (this: World) {
  const name = this.get(KEPT);
  const label = `${LABEL}-${MANAGERS}`;
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels: { [label]: 'no' } } };
  const apply = asManager(triedPatch(secretAt(name), 'apply', JSON.stringify(body)), 'jp-other', DRY);
  const whose = `conflict with "jp-${MANAGERS}" using v1`;
  const field = `.metadata.labels.${label}`;
  const says = {
    reason: 'Conflict',
    message: `Apply failed with 1 conflict: ${whose}: ${field}`,
    'details.causes.0.reason': 'FieldManagerConflict',
    'details.causes.0.message': whose,
    'details.causes.0.field': field,
  };
  const answer = await this.admin.ask(apply);
  this.check(saysJustThat, [readSaying('an apply of what is of another', { status: 409, says }, answer)]);
});

/** Source: pkg/registry/core/pod/storage/storage.go setPodNodeAndMetadata. */
Then('it is not bound again, be it to its Node', OURS, async function (this: World) {
  const [name, node] = [this.get(POD), this.get(NODE)];
  const seen: Saying[] = [];
  for (const [what, other] of [
    ['its Node', node],
    ['another Node', `${node}x`],
  ] as const) {
    const target = { apiVersion: 'v1', kind: 'Node', name: other };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: DEFAULT }, target };
    const answer = await this.admin.ask({ method: 'POST', path: `${PODS}/${name}/binding`, query: DRY, body });
    const message = `Operation cannot be fulfilled on pods/binding "${name}": pod ${name} is already assigned to node "${node}"`;
    seen.push(
      readSaying(`a binding of the Pod to ${what}`, { status: 409, says: { reason: 'Conflict', message } }, answer),
    );
  }
  this.check(saysJustThat, seen);
});

/** No scheduler takes it; its finalizer holds it. Source: pkg/registry/core/pod/storage/storage.go setPodNodeAndMetadata. */
Then('a Pod that is being deleted is not bound', OURS, async function (this: World) {
  const { metadata, spec } = podObject(this, '');
  const { nodeName: _none, ...elsewhere } = record(spec);
  const waiting = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, finalizers: [`${OWN_FINALIZERS}held`] },
    spec: { ...elsewhere, schedulerName: 'joinproof.invalid' },
  };
  const { name = '' } = (await this.writes.create<KubeObject>(resources.pods, waiting)).metadata;
  await this.admin.ask({ method: 'DELETE', path: `${PODS}/${name}` });
  const target = { apiVersion: 'v1', kind: 'Node', name: this.get(NODE) };
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: DEFAULT }, target };
  const answer = await this.admin.ask({ method: 'POST', path: `${PODS}/${name}/binding`, query: DRY, body });
  const message = `Operation cannot be fulfilled on pods/binding "${name}": pod ${name} is being deleted, cannot be assigned to a host`;
  const wanted = { status: 409, says: { reason: 'Conflict', message } };
  this.check(saysJustThat, [readSaying('a binding of a Pod that is being deleted', wanted, answer)]);
});

/** Source: apiserver, pkg/registry/rest/delete.go BeforeDelete. */
Then('its deletion makes it of another generation', WRITES, async function (this: World) {
  const path = `${PODS}/${this.get(POD)}`;
  const { generation = 0 } =
    (await this.objects.get<KubeObject>(resources.pods, this.get(POD), DEFAULT))?.metadata ?? {};
  const says = { kind: 'Pod', 'metadata.generation': String(generation + 1) };
  const seen = [
    readSaying(
      'the Pod, by a deletion',
      { status: 200, says },
      await this.admin.ask({ method: 'DELETE', path, query: DRY }),
    ),
  ];
  this.check(saysJustThat, seen);
});

const nodesBy = (node: string, unschedulable: string): Question => ({
  path: pathOf(resources.nodes),
  query: { fieldSelector: `metadata.name=${node},spec.unschedulable=${unschedulable}` },
});

/** Source: pkg/registry/core/node/strategy.go NodeToSelectableFields. */
Then(
  'a list of Nodes that are not closed holds it, and one of those that are does not',
  WRITES,
  async function (this: World) {
    const node = this.get(NODE);
    const seen: Saying[] = [];
    for (const [unschedulable, name] of [
      ['false', node],
      ['true', ''],
    ] as const) {
      const answer = await this.admin.ask(nodesBy(node, unschedulable));
      const says = { kind: 'NodeList', 'items.0.metadata.name': name };
      seen.push(readSaying(`a list of Nodes by spec.unschedulable=${unschedulable}`, { status: 200, says }, answer));
    }
    this.check(saysJustThat, seen);
  },
);
