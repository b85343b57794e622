/** Sentences about what cluster-info publishes. */

import { leafIn } from '../../src/checks/certificates/x509.js';
import {
  type Address,
  addressAnswers,
  addressForOthers,
  addressIn,
  addressPlain,
  authorityOfServer,
  certificateNamesHost,
  type Doors,
  type HostSeen,
} from '../../src/checks/cluster-info/address.js';
import {
  authoritiesOfCluster,
  authorityForJoining,
  holdsNothingElse,
  publishedCertificates,
  publishesAuthority,
  publishesCluster,
  publishesKubeconfig,
  publishesNobody,
  publishesNoCredential,
  publishesNoDetour,
  publishesOneCluster,
  publishesVerification,
} from '../../src/checks/cluster-info/cluster-info.js';
import {
  authoritiesValid,
  authorityGoesOn,
  leavingOf,
  livesOf,
  serverGoesOn,
  writable,
} from '../../src/checks/cluster-info/cluster-info-lasting.js';
import { type ClusterInfoFacts, readClusterInfo } from '../../src/checks/cluster-info/cluster-info-reader.js';
import {
  namesService,
  type ServiceNamed,
  serviceNames,
  vouchedFor,
} from '../../src/checks/cluster-info/service-names.js';
import { isThere } from '../../src/checks/common/presence.js';
import { record, text, texts } from '../../src/kubernetes/json.js';
import { KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { isDump } from '../common/reading.js';
import { isMet } from '../common/soon.js';
import { named } from '../common/tokens.js';
import { configurationOf } from '../node-files/written-down.js';
import { clusterInfo } from './signatures.js';

const CONTENT = slot<ClusterInfoFacts>('the ConfigMap cluster-info');

Then('kube-public holds the ConfigMap {string}', { needs: ['kubeadm'] }, async function (this: World, name: string) {
  const found = await this.objects.get(resources.configMaps, name, KUBE_PUBLIC);
  const there = found !== undefined && named(this, found, name) === found;
  this.check(isThere, [{ subject: `ConfigMap ${KUBE_PUBLIC}/${name}`, there }], { demanded: 'exists' });
});

Given('the ConfigMap cluster-info', async function (this: World) {
  this.put(CONTENT, readClusterInfo(await clusterInfo(this)));
});

/** A sentence on what is published, and the check that judges it. */
const SENTENCES = {
  'it publishes a kubeconfig': publishesKubeconfig,
  'its kubeconfig has clusters, and neither users nor contexts': publishesNobody,
  'its kubeconfig holds no credential': publishesNoCredential,
  'its kubeconfig has a cluster': publishesCluster,
  'its kubeconfig has one cluster, without a name': publishesOneCluster,
  'its cluster carries the certificate of the cluster CA': publishesAuthority,
  'its cluster does not switch off the verification of TLS': publishesVerification,
  'its cluster names no proxy and no other server name': publishesNoDetour,
  'it holds a kubeconfig and signatures, and nothing else': holdsNothingElse,
  'its server is written as https, a host and a port': addressPlain,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.check(check, this.get(CONTENT));
  });
}

Then('it can be written, and stays', async function (this: World) {
  const { immutable, metadata } = await clusterInfo(this);
  this.check(writable, { immutable: immutable === true, leaving: leavingOf(metadata) });
});

Then('each CA that it publishes has begun and has not ended', function (this: World) {
  const pem = authorityForJoining(this.get(CONTENT)) ?? this.skip('nothing', NO_AUTHORITY);
  this.check(authoritiesValid, livesOf(pem), { now: this.now() });
});

Then('a CA that it publishes has not almost ended', function (this: World) {
  const pem = authorityForJoining(this.get(CONTENT)) ?? this.skip('nothing', NO_AUTHORITY);
  this.check(authorityGoesOn, livesOf(pem), { now: this.now() });
});

const NO_AUTHORITY = 'cluster-info publishes no cluster with a CA';
/** What the controller manager publishes in every namespace, from --root-ca-file. */
const ROOT_CA = 'kube-root-ca.crt';
const TLS = { needs: ['tls'] } as const;

Then('the certificate that the API server presents has not almost ended', TLS, async function (this: World) {
  const { server } = this.target.facts;
  const [pem] = await this.ability('tls').presented();
  const life = pem === undefined ? undefined : leafIn(pem);
  if (life === undefined) return this.skip('nothing', 'the API server presents no certificate that can be read');
  this.check(serverGoesOn, { server, life }, { now: this.now() });
});

Then('who trusts only its CA can speak to the API server', TLS, async function (this: World) {
  const pem = authorityForJoining(this.get(CONTENT)) ?? this.skip('nothing', NO_AUTHORITY);
  const answer = await this.ability('tls').trusts(pem);
  const { server } = this.target.facts;
  this.check(authorityOfServer, { server, trusted: answer.ok, reason: answer.ok ? '' : answer.reason });
});

Then(
  'it publishes no CA but those that the cluster gives to its Pods',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    const pem = authorityForJoining(this.get(CONTENT)) ?? this.skip('nothing', NO_AUTHORITY);
    const root = await this.objects.get<ConfigMap>(resources.configMaps, ROOT_CA, KUBE_SYSTEM);
    const known = root?.data?.['ca.crt'] ?? this.skip('nothing', `${KUBE_SYSTEM} has no ConfigMap ${ROOT_CA}`);
    this.check(authoritiesOfCluster, {
      published: publishedCertificates(pem),
      known: publishedCertificates(known),
    });
  },
);

