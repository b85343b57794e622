/** Sentences about what an API server stores of an object, what it keeps, and what it lists. */

import { requestAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { listHolds, readList } from '../../src/checks/bootstrap-tokens/lists.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isAbsent, isThere } from '../../src/checks/common/presence.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { base64, record, records, text } from '../../src/kubernetes/json.js';
import { KUBE_PUBLIC, SIGNER_APISERVER_CLIENT } from '../../src/kubernetes/names.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';
import { administrator, ask } from '../common/csr-requests.js';
import { wantedRequest } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { ownSecret, SECRETS, secretAt } from '../common/secrets.js';
import { DRY, triedPatch } from '../common/trials.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
const LONG_AGO = '2017-03-10T03:22:11Z';
const SAID_UID = '00000000-0000-4000-8000-000000000000';

const post = (object: KubeObject): Question => ({ method: 'POST', path: SECRETS, query: DRY, body: object });

/** What is the server's to say of a new object, by what the features call it. */
const SAID: Readonly<Record<string, readonly [field: string, value: unknown]>> = {
  'its UID': ['uid', SAID_UID],
  'the time of its creation': ['creationTimestamp', LONG_AGO],
  'the time of its deletion': ['deletionTimestamp', LONG_AGO],
  'the time it has to end': ['deletionGracePeriodSeconds', 30],
};

Then('what the maker of a Secret says of these is not held:', WRITES, async function (this: World, table: DataTable) {
  const held = await forEach(this, table.raw(), async ([what = '']) => {
    const [field, value] = SAID[what] ?? this.unknown(`the steps know nothing that is "${what}"`);
    const subject = `a Secret whose maker says ${what}`;
    const answer = await this.admin.ask(post(ownSecret(`jp-${this.random(10)}`, { [field]: value })));
    this.grant(requestAllowed, [{ subject, answer: seenIn(answer) }], {});
    const said = record(record(answer.body).metadata)[field];
    return { subject: `${what}, as its maker says it`, there: said === value };
  });
  this.check(isAbsent, held, { demanded: 'is not what is stored' });
});

export const ODD: Readonly<Record<string, (name: string) => Question>> = {
  'made, of another namespace than its path': (name) => post(ownSecret(name, { namespace: 'kube-system' })),
  'replaced by one of another name': (name) => replaced(name, ownSecret(`${name}x`)),
  'replaced by one of another namespace': (name) => replaced(name, ownSecret(name, { namespace: 'kube-system' })),
};
const replaced = (name: string, object: Secret): Question => ({
  method: 'PUT',
  path: secretAt(name),
  query: DRY,
  body: object,
});
const patched = (name: string, body: object): Question => triedPatch(secretAt(name), 'merge', body);

Then('no Secret is:', WRITES, async function (this: World, table: DataTable) {
  const name = `jp-${this.random(10)}`;
  await this.writes.create<Secret>(resources.secrets, ownSecret(name));
  const wanted = table.raw().map(([what = '']) => {
    const odd = ODD[what] ?? this.unknown(`the steps know no Secret that is "${what}"`);
    return { subject: `a Secret that is ${what}`, question: odd(name) };
  });
  const sound = { subject: 'a Secret that is replaced by itself', question: replaced(name, ownSecret(name)) };
  this.grant(requestAllowed, await attempts(this, this.admin, [sound]), {});
  this.check(requestRefused, await attempts(this, this.admin, wanted), { statuses: [400] });
});

const OTHER_TYPE = 'joinproof.invalid/other';
/** What stays as it was made; of the first a Secret of any kind, of the others one that says it. */
export const FIXED: Readonly<Record<string, (name: string) => Question>> = {
  'a replacement of another type': (name) => replaced(name, ownSecret(name, {}, { type: OTHER_TYPE })),
  'a patch of its UID': (name) => patched(name, { metadata: { uid: SAID_UID } }),
  'a patch of its type': (name) => patched(name, { type: OTHER_TYPE }),
  'a patch of its data': (name) => patched(name, { data: { text: base64('another') } }),
  'a patch that lets it change again': (name) => patched(name, { immutable: false }),
};

async function staysAsMade(world: World, table: DataTable, more: object): Promise<void> {
  const name = `jp-${world.random(10)}`;
  await world.writes.create<Secret>(resources.secrets, ownSecret(name, {}, more));
  const wanted = table.raw().map(([what = '']) => {
    const change = FIXED[what] ?? world.unknown(`the steps know no change that is "${what}"`);
    return { subject: what, question: change(name) };
  });
  const harmless = { subject: 'a patch of its labels', question: patched(name, { metadata: { labels: { a: 'b' } } }) };
  world.grant(requestAllowed, await attempts(world, world.admin, [harmless]), {});
  world.check(requestRefused, await attempts(world, world.admin, wanted), { statuses: [422] });
}

Then('a Secret is not changed by:', WRITES, async function (this: World, table: DataTable) {
  await staysAsMade(this, table, {});
});

Then(
  'a Secret that says that it does not change is not changed by:',
  WRITES,
  async function (this: World, table: DataTable) {
    await staysAsMade(this, table, { immutable: true });
  },
);

const LABEL = 'joinproof.invalid/listed';
/** A label of the first alone. */
const FIRST = 'joinproof.invalid/first';
/** A label of the second alone, of no value. */
const EMPTY = 'joinproof.invalid/empty';
/** Three Secrets, the first two of one kind; each has a label of its own, and all have one. */
interface Several {
  readonly mark: string;
  readonly names: readonly string[];
}
const SEVERAL = slot<Several>('three Secrets');
const TYPE = 'joinproof.invalid/listed';

Given('three Secrets, the last of another type', WRITES, async function (this: World) {
  const mark = `jp-${this.random(10)}`;
  const names = ['a', 'b', 'c'].map((letter) => `${mark}${letter}`);
  for (const [index, name] of names.entries()) {
    const labels = {
      [LABEL]: mark,
      'joinproof.invalid/number': String(index),
      ...(index === 0 ? { [FIRST]: 'yes' } : {}),
      ...(index === 1 ? { [EMPTY]: '' } : {}),
    };
    await this.writes.create<Secret>(resources.secrets, ownSecret(name, { labels }, index === 2 ? { type: TYPE } : {}));
  }
  this.put(SEVERAL, { mark, names });
});

/** Queries by what the features call them, and which of the three they ask for. */
const LISTS: Readonly<
  Record<string, (several: Several) => readonly [query: Readonly<Record<string, string>>, wanted: readonly number[]]>
> = {
  'by a name': ({ names }) => [{ fieldSelector: `metadata.name=${names[0]}` }, [0]],
  'by another name than one': ({ mark, names }) => [
    { labelSelector: `${LABEL}=${mark}`, fieldSelector: `metadata.name!=${names[0]}` },
    [1, 2],
  ],
  'by a type': ({ mark }) => [{ labelSelector: `${LABEL}=${mark}`, fieldSelector: `type=${TYPE}` }, [2]],
  'by a name and a type that it has not': ({ names }) => [
    { fieldSelector: `metadata.name=${names[0]},type=${TYPE}` },
    [],
  ],
  'by a label': ({ mark }) => [{ labelSelector: `${LABEL}=${mark}` }, [0, 1, 2]],
  'by two labels': ({ mark }) => [{ labelSelector: `${LABEL}=${mark},joinproof.invalid/number=1` }, [1]],
  'by a label of several values': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},joinproof.invalid/number in (0,2)` },
    [0, 2],
  ],
  'by a label that it has not': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},joinproof.invalid/number!=0` },
    [1, 2],
  ],
  'by a label that it has, of any value': ({ mark }) => [{ labelSelector: `${LABEL}=${mark},${FIRST}` }, [0]],
  'by a label that it has not at all': ({ mark }) => [{ labelSelector: `${LABEL}=${mark},!${FIRST}` }, [1, 2]],
  'by a label that it has not at all, and others have without a value': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},!${EMPTY}` },
    [0, 2],
  ],
  'by another value than one, of a label that not all have': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},${FIRST}!=yes` },
    [1, 2],
  ],
  'by other values than some, of a label that not all have': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},${FIRST} notin (yes,no)` },
    [1, 2],
  ],
  'by a number that is greater': ({ mark }) => [{ labelSelector: `${LABEL}=${mark},joinproof.invalid/number>1` }, [2]],
  'by a number that is less': ({ mark }) => [{ labelSelector: `${LABEL}=${mark},joinproof.invalid/number<1` }, [0]],
  'page by page': ({ mark }) => [{ labelSelector: `${LABEL}=${mark}`, limit: '1' }, [0, 1, 2]],
  'by another type than one, page by page': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark}`, fieldSelector: `type!=${TYPE}`, limit: '1' },
    [0, 1],
  ],
  'by a label that it has not, page by page': ({ mark }) => [
    { labelSelector: `${LABEL}=${mark},joinproof.invalid/number!=1`, limit: '1' },
    [0, 2],
  ],
  'two to a page': ({ mark }) => [{ labelSelector: `${LABEL}=${mark}`, limit: '2' }, [0, 1, 2]],
};
const MOST_PAGES = 20;

