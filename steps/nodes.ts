/** Sentences about machines that join and about what their nodes may do. */
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { type Access, access, judgeForbidden, questionOf } from '../src/checks/access.js';
import { Kubelet, type Outcome, type Pair } from '../src/kubelet/kubelet.js';
import { decide } from '../src/kubelet/request.js';
import { GROUP_NODES, KUBE_PUBLIC, KUBE_SYSTEM, NODE_USER_PREFIX } from '../src/kubernetes/names.js';
import type { CertificateSigningRequest, ConfigMap, KubeObject, Secret } from '../src/kubernetes/objects.js';
import { pathOf, type Resource, resources } from '../src/kubernetes/resources.js';
import { type CertificateFacts, isSignedBy, parseCertificate } from '../src/pki/certificate.js';
import { certificatesOfPem, pemBlocks } from '../src/pki/pem.js';
import { parseRequestPem } from '../src/pki/request.js';
import type { World } from '../src/run/world.js';
import type { Answer, Client, Target } from '../src/targets/types.js';
import { ask, CONTROLLER_MS, decided, issued, wantedRequest } from './asked-requests.js';
import { selfMade } from './certificates.js';
import { deleteToken, type JoinToken, joinToken } from './join-token.js';

/** How long an API server may go on remembering a login, with slack. */
const FORGETTING_MS = 12_000;
/** How long the Node authorizer may take to learn of a Pod. */
const GRAPH_MS = 10_000;

export interface Joined {
  readonly kubelet: Kubelet;
  readonly request: CertificateSigningRequest;
  readonly pair: Pair;
}

/** The same node, asking as this scenario. */
const here = (world: World, { kubelet, ...rest }: Joined): Joined => ({ ...rest, kubelet: kubelet.on(world.target) });

/** A machine that bootstraps with the token; where nobody approves automatically an administrator does. */
export async function join(world: World, token: JoinToken, target: Target = world.target): Promise<Joined> {
  const kubelet = new Kubelet({ cluster: target, nodeName: `jp-${world.random(10)}`, token: token.token });
  let outcome = await kubelet.start(5_000);
  if (outcome.kind === 'waiting') {
    await decide(target.admin, outcome.request.metadata.name ?? '', 'Approved');
    outcome = await kubelet.start(CONTROLLER_MS);
  }
  const seen = outcome.kind === 'refused' ? `its request is answered with ${outcome.answer.status}` : `its request is ${outcome.kind}`;
  if (outcome.kind !== 'issued') return world.unknown(`a machine could not join to begin with: ${seen}`);
  world.target.secret(outcome.pair.key);
  return { kubelet, request: outcome.request, pair: outcome.pair };
}

/** A certificate for a node, as it was issued for the request of a joining token. Its key is of no interest. */
interface IssuedCertificate {
  readonly request: CertificateSigningRequest;
  readonly pem: string;
}

Given('a certificate that a joining node was given', async function (this: World) {
  const given = await this.shared('an issued certificate', async (): Promise<IssuedCertificate> => {
    const { token } = await this.shared('a joining token', () => joinToken(this));
    const asked = await ask(this, this.as({ kind: 'token', token }), 'a node', wantedRequest(this, 'a node'), 'a joining token');
    const automatic = await decided(this, asked.name, 5_000);
    if (automatic === undefined) await decide(this.target.admin, asked.name, 'Approved');
    const request = await issued(this, asked.name);
    if (request === undefined) return this.unknown('no certificate was issued for the request of a joining node');
    return { request, pem: Buffer.from(request.status?.certificate ?? '', 'base64').toString('utf8') };
  });
  this.keep('certificate', given);
});

Given('a machine with a bootstrap token', async function (this: World) {
  const token = this.keep('token', await joinToken(this));
  this.keep('machine', new Kubelet({ cluster: this.target, nodeName: `jp-${this.random(10)}`, token: token.token }));
});

Given('a node that has joined with a bootstrap token', async function (this: World) {
  this.keep('joined', here(this, await this.shared('a joined node', async () => join(this, await joinToken(this)))));
});

