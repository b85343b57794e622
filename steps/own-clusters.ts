/** Sentences that need a cluster of the scenario's own: other switches, damaged bindings, a clock that is moved far. */
import { Given, Then, When } from '@cucumber/cucumber';
import { Kubelet, type Pair } from '../src/joining/kubelet.js';
import { hasCondition, requestObject } from '../src/joining/request.js';
import { SIGNER_APISERVER_CLIENT } from '../src/kubernetes/names.js';
import type { Binding, CertificateSigningRequest } from '../src/kubernetes/objects.js';
import { resources } from '../src/kubernetes/resources.js';
import { parseCertificate } from '../src/pki/certificate.js';
import { generateKey } from '../src/pki/keys.js';
import { certificatesOfPem } from '../src/pki/pem.js';
import type { World } from '../src/run/world.js';
import type { Target } from '../src/targets/types.js';
import { CONTROLLER_MS, decideAs, OWN_REQUESTS, QUIET_MS } from './asked-requests.js';
import { switchedOff, twinOf, withoutCleaner } from './control-plane.js';
import { joinToken } from './join-token.js';
import { requestOf } from './joined.js';

const there = (world: World): Target => world.kept<Target>('twin');

Given('a cluster of ours that kubeadm has set up', async function (this: World) {
  this.keep('twin', this.observe((await withoutCleaner(this)).twin));
});

Given('a cluster of ours whose controller manager has no key of the CA', async function (this: World) {
  this.keep('twin', this.observe(await switchedOff(this)));
});

Given('a cluster of ours whose clock may be moved far', async function (this: World) {
  this.keep('twin', this.observe((await twinOf(this, 'moved far', () => ({}))).twin));
});

Given('its ClusterRoleBinding {string} has lost its subjects', async function (this: World, name: string) {
  await there(this).admin.patch<Binding>(resources.clusterRoleBindings, name, undefined, { subjects: null });
});

When('the bootstrap-token phase of init runs again', async function (this: World) {
  const target = there(this);
  if (target.repeatBootstrapPhase === undefined) this.skip('this target cannot run the phases of kubeadm init again');
  await target.repeatBootstrapPhase?.();
});

Then(
  'its ClusterRoleBinding {string} binds {string} again',
  async function (this: World, name: string, subject: string) {
    const binding = await there(this).admin.get<Binding>(resources.clusterRoleBindings, name);
    const subjects = (binding?.subjects ?? []).map((item) => `${item.kind} ${item.name}`);
    this.expect({
      object: `ClusterRoleBinding ${name}`,
      demanded: `binds ${subject} again`,
      seen: subjects.join(', ') || 'nobody',
      ok: subjects.join() === subject,
    });
  },
);

When('an administrator approves a request there', async function (this: World) {
  const object = requestObject({
    key: generateKey('ECDSA-P256'),
    commonName: `jp-${this.random(8)}`,
    organizations: [],
    signerName: SIGNER_APISERVER_CLIENT,
    usages: ['digital signature', 'client auth'],
    name: `jp-${this.random(12)}`,
  });
  await there(this).admin.create<CertificateSigningRequest>(resources.certificateSigningRequests, object);
  this.keep('there', object.metadata.name ?? '');
  await decideAs(this, there(this).admin, object.metadata.name ?? '', 'Approved', 'granted');
});

Then('no certificate is issued there', async function (this: World) {
  await there(this).clock.sleep(QUIET_MS * 2);
  const request = await there(this).admin.get<CertificateSigningRequest>(
    resources.certificateSigningRequests,
    this.kept<string>('there'),
  );
  const approved = request !== undefined && hasCondition(request, 'Approved');
  this.control({
    object: 'the request',
    demanded: 'is approved',
    seen: approved ? 'it is' : 'it is not',
    ok: approved,
  });
  const none = request?.status?.certificate === undefined;
  this.expect({
    object: 'the approved request',
    demanded: 'carries no certificate',
    seen: none ? 'none' : 'somebody has signed it',
    ok: none,
  });
});

interface NodeThere {
  readonly kubelet: Kubelet;
  /** The certificate that the clock is moved past. */
  readonly old: Pair;
}

