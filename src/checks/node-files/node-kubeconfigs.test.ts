import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CertificateFacts } from '../certificates/x509.js';
import { resultsOf } from '../common/judged.testing.js';
import {
  adminCanBeStopped,
  type ConfigSeen,
  differentUsers,
  embedsAuthority,
  isRenewed,
  kubeletAsSigned,
  kubeletRenews,
  namesWhatIsRenewed,
  nodeGroup,
  nodeUser,
  oneCredential,
  userIs,
  userWorks,
} from './node-kubeconfigs.js';
import { at, broken, certificate, conf, DAY, NOW, root } from './node-seen.testing.js';
import { asksDirectly, asksOwnServer } from './node-servers.js';

const of = (facts: Partial<CertificateFacts>, pin = 'sha256:1'): ConfigSeen => ({
  config: conf({}, { certificate: certificate(facts), pin }),
  named: null,
});

describe('kubeconfigs of a node', () => {
  it('have a user, in a group', () => {
    const wanted = { name: 'name', groups: [['a'], ['b']] };
    assert.deepEqual(resultsOf(userIs, of({ organizations: ['b'] }), wanted), ['met', 'met']);
    assert.deepEqual(resultsOf(userIs, of({ commonName: 'x', organizations: ['a', 'b'] }), wanted), ['unmet', 'unmet']);
    assert.deepEqual(resultsOf(userIs, { config: conf({}, { certificate: null }), named: null }, wanted), [
      'unmet',
      'unmet',
    ]);
    assert.deepEqual(resultsOf(userIs, { config: broken('/a.conf'), named: null }, wanted), ['unclear', 'unclear']);
  });
  it('are for an administrator whom a binding can stop', () => {
    const told = (...organizations: readonly string[]) =>
      resultsOf(adminCanBeStopped, { admin: of({ organizations }) }, undefined);
    assert.deepEqual(told('kubeadm:cluster-admins'), ['met']);
    assert.deepEqual(told('system:masters'), ['unmet']);
    assert.deepEqual(told('kubeadm:cluster-admins', 'system:masters'), ['unmet']);
    assert.deepEqual(told(), ['unmet']);
    assert.deepEqual(resultsOf(adminCanBeStopped, { admin: null }, undefined), []);
  });
  it('show what the signer of kubelets issues', () => {
    const told = (facts: Partial<CertificateFacts>) => resultsOf(kubeletAsSigned, of(facts), undefined);
    const names = { dns: [], email: [], ip: [], uri: [], other: 0 };
    assert.deepEqual(told({ extendedKeyUsage: ['clientAuth'] }), ['met', 'met']);
    for (const extendedKeyUsage of [['clientAuth', 'serverAuth'], ['any']])
      assert.deepEqual(told({ extendedKeyUsage, altNames: { ...names, dns: ['w-1'] } }), ['unmet', 'unmet']);
    assert.deepEqual(told({ extendedKeyUsage: ['clientAuth'], altNames: { ...names, ip: ['192.0.2.1'] } }), [
      'met',
      'unmet',
    ]);
  });
  it('lead by a link to what is renewed within a year', () => {
    const current = '/var/lib/kubelet/pki/kubelet-client-current.pem';
    const told = (path: string, link: object, life = 365): readonly string[] => {
      const pair = { kind: 'pair', certificate: certificate({ notAfter: NOW + life * DAY, notBefore: NOW }), pin: 'a' };
      const { file, ...rest } = at(path, pair as never);
      const named = { ...rest, file: file === null ? null : { ...file, ...link } };
      return resultsOf(kubeletRenews, { config: conf({}, { file: path, keyFile: path }), named }, undefined);
    };
    assert.deepEqual(told(current, { at: '/var/lib/kubelet/pki/a.pem' }), ['met', 'met']);
    assert.deepEqual(told(current, {}, 366), ['unmet', 'met']);
    assert.deepEqual(told(current, { at: '/a.pem' }, 367), ['met', 'unmet']);
    assert.ok(isRenewed(at(current, { kind: 'other' })));
    for (const other of [at('/own.pem', { kind: 'other' }), at(current, null)]) assert.ok(!isRenewed(other));
  });
  it('embed nothing beside what is renewed', () => {
    const named = conf({}, { certificate: null, file: '/a.pem', keyFile: '/a.pem' });
    assert.deepEqual(resultsOf(namesWhatIsRenewed, named, undefined), ['met']);
    assert.deepEqual(resultsOf(namesWhatIsRenewed, conf(), undefined), ['unmet']);
    assert.deepEqual(resultsOf(namesWhatIsRenewed, broken('/a.conf'), undefined), ['unclear']);
  });
  it('have a user that works, embedded or in a file of its own', () => {
    const with_ = { authority: root, now: NOW };
    const usable = { extendedKeyUsage: ['clientAuth'] };
    assert.deepEqual(resultsOf(userWorks, of(usable), with_), Array(5).fill('met'));
    assert.deepEqual(resultsOf(userWorks, of({ notAfter: 0 }, 'sha256:9'), with_), [
      'met',
      'unmet',
      'unmet',
      'unmet',
      'met',
    ]);
    const beside = {
      config: conf({}, { certificate: certificate(usable), hasToken: true, besides: ['exec'] }),
      named: null,
    };
    assert.deepEqual(resultsOf(userWorks, beside, with_).slice(3), ['met', 'unmet']);
    const path = '/var/lib/kubelet/pki/kubelet-client-current.pem';
    const config = conf({}, { certificate: null, pin: null, file: path });
    const pair = at(path, { kind: 'pair', certificate: certificate(usable), pin: 'sha256:1' });
    assert.deepEqual(resultsOf(userWorks, { config, named: pair }, with_), Array(5).fill('met'));
    const short = {
      config,
      named: at(path, { kind: 'pair', certificate: certificate(usable), pin: 'sha256:1', isShort: true }),
    };
    assert.deepEqual(resultsOf(userWorks, short, with_), ['met', 'met', 'met', 'unmet', 'met']);
    assert.equal(userWorks.judge(short, with_)[3]?.seen, 'it has fewer than 2048 bits');
    assert.deepEqual(new Set(resultsOf(userWorks, { config, named: null }, with_)), new Set(['unmet']));
    assert.deepEqual(new Set(resultsOf(userWorks, { config, named: broken(path) }, with_)), new Set(['unclear']));
  });
  it('trust the authority of the cluster', () => {
    const all = [conf(), conf({ authorities: ['ca', 'other'] }), conf({ authorities: [] })];
    assert.deepEqual(resultsOf(embedsAuthority, all, { authority: root }), ['met', 'unmet', 'unmet']);
    const own = conf({ embedsKey: true });
    assert.deepEqual(resultsOf(embedsAuthority, [own], { authority: root }), ['unmet']);
  });
  it("ask the machine's own server", () => {
    const own = { certificate: null, address: '192.0.2.10', port: '6443' };
    const all = [
      'https://192.0.2.10:6443',
      'https://127.0.0.1:6443',
      'https://10.96.0.1:443',
      'http://127.0.0.1:6443',
      '',
    ];
    assert.deepEqual(
      resultsOf(
        asksOwnServer,
        all.map((server) => conf({ server })),
        own,
      ),
      ['met', 'met', 'unmet', 'unmet', 'unmet'],
    );
    assert.deepEqual(resultsOf(asksOwnServer, [conf()], { ...own, address: '' }), ['unclear']);
  });
  it('ask directly', () => {
    assert.deepEqual(resultsOf(asksDirectly, [conf(), conf({ proxy: 'http://a' })], undefined), ['met', 'unmet']);
  });
  it('are not one user', () => {
    assert.deepEqual(resultsOf(differentUsers, [of({}), of({ pin: 'sha256:2' })], undefined), ['met']);
    assert.deepEqual(resultsOf(differentUsers, [of({}), of({})], undefined), ['unmet']);
  });
  it('hold one credential while a node bootstraps', () => {
    const none = { certificate: null, pin: null };
    const all = [conf({}, { ...none, hasToken: true }), conf(), conf({}, { hasToken: true }), conf({}, none)];
    assert.deepEqual(resultsOf(oneCredential, all, undefined), ['met', 'met', 'unmet', 'unmet']);
    const one = (user: Parameters<typeof conf>[1]) =>
      oneCredential
        .judge([conf({}, { certificate: null, ...user })], undefined)
        .map(({ result, seen }) => `${result} ${seen}`);
    const token = { hasToken: true };
    assert.deepEqual(one({ ...token, besides: ['username', 'password'] }), ['unmet a token and username and password']);
    assert.deepEqual(one({ besides: ['exec'] }), ['unmet exec']);
    assert.deepEqual(one({ ...token, isOddToken: true }), ['unmet a token that no server takes']);
  });
  it('are the node', () => {
    const told = (commonName: string, name = 'cp-1') => resultsOf(nodeUser, of({ commonName }), { name });
    assert.deepEqual(told('system:node:cp-1'), ['met']);
    assert.deepEqual(told('system:node:cp-1', ''), ['met']);
    for (const wrong of ['system:node:CP-1', 'system:node:', 'cp-1', 'system:node:other'])
      assert.deepEqual(told(wrong), ['unmet'], wrong);
    const called = (machine: string, commonName = 'system:node:cp-1') =>
      nodeUser.judge(of({ commonName }), { name: '', machine }).map(({ seen, result }) => `${result} ${seen}`);
    for (const sound of ['', 'cp-1', 'cp-1.example']) assert.deepEqual(called(sound), ['met system:node:cp-1'], sound);
    assert.deepEqual(called('cp-1', 'system:node:cp-1.example'), ['met system:node:cp-1.example']);
    assert.deepEqual(called('cp-2'), ['unmet system:node:cp-1, and its machine is called cp-2']);
    assert.deepEqual(resultsOf(nodeGroup, of({ organizations: ['system:nodes'] }), undefined), ['met']);
    assert.deepEqual(resultsOf(nodeGroup, of({ organizations: ['system:nodes', 'x'] }), undefined), ['unmet']);
  });
});
