import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceIn } from './kubelet-service.js';
import type { Seen } from './node-files.js';
import { readDisk } from './node-reader.js';
import {
  COMPONENTS,
  dataFolderOf,
  factsOf,
  furtherFolders,
  isUnjoined,
  LOOKED_AT,
  OTHERS,
  ofEtcd,
  type Wanted,
  whyNot,
} from './node-roles.js';
import type { Disk, FileSeen, Held } from './node-seen.js';
import { at, broken, certificate, conf, DAY, pod as manifest, NOW } from './node-seen.testing.js';

const API_SERVER = '/etc/kubernetes/manifests/kube-apiserver.yaml';
const CONFIG = '/var/lib/kubelet/config.yaml';
const pod = (spec: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const KUBELET = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';

type Given = Readonly<Record<string, string | { readonly unreadable: string }>>;
const why = (given: Given): string =>
  factsOf(
    readDisk(
      Object.entries(given).map(([path, content]) => ({
        path,
        kind: 'file' as const,
        ...(typeof content === 'string' ? { text: content } : content),
      })),
    ),
    Date.now(),
    [],
  ).why;

describe('what a node is', () => {
  it('is told by one manifest, or one file of a kubelet, that says something', () => {
    assert.equal(why({ [API_SERVER]: pod({ containers: [{ name: 'a', image: 'b:v1.36.1' }] }) }), '');
    assert.equal(why({ [CONFIG]: KUBELET }), '');
    assert.equal(why({ [API_SERVER]: { unreadable: 'it has no content' }, [CONFIG]: KUBELET }), '');
  });

  it('is not told by files that cannot be read, are cut off, or are keys alone', () => {
    assert.match(why({ [API_SERVER]: { unreadable: 'no regular file' } }), /kube-apiserver.yaml: no regular file\)/);
    assert.match(why({ [API_SERVER]: pod({ containers: [{ command: ['a'] }] }) }), /it is cut off/);
    assert.match(why({ [API_SERVER]: 'apiVersion: v1\nkind: Pod\nmetadata:\n  annot' }), /cannot be judged/);
    assert.match(
      why({ [API_SERVER]: { unreadable: 'too large' }, [CONFIG]: { unreadable: 'too large' } }),
      /too large, and 1 more say nothing either/,
    );
    const keys = Object.fromEntries(
      ['ca.key', 'sa.key', 'apiserver.key'].map((name) => [`/etc/kubernetes/pki/${name}`, 'x']),
    );
    assert.match(why(keys), /no such file lies there.*Give the whole of \/etc\/kubernetes and \/var\/lib\/kubelet/);
    assert.match(why({}), /nothing that kubeadm leaves/);
  });
});

const diskOf = (...seen: readonly Seen[]): Disk =>
  Object.fromEntries(seen.flatMap(({ file }): [string, FileSeen][] => (file === null ? [] : [[file.path, file]])));
const facts = (seen: readonly Seen[], others: readonly string[] = []) => factsOf(diskOf(...seen), NOW, others);
const OTHER: Held = { kind: 'other' };
const there = (...paths: readonly string[]): Seen[] => paths.map((path) => at(path, OTHER));
const pki = (...names: readonly string[]): Seen[] => there(...names.map((name) => `/etc/kubernetes/pki/${name}`));
const kubelet = at(CONFIG, { kind: 'settings', settings: {} });
const apiserver = (flags: Readonly<Record<string, string>> = {}, spec: object = {}): Seen =>
  manifest('kube-apiserver', flags, spec);
const kubeconfig = (name: string, commonName: string): Seen => {
  const { file } = conf({}, { certificate: certificate({ commonName }) });
  const path = `/etc/kubernetes/${name}.conf`;
  return { path, file: file === null ? null : { ...file, path } };
};

