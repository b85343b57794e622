import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../kubernetes/resources.js';
import { openReference } from './reference.js';

describe('the reference as a target', () => {
  it('answers everybody, moves its clock, changes its switches and ends', async () => {
    const target = await openReference({
      reference: { tokens: [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 60 }] },
    });
    try {
      assert.equal((await target.version()).minor, 36);
      assert.equal(target.capabilities.size, 8);
      const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
      assert.equal((await target.as({ kind: 'anonymous' }).ask({ path })).status, 200);
      const asToken = target.as({ kind: 'token', token: 'abcdef.0123456789abcdef' });
      assert.equal((await asToken.ask({ path })).status, 403);
      const before = target.clock.now();
      await target.clock.sleep(60_000);
      assert.equal(target.clock.now(), before + 60_000);
      assert.equal(await target.admin.get(resources.secrets, 'bootstrap-token-abcdef', 'kube-system'), undefined);
      const twin = await target.with({ anonymousAuth: false, bootstrapSigner: false });
      try {
        assert.equal((await twin.as({ kind: 'anonymous' }).ask({ path })).status, 401);
        const info = await twin.admin.get(resources.configMaps, 'cluster-info', 'kube-public');
        assert.deepEqual(Object.keys((info?.data ?? {}) as object), ['kubeconfig']);
      } finally {
        await twin.close();
      }
    } finally {
      await target.close();
    }
  });
  it('is arranged before anybody asks', async () => {
    const target = await openReference({
      arrange: (reference) =>
        reference.api.delete({ group: '', resource: 'configmaps' }, 'kube-public', 'cluster-info'),
    });
    try {
      assert.equal(await target.admin.get(resources.configMaps, 'cluster-info', 'kube-public'), undefined);
    } finally {
      await target.close();
    }
  });
});
