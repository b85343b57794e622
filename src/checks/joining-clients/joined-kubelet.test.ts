import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { judged as judgedBy } from '../common/judged.testing.js';
import type { Done, FileSeen, Held, Machine, Part } from './joined-files-reader.js';
import * as checks from './joined-kubelet.js';
import { untouchedMachine } from './joined-machine.testing.js';

const KUBELET = '/etc/kubernetes/kubelet.conf';
const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';
const CA = '/etc/kubernetes/pki/ca.crt';
const file = (path: string, held: Held = { kind: 'other' }): FileSeen => ({ path, mode: 0o600, digest: 'd', held });
const kubeconfig = (server: string, pair: Part = { file: '' }): FileSeen =>
  file(KUBELET, {
    kind: 'kubeconfig',
    cluster: 'c',
    server,
    user: 'u',
    context: 'x',
    isOneCluster: true,
    besides: [],
    isTrueCa: true,
    shows: 'a certificate',
    certificate: pair,
    key: pair,
  });
const key = (path: string): FileSeen => file(path, { kind: 'key', certificate: '', key: 'sha256:0' });
const told = (check: Check<readonly Machine[]>, more: Partial<Machine>): string =>
  judgedBy(check, [{ ...untouchedMachine, ...more }], undefined)
    .map(({ result, seen }) => `${result}: ${seen}`)
    .join();

describe('the server that a kubelet asks', () => {
  const asks = (more: Partial<Machine>): string =>
    told(checks.kubeletAsksTheCluster, { server: 'https://a:6443', ...more });
  it('is the validated one', () => {
    assert.equal(asks({ left: [kubeconfig('https://a:6443')] }), 'met: https://a:6443');
    assert.equal(asks({ left: [kubeconfig('https://A:6443/')] }), 'met: https://A:6443/');
    assert.equal(asks({ left: [kubeconfig('https://b:6443')] }), 'unmet: https://b:6443');
    assert.equal(asks({ left: [kubeconfig('')] }), 'unmet: no server');
    assert.equal(asks({}), 'unmet: there is none');
    assert.match(asks({ isStarved: true }), /^unclear/);
  });
  it('is that beside the kubelet of a control plane', () => {
    const ownServer = 'https://b:6443';
    for (const server of ['https://a:6443', ownServer])
      assert.match(asks({ ownServer, left: [kubeconfig(server)] }), /^met/);
    assert.match(asks({ ownServer, left: [kubeconfig('https://c:6443')] }), /^unmet/);
  });
});

describe('the kubeconfig of a kubelet', () => {
  const says = (besides: readonly string[], more: Partial<Machine> = {}): string => {
    const config = kubeconfig('s');
    assert.ok(config.held.kind === 'kubeconfig');
    return told(checks.kubeletSaysNothingBesides, {
      left: [{ ...config, held: { ...config.held, besides } }],
      ...more,
    });
  };
  it('says nothing besides', () => {
    assert.equal(says([]), 'met: so it does');
    assert.equal(says(['certificate-authority']), 'met: so it does');
    assert.equal(says(['proxy-url', '2 users']), 'unmet: proxy-url, 2 users');
    assert.equal(says(['proxy-url'], { ownWays: true }), '');
    assert.equal(told(checks.kubeletSaysNothingBesides, {}), 'unmet: there is none');
  });
});

describe('the pairs of a kubelet', () => {
  it('have files of their own', () => {
    const pair = (minute: string, digest: string): Done => ({
      what: 'wrote',
      after: 1,
      file: { ...file(`/var/lib/kubelet/pki/kubelet-client-2026-11-20-10-${minute}-00.pem`), digest },
    });
    const is = (...done: readonly Done[]): string => told(checks.pairsApart, { done });
    assert.equal(is(pair('10', 'a'), pair('20', 'b')), 'met: 2 pairs in 2 files');
    assert.equal(is(pair('10', 'a'), pair('10', 'b')), 'unmet: 2 pairs in 1 files');
    assert.equal(is(pair('10', 'a'), pair('10', 'a')), 'met: 1 pairs in 1 files');
    const named = (done: Done, certificate: string): Done =>
      done.what === 'wrote' ? { ...done, file: { ...done.file, held: { kind: 'key', certificate, key: '' } } } : done;
    const over = [named(pair('10', 'a'), 'x'), named(pair('20', 'b'), 'y'), named(pair('10', 'b'), 'y')];
    assert.equal(is(...over), 'unmet: 2 pairs in 2 files, 1 of them written over');
    // half of one is none
    assert.equal(
      is(named(pair('10', 'a'), ''), named(pair('10', 'b'), 'y'), named(pair('20', 'b'), 'y')),
      'met: 2 pairs in 2 files',
    );
    const gone = (name: string): Done => ({
      what: 'removed',
      after: 0,
      path: `/var/lib/kubelet/pki/kubelet-client-${name}`,
    });
    assert.equal(
      is(pair('10', 'a'), gone('current.pem'), pair('20', 'b')),
      'unmet: 2 pairs in 2 files, and 1 times the current one is removed',
    );
    assert.equal(is(pair('10', 'a'), gone('2026-11-20-10-10-00.pem')), 'met: 1 pairs in 1 files');
  });
});