/** The addresses of the Service by which Pods reach the API server; none where this credential may not see them. */
async function serviceAddresses(world: World): Promise<readonly string[]> {
  if (world.target.abilities.requests === undefined) return [];
  const { status, body } = await world.admin.ask({ path: '/api/v1/namespaces/default/services/kubernetes' });
  const { clusterIP, clusterIPs } = record(record(body).spec);
  return status === 200 ? [...new Set([text(clusterIP), ...texts(clusterIPs)])].filter((one) => one !== '') : [];
}

const doors = (world: World): Promise<Doors> =>
  world.shared(`doors of ${world.target.name}`, async () => ({
    reached: isDump(world) ? null : world.target.facts.server,
    service: await serviceAddresses(world),
  }));

async function publishedAddress(world: World): Promise<Address> {
  const address = addressIn(world.get(CONTENT), await doors(world));
  if (!('wrong' in address)) return address;
  return world.skip('nothing', `cluster-info publishes no usable address: ${address.wrong}`);
}

Then('its server is an https address that other machines can reach', async function (this: World) {
  this.check(addressForOthers, this.get(CONTENT), await doors(this));
});

/** Why there was no handshake, where something said so at once. Source: src/targets/errors.ts. */
const NO_TLS = ['refused', 'not-https', 'not-http'];

/** How a handshake that trusts only this CA ends there. `elsewhere`: nothing could be reached. */
async function handshake(world: World, pem: string, url: string): Promise<'trusted' | 'not trusted' | Unreached> {
  try {
    return (await world.ability('tls').trusts(pem, url)).ok ? 'trusted' : 'not trusted';
  } catch (error) {
    return NO_TLS.includes(text(record(error).why)) ? 'refused' : 'elsewhere';
  }
}
type Unreached = 'refused' | 'elsewhere';

/** Whether it succeeds; null where nothing could be reached, or there is no CA. */
async function trusted(world: World, pem: string | undefined, url: string): Promise<boolean | null> {
  const ended = pem === undefined ? 'elsewhere' : await handshake(world, pem, url);
  return ended === 'trusted' || (ended === 'not trusted' ? false : null);
}

/** Every further handshake is made only where those before do not settle it. */
async function hostSeen(world: World, address: Address): Promise<HostSeen> {
  const { server } = world.target.facts;
  const [leaf = null] = await world.ability('tls').presented();
  const here: HostSeen = { server, leaf, address, there: null, own: null };
  if (here.leaf !== null && isMet(certificateNamesHost, { ...here, own: true }, undefined)) return here;
  const pem = authorityForJoining(world.get(CONTENT));
  const there = await trusted(world, pem, address.url);
  return { ...here, there, own: there === null ? await trusted(world, pem, server) : null };
}

Then("the API server's certificate names that host", TLS, async function (this: World) {
  this.check(certificateNamesHost, await hostSeen(this, await publishedAddress(this)));
});

/** Between a client and the API server something ends TLS that presents what Pods are never shown. */
const BEHIND =
  'what is presented here is not issued by the authorities that Pods are given: a proxy may stand before it';

/** The certificate that is presented to who asks by a name or an address; ends the scenario where it is a proxy's. */
async function leafFor(world: World, host: string, known: string): Promise<string> {
  const chain = await presentedFor(world, host);
  const [leaf] = chain;
  return leaf !== undefined && vouchedFor(chain.join('\n'), known) ? leaf : world.skip('fact', BEHIND);
}

/** Nothing where the handshake fails: who routes by names knows but his own. */
async function presentedFor(world: World, host: string): Promise<readonly string[]> {
  try {
    return await world.ability('tls').presented(host);
  } catch (error) {
    if (text(record(error).why) === '') throw error;
    return [];
  }
}

async function judgeNames(world: World, hosts: readonly string[]): Promise<void> {
  const root = await world.objects.get<ConfigMap>(resources.configMaps, ROOT_CA, KUBE_SYSTEM);
  const known = root?.data?.['ca.crt'] ?? world.skip('nothing', `${KUBE_SYSTEM} has no ConfigMap ${ROOT_CA}`);
  const all: ServiceNamed[] = [];
  for (const host of hosts) all.push({ host, leaf: await leafFor(world, host, known) });
  world.check(namesService, all, { server: world.target.facts.server });
}

const SERVICE = { needs: ['tls', 'objects'] } as const;

Then(
  'the certificate that the API server presents names the addresses of its Service',
  SERVICE,
  async function (this: World) {
    const { service } = await doors(this);
    const addresses = service.filter((one) => /[.:]/.test(one));
    if (addresses.length === 0) this.skip('nothing', 'the Service kubernetes in default, or its address, is not shown');
    await judgeNames(this, addresses);
  },
);

Then(
  'the certificate that the API server presents names its Service as the DNS of the cluster does',
  SERVICE,
  async function (this: World) {
    await judgeNames(this, serviceNames((await configurationOf(this))?.dnsDomain ?? ''));
  },
);

/** Where that is the address by which the run reaches the server it has answered already. */
Then('somebody answers there', TLS, async function (this: World) {
  const address = await publishedAddress(this);
  const { server } = this.target.facts;
  const own = new URL(server).origin === address.url;
  const ended = own ? 'trusted' : await handshake(this, '', address.url);
  this.check(addressAnswers, { server, address, answers: ended.endsWith('trusted') ? 'tls' : (ended as Unreached) });
});
