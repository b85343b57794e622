/** Sentences about a bearer who claims to be somebody else. */
import { requestRefused } from '../../src/checks/authorization/access.js';
import { isInternal } from '../../src/checks/common/answers.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_MASTERS,
  GROUP_NODES,
  NODE_USER_PREFIX,
} from '../../src/kubernetes/names.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { clientOf, TOKEN } from '../common/tokens.js';
import { attempts } from './attempts.js';

const MASTER = { 'Impersonate-Group': GROUP_MASTERS };
/** What the features call whom, as impersonation headers. Source: apiserver, pkg/endpoints/filters/impersonation. */
const CLAIMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the user system:admin': { 'Impersonate-User': 'system:admin' },
  'the user system:admin in the group system:masters': { 'Impersonate-User': 'system:admin', ...MASTER },
  'the service account kube-system/default': { 'Impersonate-User': 'system:serviceaccount:kube-system:default' },
  'the node jp-absent': { 'Impersonate-User': `${NODE_USER_PREFIX}jp-absent`, 'Impersonate-Group': GROUP_NODES },
  'nobody in the group system:masters': MASTER,
  'nobody with another UID': { 'Impersonate-Uid': 'jp-absent' },
  'nobody with an extra': { 'Impersonate-Extra-scopes': 'jp-absent' },
  'the user jp-absent with another UID': { 'Impersonate-User': 'jp-absent', 'Impersonate-Uid': 'jp-absent' },
  'the user jp-absent with an extra': { 'Impersonate-User': 'jp-absent', 'Impersonate-Extra-scopes': 'jp-absent' },
  'another bootstrap token of its own group': {
    'Impersonate-User': `${BOOTSTRAP_USER_PREFIX}zzzzzz`,
    'Impersonate-Group': GROUP_DEFAULT_NODE_TOKEN,
  },
};

Then('its bearer is refused when it claims to be {}', async function (this: World, who: string) {
  const headers = CLAIMS[who];
  if (headers === undefined) return this.unknown(`the steps know no claim "${who}"`);
  const subject = `a joining token that claims to be ${who}`;
  // without a user name: 400 since 1.36, 500 before, for everybody; with one: 403
  const nameless = headers['Impersonate-User'] === undefined;
  const question = { path: '/version', headers, ...(nameless ? { expects: isInternal } : {}) };
  const answers = await attempts(this, clientOf(this, this.get(TOKEN)), [{ subject, question }]);
  const statuses = nameless ? [400, 403, 500] : [403];
  this.check(requestRefused, answers, { statuses });
});
