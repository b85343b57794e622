/** What a control plane writes about itself. Source: pkg/controlplane of 1.36. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiClient, ApiError } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type ControlPlaneFacts, controllerAccounts, writeControlPlaneObjects } from './control-plane-objects.js';
import type { ServedResource } from './controller.js';

const kind = (apiVersion: string, name: string, resource: string, namespaced: boolean): ServedResource => ({
  group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '',
  resource,
  apiVersion,
  kind: name,
  namespaced,
});
const SERVED = [
  kind('v1', 'Namespace', 'namespaces', false),
  kind('v1', 'ConfigMap', 'configmaps', true),
  kind('v1', 'Service', 'services', true),
  kind('v1', 'Endpoints', 'endpoints', true),
  kind('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', true),
  kind('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', false),
];
const FACTS: ControlPlaneFacts = {
  release: { minor: 36, patch: 0 } as ControlPlaneFacts['release'],
  caPem: 'CA',
  advertiseAddress: '192.0.2.7',
  bindPort: 6443,
  serviceSubnet: '10.96.0.0/12',
  trusted: { client: 'CLIENT CA', proxies: 'PROXY CA' },
  requestHeader: {},
  now: Date.UTC(2026, 10, 20, 23, 59),
  controllers: [],
};

/** An API that keeps what is written, and what was done: "create Namespace default". */
function api(refuse?: ApiError) {
  const kept = new Map<string, KubeObject>();
  const done: string[] = [];
  const keyOf = (resource: string, { metadata: { namespace = '', name = '' } }: KubeObject): string =>
    `${resource} ${namespace}/${name}`;
  const client = {
    get: ({ resource }, namespace = '', name) => kept.get(`${resource} ${namespace}/${name}`),
    create({ resource }, object) {
      if (refuse !== undefined) throw refuse;
      const key = keyOf(resource, object);
      if (kept.has(key)) throw new ApiError(409, 'AlreadyExists', 'is there');
      kept.set(key, object);
      done.push(`create ${key}`);
      return object;
    },
    update({ resource }, object) {
      kept.set(keyOf(resource, object), object);
      done.push(`update ${keyOf(resource, object)}`);
      return object;
    },
  } satisfies Partial<ApiClient> as unknown as ApiClient;
  return {
    done,
    kept,
    write: (more: Partial<ControlPlaneFacts> = {}, served = SERVED) =>
      writeControlPlaneObjects(client, served, { ...FACTS, ...more }),
  };
}

const dataOf = (more: Partial<ControlPlaneFacts>, name: string): unknown => {
  const { kept, write } = api();
  write(more);
  return kept.get(`configmaps kube-system/${name}`)?.data;
};

