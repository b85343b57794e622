/** A machine that joins as a control plane. Source: cmd/kubeadm/app/cmd/phases/join. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRelease } from '../kubeadm/release.js';
import type { WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import {
  type ControlPlaneJoin,
  markControlPlane,
  ownConfiguration,
  prepareControlPlane,
  taintsIn,
  waitForControlPlane,
} from './control-plane.js';
import { joiningDecisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';

const data = (text: string): string => Buffer.from(text).toString('base64');
const PEM = '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n';
const ADMIN = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://shared:6443', 'certificate-authority-data': data(PEM) } }],
  users: [{ name: 'u', user: { 'client-certificate-data': data('crt'), 'client-key-data': data('key') } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
});
const answer = (status: number, body: unknown): WireAnswer => ({
  ...{ kind: 'answer', status, headers: { 'content-type': 'application/json' } },
  body: Buffer.from(JSON.stringify(body)),
});
const NODE = { kind: 'Node', metadata: { labels: { 'kubernetes.io/hostname': 'cp-2' } }, spec: {} };
const failsWith = (why: RegExp) => (error: unknown) => error instanceof JoinFailed && why.test(error.message);

interface Given {
  readonly fields?: object;
  readonly minor?: number;
  readonly files?: Readonly<Record<string, string>>;
  readonly startsPods?: boolean;
  readonly worker?: boolean;
  readonly taints?: readonly object[];
  readonly exchange?: (question: WireQuestion, count: number) => WireAnswer;
}

/** A machine with these files, whose questions are answered so; nothing else takes time but waiting. */
function world({ fields = {}, minor = 36, files = {}, startsPods = true, worker = false, taints, exchange }: Given) {
  const asked: WireQuestion[] = [];
  const told: string[] = [];
  let now = 0;
  const disk = new Map(Object.entries({ '/etc/kubernetes/admin.conf': ADMIN, ...files }));
  const joining = {
    machine: {
      wire: {
        async exchange(question: WireQuestion) {
          asked.push(question);
          return exchange?.(question, asked.length) ?? assert.fail('nobody is asked');
        },
      },
      clock: {
        now: () => now,
        sleep: async (more: number) => {
          now += more;
        },
      },
      files: {
        exists: (path: string) => disk.has(path),
        read: (path: string) => disk.get(path),
        write: (path: string) => assert.fail(`${path} is not to be written`),
      },
      hostName: 'CP-2',
      startsPods,
      tell: (line: string) => void told.push(line),
    },
    decisions: joiningDecisions,
    release: parseRelease(`1.${minor}`),
    nodeName: 'cp-2',
    cluster: { certificatesDir: '/pki', fields },
    configuration: {
      ...(worker ? {} : { controlPlane: { advertiseAddress: '192.0.2.2', bindPort: 7443, certificateKey: '' } }),
      nodeRegistration: { criSocket: 'unix:///a.sock', ...(taints === undefined ? {} : { taints }) },
      timeouts: { kubernetesAPICall: 2000, controlPlaneComponentHealthCheck: 3000 },
    },
  } as unknown as ControlPlaneJoin;
  return { joining, asked, told, now: () => now };
}

