/** Sentences that need a cluster of the scenario's own: other switches, damaged bindings, a clock that is moved far. */

import { loginRefused } from '../../src/checks/authenticators/login.js';
import { accessDenied, requestAllowed } from '../../src/checks/authorization/access.js';
import { access, accessText, reviewOf } from '../../src/checks/authorization/access-questions.js';
import { machineIssued, readEnded } from '../../src/checks/bootstrap-tokens/machine.js';
import { leafIn } from '../../src/checks/certificates/x509.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { GROUP_AUTHENTICATED, GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Binding } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
import type { Pair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { movedFar, switchedOff, withoutCleaner } from '../bootstrap-tokens/cluster-variants.js';
import {
  CONTROLLER_MS,
  checkIssued,
  checkNotApproved,
  decideAs,
  grantApproved,
  lastAsked,
} from '../common/csr-requests.js';
import { join, NODE } from '../common/joined.js';
import { soon } from '../common/soon.js';
import { joiningToken } from '../common/tokens.js';
import { SOON, seconds } from '../common/waiting.js';
import { askNext } from './renewals.js';

const VARIANT = { needs: ['variants', 'controllers'], waits: true } as const;

Given('a cluster of ours that kubeadm has set up', VARIANT, async function (this: World) {
  this.moveTo((await withoutCleaner(this)).twin);
});

Given('a cluster of ours that signs for twenty years', VARIANT, async function (this: World) {
  this.moveTo((await withoutCleaner(this)).twin);
});

Given('a cluster of ours whose controller manager has no key of the CA', VARIANT, async function (this: World) {
  this.moveTo(await switchedOff(this));
});

Given(
  'a cluster of ours whose clock may be moved far',
  { needs: ['variants', 'controllers', 'clock'] },
  async function (this: World) {
    this.moveTo((await movedFar(this)).twin);
  },
);

/** What a binding of a variant named before the scenario took it away. */
const TAKEN_AWAY = slot<Pick<Binding, 'subjects' | 'metadata'>>('a binding that has lost its subjects');

/** Other scenarios look at the same variant: they are not played at the same time. */
Given(
  'its ClusterRoleBinding {string} has lost its subjects',
  { needs: ['writes'], exclusive: 'bindings of a variant' },
  async function (this: World, name: string) {
    const before = await this.objects.get<Binding>(resources.clusterRoleBindings, name);
    if (before !== undefined) this.put(TAKEN_AWAY, before);
    await this.writes.patch<Binding>(resources.clusterRoleBindings, name, undefined, { subjects: null });
    if (this.has(NODE)) await untilForgotten(this);
  },
);

/** The API server learns of a binding by its watch. */
async function untilForgotten(world: World): Promise<void> {
  const { nodeName } = world.get(NODE).kubelet;
  const renewing = access('create', 'certificatesigningrequests.certificates.k8s.io/selfnodeclient');
  const node = { user: `${NODE_USER_PREFIX}${nodeName}`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] };
  const review = async () => [
    { subject: accessText(renewing), answer: await world.ability('reviews').review(reviewOf(renewing, node)) },
  ];
  await soon(world, { check: accessDenied, within: SOON }, review);
}

/** Later scenarios find the variant as kubeadm has made it. */
async function putBack(world: World): Promise<void> {
  const { metadata, subjects } = world.get(TAKEN_AWAY);
  await world.writes.patch<Binding>(resources.clusterRoleBindings, metadata.name ?? '', undefined, { subjects });
}

/** Who repeats the phase repairs what others have changed: they are not played at the same time. */
When(
  'the bootstrap-token phase of init runs again',
  { needs: ['init'], exclusive: 'second-run' },
  async function (this: World) {
    await this.ability('init').repeatBootstrapToken();
  },
);

/** The certificate that the clock is moved past. */
const OLD = slot<Pair>('a certificate that ends soon');

Given('a node of its own that has joined', async function (this: World) {
  this.put(NODE, await join(this, await joiningToken(this)));
});

Given('the node has its renewals approved automatically', async function (this: World) {
  await askNext(this);
  await grantApproved(this, lastAsked(this));
});

/**
 * The binding is put back whatever is found, and not before the administrator has decided: the approver would be
 * quicker.
 */
Then('that request is not approved until an administrator does it', async function (this: World) {
  const asked = lastAsked(this);
  try {
    await checkNotApproved(this, asked);
    await decideAs(this, asked, 'Approved', 'demanded');
    await checkIssued(this, asked);
  } finally {
    await putBack(this);
  }
});

Given('a node that has joined for ten minutes', async function (this: World) {
  const joined = this.put(NODE, await join(this, await joiningToken(this)));
  const outcome = await joined.kubelet.renew(this.patiently(CONTROLLER_MS), { expirationSeconds: 600 });
  this.grant(machineIssued, [readEnded('the request for a certificate of ten minutes', outcome)], {
    demanded: `is issued within ${seconds(this, CONTROLLER_MS)}`,
  });
  if (outcome.kind === 'issued') {
    this.secret(outcome.pair.key);
    this.put(OLD, outcome.pair);
  }
});

/** Moves the clock past its end. */
async function expire(world: World, { certificate }: Pair): Promise<void> {
  const end = leafIn(certificate)?.notAfter ?? world.unknown('the certificate of ten minutes cannot be read');
  await world.sleep(end - world.now() + 1_000);
}

When('its certificate has expired', async function (this: World) {
  await expire(this, this.get(OLD));
});

async function checkRefused(world: World): Promise<void> {
  const { status, body } = await world.as({ kind: 'certificate', ...world.get(OLD) }).ask({ path: '/api' });
  world.check(loginRefused, [
    { subject: "GET /api, with the node's certificate after its end", heard: { status, body } },
  ]);
}

Then('its certificate is refused as unauthorized', async function (this: World) {
  await checkRefused(this);
});

When('the node has renewed its certificate and the old one has expired', async function (this: World) {
  const outcome = await this.get(NODE).kubelet.renew(this.patiently(CONTROLLER_MS));
  if (outcome.kind !== 'issued') return this.unknown(`the node could not renew once more: ${outcome.kind}`);
  this.secret(outcome.pair.key);
  await expire(this, this.get(OLD));
});

Then('the new certificate logs in, and the old one is refused as unauthorized', async function (this: World) {
  const { status, body } = await this.get(NODE).kubelet.node.ask({ path: '/api' });
  const answers = [{ subject: "GET /api, with the node's new certificate", answer: seenIn({ status, body }) }];
  this.grant(requestAllowed, answers, { statuses: [200] });
  await checkRefused(this);
});
