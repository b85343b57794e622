/** Sentences about what a signer has issued to a joining node, and about certificates that nobody has issued. */
import { requestAllowed } from '../../src/checks/access.js';
import { seenIn } from '../../src/checks/answers.js';
import { authorityForJoining } from '../../src/checks/cluster-info.js';
import { readClusterInfo } from '../../src/checks/cluster-info-reader.js';
import {
  type Issued,
  issuedAsPem,
  issuedByCluster,
  issuedForAYear,
  issuedForKey,
  issuedForRole,
  issuedForSubject,
  issuedLogsIn,
  issuedPem,
  readIssued,
  tellsNobody,
} from '../../src/checks/issued.js';
import { loginRefused } from '../../src/checks/login.js';
import { type Progress, requestIssued } from '../../src/checks/request-progress.js';
import { isSignedAmong } from '../../src/checks/x509.js';
import { CLUSTER_INFO, GROUP_NODES, KUBE_PUBLIC, KUBE_SYSTEM, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { decide, strangersPair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import { ask, decided, issued, type Requester, signing, stored, wantedRequest } from '../common/csr-requests.js';
import { NODE } from '../common/joined.js';
import { clientOf, joiningToken, login } from '../common/tokens.js';

const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;
const SUBJECT = "the node's certificate";

/** A certificate for a node, and the request that it was issued for. Its key is of no interest. */
interface Certificate {
  readonly progress: Progress;
  readonly request: CertificateSigningRequest;
  readonly facts: Issued;
}

const CERTIFICATE = slot<Certificate>('a certificate that a joining node was given');

/** Asked for with a token; where nobody approves automatically an administrator does. */
async function givenCertificate(world: World): Promise<Certificate> {
  const token = await world.shared(`a joining token of ${world.target.name}`, () => joiningToken(world));
  const requester: Requester = { client: clientOf(world, token), who: 'a joining token' };
  const asked = await ask(world, requester, 'a node', wantedRequest(world, 'a node'));
  const automatic = await decided(world, asked, 5_000);
  if (automatic.conditions.length === 0) await decide(world.admin, asked.name, 'Approved');
  const progress = await issued(world, asked);
  const request = await stored(world, asked);
  if (request === undefined) return world.unknown('the request of a joining node is gone');
  return { progress, request, facts: readIssued(SUBJECT, request) };
}

Given('a certificate that a joining node was given', CONTROLLED, async function (this: World) {
  const given = await this.shared('an issued certificate', () => givenCertificate(this));
  this.put(CERTIFICATE, given);
  this.grant(requestIssued, [given.progress], { ...(await signing(this, given.progress)), kubeadm: true });
});

/** PEM of the cluster's CA, as the cluster publishes it or as the kubeconfig trusts it. */
async function clusterAuthorities(world: World): Promise<string> {
  const root = await world.objects.get<ConfigMap>(resources.configMaps, 'kube-root-ca.crt', KUBE_SYSTEM);
  const found = root?.data?.['ca.crt'] ?? world.target.facts.caPem ?? (await publishedAuthority(world));
  const places = `${KUBE_SYSTEM}/kube-root-ca.crt nor in ${CLUSTER_INFO}`;
  return found ?? world.skip('nothing', `the cluster publishes its CA neither in ${places}`);
}

async function publishedAuthority(world: World): Promise<string | undefined> {
  const info = await world.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
  return info === undefined ? undefined : authorityForJoining(readClusterInfo(info));
}

export async function checkClusterSigned(
  world: World,
  request: CertificateSigningRequest,
  subject: string,
): Promise<void> {
  const signed = isSignedAmong(issuedPem(request), await clusterAuthorities(world));
  world.check(issuedByCluster, [{ subject, signed }]);
}

Then("its certificate is signed by the cluster's CA", async function (this: World) {
  await checkClusterSigned(this, this.get(CERTIFICATE).request, SUBJECT);
});

Then('its certificate is for the key of its request', function (this: World) {
  this.check(issuedForKey, this.get(CERTIFICATE).facts);
});

Then('its certificate names the node and its group as the request did', function (this: World) {
  this.check(issuedForSubject, this.get(CERTIFICATE).facts);
});

Then('its certificate is valid for at most a year', function (this: World) {
  this.check(issuedForAYear, this.get(CERTIFICATE).facts);
});

Then('its certificate is good for clients and not for servers', function (this: World) {
  this.check(issuedForRole, this.get(CERTIFICATE).facts, { role: 'clientAuth', other: 'serverAuth' });
});

Then('the status of its request holds one PEM block {string}', function (this: World, label: string) {
  this.check(issuedAsPem, this.get(CERTIFICATE).facts, { label });
});

/** The minor since which everybody may ask who he is. Source: KEP-3325, SelfSubjectReview. */
const SAYS_WHO_SINCE = 28;

Then('the API server knows it as its node, in the group of nodes', async function (this: World) {
  const { kubelet, pair } = this.get(NODE);
  const heard = await login(this, { kind: 'certificate', ...pair });
  if (tellsNobody(heard) && this.version.minor < SAYS_WHO_SINCE)
    return this.skip('fact', 'the API server tells the bearer of a certificate not who it is (everybody since 1.28)');
  this.check(issuedLogsIn, { subject: SUBJECT, heard }, { username: `${NODE_USER_PREFIX}${kubelet.nodeName}` });
});

/** An identity asks for something that everybody who logs in may see. */
async function opened(world: World, identity: Identity, subject: string) {
  const { status, body } = await world.as(identity).ask({ path: '/api' });
  return { subject: `GET /api, with ${subject}`, answer: { status, body } };
}

/** The certificate that the node's clients show now. */
Then('its certificate logs in', async function (this: World) {
  const { status, body } = await this.get(NODE).kubelet.node.ask({ path: '/api' });
  const answers = [{ subject: `GET /api, with ${SUBJECT}`, answer: seenIn({ status, body }) }];
  this.grant(requestAllowed, answers, { statuses: [200] });
});

async function checkStranger(world: World, commonName: string, subject: string): Promise<void> {
  const pair = strangersPair(commonName, [GROUP_NODES]);
  world.secret(pair.key);
  const { answer, subject: what } = await opened(world, { kind: 'certificate', ...pair }, subject);
  world.check(loginRefused, [{ subject: what, heard: answer }]);
}

Then(
  "a certificate with the same subject from another cluster's CA is refused as unauthorized",
  async function (this: World) {
    const name = `${NODE_USER_PREFIX}${this.get(NODE).kubelet.nodeName}`;
    await checkStranger(this, name, 'a certificate of the same name from another CA');
  },
);

Then(
  'a self-made certificate for a node is refused as unauthorized',
  { needs: ['requests', 'anonymous'] },
  async function (this: World) {
    this.grant(requestAllowed, [await opened(this, { kind: 'admin' }, "the run's own credential")], {
      statuses: [200],
    });
    await checkStranger(this, `${NODE_USER_PREFIX}jp-absent`, 'a certificate of a CA that nobody knows');
  },
);
