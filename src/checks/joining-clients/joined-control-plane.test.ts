import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import { judged as judgedBy } from '../common/judged.testing.js';
import {
  administratorHeld,
  asksItsServer,
  listensToItself,
  manifestsClosed,
  nobodyUnheld,
  nodeMarked,
  nodeUntainted,
  unmarkedRefused,
  usedForNoMore,
} from './joined-control-plane.js';
import type { FileSeen, Machine } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';
import type { Attempt, Marks } from './joining-client-reader.js';
import { attempted, seenAs } from './joining-seen.testing.js';

const kubeconfig = (name: string, groups?: readonly string[]): FileSeen => ({
  path: `/etc/kubernetes/${name}`,
  mode: 0o600,
  digest: 'd',
  held: {
    kind: 'kubeconfig',
    cluster: 'kubernetes',
    server: 'https://a:6443',
    user: 'u',
    context: 'u@kubernetes',
    isOneCluster: true,
    besides: [],
    isTrueCa: true,
    shows: 'a certificate',
    certificate: { inline: { certificate: 'sha256:0', key: '' } },
    key: { inline: { certificate: '', key: 'sha256:0' } },
    ...(groups === undefined ? {} : { groups }),
  },
});
const machine = (left: readonly FileSeen[]): Machine => ({ ...untouchedMachine, left, isWorker: false });
const told = (check: Check<readonly Machine[]>, ...left: FileSeen[]): readonly string[] =>
  judgedBy(check, [machine(left)], undefined).map((one) => `${one.result} ${sentenceOf(one)}`);

describe('the kubeconfigs of a control plane that joins', () => {
  const judged = (name: string, server: string): readonly string[] => {
    const { held, ...file } = kubeconfig(name);
    const left = [{ ...file, held: { ...held, server } as FileSeen['held'] }];
    const own = { ...machine(left), server: 'https://common:6443', ownServer: 'https://own:6443' };
    return judgedBy(asksItsServer, [own], undefined).map((one) => `${one.result} ${sentenceOf(one)}`);
  };

  it('name the servers that they are for', () => {
    const [admin, own] = ['its server is that of the cluster', 'its server is that of the machine'];
    for (const [name, server, said] of [
      ['admin.conf', 'https://common:6443', `met of x (y): ${admin}; seen: it is`],
      ['admin.conf', 'https://own:6443', `unmet of x (y): ${admin}; seen: https://own:6443`],
      ['scheduler.conf', 'https://own:6443', `met of x (y): ${own}; seen: it is`],
      ['controller-manager.conf', 'https://common:6443', `unmet of x (y): ${own}; seen: https://common:6443`],
    ] as const) {
      const [result = '', ...rest] = said.split(' ');
      assert.deepEqual(judged(name, server), [`${result} /etc/kubernetes/${name} ${rest.join(' ')}`]);
    }
    assert.deepEqual(judged('kubelet.conf', 'https://common:6443'), []);
  });
});