Given('a node that has joined with a bootstrap token of its own', async function (this: World) {
  const token = this.keep('token', await joinToken(this));
  this.keep('joined', await join(this, token));
});

Given('two nodes with certificates of their own', async function (this: World) {
  if (!this.target.capabilities.has('write') || !this.target.capabilities.has('controllers')) return;
  const pair = await this.shared('two joined nodes', async () => {
    const token = await joinToken(this);
    return { first: await join(this, token), second: await join(this, token) };
  });
  this.keep('first', here(this, pair.first));
  this.keep('second', here(this, pair.second));
});

const machine = (world: World): Kubelet => world.kept<Kubelet>('machine');
const joined = (world: World): Joined => world.kept<Joined>('joined');
const nodeOf = (world: World, which: string): Kubelet => world.kept<Joined>(which).kubelet;
const textOf = (answer: Answer): string =>
  typeof answer.body === 'object' && answer.body !== null && 'message' in answer.body
    ? `${answer.status} ${String(answer.body.message)}`
    : String(answer.status);

/** A request of a node must come through. */
async function may(
  world: World,
  client: Client,
  what: string,
  question: Parameters<Client['ask']>[0],
  wanted: readonly number[] = [200, 201],
): Promise<Answer> {
  const answer = await client.ask(question);
  world.expect({ object: what, demanded: 'is allowed', seen: textOf(answer), ok: wanted.includes(answer.status) });
  return answer;
}

/** A request of a node must be forbidden. */
async function mayNot(world: World, client: Client, what: string, question: Parameters<Client['ask']>[0]): Promise<void> {
  const answer = await client.ask(question);
  if (answer.status === 401 || answer.status >= 500) return world.unknown(`${what}: ${textOf(answer)}`);
  world.expect({ object: what, demanded: 'is forbidden (403)', seen: textOf(answer), ok: answer.status === 403 });
}

const merge = 'application/merge-patch+json';
const ownStatus = (name: string): Parameters<Client['ask']>[0] => ({
  method: 'PATCH',
  path: pathOf(resources.nodes, { name, subresource: 'status' }),
  contentType: merge,
  body: { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'JoinproofSays', message: 'a node of joinproof' }] } },
});

async function register(world: World, kubelet: Kubelet): Promise<void> {
  const answer = await kubelet.registerNode();
  world.expect({
    object: `create nodes, as ${NODE_USER_PREFIX}${kubelet.nodeName}`,
    demanded: 'is allowed (201)',
    seen: textOf(answer),
    ok: [201, 409].includes(answer.status),
  });
}

When('the machine bootstraps and registers its Node', async function (this: World) {
  await bootstrap(this);
  await register(this, machine(this));
});

async function bootstrap(world: World): Promise<void> {
  const outcome = await machine(world).start(CONTROLLER_MS);
  const seen = outcome.kind === 'refused' ? textOf(outcome.answer) : outcome.kind;
  world.expect({ object: `the machine ${machine(world).nodeName}`, demanded: 'bootstraps within 30 s', seen, ok: outcome.kind === 'issued' });
}

When('the machine bootstraps, its token is deleted, and it registers its Node', async function (this: World) {
  await bootstrap(this);
  await deleteToken(this, this.kept<JoinToken>('token').id);
  await register(this, machine(this));
});

Then('its steps were, in this order:', function (this: World, table: DataTable) {
  const wanted = table.hashes().map((row) => row.step ?? '');
  const seen = machine(this).steps;
  this.expect({ object: `the machine ${machine(this).nodeName}`, demanded: wanted.join('; '), seen: seen.join('; '), ok: seen.join() === wanted.join() });
});

Then('the Node is there, made by the node itself', async function (this: World) {
  const node = await this.target.admin.get(resources.nodes, machine(this).nodeName);
  this.expect({ object: `Node ${machine(this).nodeName}`, demanded: 'exists', seen: node === undefined ? 'it does not' : 'it does', ok: node !== undefined });
});

/** A Pod that nothing runs: bound by its creator, without a service account's token. */
const podObject = (world: World, nodeName: string, secret?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
  spec: {
    nodeName,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'nothing', image: 'joinproof.invalid/nothing' }],
    ...(secret === undefined ? {} : { volumes: [{ name: 'secret', secret: { secretName: secret } }] }),
  },
});