describe('the role of a node', () => {
  it('is told by its manifests, by what only control planes have, and by what kubelets have', () => {
    for (const component of COMPONENTS)
      assert.equal(facts([manifest(component, {})]).role, component === 'etcd' ? 'none' : 'control plane', component);
    for (const path of ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf', CONFIG])
      assert.equal(facts(there(path)).role, 'worker', path);
    assert.equal(facts(there('/var/lib/kubelet/kubeadm-flags.env')).role, 'none');
    const ofOne = [
      ...pki('apiserver.crt', 'apiserver.key', 'ca.key', 'sa.key', 'sa.pub', 'front-proxy-ca.crt'),
      ...there(...['admin', 'controller-manager', 'scheduler'].map((name) => `/etc/kubernetes/${name}.conf`)),
    ];
    for (let index = 0; index + 2 < ofOne.length; index += 1) {
      assert.equal(facts(ofOne.slice(index, index + 3)).role, 'control plane', String(index));
      assert.equal(facts([kubelet, ...ofOne.slice(index, index + 2)]).role, 'worker', String(index));
    }
    assert.equal(facts([kubelet, ...pki('ca.crt', 'other.key', 'x.crt')]).role, 'worker');
  });

  it('is none where another distribution has set it up, unless kubeadm was there', () => {
    for (const [path, name] of Object.entries(OTHERS)) {
      const { role, why: said } = facts([kubelet], [path]);
      assert.deepEqual([role, said], ['none', `the node was set up by ${name}, not by kubeadm`]);
    }
    assert.deepEqual(Object.keys(OTHERS).length, 7);
    assert.match(facts([kubelet], ['/else']).why, /set up by something else, not/);
    const flags: Held = { kind: 'flags', flags: {} };
    assert.equal(facts([kubelet, at('/var/lib/kubelet/kubeadm-flags.env', flags)], ['/etc/rancher/k3s']).why, '');
    const annotated = (key: string): Seen =>
      at('/etc/kubernetes/manifests/etcd.yaml', {
        kind: 'manifest',
        flags: {},
        pod: { metadata: { annotations: { [key]: 'x' } }, spec: {} },
      });
    const said = (key: string): string => facts([kubelet, annotated(key)], ['/etc/rancher/rke2']).why;
    assert.equal(said('kubeadm.kubernetes.io/etcd.advertise-client-urls'), '');
    assert.match(said('example.com/kubeadm.kubernetes.io/'), /RKE2/);
    assert.equal(facts([kubelet], []).role, 'worker');
  });

  it('is judged where anything of it says something, and the reason names what has ended', () => {
    for (const path of [
      '/etc/kubernetes/kubelet.conf',
      '/etc/kubernetes/bootstrap-kubelet.conf',
      CONFIG,
      '/var/lib/kubelet/kubeadm-flags.env',
    ])
      assert.equal(facts([broken('/etc/kubernetes/manifests/kube-scheduler.yaml'), ...there(path)]).why, '', path);
    assert.equal(facts([manifest('kube-scheduler', {})]).why, '');
    assert.equal(facts([manifest('kube-controller-manager', {})]).why, '');
    const without = manifest('kube-scheduler', {}, { containers: [{ image: '' }] });
    assert.match(facts([without]).why, /kube-scheduler\.yaml: it is cut off, or no manifest\)\. Give/);
    assert.match(facts([at('/etc/kubernetes/manifests/kube-scheduler.yaml', OTHER)]).why, /cannot be judged/);
    const ended = (name: string, notAfter: number): Seen =>
      at(`/etc/kubernetes/pki/${name}`, { kind: 'certificates', certificates: [certificate({ notAfter })] });
    const all = [broken(API_SERVER), ended('a.crt', NOW - DAY), ended('b.crt', NOW), ended('c.crt', NOW + DAY)];
    assert.ok(
      facts(all).why.endsWith(' Of the certificates there these have ended: /etc/kubernetes/pki/a.crt on 2025-12-31.'),
    );
    assert.ok(facts([broken(API_SERVER), ended('b.crt', NOW)]).why.endsWith('/var/lib/kubelet.'));
    const none = at('/etc/kubernetes/pki/d.crt', { kind: 'certificates', certificates: [] });
    assert.ok(facts([broken(API_SERVER), none]).why.endsWith('/var/lib/kubelet.'));
    const many = Array.from({ length: 7 }, (_, index) => ended(`${index}.crt`, NOW - DAY));
    assert.equal(facts([broken(API_SERVER), ...many]).why.match(/ on 2025-12-31/g)?.length, 5);
  });
});

