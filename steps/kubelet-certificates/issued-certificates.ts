/** Sentences about what a signer has issued to a joining node. */

import { decide } from '../../src/joining/request.js';
import { GROUP_NODES, KUBE_PUBLIC, KUBE_SYSTEM, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, ConfigMap } from '../../src/kubernetes/objects.js';
import { pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../../src/pki/certificate.js';
import { certificatesOfPem, pemBlocks } from '../../src/pki/pem.js';
import { parseRequestPem } from '../../src/pki/request.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { ask, decided, issued, wantedRequest } from '../common/csr-requests.js';
import { joined } from '../common/node-client.js';
import { joiningToken } from '../common/tokens.js';
import { selfMade } from './certificates.js';

/** A certificate for a node, as it was issued for the request of a joining token. Its key is of no interest. */
interface IssuedCertificate {
  readonly request: CertificateSigningRequest;
  readonly pem: string;
}

Given('a certificate that a joining node was given', async function (this: World) {
  const given = await this.shared('an issued certificate', async (): Promise<IssuedCertificate> => {
    const { token } = await this.shared('a joining token', () => joiningToken(this));
    const asked = await ask(
      this,
      this.as({ kind: 'token', token }),
      'a node',
      wantedRequest(this, 'a node'),
      'a joining token',
    );
    const automatic = await decided(this, asked.name, 5_000);
    if (automatic === undefined) await decide(this.admin, asked.name, 'Approved');
    const request = await issued(this, asked.name);
    if (request === undefined) return this.unknown('no certificate was issued for the request of a joining node');
    return { request, pem: Buffer.from(request.status?.certificate ?? '', 'base64').toString('utf8') };
  });
  this.keep('certificate', given);
});

/** What the certificate says; one that cannot be read ends the scenario as failed. */
function leaf(world: World): CertificateFacts {
  const { pem } = world.kept<IssuedCertificate>('certificate');
  const [der] = certificatesOfPem(pem);
  world.expect({
    object: CERTIFICATE,
    demanded: 'is PEM of a certificate',
    seen: der === undefined ? 'there is no such block' : 'it is',
    ok: der !== undefined,
  });
  return parseCertificate(der ?? Buffer.alloc(0));
}

/** The cluster's CA, as the cluster publishes it or as the kubeconfig trusts it. */
async function clusterAuthorities(world: World): Promise<CertificateFacts[]> {
  const root = await world.objects.get<ConfigMap>(resources.configMaps, 'kube-root-ca.crt', KUBE_SYSTEM);
  const info = root?.data?.['ca.crt'] ?? world.target.facts.caPem ?? (await published(world));
  if (info === undefined)
    return world.skip(
      'nothing',
      `the cluster publishes its CA neither in ${KUBE_SYSTEM}/kube-root-ca.crt nor in cluster-info`,
    );
  return certificatesOfPem(info).map((der) => parseCertificate(der));
}

async function published(world: World): Promise<string | undefined> {
  const info = await world.objects.get<ConfigMap>(resources.configMaps, 'cluster-info', KUBE_PUBLIC);
  const data = /certificate-authority-data: *([A-Za-z0-9+/=]+)/.exec(info?.data?.kubeconfig ?? '')?.[1];
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8');
}

export async function expectClusterSigned(world: World, certificate: CertificateFacts, object: string): Promise<void> {
  const authorities = await clusterAuthorities(world);
  const ok = authorities.some((authority) => isSignedBy(certificate, authority));
  world.expect({ object, demanded: "is signed by the cluster's CA", seen: ok ? 'it is' : 'it is not', ok });
}

const CERTIFICATE = "the node's certificate";

Then("its certificate is signed by the cluster's CA", async function (this: World) {
  await expectClusterSigned(this, leaf(this), CERTIFICATE);
});

Then('its certificate is for the key of its request', function (this: World) {
  const { request } = this.kept<IssuedCertificate>('certificate');
  const asked = parseRequestPem(Buffer.from(request.spec.request, 'base64').toString('latin1'));
  const ok = leaf(this).spki.equals(asked.spki);
  this.expect({
    object: CERTIFICATE,
    demanded: 'is for the public key of the request',
    seen: ok ? 'it is' : 'it is for another key',
    ok,
  });
});

Then('its certificate names the node and its group as the request did', function (this: World) {
  const { request } = this.kept<IssuedCertificate>('certificate');
  const wanted = parseRequestPem(Buffer.from(request.spec.request, 'base64').toString('latin1')).commonName;
  const { commonName, organizations } = leaf(this);
  const ok = commonName === wanted && organizations.length === 1 && organizations[0] === GROUP_NODES;
  this.expect({
    object: CERTIFICATE,
    demanded: `CN ${wanted}, O ${GROUP_NODES}`,
    seen: `CN ${commonName}, O ${organizations.join(', ') || 'none'}`,
    ok,
  });
});

/** A year, and what signers begin earlier than now. */
const YEAR = 365 * 86_400_000 + 10 * 60_000;

Then('its certificate is valid for at most a year', function (this: World) {
  const { notBefore, notAfter } = leaf(this);
  const days = Math.round((notAfter - notBefore) / 86_400_000);
  this.expect({
    object: CERTIFICATE,
    demanded: 'is valid for a year at most',
    seen: `${days} days`,
    ok: notAfter - notBefore <= YEAR,
  });
});

Then('its certificate is good for clients and not for servers', function (this: World) {
  const usages = leaf(this).extendedKeyUsage;
  const ok = usages?.includes('clientAuth') === true && !usages.includes('serverAuth') && !usages.includes('any');
  this.expect({
    object: CERTIFICATE,
    demanded: 'extended usage clientAuth and not serverAuth',
    seen: usages?.join(', ') ?? 'no extended usage, which is any',
    ok,
  });
});

Then('the status of its request holds one PEM block {string}', function (this: World, label: string) {
  const blocks = pemBlocks(this.kept<IssuedCertificate>('certificate').pem).map((block) => block.label);
  this.expect({
    object: 'status.certificate',
    demanded: `one PEM block ${label}`,
    seen: blocks.join(', ') || 'none',
    ok: blocks.length === 1 && blocks[0] === label,
  });
});

Then('the API server knows it as its node, in the group of nodes', async function (this: World) {
  const { kubelet } = joined(this);
  const review: Resource = resources.selfSubjectReviews;
  const answer = await kubelet.node.ask({
    method: 'POST',
    path: pathOf(review),
    body: { apiVersion: 'authentication.k8s.io/v1', kind: review.kind },
  });
  if (answer.status === 404) this.skip('nothing', 'the API server has no SelfSubjectReview (since 1.28)');
  const user = userOf(answer.body);
  const ok = user.username === `${NODE_USER_PREFIX}${kubelet.nodeName}` && (user.groups ?? []).includes(GROUP_NODES);
  this.expect({
    object: CERTIFICATE,
    demanded: `logs in as ${NODE_USER_PREFIX}${kubelet.nodeName} in ${GROUP_NODES}`,
    seen: ok ? 'it does' : `${answer.status} ${user.username ?? ''} in ${(user.groups ?? []).join(', ')}`,
    ok,
  });
});

function userOf(body: unknown): { username?: string; groups?: readonly string[] } {
  const status = typeof body === 'object' && body !== null && 'status' in body ? body.status : undefined;
  return typeof status === 'object' && status !== null && 'userInfo' in status
    ? (status.userInfo as { username?: string; groups?: readonly string[] })
    : {};
}

Then('its certificate logs in', async function (this: World) {
  const { status } = await joined(this).kubelet.node.ask({ path: '/api' });
  this.control({
    object: `GET /api, with ${CERTIFICATE}`,
    demanded: 'is answered (200)',
    seen: String(status),
    ok: status === 200,
  });
});

Then(
  "a certificate with the same subject from another cluster's CA is refused as unauthorized",
  async function (this: World) {
    const pair = selfMade(`${NODE_USER_PREFIX}${joined(this).kubelet.nodeName}`);
    const { status } = await this.as({ kind: 'certificate', ...pair }).ask({ path: '/api' });
    this.expect({
      object: 'GET /api, with a certificate of the same name from another CA',
      demanded: 'is refused as unauthorized (401)',
      seen: String(status),
      ok: status === 401,
    });
  },
);
