/** What an earlier init has left, and what was done to it. */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { doneTo, leftBehind, type Texts } from './earlier-init.js';

const HOME = '/etc/kubernetes/';
const all = leftBehind('');
const text = (path: string, texts: Texts = all): string => texts[HOME + path] ?? assert.fail(`there is no ${path}`);
const certificate = (path: string, texts: Texts = all): X509Certificate => new X509Certificate(text(path, texts));
const subject = ({ subject: name }: X509Certificate): string => name.split('\n').sort().join();
const USAGES: Readonly<Record<string, string>> = { '1.3.6.1.5.5.7.3.1': 'server', '1.3.6.1.5.5.7.3.2': 'client' };
const usages = ({ keyUsage = [] }: X509Certificate): string => [...keyUsage].map((id) => USAGES[id] ?? id).join();
const isOf = (pem: string, key: string): boolean => new X509Certificate(pem).checkPrivateKey(createPrivateKey(key));
interface Kubeconfig {
  readonly clusters: readonly [{ readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }];
  readonly contexts: readonly [{ readonly name: string; readonly context: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly name: string; readonly user: Readonly<Record<string, string>> }];
  readonly 'current-context': string;
}
const kubeconfig = (name: string, texts: Texts = all) => JSON.parse(text(`${name}.conf`, texts)) as Kubeconfig;
const decoded = (value: unknown): string => Buffer.from(String(value), 'base64').toString('utf8');

describe('what an earlier init has left', () => {
  it('is pairs of authorities and of those whom they have issued, by their names', () => {
    const pairs = Object.keys(all).filter((path) => path.endsWith('.crt'));
    const own = 'DNS:cp-1, DNS:localhost, IP Address:192.0.2.10, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1';
    const cluster = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
    const served = cluster.map((end) => `DNS:kubernetes${end}`).join(', ');
    assert.deepEqual(
      Object.fromEntries(
        pairs.map((path) => {
          const name = path.slice(HOME.length, -'.crt'.length);
          const one = certificate(`${name}.crt`);
          assert.ok(isOf(text(`${name}.crt`), text(`${name}.key`)), name);
          const issuer = one.issuer.replace('CN=', '');
          return [name, [subject(one), issuer, one.ca ? 'an authority' : usages(one), one.subjectAltName ?? '']];
        }),
      ),
      {
        'pki/ca': ['CN=kubernetes', 'kubernetes', 'an authority', 'DNS:kubernetes'],
        'pki/front-proxy-ca': ['CN=front-proxy-ca', 'front-proxy-ca', 'an authority', 'DNS:front-proxy-ca'],
        'pki/etcd/ca': ['CN=etcd-ca', 'etcd-ca', 'an authority', 'DNS:etcd-ca'],
        'pki/apiserver': [
          ...['CN=kube-apiserver', 'kubernetes', 'server'],
          `DNS:cp-1, ${served}, IP Address:10.96.0.1, IP Address:192.0.2.10`,
        ],
        'pki/apiserver-kubelet-client': [
          ...['CN=kube-apiserver-kubelet-client,O=kubeadm:cluster-admins', 'kubernetes', 'client', ''],
        ],
        'pki/front-proxy-client': ['CN=front-proxy-client', 'front-proxy-ca', 'client', ''],
        'pki/etcd/server': ['CN=cp-1', 'etcd-ca', 'server,client', own],
        'pki/etcd/peer': ['CN=cp-1', 'etcd-ca', 'server,client', own],
        'pki/etcd/healthcheck-client': ['CN=kube-etcd-healthcheck-client', 'etcd-ca', 'client', ''],
        'pki/apiserver-etcd-client': ['CN=kube-apiserver-etcd-client', 'etcd-ca', 'client', ''],
      },
    );
    const accounts = createPublicKey(createPrivateKey(text('pki/sa.key'))).export({ type: 'spki', format: 'pem' });
    assert.equal(text('pki/sa.pub').trim(), accounts.toString().trim());
    assert.equal(Object.keys(all).length, 2 * pairs.length + 2 + 5);
  });

  it('is kubeconfigs of its users', () => {
    for (const [name, who] of [
      ['admin', 'CN=kubernetes-admin,O=kubeadm:cluster-admins'],
      ['super-admin', 'CN=kubernetes-super-admin,O=system:masters'],
      ['kubelet', 'CN=system:node:cp-1,O=system:nodes'],
      ['controller-manager', 'CN=system:kube-controller-manager'],
      ['scheduler', 'CN=system:kube-scheduler'],
    ] as const) {
      const { clusters, contexts, users, 'current-context': current } = kubeconfig(name);
      const [{ cluster }, [{ user, name: userName }], [{ context, name: contextName }]] = [
        clusters[0],
        users,
        contexts,
      ];
      const { 'client-certificate-data': data, 'client-key-data': key } = user;
      const own = new X509Certificate(decoded(data));
      assert.deepEqual([subject(own), usages(own), own.issuer], [who, 'client', 'CN=kubernetes']);
      assert.ok(isOf(decoded(data), decoded(key)));
      assert.equal(decoded(cluster['certificate-authority-data']), text('pki/ca.crt'));
      assert.equal(cluster.server, 'https://192.0.2.10:6443');
      assert.deepEqual([clusters[0].name, context.cluster, context.user], ['kubernetes', 'kubernetes', userName]);
      assert.deepEqual([current, contextName], [`${userName}@kubernetes`, `${userName}@kubernetes`]);
      assert.equal(`CN=${userName}`, who.split(',')[0]);
    }
  });

  it('is what begins with any of the names that are asked for', () => {
    const names = Object.keys(leftBehind('pki/ca.', 'admin')).sort();
    assert.deepEqual(names, [`${HOME}admin.conf`, `${HOME}pki/ca.crt`, `${HOME}pki/ca.key`]);
    assert.deepEqual(leftBehind(), {});
    assert.deepEqual(leftBehind('none'), {});
  });
});