describe('a machine that joins as a control plane', () => {
  it('is configured as its cluster says, in the words of either version', async () => {
    const said = { kubernetesVersion: 'v1.36.1', clusterName: 'mine', apiServer: { timeoutForControlPlane: '7m0s' } };
    for (const [version, startup] of [
      ['v1beta3', 420],
      ['v1beta4', 240],
    ] as const) {
      const own = await ownConfiguration(
        world({ fields: { apiVersion: `kubeadm.k8s.io/${version}`, ...said } }).joining,
      );
      assert.deepEqual(
        [own.startupSeconds, own.clusterName, own.nodeName, own.advertiseAddress, own.bindPort],
        [startup, 'mine', 'cp-2', '192.0.2.2', 7443],
        version,
      );
    }
    const odd = world({ fields: { kubernetesVersion: 'nothing' } });
    await assert.rejects(async () => ownConfiguration(odd.joining), failsWith(/doesn't match patterns/));
  });

  it('makes nothing where it is none, or where the key of the cluster is elsewhere', async () => {
    const worker = world({ worker: true, files: { '/pki/ca.key': 'x' } });
    await prepareControlPlane(worker.joining);
    const without = world({});
    await prepareControlPlane(without.joining);
    assert.deepEqual([worker.told.length, without.told.length], [0, 1]);
  });
});

describe('the Node of a control plane', () => {
  const marking = (exchange: Given['exchange'], more: Given = {}) =>
    world({ ...more, ...(exchange === undefined ? {} : { exchange }) });

  it('is marked by its administrator once its kubelet has said its name', async () => {
    const there = [{ key: 'a', value: 'b', effect: 'NoSchedule' }];
    const { joining, asked, now } = marking(({ method }, count) =>
      method === 'PATCH' || count > 2
        ? answer(200, { ...NODE, spec: { taints: there } })
        : answer(count === 1 ? 404 : 200, { kind: count === 1 ? 'Status' : 'Node', metadata: {} }),
    );
    await markControlPlane(joining);
    assert.equal(now(), 1000);
    assert.deepEqual(
      asked.map(({ method, url }) => `${method} ${url.replace(/\?.*/, '')}`),
      ['GET', 'GET', 'GET', 'PATCH'].map((method) => `${method} https://shared:6443/api/v1/nodes/cp-2`),
    );
    const last = asked.at(-1);
    assert.equal(last?.headers['content-type'], 'application/merge-patch+json');
    assert.deepEqual([last?.trust, last?.certificate], [{ caPem: PEM }, { certificate: 'crt', key: 'key' }]);
    const { labels, taints } = joiningDecisions.marks(undefined, there);
    assert.deepEqual(JSON.parse(last?.body ?? ''), { metadata: { labels }, spec: { taints } });
  });

  it('has the taints that were chosen for it', async () => {
    const { joining, asked } = marking(() => answer(200, NODE), { taints: [] });
    await markControlPlane(joining);
    assert.deepEqual(JSON.parse(asked.at(-1)?.body ?? '').spec, { taints: [] });
  });

  it('ends the join where it cannot be marked in time', async () => {
    const refused = marking(({ method }) =>
      method === 'PATCH' ? answer(403, { kind: 'Status', message: 'no' }) : answer(200, NODE),
    );
    await assert.rejects(markControlPlane(refused.joining), failsWith(/^error patching Node "cp-2": no$/));
    assert.equal(refused.now(), 2000);
    assert.deepEqual(refused.told.slice(1), ['[mark-control-plane] Will ask again: error patching Node "cp-2": no']);
    const nameless = marking(() => answer(200, { ...NODE, metadata: {} }));
    await assert.rejects(markControlPlane(nameless.joining), failsWith(/has no labels yet/));
  });

  it('is nobody else’s business', async () => {
    for (const more of [{ worker: true }, { startsPods: false }]) {
      await markControlPlane(marking(undefined, more).joining);
      await waitForControlPlane(marking(undefined, more).joining);
    }
    await assert.rejects(
      markControlPlane(marking(undefined, { files: { '/etc/kubernetes/admin.conf': '{}' } }).joining),
      failsWith(/^failed to load \/etc\/kubernetes\/admin.conf$/),
    );
  });

  it('has taints that are read with what they say alone', () => {
    const spec = {
      taints: [
        { key: 'a', effect: 'NoSchedule', value: '' },
        { key: 'b', value: 'c', effect: 'NoExecute' },
      ],
    };
    assert.deepEqual(taintsIn(spec), [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', value: 'c', effect: 'NoExecute' },
    ]);
    assert.deepEqual(taintsIn(undefined), []);
  });
});

describe('the components of a control plane', () => {
  const PLACES = ['https://192.0.2.2:7443/livez', 'https://127.0.0.1:10257/healthz', 'https://127.0.0.1:10259/livez'];
  const placeOf = ({ url }: WireQuestion): string => url.replace(/\?.*/, '');

  it('are waited for until all are well, and those that are so are not asked again', async () => {
    const { joining, asked, told, now } = world({
      exchange: (question, count) => answer(placeOf(question) === PLACES[1] && count < 5 ? 500 : 200, {}),
    });
    await waitForControlPlane(joining);
    assert.deepEqual(asked.map(placeOf), [...PLACES, PLACES[1], PLACES[1]]);
    assert.equal(now(), 1000);
    assert.deepEqual(told, [
      '[control-plane-check] Waiting for healthy control plane components',
      '[control-plane-check] Will ask again: not yet well: kube-controller-manager at /healthz',
    ]);
    // Nobody can verify what the others show, and only the API server knows its administrator.
    assert.deepEqual(
      asked.slice(0, 3).map(({ trust, certificate }) => [trust, certificate !== undefined]),
      [
        [{ caPem: PEM }, true],
        ['anybody', false],
        ['anybody', false],
      ],
    );
  });

  it('end the join where they are not well in time', async () => {
    const { joining, now } = world({
      exchange: (question) =>
        placeOf(question) === PLACES[0] ? answer(200, {}) : { kind: 'failure', failure: { cause: 'refused' } },
    });
    await assert.rejects(
      waitForControlPlane(joining),
      failsWith(
        /^failed while waiting for the control plane to start: kube-controller-manager check failed at \/healthz, kube-scheduler check failed at \/livez$/,
      ),
    );
    assert.equal(now(), 3000);
  });

  it('are not waited for before 1.33', async () => {
    const { joining, asked } = world({ minor: 32 });
    await waitForControlPlane(joining);
    assert.deepEqual(asked, []);
  });
});