/** Source: apiserver, pkg/registry/generic/registry/store.go DeleteCollection. */
Then('a deletion of all but for those after the first page leaves those', WRITES, async function (this: World) {
  const { mark, names } = this.get(SEVERAL);
  const tried = async (subject: string, more: Readonly<Record<string, string>>, wanted: readonly string[]) => {
    const query = { ...DRY, labelSelector: `${LABEL}=${mark}`, ...more };
    const answer = await this.admin.ask({ method: 'DELETE', path: SECRETS, query });
    return readList({ subject: `what is deleted by ${subject}`, wanted }, [answer], names);
  };
  this.check(listHolds, [
    await tried('a deletion of all, tried', {}, names),
    await tried('a deletion of one page of one, tried', { limit: '1' }, names.slice(0, 1)),
  ]);
});

/** Nobody has counted them. Source: apiserver, pkg/storage/etcd3/store.go GetList, remainingItemCount. */
Then('a page of what was selected does not say how many come after it', WRITES, async function (this: World) {
  const query = { labelSelector: `${LABEL}=${this.get(SEVERAL).mark}`, limit: '1' };
  const answer = await this.admin.ask({ path: SECRETS, query });
  const wanted = { status: 200, says: { 'metadata.remainingItemCount': '' } };
  this.check(saysJustThat, [readSaying('the first of three Secrets by their label', wanted, answer)]);
});