describe('the administrator of a control plane that joins', () => {
  const judged = (...left: FileSeen[]): readonly string[] =>
    administratorHeld.judge([machine(left)], undefined).map(({ result }) => result);

  it('is in the one group that RBAC holds', () => {
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins'])), ['met']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['system:masters'])), ['unmet']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins', 'system:masters'])), ['unmet']);
    assert.deepEqual(judged(kubeconfig('admin.conf', [])), ['unmet']);
  });

  it('is the only one', () => {
    const reserve = kubeconfig('super-admin.conf', ['system:masters']);
    assert.deepEqual(judged(kubeconfig('admin.conf', ['kubeadm:cluster-admins']), reserve), ['unmet']);
    assert.deepEqual(judged(reserve), ['unmet']);
    const demanded = 'x (y): the one administrator of the machine is in kubeadm:cluster-admins, and in no other group';
    const there = 'and there is /etc/kubernetes/super-admin.conf';
    for (const [left, seen] of [
      [[kubeconfig('admin.conf', ['kubeadm:cluster-admins'])], 'met: kubeadm:cluster-admins'],
      [[kubeconfig('admin.conf', ['kubeadm:cluster-admins', 'a'])], 'unmet: kubeadm:cluster-admins, a'],
      [[kubeconfig('admin.conf', ['kubeadm:cluster-admins']), reserve], `unmet: kubeadm:cluster-admins, ${there}`],
      [[reserve], `unmet: no certificate, ${there}`],
      [[kubeconfig('admin.conf'), reserve], `unmet: no certificate, ${there}`],
    ] as const) {
      const [result, ...rest] = seen.split(': ');
      assert.deepEqual(told(administratorHeld, ...left), [`${result} ${demanded}; seen: ${rest.join(': ')}`]);
    }
  });

  it('is held by RBAC whoever has made him', () => {
    const own = (...left: FileSeen[]) => ({ ...machine(left), ownWays: true as const });
    const results = (one: ReturnType<typeof own>) =>
      [...administratorHeld.judge([one], undefined), ...nobodyUnheld.judge([one], undefined)].map(
        ({ result }) => result,
      );
    assert.deepEqual(results(own(kubeconfig('super-admin.conf', ['system:masters']))), ['unmet', 'unmet']);
    assert.deepEqual(results(own(kubeconfig('root.conf', ['system:masters']))), ['unmet']);
    assert.deepEqual(results(own(certificate('apiserver-kubelet-client', ['clientAuth'], ['system:masters']))), []);
    const pair = (path: string): FileSeen => ({
      ...certificate('a'),
      path,
      held: { kind: 'key', certificate: 'sha256:0', key: 'sha256:0', groups: ['system:masters'] },
    });
    assert.deepEqual(results(own(pair('/etc/kubernetes/spare.pem'))), ['unmet']);
    assert.deepEqual(results({ ...own(), beside: [pair('(HOME)/admin.pem')] }), ['unmet']);
  });

  it('is not judged where none is made', () => {
    assert.deepEqual(judged(kubeconfig('kubelet.conf', ['a']), kubeconfig('admin.conf')), []);
  });
});

const certificate = (name: string, usages: readonly string[] = [], groups: readonly string[] = []): FileSeen => ({
  path: `/etc/kubernetes/pki/${name}.crt`,
  mode: 0o644,
  digest: 'd',
  held: {
    kind: 'certificates',
    isTrueCa: false,
    certificate: 'sha256:0',
    key: '',
    ...(groups.length === 0 ? {} : { groups }),
    ...(usages.length === 0 ? {} : { usages }),
  },
});

describe('whom a control plane works as', () => {
  const judged = (...left: FileSeen[]): readonly string[] =>
    nobodyUnheld.judge([machine(left)], undefined).map(({ result }) => result);

  it('is nobody whom RBAC does not hold', () => {
    const asks = (...groups: string[]): FileSeen => certificate('apiserver-kubelet-client', ['clientAuth'], groups);
    assert.deepEqual(judged(asks(), asks('kubeadm:cluster-admins')), ['met', 'met']);
    assert.deepEqual(judged(asks('system:masters'), asks('a', 'system:masters')), ['unmet', 'unmet']);
    assert.deepEqual(judged(kubeconfig('scheduler.conf', ['system:masters'])), ['unmet']);
  });

  it('is not judged of who serves, and of members of other authorities', () => {
    const etcd = certificate('etcd/server', ['clientAuth'], ['system:masters']);
    assert.deepEqual(judged(certificate('apiserver', ['serverAuth']), etcd, kubeconfig('scheduler.conf')), []);
    const front = certificate('front-proxy-client', ['clientAuth'], ['system:masters']);
    const asks = certificate('apiserver-etcd-client', ['clientAuth'], ['system:masters']);
    const key: FileSeen = {
      ...front,
      path: '/etc/kubernetes/pki/a.key',
      held: { kind: 'key', certificate: '', key: '' },
    };
    assert.deepEqual(judged(front, asks, certificate('ca'), key), []);
    // a folder that only ends like theirs
    assert.deepEqual(judged({ ...etcd, path: `/opt${etcd.path}` }), ['unmet']);
  });

  it('is told of each file', () => {
    const path = '/etc/kubernetes/pki/apiserver-kubelet-client.crt';
    const demanded = 'its certificate is not in system:masters';
    assert.deepEqual(
      told(
        nobodyUnheld,
        certificate('apiserver-kubelet-client', ['clientAuth']),
        kubeconfig('scheduler.conf', ['a', 'system:masters']),
        certificate('apiserver', ['serverAuth'], ['b']),
      ),
      [
        `met ${path} of x (y): ${demanded}; seen: it is in no group`,
        `unmet /etc/kubernetes/scheduler.conf of x (y): ${demanded}; seen: a, system:masters`,
        `met /etc/kubernetes/pki/apiserver.crt of x (y): ${demanded}; seen: b`,
      ],
    );
  });
});

