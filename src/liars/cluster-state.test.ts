import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { record, text } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { castAt } from './cast.js';
import { ClusterState } from './cluster-state.js';
import type { Asked, Lie } from './lie.js';
import { TOKEN } from './scene.js';
import { CERTIFICATE_KEY, encrypted } from './shared-certificates.js';

const NOW = Date.UTC(2026, 0, 1);
const scene = { cast: castAt(NOW), endpoint: '127.0.0.1:6443', release: '1.36.1' };
const SYSTEM = '/api/v1/namespaces/kube-system';
const NODE = '/api/v1/nodes/worker-9';
type By = 'nobody' | 'token' | 'node';

interface Got {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}
const parsed = (said: string): unknown => {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
};

function stateOf(lie: Partial<Lie> = {}): (path: string, by?: By, more?: Partial<Asked>) => Got {
  const state = new ClusterState({ name: 'x', server: 'y', right: 'joins', ...lie }, scene, () => NOW);
  return (path, by = 'node', more = {}) => {
    const reply = state.answer({
      method: 'GET',
      path,
      query: '',
      isAstray: false,
      nth: 1,
      connection: 1,
      authorization: by === 'token' ? `Bearer ${TOKEN}` : undefined,
      certified: by === 'node',
      body: '',
      ...more,
    });
    assert.ok(typeof reply !== 'string');
    const said = String(reply.body);
    return { status: reply.status, text: said, body: record(parsed(said)) };
  };
}

