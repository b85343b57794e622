import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { judged as judgedBy } from '../common/judged.testing.js';
import type { FileSeen, Held, Machine } from './joined-files-reader.js';
import { certificatesApart, certificatesIssued, kubeconfigsIssued } from './joined-issued.js';
import { untouchedMachine } from './joined-machine.testing.js';

const PKI = '/etc/kubernetes/pki/';
const file = (path: string, held: Held): FileSeen => ({ path, mode: 0o600, digest: 'd', held });
const told = (check: Check<readonly Machine[]>, ...left: FileSeen[]): string =>
  judgedBy(check, [{ ...untouchedMachine, left }], undefined)
    .map(({ result, seen }) => `${result}: ${seen}`)
    .join();

describe('certificates of a control plane that joins', () => {
  const NAMES: Readonly<Record<string, string>> = {
    apiserver: 'kube-apiserver',
    'apiserver-kubelet-client': 'kube-apiserver-kubelet-client',
    'front-proxy-client': 'front-proxy-client',
    'apiserver-etcd-client': 'kube-apiserver-etcd-client',
    'etcd/server': 'worker-9',
    'etcd/peer': 'worker-9',
    'etcd/healthcheck-client': 'kube-etcd-healthcheck-client',
  };
  const certificate = (
    name: string,
    issuedBy?: string,
    more: Partial<Extract<Held, { kind: 'certificates' }>> = { commonName: NAMES[name] ?? '' },
  ): FileSeen =>
    file(`${PKI}${name}.crt`, {
      kind: 'certificates',
      isTrueCa: false,
      certificate: 'sha256:0',
      key: '',
      ...(issuedBy === undefined ? {} : { issuedBy }),
      ...more,
    });
  const key = (name: string, pin = 'sha256:0'): FileSeen =>
    file(`${PKI}${name}.key`, { kind: 'key', certificate: '', key: pin });

  for (const [name, issuer] of [
    ['apiserver', 'ca.crt'],
    ['apiserver-kubelet-client', 'ca.crt'],
    ['front-proxy-client', 'front-proxy-ca.crt'],
    ['apiserver-etcd-client', 'etcd/ca.crt'],
    ['etcd/server', 'etcd/ca.crt'],
    ['etcd/peer', 'etcd/ca.crt'],
    ['etcd/healthcheck-client', 'etcd/ca.crt'],
  ] as const)
    it(`are of ${issuer}: ${name}`, () => {
      const ofAnother = { ...untouchedMachine, ownWays: true as const };
      const by = (other?: string): string =>
        judgedBy(certificatesIssued, [{ ...ofAnother, left: [certificate(name, other), key(name)] }], undefined)
          .map(({ result, seen }) => `${result}: ${seen}`)
          .join();
      assert.equal(by(issuer), 'met: it is, and does');
      assert.equal(by('other.crt'), 'unmet: issued by other.crt');
      assert.equal(by(), 'unmet: issued by nobody whom control planes share');
    });
  it('lie beside their keys', () => {
    const own = certificate('apiserver', 'ca.crt');
    assert.equal(told(certificatesIssued, own), 'unmet: without its key');
    assert.equal(told(certificatesIssued, own, key('apiserver', 'sha256:1')), 'unmet: beside another key');
    assert.equal(
      told(certificatesIssued, certificate('apiserver'), key('etcd/peer')),
      'unmet: issued by nobody whom control planes share, without its key',
    );
  });
  it('are of those whom others know, and for a year', () => {
    const own = (more: Partial<Extract<Held, { kind: 'certificates' }>>): string =>
      told(certificatesIssued, certificate('apiserver', 'ca.crt', more), key('apiserver'));
    assert.equal(own({ commonName: 'kube-apiserver', days: 398 }), 'met: it is, and does');
    assert.equal(own({ commonName: 'kube-apiserver', days: 399 }), 'unmet: for 399 days');
    assert.equal(own({ commonName: 'kube-apiserver', days: 7 }), 'met: it is, and does');
    assert.equal(own({ commonName: 'kube-apiserver', days: 6 }), 'unmet: for 6 days');
    assert.equal(own({ commonName: 'a' }), 'unmet: of a');
    assert.equal(own({ commonName: 'kube-apiserver', algorithm: 'RSA-2048' }), 'met: it is, and does');
    for (const algorithm of ['RSA-512', 'RSA-1024', 'RSA-1999'])
      assert.equal(own({ commonName: 'kube-apiserver', algorithm }), `unmet: with a key of ${algorithm}`);
    assert.equal(own({}), 'unmet: of nobody');
  });
  it('of its etcd are of the machine by its name', () => {
    const left = [certificate('etcd/server', 'etcd/ca.crt', { commonName: 'a.b' }), key('etcd/server')];
    const seenOf = (machine: Partial<Machine>) =>
      judgedBy(certificatesIssued, [{ ...untouchedMachine, ownWays: true, ...machine, left }], undefined).map(
        ({ seen }) => seen,
      );
    assert.deepEqual(seenOf({ node: 'a.b' }), ['it is, and does']);
    assert.deepEqual(seenOf({}), ['of a.b']);
  });
  it('of its etcd are all there, and none is for any host', () => {
    const four = ['apiserver-etcd-client', 'etcd/server', 'etcd/peer', 'etcd/healthcheck-client'];
    const pair = (name: string) => [certificate(name, 'etcd/ca.crt'), key(name)];
    for (const lacking of four) {
      const left = four.filter((name) => name !== lacking).flatMap(pair);
      assert.deepEqual(told(certificatesIssued, ...left).match(/unmet: [^,]*/g), ['unmet: there is none'], lacking);
      const own = judgedBy(certificatesIssued, [{ ...untouchedMachine, ownWays: true, left }], undefined);
      assert.equal(
        own.every(({ result }) => result === 'met'),
        true,
      );
    }
    // one of the cluster's own etcd is elsewhere
    assert.equal(told(certificatesIssued, ...pair('apiserver-etcd-client')), 'met: it is, and does');
    const names = { commonName: 'worker-9', names: ['worker-9', '*.example'] };
    const many = told(certificatesIssued, certificate('etcd/peer', 'etcd/ca.crt', names), key('etcd/peer'));
    assert.match(many, /unmet: for \*\.example/);
  });
  it('have a key each', () => {
    const pinned = (name: string, pin: string) => [certificate(name, 'ca.crt', { certificate: pin }), key(name, pin)];
    const [serving, asking] = [pinned('apiserver', 'sha256:1'), pinned('apiserver-kubelet-client', 'sha256:2')];
    assert.equal(told(certificatesApart, ...serving, ...asking), 'met: none of 2 is');
    assert.equal(told(certificatesApart), '');
    assert.equal(told(certificatesApart, ...serving, key('ca', 'sha256:1')), 'unmet: that of apiserver.crt is ca.key');
    assert.equal(
      told(certificatesApart, ...serving, ...pinned('front-proxy-client', 'sha256:1')),
      'unmet: that of apiserver.crt is front-proxy-client.key, that of front-proxy-client.crt is apiserver.key',
    );
    const certified = { ...untouchedMachine, left: serving };
    const ofKubelet = (pin: string) =>
      judgedBy(certificatesApart, [{ ...certified, certified: pin }], undefined).map(({ seen }) => seen);
    assert.deepEqual(ofKubelet('sha256:1'), ["that of apiserver.crt is its kubelet's"]);
    assert.deepEqual(ofKubelet('sha256:2'), ['none of 1 is']);
    // a copy elsewhere is of other rules
    assert.equal(
      told(certificatesApart, ...serving, file('/var/tmp/a.key', { kind: 'key', certificate: '', key: 'sha256:1' })),
      'met: none of 1 is',
    );
  });
  it('may have one for both ends of etcd, where a client has ways of its own', () => {
    const pinned = (name: string) => [certificate(name, 'etcd/ca.crt'), key(name)];
    const judged = (machine: Partial<Machine>, ...names: readonly string[]) =>
      judgedBy(certificatesApart, [{ ...untouchedMachine, ...machine, left: names.flatMap(pinned) }], undefined).map(
        ({ result }) => result,
      );
    assert.deepEqual(judged({ ownWays: true }, 'etcd/server', 'etcd/peer'), ['met']);
    assert.deepEqual(judged({}, 'etcd/server', 'etcd/peer'), ['unmet']);
    assert.deepEqual(judged({ ownWays: true }, 'etcd/server', 'etcd/healthcheck-client'), ['unmet']);
  });
  it('are others of which nothing is known', () => assert.equal(told(certificatesIssued, certificate('other')), ''));
});

