import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { HttpTarget } from './http-target.js';
import { initPhases } from './init-phases.js';
import type { Question, Switches } from './types.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-phases-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, 'pki'));
writeFileSync(path.join(folder, 'pki/ca.crt'), '-----BEGIN CERTIFICATE-----\n');

/** What a server is asked that answers so. */
async function asked(
  status: (question: Question) => number,
  more: { readonly only?: 'bootstrap-token'; readonly switches?: Switches; readonly version?: string } = {},
): Promise<readonly Question[]> {
  const all: Question[] = [];
  const ask = async (question: Question) => {
    all.push(question);
    return { status: status(question), headers: {}, text: '', body: {} };
  };
  const target = { facts: { server: 'https://127.0.0.1:7443' }, admin: { ask } } as unknown as HttpTarget;
  await initPhases(target, { folder, version: 'v1.36.1', switches: {}, ...more });
  return all;
}
const places = (all: readonly Question[]): readonly string[] =>
  all.map(({ method, path: at, body }) => {
    const { kind, metadata } = body as { readonly kind: string; readonly metadata: { readonly name: string } };
    return `${method} ${at} ${kind} ${metadata.name.replace(/(?<=bootstrap-token-).*/, '…')}`;
  });
const SYSTEM = '/api/v1/namespaces/kube-system';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('init phases over HTTP', () => {
  it('make what kubeadm makes, in its order', async () => {
    const all = places(await asked(() => 201));
    assert.equal(all.length, 28);
    assert.deepEqual(all.slice(0, 3), [
      `POST ${SYSTEM}/configmaps ConfigMap kubeadm-config`,
      `POST ${RBAC}/namespaces/kube-system/roles Role kubeadm:nodes-kubeadm-config`,
      `POST ${RBAC}/namespaces/kube-system/rolebindings RoleBinding kubeadm:nodes-kubeadm-config`,
    ]);
    for (const one of [
      `POST ${SYSTEM}/secrets Secret bootstrap-token-…`,
      'POST /api/v1/namespaces/kube-public/configmaps ConfigMap cluster-info',
      'POST /apis/apps/v1/namespaces/kube-system/deployments Deployment coredns',
      'POST /apis/apps/v1/namespaces/kube-system/daemonsets DaemonSet kube-proxy',
    ])
      assert.ok(all.includes(one), one);
  });

  it('make the tokens alone where they are asked for that, and those that are told', async () => {
    const switches = { tokens: [{ token: 'abcdef.0123456789abcdef' }, { token: 'ghijkl.0123456789abcdef' }] };
    const all = await asked(() => 201, { only: 'bootstrap-token', switches });
    const kinds = places(all).map((one) => one.split(' ').slice(2).join(' '));
    assert.deepEqual(kinds.slice(0, 2), ['Secret bootstrap-token-…', 'Secret bootstrap-token-…']);
    assert.ok(kinds.includes('ConfigMap cluster-info'));
    assert.ok(!kinds.includes('ConfigMap kubeadm-config'));
    const [info] = all.filter(({ path: at }) => at.includes('kube-public/configmaps'));
    assert.match(JSON.stringify(info?.body), /server: https:\/\/127\.0\.0\.1:7443/);
  });

  it('replace what is there, and say what is not taken', async () => {
    const all = places(await asked(({ method }) => (method === 'POST' ? 409 : 200)));
    assert.equal(all.length, 56);
    assert.deepEqual(all.slice(0, 2), [
      `POST ${SYSTEM}/configmaps ConfigMap kubeadm-config`,
      `PUT ${SYSTEM}/configmaps/kubeadm-config ConfigMap kubeadm-config`,
    ]);
    for (const [status, answered] of [
      [() => 403, 403],
      [() => 300, 300],
      [({ method }: Question) => (method === 'POST' ? 409 : 500), 500],
    ] as const)
      await assert.rejects(asked(status), {
        message: `ConfigMap kubeadm-config could not be written: the API server answered ${answered}.`,
      });
  });
});
