/**
 * Sentences about who may act for a signer. RBAC lets the controller of certificates write every approval and every
 * status; what admission asks of it besides is a right on the signer, which it holds for some.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go certificate-controller.
 */
import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import { base64 } from '../../src/kubernetes/json.js';
import { GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, Condition } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import { strangersPair } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { type Asked, administrator, ask, stored } from '../common/csr-requests.js';

const RIGHTS = { needs: ['writes', 'requests', 'kubeadm'] } as const;

const CONTROLLER = { 'Impersonate-User': 'system:serviceaccount:kube-system:certificate-controller' };

type Status = NonNullable<CertificateSigningRequest['status']>;

/** Writes a part of a request as the controller, which may update and not patch. */
async function writeAsController(
  world: World,
  asked: Asked,
  subresource: 'approval' | 'status',
  status: Status,
): Promise<Answered> {
  // One that was refused has no name: what comes of it is told all the same.
  const there = asked.name === '' ? asked.sent : await stored(world, asked);
  const current = there ?? world.unknown(`${asked.what}: the request is gone`);
  const { status: code, body } = await world.admin.ask({
    method: 'PUT',
    path: pathOf(resources.certificateSigningRequests, { name: asked.name, subresource }),
    headers: CONTROLLER,
    body: { ...current, status: { ...current.status, ...status } },
  });
  const what = status.certificate === undefined ? subresource : 'certificate';
  return {
    subject: `update the ${what} of ${asked.what}, as the controller of certificates`,
    answer: seenIn({ status: code, body }),
  };
}

const said = (type: string): Condition => ({
  type,
  status: 'True',
  reason: 'JoinproofTries',
  message: 'made by joinproof',
});

const approve = (world: World, asked: Asked): Promise<Answered> =>
  writeAsController(world, asked, 'approval', { conditions: [said('Approved')] });
const remark = (world: World, asked: Asked): Promise<Answered> =>
  writeAsController(world, asked, 'status', { conditions: [said('JoinproofRemark')] });
const sign = (world: World, asked: Asked): Promise<Answered> =>
  writeAsController(world, asked, 'status', {
    certificate: base64(strangersPair(`${NODE_USER_PREFIX}jp-tried`, [GROUP_NODES]).certificate),
  });

/** What an administrator has noted of it, in other words. */
async function reword(world: World, asked: Asked): Promise<Answered> {
  const path = pathOf(resources.certificateSigningRequests, { name: asked.name, subresource: 'status' });
  const noted = { status: { conditions: [said('JoinproofNoted')] } };
  await world.admin.ask({ method: 'PATCH', path, contentType: PATCH_TYPES.merge, body: noted });
  const conditions = [{ ...said('JoinproofNoted'), message: 'reworded by joinproof' }];
  const { answer } = await writeAsController(world, asked, 'status', { conditions });
  return { subject: `reword a note of ${asked.what}, as the controller of certificates`, answer };
}

async function each(
  world: World,
  table: DataTable,
  acts: readonly ((world: World, asked: Asked) => Promise<Answered>)[],
): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const { request = '' } of table.hashes()) {
    const asked = await ask(world, administrator(world), request);
    for (const act of acts) answers.push(await act(world, asked));
  }
  return answers;
}

/** Its twin: a request of the one signer that it may approve for, which no signer takes once it is approved. */
const MAY_APPROVE = 'an administrator in the group system:masters';
const MAY_SIGN = 'an API client that nobody approves automatically';

Then('the controller of certificates is forbidden to approve:', RIGHTS, async function (this: World, table: DataTable) {
  const allowed = await approve(this, await ask(this, administrator(this), MAY_APPROVE));
  this.grant(requestAllowed, [allowed], { statuses: [200] });
  this.check(requestForbidden, await each(this, table, [approve]));
});

Then('the controller of certificates is forbidden to sign:', RIGHTS, async function (this: World, table: DataTable) {
  const allowed = await remark(this, await ask(this, administrator(this), MAY_SIGN));
  this.grant(requestAllowed, [allowed], { statuses: [200] });
  this.check(requestForbidden, await each(this, table, [remark, sign, reword]));
});
