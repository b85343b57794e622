/** Sentences about what an API server says of itself: its resources, its groups and its checks. */
import { readSaying, type Saying, saysJustThat } from '../../src/checks/common/sayings.js';
import { record, records, text } from '../../src/kubernetes/json.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { soon } from '../common/soon.js';
import { SOON } from '../common/waiting.js';

const ASKS = { needs: ['requests'] } as const;

/** The same answer, of which another part is looked at. */
const partOf = (answer: Answer, body: unknown): Answer => ({ ...answer, body });

Then('the list of a version says of its resources:', ASKS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.hashes(), async (row) => {
    const { version = '', resource = '', kind = '', 'in a namespace': namespaced = '' } = row;
    const answer = await this.admin.ask({ path: `/${version.includes('/') ? 'apis' : 'api'}/${version}` });
    const found = records(record(answer.body).resources).find(({ name }) => name === resource);
    const wanted = { status: 200, says: { kind, namespaced } };
    return readSaying(`${resource}, in the list of ${version}`, wanted, partOf(answer, found));
  });
  this.check(saysJustThat, seen);
});

/** Source: kube-aggregator, pkg/apiserver/handler_apis.go convertToDiscoveryAPIGroup. */
Then('each group prefers the first of its versions', ASKS, async function (this: World) {
  const answer = await this.admin.ask({ path: '/apis' });
  const groups = records(record(answer.body).groups);
  if (groups.length === 0) return this.unknown(`/apis names no group: it is answered with ${answer.status}`);
  const seen = groups.map((group) => {
    const [first] = records(group.versions);
    const wanted = { status: 200, says: { 'preferredVersion.version': text(first?.version) } };
    return readSaying(`the group ${text(group.name)}`, wanted, partOf(answer, group));
  });
  this.check(saysJustThat, seen);
});

/** The list of all of them, in the form of 1.30. Source: KEP-3352. */
const all = (version: string, tag?: string): Question => ({
  path: version.includes('/') ? '/apis' : '/api',
  headers: {
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  },
  expects: ({ status }) => status === 304,
});

function resourceIn(list: unknown, groupVersion: string, resource: string): unknown {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const found = records(record(list).items).find(({ metadata }) => text(record(metadata).name) === group);
  const of = records(found?.versions).find((one) => one.version === version);
  return records(of?.resources).find((one) => one.resource === resource);
}

Then('the list of all resources says of some:', ASKS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.hashes(), async ({ version = '', resource = '', kind = '', scope = '' }) => {
    const answer = await this.admin.ask(all(version));
    const wanted = { status: 200, says: { 'responseKind.kind': kind, scope } };
    const found = resourceIn(answer.body, version, resource);
    return readSaying(`${resource} of ${version}, in the list of all resources`, wanted, partOf(answer, found));
  });
  this.check(saysJustThat, seen);
});

/** What is served may change in between: it is looked at again. Source: apiserver, discovery/aggregated/etag.go. */
Then('who names the tag of that list is told that it has not changed', ASKS, async function (this: World) {
  const observe = async () => {
    const first = await this.admin.ask(all('v1'));
    const tag = [first.headers.etag ?? ''].flat()[0] ?? '';
    const again = await this.admin.ask(all('v1', tag));
    const wanted = { status: 304, says: { text: '' } };
    const other = await this.admin.ask(all('v1', '"0"'));
    const whole = { status: 200, says: { kind: 'APIGroupDiscoveryList' } };
    return [
      readSaying('the list of all resources, asked for by whoever has it', wanted, again),
      readSaying('the list of all resources, asked for by whoever has another', whole, other),
    ];
  };
  this.check(saysJustThat, await soon(this, { check: saysJustThat, within: SOON }, observe));
});

/** "/livez, in many words, but for its check ping" */
function checkAsked(of: string): Question {
  const [path = '', words, without] = of.split(', ');
  const exclude = without?.replace(/^but for its check /, '');
  const query = { ...(words === undefined ? {} : { verbose: '' }), ...(exclude === undefined ? {} : { exclude }) };
  return { path, query };
}

/** Of many lines that which is wanted is looked for. Source: apiserver, pkg/server/healthz/healthz.go. */
/** Single checks are for administrators: who audits the cluster of somebody else asks for no right to them. */
const CHECKS = { ...ASKS, needs: [...ASKS.needs, 'ours'] } as const;

const OURS = { needs: ['requests', 'ours'] } as const;
const NAMESPACE = pathOf(resources.namespaces, { name: 'default' });
const lines = (count: string) => ({ status: 200, says: { lines: count } });
/** Forms that are accepted, by what the features call them. Source: apiserver, pkg/endpoints/handlers/negotiation. */
const FORMS: Readonly<Record<string, readonly [accept: string, wanted: Saying['wanted']]>> = {
  JSON: ['application/json', lines('one')],
  'JSON for people': ['application/json;pretty=1', lines('several')],
  'a table in protobuf': [
    'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
    { status: 406, says: { reason: 'NotAcceptable' } },
  ],
  'a table of a group that nobody has': [
    'application/json;as=Table;g=joinproof.invalid;v=v1',
    { status: 406, says: { reason: 'NotAcceptable' } },
  ],
  'a table in protobuf, or else in JSON': [
    'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1, application/json;as=Table;g=meta.k8s.io;v=v1',
    { status: 200, says: { kind: 'Table' } },
  ],
  'a table, or rather none': [
    'application/json;as=Table;g=meta.k8s.io;v=v1;q=0.5, application/json;q=0.9',
    { status: 200, says: { kind: 'Namespace' } },
  ],
};

/** No object of its path, and yet of an API server. */
const isTable = ({ status, body }: Answer): boolean => status === 200 && record(body).kind === 'Table';

Then('an answer is of the form that was asked for:', OURS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.raw(), async ([what = '']) => {
    const [accept, wanted] = FORMS[what] ?? this.unknown(`the steps know no form "${what}"`);
    const answer = await this.admin.ask({ path: NAMESPACE, headers: { accept }, expects: isTable });
    const count = answer.text.trim().includes('\n') ? 'several' : 'one';
    return readSaying(`a namespace, as ${what}`, wanted, partOf(answer, { ...record(answer.body), lines: count }));
  });
  this.check(saysJustThat, seen);
});

Then('the API server answers about its checks:', CHECKS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.hashes(), async ({ of = '', status = '', line = '' }) => {
    const answer = await this.admin.ask(checkAsked(of));
    const lines = answer.text.split('\n');
    const said = lines.includes(line) ? line : (lines[0] ?? '');
    const wanted = { status: Number(status), says: line === '' ? {} : { line } };
    return readSaying(`a request for ${of}`, wanted, partOf(answer, { line: said }));
  });
  this.check(saysJustThat, seen);
});
