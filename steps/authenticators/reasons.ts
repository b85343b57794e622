/** Sentences about what reviews say besides yes and no: what was asked, and why it is so. */

import { access, accessText, reviewOf } from '../../src/checks/authorization/access-questions.js';
import { readSaying, type Saying, saysJustThat } from '../../src/checks/common/sayings.js';
import { isRecord, record, text } from '../../src/kubernetes/json.js';
import { GROUP_AUTHENTICATED, GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Binding } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { clusterBinding, user as userNamed } from '../common/grants.js';
import { tokenReview, whoAmIQuestion } from '../common/login.js';
import { ownSecret, SECRETS } from '../common/secrets.js';
import { DRY } from '../common/trials.js';
import { ASKED } from './rights-reviews.js';

const REVIEWS = { needs: ['writes', 'requests'] } as const;
/** Others may have more authorizers, and have bound roles to nodes and to everybody. */
const WHY = { needs: ['writes', 'requests', 'ours'] } as const;
const BOUND = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

/** Each value of it, by where it stands: {a: {b: 'c'}} is "a.b": "c". */
function standing(value: unknown, at: string): Readonly<Record<string, string>> {
  const parts = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : undefined;
  if (parts === undefined) return { [at]: typeof value === 'string' ? value : JSON.stringify(value) };
  return Object.assign({}, ...[...parts].map(([key, one]) => standing(one, `${at}.${key}`)));
}

/** How reviews are called that are not of rights. */
const OF_TOKENS: Readonly<Record<string, Question>> = {
  'about a token that nobody has': tokenReview({ token: 'joinproof-of-nobody' }),
};

Then('a review says again what it asks:', REVIEWS, async function (this: World, table: DataTable) {
  const seen = await forEach(this, table.raw(), async ([what = '']) => {
    const question = ASKED[what] ?? OF_TOKENS[what] ?? this.unknown(`the steps know no review ${what}`);
    const { kind, spec } = record(question.body);
    const wanted = { status: 201, says: { kind: text(kind), ...standing(spec, 'spec') } };
    return readSaying(`a review ${what}`, wanted, await this.admin.ask(question));
  });
  this.check(saysJustThat, seen);
});

/** Source: pkg/registry/authentication/tokenreview/storage.go Create. */
Then('a review of no token is refused', REVIEWS, async function (this: World) {
  const wanted = { status: 400, says: { reason: 'BadRequest' } };
  this.check(saysJustThat, [
    readSaying('a review of no token', wanted, await this.admin.ask(tokenReview({ token: '' }))),
  ]);
});

/** Source: pkg/registry/authentication/selfsubjectreview/rest.go Create. */
Then('a review of who one is says when it was asked', REVIEWS, async function (this: World) {
  const made = async (): Promise<number> => {
    const tried = { method: 'POST', path: SECRETS, query: DRY, body: ownSecret(`jp-${this.random(10)}`) } as const;
    return Date.parse(text(record(record((await this.admin.ask(tried)).body).metadata).creationTimestamp));
  };
  const before = await made();
  const answer = await this.admin.ask(whoAmIQuestion);
  const at = Date.parse(text(record(record(answer.body).metadata).creationTimestamp));
  const after = await made();
  const body = { asked: before <= at && at <= after ? 'between two others' : 'at another time' };
  const wanted = { status: 201, says: { asked: 'between two others' } };
  this.check(saysJustThat, [readSaying('a review of who one is', wanted, { ...answer, body })]);
});

const nodeNamed = (name: string) => ({
  user: `${NODE_USER_PREFIX}${name}`,
  groups: [GROUP_NODES, GROUP_AUTHENTICATED],
});
const NODE = nodeNamed('jp-node');
const ANYBODY = { user: 'jp-nobody', groups: [GROUP_AUTHENTICATED] };
type Row = Readonly<Record<string, string>>;

/** What is allowed, or is not, is so for that reason; '' where there is none. */
async function reasonOf(world: World, row: Row, { asked = NODE, why = row.why ?? '', allowed = 'false' } = {}) {
  const { verb = '', what = '', where = '', name = '' } = row;
  const wanted = access(verb, what, where, name);
  const question = { method: 'POST', path: REVIEW, body: reviewOf(wanted, asked) } as const;
  const says = { 'status.allowed': allowed, 'status.reason': why };
  const subject = `a review of ${asked.user}: ${accessText(wanted)}`;
  const answer = await world.admin.ask(question);
  const body = asked === NODE ? withoutRoles(answer.body) : answer.body;
  return readSaying(subject, { status: 201, says }, { ...answer, body });
}
/** Of whom others have bound to roles that nobody has RBAC has something to say as well. */
function withoutRoles(body: unknown): object {
  const { status, ...rest } = record(body);
  const lines = text(record(status).reason).split('\n');
  return {
    ...rest,
    status: { ...record(status), reason: lines.filter((one) => !one.startsWith('RBAC: ')).join('\n') },
  };
}
const REVIEW = pathOf(resources.subjectAccessReviews);

/** Source: plugin/pkg/auth/authorizer/node/node_authorizer.go. */
Then('a review of a node says why it may not:', WHY, async function (this: World, table: DataTable) {
  this.check(saysJustThat, await forEach<Row, Saying>(this, table.hashes(), (row) => reasonOf(this, row)));
});

/** Source: plugin/pkg/auth/authorizer/rbac/rbac.go; pkg/registry/rbac/validation/rule.go clusterRoleBindingDescriber. */
Then('a review says which binding lets somebody in', WHY, async function (this: World) {
  const row = { verb: 'create', what: 'selfsubjectaccessreviews.authorization.k8s.io' };
  const role = 'system:basic-user';
  const why = `RBAC: allowed by ClusterRoleBinding "${role}" of ClusterRole "${role}" to Group "${GROUP_AUTHENTICATED}"`;
  this.check(saysJustThat, [await reasonOf(this, row, { asked: ANYBODY, why, allowed: 'true' })]);
});

/** One name for a node, for the role and for the binding. */
const ROLE = slot<string>('a node that a role is bound to which nobody has');

Given('a node that a role is bound to which nobody has', BOUND, async function (this: World) {
  const name = this.put(ROLE, `jp-${this.random(10)}`);
  await this.writes.create<Binding>(
    resources.clusterRoleBindings,
    clusterBinding(name, name, userNamed(nodeNamed(name).user)),
  );
});

/** Source: apiserver, pkg/authorization/union/union.go. */
Then('a review of that node says why neither authorizer lets it', BOUND, async function (this: World) {
  const name = this.get(ROLE);
  const missing = `RBAC: clusterrole.rbac.authorization.k8s.io "${name}" not found`;
  const row = { verb: 'get', what: 'secrets', where: 'default', name: 'jp-absent' };
  const why = `no relationship found between node '${name}' and this object\n${missing}`;
  this.check(saysJustThat, [await reasonOf(this, row, { asked: nodeNamed(name), why })]);
});
