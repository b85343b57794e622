/** Sentences about ConfigMaps that nobody signs, and about cluster-info when somebody meddles with it. */

import { judgeSignatureFor } from '../../src/checks/jws.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  KUBE_PUBLIC,
  SIGNATURE_KEY_PREFIX,
  USAGE_SIGNING,
} from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { changeToken, TOKEN } from '../common/tokens.js';
import { CLUSTER_INFO_OBJECT, clusterInfo, it, keyOf, readSignatures, signedSoon } from './signatures.js';

Given(
  'another ConfigMap {string} in {string} with a kubeconfig',
  async function (this: World, name: string, namespace: string) {
    const full = name === CLUSTER_INFO ? name : `${name}-${this.random(8)}`;
    this.keep('decoys', [
      ...(this.has('decoys') ? this.kept<readonly string[]>('decoys') : []),
      `${namespace}/${full}`,
    ]);
    if ((await this.objects.get(resources.configMaps, full, namespace)) !== undefined) return;
    await this.writes.create<ConfigMap>(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: full, namespace },
      data: { [CLUSTER_INFO_KUBECONFIG]: 'kind: Config\n' },
    });
  },
);

Then('none of the other ConfigMaps is signed', async function (this: World) {
  for (const decoy of this.kept<readonly string[]>('decoys')) {
    const [namespace = '', name = ''] = decoy.split('/');
    const data = (await this.objects.get<ConfigMap>(resources.configMaps, name, namespace))?.data ?? {};
    const signed = Object.keys(data).filter((key) => key.startsWith(SIGNATURE_KEY_PREFIX));
    this.expect({
      object: `ConfigMap ${decoy}`,
      demanded: 'gets no signature',
      seen: signed.length === 0 ? 'it has none' : `it has ${signed.join(', ')}`,
      ok: signed.length === 0,
    });
  }
});

// Disturbances; the cluster is a twin that nobody else looks at.

const patchData = async (world: World, data: Readonly<Record<string, string | null>>): Promise<void> => {
  await world.writes.patch(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC, { data });
};

When('the kubeconfig of cluster-info is written anew, with a comment and a blank line', async function (this: World) {
  const before = (await clusterInfo(this)).data?.[CLUSTER_INFO_KUBECONFIG] ?? '';
  this.keep('kubeconfig', `# changed by joinproof ${this.random(8)}\n${before}\n`);
  await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: this.kept<string>('kubeconfig') });
});

Then('every signature soon verifies over the new text', async function (this: World) {
  this.expect(await signedSoon(this, it(this)));
  const { tokens, found: now } = await readSignatures(this);
  for (const token of tokens) this.expect(await judgeSignatureFor(now, token));
});

Then('the kubeconfig is byte for byte what was written', async function (this: World) {
  const same = (await clusterInfo(this)).data?.[CLUSTER_INFO_KUBECONFIG] === this.kept<string>('kubeconfig');
  this.expect({
    object: CLUSTER_INFO_OBJECT,
    demanded: 'keeps the kubeconfig byte for byte while it is signed',
    seen: same ? 'it does' : 'the text is another',
    ok: same,
  });
});

When('a signature of nobody is put into cluster-info', async function (this: World) {
  this.put(TOKEN, { ...it(this), id: this.random(6), label: 'nobody' });
  await patchData(this, { [keyOf(it(this))]: 'x' });
});

When('its signature is tampered with', async function (this: World) {
  await patchData(this, { [keyOf(it(this))]: 'x..y' });
});

When('the kubeconfig is taken out of cluster-info', async function (this: World) {
  this.keep('kubeconfig', (await clusterInfo(this)).data?.[CLUSTER_INFO_KUBECONFIG] ?? '');
  await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: null });
});

When('the kubeconfig is put back', async function (this: World) {
  await patchData(this, { [CLUSTER_INFO_KUBECONFIG]: this.kept<string>('kubeconfig') });
});

Then('cluster-info holds nothing for it', async function (this: World) {
  const there = keyOf(it(this)) in ((await clusterInfo(this)).data ?? {});
  this.expect({
    object: `${CLUSTER_INFO_OBJECT}, key ${keyOf(it(this))}`,
    demanded: 'is not there',
    seen: there ? 'it is' : 'it is not',
    ok: !there,
  });
});

Then('cluster-info holds the kubeconfig and no signature', async function (this: World) {
  const keys = Object.keys((await clusterInfo(this)).data ?? {}).sort();
  this.expect({
    object: CLUSTER_INFO_OBJECT,
    demanded: 'holds the kubeconfig and nothing else',
    seen: `it holds ${keys.join(', ')}`,
    ok: keys.join() === CLUSTER_INFO_KUBECONFIG,
  });
});

When('its usage for signing is withdrawn', async function (this: World) {
  await changeToken(this, it(this), { [USAGE_SIGNING]: undefined });
});