describe('what certificates of a control plane are for', () => {
  const judged = (name: string, ...usages: string[]): readonly string[] =>
    usedForNoMore.judge([machine([certificate(name, usages)])], undefined).map(({ result }) => result);

  it('is what they are shown for, in any order', () => {
    assert.deepEqual(judged('apiserver', 'serverAuth'), ['met']);
    assert.deepEqual(judged('etcd/peer', 'serverAuth', 'clientAuth'), ['met']);
    assert.deepEqual(judged('ca'), []);
  });

  it('is not to issue others', () => {
    const { path, held, ...file } = certificate('apiserver', ['serverAuth']);
    if (held.kind !== 'certificates') return assert.fail();
    const left = [{ ...file, path, held: { ...held, isAuthority: true as const } }];
    for (const ownWays of [{}, { ownWays: true } as const])
      assert.deepEqual(
        usedForNoMore.judge([{ ...machine([]), ...ownWays, left }], undefined).map(({ seen }) => seen),
        ['serverAuth, issuing others'],
      );
  });

  it('is neither more nor less', () => {
    assert.deepEqual(judged('apiserver', 'serverAuth', 'clientAuth'), ['unmet']);
    assert.deepEqual(judged('etcd/server', 'serverAuth'), ['unmet']);
    assert.deepEqual(judged('apiserver-etcd-client'), ['unmet']);
  });

  it('may be less where a client has ways of its own', () => {
    const own = (name: string, ...usages: readonly string[]) =>
      usedForNoMore
        .judge([{ ...machine([certificate(name, usages)]), ownWays: true }], undefined)
        .map(({ result }) => result);
    assert.deepEqual(own('etcd/server', 'serverAuth'), ['met']);
    assert.deepEqual(own('apiserver', 'serverAuth', 'clientAuth'), ['unmet']);
    assert.deepEqual(own('apiserver'), ['unmet']);
  });

  it('is this of each', () => {
    const [client, server] = ['clientAuth', 'serverAuth'];
    for (const [name, ...wanted] of [
      ['apiserver', server],
      ['apiserver-kubelet-client', client],
      ['apiserver-etcd-client', client],
      ['front-proxy-client', client],
      ['etcd/server', client, server],
      ['etcd/peer', client, server],
      ['etcd/healthcheck-client', client],
    ] as const) {
      const demanded = `it may be used for ${wanted.join(' and ')}, and for nothing more`;
      const said = (...usages: string[]) => told(usedForNoMore, certificate(name, usages));
      const subject = `/etc/kubernetes/pki/${name}.crt of x (y)`;
      assert.deepEqual(said(...wanted), [`met ${subject}: ${demanded}; seen: ${wanted.join(', ')}`]);
      assert.deepEqual(said(), [`unmet ${subject}: ${demanded}; seen: for anything`]);
      assert.deepEqual(said(server, client, 'codeSigning'), [
        `unmet ${subject}: ${demanded}; seen: clientAuth, codeSigning, serverAuth`,
      ]);
    }
  });
});

describe('who reads the manifests of a control plane', () => {
  it('is root alone', () => {
    const judged = (path: string, mode: number): readonly string[] =>
      manifestsClosed
        .judge([machine([{ path, mode, digest: 'd', held: { kind: 'other' } }])], undefined)
        .map(({ result }) => result);
    const path = '/etc/kubernetes/manifests/a.yaml';
    assert.deepEqual(judged(path, 0o600), ['met']);
    for (const mode of [0o604, 0o640]) assert.deepEqual(judged(path, mode), ['unmet']);
    assert.deepEqual(judged('/etc/kubernetes/a.yaml', 0o644), []);
  });
});

