/** Sentences about what the bearer of a token may do: what its groups may do, and nothing else. */

import { heardIn, loginForbiddenByName, loginSameRules, whoAmI } from '../../src/checks/authenticators/login.js';
import { accessAllowed, requestAllowed, reviewed } from '../../src/checks/authorization/access.js';
import {
  type Access,
  type Asked,
  access,
  accessText,
  reviewOf,
} from '../../src/checks/authorization/access-questions.js';
import { opinionIn, sameAccess } from '../../src/checks/authorization/same-access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { GROUP_AUTHENTICATED, GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN } from '../../src/kubernetes/names.js';
import { apiVersionOf, pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Asker, Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { accessesOf } from '../common/permission-tables.js';
import { clientOf, grantSomething, loginSoon, sharedJoiningToken, TOKEN } from '../common/tokens.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

Given('a bootstrap token of the group that kubeadm binds', WRITES, async function (this: World) {
  this.put(TOKEN, await sharedJoiningToken(this));
});

/** May all users list this, whoever they are? OpenShift lets them read roles. Secrets are nobody's to read. */
async function isForAll(world: World, path: string, status: number): Promise<boolean> {
  const [, group = '', resource = ''] = /^\/(?:api|apis\/([^/]+))\/v1\/(.*)$/.exec(path) ?? [];
  if (status !== 200 || resource === '' || resource.endsWith('secrets')) return false;
  const asked = reviewOf(access('list', group === '' ? resource : `${resource}.${group}`), {
    user: `jp-${world.random(12)}`,
    groups: [GROUP_AUTHENTICATED],
  });
  const opinion = reviewed(opinionIn(await world.ability('reviews').review(asked)));
  return 'allowed' in opinion && opinion.allowed;
}

Then('its bearer is forbidden to read:', { needs: ['reviews'] }, async function (this: World, table: DataTable) {
  const made = this.get(TOKEN);
  // who may do nothing at all is forbidden everything, which says nothing of Secrets
  await grantSomething(this, made);
  const logins = await forEach(this, table.raw(), async ([path = '']) => {
    const answer = await clientOf(this, made).ask({ path, query: { limit: '1' } });
    const login = { subject: `${made.label}, GET ${path}`, id: made.id, heard: heardIn(answer) };
    return (await isForAll(this, path, answer.status)) ? [] : [login];
  });
  this.check(loginForbiddenByName, logins.flat());
});

/** A dry run; authorization comes before the body is read, so an empty request will do. */
const askForCertificate = (name: string, headers: Question['headers'] = {}): Question => ({
  method: 'POST',
  path: pathOf(resources.certificateSigningRequests),
  query: { dryRun: 'All' },
  headers,
  body: {
    apiVersion: apiVersionOf(resources.certificateSigningRequests),
    kind: resources.certificateSigningRequests.kind,
    metadata: { name },
    spec: {},
  },
});
/** What is answered to that by whoever lets it through. */
const TAKEN_IN = { statuses: [201, 400, 422] };

Then('its bearer is forbidden to ask for a certificate', { needs: ['kubeadm'] }, async function (this: World) {
  const made = this.get(TOKEN);
  const answer = await clientOf(this, made).ask(askForCertificate(`jp-${made.id}`));
  const subject = `${made.label}, create a certificate request`;
  this.check(loginForbiddenByName, [{ subject, id: made.id, heard: heardIn(answer) }]);
});

Given('a bootstrap token of the group that kubeadm binds may ask for one', WRITES, async function (this: World) {
  const made = await sharedJoiningToken(this);
  const answer = seenIn(await clientOf(this, made).ask(askForCertificate(`jp-${made.id}`)));
  const subject = `${made.label}, of the group that kubeadm binds, create a certificate request`;
  this.grant(requestAllowed, [{ subject, answer }], TAKEN_IN);
});

const REVIEWS = { needs: ['reviews'] } as const;

const rulesReview = (namespace: string, headers: Record<string, string> = {}): Question => ({
  method: 'POST',
  path: pathOf(resources.selfSubjectRulesReviews),
  headers,
  body: {
    apiVersion: apiVersionOf(resources.selfSubjectRulesReviews),
    kind: resources.selfSubjectRulesReviews.kind,
    spec: { namespace },
  },
});

Then(
  'its permissions are those of another user in the same groups, in each of these namespaces:',
  REVIEWS,
  async function (this: World, table: DataTable) {
    const { label, ...made } = this.get(TOKEN);
    const like = { 'Impersonate-User': `jp-${this.random(12)}`, 'Impersonate-Group': GROUP_BOOTSTRAPPERS };
    const compared = [];
    for (const [namespace = ''] of table.raw()) {
      const mine = await clientOf(this, made).ask(rulesReview(namespace));
      const theirs = await this.admin.ask(rulesReview(namespace, like));
      compared.push({ subject: `${label}, in ${namespace}`, heard: heardIn(mine), others: heardIn(theirs) });
    }
    this.check(loginSameRules, compared);
  },
);

/** What the bearer is told of himself, by a SelfSubjectAccessReview. */
async function ownReview(client: Asker, wanted: Access): Promise<Answer> {
  const { user: _user, groups: _groups, ...attributes } = reviewOf(wanted, NOBODY).spec as Record<string, unknown>;
  return client.ask({
    method: 'POST',
    path: pathOf(resources.selfSubjectAccessReviews),
    body: {
      apiVersion: apiVersionOf(resources.selfSubjectAccessReviews),
      kind: resources.selfSubjectAccessReviews.kind,
      spec: attributes,
    },
  });
}
const NOBODY: Asked = { user: '', groups: [] };

Then('another user in its groups is told the same of:', REVIEWS, async function (this: World, table: DataTable) {
  const made = this.get(TOKEN);
  const who = whoAmI((await loginSoon(this, made)).heard);
  if (who === undefined) return this.unknown(`${made.label} does not log in, so nobody can be compared with it`);
  const other = { user: `jp-${this.random(12)}`, groups: who.groups };
  const compared = await forEach(this, accessesOf(this, table), async (wanted) => ({
    subject: `${accessText(wanted)}, as ${made.label}`,
    answer: opinionIn(await ownReview(clientOf(this, made), wanted)),
    other: opinionIn(await this.ability('reviews').review(reviewOf(wanted, other))),
  }));
  this.check(sameAccess, compared);
});

/** Users of other authenticators: only the group counts. */
const OTHERS: Readonly<Record<string, string>> = {
  'a user of a token file': 'kubelet-bootstrap',
  'a service account': 'system:serviceaccount:kube-system:joiner',
  'a user named by a certificate': 'jp-installer',
};

Then(
  'each of these, in the group that kubeadm binds, may ask for a certificate:',
  { needs: ['reviews', 'kubeadm'] },
  async function (this: World, table: DataTable) {
    const create = {
      verb: 'create',
      group: resources.certificateSigningRequests.group,
      resource: resources.certificateSigningRequests.resource,
      subresource: '',
      namespace: '',
      name: '',
    };
    for (const [who = ''] of table.raw()) {
      const user = OTHERS[who] ?? this.unknown(`the steps know no user "${who}"`);
      const subject = `${accessText(create)}, as ${user}`;
      const groups = [GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED];
      const opinion = await this.ability('reviews').review(reviewOf(create, { user, groups }));
      this.check(accessAllowed, [{ subject, answer: seenIn(opinion) }]);
      if (this.target.abilities.writes === undefined) continue;
      const like = { 'Impersonate-User': user, 'Impersonate-Group': GROUP_DEFAULT_NODE_TOKEN };
      const { status } = await this.admin.ask(askForCertificate(`jp-${this.random(12)}`, like));
      this.check(requestAllowed, [{ subject: `${subject}, a real request`, answer: { status, body: null } }], TAKEN_IN);
    }
  },
);