async function podOn(world: World, kubelet: Kubelet, secret?: string): Promise<string> {
  await register(world, kubelet);
  const pod = await world.target.admin.create(resources.pods, podObject(world, kubelet.nodeName, secret));
  return world.keep('pod', pod.metadata.name ?? '');
}

Given(/^a Pod that is bound to the (first|second) node$/, async function (this: World, which: string) {
  await podOn(this, nodeOf(this, which));
});

When('a Pod is bound to its Node', async function (this: World) {
  await podOn(this, machine(this));
});

const podsOf = (nodeName: string): Parameters<Client['ask']>[0] => ({ path: pathOf(resources.pods), query: { fieldSelector: `spec.nodeName=${nodeName}` } });

async function seesPod(world: World, kubelet: Kubelet): Promise<void> {
  const pod = world.kept<string>('pod');
  const answer = await may(world, kubelet.node, `list pods bound to ${kubelet.nodeName}, as that node`, podsOf(kubelet.nodeName));
  const names = itemNames(answer.body);
  world.expect({ object: `the Pods bound to ${kubelet.nodeName}`, demanded: `include ${pod}`, seen: names.join(', ') || 'none', ok: names.includes(pod) });
}

function itemNames(body: unknown): string[] {
  const items = typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items) ? (body.items as readonly KubeObject[]) : [];
  return items.map((item) => item.metadata.name ?? '');
}

Then('the first node lists the Pods bound to it', async function (this: World) {
  await seesPod(this, nodeOf(this, 'first'));
});

Then('the machine sees that Pod', async function (this: World) {
  await seesPod(this, machine(this));
});

const podStatus = (name: string): Parameters<Client['ask']>[0] => ({
  method: 'PATCH',
  path: pathOf(resources.pods, { namespace: 'default', name, subresource: 'status' }),
  query: { dryRun: 'All' },
  contentType: merge,
  body: { status: { message: 'seen by joinproof' } },
});

Then('the first node may report the status of that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await may(this, nodeOf(this, 'first').node, `patch pods/status ${pod}, as its node`, podStatus(pod));
});

Then('the second node is forbidden to list the Pods bound to the first', async function (this: World) {
  const first = nodeOf(this, 'first').nodeName;
  await may(this, nodeOf(this, 'first').node, `list pods bound to ${first}, as that node`, podsOf(first));
  await mayNot(this, nodeOf(this, 'second').node, `list pods bound to ${first}, as another node`, podsOf(first));
});

Then('the second node is forbidden to list all Pods', async function (this: World) {
  await mayNot(this, nodeOf(this, 'second').node, 'list pods, as a node', { path: pathOf(resources.pods) });
});

Then('the first node registers itself', async function (this: World) {
  await register(this, nodeOf(this, 'first'));
});

Then('the first node may report its own status', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

Then('the first node may report its own status after registering', async function (this: World) {
  const first = nodeOf(this, 'first');
  await register(this, first);
  await may(this, first.node, `patch nodes/status ${first.nodeName}, as that node`, ownStatus(first.nodeName));
});

Then('the machine may report its Node ready', async function (this: World) {
  const { node, nodeName } = machine(this);
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

const lease = (name: string): Parameters<Client['ask']>[0] => ({
  method: 'POST',
  path: pathOf(resources.leases, { namespace: 'kube-node-lease' }),
  query: { dryRun: 'All' },
  body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'kube-node-lease' }, spec: { holderIdentity: name } },
});

Then('the first node may renew its own Lease', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  await may(this, node, `create leases ${nodeName}, as that node`, lease(nodeName));
});

Then('the first node is forbidden to renew the Lease of the second', async function (this: World) {
  const second = nodeOf(this, 'second').nodeName;
  await mayNot(this, nodeOf(this, 'first').node, `create leases ${second}, as another node`, lease(second));
});