describe('to whom a control plane listens', () => {
  const pod = (component: string, ...command: string[]): FileSeen => {
    const settings = { spec: { containers: [{ command: [component, ...command] }] } };
    const path = `/etc/kubernetes/manifests/${component}.yaml`;
    return { path, mode: 0o600, digest: 'd', held: { kind: 'settings', settings } };
  };
  const judged = (component: string, ...command: string[]): readonly string[] =>
    listensToItself.judge([machine([pod(component, ...command)])], undefined).map(({ result }) => result);

  it('is its own machine', () => {
    for (const host of ['127.0.0.1', '127.0.0.53', '::1', 'localhost'])
      assert.deepEqual(judged('kube-scheduler', `--bind-address=${host}`), ['met'], host);
    for (const urls of [
      'http://127.0.0.1:2381',
      'https://[::1]:2381,http://localhost',
      'http://[::1], http://127.0.0.1:1 ',
    ])
      assert.deepEqual(judged('etcd', `--listen-metrics-urls=${urls}`), ['met'], urls);
    assert.deepEqual(judged('kube-apiserver', '--bind-address=::'), []);
  });

  it('is nobody else', () => {
    for (const flag of ['--bind-address=0.0.0.0', '--bind-address=::', '--bind-address=', '--bind=127.0.0.1'])
      assert.deepEqual(judged('kube-controller-manager', flag), ['unmet'], flag);
    for (const urls of ['http://0.0.0.0:2381', 'http://127.0.0.1:2381,http://[::]:2381', 'http://127.0.0.1.example:1'])
      assert.deepEqual(judged('etcd', `--listen-metrics-urls=${urls}`), ['unmet'], urls);
    for (const urls of ['http://not-localhost:2381', 'unix://http://127.0.0.1:1', 'http://localhostess'])
      assert.deepEqual(judged('etcd', `--listen-metrics-urls=${urls}`), ['unmet'], urls);
  });

  it('is told of each component', () => {
    assert.deepEqual(
      told(
        listensToItself,
        pod('kube-controller-manager', '--bind-address=127.0.0.1'),
        pod('kube-scheduler'),
        pod('etcd', '--listen-metrics-urls=http://0.0.0.0:1'),
      ),
      [
        'met kube-controller-manager of x (y): --bind-address is on loopback; seen: 127.0.0.1',
        'unmet kube-scheduler of x (y): --bind-address is on loopback; seen: it is not told',
        'unmet etcd of x (y): --listen-metrics-urls is on loopback; seen: http://0.0.0.0:1',
      ],
    );
  });
});

const ROLE = 'node-role.kubernetes.io/control-plane';
const LABELS = [ROLE, 'node.kubernetes.io/exclude-from-external-load-balancers'];
const TAINTS = [`${ROLE}:NoSchedule`, 'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule'];

const unmarked = (more: Partial<Attempt>): Attempt =>
  attempted({ subject: 'x (y)', exit: 1, milliseconds: 4_000, ...more });

describe('a control plane whose Node nobody may mark', () => {
  it('ends with an error', () => {
    const judged = (more: Partial<Attempt>) => judgedBy(unmarkedRefused, [unmarked(more)], undefined).map(sentenceOf);
    const demanded = 'x (y): the client ends with an error when its time is over, since its Node is not marked';
    assert.deepEqual(judged({}), [`${demanded}; seen: it ends with 1 after 4 s`]);
    const results = (more: Partial<Attempt>) =>
      judgedBy(unmarkedRefused, [unmarked(more)], undefined).map(({ result }) => result);
    assert.deepEqual(results({}), ['met']);
    assert.deepEqual(results({ exit: 0 }), ['unmet']);
    assert.deepEqual(results({ exit: null }), ['unmet']);
    assert.deepEqual(results({ speaksKubeadm: false }), []);
    const tried = { calls: 4_000, seen: [seenAs('PATCH /api/v1/nodes/worker-9', 'a certificate', { first: 1_000 })] };
    assert.deepEqual(results({ ...tried, milliseconds: 8_000 }), ['met']);
    assert.deepEqual(results({ ...tried, milliseconds: 9_000 }), ['unmet']);
    assert.deepEqual(results({ ...tried, milliseconds: 61_000 }), ['unmet']);
    assert.deepEqual(results({ seen: tried.seen, milliseconds: 61_000 }), ['met']);
  });
});

