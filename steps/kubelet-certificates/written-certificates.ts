/** Sentences about certificates that somebody writes into the status of a request by hand. */

import { requestAllowed } from '../../src/checks/authorization/access.js';
import { base64 } from '../../src/kubernetes/json.js';
import { GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { Then } from '../../src/run/define.js';
import { strangersPair } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { administrator, ask, patchStatus, subjectOf } from '../common/csr-requests.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

/** Source: pkg/apis/certificates/validation/validation.go validateCertificate. */
Then('a certificate is taken with a text before it and behind it', WRITES, async function (this: World) {
  const asked = await ask(this, administrator(this), 'an API client of a signer that nobody runs');
  const { certificate } = strangersPair(`${NODE_USER_PREFIX}jp-another`, [GROUP_NODES]);
  const text = `made by joinproof\n${certificate}made by joinproof\n`;
  const answer = await patchStatus(this, asked, 'status', { certificate: base64(text) });
  const subject = `a certificate with a text around it, for ${subjectOf(asked)}`;
  this.check(requestAllowed, [{ subject, answer }], { statuses: [200] });
});