describe('kubeconfigs of a control plane that joins', () => {
  type Kubeconfig = Extract<Held, { kind: 'kubeconfig' }>;
  const pair = { inline: { certificate: 'sha256:0', key: 'sha256:0' } };
  const kubeconfig = (name: string, who: string, more: Partial<Kubeconfig> = {}): FileSeen =>
    file(`/etc/kubernetes/${name}.conf`, {
      kind: 'kubeconfig',
      cluster: 'kubernetes',
      server: 's',
      user: 'u',
      context: 'x',
      isOneCluster: true,
      besides: [],
      isTrueCa: true,
      shows: 'a certificate',
      certificate: pair,
      key: pair,
      who,
      issuedBy: 'ca.crt',
      ...more,
    });
  const SCHEDULER = 'CN=system:kube-scheduler';
  const OTHERS = [
    kubeconfig('admin', 'O=kubeadm:cluster-admins, CN=kubernetes-admin'),
    kubeconfig('controller-manager', 'CN=system:kube-controller-manager'),
  ];
  const one = (more: Partial<Kubeconfig>): string =>
    told(kubeconfigsIssued, ...OTHERS, kubeconfig('scheduler', SCHEDULER, more)).replace(/^(?:met: so it is,){2}/, '');

  it('are of those that they are for', () => {
    const all = [...OTHERS, kubeconfig('scheduler', SCHEDULER)];
    const none = 'unmet: there is none';
    assert.equal(told(kubeconfigsIssued, ...all), 'met: so it is,met: so it is,met: so it is');
    assert.equal(told(kubeconfigsIssued, kubeconfig('admin', SCHEDULER)), `unmet: ${SCHEDULER},${none},${none}`);
    const { who: _, ...nobody } = kubeconfig('scheduler', '').held as Kubeconfig;
    assert.equal(
      told(kubeconfigsIssued, file('/etc/kubernetes/scheduler.conf', nobody)),
      `${none},${none},unmet: nobody`,
    );
    assert.equal(told(kubeconfigsIssued, kubeconfig('kubelet', 'CN=a')), '');
  });
  it('are of the authority of the cluster, with their keys, and believe it alone', () => {
    assert.equal(one({}), 'met: so it is');
    assert.equal(one({ issuedBy: 'etcd/ca.crt' }), 'unmet: issued by another authority');
    assert.equal(one({ isTrueCa: false }), 'unmet: another CA');
    assert.equal(one({ besides: ['proxy-url'] }), 'unmet: proxy-url');
    const other = { inline: { certificate: 'sha256:0', key: 'sha256:1' } };
    for (const key of [other, { file: 'own.key' }]) assert.equal(one({ key }), 'unmet: no key of its certificate');
    assert.equal(one({ certificate: { file: 'own.crt' } }), 'unmet: no key of its certificate');
  });
});
