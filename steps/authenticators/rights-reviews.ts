/** Sentences about those who ask the API server what somebody may do. */

import {
  rightsReviewAllows,
  rightsReviewAnswered,
  rightsReviewDenies,
} from '../../src/checks/authenticators/rights-reviews.js';
import { accessAllowed, requestRefused } from '../../src/checks/authorization/access.js';
import { GROUP_AUTHENTICATED, GROUP_MASTERS, GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';

const REVIEWS = { needs: ['writes', 'requests'] } as const;
const GROUP = 'authorization.k8s.io/v1';
const ABOUT = { verb: 'get', resource: 'secrets', namespace: 'default' };
/** Of whoever has logged in: a group that a review has to name. Source: rbac/bootstrappolicy, system:basic-user. */
const OF_EVERYBODY = { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectrulesreviews' };
const PATH = { verb: 'get', path: '/version' };
const USER = { user: 'jp-nobody' };

/** `local`: within the namespace "default". */
const review = (kind: string, spec: object, metadata: object = {}, local = ''): Question => ({
  method: 'POST',
  path: `/apis/${GROUP}/${local}${kind.toLowerCase()}s`,
  body: { apiVersion: GROUP, kind, metadata, spec },
});
const subject = (spec: object, metadata: object = {}): Question => review('SubjectAccessReview', spec, metadata);
const within = (spec: object): Question =>
  review('LocalSubjectAccessReview', { ...USER, ...spec }, { namespace: 'default' }, 'namespaces/default/');

const oneself = (resourceAttributes: object): Question => review('SelfSubjectAccessReview', { resourceAttributes });
/** Whoever has logged in is in the group of everybody, whether the question says so or not. */
const byNobodyInParticular = (question: Question): Question => ({
  ...question,
  headers: { 'Impersonate-User': USER.user },
});

/** By what the features call them. Source: pkg/apis/authorization/validation/validation.go. */
export const ASKED: Readonly<Record<string, Question>> = {
  'about a user': subject({ ...USER, resourceAttributes: ABOUT }),
  'about a group alone': subject({ groups: [GROUP_MASTERS], resourceAttributes: ABOUT }),
  'about a user in no group, of what everybody may': subject({ ...USER, resourceAttributes: OF_EVERYBODY }),
  'about a path': subject({ ...USER, nonResourceAttributes: PATH }),
  'about oneself': oneself(ABOUT),
  'about oneself, of what everybody may': byNobodyInParticular(oneself(OF_EVERYBODY)),
  'about oneself, of what others may': byNobodyInParticular(oneself(ABOUT)),
  'in a namespace, about it': within({ resourceAttributes: ABOUT }),
  'about nobody': subject({ resourceAttributes: ABOUT }),
  'about a UID alone': subject({ uid: 'jp-nobody', resourceAttributes: ABOUT }),
  'about nothing': subject(USER),
  'about a resource and a path': subject({ ...USER, resourceAttributes: ABOUT, nonResourceAttributes: PATH }),
  'under a name': subject({ ...USER, resourceAttributes: ABOUT }, { name: 'jp-review' }),
  'about nothing that one does oneself': review('SelfSubjectAccessReview', {}),
  'in a namespace, about another': within({ resourceAttributes: { ...ABOUT, namespace: 'kube-system' } }),
  'in a namespace, about all': within({ resourceAttributes: { ...ABOUT, namespace: '' } }),
  'in a namespace, about a path': within({ nonResourceAttributes: PATH }),
};

const asked = (world: World, table: DataTable): ReturnType<typeof attempts> =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => ({
      subject: `a review of rights ${what}`,
      question: ASKED[what] ?? world.unknown(`the steps know no review of rights ${what}`),
    })),
  );

Then('a review of rights is answered that asks:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(rightsReviewAnswered, await asked(this, table));
});

Then('a review of rights allows what is asked:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(rightsReviewAllows, await asked(this, table));
});

Then('a review of rights does not allow what is asked:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(rightsReviewDenies, await asked(this, table));
});

Then('a review of rights is refused that asks:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(requestRefused, await asked(this, table), { statuses: [422] });
});

const NODES = ['jp-node0', 'jp-node1'] as const;
const byNode = (operator: string, ...values: readonly string[]): object => ({
  requirements: [{ key: 'spec.nodeName', operator, ...(values.length === 0 ? {} : { values }) }],
});
const raw = (rawSelector: string): object => ({ rawSelector });
/** Field selectors by what the features call them; of the first node. Source: k8s.io/api, authorization/v1. */
export const SELECTED: Readonly<Record<string, object | undefined>> = {
  'of its own, by a requirement': byNode('In', NODES[0]),
  'of its own, as kubectl writes it': raw(`spec.nodeName=${NODES[0]}`),
  'of all nodes': undefined,
  'of another node, by a requirement': byNode('In', NODES[1]),
  'of another node, as kubectl writes it': raw(`spec.nodeName=${NODES[1]}`),
  'of its own and another node, by a requirement': byNode('In', ...NODES),
  'of all but its own, by a requirement': byNode('NotIn', NODES[0]),
  'of all but its own, as kubectl writes it': raw(`spec.nodeName!=${NODES[0]}`),
  'of any node, by a requirement': byNode('Exists'),
};

const listing = (world: World, table: DataTable): ReturnType<typeof attempts> =>
  attempts(
    world,
    world.admin,
    table.raw().map(([what = '']) => {
      if (!Object.hasOwn(SELECTED, what)) return world.unknown(`the steps know no Pods ${what}`);
      const fieldSelector = SELECTED[what];
      return {
        subject: `a review of a node that lists Pods ${what}`,
        question: subject({
          user: `${NODE_USER_PREFIX}${NODES[0]}`,
          groups: [GROUP_NODES, GROUP_AUTHENTICATED],
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            version: 'v1',
            ...(fieldSelector === undefined ? {} : { fieldSelector }),
          },
        }),
      };
    }),
  );

Then('a review allows a node to list Pods:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(accessAllowed, await listing(this, table));
});

Then('a review does not allow a node to list Pods:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(rightsReviewDenies, await listing(this, table));
});
