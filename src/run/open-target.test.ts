import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { openTarget, parseTargetChoice } from './open-target.js';

describe('the disk of a node', () => {
  it('is judged alone, or beside the objects of its cluster', () => {
    assert.deepEqual(parseTargetChoice({ node: 'disk' }), { kind: 'node', folder: 'disk' });
    const beside = { node: 'disk', allowWrites: false };
    assert.deepEqual(parseTargetChoice({ ...beside, kubeconfig: 'a' }), {
      kind: 'cluster',
      kubeconfig: 'a',
      ...beside,
    });
    assert.deepEqual(parseTargetChoice({ ...beside, context: 'a' }), { kind: 'cluster', context: 'a', ...beside });
    assert.deepEqual(parseTargetChoice({ ...beside, inCluster: true }), { kind: 'in-cluster', ...beside });
    assert.deepEqual(parseTargetChoice({ node: 'disk', manifests: 'a' }), {
      kind: 'dump',
      manifests: 'a',
      node: 'disk',
    });
  });

  it('is judged beside nothing else, and only read', () => {
    assert.throws(() => parseTargetChoice({ node: 'disk', controlPlane: 'a' }), /--control-plane and --node/);
    assert.throws(() => parseTargetChoice({ node: 'disk', client: 'a' }), /--client and --node/);
    assert.throws(() => parseTargetChoice({ node: 'disk', kubeconfig: 'a', manifests: 'b' }), /different targets/);
    assert.throws(() => parseTargetChoice({ node: 'disk', allowWrites: true }), /only read/);
    assert.throws(() => parseTargetChoice({ node: '', kubeconfig: 'a' }), /--node is empty/);
  });

  it('is opened with a dump', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-node-'));
    try {
      const manifests = path.join(folder, 'objects.yaml');
      writeFileSync(manifests, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\n');
      const { signal } = new AbortController();
      const target = await openTarget({ kind: 'dump', manifests, node: folder }, signal);
      assert.deepEqual(Object.keys(target.abilities).sort(), ['files', 'objects']);
      assert.match(target.name, /and the disk of a node/);
      await assert.rejects(
        openTarget({ kind: 'dump', manifests, node: path.join(folder, 'none') }, signal),
        /--node .* cannot be read/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a control plane', () => {
  it('lies in the folder that is given, or that KUBEBUILDER_ASSETS names', () => {
    const before = process.env.KUBEBUILDER_ASSETS;
    try {
      process.env.KUBEBUILDER_ASSETS = '/assets';
      assert.deepEqual(parseTargetChoice({ controlPlane: true }), { kind: 'control-plane', folder: '/assets' });
      assert.deepEqual(parseTargetChoice({ controlPlane: '/given' }), { kind: 'control-plane', folder: '/given' });
      for (const none of ['', undefined]) {
        if (none === undefined) delete process.env.KUBEBUILDER_ASSETS;
        else process.env.KUBEBUILDER_ASSETS = none;
        assert.throws(() => parseTargetChoice({ controlPlane: true }), /was given no folder, and KUBEBUILDER_ASSETS/);
      }
    } finally {
      if (before === undefined) delete process.env.KUBEBUILDER_ASSETS;
      else process.env.KUBEBUILDER_ASSETS = before;
    }
  });
});

describe('a client that joins', () => {
  it('is a program, or kubeadm with or without its kubelet, so many at a time as is said', () => {
    assert.deepEqual(parseTargetChoice({ client: 'a' }), { kind: 'client', file: 'a' });
    assert.deepEqual(parseTargetChoice({ client: 'a', concurrency: '3' }), { kind: 'client', file: 'a', atOnce: 3 });
    assert.deepEqual(parseTargetChoice({ kubeadm: 'a' }), { kind: 'kubeadm', kubeadm: 'a' });
    assert.deepEqual(parseTargetChoice({ kubeadm: 'a', kubelet: 'b', concurrency: '2' }), {
      kind: 'kubeadm',
      kubeadm: 'a',
      kubelet: 'b',
      atOnce: 2,
    });
    assert.throws(() => parseTargetChoice({ kubelet: 'b' }), /--kubelet was given without --kubeadm/);
    for (const given of [{ client: 'a' }, { kubeadm: 'a' }])
      assert.throws(() => parseTargetChoice({ ...given, allowWrites: true }), /--allow-writes is for clusters/);
    assert.throws(() => parseTargetChoice({ manifests: 'a', allowWrites: true }), /--manifests names files/);
  });
});