describe('what is found out of a node', () => {
  it('is the folder that most flags name for certificates', () => {
    const folder = (
      flags: Readonly<Record<string, string>>,
      ofManager: Readonly<Record<string, string>> = {},
    ): string => facts([apiserver(flags), manifest('kube-controller-manager', ofManager)]).pki;
    assert.equal(folder({}), '/etc/kubernetes/pki');
    for (const flag of [
      'client-ca-file',
      'tls-cert-file',
      'tls-private-key-file',
      'kubelet-client-certificate',
      'proxy-client-cert-file',
      'service-account-key-file',
    ])
      assert.equal(folder({ [flag]: '/srv/pki/a.crt' }), '/srv/pki', flag);
    for (const flag of ['root-ca-file', 'service-account-private-key-file'])
      assert.equal(folder({}, { [flag]: '/srv/pki/a.crt' }), '/srv/pki', flag);
    assert.equal(
      folder({ 'etcd-cafile': '/srv/pki/a.crt', 'client-ca-file': 'ca.crt', 'tls-cert-file': '/a.crt' }),
      '/etc/kubernetes/pki',
    );
    const most = { 'client-ca-file': '/a/x', 'tls-cert-file': '/b/c/x', 'tls-private-key-file': '/b/c/y' };
    assert.equal(folder(most), '/b/c');
    assert.equal(folder({ 'client-ca-file': '/b/x', 'tls-cert-file': '/b/y', 'tls-private-key-file': '/a/y' }), '/b');
  });

  it('is its name: as it is overridden, as etcd calls it, or as its certificate does', () => {
    const own = kubeconfig('kubelet', 'system:node:worker-1');
    const etcd = manifest('etcd', { name: 'cp-1' });
    const env = (flags: Readonly<Record<string, string>>): Seen =>
      at('/var/lib/kubelet/kubeadm-flags.env', { kind: 'flags', flags });
    assert.equal(facts([]).name, '');
    assert.equal(facts([own]).name, 'worker-1');
    assert.equal(facts([kubeconfig('kubelet', 'a-system:node:b')]).name, 'a-system:node:b');
    assert.equal(facts([own, etcd]).name, 'cp-1');
    assert.equal(facts([own, etcd, env({ 'hostname-override': 'other' })]).name, 'other');
    assert.equal(facts([own, etcd, env({})]).name, 'cp-1');
    const service = '[Service]\nEnvironmentFile=/etc/kubernetes/kubelet.env\nExecStart=/usr/bin/kubelet $NAMED --v=2';
    const unit = at('/etc/systemd/system/kubelet.service', { kind: 'service', service: serviceIn(service) });
    const told = at('/etc/kubernetes/kubelet.env', {
      kind: 'environment',
      variables: { NAMED: '--hostname-override=by-unit' },
    });
    assert.equal(facts([own, etcd, unit, told]).name, 'by-unit');
    assert.equal(facts([own, broken('/var/lib/kubelet/kubeadm-flags.env')]).name, 'worker-1');
    assert.equal(facts([kubeconfig('admin', 'system:node:worker-1')]).name, '');
  });

  it('is the minor of its API server', () => {
    const minor = (image: unknown) => facts([apiserver({}, { containers: [{ image }] })]).minor;
    assert.equal(minor('registry.k8s.io/kube-apiserver:v1.36.1'), 36);
    assert.equal(minor('a:5000/kube-apiserver:v1.7.12-custom.1'), 7);
    assert.equal(minor('registry.k8s.io/kube-apiserver:latest'), null);
    assert.equal(minor('registry.k8s.io/kube-apiserver:v1.36'), null);
    assert.equal(minor(3), null);
    assert.equal(facts([apiserver({}, { containers: {} })]).minor, null);
    assert.equal(facts([manifest('kube-scheduler', {})]).minor, null);
  });

  it('is whose its files may be: of root, and of those that its components run as', () => {
    const foreign = ({ path, file }: Seen): Seen => ({ path, file: file === null ? null : { ...file, owner: 1000 } });
    assert.equal(facts([foreign(kubelet)]).owners, null);
    assert.deepEqual(facts([foreign(kubelet), kubelet, apiserver()]).owners, [0]);
    const as = (runAsUser: unknown) => ({ securityContext: { runAsUser } });
    const spec = { ...as(2000), containers: [as(2001), as('2002'), as(2000)] };
    assert.deepEqual(facts([apiserver({}, spec), manifest('etcd', {}, as(2003))]).owners, [0, 2000, 2001, 2003]);
  });

  it('is where its etcd is', () => {
    const etcd = (flags: Readonly<Record<string, string>>, ...more: readonly Seen[]) =>
      facts([apiserver(flags), ...more]).etcd;
    const urls = (value: string, more: Readonly<Record<string, string>> = {}) => ({ 'etcd-servers': value, ...more });
    assert.equal(etcd({}), 'own');
    for (const own of [
      'https://127.0.0.1:2379',
      'https://localhost:2379',
      'https://[::1]:2379',
      'https://10.0.0.9:1,http://127.0.0.2:1',
    ])
      assert.equal(etcd(urls(own)), 'own', own);
    assert.equal(etcd(urls('https://10.0.0.9:2379')), 'elsewhere');
    assert.equal(etcd(urls('https://10.0.0.9:2379,https://10.0.0.8:2379')), 'elsewhere');
    assert.equal(etcd(urls('https://10.0.0.9:2379', { 'advertise-address': '10.0.0.9' })), 'own');
    assert.equal(etcd(urls('https://10.0.0.99:2379', { 'advertise-address': '10.0.0.9' })), 'elsewhere');
    assert.equal(etcd(urls('https://[fd00::9]:2379', { 'advertise-address': 'fd00::9' })), 'own');
    assert.equal(etcd(urls('https://10.0.0.9:2379'), manifest('etcd', {})), 'own');
  });

  it('is a machine that has not joined yet where it has nothing but what it bootstraps with', () => {
    const { file } = conf();
    const path = '/etc/kubernetes/bootstrap-kubelet.conf';
    const bootstrap: Seen = { path, file: file === null ? null : { ...file, path } };
    const is = (...seen: readonly Seen[]): boolean => isUnjoined(facts([kubelet, ...seen]));
    assert.equal(is(bootstrap), true);
    assert.equal(is(bootstrap, ...there('/var/lib/kubelet/pki/kubelet.crt')), true);
    assert.equal(is(), false);
    assert.equal(is(at(path, OTHER)), false);
    for (const name of ['/etc/kubernetes/kubelet.conf', '/var/lib/kubelet/pki/kubelet-client-current.pem'])
      assert.equal(is(bootstrap, ...there(name)), false, name);
    assert.equal(is(bootstrap, apiserver()), false);
  });

  it('is whether the key of its CA is kept elsewhere', () => {
    const authority = (flags: Readonly<Record<string, string>>, ...names: readonly string[]) =>
      facts([manifest('kube-controller-manager', flags), ...pki(...names)]).authority;
    const NO_KEY = { 'cluster-signing-key-file': '' };
    assert.equal(authority(NO_KEY, 'ca.crt'), 'elsewhere');
    assert.equal(authority(NO_KEY), 'here');
    assert.equal(authority(NO_KEY, 'ca.crt', 'ca.key'), 'here');
    assert.equal(authority({}, 'ca.crt'), 'elsewhere');
    assert.equal(authority({ 'cluster-signing-legacy-unknown-key-file': '/a' }, 'ca.crt'), 'here');
    assert.equal(authority({ 'my-cluster-signing-key-file': '/a' }, 'ca.crt'), 'elsewhere');
    assert.equal(facts([...pki('ca.crt')]).authority, 'here');
    assert.equal(authority({ 'cluster-signing-key-file': '/a' }, 'ca.crt'), 'here');
  });

  it('is where etcd keeps its data, and what is read besides', () => {
    const etcd = (data: string) => diskOf(manifest('etcd', { 'data-dir': data }));
    assert.equal(dataFolderOf(diskOf()), '/var/lib/etcd');
    assert.equal(dataFolderOf(etcd('/srv/etcd/')), '/srv/etcd');
    assert.deepEqual(furtherFolders(diskOf()), []);
    assert.deepEqual(furtherFolders(etcd('/var/lib/etcd/')), []);
    assert.deepEqual(furtherFolders(etcd('/srv/etcd')), ofEtcd('/srv/etcd'));
    for (const odd of ['srv/etcd', '/srv/*', 'x/srv', '/']) assert.deepEqual(furtherFolders(etcd(odd)), [], odd);
    assert.deepEqual(furtherFolders(diskOf(apiserver({ 'client-ca-file': '/srv/pki/ca.crt' }))), ['/srv/pki']);
    assert.deepEqual(furtherFolders(diskOf(apiserver({ 'client-ca-file': '/etc/kubernetes/tls/ca.crt' }))), []);
    assert.deepEqual(ofEtcd('/a'), [
      '/a/',
      '/a/member/',
      '/a/member/snap/',
      '/a/member/snap/db/',
      '/a/member/wal/',
      '/a/member/wal/*.wal/',
    ]);
  });

  it('is looked for at these places', () => {
    for (const path of [
      '/etc/kubernetes',
      '/var/lib/kubelet/',
      '/var/lib/kubelet/device-plugins/',
      '/var/lib/kubelet/plugins_registry/',
      '/var/lib/kubelet/plugins/',
      '/var/lib/kubelet/pods/',
      '/var/lib/kubelet/config.yaml',
      '/var/lib/kubelet/instance-config.yaml',
      '/var/lib/kubelet/kubeadm-flags.env',
      '/var/lib/kubelet/pki',
      '/etc/systemd/system/kubelet.service',
      '/etc/systemd/system/kubelet.service.d',
      '/usr/lib/systemd/system/kubelet.service',
      '/etc/default/kubelet',
      '/etc/cni/net.d/',
      '/etc/cni/net.d/*',
      '/opt/cni/bin/',
      '/etc/systemd/system/etcd.service/',
      '/etc/etcd/',
      '/etc/etcd.env/',
      '/etc/default/etcd/',
      '/var/lib/etcd/',
      '/var/lib/etcd/member/wal/*.wal/',
    ])
      assert.ok(LOOKED_AT.includes(path), path);
  });
});