describe('a control plane writes of itself', () => {
  it('its namespaces, its priorities, whom it trusts, since when tokens are tracked, and where it is', () => {
    const { done, write } = api();
    write();
    assert.deepEqual(
      done.map((one) => one.replace('create ', '')),
      [
        'namespaces /kube-system',
        'namespaces /kube-public',
        'namespaces /kube-node-lease',
        'namespaces /default',
        'priorityclasses /system-node-critical',
        'priorityclasses /system-cluster-critical',
        'configmaps kube-system/extension-apiserver-authentication',
        'configmaps kube-system/kube-apiserver-legacy-service-account-token-tracking',
        'services default/kubernetes',
        'endpoints default/kubernetes',
        'endpointslices default/kubernetes',
      ],
    );
  });

  it('the Service and where it leads', () => {
    const { kept, write } = api();
    write();
    const metadata = { name: 'kubernetes', namespace: 'default' };
    const port = { name: 'https', port: 6443, protocol: 'TCP' };
    assert.deepEqual(kept.get('services default/kubernetes'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: '10.96.0.1',
        clusterIPs: ['10.96.0.1'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
        sessionAffinity: 'None',
        type: 'ClusterIP',
      },
    });
    assert.deepEqual(kept.get('endpoints default/kubernetes'), {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { ...metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [port] }],
    });
    assert.deepEqual(kept.get('endpointslices default/kubernetes'), {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.7'], conditions: { ready: true } }],
      ports: [port],
    });
  });

  it('what is critical', () => {
    const { kept, write } = api();
    write();
    for (const [name, value, description] of [
      [
        'system-node-critical',
        2_000_001_000,
        'Used for system critical pods that must not be moved from their current node.',
      ],
      [
        'system-cluster-critical',
        2_000_000_000,
        'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
      ],
    ] as const)
      assert.deepEqual(kept.get(`priorityclasses /${name}`), {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        description,
        preemptionPolicy: 'PreemptLowerPriority',
        value,
      });
  });

  it('since when legacy tokens are tracked, from 1.27 on', () => {
    const of = (minor: number): unknown =>
      dataOf({ release: { ...FACTS.release, minor } }, 'kube-apiserver-legacy-service-account-token-tracking');
    assert.deepEqual([of(36), of(27), of(26)], [{ since: '2026-11-20' }, { since: '2026-11-20' }, undefined]);
  });

  it('whom it trusts to sign for clients and for proxies, and how these say who asks', () => {
    const of = (more: Partial<ControlPlaneFacts>): unknown => dataOf(more, 'extension-apiserver-authentication');
    const usual = {
      'requestheader-allowed-names': '["front-proxy-client"]',
      'requestheader-client-ca-file': 'PROXY CA',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    };
    assert.deepEqual(of({}), { 'client-ca-file': 'CLIENT CA', ...usual });
    assert.deepEqual(of({ trusted: { client: undefined, proxies: 'PROXY CA' } }), usual);
    assert.deepEqual(of({ trusted: { client: 'C', proxies: undefined } }), { 'client-ca-file': 'C' });
    assert.deepEqual(of({ trusted: { client: undefined, proxies: undefined } }), {});
    const requestHeader = {
      allowedNames: [],
      extraHeadersPrefix: ['X-E-', 'X-F-'],
      groupHeaders: ['X-G'],
      uidHeaders: ['X-Remote-Uid'],
      usernameHeaders: ['X-U', 'X-V'],
    };
    assert.deepEqual(of({ requestHeader }), {
      'client-ca-file': 'CLIENT CA',
      'requestheader-allowed-names': '[]',
      'requestheader-client-ca-file': 'PROXY CA',
      'requestheader-extra-headers-prefix': '["X-E-","X-F-"]',
      'requestheader-group-headers': '["X-G"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-username-headers': '["X-U","X-V"]',
    });
    assert.deepEqual(of({ requestHeader: { uidHeaders: [] } }), { 'client-ca-file': 'CLIENT CA', ...usual });
  });

  it('once: after a restart all is left as it is', () => {
    const { done, write } = api();
    write();
    const before = done.length;
    write();
    assert.equal(done.length, before);
  });

  it('where it leads now, after a restart at another address or port', () => {
    for (const more of [{ advertiseAddress: '192.0.2.8' }, { bindPort: 7443 }]) {
      const { done, kept, write } = api();
      write();
      for (const key of ['endpoints default/kubernetes', 'endpointslices default/kubernetes']) {
        const found = kept.get(key) as KubeObject;
        kept.set(key, { ...found, metadata: { ...found.metadata, uid: 'u', resourceVersion: '7' } });
      }
      const before = done.length;
      write(more);
      assert.deepEqual(done.slice(before), [
        'update endpoints default/kubernetes',
        'update endpointslices default/kubernetes',
      ]);
      const fresh = api();
      fresh.write(more);
      for (const key of ['endpoints default/kubernetes', 'endpointslices default/kubernetes']) {
        const { metadata, ...places } = fresh.kept.get(key) as KubeObject;
        assert.deepEqual(kept.get(key), { ...places, metadata: { ...metadata, uid: 'u', resourceVersion: '7' } });
      }
    }
  });

  it('an address of another family in a slice of that family, and not in one of the other', () => {
    const { done, kept, write } = api();
    write({ advertiseAddress: '2001:db8::7' });
    assert.equal(kept.get('endpointslices default/kubernetes')?.addressType, 'IPv6');
    const before = done.length;
    write();
    assert.deepEqual(done.slice(before), ['update endpoints default/kubernetes']);
  });

  it('nothing of kinds that are not served', () => {
    const { done, write } = api();
    write(
      {},
      SERVED.filter(({ kind: one }) => one === 'Service'),
    );
    assert.deepEqual(done, ['create services default/kubernetes']);
  });

  it('or says why it cannot', () => {
    for (const error of [new ApiError(403, 'Forbidden', 'no'), new Error('broken') as ApiError]) {
      const { write } = api(error);
      assert.throws(() => write(), error);
    }
  });
});

describe('the accounts of controllers', () => {
  const namesOf = (minor: number, controllers: readonly string[]): readonly (string | undefined)[] =>
    controllerAccounts({ release: { ...FACTS.release, minor }, controllers }).map(({ metadata }) => metadata.name);
  it('lie in kube-system', () => {
    for (const account of controllerAccounts({ ...FACTS, controllers: ['tokencleaner'] }))
      assert.deepEqual(account, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: account.metadata.name, namespace: 'kube-system' },
      });
  });
  it('are there of the two token controllers where these run, and of all others in any case', () => {
    const without = namesOf(36, []);
    const more = (...controllers: string[]) => namesOf(36, controllers).filter((name) => !without.includes(name));
    assert.ok(without.includes('certificate-controller') && without.includes('node-controller'));
    assert.deepEqual(more('bootstrapsigner'), ['bootstrap-signer']);
    assert.deepEqual(more('tokencleaner'), ['token-cleaner']);
    assert.deepEqual(more('tokencleaner', 'bootstrapsigner').sort(), ['bootstrap-signer', 'token-cleaner']);
  });
  it('are those of the version', () => {
    const since = (minor: number) => namesOf(minor, []).filter((name) => !namesOf(minor - 1, []).includes(name));
    assert.deepEqual(since(33), ['service-cidrs-controller']);
    assert.deepEqual(since(28), ['legacy-service-account-token-cleaner']);
  });
});
