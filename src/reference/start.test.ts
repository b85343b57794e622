import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { manualClock } from '../apiserver/clock.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { upstream } from './decisions.js';
import { type Reference, type ReferenceOptions, startReference } from './index.js';

const CONFIG_MAPS = { group: '', resource: 'configmaps' };
const SECRETS = { group: '', resource: 'secrets' };
const ENDPOINTS = { group: '', resource: 'endpoints' };
const ROLES = { group: 'rbac.authorization.k8s.io', resource: 'roles' };
const PODS = { group: '', resource: 'pods' };

async function using<T>(options: ReferenceOptions, act: (reference: Reference) => T | Promise<T>): Promise<T> {
  const reference = await startReference(options);
  try {
    return await act(reference);
  } finally {
    await reference.close();
  }
}
const clusterInfo = (reference: Reference): Readonly<Record<string, string>> =>
  (reference.api.get(CONFIG_MAPS, 'kube-public', 'cluster-info') as ConfigMap | undefined)?.data ?? {};
const ask = (
  reference: Reference,
  path: string,
): Promise<{ readonly status: number | undefined; readonly text: string }> =>
  new Promise((resolve, reject) => {
    get(`${reference.url}${path}`, { ca: reference.caPem, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    }).on('error', reject);
  });

describe('a reference', () => {
  it('starts as kubeadm init leaves a cluster, signed, and answers over HTTPS by its own CA', () =>
    using({ tokens: [{ token: 'abcdef.0123456789abcdef' }] }, async (reference) => {
      assert.deepEqual(reference.tokens, ['abcdef.0123456789abcdef']);
      assert.deepEqual(Object.keys(clusterInfo(reference)).sort(), ['jws-kubeconfig-abcdef', 'kubeconfig']);
      const answer = await ask(reference, '/api/v1/namespaces/kube-public/configmaps/cluster-info');
      assert.equal(answer.status, 200);
      assert.match(answer.text, /jws-kubeconfig-abcdef/);
      assert.equal((await ask(reference, '/api/v1/namespaces/kube-public/configmaps')).status, 403);
      for (const name of [
        'kubeadm-config',
        'kubelet-config',
        'kube-proxy',
        'coredns',
        'extension-apiserver-authentication',
        'kube-root-ca.crt',
      ]) {
        assert.ok(reference.api.get(CONFIG_MAPS, 'kube-system', name), name);
      }
      assert.ok(reference.api.get(SECRETS, 'kube-system', 'kubeadm-certs'));
      assert.deepEqual(
        reference.api.list(PODS, 'kube-system').filter((pod) => pod.metadata.labels?.tier === 'control-plane'),
        [],
      );
    }));
  it('moves by its clock: token, signature and certificates go when their time comes', () => {
    const clock = manualClock(Date.now());
    return using({ clock, tokens: [{ token: 'abcdef.0123456789abcdef', ttlSeconds: 60 }] }, async (reference) => {
      clock.advance(59_000);
      await reference.settle();
      assert.ok(reference.api.get(SECRETS, 'kube-system', 'bootstrap-token-abcdef'));
      clock.advance(1_000);
      await reference.settle();
      assert.equal(reference.api.get(SECRETS, 'kube-system', 'bootstrap-token-abcdef'), undefined);
      assert.deepEqual(Object.keys(clusterInfo(reference)), ['kubeconfig']);
      clock.advance(2 * 3_600_000);
      await reference.settle();
      // The collector's moment.
      clock.advance(20);
      await reference.settle();
      assert.equal(reference.api.get(SECRETS, 'kube-system', 'kubeadm-certs'), undefined);
    });
  });
  it('looks at a token that signs nothing once, however many more are made', () => {
    let looks = 0;
    const signingToken: typeof upstream.signingToken = (...given) => {
      looks += 1;
      return upstream.signingToken(...given);
    };
    const value = (text: string): string => Buffer.from(text).toString('base64');
    return using({ decisions: { signingToken } }, async (reference) => {
      const administrator = reference.as({ username: 'kubernetes-admin', groups: ['system:masters'] });
      const made = 1_000;
      for (let index = 0; index < made; index += 1) {
        const id = String(index).padStart(6, '0');
        administrator.create(SECRETS, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
          type: 'bootstrap.kubernetes.io/token',
          data: { 'token-id': value(id), 'token-secret': value(`${id}0123456789`) },
        });
        if (index % 10 === 0) await reference.settle();
      }
      assert.ok(looks < 5 * made, `${looks} looks at ${made} tokens`);
    });
  });
  it('shows node, static Pods and switches where it is told to', () =>
    using({ withNode: true, bootstrapTokenAuth: false, controllers: { bootstrapsigner: false } }, (reference) => {
      const pods = reference.api
        .list(PODS, 'kube-system')
        .filter((pod) => pod.metadata.labels?.tier === 'control-plane');
      assert.equal(pods.length, 4);
      const flags = pods.flatMap(
        (pod) => (pod.spec as { containers: { command: string[] }[] }).containers[0]?.command ?? [],
      );
      assert.ok(flags.includes('--enable-bootstrap-token-auth=false'));
      assert.ok(flags.includes('--controllers=*,tokencleaner'));
      assert.deepEqual(Object.keys(clusterInfo(reference)), ['kubeconfig']);
    }));
  it('is not signed where controllers have no credentials of their own', () =>
    using({ serviceAccountCredentials: false }, (reference) =>
      assert.deepEqual(Object.keys(clusterInfo(reference)), ['kubeconfig']),
    ));
  it('comes back from its data file with keys and objects, at another port too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joinproof-test-'));
    try {
      const dataFile = join(folder, 'data');
      const before = await using({ dataFile }, (reference) => {
        reference.api.create(CONFIG_MAPS, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'mine', namespace: 'default' },
        });
        return { ca: reference.caPem, tokens: reference.tokens };
      });
      await using({ dataFile }, (reference) => {
        assert.equal(reference.caPem, before.ca);
        assert.deepEqual(reference.tokens, before.tokens);
        assert.ok(reference.api.get(CONFIG_MAPS, 'default', 'mine'));
        assert.match(clusterInfo(reference).kubeconfig ?? '', new RegExp(`server: ${reference.url}\\n`));
        const { subsets } = (reference.api.get(ENDPOINTS, 'default', 'kubernetes') ?? {}) as {
          subsets?: { ports: { port: number }[] }[];
        };
        assert.equal(subsets?.[0]?.ports[0]?.port, reference.port);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  it('lets strangers in at some paths only, or whoever logs in do everything', async () => {
    await using({ anonymousAuth: ['/healthz'] }, async (reference) => {
      assert.equal((await ask(reference, '/healthz')).status, 200);
      assert.equal((await ask(reference, '/version')).status, 401);
    });
    await using({ authorizationMode: 'AlwaysAllow' }, async (reference) => {
      assert.equal((await ask(reference, '/healthz')).status, 401);
      assert.ok(reference.as({ username: 'jane', groups: [] }).get(SECRETS, 'kube-system', 'kubeadm-certs'));
      assert.deepEqual(
        reference.api
          .list({ ...ROLES, resource: 'clusterroles' })
          .filter(({ metadata }) => metadata.name === 'cluster-admin'),
        [],
      );
    });
  });
  it('asks for the rights of a role again where its body is not what is stored', () =>
    using({}, (reference) => {
      const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }];
      const role = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'r', namespace: 'default' },
        rules,
      };
      const stored = reference.api.create(ROLES, role);
      const writes = [{ verbs: ['update'], apiGroups: [ROLES.group], resources: ['roles'] }];
      reference.api.create(ROLES, { ...role, metadata: { name: 'writer', namespace: 'default' }, rules: writes });
      reference.api.create(
        { ...ROLES, resource: 'rolebindings' },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'writer', namespace: 'default' },
          roleRef: { apiGroup: ROLES.group, kind: 'Role', name: 'writer' },
          subjects: [{ kind: 'User', name: 'jane' }],
        },
      );
      const jane = reference.as({ username: 'jane', groups: [] });
      assert.doesNotThrow(() => jane.update(ROLES, stored));
      assert.throws(() => jane.update(ROLES, role), {
        code: 403,
        message: /is attempting to grant RBAC permissions not currently held/,
      });
    }));
  it('is certified for where it can be asked, and not for where it listens at all', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0'])
      await using({ host, certSANs: ['api.example.test'] }, async ({ port, caPem }) => {
        const names = await new Promise<string>((resolve, reject) => {
          const socket = connect({ host: '127.0.0.1', port, ca: caPem }, () => {
            resolve(socket.getPeerCertificate().subjectaltname ?? '');
            socket.destroy();
          }).on('error', reject);
        });
        for (const name of [
          'IP Address:127.0.0.1',
          'IP Address:0:0:0:0:0:0:0:1',
          'DNS:localhost',
          'DNS:api.example.test',
        ])
          assert.ok(names.split(', ').includes(name), `${name} in ${names}`);
        assert.doesNotMatch(names, /0\.0\.0\.0/);
      });
  });
  it('says why it cannot start', () =>
    using({}, async ({ port }) => {
      await assert.rejects(startReference({ port }), {
        name: 'ConfigurationError',
        message: new RegExp(`^Port ${port} of 127.0.0.1 is in use\\.`),
      });
      await assert.rejects(startReference({ host: '192.0.2.1' }), {
        name: 'ConfigurationError',
        message: /is no address of this machine/,
      });
      await assert.rejects(
        startReference({ kubernetesVersion: '1.2' }),
        /is no Kubernetes version that the reference plays/,
      );
    }));
});