/** Source: apiserver, pkg/registry/generic/registry/store.go ListPredicate, MatchesSingle. */
Then('a page of one that was asked for by its name is the last', WRITES, async function (this: World) {
  const [name = ''] = this.get(SEVERAL).names;
  const query = { fieldSelector: `metadata.name=${name}`, limit: '1' };
  const answer = await this.admin.ask({ path: SECRETS, query });
  const says = { 'items.0.metadata.name': name, 'metadata.continue': '', 'metadata.remainingItemCount': '' };
  this.check(saysJustThat, [readSaying('the first of three Secrets by its name', { status: 200, says }, answer)]);
});

/** `meanwhile`: what is done once the first page has been read. */
async function pagesOf(
  world: World,
  path: string,
  query: Readonly<Record<string, string>>,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
) {
  const pages: { readonly status: number; readonly body: unknown }[] = [];
  let next = '';
  do {
    if (pages.length === 1) await meanwhile();
    const { status, body } = await world.admin.ask({ path, query: next === '' ? query : { ...query, continue: next } });
    pages.push({ status, body });
    next = text(record(record(body).metadata).continue);
  } while (next !== '' && pages.length < MOST_PAGES);
  return pages;
}

Then('a list of Secrets holds those that were asked for:', WRITES, async function (this: World, table: DataTable) {
  const several = this.get(SEVERAL);
  const lists = await forEach(this, table.raw(), async ([what = '']) => {
    const [query, wanted] = (LISTS[what] ?? this.unknown(`the steps know no list ${what}`))(several);
    const names = wanted.map((index) => several.names[index] ?? '');
    const subject = `a list of Secrets ${what}`;
    const limit = query.limit === undefined ? {} : { limit: Number(query.limit) };
    return readList({ subject, wanted: names, ...limit }, await pagesOf(this, SECRETS, query), several.names);
  });
  this.check(listHolds, lists);
});