describe('the keys of a worker', () => {
  const keeps = (...left: readonly FileSeen[]): string => told(checks.keysKept, { left });
  const named = kubeconfig('https://a:6443', { file: 'pki/own.pem' });
  it('are the one that kubelet.conf names, or holds', () => {
    assert.equal(keeps(named, key('/etc/kubernetes/pki/own.pem')), 'met: so it has');
    const inline = kubeconfig('s', { inline: { certificate: 'sha256:0', key: 'sha256:0' } });
    assert.equal(keeps(inline), 'met: so it has');
    assert.equal(keeps(inline, key('/etc/own.pem')), 'unmet: /etc/own.pem');
    assert.equal(keeps(named, { ...inline, path: '/etc/copy.conf' }), 'unmet: /etc/copy.conf');
    assert.equal(keeps(key('/etc/own.pem')), 'unmet: /etc/own.pem');
    assert.equal(keeps(file('/var/lib/kubelet/pki/client.der')), 'unmet: /var/lib/kubelet/pki/client.der');
    assert.equal(keeps(file('/var/lib/kubelet/pki/kubelet.crt')), 'met: so it has');
  });
  it('are dated, and for serving', () => {
    const pki = '/var/lib/kubelet/pki';
    for (const name of ['kubelet-client-2026-11-26-13-26-42.pem', 'kubelet.key', 'kubelet-server-current.pem'])
      assert.equal(keeps(named, key(`${pki}/${name}`)), 'met: so it has', name);
    for (const path of [`/x${pki}/kubelet.key`, '/x/etc/kubernetes/admin.conf', '/etc/kubernetes/admin.conf.old'])
      assert.equal(keeps(named, key(path)), `unmet: ${path}`);
    for (const name of ['kubelet-client.key.tmp', 'kubelet-client-2026.pem', 'kubelet.key.bak'])
      assert.equal(keeps(named, key(`${pki}/${name}`)), `unmet: ${pki}/${name}`);
  });
  it('are nobody else to judge by', () => {
    assert.equal(told(checks.keysKept, { ownWays: true, left: [key('/a')] }), '');
  });
});

const wrote = (path: string): Done => ({ what: 'wrote', after: 0, file: file(path) });
const ran: Done = { what: 'ran', after: 0, path: 'restart kubelet' };

describe('the CA of a kubelet', () => {
  const first = (done: readonly Done[] | undefined): string => told(checks.caBeforeKubelet, { done });
  it('is there before it is started', () => {
    assert.equal(first([wrote(CA), ran]), 'met: it is');
    assert.equal(first([wrote(CA)]), 'met: it is');
    assert.equal(first([ran, wrote(CA)]), 'unmet: it is not there then');
    assert.equal(
      first([wrote(CA), { what: 'removed', after: 0, path: CA }, ran, wrote(CA)]),
      'unmet: it is not there then',
    );
    assert.equal(first([wrote(CA), { what: 'removed', after: 0, path: '/a' }, ran]), 'met: it is');
    for (const path of ['daemon-restart', 'do not start kubelet', 'restarted kubelet', 'restart'])
      assert.equal(first([{ ...ran, path } as Done, wrote(CA)]), 'met: it is', path);
    for (const path of ['start kubelet', 'restart kubelet'])
      assert.equal(first([{ ...ran, path } as Done, wrote(CA)]), 'unmet: it is not there then', path);
    assert.equal(first([ran]), 'unmet: it is not written');
    assert.match(first(undefined), /^unclear/);
  });
});

