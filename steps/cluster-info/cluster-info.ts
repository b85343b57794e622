/** Sentences about what cluster-info publishes. */
import {
  type Address,
  addressForOthers,
  addressIn,
  authorityOfServer,
  certificateNamesHost,
  type HostSeen,
} from '../../src/checks/address.js';
import {
  authorityForJoining,
  holdsNothingElse,
  publishesAuthority,
  publishesCluster,
  publishesKubeconfig,
  publishesNobody,
  publishesNoCredential,
  publishesVerification,
} from '../../src/checks/cluster-info.js';
import { type ClusterInfoFacts, readClusterInfo } from '../../src/checks/cluster-info-reader.js';
import { isThere } from '../../src/checks/presence.js';
import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { isMet } from '../common/soon.js';
import { named } from '../common/tokens.js';
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
  'its cluster carries the certificate of the cluster CA': publishesAuthority,
  'its cluster does not switch off the verification of TLS': publishesVerification,
  'it holds a kubeconfig and signatures, and nothing else': holdsNothingElse,
};
for (const [sentence, check] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.check(check, this.get(CONTENT));
  });
}

const TLS = { needs: ['tls'] } as const;

Then('who trusts only its CA can speak to the API server', TLS, async function (this: World) {
  const pem =
    authorityForJoining(this.get(CONTENT)) ?? this.skip('nothing', 'cluster-info publishes no cluster with a CA');
  const answer = await this.ability('tls').trusts(pem);
  const { server } = this.target.facts;
  this.check(authorityOfServer, { server, trusted: answer.ok, reason: answer.ok ? '' : answer.reason });
});

Then('its server is an https address that other machines can reach', function (this: World) {
  this.check(addressForOthers, this.get(CONTENT), { reached: this.target.facts.server });
});

/**
 * Whether a handshake that trusts only this CA succeeds there; null where nothing could be reached, or there is no CA.
 */
async function trusted(world: World, pem: string | undefined, url: string): Promise<boolean | null> {
  if (pem === undefined) return null;
  try {
    return (await world.ability('tls').trusts(pem, url)).ok;
  } catch {
    return null;
  }
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
  const address = addressIn(this.get(CONTENT), this.target.facts.server);
  if ('wrong' in address) return this.skip('nothing', `cluster-info publishes no usable address: ${address.wrong}`);
  this.check(certificateNamesHost, await hostSeen(this, address));
});
