/** Sentences about what kubeadm init has left in a cluster that it has just set up for us. */

import { versionedName } from '../../src/checks/authorization/versioned-names.js';
import { isAbsent, isThere } from '../../src/checks/common/presence.js';
import {
  type Document,
  documentAgrees,
  documentSays,
  hashHolds,
  readDocument,
  readHashed,
  readMarks,
  readObject,
  type Saying,
  valueAt,
} from '../../src/checks/joining-clients/init-objects.js';
import { record, text } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

/** Nobody has changed it since: elsewhere people do, and may. */
Given('a cluster that kubeadm has just set up for us', { needs: ['kubeadm', 'fresh', 'objects'] }, () => {});

const KINDS: Readonly<Record<string, Resource>> = {
  ConfigMap: resources.configMaps,
  Service: resources.services,
  ServiceAccount: resources.serviceAccounts,
  DaemonSet: resources.daemonSets,
  Deployment: resources.deployments,
};
async function found(world: World, kind: string, name: string): Promise<KubeObject | undefined> {
  const resource = KINDS[kind] ?? world.unknown(`the steps know no kind ${kind}`);
  const object = await world.objects.get<KubeObject>(resource, name, KUBE_SYSTEM);
  // what answers with anything at all says nothing of this
  if (object !== undefined && object.metadata?.name !== name)
    return world.unknown(`who was asked for the ${kind} ${name} has answered with something else`);
  return object;
}
const nameOf = (kind: string, name: string): string => `${kind} ${KUBE_SYSTEM}/${name}`;

Then('kube-system holds the {word} {string}', async function (this: World, kind: string, name: string) {
  const there = (await found(this, kind, name)) !== undefined;
  this.check(isThere, [{ subject: nameOf(kind, name), there }], { demanded: 'exists' });
});

Then('kube-system holds no {word} {string}', async function (this: World, kind: string, name: string) {
  const there = (await found(this, kind, name)) !== undefined;
  this.check(isAbsent, [{ subject: nameOf(kind, name), there }], { demanded: 'is not there' });
});

/** Rows "field | value"; of several values that are right "a or b". */
const sayings = (table: DataTable): readonly Saying[] =>
  table.hashes().map(({ field = '', value = '' }) => ({
    field,
    values: value === '(empty)' ? [''] : value.split(' or '),
  }));

Then('the {word} {string} says:', async function (this: World, kind: string, name: string, table: DataTable) {
  const document = readObject(nameOf(kind, name), await found(this, kind, name));
  this.check(documentSays, document, { wanted: sayings(table) });
});

const kubeletConfig = ({ version: { minor } }: World): string => versionedName('kubelet-config', minor);
const configMap = (world: World, name: string): Promise<ConfigMap | undefined> => found(world, 'ConfigMap', name);
const documentIn = async (world: World, name: string, key: string): Promise<Document> =>
  readDocument(nameOf('ConfigMap', name), await configMap(world, name), key);

const DOCUMENT = slot<Document>('a document that init has written');

Given('the configuration that init has written for kubelets', async function (this: World) {
  this.put(DOCUMENT, await documentIn(this, kubeletConfig(this), 'kubelet'));
});

Given('the configuration that init has written of the cluster', async function (this: World) {
  this.put(DOCUMENT, await documentIn(this, 'kubeadm-config', 'ClusterConfiguration'));
});

Given('the kubeconfig that init has written for kube-proxy', async function (this: World) {
  this.put(DOCUMENT, await documentIn(this, 'kube-proxy', 'kubeconfig.conf'));
});

/** Of the machine that the API server runs on, where it has a Node. */
Given('the Node of the control plane', async function (this: World) {
  const pods = await this.objects.list<KubeObject>(resources.pods, {
    namespace: KUBE_SYSTEM,
    labelSelector: 'component=kube-apiserver',
  });
  const name = pods.map(({ spec }) => text(record(spec).nodeName)).find((one) => one !== '');
  if (name === undefined) return this.skip('nothing', 'no Pod shows on which machine the API server runs');
  this.put(DOCUMENT, readMarks(`Node ${name}`, await this.objects.get<KubeObject>(resources.nodes, name)));
});

