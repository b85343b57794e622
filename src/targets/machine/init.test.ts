import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { initMachine } from './init.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-'));
after(() => rmSync(folder, { recursive: true }));

/** Its disk, and why it was not written. */
async function inited(name: string, fields: object, patches: Readonly<Record<string, string>> = {}) {
  const [root, given, configurationFile] = ['root', 'patches', 'init.json'].map((one) => path.join(folder, name, one));
  assert.ok(root !== undefined && given !== undefined && configurationFile !== undefined);
  for (const one of [root, given]) mkdirSync(one, { recursive: true });
  for (const [file, text] of Object.entries(patches)) writeFileSync(path.join(given, file), text);
  const document = { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'InitConfiguration', patches: { directory: given } };
  const cluster = { apiVersion: document.apiVersion, kind: 'ClusterConfiguration', encryptionAlgorithm: 'ECDSA-P256' };
  writeFileSync(
    configurationFile,
    [{ ...document, ...fields }, cluster].map((one) => JSON.stringify(one)).join('\n---\n'),
  );
  const why = await initMachine({ root, configurationFile, phases: [], tell: () => {} });
  return { why, at: (file: string): string => path.join(root, file) };
}

describe('the disk of an init', () => {
  it('is patched as its documents say', async () => {
    const { why, at } = await inited(
      'patched',
      {},
      {
        'kubeletconfiguration+json.yaml': '- {op: add, path: /maxPods, value: 42}\n',
        'kube-scheduler.yaml': 'metadata: {annotations: {example.com/patched: "yes"}}\n',
      },
    );
    assert.equal(why, undefined);
    assert.match(readFileSync(at('var/lib/kubelet/config.yaml'), 'utf8'), /^maxPods: 42$/m);
    const scheduler = readFileSync(at('etc/kubernetes/manifests/kube-scheduler.yaml'), 'utf8');
    assert.match(scheduler, /^ {4}example\.com\/patched: "yes"$/m);
  });

  it('is that of kubeadm without any document, and of the phases that are named alone', async () => {
    const root = path.join(folder, 'plain');
    mkdirSync(root);
    const said: string[] = [];
    const tell = (line: string): number => said.push(line);
    assert.equal(await initMachine({ root, phases: ['kubelet-start', 'etcd'], tell }), undefined);
    const isThere = (file: string): boolean => existsSync(path.join(root, file));
    assert.ok(isThere('var/lib/kubelet/config.yaml'));
    assert.ok(isThere('etc/kubernetes/manifests/etcd.yaml'));
    assert.ok(!isThere('etc/kubernetes/manifests/kube-apiserver.yaml'));
    assert.ok(!isThere('etc/kubernetes/pki/ca.crt'));
    assert.ok(said.some((line) => line.startsWith('[etcd] Creating static Pod manifest')));
  });

  it('lacks what its documents pass over', async () => {
    const { why, at } = await inited('passed-over', { skipPhases: ['etcd/local', 'kubeconfig'] });
    assert.equal(why, undefined);
    const isThere = (file: string): boolean => existsSync(at(file));
    assert.ok(isThere('etc/kubernetes/manifests/kube-apiserver.yaml'));
    assert.ok(!isThere('etc/kubernetes/manifests/etcd.yaml'));
    assert.ok(!isThere('etc/kubernetes/admin.conf'));
  });

  it('is not written with a patch that cannot be read', async () => {
    const { why } = await inited('unread', {}, { 'kubeletconfiguration+json.yaml': '{}' });
    assert.match(why ?? '', /kubeletconfiguration\+json\.yaml is no list of operations/);
  });
});
