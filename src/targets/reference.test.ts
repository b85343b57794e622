import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../kubernetes/resources.js';
import { openReference } from './reference.js';
import { ABILITIES, FACTS } from './types.js';

describe('the reference as a target', () => {
  it('answers everybody, moves its clock, changes its switches and ends', async () => {
    const target = await openReference({
      reference: { tokens: [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 60 }] },
    });
    try {
      const { version, holds } = target.facts;
      assert.equal('minor' in version && version.minor, 36);
      assert.deepEqual([...holds], FACTS);
      assert.deepEqual(Object.keys(target.abilities).sort(), [...ABILITIES].sort());
      const path = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
      assert.equal((await target.as({ kind: 'anonymous' }).ask({ path })).status, 200);
      const asToken = target.as({ kind: 'token', token: 'abcdef.0123456789abcdef' });
      assert.equal((await asToken.ask({ path })).status, 403);
      const before = target.facts.now();
      await target.abilities.clock?.move(60_000);
      assert.equal(target.facts.now(), before + 60_000);
      assert.equal(await target.admin.get(resources.secrets, 'bootstrap-token-abcdef', 'kube-system'), undefined);
      const twin = await target.abilities.variants?.open({ anonymousAuth: false, bootstrapSigner: false });
      assert.ok(twin);
      try {
        assert.equal((await twin.abilities.requests?.as({ kind: 'anonymous' }).ask({ path }))?.status, 401);
        const info = await twin.abilities.objects?.get(resources.configMaps, 'cluster-info', 'kube-public');
        assert.deepEqual(Object.keys((info?.data ?? {}) as object), ['kubeconfig']);
      } finally {
        await twin.close();
      }
    } finally {
      await target.close();
    }
  });
  it('has done what waits for no time before its clock is moved, and what waits for it after', async () => {
    const target = await openReference({
      reference: { tokens: [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 60 }] },
    });
    try {
      const before = target.facts.now();
      const metadata = { name: 'jp-abcde' };
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
      assert.equal(
        (await target.admin.ask({ method: 'POST', path: '/api/v1/namespaces', body: namespace })).status,
        201,
      );
      await target.abilities.clock?.move(3_600_000);
      for (const [resource, name] of [
        [resources.serviceAccounts, 'default'],
        [resources.configMaps, 'kube-root-ca.crt'],
      ] as const) {
        const made = await target.admin.get(resource, name, metadata.name);
        const at = Date.parse(made?.metadata.creationTimestamp ?? '');
        assert.ok(at <= before + 60_000, `${resource.kind} ${name} was made ${(at - before) / 1000} s later`);
      }
      assert.equal(await target.admin.get(resources.secrets, 'bootstrap-token-abcdef', 'kube-system'), undefined);
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
  it('is bare, or an API server alone with a token for whoever administers it, where that is wanted', async () => {
    const bare = await openReference({ reference: { bare: true, kubernetesVersion: '1.34' } });
    try {
      assert.deepEqual(bare.facts.signs, []);
      assert.deepEqual(
        FACTS.filter((fact) => !bare.facts.holds.has(fact)),
        ['kubeadm'],
      );
      assert.equal(bare.why('kubeadm'), 'this reference was started without the phases of kubeadm');
      assert.match(bare.name, /^joinproof reference v1\.34\.\d+$/);
      assert.equal('minor' in bare.facts.version && bare.facts.version.minor, 34);
      const { variants } = bare.abilities;
      const alone = await variants?.open({
        alone: { named: 'with tokens', adminToken: 'secret-token' },
        authentication: { tokenAuthFile: 'secret-token,root,1,"system:masters"\n', clientCa: false },
        anonymousAuth: false,
      });
      assert.ok(alone);
      try {
        assert.match(alone.name, /^joinproof reference v1\.34\.\d+ with tokens$/);
        assert.deepEqual(
          FACTS.filter((fact) => !alone.facts.holds.has(fact)),
          ['controllers', 'kubeadm'],
        );
        assert.equal(alone.why('controllers'), 'an API server was started alone, without controllers');
        assert.equal(
          (await alone.abilities.requests?.as({ kind: 'anonymous' }).ask({ path: '/version' }))?.status,
          401,
        );
        const masters = await alone.abilities.objects?.get(resources.clusterRoleBindings, 'cluster-admin');
        assert.equal(masters?.metadata.name, 'cluster-admin');
      } finally {
        await alone.close();
      }
    } finally {
      await bare.close();
    }
  });
});