describe('what was done to it', () => {
  const done = (path: string, deed: string): Texts => doneTo(all, path, deed) ?? assert.fail(deed);
  const DAY = 86_400_000;
  const near = (date: string, days: number): boolean => Math.abs(Date.parse(date) - Date.now() - days * DAY) < DAY / 2;
  const YEARS = 3650;

  it('is done to that file alone, and to none that is not there', () => {
    for (const deed of ['is gone', 'is garbage', "is another cluster's", 'has expired']) {
      const { [`${HOME}pki/ca.crt`]: _, ...kept } = done('pki/ca.crt', deed);
      const { [`${HOME}pki/ca.crt`]: __, ...before } = all;
      assert.deepEqual(kept, before);
    }
    assert.equal(doneTo(all, 'pki/none.crt', 'is gone'), undefined);
    assert.equal(doneTo(all, 'pki/ca.crt', 'is nothing that is known'), undefined);
    assert.ok(!(`${HOME}pki/ca.crt` in done('pki/ca.crt', 'is gone')));
    assert.equal(text('pki/ca.crt', done('pki/ca.crt', 'is garbage')), 'garbage\n');
  });

  it('makes it that of another cluster, or puts that behind it', () => {
    const another = text('pki/ca.crt', done('pki/ca.crt', "is another cluster's"));
    assert.notEqual(another, text('pki/ca.crt'));
    assert.equal(subject(new X509Certificate(another)), 'CN=kubernetes');
    assert.equal(text('pki/ca.crt', done('pki/ca.crt', 'has another behind it')), text('pki/ca.crt') + another);
  });

  it('makes its dates others, of the same key and names', () => {
    for (const name of ['pki/ca', 'pki/apiserver'])
      for (const [deed, from, to] of [
        ['has expired', -400, -35],
        ['is not valid yet', 1, YEARS],
      ] as const) {
        const one = certificate(`${name}.crt`, done(`${name}.crt`, deed));
        assert.equal(subject(one), subject(certificate(`${name}.crt`)));
        assert.equal(one.ca, name === 'pki/ca');
        assert.ok(
          near(one.validFrom, from) && near(one.validTo, to),
          `${name} ${deed}: ${one.validFrom} ${one.validTo}`,
        );
        if (name === 'pki/ca') assert.ok(isOf(one.toString(), text('pki/ca.key')));
        else assert.equal(one.subjectAltName, certificate(`${name}.crt`).subjectAltName);
      }
    const none = certificate('pki/ca.crt', done('pki/ca.crt', 'is no authority'));
    assert.equal(none.ca, false);
    assert.ok(near(none.validFrom, -1) && near(none.validTo, YEARS));
    assert.ok(isOf(none.toString(), text('pki/ca.key')));
  });

  it('signs it through another authority, which stands behind it', () => {
    const chain = text('pki/apiserver.crt', done('pki/apiserver.crt', 'is signed through another'));
    const [leaf, between] = chain.split(/(?<=-----END CERTIFICATE-----\n)/).map((pem) => new X509Certificate(pem));
    assert.ok(leaf !== undefined && between !== undefined);
    assert.deepEqual([subject(leaf), leaf.issuer, leaf.ca], ['CN=kube-apiserver', 'CN=between', false]);
    assert.deepEqual([subject(between), between.issuer, between.ca], ['CN=between', 'CN=kubernetes', true]);
    assert.ok(leaf.verify(between.publicKey) && between.verify(certificate('pki/ca.crt').publicKey));
  });

  it('makes a kubeconfig another in one place', () => {
    const before = kubeconfig('admin');
    const after = (deed: string): Kubeconfig => kubeconfig('admin', done('admin.conf', deed));
    const [{ cluster, name }] = before.clusters;
    const { 'certificate-authority-data': _, ...plain } = cluster;
    const clusters = (given: object) => [{ name, cluster: given }];
    assert.deepEqual(after('has its authority in a file'), {
      ...before,
      clusters: clusters({ ...plain, 'certificate-authority': '/etc/kubernetes/pki/ca.crt' }),
    });
    assert.deepEqual(after('has no authority'), {
      ...before,
      clusters: clusters({ ...plain, 'insecure-skip-tls-verify': false }),
    });
    assert.deepEqual(after('asks another server'), {
      ...before,
      clusters: clusters({ ...cluster, server: 'https://192.0.2.77:6443' }),
    });
    const [{ context, name: contextName }] = before.contexts;
    assert.deepEqual(after('has no cluster'), {
      ...before,
      contexts: [{ name: contextName, context: { ...context, cluster: 'none' } }],
    });
    assert.deepEqual(after('has no context'), { ...before, 'current-context': 'none' });
  });
});