Then('there it says:', function (this: World, table: DataTable) {
  this.check(documentSays, this.get(DOCUMENT), { wanted: sayings(table) });
});

/** What stands for the same elsewhere, by what the features call it. */
const ELSEWHERE: Readonly<Record<string, (world: World) => Promise<string>>> = {
  'the address of the Service kube-dns': async (world) =>
    valueAt(await found(world, 'Service', 'kube-dns'), 'spec > clusterIP'),
  'the domain of kubeadm-config': async (world) =>
    valueAt((await documentIn(world, 'kubeadm-config', 'ClusterConfiguration')).fields, 'networking > dnsDomain'),
  'ca.crt in the folder of kubeadm-config': async (world) => {
    const { fields } = await documentIn(world, 'kubeadm-config', 'ClusterConfiguration');
    return `${valueAt(fields, 'certificatesDir')}/ca.crt`;
  },
  'the domain of kubelet-config': async (world) =>
    valueAt((await documentIn(world, kubeletConfig(world), 'kubelet')).fields, 'clusterDomain'),
  'the server of cluster-info': async (world) => {
    const info = await world.objects.get<ConfigMap>(resources.configMaps, 'cluster-info', 'kube-public');
    return valueAt(readDocument('', info, 'kubeconfig').fields, 'clusters > 0 > cluster > server');
  },
};

/** A distribution may have patches of its own. */
Then('there the release is that of the API server, but for its patch', function (this: World) {
  const { subject, fields } = this.get(DOCUMENT);
  const [value = ''] = /^v\d+\.\d+/.exec(valueAt(fields, 'kubernetesVersion')) ?? [];
  const other = 'the minor of the API server';
  this.check(documentAgrees, [
    { subject, field: 'kubernetesVersion', value, other, otherValue: `v1.${this.version.minor}` },
  ]);
});

Then(/^there "(.+)" is (.+)$/, async function (this: World, field: string, what: string) {
  const elsewhere = ELSEWHERE[what] ?? this.unknown(`the steps know nothing that is "${what}"`);
  const { subject, fields } = this.get(DOCUMENT);
  const same = { subject, field, value: valueAt(fields, field), other: what, otherValue: await elsewhere(this) };
  this.check(documentAgrees, [same]);
});

Then('the hashes of configurations are those of their texts', async function (this: World) {
  const maps = await Promise.all([kubeletConfig(this), 'kube-proxy'].map((name) => configMap(this, name)));
  const there = maps.flatMap((map) => (map === undefined ? [] : [map]));
  this.check(
    hashHolds,
    there.map((map) => readHashed(nameOf('ConfigMap', map.metadata.name ?? ''), map)),
  );
});

const SECRETS = [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/, /certificateKey/, /bootstrapTokens/, /PRIVATE KEY/];

Then('kubeadm-config holds the configuration alone, and no secret', async function (this: World) {
  const data = Object.entries((await configMap(this, 'kubeadm-config'))?.data ?? {});
  const others = data.filter(([key]) => key !== 'ClusterConfiguration').map(([key]) => `key ${key}`);
  const secrets = SECRETS.filter((one) => data.some(([, value]) => one.test(value))).map(({ source }) => source);
  const subjects = ['other keys', 'a token, a key or what is said of them'];
  const seen = [others, secrets].map((all, index) => ({
    subject: `${subjects[index]} in ${nameOf('ConfigMap', 'kubeadm-config')}`,
    there: all.length > 0,
  }));
  this.check(isThere, [{ subject: nameOf('ConfigMap', 'kubeadm-config'), there: data.length > 0 }], {
    demanded: 'has data',
  });
  this.check(isAbsent, seen, { demanded: 'is not there' });
});
