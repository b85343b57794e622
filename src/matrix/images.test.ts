import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import { openReference } from '../targets/reference.js';
import { type Beginning, fromImage } from './images.js';

/** Whether it would start from an image. */
const isFromImage = (decisions: Parameters<typeof fromImage>[0]): Promise<boolean> =>
  fromImage(decisions, async ({ image }) => image !== undefined);

const opened = (beginning: Beginning) => openReference({ reference: beginning });

describe('an image of a reference', () => {
  it('is what another one starts as, and works on from', async () => {
    const before = await fromImage({}, async ({ image }) => image);
    const target = await fromImage({}, opened);
    try {
      const now = await target.admin.list(resources.certificateSigningRequests);
      const then = before?.content.objects.filter(({ object }) => object.kind === 'CertificateSigningRequest') ?? [];
      assert.ok(then.length > 1);
      assert.deepEqual(
        now.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]).sort(),
        then.map(({ object: { metadata } }) => [metadata.uid, metadata.resourceVersion]).sort(),
      );
      const [token = ''] = before?.setUp.tokens ?? [];
      const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      const asToken = target.as({ kind: 'token', token });
      assert.equal((await asToken.ask({ path })).status, 200);
      const info = await target.admin.get(resources.configMaps, 'cluster-info', 'kube-public');
      assert.match(
        String((info?.data as { kubeconfig?: string } | undefined)?.kubeconfig),
        new RegExp(`:${before?.port}`),
      );
    } finally {
      await target.close();
    }
  });
  it('makes names and UIDs that nobody has yet', async () => {
    const target = await fromImage({}, opened);
    try {
      const before = await target.admin.list(resources.secrets);
      const made: KubeObject | undefined = await target.abilities.writes?.create(resources.secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { generateName: 'made-', namespace: 'default' },
      });
      assert.ok(made?.metadata.uid);
      assert.ok(before.every(({ metadata }) => metadata.uid !== made.metadata.uid));
    } finally {
      await target.close();
    }
  });
  it('is none of a reference that would have been set up otherwise', async () => {
    assert.equal(await isFromImage({}), true);
    assert.equal(await isFromImage({ letsJoin: () => false }), true);
    assert.equal(await isFromImage({ clusterInfoKubeconfig: (facts) => upstream.clusterInfoKubeconfig(facts) }), true);
    assert.equal(await isFromImage({ clusterInfoKubeconfig: () => 'another' }), false);
    assert.equal(
      await isFromImage({
        clusterInfoKubeconfig: () => {
          throw new Error('not decided');
        },
      }),
      false,
    );
  });
  it('is left where its port is taken', async () => {
    const first = await fromImage({}, opened);
    try {
      const second = await fromImage({}, opened);
      try {
        assert.notEqual(second.facts.server, first.facts.server);
      } finally {
        await second.close();
      }
    } finally {
      await first.close();
    }
  });
});
