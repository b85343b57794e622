import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { STRAY } from '../written/flag-words.js';
import { commandOf, flagsIn, serviceIn, variableIn } from './kubelet-service.js';
import { startedBy } from './kubelet-started.js';
import { bootstrapOver, oneFile } from './node-kubeconfigs.js';
import { clusterDns, flagsKept, kubeletSetting, serviceStarts, settingsAccepted } from './node-kubelet.js';
import { at, conf, crt } from './node-seen.testing.js';
import { asksCluster, verifies } from './node-servers.js';

const settings = (all: Readonly<Record<string, unknown>>) => at('/c', { kind: 'settings', settings: all });

describe('the service of a kubelet', () => {
  it('is put together from parts', () => {
    const first = serviceIn('Environment="A=--a=1 --b"\nEnvironmentFile=-/e\nExecStart=\nExecStart=/k $A $B $C\n');
    assert.deepEqual(first.files, ['/e']);
    assert.equal(commandOf([first, serviceIn('Environment=B=c\n')]), '/k --a=1 --b c $C');
    assert.equal(commandOf([serviceIn('ExecStart=\n')]), undefined);
    assert.deepEqual(flagsIn('/k --a=1 --b -v=2'), { a: '1', b: 'true', v: '2' });
    assert.deepEqual(variableIn('X="--a=b"\n', 'X'), { a: 'b' });
    assert.deepEqual(variableIn('X=\n', 'X'), {});
    assert.deepEqual(variableIn('X="--a=b --c d stray"\n', 'X'), { a: 'b', c: 'd', [STRAY]: 'stray' });
    assert.equal(variableIn('X="--a', 'X'), 'its quote is not closed');
    assert.equal(variableIn('Y=1', 'X'), 'it sets no X');
  });
  it('names its files', () => {
    assert.deepEqual(resultsOf(serviceStarts, startedBy({}), undefined), []);
    const told = (command: string) =>
      resultsOf(
        serviceStarts,
        { ...startedBy({}), command, files: ['/var/lib/kubelet/kubeadm-flags.env'], flags: flagsIn(command) },
        undefined,
      );
    const sound =
      'k --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf ' +
      '--config=/var/lib/kubelet/config.yaml $KUBELET_KUBEADM_ARGS';
    assert.deepEqual(told(sound), ['met', 'met', 'met', 'met']);
    assert.deepEqual(told('k'), ['unmet', 'unmet', 'unmet', 'unmet']);
    const started = { ...startedBy({}), flags: { config: '/x' } };
    assert.deepEqual(resultsOf(flagsKept, started, { names: ['config', 'kubeconfig'] }), ['unmet', 'met']);
  });
});

describe('the configuration of a kubelet', () => {
  it('counts below flags, and above defaults', () => {
    const wanted = { name: 'a.b', flag: 'f', wanted: ['false'], otherwise: 'false' };
    const told = (all: object, flags = {}) =>
      resultsOf(kubeletSetting, { config: settings({ ...all }), flags }, wanted);
    assert.deepEqual([told({}), told({ a: { b: true } }), told({ a: { b: true } }, { f: 'false' })].flat(), [
      'met',
      'unmet',
      'met',
    ]);
    const none = { name: 'u', flag: '', wanted: [], otherwise: '' };
    assert.deepEqual(resultsOf(kubeletSetting, { config: settings({ u: 'x' }), flags: {} }, none), ['unmet']);
  });
  it('has no value that the kubelet refuses', () => {
    const told = (all: object) => resultsOf(settingsAccepted, [settings(all as never)], undefined).join();
    const kind = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };
    for (const sound of [
      {},
      { allowedUnsafeSysctls: ['kernel.msg*', 'net.ipv4.*', 'net.core.somaxconn'] },
      { tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'] },
    ])
      assert.equal(told({ ...kind, ...sound }), 'met', JSON.stringify(sound));
    for (const odd of [{ allowedUnsafeSysctls: ['Kernel msg'] }, { enforceNodeAllocatable: ['everything'] }])
      assert.equal(told({ ...kind, ...odd }), 'unmet', JSON.stringify(odd));
  });
  it('names the DNS of the cluster', () => {
    const told = (clusterDNS: unknown) =>
      resultsOf(clusterDns, [settings({ clusterDNS })], { within: '10.96.0.0/12,fd00::/112' });
    assert.deepEqual([told(['10.96.0.10', 'fd00::a']), told(['169.254.20.10'])].flat(), ['met', 'met']);
    const anywhere = (one: string) => resultsOf(clusterDns, [settings({ clusterDNS: [one] })], { within: '' });
    assert.deepEqual([anywhere('192.0.2.1'), anywhere('fd00::a')].flat(), ['met', 'met']);
    assert.deepEqual([anywhere('dns.example'), anywhere(''), anywhere('169.254.20')].flat(), [
      'unmet',
      'unmet',
      'unmet',
    ]);
    const above = (flag: string) =>
      resultsOf(clusterDns, [settings({ clusterDNS: ['10.96.0.10'] })], { within: '10.96.0.0/12', above: flag });
    assert.deepEqual([above('10.96.0.11'), above('198.51.100.1')].flat(), ['met', 'unmet']);
    assert.deepEqual([told(['198.51.100.1']), told([]), told(undefined)].flat(), ['unmet', 'unmet', 'unmet']);
  });
});

describe('kubeconfigs of a node', () => {
  it('verify a server of the cluster', () => {
    assert.deepEqual(resultsOf(verifies, [conf(), conf({ isInsecure: true })], undefined), ['met', 'unmet']);
    const altNames = { dns: ['lb.example'], email: [], ip: ['192.0.2.10'], uri: [], other: 0 };
    const own = { address: '192.0.2.10', port: '6443', certificate: crt({ altNames }) };
    const told = (server: string, serverName = '') => resultsOf(asksCluster, [conf({ server, serverName })], own);
    for (const sound of ['https://192.0.2.10:6443', 'https://lb.example:443/']) assert.deepEqual(told(sound), ['met']);
    for (const odd of [
      'http://192.0.2.10:6443',
      'https://192.0.2.10:6444',
      'https://evil.example:6443',
      '',
      'https://',
    ])
      assert.deepEqual(told(odd), ['unmet']);
    assert.deepEqual(told('https://192.0.2.10:6443', 'evil.example'), ['unmet']);
  });
  it('come one after the other, with a pair from one place', () => {
    const bootstrap = conf();
    const [works, not] = [conf(), conf({}, { certificate: null })];
    const told = (kubelet: typeof works) =>
      resultsOf(bootstrapOver, { bootstrap, kubelet: { config: kubelet, named: null } }, undefined);
    assert.deepEqual([told(works), told(not)].flat(), ['unmet', 'met']);
    assert.deepEqual(resultsOf(oneFile, [conf(), conf({}, { file: '/a' })], undefined), ['met', 'unmet']);
    const named = (name: string) => conf({}, { file: `/p/${name}.pem`, keyFile: `/p/${name}.pem` });
    const both = [named('kubelet-client-current'), named('kubelet-client-2026-01-01-00-00-00')];
    assert.deepEqual(resultsOf(oneFile, both, undefined), ['met', 'unmet']);
  });
});
