/**
 * Sentences about who approves and signs for whom. They are asked in the name of the controller that does both: it may
 * write the approval and the status of every request, and approves and signs for some signers only.
 * Source: plugin/pkg/admission/certificates/{approval,signing}/admission.go; bootstrappolicy/controller_policy.go.
 */
import { requestAllowed, requestForbidden } from '../../src/checks/access.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { certificateRequest } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { ownName } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { attempts } from './attempts.js';
import { DRY } from './node-questions.js';

const CONTROLLER = 'system:serviceaccount:kube-system:certificate-controller';
const IMPERSONATED = { 'Impersonate-User': CONTROLLER };

/** By the signer that it names, a request of ours. */
const REQUESTS = slot<Readonly<Record<string, CertificateSigningRequest>>>('certificate requests for several signers');

Given(
  'certificate requests for these signers:',
  { needs: ['writes', 'requests'] },
  async function (this: World, table: DataTable) {
    const made = await forEach(this, table.raw(), async ([signerName = '']) => {
      const name = ownName(this);
      const usages = ['digital signature', 'client auth'];
      const request = certificateRequest(name, { subject: [['CN', name]], signerName, usages });
      return [signerName, await this.writes.create(resources.certificateSigningRequests, request)] as const;
    });
    this.put(REQUESTS, Object.fromEntries(made));
  },
);

const DECISIONS = {
  approves: { subresource: 'approval', type: 'Approved' },
  fails: { subresource: 'status', type: 'Failed' },
} as const;
type Decision = keyof typeof DECISIONS;

const decisions = (world: World, decision: Decision, table: DataTable) =>
  attempts(
    world,
    world.admin,
    table.raw().map(([signer = '']) => {
      const { subresource, type } = DECISIONS[decision];
      const asked = world.get(REQUESTS)[signer] ?? world.unknown(`no earlier step asked "${signer}"`);
      const { name = '' } = asked.metadata;
      const conditions = [{ type, status: 'True', reason: 'Joinproof', message: 'a dry run' }];
      return {
        subject: `a request for ${signer} that the certificate controller ${decision}`,
        question: {
          method: 'PUT' as const,
          path: pathOf(resources.certificateSigningRequests, { name, subresource }),
          query: DRY,
          headers: IMPERSONATED,
          body: { ...asked, status: { conditions } },
        },
      };
    }),
  );

Then(
  /^the certificate controller (approves|fails) those for:$/,
  async function (this: World, decision: Decision, table: DataTable) {
    const tried = await decisions(this, decision, table);
    if (tried.every(({ answer }) => answer.status === 403))
      this.skip('ability', `${CONTROLLER} may not decide on certificate requests here, or the run may not ask as it`);
    this.grant(requestAllowed, tried, {});
  },
);

Then(
  /^it is forbidden that the certificate controller (approves|fails) those for:$/,
  async function (this: World, decision: Decision, table: DataTable) {
    this.check(requestForbidden, await decisions(this, decision, table));
  },
);
