import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import {
  credentialLeads,
  flagsOfKubeadmAlone,
  kubeletName,
  machineName,
  servesAsItself,
  toldFilesThere,
} from './node-kubelet-files.js';
import type { Disk } from './node-seen.js';
import { at, certificate, conf, DAY, NOW } from './node-seen.testing.js';

const diskOf = (...seen: readonly ReturnType<typeof at>[]): Disk =>
  Object.fromEntries(seen.flatMap(({ path, file }) => (file === null ? [] : [[path, file]])));

describe('files that a kubelet is told of', () => {
  const told = (settings: object, flags: Readonly<Record<string, string>> = {}) =>
    resultsOf(toldFilesThere, { settings: settings as never, flags }, { files: ['/etc/kubernetes/pki/ca.crt'] }).join();
  it('are there', () => {
    assert.equal(told({ authentication: { x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } } }), 'met');
    assert.equal(told({ tlsCertFile: '/var/lib/kubelet/pki/none.crt' }), 'unmet');
    assert.equal(told({}, { 'tls-private-key-file': '/etc/kubernetes/none.key' }), 'unmet');
    assert.equal(told({ tlsCertFile: '/srv/own.crt' }), '');
    assert.equal(told({}, { 'tls-cert-file': '/etc/kubernetes/none.crt' }), 'unmet');
    assert.equal(told({ tlsCertFile: '/etc/kubernetes/none.crt' }, { 'tls-cert-file': '/srv/own.crt' }), '');
    assert.equal(told({}, { 'client-ca-file': '/etc/kubernetes/pki/ca.crt' }), 'met');
    assert.equal(told({}, { 'client-ca-file': '/etc/kubernetes/pki/ca.crt ' }), 'unmet');
    for (const path of ['/srv/etc/kubernetes/a', '/etc/kubernetes', '/var/lib/kubelet/a', '/etc/kubernetes-own/a'])
      assert.equal(told({ tlsCertFile: path }), '', path);
  });
});

describe('the certificate that kubelet.conf names', () => {
  const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
  const config = conf({}, { certificate: null, file: CURRENT });
  const judged = (...seen: readonly ReturnType<typeof at>[]) =>
    resultsOf(
      toldFilesThere,
      { settings: {}, flags: {} },
      {
        files: [],
        leads: credentialLeads(diskOf({ path: '/etc/kubernetes/kubelet.conf', file: config.file }, ...seen)),
      },
    ).join();
  it('is led to', () => {
    const pair = { kind: 'pair', certificate: certificate({}), pin: 'a' } as const;
    assert.equal(judged(at(CURRENT, pair)), 'met');
    assert.equal(judged(at(CURRENT, { kind: 'unreadable', why: 'it is a link to nothing' })), 'unmet');
    assert.equal(judged(at(CURRENT, { kind: 'unreadable', why: 'it is too large' })), 'met');
    assert.equal(judged(), 'unmet');
  });
});

describe('what a kubelet was given to serve with', () => {
  const CURRENT = '/var/lib/kubelet/pki/kubelet-server-current.pem';
  const OWN = {
    commonName: 'system:node:cp-1',
    organizations: ['system:nodes'],
    extendedKeyUsage: ['serverAuth'],
    altNames: { dns: ['cp-1'], ip: ['192.0.2.1'], email: [], uri: [], other: 0 },
    pin: 'a',
  };
  const judged = (facts: object, settings: object = {}, flags: Readonly<Record<string, string>> = {}) =>
    resultsOf(
      servesAsItself,
      {
        serving: at('/var/lib/kubelet/pki/kubelet.crt', null),
        asked: at(CURRENT, { kind: 'pair', certificate: certificate({ ...OWN, ...facts } as never), pin: 'a' }),
        settings: { serverTLSBootstrap: true, ...settings } as never,
        flags,
      },
      { now: NOW, name: 'cp-1' },
    ).join();
  const names = (dns: readonly string[], ip: readonly string[] = []) => ({ altNames: { ...OWN.altNames, dns, ip } });
  it('is for this machine, and for servers', () => {
    assert.equal(judged({}), 'met,met,met');
    assert.equal(judged({ notAfter: NOW - DAY }), 'unmet,met,met');
    assert.equal(judged({ pin: 'b' }), 'met,unmet,met');
    for (const facts of [
      { commonName: 'system:node:w-9' },
      { organizations: [] },
      { extendedKeyUsage: ['clientAuth'] },
      names(['w-9']),
      names([]),
    ])
      assert.equal(judged(facts), 'met,met,unmet', JSON.stringify(facts));
    assert.equal(judged(names([], ['192.0.2.1'])), 'met,met,met');
    assert.equal(judged(names(['ip-10-0-0-1']), {}, { 'cloud-provider': 'external' }), 'met,met,met');
  });
  it('is not looked at where it serves with another', () => {
    assert.equal(judged({}, { serverTLSBootstrap: false }), '');
    assert.equal(judged({}, { tlsCertFile: '/srv/own.crt' }), '');
  });
});