describe('what a scenario is about', () => {
  const worker = facts([kubelet]);
  const own = facts([kubelet, apiserver({ 'etcd-servers': 'https://127.0.0.1:2379' }), manifest('etcd', {})]);
  const elsewhere = facts([
    apiserver({ 'etcd-servers': 'https://10.0.0.9:2379' }),
    manifest('kube-controller-manager', { 'cluster-signing-key-file': '' }),
    ...pki('ca.crt'),
  ]);
  const said = (wanted: Wanted): string[] => [worker, own, elsewhere].map((node) => whyNot(node, wanted));

  it('is a node of that kind, and the reason names the other kind', () => {
    const NO_PLANE = 'the node is a worker, which has no control plane';
    assert.deepEqual(said('a node'), ['', '', '']);
    assert.deepEqual(said('a worker'), ['', 'the node is a control plane', 'the node is a control plane']);
    assert.deepEqual(said('a control plane'), [NO_PLANE, '', '']);
    assert.deepEqual(said('a control plane with its own etcd'), [
      NO_PLANE,
      '',
      'etcd runs elsewhere, and has no files here',
    ]);
    assert.deepEqual(said('a control plane whose etcd is elsewhere'), [
      NO_PLANE,
      'the API server asks etcd on the machine itself',
      '',
    ]);
    assert.deepEqual(said('a control plane with its own CA'), [
      NO_PLANE,
      '',
      "the key of the cluster's CA is kept elsewhere (external CA mode)",
    ]);
    assert.match(whyNot(facts([]), 'a node'), /^nothing that kubeadm leaves on a node lies there: no manifest of a/);
  });

  it('has a worker keep its CA where its kubelet is told of one, if that is the only one', () => {
    const ca = (folder: string, digest = 'ca') =>
      at(`${folder}/ca.crt`, { kind: 'certificates', certificates: [{ ...certificate({ ca: true }), digest }] });
    const [USUAL, OWN] = ['/etc/kubernetes/pki', '/etc/kubernetes/ssl'];
    const told = (path: string, ...more: readonly Seen[]) =>
      facts([at(CONFIG, { kind: 'settings', settings: { authentication: { x509: { clientCAFile: path } } } }), ...more])
        .pki;
    assert.equal(told(`${OWN}/ca.crt`, ca(OWN)), OWN);
    assert.equal(told(`${OWN}/ca.crt`, ca(OWN), ca(USUAL)), OWN);
    assert.equal(told(`${OWN}/ca.crt`, ca(OWN), ca(USUAL, 'another')), USUAL);
    assert.equal(told(`${OWN}/ca.crt`), USUAL);
    assert.equal(told(`${OWN}/ca.crt`, ...there(`${OWN}/ca.crt`)), USUAL);
    assert.equal(told(`${OWN}/other.crt`, at(`${OWN}/other.crt`, { kind: 'certificates', certificates: [] })), USUAL);
    assert.equal(told('', ca(OWN)), USUAL);
  });

  it('has etcd elsewhere where somebody else than kubeadm runs it on the machine', () => {
    const asks = (authority: string, ...more: Parameters<typeof facts>[0]) =>
      facts([
        apiserver({
          'etcd-servers': 'https://10.0.0.1:2379',
          'advertise-address': '10.0.0.1',
          ...(authority === '' ? {} : { 'etcd-cafile': authority }),
        }),
        ...more,
      ]).etcd;
    assert.equal(asks('/etc/ssl/etcd/ssl/ca.pem'), 'elsewhere');
    // kubeadm's own files, or the flag that names them, say that its etcd has been here
    assert.equal(asks('/etc/ssl/etcd/ssl/ca.pem', ...pki('etcd/server.crt')), 'own');
    assert.equal(asks('/etc/ssl/etcd/ssl/ca.pem', manifest('etcd', {})), 'own');
    assert.equal(asks('/etc/kubernetes/pki/etcd/ca.crt'), 'own');
    assert.equal(asks(''), 'own');
  });
});
