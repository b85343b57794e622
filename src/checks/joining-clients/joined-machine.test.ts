import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import type { Machines } from './joined-files.js';
import type { Done, FileSeen, Held, Machine } from './joined-files-reader.js';
import * as checks from './joined-machine.js';
import { untouchedMachine } from './joined-machine.testing.js';

const FLAGS = '/var/lib/kubelet/kubeadm-flags.env';
const CONFIG = '/var/lib/kubelet/config.yaml';
const CA = '/etc/kubernetes/pki/ca.crt';
const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';

const file = (path: string, held: Held): FileSeen => ({ path, mode: 0o600, digest: 'd', held });
const wrote = (seen: FileSeen): Done => ({ what: 'wrote', after: 2, file: seen });
const flags = (...all: string[]): FileSeen => file(FLAGS, { kind: 'flags', flags: all });
const settings = (containerRuntimeEndpoint: string): FileSeen =>
  file(CONFIG, { kind: 'settings', settings: { containerRuntimeEndpoint } });
const stop: Done = { what: 'ran', after: 2, path: 'stop kubelet' };
const bootstrap = (server: string, besides: readonly string[] = []): Done =>
  wrote(
    file(BOOTSTRAP, {
      kind: 'kubeconfig',
      cluster: 'kubernetes',
      server,
      user: 'u',
      context: 'u@kubernetes',
      isOneCluster: true,
      besides,
      isTrueCa: true,
      shows: 'its token',
      certificate: { file: '' },
      key: { file: '' },
    }),
  );
const ca = (isTrueCa: boolean): FileSeen =>
  file(CA, { kind: 'certificates', isTrueCa, certificate: 'sha256:0', key: '' });

const machine = (more: Partial<Machine>): Machine => ({
  ...untouchedMachine,
  discovered: 1,
  requested: 2,
  server: 'https://a:6443',
  ownServer: 'https://b:6443',
  told: ['register-with-taints=a=b:NoSchedule', 'v=1'],
  socket: 'unix:///s',
  ...more,
});

type Judge = (machines: Machines) => readonly { readonly result: string }[];
const told: Judge = (machines) => checks.kubeletTold.judge(machines, undefined);
const stopped: Judge = (machines) => checks.kubeletStopped.judge(machines, undefined);
const notStarted: Judge = (machines) => checks.kubeletNotStarted.judge(machines, undefined);
const kept: Judge = (machines) => checks.fileKept.judge(machines, { path: CA });
const saved: Judge = (machines) => checks.caSavedAt.judge(machines, { path: CA });
const plain: Judge = (machines) => checks.bootstrapPlain.judge(machines, undefined);
const given: Judge = (machines) => checks.tokenGivenToNobody.judge(machines, undefined);
const plugin: Judge = (machines) => checks.pluginNotRun.judge(machines, undefined);
const first: Judge = (machines) => checks.controlPlaneFirst.judge(machines, undefined);
const ownServer: Judge = (machines) => checks.bootstrapOwnServer.judge(machines, undefined);