describe('the bootstrap kubeconfig', () => {
  const stays = (after: number, requested: number): string =>
    told(checks.bootstrapStays, { requested, done: [{ what: 'removed', after, path: BOOTSTRAP }] });
  it('stays until a certificate was asked for', () => {
    assert.equal(stays(6, 5), 'met: it does');
    assert.equal(stays(5, 5), 'unmet: it is removed before that');
    assert.equal(stays(5, -1), 'unmet: it is removed before that');
    const withPair = (after: number): string =>
      told(checks.bootstrapStays, {
        requested: 5,
        done: [
          { what: 'removed', after: 7, path: BOOTSTRAP },
          { what: 'wrote', after, file: file('/var/lib/kubelet/pki/kubelet-client-2026-11-20-10-10-00.pem') },
        ],
      });
    assert.equal(withPair(7), 'met: it does');
    assert.equal(withPair(8), 'unmet: it is removed before that');
    assert.equal(told(checks.bootstrapStays, { requested: 5, done: [] }), 'unmet: it stays');
    assert.equal(
      told(checks.bootstrapStays, { requested: 5, done: [{ what: 'removed', after: 6, path: '/a' }] }),
      'unmet: it stays',
    );
    assert.match(told(checks.bootstrapStays, { done: undefined }), /^unclear/);
  });
});

describe('the keys of a control plane', () => {
  it('are in its folder of certificates, and in its kubeconfigs', () => {
    const keeps = (...left: readonly FileSeen[]): string => told(checks.keysKept, { isWorker: false, left });
    for (const name of ['pki/ca.key', 'pki/etcd/peer.key', 'pki/front-proxy-client.key', 'admin.conf'])
      assert.equal(keeps(key(`/etc/kubernetes/${name}`)), 'met: so it has', name);
    for (const name of ['pki/other.key', 'pki/ca.key.bak', 'super-admin.conf', 'ca.key'])
      assert.equal(keeps(key(`/etc/kubernetes/${name}`)), `unmet: /etc/kubernetes/${name}`);
    assert.equal(
      told(checks.keysKept, { left: [key('/etc/kubernetes/pki/ca.key')] }),
      'unmet: /etc/kubernetes/pki/ca.key',
    );
  });
});

describe('what is written', () => {
  const blind = (path: string): FileSeen => {
    const { held } = kubeconfig('s');
    return file(path, { ...held, isBlind: true } as Held);
  };
  it('believes nobody without a CA, for a moment either', () => {
    const believes = (more: Partial<Machine>): string => told(checks.noneBelievesAll, more);
    assert.equal(believes({ left: [kubeconfig('s')] }), 'met: none is');
    assert.equal(believes({ left: [blind('/a')] }), 'unmet: /a');
    const done: readonly Done[] = [{ what: 'wrote', after: 0, file: blind('/b') }, ran];
    assert.equal(believes({ done, left: [kubeconfig('s')] }), 'unmet: /b');
    assert.equal(believes({ done: undefined, left: [blind('/a')] }), 'unmet: /a');
  });
  it('lies in the folders of Kubernetes', () => {
    const lies = (...paths: readonly string[]): string =>
      told(checks.nothingElsewhere, { left: paths.map((path) => file(path)) });
    assert.equal(lies('/etc/kubernetes/a', '/var/lib/kubelet/a', '/var/lib/etcd/a'), 'met: so it does');
    for (const path of [
      '/etc/kubernetes.conf',
      '/tmp/a',
      '/x/etc/kubernetes/a',
      '/var/lib/other/a',
      '/var/lib/kubelets/a',
    ])
      assert.equal(lies('/etc/kubernetes/a', path), `unmet: ${path}`);
    assert.equal(lies('/etc/kubernetes.conf', '/tmp/a'), 'unmet: /etc/kubernetes.conf, /tmp/a');
    const wrote = (one: FileSeen): Done => ({ what: 'wrote', after: 0, file: one });
    const moved = (one: FileSeen): string => told(checks.nothingElsewhere, { done: [wrote(one)] });
    assert.equal(moved({ ...file('/tmp/a'), token: true }), 'unmet: /tmp/a');
    assert.equal(moved(key('/tmp/b')), 'unmet: /tmp/b');
    assert.equal(moved(file('/tmp/a')), 'met: so it does');
    assert.equal(moved({ ...file('/etc/kubernetes/a'), token: true }), 'met: so it does');
    assert.equal(told(checks.nothingElsewhere, { ownWays: true, left: [file('/tmp/a')] }), '');
  });
  it('is, as the current pair, that of a file with a date', () => {
    const folder = '/var/lib/kubelet/pki';
    const current = `${folder}/kubelet-client-current.pem`;
    const dated = (digest: string): FileSeen => ({
      ...file(`${folder}/kubelet-client-2026-11-26-10-00-00.pem`),
      digest,
    });
    const is = (...left: readonly FileSeen[]): string => told(checks.currentIsDated, { left });
    const named = kubeconfig('s', { file: current });
    assert.equal(is(named, file(current), dated('d')), 'met: it is');
    assert.equal(is(named, file(current), dated('e')), 'unmet: no file with a date holds it');
    assert.equal(is(named, file(current)), 'unmet: no file with a date holds it');
    assert.equal(is(named, { ...file(current), isCopy: true }, dated('d')), 'unmet: it is a copy of one');
    const own = [kubeconfig('s', { file: '/own/pair.pem' })];
    assert.equal(is(...own), 'unmet: it names no current pair');
    assert.equal(told(checks.currentIsDated, { left: own, ownWays: true }), 'met: it names no current pair');
    assert.equal(is(file(current), dated('d')), 'unmet: there is none');
  });
});

