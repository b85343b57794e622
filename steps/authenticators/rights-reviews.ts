/** Sentences about those who ask the API server what somebody may do. */

import { rightsReviewAnswered } from '../../src/checks/authenticators/rights-reviews.js';
import { requestRefused } from '../../src/checks/authorization/access.js';
import { GROUP_MASTERS } from '../../src/kubernetes/names.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { attempts } from '../authorization/attempts.js';

const REVIEWS = { needs: ['writes', 'requests'] } as const;
const GROUP = 'authorization.k8s.io/v1';
const ABOUT = { verb: 'get', resource: 'secrets', namespace: 'default' };
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

/** By what the features call them. Source: pkg/apis/authorization/validation/validation.go. */
export const ASKED: Readonly<Record<string, Question>> = {
  'about a user': subject({ ...USER, resourceAttributes: ABOUT }),
  'about a group alone': subject({ groups: [GROUP_MASTERS], resourceAttributes: ABOUT }),
  'about a path': subject({ ...USER, nonResourceAttributes: PATH }),
  'about oneself': review('SelfSubjectAccessReview', { resourceAttributes: ABOUT }),
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

Then('a review of rights is refused that asks:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(requestRefused, await asked(this, table), { statuses: [422] });
});
