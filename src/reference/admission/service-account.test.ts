import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserInfo } from '../../kubernetes/objects.js';
import { put, testWorld } from '../world.test.js';
import { serviceAccountAdmission } from './service-account.js';

const jane: UserInfo = { username: 'jane', groups: ['system:authenticated'] };

test('pods run as the default service account with its token, mirror pods as none', () => {
  const world = testWorld();
  put(world, '', 'serviceaccounts', { metadata: { namespace: 'ns', name: 'default' } });
  const admit = (spec: object, annotations = {}, namespace = 'ns') =>
    serviceAccountAdmission({ ...world, random: (length) => Buffer.alloc(length) }).mutate?.({
      operation: 'CREATE',
      user: jane,
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource: '',
      namespace,
      name: 'p',
      object: { metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c' }], ...spec } },
      dryRun: false,
    });
  const spec = admit({})?.spec as {
    serviceAccountName: string;
    volumes: { name: string }[];
    containers: { volumeMounts: { name: string }[] }[];
  };
  assert.equal(spec.serviceAccountName, 'default');
  assert.equal(spec.volumes[0]?.name, 'kube-api-access-bbbbb');
  assert.equal(spec.containers[0]?.volumeMounts[0]?.name, 'kube-api-access-bbbbb');
  assert.deepEqual(admit({ automountServiceAccountToken: false })?.spec, {
    containers: [{ name: 'c' }],
    automountServiceAccountToken: false,
    serviceAccountName: 'default',
    serviceAccount: 'default',
  });
  assert.throws(() => admit({ serviceAccountName: 'none' }), {
    message: 'pods "p" is forbidden: error looking up service account ns/none: serviceaccount "none" not found',
  });
  const mirror = { 'kubernetes.io/config.mirror': 'x' };
  assert.equal(admit({}, mirror), undefined);
  assert.throws(() => admit({ serviceAccountName: 'default' }, mirror), {
    message: 'pods "p" is forbidden: a mirror pod may not reference service accounts',
  });
});

test('nothing is done to what is no new Pod', () => {
  const world = testWorld();
  const given = {
    operation: 'CREATE',
    user: jane,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: 'ns',
    name: 'p',
    object: { metadata: { name: 'p' }, spec: { serviceAccountName: 'none', containers: [{ name: 'c' }] } },
    dryRun: false,
  } as const;
  const plugin = serviceAccountAdmission({ ...world, random: (length) => Buffer.alloc(length) });
  // Of a new Pod it is seen that its account is not there.
  assert.throws(() => plugin.mutate?.(given), { message: /serviceaccount "none" not found/ });
  for (const more of [
    { operation: 'UPDATE' },
    { operation: 'DELETE' },
    { group: 'apps' },
    { resource: 'podtemplates' },
    { subresource: 'status' },
    { subresource: 'eviction' },
    { object: undefined },
  ] as const)
    assert.equal(plugin.mutate?.({ ...given, ...more } as unknown as typeof given), undefined, JSON.stringify(more));
});
