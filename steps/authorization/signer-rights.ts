/**
 * Sentences about who approves and signs for whom. They are asked in the name of the controller that does both: it may
 * write the approval and the status of every request, and approves and signs for some signers only.
 * Source: plugin/pkg/admission/certificates/{approval,signing}/admission.go; bootstrappolicy/controller_policy.go.
 */
import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import type { Binding, CertificateSigningRequest, Role } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { certificateRequest } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { ownName } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { clusterBinding, clusterRole, user as userNamed } from '../common/grants.js';
import { DRY } from '../common/trials.js';
import { SOON } from '../common/waiting.js';
import { attempts } from './attempts.js';

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

const CERTIFICATES = 'certificates.k8s.io';

/** By which part of a request somebody acts on it, and with which condition. */
const DEEDS = {
  approved: { door: 'approval', type: 'Approved' },
  signed: { door: 'status', type: 'Failed' },
} as const;
type Deed = keyof typeof DEEDS;

/** A user who may write one part of every request, and act for signers of one name; headers to ask as him. */
async function actorFor(
  world: World,
  part: string,
  verb: string,
  signer: string,
): Promise<Readonly<Record<string, string>>> {
  const name = `jp-${world.random(10)}`;
  const user = `jp-${world.random(10)}`;
  const rules = [
    { verbs: ['get'], apiGroups: [CERTIFICATES], resources: ['certificatesigningrequests'] },
    { verbs: ['update'], apiGroups: [CERTIFICATES], resources: [`certificatesigningrequests/${part}`] },
    { verbs: [verb], apiGroups: [CERTIFICATES], resources: ['signers'], resourceNames: [signer] },
  ];
  await world.writes.create<Role>(resources.clusterRoles, clusterRole(name, rules));
  await world.writes.create<Binding>(resources.clusterRoleBindings, clusterBinding(name, name, userNamed(user)));
  return { 'Impersonate-User': user };
}

/** Tries as each of them, once the API server knows what they may. */
const actedOn = (world: World, signer: string, deed: Deed, verb: string, table: DataTable) => {
  const asked = world.get(REQUESTS)[signer] ?? world.unknown(`no earlier step asked "${signer}"`);
  const { name = '' } = asked.metadata;
  const path = pathOf(resources.certificateSigningRequests, { name });
  const { door, type } = DEEDS[deed];
  return forEach(world, table.raw(), async ([right = '']) => {
    const headers = await actorFor(world, door, verb, right);
    await world.eventually(SOON, async () =>
      (await world.admin.ask({ path, headers })).status === 200 ? true : undefined,
    );
    const conditions = [{ type, status: 'True', reason: 'Joinproof', message: 'a dry run' }];
    const body = { ...asked, status: { conditions } };
    const answer = await world.admin.ask({ method: 'PUT', path: `${path}/${door}`, query: DRY, headers, body });
    return { subject: `a request for ${signer}, ${deed} by who may ${verb} for ${right}`, answer: seenIn(answer) };
  });
};

const RIGHTS = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

Then(
  /^one for "([^"]*)" is (approved|signed) by who may (approve|sign) for:$/,
  RIGHTS,
  async function (this: World, signer: string, deed: Deed, verb: string, table: DataTable) {
    this.check(requestAllowed, await actedOn(this, signer, deed, verb, table), { statuses: [200] });
  },
);

Then(
  /^one for "([^"]*)" is not (approved|signed) by who may (approve|sign) for:$/,
  RIGHTS,
  async function (this: World, signer: string, deed: Deed, verb: string, table: DataTable) {
    this.check(requestForbidden, await actedOn(this, signer, deed, verb, table));
  },
);
