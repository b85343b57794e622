/** Sentences about what a signer has issued to a joining node, and about certificates that nobody has issued. */

import { loginRefused } from '../../src/checks/authenticators/login.js';
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { isSignedAmong, longestOf, signersAmong } from '../../src/checks/certificates/x509.js';
import { authorityForJoining } from '../../src/checks/cluster-info/cluster-info.js';
import { readClusterInfo } from '../../src/checks/cluster-info/cluster-info-reader.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { issuedByController } from '../../src/checks/kubelet-certificates/decided-requests.js';
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
} from '../../src/checks/kubelet-certificates/issued.js';
import {
  issuedAsAsked,
  issuedToNoAuthority,
  issuedUsages,
  issuedWithOwnNumbers,
} from '../../src/checks/kubelet-certificates/issued-as-asked.js';
import { issuedAsBuiltIn } from '../../src/checks/kubelet-certificates/issued-as-built-in.js';
import { issuedNamesKey, readKeyNamed } from '../../src/checks/kubelet-certificates/issued-key-ids.js';
import { lifeAsAsked, lifeBeginsNow, lifeWithinAuthority } from '../../src/checks/kubelet-certificates/issued-life.js';
import { type Progress, requestIssued } from '../../src/checks/kubelet-certificates/request-progress.js';
import { requestAtRest } from '../../src/checks/kubelet-certificates/seen-requests.js';
import { CLUSTER_INFO, GROUP_NODES, KUBE_PUBLIC, KUBE_SYSTEM, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { decide, strangersPair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import {
  type Asked,
  administrator,
  ask,
  bearerOf,
  decided,
  demandSigner,
  issued,
  signing,
  stored,
} from '../common/csr-requests.js';
import { NODE } from '../common/joined.js';
import { login } from '../common/login.js';
import { joiningToken, type Made, sharedJoiningToken } from '../common/tokens.js';

const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;
const SUBJECT = "the node's certificate";

/** A certificate and the request that it was issued for. Its key is of no interest. */
interface Certificate {
  readonly progress: Progress;
  readonly request: CertificateSigningRequest;
  readonly facts: Issued;
}

const CERTIFICATES = slot<readonly Certificate[]>('certificates that were issued');
const factsOf = (world: World): readonly Issued[] => world.get(CERTIFICATES).map(({ facts }) => facts);

/** What is asked for, with a token or by an administrator. All is asked for before the scenario ends for one refusal. */
async function askForAll(world: World, wanted: readonly string[], token?: Made): Promise<readonly Asked[]> {
  const all: Asked[] = [];
  for (const what of wanted) {
    const made = NODES.includes(what) ? (token ?? (await sharedJoiningToken(world))) : undefined;
    all.push(await ask(world, made === undefined ? administrator(world) : bearerOf(world, made), what));
  }
  const refused = all.find(({ created }) => created === undefined);
  return refused === undefined ? all : world.unknown(`the request for ${refused.what} was not taken`);
}

/** An administrator approves where nobody does automatically. */
async function issuedFor(world: World, asked: Asked): Promise<Certificate> {
  const { what, name } = asked;
  const automatic = NODES.includes(what) ? await decided(world, asked, 5_000) : undefined;
  if (automatic === undefined || automatic.conditions.length === 0) await decide(world.admin, name, 'Approved');
  const progress = await issued(world, asked);
  const request = await stored(world, asked);
  if (request === undefined) return world.unknown(`the request for ${what} is gone`);
  return { progress, request, facts: readIssued(`the certificate of ${what}`, request) };
}

const given = async (world: World, wanted: readonly string[], token?: Made): Promise<readonly Certificate[]> => {
  const all = await askForAll(world, wanted, token);
  return Promise.all(all.map((asked) => issuedFor(world, asked)));
};

async function give(world: World, certificates: readonly Certificate[]): Promise<void> {
  world.put(CERTIFICATES, certificates);
  const progress = certificates.map((certificate) => certificate.progress);
  const [slowest] = progress.filter(({ certificate }) => !certificate);
  world.grant(requestIssued, progress, {
    ...(await signing(world, slowest ?? progress[0] ?? world.unknown('no certificate was wanted'))),
    kubeadm: true,
  });
}

/** They are made once a run: everybody only looks at them. */
const sharedOnes = (world: World, name: string, wanted: readonly string[]): Promise<readonly Certificate[]> =>
  world.shared(`issued certificates of ${name}`, () => given(world, wanted));

/** What joining nodes ask for, and what they may ask for besides without being granted it. */
const NODES = [
  'a node',
  'a node, as kubelets with RSA keys ask',
  'a node, for an hour',
  'a node, for ten minutes',
  'a node, for a year and a half',
  'a node, for ten years',
  'a node that asks to be an authority',
  'a node that asks to sign certificates',
  'a node that asks by an extension to serve',
  'a node that asks for what nobody knows',
  'a node of some unit, with a serial number',
];
const OTHERS = [
  'an API client that nobody approves automatically',
  'an API client of two groups, for a day',
  'an API client, for eight hours',
  "a node's server",
  "a node's server, for an hour",
];

Given('certificates that joining nodes were given', CONTROLLED, async function (this: World) {
  await give(this, await sharedOnes(this, 'nodes', NODES));
});

Given('certificates that nodes, API clients and servers were given', CONTROLLED, async function (this: World) {
  const nodes = await sharedOnes(this, 'nodes', NODES);
  await give(this, [...nodes, ...(await sharedOnes(this, 'others', OTHERS))]);
});

Given('a certificate that a joining node of it was given', CONTROLLED, async function (this: World) {
  const token = await joiningToken(this);
  await give(this, await given(this, ['a node'], token));
});

/**
 * PEM of the cluster's CA: as kubeadm publishes it for those who join, else as Pods are given it, or as the kubeconfig
 * trusts it.
 */
async function clusterAuthorities(world: World): Promise<string> {
  const forJoining = await publishedAuthority(world);
  if (forJoining !== undefined && world.holds('kubeadm')) return forJoining;
  const root = await world.objects.get<ConfigMap>(resources.configMaps, 'kube-root-ca.crt', KUBE_SYSTEM);
  const found = root?.data?.['ca.crt'] ?? world.target.facts.caPem ?? forJoining;
  const places = `${KUBE_SYSTEM}/kube-root-ca.crt nor in ${CLUSTER_INFO}`;
  return found ?? world.skip('nothing', `the cluster publishes its CA neither in ${places}`);
}

async function publishedAuthority(world: World): Promise<string | undefined> {
  const info = await world.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
  return info === undefined ? undefined : authorityForJoining(readClusterInfo(info));
}

interface OfRequest {
  readonly subject: string;
  readonly request: CertificateSigningRequest;
}

export async function checkClusterSigned(world: World, all: readonly OfRequest[]): Promise<void> {
  const authorities = await clusterAuthorities(world);
  const signed = all.map(({ subject, request }) => ({
    subject,
    signed: isSignedAmong(issuedPem(request), authorities),
  }));
  world.check(issuedByCluster, signed);
}

Then("each of them is signed by the cluster's CA", async function (this: World) {
  const all = this.get(CERTIFICATES).map(({ request, facts: { subject } }) => ({ subject, request }));
  await checkClusterSigned(this, all);
});

Then('none of them ends after the CA that has signed it', async function (this: World) {
  const authorities = await clusterAuthorities(this);
  const within = this.get(CERTIFICATES).flatMap(({ request, facts: { subject, certificate } }) => {
    const authorityEnds = longestOf(signersAmong(issuedPem(request), authorities));
    if (authorityEnds === undefined || 'unreadable' in certificate) return [];
    return [{ subject, ends: certificate.notAfter, authorityEnds }];
  });
  this.check(lifeWithinAuthority, within);
});

Then('each of them is for the key of its request', function (this: World) {
  this.check(issuedForKey, factsOf(this));
});

Then('each of them names the node and its group as the request did', function (this: World) {
  this.check(issuedForSubject, factsOf(this));
});

Then('each of them is valid for at most a year', function (this: World) {
  this.check(issuedForAYear, factsOf(this));
});

/** Where nothing is asked for, the signer gives its longest. */
Then('each of them lives as long as was asked for', function (this: World) {
  const facts = factsOf(this);
  const plain = facts.find(({ seconds, certificate }) => seconds === null && !('unreadable' in certificate));
  if (plain === undefined || 'unreadable' in plain.certificate)
    return this.unknown('no certificate came of a request that says nothing of its life');
  this.check(lifeAsAsked, facts, { longest: plain.certificate.notAfter - plain.certificate.notBefore });
  this.check(lifeBeginsNow, facts);
});

Then('each of them was written by the controller manager', async function (this: World) {
  await demandSigner(this);
  const seen = this.get(CERTIFICATES).map(({ request, facts: { subject } }) => {
    const { seen: read } = requestAtRest(request);
    return { ...read, subject };
  });
  this.check(issuedByController, seen);
});

Then('each of them belongs to its request', function (this: World) {
  this.check(issuedAsAsked, factsOf(this));
});

Then('each of them has a serial number of its own', function (this: World) {
  this.check(issuedWithOwnNumbers, factsOf(this));
});

Then('each of them is as the built-in signer makes it', async function (this: World) {
  await demandSigner(this);
  this.check(issuedAsBuiltIn, factsOf(this));
  this.check(issuedUsages, factsOf(this));
  const authorities = await clusterAuthorities(this);
  const named = this.get(CERTIFICATES).flatMap(({ request, facts: { subject } }) => {
    const pem = issuedPem(request);
    return readKeyNamed(subject, pem, signersAmong(pem, authorities));
  });
  if (named.length > 0) this.check(issuedNamesKey, named);
});

Then('none of them is an authority', function (this: World) {
  this.check(issuedToNoAuthority, factsOf(this));
});

Then('each of them is good for clients and not for servers', function (this: World) {
  this.check(issuedForRole, factsOf(this), { role: 'clientAuth', other: 'serverAuth' });
});

Then('the status of each of their requests holds one PEM block {string}', function (this: World, label: string) {
  this.check(issuedAsPem, factsOf(this), { label });
});

/** The minor since which everybody may ask who he is. Source: KEP-3325, SelfSubjectReview. */
const SAYS_WHO_SINCE = 28;

Then('the API server knows it as its node, in the group of nodes', async function (this: World) {
  const { kubelet, pair } = this.get(NODE);
  const heard = await login(this, { kind: 'certificate', ...pair });
  if (tellsNobody(heard) && (heard.status === 404 || this.version.minor < SAYS_WHO_SINCE))
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