describe('the Node of a control plane that joins', () => {
  const said = (
    marks: readonly Marks[],
    answered: readonly (number | string)[] = [],
    check = nodeMarked,
    node?: string,
  ) => {
    const seen = marks.map((one, at) =>
      seenAs('PATCH /api/v1/nodes/worker-9', 'somebody else', { answered: answered[at] ?? 200, marks: one }),
    );
    const attempt = attempted({
      subject: 'x (y)',
      seen: [seenAs('GET /version', 'somebody else'), ...seen],
      ...(node === undefined ? {} : { node }),
    });
    return judgedBy(check, [attempt], undefined);
  };
  const judged = (...marks: Marks[]): readonly string[] => said(marks).map(({ result }) => result);

  it('is marked, at once or one after the other', () => {
    assert.deepEqual(judged({ labels: LABELS, taints: TAINTS }), ['met']);
    assert.deepEqual(judged({ labels: [], taints: TAINTS }, { labels: LABELS, taints: [] }), ['met']);
  });

  it('is not marked by half', () => {
    assert.deepEqual(judged({ labels: LABELS, taints: [] }), ['unmet']);
    assert.deepEqual(judged({ labels: LABELS, taints: TAINTS.slice(0, 1) }), ['unmet']);
    assert.deepEqual(judged({ labels: LABELS.slice(1), taints: TAINTS }), ['unmet']);
    const all = { labels: LABELS, taints: TAINTS };
    assert.deepEqual(judged({ ...all, lost: ['a'] }), ['unmet']);
    assert.deepEqual(judged({ ...all, taints: [...TAINTS, ...TAINTS.slice(1)] }), ['unmet']);
    assert.deepEqual(judged({ ...all, lost: ['a'] }, all), ['unmet']);
    assert.deepEqual(judged(all, { ...all, lost: ['a'] }), ['unmet']);
    assert.deepEqual(judged({ labels: LABELS, taints: [...TAINTS, 'a:NoExecute'] }), ['unmet']);
  });

  it('is not marked where another is', () => {
    const marked = said([{ labels: LABELS, taints: TAINTS }]);
    assert.deepEqual(
      marked.map(({ result }) => result),
      ['met'],
    );
    const other = said([{ labels: LABELS, taints: TAINTS }], [], nodeMarked, 'worker-9.rack.example');
    assert.deepEqual(
      other.map(({ result }) => result),
      ['unmet'],
    );
  });

  it('has to be marked by who makes control planes', () => {
    assert.deepEqual(judged(), ['unmet']);
    assert.deepEqual(judged({ labels: LABELS, taints: TAINTS }), ['met']);
  });

  it('is not marked by what its server refuses', () => {
    const all = { labels: LABELS, taints: TAINTS };
    const results = (...answered: (number | string)[]) =>
      said(
        answered.map(() => all),
        answered,
      ).map(({ result }) => result);
    assert.deepEqual(results(409, 200), ['met']);
    assert.deepEqual(results('cut'), ['met']);
    assert.deepEqual(results(400), ['unmet']);
    assert.deepEqual(results(403, 500), ['unmet']);
  });

  it('is told what it lacks', () => {
    const demanded = 'its Node gets the labels and the taint of a control plane, and keeps its own labels and taints';
    const sentence = (...marks: Marks[]) => said(marks).map(sentenceOf);
    assert.deepEqual(sentence({ labels: LABELS, taints: TAINTS }), [`x (y): ${demanded}; seen: it does`]);
    assert.deepEqual(sentence({ labels: LABELS, taints: [...TAINTS, 'a:NoExecute'] }), [
      `x (y): ${demanded}; seen: with a:NoExecute`,
    ]);
    assert.deepEqual(sentence(), [`x (y): ${demanded}; seen: without ${[...LABELS, ...TAINTS].join(', ')}`]);
  });

  it('is labelled, and gets no taint where it is told so', () => {
    const untainted = (...marks: readonly Marks[]): readonly string[] =>
      said(marks, [], nodeUntainted).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(untainted({ labels: LABELS, taints: [] }), ['met: it does']);
    assert.deepEqual(untainted({ labels: LABELS, taints: TAINTS.slice(1) }), ['met: it does']);
    assert.deepEqual(untainted({ labels: LABELS, taints: TAINTS }), [`unmet: with ${TAINTS[0]}`]);
    const lost = `without ${TAINTS[1]}`;
    assert.deepEqual(untainted({ labels: LABELS, taints: [], untaints: true }), [`unmet: ${lost}`]);
    assert.deepEqual(untainted({ labels: LABELS, taints: TAINTS.slice(0, 1) }), [`unmet: with ${TAINTS[0]}, ${lost}`]);
    assert.deepEqual(untainted({ labels: [], taints: [] }), [
      `unmet: ${LABELS.map((one) => `without ${one}`).join(', ')}`,
    ]);
  });
});