const start: Done = { what: 'ran', after: 4, path: 'restart kubelet' };
const shared = wrote(file('/etc/kubernetes/pki/sa.key', { kind: 'other' }));
const instance = (socket: string): FileSeen => ({
  ...settings(socket),
  path: '/var/lib/kubelet/instance-config.yaml',
});
const ALL = ['register-with-taints=a=b:NoSchedule', 'v=1'];
const CASES: readonly (readonly [name: string, judge: Judge, more: Partial<Machine>, result: string])[] = [
  ['runtime in the configuration', told, { left: [flags(...ALL), settings('unix:///s')] }, 'met'],
  ['runtime in a flag', told, { left: [flags(...ALL, 'container-runtime-endpoint=unix:///s')] }, 'met'],
  ['another runtime', told, { left: [flags(...ALL), settings('unix:///t')] }, 'unmet'],
  ['the runtime is kept', told, { left: [flags(...ALL), settings('unix:///s'), instance('unix:///s')] }, 'met'],
  ['another runtime is kept', told, { left: [flags(...ALL), settings('unix:///s'), instance('unix:///t')] }, 'unmet'],
  ['a taint is lost', told, { left: [flags('v=1'), settings('unix:///s')] }, 'unmet'],
  ['no file of flags', told, { left: [settings('unix:///s')] }, 'unmet'],
  ['a control plane is tainted', told, { isWorker: false, left: [flags(...ALL), settings('unix:///s')] }, 'unmet'],
  ['nobody is given anything', given, { done: [start] }, 'met'],
  ['a program is given its token', given, { done: [start], given: ['curl'] }, 'unmet'],
  ['no plug-in is run', plugin, { done: [stop, start] }, 'met'],
  ['a plug-in is run', plugin, { done: [{ ...start, path: 'enable plug-in' }, start] }, 'unmet'],
  ['stopped, then written', stopped, { done: [stop, wrote(settings('s'))] }, 'met'],
  ['written, then stopped', stopped, { done: [wrote(settings('s')), stop] }, 'unmet'],
  ['never stopped', stopped, { done: [wrote(settings('s'))] }, 'unmet'],
  ['started before all is written', stopped, { done: [stop, start, wrote(settings('s'))] }, 'unmet'],
  [
    'started before its flags are',
    stopped,
    { done: [stop, wrote(settings('s')), start, wrote(flags('v=1'))] },
    'unmet',
  ],
  ['started when all is', stopped, { done: [stop, wrote(settings('s')), wrote(flags('v=1')), start] }, 'met'],
  ['stopped for ever', stopped, { done: [stop, { ...stop, path: 'disable kubelet' }, wrote(settings('s'))] }, 'unmet'],
  ['another is stopped', stopped, { done: [stop, { ...stop, path: 'stop ufw' }, wrote(settings('s'))] }, 'unmet'],
  ['another is killed', stopped, { done: [stop, wrote(settings('s')), { ...stop, path: 'kill containerd' }] }, 'unmet'],
  [
    'stopped by its whole name as well',
    stopped,
    { done: [stop, { ...stop, path: 'stop kubelet.service' }, wrote(settings('s'))] },
    'met',
  ],
  ['nobody watched', stopped, { done: undefined }, 'unclear'],
  ['not started', notStarted, { done: [stop] }, 'met'],
  ['started all the same', notStarted, { done: [stop, { ...stop, path: 'restart kubelet' }] }, 'unmet'],
  ['nobody watched whether it is', notStarted, { done: undefined }, 'unclear'],
  ['nothing is left of it', kept, {}, 'met'],
  ['it is written', kept, { left: [ca(true)] }, 'unmet'],
  ['the join failed', kept, { exit: 1 }, 'unmet'],
  ['the CA is there', saved, { left: [ca(true)] }, 'met'],
  ['another CA is there', saved, { left: [ca(false)] }, 'unmet'],
  ['no CA is there', saved, {}, 'unmet'],
  ['it is elsewhere as well', saved, { left: [ca(true), { ...ca(true), path: '/a.crt' }] }, 'unmet'],
  ['its own server', ownServer, { done: [bootstrap('https://b:6443')] }, 'met'],
  ['the common server', ownServer, { done: [bootstrap('https://a:6443')] }, 'unmet'],
  ['no bootstrap kubeconfig', ownServer, {}, 'unmet'],
  [
    'an argument that nobody has told',
    told,
    { left: [flags(...ALL, 'anonymous-auth=true'), settings('unix:///s')] },
    'unmet',
  ],
  ...(
    [
      ['hostname-override=worker-9', 'met'],
      ['hostname-override=another', 'unmet'],
      ['hostname-override', 'unmet'],
      ['cgroup-driver=systemd', 'met'],
      ['cgroup-driver=cgroupfs', 'unmet'],
      ['container-runtime=remote', 'met'],
      ['container-runtime=docker', 'unmet'],
      ['network-plugin=cni', 'met'],
      ['network-plugin=kubenet', 'unmet'],
      ['resolv-conf=/run/systemd/resolve/resolv.conf', 'met'],
      ['pod-infra-container-image=registry.k8s.io/pause:3.9', 'met'],
    ] as const
  ).map(
    ([flag, result]) =>
      [
        `of its own: ${flag}`,
        told,
        { kubelet: { cgroupDriver: 'systemd' }, left: [flags(...ALL, flag), settings('unix:///s')] },
        result,
      ] as const,
  ),
  [
    'called as it is told',
    told,
    { node: 'a.b', left: [flags(...ALL, 'hostname-override=a.b'), settings('unix:///s')] },
    'met',
  ],
  [
    'called as others are',
    told,
    { node: 'a.b', left: [flags(...ALL, 'hostname-override=worker-9'), settings('unix:///s')] },
    'unmet',
  ],
  ['nothing besides', plain, { done: [bootstrap('https://a:6443')] }, 'met'],
  ['a proxy besides', plain, { done: [bootstrap('https://a:6443', ['proxy-url'])] }, 'unmet'],
  ['nothing at all', plain, {}, 'unmet'],
  ['keys, then the kubelet', first, { done: [shared, start] }, 'met'],
  ['the kubelet, then keys', first, { done: [start, shared] }, 'unmet'],
  ['no keys', first, { done: [start] }, 'unmet'],
  ['no kubelet', first, { done: [shared] }, 'unmet'],
  ['no token for the kubelet', given, { done: [start] }, 'met'],
  ['a token for the kubelet', given, { done: [stop, { ...start, token: true }] }, 'unmet'],
  ['nobody watched what was started', given, { done: undefined }, 'unclear'],
  ['nobody watched the keys', first, { done: undefined }, 'unclear'],
];