Then('the first node may create an Event', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `jp-${this.random(12)}`, namespace: 'default' },
    involvedObject: { kind: 'Node', name: nodeName, uid: nodeName },
    reason: 'JoinproofLooks',
    message: 'made by joinproof',
    type: 'Normal',
    source: { component: 'joinproof', host: nodeName },
  };
  await may(this, node, `create events, as ${NODE_USER_PREFIX}${nodeName}`, {
    method: 'POST',
    path: pathOf(resources.events, { namespace: 'default' }),
    query: { dryRun: 'All' },
    body: event,
  });
});

Given('both nodes have registered themselves', async function (this: World) {
  await register(this, nodeOf(this, 'first'));
  await register(this, nodeOf(this, 'second'));
});

Then('the first node is forbidden to report the status of the second', async function (this: World) {
  const second = nodeOf(this, 'second').nodeName;
  await mayNot(this, nodeOf(this, 'first').node, `patch nodes/status ${second}, as another node`, { ...ownStatus(second), query: { dryRun: 'All' } });
});

Then('the first node is forbidden to label itself {string}', async function (this: World, label: string) {
  const { node, nodeName } = nodeOf(this, 'first');
  const question = { method: 'PATCH' as const, path: pathOf(resources.nodes, { name: nodeName }), query: { dryRun: 'All' }, contentType: merge };
  await may(this, node, `patch nodes ${nodeName} with an annotation, as that node`, {
    ...question,
    body: { metadata: { annotations: { 'joinproof.invalid/seen': 'yes' } } },
  });
  await mayNot(this, node, `patch nodes ${nodeName} with the label ${label}, as that node`, {
    ...question,
    body: { metadata: { labels: { [label]: 'gold' } } },
  });
});

const removePod = (name: string): Parameters<Client['ask']>[0] => ({
  method: 'DELETE',
  path: pathOf(resources.pods, { namespace: 'default', name }),
  query: { dryRun: 'All' },
});

Then('the second node may delete that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await may(this, nodeOf(this, 'second').node, `delete pods ${pod}, as its node`, removePod(pod), [200, 202]);
});

Then('the first node is forbidden to delete that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await mayNot(this, nodeOf(this, 'first').node, `delete pods ${pod}, as another node`, removePod(pod));
});

Then('the first node is forbidden to:', async function (this: World, table: DataTable) {
  const { node, nodeName } = nodeOf(this, 'first');
  const wanted: Access[] = table.hashes().map((row) => access(row.verb ?? '', row.what ?? '', row.where ?? '', row.name ?? ''));
  for (const item of wanted) {
    const judged = judgeForbidden(item, `${NODE_USER_PREFIX}${nodeName}`, await node.ask(questionOf(item)));
    if ('unclear' in judged) return this.unknown(judged.unclear);
    this.expect(judged);
  }
});

async function secretObject(world: World): Promise<string> {
  const secret = await world.target.admin.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
    type: 'Opaque',
    data: { text: Buffer.from('made by joinproof').toString('base64') },
  });
  return secret.metadata.name ?? '';
}

Given('a Secret that a Pod on the first node uses', async function (this: World) {
  const name = this.keep('used', await secretObject(this));
  await podOn(this, nodeOf(this, 'first'), name);
});

Given('a Secret that no Pod uses', async function (this: World) {
  this.keep('unused', await secretObject(this));
});

const secret = (name: string): Parameters<Client['ask']>[0] => ({ path: pathOf(resources.secrets, { namespace: 'default', name }) });

Then('the first node reads the Secret that its Pod uses', async function (this: World) {
  const { node } = nodeOf(this, 'first');
  const name = this.kept<string>('used');
  const read = await this.eventually(GRAPH_MS, async () => ((await node.ask(secret(name))).status === 200 ? true : undefined));
  this.control({
    object: 'a Secret that its Pod uses, as the node',
    demanded: 'is readable',
    seen: read === undefined ? 'it is not' : 'it is',
    ok: read !== undefined,
  });
});

Then('the first node is forbidden to read the Secret that no Pod uses', async function (this: World) {
  await mayNot(this, nodeOf(this, 'first').node, 'a Secret that no Pod uses, as a node', secret(this.kept<string>('unused')));
});