describe('a cluster behind a liar', () => {
  for (const [path, statuses] of [
    ['/healthz', [200, 200, 200]],
    ['/version', [200, 200, 200]],
    [`${SYSTEM}/configmaps/kubeadm-config`, [403, 200, 200]],
    [`${SYSTEM}/configmaps/kube-proxy`, [403, 200, 200]],
    [`${SYSTEM}/configmaps/kubelet-config`, [403, 200, 200]],
    [`${SYSTEM}/configmaps/other`, [403, 404, 404]],
    [`${SYSTEM}/configmaps/kubeadm-config/x`, [403, 404, 404]],
    [`/x${SYSTEM}/configmaps/kubeadm-config`, [403, 404, 404]],
    [`${SYSTEM}/secrets/kubeadm-certs`, [403, 200, 200]],
    [NODE, [403, 404, 200]],
    [`${NODE}/status`, [403, 404, 200]],
    [`/x${NODE}`, [403, 404, 404]],
    [`${SYSTEM}/pods`, [403, 404, 404]],
    ['/api/v1/nodes', [403, 404, 404]],
    ['/', [403, 404, 404]],
  ] as const)
    it(`answers ${path} to nobody, to a token and to a node: ${statuses.join(', ')}`, () => {
      const asked = (['nobody', 'token', 'node'] as const).map((by) => stateOf()(path, by).status);
      assert.deepEqual(asked, statuses);
    });

  it('says its release, endpoint and networks', () => {
    const ask = stateOf();
    assert.equal(ask('/version').body.gitVersion, 'v1.36.1');
    const data = record(ask(`${SYSTEM}/configmaps/kubeadm-config`).body.data);
    const { controlPlaneEndpoint, kubernetesVersion, networking } = record(parseYaml(text(data.ClusterConfiguration)));
    assert.deepEqual(
      [controlPlaneEndpoint, kubernetesVersion, networking],
      ['127.0.0.1:6443', 'v1.36.1', { dnsDomain: 'cluster.local', serviceSubnet: '10.96.0.0/12' }],
    );
  });

  for (const [lie, port, rotates] of [
    [{}, 10_248, true],
    [{ isUnrotated: true }, 10_248, false],
    [{ told: { kubelet: 'elsewhere' } }, 10_348, true],
    [{ told: { kubelet: 'unhealthy' } }, 10_248, true],
  ] as const satisfies readonly (readonly [Partial<Lie>, number, boolean])[])
    it(`configures kubelets as it is told: ${JSON.stringify(lie)}`, () => {
      const data = record(stateOf(lie)(`${SYSTEM}/configmaps/kubelet-config`).body.data);
      const { healthzPort, rotateCertificates } = record(parseYaml(text(data.kubelet)));
      assert.deepEqual([healthzPort, rotateCertificates], [port, rotates]);
    });

  it('shows etcd to nodes, where it has one', () => {
    const ask = stateOf({ etcd: {} });
    assert.deepEqual(
      (['nobody', 'token', 'node'] as const).map((by) => ask(`${SYSTEM}/pods`, by).status),
      [403, 404, 200],
    );
    assert.equal(ask(`${SYSTEM}/pods`).body.kind, 'PodList');
  });

  describe('has a Node', () => {
    const shown = (ask: ReturnType<typeof stateOf>, method = 'GET') => ask(NODE, 'node', { method });
    const labels = ({ body }: Got): boolean => record(body.metadata).labels !== undefined;

    it('with labels, and a taint where it is one of a control plane', () => {
      const plain = shown(stateOf());
      assert.equal(record(plain.body.metadata).name, 'worker-9');
      assert.deepEqual([labels(plain), plain.body.spec], [true, undefined]);
      const { taints } = record(shown(stateOf({ hasNode: true })).body.spec);
      assert.deepEqual(taints, [
        { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
      ]);
    });

    it('whose marks are taken at once, late or never', () => {
      const patches = (lie: Partial<Lie>): readonly number[] => {
        const ask = stateOf(lie);
        return [1, 2, 3].map(() => shown(ask, 'PATCH').status);
      };
      assert.deepEqual(patches({}), [200, 200, 200]);
      assert.deepEqual(patches({ marks: 'late' }), [409, 200, 200]);
      assert.deepEqual(patches({ marks: 'refused' }), [403, 403, 403]);
    });

    it('which is shown at the second look, and whose labels come after it, where marks come late', () => {
      const late = stateOf({ marks: 'late' });
      const looks = [shown(late), shown(late), shown(late), shown(late, 'PATCH')];
      assert.deepEqual(
        looks.map(({ status }) => status),
        [500, 200, 200, 409],
      );
      assert.deepEqual(looks.map(labels), [false, false, true, false]);
      const refused = stateOf({ marks: 'refused' });
      assert.deepEqual([shown(refused), shown(refused)].map(labels), [true, true]);
    });
  });

  describe('registers a Node', () => {
    const registers = (ask: ReturnType<typeof stateOf>, metadata: object, by: By = 'node') =>
      ask('/api/v1/nodes', by, { method: 'POST', body: JSON.stringify({ kind: 'Node', metadata }) });

    it('of a node alone, under its own name, with labels that it may have', () => {
      const ask = stateOf();
      assert.equal(registers(ask, { name: 'worker-9' }).status, 201);
      assert.equal(registers(ask, { name: 'worker-9' }, 'token').status, 404);
      assert.match(
        registers(ask, { name: 'worker-8' }).text,
        /node \\"worker-9\\" is not allowed to modify another node/,
      );
      const labelled = (key: string) =>
        registers(ask, { name: 'worker-9', labels: { 'kubernetes.io/os': 'a', [key]: '' } });
      assert.equal(labelled('example.com/a').status, 201);
      const refused = labelled('node-role.kubernetes.io/control-plane');
      assert.equal(refused.status, 403);
      assert.match(refused.text, /not allowed to modify labels: node-role\.kubernetes\.io\/control-plane/);
    });

    it('under the name that it is told, in small letters', () => {
      const ask = stateOf({ told: { registration: { name: 'Blue' } } });
      assert.deepEqual(
        [registers(ask, { name: 'blue' }).status, registers(ask, { name: 'worker-9' }).status],
        [201, 403],
      );
    });

    it('without a look at what is no JSON', () => {
      const post = (body: string) => stateOf()('/api/v1/nodes', 'node', { method: 'POST', body }).status;
      assert.deepEqual(['k8s\0…', '{', '{}'].map(post), [201, 201, 403]);
    });

    it('and answers for another machine of its name, whoever asks, and of no other name', () => {
      const taken = (name: string) => ({ status: 418, body: name });
      const ask = stateOf({ taken, told: { registration: { name: 'Blue.rack' } } });
      const asked = ['blue.rack', 'blue', 'worker-9'].map((name) => ask(`/api/v1/nodes/${name}`, 'token'));
      assert.deepEqual(
        asked.map(({ status }) => status),
        [418, 404, 404],
      );
      assert.equal(asked[0]?.text, 'blue.rack');
      assert.equal(stateOf({ taken })(NODE, 'node').text, 'worker-9');
    });

    it('at the third time where it does so late', () => {
      const ask = stateOf({ registersLate: true });
      assert.deepEqual(
        [1, 2, 3, 4].map(() => registers(ask, { name: 'worker-9' }).status),
        [403, 403, 201, 201],
      );
    });
  });

  it('has shared certificates, or what a lie makes of them', () => {
    const entries = (lie: Partial<Lie>) => record(stateOf(lie)(`${SYSTEM}/secrets/kubeadm-certs`).body.data);
    assert.deepEqual(Object.keys(entries({})), [
      'ca.crt',
      'ca.key',
      'front-proxy-ca.crt',
      'front-proxy-ca.key',
      'etcd-ca.crt',
      'etcd-ca.key',
      'sa.key',
      'sa.pub',
    ]);
    assert.deepEqual(entries({ sharedCertificates: () => ({ a: Buffer.from('b') }) }), { a: 'Yg==' });
  });

  it('encrypts each with a nonce of its own', () => {
    const [one, two] = [encrypted('a'), encrypted('a')];
    assert.equal(one.length, 12 + 1 + 16);
    assert.ok(!one.equals(two));
    assert.match(CERTIFICATE_KEY, /^[0-9a-f]{64}$/);
  });
});