describe('what any join leaves', () => {
  const results = (judge: Judge, more: Partial<FileSeen>): readonly string[] =>
    judge([machine({ ownWays: true, left: [{ ...ca(true), ...more }] })]).map(({ result }) => result);

  it('holds no token', () => {
    const nowhere: Judge = (machines) => checks.tokenLeftNowhere.judge(machines, undefined);
    assert.deepEqual(results(nowhere, {}), ['met']);
    assert.deepEqual(results(nowhere, { token: true }), ['unmet']);
    const beside = [{ ...ca(true), token: true as const }];
    assert.deepEqual(
      nowhere([machine({ beside })]).map(({ result }) => result),
      ['unmet'],
    );
  });

  it('may not be written by everybody', () => {
    const writes: Judge = (machines) => checks.nobodyElseWrites.judge(machines, undefined);
    assert.deepEqual(results(writes, { mode: 0o644 }), ['met']);
    for (const mode of [0o664, 0o646, 0o666]) assert.deepEqual(results(writes, { mode }), ['unmet']);
    assert.deepEqual(results(writes, { mode: 0o444, isForeign: true }), ['unmet']);
    const folder = (mode: number, more: { readonly isForeign?: true } = {}) =>
      checks.nobodyElseWrites
        .judge([machine({ folders: [{ path: '/etc/kubernetes/pki', mode, ...more }] })], undefined)
        .map(({ result, ...one }) => `${result}: ${'seen' in one ? one.seen : ''}`);
    assert.deepEqual(folder(0o755), ['met: none of 1 may, or is']);
    assert.deepEqual(folder(0o775), ['unmet: /etc/kubernetes/pki']);
    assert.deepEqual(folder(0o1777), ['met: none of 0 may, or is']);
    assert.deepEqual(folder(0o757), ['unmet: /etc/kubernetes/pki']);
    for (const mode of [0o700, 0o1777])
      assert.deepEqual(folder(mode, { isForeign: true }), ['unmet: /etc/kubernetes/pki, of another user']);
  });
});

describe('what kubeadm makes of a machine', () => {
  for (const [name, judge, more, result] of CASES)
    it(`is judged: ${name}`, () => {
      assert.deepEqual(
        judge([machine(more)]).map((finding) => finding.result),
        [result],
      );
      const own = judge([machine({ ...more, ownWays: true })]).map((finding) => finding.result);
      assert.deepEqual(own, judge === given || judge === plugin ? [result] : []);
    });
});

const said = (check: Check<Machines>, more: Partial<Machine>): string =>
  check
    .judge([machine(more)], undefined)
    .map(({ result, seen }) => `${result}: ${seen}`)
    .join();

describe('what is not secret', () => {
  const reads = (mode: number, path = CA, more: Partial<Machine> = {}): string =>
    said(checks.everybodyReads, { left: [{ ...file(path, { kind: 'other' }), mode }], ...more });
  it('may be read by everybody', () => {
    for (const path of [CA, '/etc/kubernetes/pki/sa.pub', '/etc/kubernetes/pki/etcd/server.crt']) {
      assert.equal(reads(0o644, path), 'met: they may');
      assert.equal(reads(0o640, path), `unmet: ${path}: 0640`);
      assert.equal(reads(0o604, path), `unmet: ${path}: 0604`);
    }
    assert.equal(reads(0o600, '/etc/kubernetes/pki/sa.key'), 'unmet: none of them is there');
    assert.equal(reads(0o600, CA, { ownWays: true }), '');
    // Hardened machines keep it from others.
    for (const path of [FLAGS, CONFIG]) {
      const left = [
        { ...file(CA, { kind: 'other' }), mode: 0o644 },
        { ...file(path, { kind: 'other' }), mode: 0o600 },
      ];
      assert.equal(said(checks.everybodyReads, { left }), 'met: they may');
    }
  });
});

describe('what is the own of a machine', () => {
  const INSTANCE = '/var/lib/kubelet/instance-config.yaml';
  const names = (endpoint: string, more: Partial<Machine> = {}): string =>
    said(checks.instanceKept, { left: [{ ...settings(endpoint), path: INSTANCE }], ...more });
  it('is kept apart', () => {
    assert.equal(names('unix:///s'), 'met: it names unix:///s');
    assert.equal(names('unix:///t'), 'unmet: it names unix:///t');
    const own = { ...settings('unix:///s'), path: INSTANCE };
    assert.match(said(checks.instanceKept, { socket: '', left: [own, settings('unix:///s')] }), /^met/);
    assert.match(said(checks.instanceKept, { socket: '', left: [own, settings('unix:///t')] }), /^unmet/);
    assert.match(names('unix:///s', { socket: '' }), /^unmet/);
    assert.equal(said(checks.instanceKept, {}), 'unmet: there is no such file, or it names none');
    assert.equal(names('unix:///t', { ownWays: true }), '');
  });
});
