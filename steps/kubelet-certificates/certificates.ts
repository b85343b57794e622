/** Sentences about the way from a request to a certificate. */

import { hasCondition, isRequest, requestObject, send } from '../../src/joining/request.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  SIGNER_APISERVER_CLIENT,
} from '../../src/kubernetes/names.js';
import type { Binding, CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { createAuthority, issue } from '../../src/pki/authority.js';
import { generateKey, privateKeyPem } from '../../src/pki/keys.js';
import { encodePem, nextPem } from '../../src/pki/pem.js';
import { Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import {
  type Asked,
  approvesByItself,
  ask,
  decideAs,
  decided,
  expectNotApproved,
  issued,
  lastAsked,
  QUIET_MS,
  stored,
  wantedRequest,
} from '../common/csr-requests.js';
import { clientOf, joiningToken, OTHER_TOKEN, TOKEN } from '../common/tokens.js';

const bearer = (world: World): Asker => clientOf(world, world.get(TOKEN));
const otherBearer = (world: World): Asker => clientOf(world, world.get(OTHER_TOKEN));

Given('an administrator', function (this: World) {
  this.need('writes');
});

When('a sound request is sent', async function (this: World) {
  await ask(
    this,
    this.admin,
    'the user admin in no group',
    wantedRequest(this, 'the user admin in no group'),
    'an administrator',
  );
});

/** Takes a sound request's DER and gives the text to send. */
const BROKEN: Readonly<Record<string, (pem: string) => string>> = {
  'signed with another key': (pem) => {
    const der = nextPem(pem)?.block.bytes ?? Buffer.alloc(0);
    const other =
      nextPem(
        Buffer.from(requestObject({ ...shape(), key: generateKey('ECDSA-P256') }).spec.request, 'base64').toString(),
      )?.block.bytes ?? Buffer.alloc(0);
    // the signature is the last element: that of the other request in its place
    const length = Math.min(signatureLength(der), signatureLength(other));
    return encodePem(
      'CERTIFICATE REQUEST',
      Buffer.concat([der.subarray(0, der.length - length), other.subarray(other.length - length)]),
    );
  },
  'changed after it was signed': (pem) => {
    const der = Buffer.from(nextPem(pem)?.block.bytes ?? Buffer.alloc(0));
    const at = der.indexOf('jp-');
    der[at] = 'J'.charCodeAt(0);
    return encodePem('CERTIFICATE REQUEST', der);
  },
  'a certificate, not a request': () =>
    createAuthority({ commonName: 'jp', key: 'ECDSA-P256', now: Date.now() }).certificate.pem,
  'no PEM at all': () => 'this is no PEM',
};

const shape = () => ({
  commonName: 'jp-broken',
  organizations: ['joinproof'],
  signerName: SIGNER_APISERVER_CLIENT,
  usages: ['digital signature', 'client auth'],
});

/** Bytes of the two INTEGERs of an ECDSA signature at the end of a request. */
const signatureLength = (der: Buffer): number => {
  for (let at = der.length - 60; at > 0; at -= 1)
    if (der[at] === 0x30 && der.length - at === (der[at + 1] ?? 0) + 2) return der.length - at - 2;
  return 32;
};

When(/^a request that is (.*) is sent$/, async function (this: World, how: string) {
  const breaking = BROKEN[how];
  if (breaking === undefined) return this.unknown(`the steps know no request that is "${how}"`);
  const sound = requestObject({ ...shape(), key: generateKey('ECDSA-P256'), name: `jp-${this.random(12)}` });
  const text = breaking(Buffer.from(sound.spec.request, 'base64').toString());
  const object = { ...sound, spec: { ...sound.spec, request: Buffer.from(text).toString('base64') } };
  this.keep('broken', { how, status: (await send(this.admin, object)).status });
});

Then('the sound one is taken and the other is refused as invalid', function (this: World) {
  const { how, status } = this.kept<{ how: string; status: number }>('broken');
  this.expect({
    object: `a request that is ${how}`,
    demanded: 'is refused as invalid (422)',
    seen: String(status),
    ok: status === 422,
  });
});

When(
  /^its bearer asks for a certificate for ((?:(?! and claims | and sends | with a comment).)*)$/,
  async function (this: World, what: string) {
    await ask(this, bearer(this), what, wantedRequest(this, what), 'a joining token');
  },
);

When(
  'its bearer asks for a certificate for a node and claims to be {string} in {string}',
  async function (this: World, user: string, group: string) {
    const object = wantedRequest(this, 'a node');
    await ask(
      this,
      bearer(this),
      'a node',
      { ...object, spec: { ...object.spec, username: user, groups: [group], uid: 'jp' } },
      'a joining token',
    );
  },
);

When('its bearer asks for a certificate for a node and sends the approval along', async function (this: World) {
  const condition = { type: 'Approved', status: 'True', reason: 'JoinproofClaims', message: 'sent along' };
  await ask(
    this,
    bearer(this),
    'a node',
    { ...wantedRequest(this, 'a node'), status: { conditions: [condition] } },
    'a joining token',
  );
});

When('its bearer asks for a certificate for a node, with a comment before the request', async function (this: World) {
  await ask(this, bearer(this), 'a node', wantedRequest(this, 'a node', 'made by joinproof\n'), 'a joining token');
});

Then('the request is taken', function (this: World) {
  lastAsked(this);
});

Then('its bearer can get, list and watch the request', async function (this: World) {
  const { name } = lastAsked(this);
  const collection = pathOf(resources.certificateSigningRequests);
  const got = await bearer(this).ask({ path: pathOf(resources.certificateSigningRequests, { name }) });
  const listed = await bearer(this).ask({ path: collection, query: { fieldSelector: `metadata.name=${name}` } });
  // an impossible resourceVersion ends a watch at once, but only after it was authorized
  const watched = await bearer(this).ask({ path: collection, query: { watch: 'true', resourceVersion: 'joinproof' } });
  const who = `the certificate request ${name}, as the token that made it`;
  this.expect({ object: who, demanded: 'get gives it (200)', seen: String(got.status), ok: got.status === 200 });
  this.expect({ object: who, demanded: 'list gives it (200)', seen: String(listed.status), ok: listed.status === 200 });
  this.expect({
    object: who,
    demanded: 'watch is allowed',
    seen: String(watched.status),
    ok: ![401, 403].includes(watched.status),
  });
});

Then("the stored request names the token's user and groups", async function (this: World) {
  const { name } = lastAsked(this);
  const { spec } = await stored(this, name);
  const user = `${BOOTSTRAP_USER_PREFIX}${this.get(TOKEN).id}`;
  const groups = [...(spec.groups ?? [])].sort();
  const wanted = [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, 'system:authenticated'].sort();
  this.expect({
    object: `the stored certificate request ${name}`,
    demanded: `spec.username is ${user}`,
    seen: spec.username ?? 'none',
    ok: spec.username === user,
  });
  this.expect({
    object: `the stored certificate request ${name}`,
    demanded: `spec.groups are ${wanted.join(', ')}`,
    seen: groups.join(', '),
    ok: groups.join() === wanted.join(),
  });
});

Then('the stored request had no approval when it was taken', function (this: World) {
  const { created, name } = lastAsked(this);
  const conditions = created.status?.conditions ?? [];
  this.expect({
    object: `the certificate request ${name}, as created`,
    demanded: 'has no conditions',
    seen: conditions.map(({ type }) => type).join() || 'none',
    ok: conditions.length === 0,
  });
});

Given('a bootstrap token of a group that nobody binds', async function (this: World) {
  this.put(OTHER_TOKEN, await joiningToken(this, `system:bootstrappers:jp-${this.random(10)}`));
});

Then(
  'the bearer of the first may ask for a certificate, and the bearer of the second may not',
  async function (this: World) {
    await ask(this, bearer(this), 'a node', wantedRequest(this, 'a node'), 'a joining token');
    // the group that all tokens are in may have the permission, under any name of a binding
    const bindings = await this.objects.list<Binding>(resources.clusterRoleBindings);
    const everybody = bindings.find(
      ({ roleRef, subjects }) =>
        roleRef.name === 'system:node-bootstrapper' &&
        (subjects ?? []).some(({ name }) => name === GROUP_BOOTSTRAPPERS),
    );
    if (everybody !== undefined)
      return this.skip(
        'nothing',
        `ClusterRoleBinding ${everybody.metadata.name ?? ''} lets every bootstrap token ask for certificates`,
      );
    const { status } = await send(otherBearer(this), wantedRequest(this, 'a node'));
    this.expect({
      object: 'a certificate request, as a token of a group that nobody binds',
      demanded: 'is forbidden (403)',
      seen: String(status),
      ok: status === 403,
    });
  },
);

Then('the request is approved automatically', async function (this: World) {
  const { name } = lastAsked(this);
  const request = await decided(this, name);
  const approval = request?.status?.conditions?.find((condition) => condition.type === 'Approved');
  approvesByItself(this, approval !== undefined);
  this.expect({
    object: `the certificate request ${name}`,
    demanded: 'is approved within 30 s, with reason AutoApproved',
    seen: approval === undefined ? 'nobody has approved it' : `${approval.reason ?? ''}: ${approval.message ?? ''}`,
    ok: approval?.reason === 'AutoApproved',
  });
});

Given('a user who may ask for certificates but not have them approved', async function (this: World) {
  const group = `system:bootstrappers:jp-${this.random(10)}`;
  await this.writes.create<Binding>(resources.clusterRoleBindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `jp-${this.random(10)}` },
    subjects: [{ kind: 'Group', name: group, apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
  });
  this.put(OTHER_TOKEN, await joiningToken(this, group));
});

When('both ask for a certificate for a node', async function (this: World) {
  const object = wantedRequest(this, 'a node');
  const other = otherBearer(this);
  // the API server learns of the new binding by its watch
  const answer = await this.eventually(10_000, async () => {
    const sent = await send(other, object);
    return sent.status === 403 ? undefined : sent;
  });
  if (answer === undefined || !isRequest(answer.body))
    return this.unknown('the user with the new binding may not ask for certificates');
  this.keep('unapproved', {
    what: 'a node, from the user without the permission',
    name: answer.body.metadata.name ?? '',
    sent: object,
    created: answer.body,
  });
  await ask(this, bearer(this), 'a node', wantedRequest(this, 'a node'), 'a joining token');
});

async function controlApproved(world: World, asked: Asked): Promise<void> {
  const request = await decided(world, asked.name);
  const ok = request !== undefined && hasCondition(request, 'Approved');
  approvesByItself(world, ok);
  world.control({
    object: `the certificate request for ${asked.what}`,
    demanded: 'is approved automatically',
    seen: ok ? 'it is' : 'it is not',
    ok,
  });
}

Then('the request of the token is approved, and that of the user is not', async function (this: World) {
  await controlApproved(this, lastAsked(this));
  await expectNotApproved(this, this.kept<Asked>('unapproved'));
});

Then('the request for the node is approved, and the other is not', async function (this: World) {
  const asked = this.kept<readonly Asked[]>('asked');
  const node = asked.find((item) => item.what === 'a node');
  const other = asked.find((item) => item.what !== 'a node');
  if (node === undefined || other === undefined) return this.unknown('the scenario sent no two requests');
  // where no controller approves joining tokens there is nothing to compare with
  await controlApproved(this, node);
  await expectNotApproved(this, other);
});

Then(
  'its bearer is forbidden to ask the signer for API clients for the group system:masters',
  async function (this: World) {
    const object = requestObject({
      key: generateKey('ECDSA-P256'),
      commonName: 'jp-admin',
      organizations: ['system:masters'],
      signerName: SIGNER_APISERVER_CLIENT,
      usages: ['digital signature', 'client auth'],
      name: `jp-${this.random(12)}`,
    });
    const { status } = await send(bearer(this), object);
    this.expect({
      object: 'a request for system:masters from the signer for API clients, as a joining token',
      demanded: 'is forbidden (403)',
      seen: String(status),
      ok: status === 403,
    });
  },
);

/** A request that nobody approves by itself, made by an administrator. */
async function waiting(world: World): Promise<string> {
  const object = requestObject({
    key: generateKey('ECDSA-P256'),
    commonName: `jp-${world.random(8)}`,
    organizations: [],
    signerName: SIGNER_APISERVER_CLIENT,
    usages: ['digital signature', 'client auth'],
    name: `jp-${world.random(12)}`,
  });
  return (
    (await world.writes.create<CertificateSigningRequest>(resources.certificateSigningRequests, object)).metadata
      .name ?? ''
  );
}

Given('a request that nobody approves automatically', async function (this: World) {
  this.keep('waiting', await waiting(this));
});

Given('a request that an administrator has denied', async function (this: World) {
  const name = this.keep('waiting', await waiting(this));
  await decideAs(this, this.admin, name, 'Denied', 'granted');
});

Given('another request that an administrator approves', async function (this: World) {
  const name = this.keep('approved', await waiting(this));
  await decideAs(this, this.admin, name, 'Approved', 'granted');
});

When('an administrator approves it', async function (this: World) {
  const name = this.kept<string>('waiting');
  await decideAs(this, this.admin, name, 'Approved', 'demanded');
  this.keep('issuing', name);
});

Then('a certificate is issued', async function (this: World) {
  const name = this.has('issuing') ? this.kept<string>('issuing') : lastAsked(this).name;
  const request = await issued(this, name);
  const approved = request !== undefined || hasCondition(await stored(this, name), 'Approved');
  approvesByItself(this, approved);
  this.expect({
    object: `the certificate request ${name}`,
    demanded: 'carries a certificate within 30 s',
    seen:
      request !== undefined ? 'it does' : approved ? 'it is approved, and nobody signs it' : 'nobody has approved it',
    ok: request !== undefined,
  });
});

Then(
  /^the approved one has a certificate, and the (waiting|denied) one has none$/,
  async function (this: World, state: string) {
    const twin = await issued(this, this.kept<string>('approved'));
    this.control({
      object: 'the approved request',
      demanded: 'carries a certificate',
      seen: twin === undefined ? 'nobody signs it' : 'it does',
      ok: twin !== undefined,
    });
    await this.sleep(QUIET_MS);
    const request = await stored(this, this.kept<string>('waiting'));
    const none = request.status?.certificate === undefined;
    this.expect({
      object: `the ${state} request`,
      demanded: 'carries no certificate',
      seen: none ? 'none' : 'a certificate was issued',
      ok: none,
    });
  },
);

Then('the stored request is byte for byte what was sent', async function (this: World) {
  const { name, sent } = lastAsked(this);
  const { spec } = await stored(this, name);
  const same = spec.request === sent.spec.request;
  this.expect({
    object: `the stored certificate request ${name}`,
    demanded: 'spec.request is what was sent',
    seen: same ? 'it is' : 'other bytes',
    ok: same,
  });
});

When('an administrator tries to put another request in its place', async function (this: World) {
  const { name } = lastAsked(this);
  const other = wantedRequest(this, 'the user admin in no group');
  // refused or ignored: what counts is what is stored afterwards
  await this.admin.ask({
    method: 'PATCH',
    path: pathOf(resources.certificateSigningRequests, { name }),
    contentType: 'application/merge-patch+json',
    body: { spec: { request: other.spec.request } },
  });
});

Then('the API server offers certificate requests with their approval and status', async function (this: World) {
  const { status, body } = await this.admin.ask({ path: '/apis/certificates.k8s.io/v1' });
  const listed =
    typeof body === 'object' && body !== null && 'resources' in body && Array.isArray(body.resources)
      ? body.resources
      : [];
  const names = listed.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : '',
  );
  for (const wanted of [
    'certificatesigningrequests',
    'certificatesigningrequests/approval',
    'certificatesigningrequests/status',
  ]) {
    this.expect({
      object: '/apis/certificates.k8s.io/v1',
      demanded: `lists ${wanted}`,
      seen: status === 200 ? names.join(', ') : String(status),
      ok: names.includes(wanted),
    });
  }
});

/** A certificate for a node that a CA of ours has signed. */
export function selfMade(commonName: string): { certificate: string; key: string } {
  const now = Date.now();
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
  const key = generateKey('ECDSA-P256');
  const subject = { commonName, organizations: ['system:nodes'] };
  const leaf = issue(authority, {
    subject,
    publicKey: key,
    notBefore: now - 300_000,
    notAfter: now + 3_600_000,
    extendedKeyUsage: ['clientAuth'],
  });
  return { certificate: leaf.pem, key: privateKeyPem(key) };
}

Then('a self-made certificate for a node is refused as unauthorized', async function (this: World) {
  const admin = await this.admin.ask({ path: '/version' });
  this.control({
    object: 'GET /version, as an administrator',
    demanded: 'is answered (200)',
    seen: String(admin.status),
    ok: admin.status === 200,
  });
  const { status } = await this.as({ kind: 'certificate', ...selfMade('system:node:jp-absent') }).ask({
    path: '/version',
  });
  this.expect({
    object: 'GET /version, with a certificate of a CA that nobody knows',
    demanded: 'is refused as unauthorized (401)',
    seen: String(status),
    ok: status === 401,
  });
});
