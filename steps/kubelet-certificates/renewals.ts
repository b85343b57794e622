/** Sentences about a node that asks again: for its next client certificate, and for a serving certificate. */

import { clientRequest, hasCondition, requestObject, send, servingRequest } from '../../src/joining/request.js';
import { GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { parseCertificate } from '../../src/pki/certificate.js';
import { generateKey, type KeyAlgorithm, type KeyObject, spareKey } from '../../src/pki/keys.js';
import { certificatesOfPem } from '../../src/pki/pem.js';
import { Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import {
  type Asked,
  approvesByItself,
  CONTROLLER_MS,
  decideAs,
  decided,
  expectNotApproved,
  issued,
  stored,
} from '../common/csr-requests.js';
import { type Joined, requestOf } from '../common/node-client.js';
import { expectClusterSigned } from './issued-certificates.js';

const joined = (world: World): Joined => world.kept<Joined>('joined');

const remember = (world: World, what: string, request: CertificateSigningRequest): void => {
  const asked: Asked = { what, name: request.metadata.name ?? '', sent: request, created: request };
  world.keep('asked', [...(world.has('asked') ? world.kept<readonly Asked[]>('asked') : []), asked]);
};

/** Asks as the node and does not wait: what becomes of the request is for the sentences that follow. */
async function renew(world: World, key?: KeyObject): Promise<void> {
  const outcome = await joined(world).kubelet.renew(0, { take: false, ...(key === undefined ? {} : { key }) });
  remember(
    world,
    'its next certificate',
    requestOf(world, outcome, 'the request for its next certificate, as the node'),
  );
}

async function askForServing(world: World): Promise<CertificateSigningRequest> {
  const { kubelet } = joined(world);
  const outcome = await kubelet.askForServing({ dns: [kubelet.nodeName], ip: ['192.0.2.10'] }, 0);
  const request = requestOf(world, outcome, 'the request for a serving certificate, as the node');
  remember(world, 'a serving certificate', request);
  return request;
}

const asked = (world: World, what: string): Asked => {
  const found = world.kept<readonly Asked[]>('asked').find((item) => item.what === what);
  return found ?? world.unknown(`the scenario sent no request for ${what}`);
};

When('the node asks for its next certificate', async function (this: World) {
  await renew(this);
});

When(/^the node asks for its next certificate with a key of (\S+)$/, async function (this: World, kind: string) {
  await renew(this, await spareKey(kind as KeyAlgorithm));
});

When('the node asks for a serving certificate', async function (this: World) {
  await askForServing(this);
});

When('the node asks for a serving certificate, which an administrator approves', async function (this: World) {
  const request = await askForServing(this);
  await decideAs(this, this.admin, request.metadata.name ?? '', 'Approved', 'demanded');
});

Then('the stored request names the node and its group', async function (this: World) {
  const last = this.kept<readonly Asked[]>('asked').at(-1);
  const { spec } = await stored(this, last?.name ?? '');
  const user = `${NODE_USER_PREFIX}${joined(this).kubelet.nodeName}`;
  const ok = spec.username === user && (spec.groups ?? []).includes(GROUP_NODES);
  this.expect({
    object: `the stored request for ${last?.what ?? ''}`,
    demanded: `was made by ${user} in ${GROUP_NODES}`,
    seen: `made by ${spec.username ?? 'nobody'} in ${(spec.groups ?? []).join(', ')}`,
    ok,
  });
});

When('the node asks for a certificate of another node', async function (this: World) {
  const object = requestObject({
    ...clientRequest(`jp-${this.random(10)}`, generateKey('ECDSA-P256')),
    name: `jp-${this.random(12)}`,
  });
  const answer = await send(joined(this).kubelet.node, object);
  this.keep('foreign', { status: answer.status, name: object.metadata.name ?? '' });
});

Then('its own request is approved, and that for the other is refused or not approved', async function (this: World) {
  const own = asked(this, 'its next certificate');
  const request = await decided(this, own.name);
  const approved = request !== undefined && hasCondition(request, 'Approved');
  approvesByItself(this, approved);
  this.control({
    object: "the node's request for itself",
    demanded: 'is approved automatically',
    seen: approved ? 'it is' : 'it is not',
    ok: approved,
  });
  const { status, name } = this.kept<{ status: number; name: string }>('foreign');
  if (status !== 201) {
    this.expect({
      object: "a node's request for another node",
      demanded: 'is refused (403) or not approved',
      seen: String(status),
      ok: status === 403,
    });
    return;
  }
  await expectNotApproved(this, { what: 'another node', name, sent: own.sent, created: own.created });
});

async function forbidden(world: World, object: CertificateSigningRequest, what: string): Promise<void> {
  const { status } = await send(joined(world).kubelet.node, object);
  world.expect({ object: what, demanded: 'is forbidden (403)', seen: String(status), ok: status === 403 });
}

Then('the node is forbidden to ask for a certificate of another node', async function (this: World) {
  const object = requestObject({
    ...clientRequest(`jp-${this.random(10)}`, generateKey('ECDSA-P256')),
    name: `jp-${this.random(12)}`,
  });
  await forbidden(this, object, "a node's request for another node");
});

Then('the node is forbidden to ask for a serving certificate of another node', async function (this: World) {
  const other = `jp-${this.random(10)}`;
  const wanted = servingRequest(other, generateKey('ECDSA-P256'), { dns: [other], ip: ['192.0.2.11'] });
  await forbidden(
    this,
    requestObject({ ...wanted, name: `jp-${this.random(12)}` }),
    "a node's request for another node's serving certificate",
  );
});

async function expectIssued(world: World, what: string): Promise<CertificateSigningRequest | undefined> {
  const request = await issued(world, asked(world, what).name);
  // a serving request is always approved by somebody, so only a renewal can wait for a person
  if (what === 'its next certificate')
    approvesByItself(
      world,
      request !== undefined || hasCondition(await stored(world, asked(world, what).name), 'Approved'),
    );
  world.expect({
    object: `the request for ${what}`,
    demanded: 'carries a certificate within 30 s',
    seen: request === undefined ? 'it carries none' : 'it does',
    ok: request !== undefined,
  });
  return request;
}

Then('both certificates are issued', async function (this: World) {
  await expectIssued(this, 'its next certificate');
  await expectIssued(this, 'a serving certificate');
});

When('the node renews its certificate and keeps asking meanwhile', async function (this: World) {
  const { kubelet } = joined(this);
  const old = kubelet.node;
  const answers: number[] = [];
  const look = async (client: typeof old): Promise<void> => {
    answers.push((await client.ask({ path: '/api' })).status);
  };
  await look(old);
  const renewal = kubelet.renew(CONTROLLER_MS);
  await look(old);
  const outcome = await renewal;
  requestOf(this, outcome, 'the request for its next certificate, as the node');
  await look(old);
  if (outcome.kind === 'issued') {
    this.secret(outcome.pair.key);
    await look(kubelet.node);
  }
  await look(old);
  this.keep('answers', { answers, outcome: outcome.kind });
});

Then('none of its requests was refused, with the old certificate or with the new', function (this: World) {
  const { answers, outcome } = this.kept<{ answers: number[]; outcome: string }>('answers');
  approvesByItself(this, outcome !== 'waiting');
  this.control({ object: "the node's renewal", demanded: 'is issued', seen: outcome, ok: outcome === 'issued' });
  this.expect({
    object: "the node's requests during its renewal",
    demanded: 'are all answered with 200',
    seen: answers.join(', '),
    ok: answers.every((status) => status === 200),
  });
});

Then("that request is younger than the node's first one, and made by the node", async function (this: World) {
  const { request, kubelet } = joined(this);
  const serving = asked(this, 'a serving certificate').created;
  const age =
    Date.parse(serving.metadata.creationTimestamp ?? '') - Date.parse(request.metadata.creationTimestamp ?? '');
  const user = `${NODE_USER_PREFIX}${kubelet.nodeName}`;
  const ok = age >= 0 && serving.spec.username === user;
  this.expect({
    object: 'the request for a serving certificate',
    demanded: `comes later, from ${user}`,
    seen: `${age / 1000} s later, from ${serving.spec.username ?? 'nobody'}`,
    ok,
  });
});

Then("that certificate is signed by the cluster's CA, for servers and not for clients", async function (this: World) {
  const request = await expectIssued(this, 'a serving certificate');
  const pem = Buffer.from(request?.status?.certificate ?? '', 'base64').toString('utf8');
  const certificate = parseCertificate(certificatesOfPem(pem)[0] ?? Buffer.alloc(0));
  await expectClusterSigned(this, certificate, 'the serving certificate');
  const usages = certificate.extendedKeyUsage ?? [];
  const ok = usages.includes('serverAuth') && !usages.includes('clientAuth');
  this.expect({
    object: 'the serving certificate',
    demanded: 'extended usage serverAuth and not clientAuth',
    seen: usages.join(', ') || 'none',
    ok,
  });
});

Then('the renewal is approved, and the serving request waits', async function (this: World) {
  const renewal = await decided(this, asked(this, 'its next certificate').name);
  const approved = renewal !== undefined && hasCondition(renewal, 'Approved');
  approvesByItself(this, approved);
  this.control({
    object: "the node's renewal",
    demanded: 'is approved automatically',
    seen: approved ? 'it is' : 'it is not',
    ok: approved,
  });
  await expectNotApproved(this, asked(this, 'a serving certificate'));
});

When('an administrator approves the serving request', async function (this: World) {
  await decideAs(this, this.admin, asked(this, 'a serving certificate').name, 'Approved', 'demanded');
});

Then('the serving certificate is issued', async function (this: World) {
  await expectIssued(this, 'a serving certificate');
});
