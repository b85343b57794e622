/** Sentences about what cluster-info publishes, and to whom. */

import {
  type Address,
  authorityOf,
  CLUSTER_INFO_NAME,
  clusterEntries,
  judgeAddress,
  judgeAuthority,
  judgeClusterEntry,
  judgeClusterOnly,
  judgeKeys,
  judgeKubeconfig,
  judgeNoCredentials,
  judgeNotInsecure,
  namesHost,
  publishedBy,
} from '../../src/checks/cluster-info.js';
import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Verdict } from '../../src/model/evidence.js';
import { Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { named } from '../common/tokens.js';
import { clusterInfo } from './signatures.js';

type Fields = Parameters<typeof judgeClusterOnly>[0];

Then('kube-public holds the ConfigMap {string}', async function (this: World, name: string) {
  const found = await this.objects.get(resources.configMaps, name, KUBE_PUBLIC);
  const there = found !== undefined && named(this, found, name) === found;
  this.expect({
    object: `ConfigMap ${KUBE_PUBLIC}/${name}`,
    demanded: 'exists',
    seen: there ? 'it does' : 'it does not',
    ok: there,
  });
});

Given('the ConfigMap cluster-info', async function (this: World) {
  this.keep('cluster-info', await clusterInfo(this));
});

const read = (world: World): ConfigMap => world.kept<ConfigMap>('cluster-info');

Then('it publishes a kubeconfig', function (this: World) {
  this.judge(judgeKubeconfig(publishedBy(read(this))));
});

/** What the sentences below are about; unreadable text is judged by the sentence above. */
function kubeconfig(world: World): Fields {
  const published = publishedBy(read(world));
  return 'kubeconfig' in published
    ? published.kubeconfig
    : world.skip('nothing', `cluster-info publishes no kubeconfig: ${published.unreadable}`);
}

const SENTENCES: Readonly<Record<string, (kubeconfig: Fields) => Verdict>> = {
  'its kubeconfig has clusters, and neither users nor contexts': judgeClusterOnly,
  'its kubeconfig holds no credential': judgeNoCredentials,
  'its kubeconfig has a cluster': judgeClusterEntry,
  'its cluster carries the certificate of the cluster CA': judgeAuthority,
  'its cluster does not switch off the verification of TLS': judgeNotInsecure,
};
for (const [sentence, judge] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.judge(judge(kubeconfig(this)));
  });
}

Then('it holds a kubeconfig and signatures, and nothing else', function (this: World) {
  this.judge(judgeKeys(read(this)));
});

/** The entry that joining machines use: the one without a name, else the first. */
function entryOf(world: World): ReturnType<typeof clusterEntries>[number] {
  const entries = clusterEntries(kubeconfig(world));
  return (
    entries.find(({ name }) => name === '') ?? entries[0] ?? world.skip('nothing', 'cluster-info publishes no cluster')
  );
}

Then('who trusts only its CA can speak to the API server', async function (this: World) {
  const pem = authorityOf(entryOf(this));
  if (pem === undefined) return this.skip('nothing', 'cluster-info publishes no CA');
  const answer = await this.ability('tls').trusts(pem);
  this.expect({
    object: CLUSTER_INFO_NAME,
    demanded: 'publishes the CA of the API server',
    seen: answer.ok ? `a TLS handshake with ${this.target.facts.server} succeeds` : answer.reason,
    ok: answer.ok,
  });
});

Then('its server is an https address that other machines can reach', function (this: World) {
  const { evidence, address } = judgeAddress(entryOf(this), this.target.facts.server);
  this.expect(evidence);
  this.keep('address', address);
});

/** Whether a handshake that trusts only this CA succeeds there; undefined where nothing could be reached. */
async function reached(world: World, pem: string, url: string): Promise<{ readonly ok: boolean } | undefined> {
  try {
    return await world.ability('tls').trusts(pem, url);
  } catch {
    return undefined;
  }
}

Then("the API server's certificate names that host", async function (this: World) {
  const address = this.kept<Address>('address');
  const [leaf] = await this.ability('tls').presented();
  const object = `the certificate of ${this.target.facts.server}`;
  const demanded = `names ${address.host}`;
  if (leaf !== undefined && namesHost(leaf, address.host))
    return this.expect({ object, demanded, seen: 'it does', ok: true });
  // The address of the kubeconfig may be another door than joinproof's, with a certificate of its own.
  const pem = authorityOf(entryOf(this));
  const there = pem === undefined ? undefined : await reached(this, pem, address.url);
  if (there?.ok === true)
    return this.expect({ object: `the certificate of ${address.url}`, demanded, seen: 'it does', ok: true });
  // That door is no proxy's where the published CA vouches for it: then the API server has this certificate for everybody.
  const own = there === undefined && pem !== undefined ? await reached(this, pem, this.target.facts.server) : undefined;
  if (there === undefined && own?.ok !== true)
    return this.skip('nothing', `${address.url} cannot be reached from here, and ${object} does not name it`);
  this.expect({ object, demanded, seen: 'it does not', ok: false });
});