Then('a list that is read page by page holds what was there for its first page', WRITES, async function (this: World) {
  const { mark, names } = this.get(SEVERAL);
  const late = `${mark}bb`;
  const pages = await pagesOf(this, SECRETS, { labelSelector: `${LABEL}=${mark}`, limit: '1' }, () =>
    this.writes.create<Secret>(resources.secrets, ownSecret(late, { labels: { [LABEL]: mark } })),
  );
  const subject = 'a list of Secrets of which one more was made after its first page';
  this.check(listHolds, [readList({ subject, wanted: names, limit: 1 }, pages, [...names, late])]);
});

const ROOT_CA = 'kube-root-ca.crt';

/** Every namespace holds a ConfigMap, with the root certificates; the first page of all of them is in the first. */
Then(
  'a list of one namespace that goes on where one of all namespaces has stopped holds nothing of another',
  { needs: ['requests'] },
  async function (this: World) {
    const first = await this.admin.ask({ path: pathOf(resources.configMaps), query: { limit: '1' } });
    const next = text(record(record(first.body).metadata).continue);
    if (next === '') return this.skip('nothing', 'all namespaces together have one page of ConfigMaps');
    const path = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC });
    const listed = async (query: Readonly<Record<string, string>>) =>
      records(record((await this.admin.ask({ path, query })).body).items);
    const isRoot = ({ metadata }: Readonly<Record<string, unknown>>): boolean => record(metadata).name === ROOT_CA;
    if (!(await listed({ limit: '500' })).some(isRoot)) return this.skip('nothing', `${KUBE_PUBLIC} has no ${ROOT_CA}`);
    const items = await listed({ limit: '500', continue: next });
    const subject = `a list of ConfigMaps of ${KUBE_PUBLIC} from there on`;
    this.check(isThere, [{ subject: `${ROOT_CA}, in ${subject}`, there: items.some(isRoot) }], { demanded: 'is told' });
    const there = items.some(({ metadata }) => record(metadata).namespace !== KUBE_PUBLIC);
    this.check(isAbsent, [{ subject: `what is in another namespace, in ${subject}`, there }], {
      demanded: 'is not told',
    });
  },
);

Then('a list of certificate requests of one signer holds those of that signer', WRITES, async function (this: World) {
  const whats = ['an API client of a signer that nobody runs', 'an API client that nobody approves automatically'];
  const asked = await forEach(this, whats, (what) => ask(this, administrator(this), what, wantedRequest(this, what)));
  const names = asked.map(({ name }) => name);
  const path = pathOf(resources.certificateSigningRequests);
  const listed = async (operator: '=' | '!=', subject: string, wanted: readonly string[]) => {
    const query = { fieldSelector: `spec.signerName${operator}${SIGNER_APISERVER_CLIENT}` };
    return readList({ subject, wanted }, await pagesOf(this, path, query), names);
  };
  this.check(listHolds, [
    await listed('=', 'a list of certificate requests by their signer', names.slice(1)),
    await listed('!=', 'a list of certificate requests of every signer but one', names.slice(0, 1)),
  ]);
});

/** By a field that cannot be selected by: a list of nothing would be taken for the answer. */
Then('a list of certificate requests by who has asked is refused', WRITES, async function (this: World) {
  const question = {
    path: pathOf(resources.certificateSigningRequests),
    query: { fieldSelector: 'spec.username=jp-nobody', limit: '1' },
  };
  const subject = 'a list of certificate requests by spec.username';
  this.check(requestRefused, await attempts(this, this.admin, [{ subject, question }]), { statuses: [400] });
});