describe('the pair of a kubelet that renews', () => {
  const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
  const named = kubeconfig('s', { file: CURRENT });
  const gone = (after: number, path = CURRENT): Done => ({ what: 'removed', after, path });
  const wrote = (after: number, digest = `at ${after}`): Done => ({
    what: 'wrote',
    after,
    file: { ...file(CURRENT, { kind: 'key', certificate: 'sha256:1', key: 'sha256:1' }), digest },
  });
  const stays = (...done: readonly Done[]): string => told(checks.pairStays, { left: [named], done });
  it('stays until there is another one', () => {
    assert.equal(stays(wrote(3), wrote(9)), 'met: it does');
    assert.equal(stays(wrote(3), gone(9), wrote(9)), 'met: it does');
    assert.equal(stays(wrote(3), wrote(9), gone(9), wrote(10, 'at 9')), 'met: it does');
    assert.equal(stays(wrote(3), gone(9), wrote(10)), 'unmet: it is taken away before');
    assert.equal(stays(wrote(3), gone(9)), 'unmet: it is taken away before');
    const forLong: Done = { what: 'removed', path: CURRENT, after: 9, isBrief: false };
    assert.equal(stays(wrote(3), wrote(9), forLong, wrote(9)), 'unmet: it is taken away before');
    assert.equal(stays(wrote(3), wrote(9), { ...forLong, isBrief: true }, wrote(9)), 'met: it does');
    assert.equal(stays(wrote(3), gone(9, '/var/lib/kubelet/pki/other.pem')), 'met: it does');
  });
  it('is one that kubelet.conf names', () =>
    assert.equal(told(checks.pairStays, { left: [], done: [wrote(3)] }), 'unmet: there is none'));
});

describe('what is written as a pair', () => {
  const pair = (certificate: string, own: string, more?: number): Held => ({
    kind: 'key',
    certificate,
    key: own,
    ...(more === undefined ? {} : { more }),
  });
  const DATED = '/var/lib/kubelet/pki/kubelet-client-2026-11-20-10-48-03.pem';
  const wrote = (held: Held, path = DATED): Done => ({ what: 'wrote', after: 1, file: file(path, held) });
  const fit = (...done: readonly Done[]): string => told(checks.pairsFit, { done });
  it('fits', () => {
    assert.equal(fit(wrote(pair('sha256:1', 'sha256:1'))), 'met: 0 of 1 are not');
    assert.equal(
      fit(wrote(pair('sha256:1', 'sha256:1')), wrote(pair('sha256:1', 'sha256:2'))),
      'unmet: 1 of 2 are not',
    );
    assert.equal(fit(wrote(pair('', ''))), 'unmet: 1 of 1 are not');
    assert.equal(fit(wrote({ kind: 'other' })), 'unmet: 1 of 1 are not');
    assert.equal(fit(wrote(pair('', 'sha256:1'), '/etc/kubernetes/pki/ca.key')), 'unmet: 0 of 0 are not');
  });
  it('holds all that was issued', () => {
    const config = kubeconfig('https://a:6443', { file: DATED });
    const holds = (certificates: number, ...left: readonly FileSeen[]): string =>
      judgedBy(checks.pairHoldsAll, [{ ...untouchedMachine, left: [config, ...left] }], { certificates })
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    assert.equal(holds(2, file(DATED, pair('sha256:1', 'sha256:1', 1))), 'met: it holds 2');
    assert.equal(holds(2, file(DATED, pair('sha256:1', 'sha256:1'))), 'unmet: it holds 1');
    assert.equal(holds(1, file(DATED, pair('', 'sha256:1'))), 'unmet: it holds 0, the first of another key');
    assert.equal(holds(2, file(DATED, pair('sha256:2', 'sha256:1', 1))), 'unmet: it holds 2, the first of another key');
    assert.equal(holds(2), 'unmet: there is no such file');
  });
});
