/** Sentences about what is being deleted, and who holds it. */
import { requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { isDeleted, isThere } from '../../src/checks/common/presence.js';
import { list, record } from '../../src/kubernetes/json.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { DEFAULT, ownSecret, secretAt } from '../common/secrets.js';
import { triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const HOLDERS = ['one', 'two'].map((end) => OWN_FINALIZERS + end);
const NEW = `${OWN_FINALIZERS}three`;
const HELD = slot<string>('a Secret that is being deleted');

const stored = (world: World): Promise<Secret | undefined> =>
  world.objects.get<Secret>(resources.secrets, world.get(HELD), DEFAULT);

Given('a Secret that is being deleted, and held by two finalizers', WRITES, async function (this: World) {
  const name = this.put(HELD, `jp-${this.random(10)}`);
  await this.writes.create<Secret>(resources.secrets, ownSecret(name, { finalizers: HOLDERS }));
  await this.writes.delete(resources.secrets, name, DEFAULT);
  const there = (await stored(this))?.metadata.deletionTimestamp !== undefined;
  this.grant(isThere, [{ subject: 'a Secret that was deleted', there }], { demanded: 'waits for its finalizers' });
});

const tried = (name: string, kind: 'merge' | 'json', body: unknown): Question => triedPatch(secretAt(name), kind, body);
const ADDING: Readonly<Record<string, (name: string) => Question>> = {
  'a merge patch': (name) => tried(name, 'merge', { metadata: { finalizers: [...HOLDERS, NEW] } }),
  'a JSON patch': (name) => tried(name, 'json', [{ op: 'add', path: '/metadata/finalizers/-', value: NEW }]),
};

Then('no finalizer is added by:', WRITES, async function (this: World, table: DataTable) {
  const name = this.get(HELD);
  const harmless = tried(name, 'merge', { metadata: { labels: { a: 'b' } } });
  const subject = 'a patch of its labels';
  this.grant(requestAllowed, await attempts(this, this.admin, [{ subject, question: harmless }]), {});
  const wanted = table.raw().map(([what = '']) => ({
    subject: what,
    question: (ADDING[what] ?? this.unknown(`the steps know no change that is "${what}"`))(name),
  }));
  this.check(requestRefused, await attempts(this, this.admin, wanted), { statuses: [422] });
});

Then('it is there until both are taken away', WRITES, async function (this: World) {
  const name = this.get(HELD);
  const leave = (finalizers: readonly string[]) =>
    this.writes.patch(resources.secrets, name, DEFAULT, { metadata: { finalizers } });
  await leave(HOLDERS.slice(1));
  const half = (await stored(this)) !== undefined;
  this.check(isThere, [{ subject: 'the Secret, once one of two has let go', there: half }], { demanded: 'is there' });
  if (!half) return;
  await leave([]);
  const there = (await stored(this)) !== undefined;
  this.check(isDeleted, [{ subject: 'the Secret, once both have let go', there }], { demanded: 'is gone' });
});

Then('a patch that takes both away, and is only tried, leaves it there', WRITES, async function (this: World) {
  const question = tried(this.get(HELD), 'merge', { metadata: { finalizers: null } });
  const subject = 'a patch that takes both finalizers away, and is only tried';
  const { status } = await this.admin.ask(question);
  const held = list((await stored(this))?.metadata.finalizers).length === HOLDERS.length;
  const there = status === 200 ? held : undefined;
  this.check(isThere, [{ subject: `the Secret, after ${subject}`, there }], { demanded: 'is there, and held' });
});

/** It goes through, and leaves that time as it was. */
Then('a patch does not take back that it is being deleted', WRITES, async function (this: World) {
  const body = { metadata: { deletionTimestamp: null, labels: { a: 'b' } } };
  const answer = await this.admin.ask(tried(this.get(HELD), 'merge', body));
  const subject = 'a patch of its labels and the time of its deletion';
  const time = record(record(answer.body).metadata).deletionTimestamp;
  const there = answer.status === 200 ? time !== undefined : undefined;
  this.check(isThere, [{ subject: `the time of its deletion, after ${subject}`, there }], { demanded: 'is there' });
});