/** A node of the own cluster; `seconds` asks for a certificate that lives no longer. */
async function joinThere(world: World, seconds?: number): Promise<void> {
  const target = there(world);
  const token = await joinToken(world);
  const kubelet = new Kubelet({
    cluster: target,
    nodeName: `jp-${world.random(10)}`,
    token: token.token,
    generateName: OWN_REQUESTS,
  });
  const outcome = await kubelet.start(CONTROLLER_MS);
  if (outcome.kind !== 'issued')
    return world.unknown(`a machine could not join to begin with: its request is ${outcome.kind}`);
  let old = outcome.pair;
  if (seconds !== undefined) {
    const renewed = await kubelet.renew(CONTROLLER_MS, { expirationSeconds: seconds });
    if (renewed.kind !== 'issued')
      return world.unknown(`a certificate for ${seconds} s was not issued: the request is ${renewed.kind}`);
    old = renewed.pair;
  }
  world.keep<NodeThere>('node there', { kubelet, old });
}

Given('a node that has joined there', async function (this: World) {
  await joinThere(this);
});

Given('a node that has joined there for ten minutes', async function (this: World) {
  await joinThere(this, 600);
});

When('the node there asks for its next certificate', async function (this: World) {
  const { kubelet } = this.kept<NodeThere>('node there');
  const outcome = await kubelet.renew(0, { take: false });
  this.keep('there', requestOf(this, outcome, "the node's request for its next certificate").metadata.name ?? '');
});

Then('that request is not approved until an administrator does it', async function (this: World) {
  const target = there(this);
  const name = this.kept<string>('there');
  await target.clock.sleep(QUIET_MS);
  const before = await target.admin.get<CertificateSigningRequest>(resources.certificateSigningRequests, name);
  const approved = before !== undefined && hasCondition(before, 'Approved');
  this.expect({
    object: "the node's renewal",
    demanded: 'waits',
    seen: approved ? 'it is approved' : 'it waits',
    ok: !approved,
  });
  await decideAs(this, target.admin, name, 'Approved', 'demanded');
  const { kind } = await this.kept<NodeThere>('node there').kubelet.goOn(CONTROLLER_MS);
  this.expect({
    object: "the node's renewal, approved by an administrator",
    demanded: 'is issued',
    seen: kind === 'issued' ? 'it is' : kind,
    ok: kind === 'issued',
  });
});

async function statusWith(world: World, pair: Pair): Promise<number> {
  return (
    await there(world)
      .as({ kind: 'certificate', ...pair })
      .ask({ path: '/api' })
  ).status;
}

Then('its certificate logs in there', async function (this: World) {
  const status = await statusWith(this, this.kept<NodeThere>('node there').old);
  this.control({
    object: "the node's certificate, before its end",
    demanded: 'logs in (200)',
    seen: String(status),
    ok: status === 200,
  });
});

async function expire(world: World, pair: Pair): Promise<void> {
  const { notAfter } = parseCertificate(certificatesOfPem(pair.certificate)[0] ?? Buffer.alloc(0));
  const { clock } = there(world);
  await clock.sleep(notAfter - clock.now() + 1_000);
}

When('its certificate there has expired', async function (this: World) {
  await expire(this, this.kept<NodeThere>('node there').old);
});

async function expectRefused(world: World): Promise<void> {
  const status = await statusWith(world, world.kept<NodeThere>('node there').old);
  world.expect({
    object: "the node's certificate, after its end",
    demanded: 'is refused as unauthorized (401)',
    seen: String(status),
    ok: status === 401,
  });
}

Then('its certificate is refused there as unauthorized', async function (this: World) {
  await expectRefused(this);
});

When('the node there has renewed its certificate and the old one has expired', async function (this: World) {
  const { kubelet, old } = this.kept<NodeThere>('node there');
  const outcome = await kubelet.renew(CONTROLLER_MS);
  if (outcome.kind !== 'issued') return this.unknown(`the renewal was not issued: the request is ${outcome.kind}`);
  await expire(this, old);
});

Then('the new certificate logs in there, and the old one is refused as unauthorized', async function (this: World) {
  const { kubelet } = this.kept<NodeThere>('node there');
  const { status } = await kubelet.node.ask({ path: '/api' });
  this.control({
    object: "the node's new certificate",
    demanded: 'logs in (200)',
    seen: String(status),
    ok: status === 200,
  });
  await expectRefused(this);
});