Then('the second node is forbidden to read the Secret that a Pod on the first node uses', async function (this: World) {
  await mayNot(this, nodeOf(this, 'second').node, 'a Secret that a Pod of another node uses, as a node', secret(this.kept<string>('used')));
});

When('that token is deleted and the API server has forgotten it', async function (this: World) {
  await deleteToken(this, this.kept<JoinToken>('token').id);
  await this.sleep(FORGETTING_MS);
});

Then('the token is refused as unauthorized', async function (this: World) {
  const { status } = await this.kept<JoinToken>('token').client.ask({ path: '/version' });
  this.control({ object: 'the deleted token', demanded: 'is refused (401)', seen: String(status), ok: status === 401 });
});

Then('the node still reports its own status', async function (this: World) {
  const { kubelet } = joined(this);
  await register(this, kubelet);
  await may(this, kubelet.node, `patch nodes/status ${kubelet.nodeName}, as that node`, ownStatus(kubelet.nodeName));
});

// what was issued

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
  const root = await world.target.admin.get<ConfigMap>(resources.configMaps, 'kube-root-ca.crt', KUBE_SYSTEM);
  const info = root?.data?.['ca.crt'] ?? world.target.caPem ?? (await published(world));
  if (info === undefined) return world.skip(`the cluster publishes its CA neither in ${KUBE_SYSTEM}/kube-root-ca.crt nor in cluster-info`);
  return certificatesOfPem(info).map((der) => parseCertificate(der));
}

async function published(world: World): Promise<string | undefined> {
  const info = await world.target.admin.get<ConfigMap>(resources.configMaps, 'cluster-info', KUBE_PUBLIC);
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
  this.expect({ object: CERTIFICATE, demanded: 'is for the public key of the request', seen: ok ? 'it is' : 'it is for another key', ok });
});

Then('its certificate names the node and its group as the request did', function (this: World) {
  const { request } = this.kept<IssuedCertificate>('certificate');
  const wanted = parseRequestPem(Buffer.from(request.spec.request, 'base64').toString('latin1')).commonName;
  const { commonName, organizations } = leaf(this);
  const ok = commonName === wanted && organizations.length === 1 && organizations[0] === GROUP_NODES;
  this.expect({ object: CERTIFICATE, demanded: `CN ${wanted}, O ${GROUP_NODES}`, seen: `CN ${commonName}, O ${organizations.join(', ') || 'none'}`, ok });
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
  const answer = await kubelet.node.ask({ method: 'POST', path: pathOf(review), body: { apiVersion: 'authentication.k8s.io/v1', kind: review.kind } });
  if (answer.status === 404) this.skip('the API server has no SelfSubjectReview (since 1.28)');
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
  return typeof status === 'object' && status !== null && 'userInfo' in status ? (status.userInfo as { username?: string; groups?: readonly string[] }) : {};
}

Then('its certificate logs in', async function (this: World) {
  const { status } = await joined(this).kubelet.node.ask({ path: '/api' });
  this.control({ object: `GET /api, with ${CERTIFICATE}`, demanded: 'is answered (200)', seen: String(status), ok: status === 200 });
});

Then("a certificate with the same subject from another cluster's CA is refused as unauthorized", async function (this: World) {
  const pair = selfMade(`${NODE_USER_PREFIX}${joined(this).kubelet.nodeName}`);
  const { status } = await this.as({ kind: 'certificate', ...pair }).ask({ path: '/api' });
  this.expect({
    object: 'GET /api, with a certificate of the same name from another CA',
    demanded: 'is refused as unauthorized (401)',
    seen: String(status),
    ok: status === 401,
  });
});

/** The request of an outcome, whatever became of it; a refusal ends the scenario as failed. */
export function requestOf(world: World, outcome: Outcome, what: string): CertificateSigningRequest {
  const seen = outcome.kind === 'refused' ? textOf(outcome.answer) : outcome.kind;
  const request = outcome.kind === 'issued' || outcome.kind === 'waiting' ? outcome.request : undefined;
  world.expect({ object: what, demanded: 'is taken by the API server', seen, ok: request !== undefined });
  return request as CertificateSigningRequest;
}
