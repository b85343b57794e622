import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '../kubernetes/objects.js';
import { tokensWithGroups } from './token-groups.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = (groups: string, authentication = 'true'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abc123', namespace: 'kube-system' },
  data: { 'auth-extra-groups': base64(groups), 'usage-bootstrap-authentication': base64(authentication) },
});

test('tokens that log in are taken with their groups', () => {
  const [taken] = tokensWithGroups([
    token('system:bootstrappers:worker,system:bootstrappers:kubeadm:default-node-token'),
  ]);
  assert.deepEqual(taken?.groups, ['system:bootstrappers:worker', 'system:bootstrappers:kubeadm:default-node-token']);
});

test('a token that no login succeeds with has no permissions to be judged', () => {
  for (const groups of [
    'system:masters',
    'system:bootstrappers',
    'system:bootstrappers:Worker',
    'system:bootstrappers:a, system:bootstrappers:b',
  ])
    assert.deepEqual(tokensWithGroups([token(groups)]), [], groups);
  assert.deepEqual(tokensWithGroups([token('system:bootstrappers:worker', 'True')]), []);
});
