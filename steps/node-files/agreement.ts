/** Sentences about keys, certificates and servers: those of a node's disk are those of its cluster. */

import { certificatesIn } from '../../src/checks/certificates/x509.js';
import {
  issuesServer,
  letIn,
  presentsOwn,
  sameAuthorities,
  verifiesTokens,
  writtenDown,
} from '../../src/checks/node-files/node-agreement.js';
import {
  type CertificatesSeen,
  certificatesSeen,
  isBehind,
  JWKS,
  pinsOfJwks,
} from '../../src/checks/node-files/node-authorities.js';
import { asksKnown, endpointOf, type Servers, whyNotOwn } from '../../src/checks/node-files/node-endpoints.js';
import { flagOf } from '../../src/checks/node-files/node-roles.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { CLIENT_CA, CLUSTER, PROXY_CA, trustedBy } from './cluster.js';
import { config, NODE, one, withCertificate } from './disk.js';
import { configurationOf, controlPlanes } from './written-down.js';

Then("the disk's CA is that of the cluster", async function (this: World) {
  this.check(sameAuthorities, { disk: one(this, 'ca.crt'), shown: this.get(CLUSTER).shown });
});

/** What the API server presents, and who of the disk and of the cluster has signed it. */
async function presented(world: World): Promise<CertificatesSeen> {
  const [chain, authority] = await Promise.all([
    world.atRest('what the API server presents', () => world.ability('tls').presented()),
    world.ability('files').read([one(world, 'ca.crt').path]),
  ]);
  const signers = [...authority.flatMap(({ text = '' }) => certificatesIn(text)), ...world.get(CLUSTER).signers];
  return certificatesSeen('what the API server presents', chain.join('\n'), signers);
}

Then("the disk's CA has issued what the API server presents", { needs: ['tls'] }, async function (this: World) {
  const seen = await presented(this);
  const ofCluster = this.get(CLUSTER).shown.flatMap(({ certificates }) => certificates.map(({ digest }) => digest));
  if (isBehind(seen, ofCluster))
    this.skip('fact', 'something before the API server presents a certificate of its own, as a proxy does');
  this.check(issuesServer, { disk: one(this, 'ca.crt'), presented: seen });
});

/** "host:port" of the machine's own API server; '' where no manifest says it. */
function ownEndpoint(world: World): string {
  const { disk } = world.get(NODE);
  const address = flagOf(disk, 'kube-apiserver', 'advertise-address');
  const host = address.includes(':') ? `[${address}]` : address;
  return address === '' ? '' : `${host}:${flagOf(disk, 'kube-apiserver', 'secure-port') || '6443'}`;
}

/** Where the cluster says that it is asked. */
async function endpointsOf(world: World): Promise<readonly string[]> {
  const told = (await configurationOf(world))?.endpoint ?? '';
  const shared = told === '' || /:\d+$/.test(told) ? told : `${told}:6443`;
  const published = endpointOf(world.get(CLUSTER).published.server);
  return [...new Set([published, shared.toLowerCase()])].filter((one) => one !== '');
}

Then('the API server of the machine presents {string}', { needs: ['tls'] }, async function (this: World, name: string) {
  const endpoints = await endpointsOf(this);
  const { length } = await controlPlanes(this);
  const isNamed = flagOf(this.get(NODE).disk, 'kube-apiserver', 'tls-sni-cert-key') !== '';
  const { server } = this.target.facts;
  const why = whyNotOwn({ server, own: ownEndpoint(this), endpoints, controlPlanes: length, isNamed });
  if (why !== '') this.skip('fact', why);
  this.check(presentsOwn, { own: one(this, name), presented: await presented(this) });
});

Then(
  'the API server verifies tokens with {string}',
  { needs: ['requests'] },
  async function (this: World, name: string) {
    if (flagOf(this.get(NODE).disk, 'kube-apiserver', 'service-account-signing-endpoint') !== '')
      this.skip('fact', 'tokens of service accounts are signed elsewhere (--service-account-signing-endpoint)');
    const { status, body } = await this.admin.ask({ path: '/openid/v1/jwks', headers: JWKS });
    if (status !== 200) this.skip('ability', `the keys of tokens are not shown: GET /openid/v1/jwks answers ${status}`);
    this.check(verifiesTokens, { file: one(this, name), keys: pinsOfJwks(body) });
  },
);

const FLAGS = { clients: CLIENT_CA, proxies: PROXY_CA } as const;

/** The file that the flag of the API server names, or kubeadm's. */
Then(
  'the authorities of {word} in {string} are those that API servers write down',
  async function (this: World, whose: string, name: string) {
    const key = whose === 'clients' ? FLAGS.clients : FLAGS.proxies;
    const shown = trustedBy(this, key);
    if (shown === undefined) return this.skip('nothing', `no API server has written down its ${key}`);
    const path = flagOf(this.get(NODE).disk, 'kube-apiserver', key);
    this.check(writtenDown, { file: one(this, path === '' ? name : path), shown });
  },
);

const CONFIGS = ['admin', 'super-admin', 'controller-manager', 'scheduler', 'kubelet'];

Then('the cluster lets in who shows the certificates of its kubeconfigs', async function (this: World) {
  const by = trustedBy(this, CLIENT_CA) ?? this.get(CLUSTER).shown[0];
  if (by === undefined) return this.skip('nothing', 'the cluster does not show whom it lets in');
  const there = CONFIGS.map((name) => withCertificate(this, `${name}.conf`)).filter(({ config: { file } }) => file);
  this.check(letIn, there, { by });
});

/** What the API server's certificate is for: as it is presented, or else as it lies there. */
async function namesOf(world: World): Promise<Servers['names']> {
  const { tls } = world.target.abilities;
  const read = one(world, 'apiserver.crt').file?.held;
  const [own] = read?.kind === 'certificates' ? read.certificates : [];
  const [leaf] = tls === undefined ? [own] : (await presented(world)).certificates;
  return (leaf ?? own)?.facts.altNames ?? null;
}

Then('its kubeconfigs ask servers of the cluster', async function (this: World) {
  const { role } = this.get(NODE);
  const [names, known, nodes] = await Promise.all([namesOf(this), endpointsOf(this), controlPlanes(this)]);
  const own = ownEndpoint(this);
  const there = [...CONFIGS, 'bootstrap-kubelet']
    .map((name) => one(this, config(`${name}.conf`)))
    .filter(({ file }) => file !== null);
  this.check(asksKnown, there, {
    endpoints: known.length === 0 || own === '' ? known : [...known, own],
    nodes: nodes.flatMap(({ addresses }) => addresses),
    names,
    isWorker: role === 'worker',
  });
});
