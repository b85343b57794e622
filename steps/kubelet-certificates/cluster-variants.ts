/** Sentences that need a cluster of the scenario's own: other switches, damaged bindings, a clock that is moved far. */

import { Kubelet, type Pair } from '../../src/joining/kubelet.js';
import { hasCondition, requestObject } from '../../src/joining/request.js';
import { SIGNER_APISERVER_CLIENT } from '../../src/kubernetes/names.js';
import type { Binding, CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { parseCertificate } from '../../src/pki/certificate.js';
import { generateKey } from '../../src/pki/keys.js';
import { certificatesOfPem } from '../../src/pki/pem.js';
import { Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { switchedOff, twinOf, withoutCleaner } from '../bootstrap-tokens/cluster-variants.js';
import { CONTROLLER_MS, decideAs, OWN_REQUESTS, QUIET_MS } from '../common/csr-requests.js';
import { requestOf } from '../common/node-client.js';
import { joiningToken } from '../common/tokens.js';

Given('a cluster of ours that kubeadm has set up', async function (this: World) {
  this.moveTo((await withoutCleaner(this)).twin);
});

Given('a cluster of ours whose controller manager has no key of the CA', async function (this: World) {
  this.moveTo(await switchedOff(this));
});

Given('a cluster of ours whose clock may be moved far', async function (this: World) {
  this.moveTo((await twinOf(this, 'moved far', () => ({}))).twin);
});

Given('its ClusterRoleBinding {string} has lost its subjects', async function (this: World, name: string) {
  await this.writes.patch<Binding>(resources.clusterRoleBindings, name, undefined, { subjects: null });
});

When('the bootstrap-token phase of init runs again', async function (this: World) {
  await this.ability('init').repeatBootstrapToken();
});

Then(
  'its ClusterRoleBinding {string} binds {string} again',
  async function (this: World, name: string, subject: string) {
    const binding = await this.objects.get<Binding>(resources.clusterRoleBindings, name);
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
  await this.writes.create<CertificateSigningRequest>(resources.certificateSigningRequests, object);
  this.keep('there', object.metadata.name ?? '');
  await decideAs(this, this.admin, object.metadata.name ?? '', 'Approved', 'granted');
});

Then('no certificate is issued there', async function (this: World) {
  await this.sleep(QUIET_MS * 2);
  const request = await this.objects.get<CertificateSigningRequest>(
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
  const token = await joiningToken(world);
  const kubelet = new Kubelet({
    cluster: world.cluster,
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
  const name = this.kept<string>('there');
  await this.sleep(QUIET_MS);
  const before = await this.objects.get<CertificateSigningRequest>(resources.certificateSigningRequests, name);
  const approved = before !== undefined && hasCondition(before, 'Approved');
  this.expect({
    object: "the node's renewal",
    demanded: 'waits',
    seen: approved ? 'it is approved' : 'it waits',
    ok: !approved,
  });
  await decideAs(this, this.admin, name, 'Approved', 'demanded');
  const { kind } = await this.kept<NodeThere>('node there').kubelet.goOn(CONTROLLER_MS);
  this.expect({
    object: "the node's renewal, approved by an administrator",
    demanded: 'is issued',
    seen: kind === 'issued' ? 'it is' : kind,
    ok: kind === 'issued',
  });
});

async function statusWith(world: World, pair: Pair): Promise<number> {
  return (await world.as({ kind: 'certificate', ...pair }).ask({ path: '/api' })).status;
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
  await world.sleep(notAfter - world.now() + 1_000);
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