describe('what a kubelet serves with', () => {
  const made = (commonName: string, notAfter = NOW + DAY) =>
    at('/var/lib/kubelet/pki/kubelet.crt', {
      kind: 'certificates',
      certificates: [certificate({ commonName, notAfter })],
    });
  const told = (serving: ReturnType<typeof made>, settings: object = {}, name = 'cp-1') =>
    resultsOf(
      servesAsItself,
      {
        serving,
        asked: at('/var/lib/kubelet/pki/kubelet-server-current.pem', null),
        settings: settings as never,
        flags: {},
      },
      { now: NOW, name },
    ).join();
  it('is valid, and of its machine', () => {
    assert.equal(told(made('cp-1@1700000000')), 'met,met');
    assert.equal(told(made('CP-1@1700000000')), 'met,met');
    assert.equal(told(made('cp-1@1700000000', NOW - DAY)), 'unmet,met');
    assert.equal(told(made('w-9@1700000000')), 'met,unmet');
    assert.equal(told(made('w-9@1700000000'), {}, ''), 'met,met');
    assert.equal(told(made('somebody')), 'met,met');
    for (const name of ['cp-1@17@1700000000', ' cp-1@1700000000', 'cp-11@1700000000', 'cp-@1700000000'])
      assert.equal(told(made(name)), 'met,unmet', name);
    for (const name of ['w-9@', 'w-9@1x', '@1700000000']) assert.equal(told(made(name)), 'met,met', name);
  });
  it('is of its machine, also where somebody else has made it', () => {
    const given = (dns: readonly string[], ip: readonly string[] = [], name = 'cp-1') => {
      const altNames = { dns, ip, email: [], uri: [], other: 0 };
      const certificates = [certificate({ commonName: 'somebody', altNames })];
      return told(at('/var/lib/kubelet/pki/kubelet.crt', { kind: 'certificates', certificates }), {}, name);
    };
    for (const dns of [['cp-1'], ['CP-1'], ['cp-1.example'], ['w-9', 'cp-1'], ['*.example'], []])
      assert.equal(given(dns), 'met,met', dns.join());
    assert.equal(given(['cp-1'], [], 'cp-1.example'), 'met,met');
    assert.equal(given(['w-9'], ['192.0.2.10']), 'met,met');
    assert.equal(given(['w-9'], [], ''), 'met,met');
    for (const dns of [['w-9'], ['cp-11'], ['cp'], ['w-9.cp-1'], ['cp-1example']])
      assert.equal(given(dns), 'met,unmet', dns.join());
  });
  it('is looked at where its own file is named', () => {
    assert.equal(told(made('w-9@1700000000'), { tlsCertFile: '/var/lib/kubelet/pki/kubelet.crt' }), 'met,unmet');
  });
  it('is something else where it is asked for, or named', () => {
    const ended = made('w-9@1700000000', NOW - DAY);
    assert.equal(told(ended, { serverTLSBootstrap: true }), '');
    assert.equal(told(ended, { tlsCertFile: '/srv/own.crt' }), '');
    assert.equal(told(at('/var/lib/kubelet/pki/kubelet.crt', null)), '');
  });
});

describe('a kubelet', () => {
  it('is called as it is told, or as its certificate says', () => {
    const pair = at('/p.pem', { kind: 'pair', certificate: certificate({ commonName: 'system:node:w-1' }), pin: 'a' });
    const { file } = conf({}, { certificate: null, file: '/p.pem' });
    const config = { path: '/etc/kubernetes/kubelet.conf', file };
    assert.equal(kubeletName(diskOf(config, pair), {}), 'w-1');
    assert.equal(kubeletName(diskOf(config, pair), { 'hostname-override': 'w-2' }), 'w-2');
    assert.equal(kubeletName({}, {}), '');
    assert.equal(kubeletName(diskOf(config, pair), { 'hostname-override': '' }), 'w-1');
    const other = at('/p.pem', { kind: 'pair', certificate: certificate({ commonName: 'a system:node:b' }), pin: 'a' });
    assert.equal(kubeletName(diskOf(config, other), {}), 'a system:node:b');
  });
  it('has its flags from one file', () => {
    const path = '/etc/default/kubelet';
    assert.deepEqual(resultsOf(flagsOfKubeadmAlone, {}, undefined), []);
    assert.deepEqual(resultsOf(flagsOfKubeadmAlone, diskOf(at(path, { kind: 'flags', flags: {} })), undefined), [
      'met',
    ]);
    const sets = diskOf(at(path, { kind: 'flags', flags: {}, setsKubeadms: true }));
    assert.deepEqual(resultsOf(flagsOfKubeadmAlone, sets, undefined), ['unmet']);
  });
});

describe('the name of a machine', () => {
  const UNIT = '/etc/systemd/system/kubelet.service';
  const named = at('/etc/hostname', { kind: 'machine', told: { hostname: 'a-1' } });
  const unit = (command: string | undefined, ...files: readonly string[]) =>
    at(UNIT, {
      kind: 'service',
      service: {
        ...{ variables: {}, files, command, commands: command === undefined ? [] : [command] },
        ...{ empties: [], before: [], user: '' },
      },
    });
  const name = (...seen: readonly ReturnType<typeof at>[]) => machineName(diskOf(...seen));
  it('is that of its kubelet where nobody says another', () => {
    assert.equal(name(named, unit('/usr/bin/kubelet')), 'a-1');
    assert.equal(name(named, unit('kubelet --cloud-provider=external --hostname-override=')), 'a-1');
    const read = ['/var/lib/kubelet/kubeadm-flags.env', '/etc/default/kubelet', '/etc/kubernetes/kubelet.env'];
    assert.equal(name(named, unit('kubelet', ...read)), 'a-1');
  });
  it('is nothing where another counts, or may', () => {
    for (const command of ['kubelet --hostname-override=b', 'kubelet --cloud-provider=aws', undefined])
      assert.equal(name(named, unit(command)), '', command);
    for (const path of ['/etc/own.env', '/etc/kubernetes/a/b.env', '/srv/etc/kubernetes/a.env', '/etc/kubernetes/a'])
      assert.equal(name(named, unit('kubelet', path)), '', path);
    assert.equal(name(named), '');
    assert.equal(name(unit('kubelet')), '');
    assert.equal(name(at('/etc/hostname', { kind: 'machine', told: {} }), unit('kubelet')), '');
    assert.equal(name(at('/etc/hostname', { kind: 'unreadable', why: 'it is empty' }), unit('kubelet')), '');
  });
});
