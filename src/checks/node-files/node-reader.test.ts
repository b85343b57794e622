import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAuthority, issue } from '../../pki/authority.js';
import { encodePem } from '../../pki/pem.js';
import { pinOf } from '../certificates/signature.js';
import { DAMAGED, digestOf, readDisk } from './node-reader.js';
import type { Entry, FileSeen, Held } from './node-seen.js';

const NOW = Date.UTC(2026, 0, 1);
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const other = createAuthority({ commonName: 'etcd-ca', key: 'ECDSA-P256', now: NOW });
const pairOf = (key: KeyObject): { readonly pem: string; readonly publicPem: string; readonly pin: string } => {
  const own = createPublicKey(key);
  return {
    pem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicPem: own.export({ type: 'spki', format: 'pem' }).toString(),
    pin: pinOf(own.export({ type: 'spki', format: 'der' })),
  };
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const [RSA, EC] = [pairOf(rsa), pairOf(ec)];
const leaf = issue(ca, {
  subject: { commonName: 'system:node:a' },
  publicKey: ec,
  notBefore: NOW,
  notAfter: NOW + 1e9,
});
const encoded = (value: string): string => Buffer.from(value).toString('base64');

const entry = (path: string, text?: string, more: Partial<Entry> = {}): Entry => ({
  path,
  kind: 'file',
  ...(text === undefined ? {} : { text }),
  ...more,
});
const fileOf = (one: Entry, ...others: readonly Entry[]): FileSeen => {
  const found = readDisk([one, ...others])[one.path];
  assert.ok(found);
  return found;
};
const heldAt = (path: string, text: string, ...others: readonly Entry[]): Held =>
  fileOf(entry(path, text), ...others).held;
/** Why a file cannot be read, or what it is. */
const told = (path: string, text: string): string => {
  const held = heldAt(path, text);
  return held.kind === 'unreadable' ? held.why : held.kind;
};
const PKI = '/etc/kubernetes/pki';

describe('an entry of a disk', () => {
  it('is told with its place, its mode and its owner', () => {
    const seen = fileOf(entry('/x', 'a', { mode: 0o640, owner: 7, at: '/y' }));
    assert.deepEqual(seen, { path: '/x', mode: 0o640, owner: 7, isSecret: false, at: '/y', held: { kind: 'other' } });
    assert.deepEqual(fileOf(entry('/x', 'a')), {
      path: '/x',
      mode: null,
      owner: null,
      isSecret: false,
      held: { kind: 'other' },
    });
  });

  it('is a folder, a file that was not read, or what cannot be', () => {
    assert.deepEqual(fileOf({ path: '/x', kind: 'folder' }).held, { kind: 'folder' });
    assert.deepEqual(fileOf({ path: '/x', kind: 'folder', unreadable: 'no' }).held, { kind: 'unreadable', why: 'no' });
    assert.deepEqual(fileOf(entry('/x.crt')).held, { kind: 'other' });
    assert.deepEqual(fileOf(entry('/x.crt', undefined, { unreadable: 'no' })).held, { kind: 'unreadable', why: 'no' });
    assert.equal(told('/x.crt', ' \n'), 'it is empty');
    assert.equal(fileOf(entry('/x', '')).isEmpty, true);
    assert.equal(fileOf(entry('/x', undefined, { size: 0 })).isEmpty, true);
    for (const one of [entry('/x', ' '), entry('/x', undefined, { size: 1 }), entry('/x')])
      assert.equal(fileOf(one).isEmpty, undefined);
  });

  it('that cannot be read is cut off, or there to its end', () => {
    const isWhole = (path: string, text: string): boolean | undefined => {
      const { held } = fileOf(entry(path, text));
      return held.kind === 'unreadable' ? held.isWhole : undefined;
    };
    const conf = '/etc/kubernetes/kubelet.conf';
    assert.equal(isWhole(conf, 'a:\n\tb: c\n'), true);
    assert.equal(isWhole(conf, 'a: [b'), undefined);
    assert.equal(isWhole(conf, '\0\0\0\n'), undefined);
    assert.equal(isWhole('/a.key', `${RSA.pem.slice(0, 100)}\n`), undefined);
    assert.equal(isWhole('/a.key', 'no key\n'), true);
  });

  it('is told by its first document, as programs read it', () => {
    const { held } = fileOf(entry('/var/lib/kubelet/config.yaml', '# a\n---\nkind: A\n---\nkind: B\n'));
    assert.deepEqual(held, { kind: 'settings', settings: { kind: 'A' } });
  });

  it('is secret where it holds a key, a token, or what encrypts', () => {
    for (const text of [
      RSA.pem,
      'a: 1\n  client-key-data: abc',
      'token: abc',
      '{"token": "abc"}',
      '- token: abc',
      'users: [{user: {token: abc}}]',
      'kind: EncryptionConfiguration\nsecret: abc',
      '{"kind": "EncryptionConfiguration", "secret": "abc"}',
    ])
      assert.equal(fileOf(entry('/x', text)).isSecret, true, text);
    for (const text of [
      'token:',
      'token: ""',
      'mytoken: abc',
      'a token: ',
      RSA.publicPem,
      'secret: abc',
      'kind: EncryptionConfiguration',
      'kind: EncryptionConfiguration\nsecret: ""',
      'kind: EncryptionConfiguration\nmysecret: abc',
    ])
      assert.equal(fileOf(entry('/x', text)).isSecret, false, text);
    assert.equal(fileOf(entry('/x')).isSecret, false);
  });

  it('gives away what it holds under a name that says nothing of it', () => {
    const sec1 = ec.export({ type: 'sec1', format: 'pem' }).toString();
    const pkcs1 = rsa.export({ type: 'pkcs1', format: 'pem' }).toString();
    assert.deepEqual(fileOf(entry('/x', `${RSA.pem}${sec1}${pkcs1}`)).keys, [RSA.pin, EC.pin]);
    const odd = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY'].map((label) =>
      encodePem(label, Buffer.from('x')),
    );
    for (const text of [RSA.publicPem, ...odd]) assert.equal(fileOf(entry('/x', text)).keys, undefined);
    assert.deepEqual(fileOf(entry('/x', `${odd.join('')}${EC.pem}`)).keys, [EC.pin]);
    assert.equal('leaves' in fileOf(entry('/x', 'nothing')), false);
    assert.deepEqual(fileOf(entry('/x', 'kubeadm join a --token 9a08jv.c0izixklcxtmnze7')).leaves, [
      'a bootstrap token',
    ]);
  });
});

describe('certificates of a disk', () => {
  const [CA, OTHER] = [entry(`${PKI}/ca.crt`, ca.certificate.pem), entry(`${PKI}/etcd/ca.crt`, other.certificate.pem)];
  const signers = (...others: readonly Entry[]): readonly string[] | undefined => {
    const held = heldAt(`${PKI}/a.crt`, leaf.pem, ...others);
    return held.kind === 'certificates' ? held.certificates[0]?.signedBy : undefined;
  };
  const own = digestOf(ca.certificate.der);

  it('are told with whom of the authorities there has signed them', () => {
    assert.deepEqual(signers(), []);
    assert.deepEqual(signers(OTHER), []);
    assert.deepEqual(signers(OTHER, CA), [own]);
    for (const path of ['/ca.crt', 'ca.crt', `${PKI}/front-proxy-ca.crt`])
      assert.deepEqual(signers({ ...CA, path }), [own], path);
    for (const path of [`${PKI}/myca.crt`, `${PKI}/ca.crt.old`, `${PKI}/ca.pem`])
      assert.deepEqual(signers({ ...CA, path }), [], path);
    assert.deepEqual(signers({ ...CA, text: other.certificate.pem + ca.certificate.pem }), [own]);
    assert.deepEqual(signers({ ...CA, text: encodePem('X509 CRL', ca.certificate.der) }), []);
    assert.deepEqual(signers(entry(`${PKI}/ca.crt`)), []);
    const held = readDisk([entry('/a.crt', leaf.pem)], [other.certificate.der, ca.certificate.der])['/a.crt']?.held;
    assert.deepEqual(held?.kind === 'certificates' ? held.certificates[0]?.signedBy : undefined, [own]);
  });

  it('are all those of their file, by digest', () => {
    const held = heldAt(`${PKI}/a.crt`, `${leaf.pem}${encodePem('X509 CRL', Buffer.from('x'))}${ca.certificate.pem}`);
    assert.deepEqual(
      held.kind === 'certificates' ? held.certificates.map(({ digest, facts }) => [digest, facts.commonName]) : [],
      [
        [digestOf(leaf.der), 'system:node:a'],
        [own, 'kubernetes'],
      ],
    );
  });

  it('are told where they cannot be read', () => {
    assert.equal(told('/a.crt', 'text'), 'it holds no PEM');
    assert.equal(told('/a.crt', leaf.pem.slice(0, -20)), 'its PEM is cut off, or broken');
    assert.equal(told('/a.crt', `${ca.certificate.pem}${leaf.pem.slice(0, -20)}`), 'its PEM is cut off, or broken');
    assert.equal(told('/a.crt', '0\x82\x01'), 'other');
    assert.equal(told('/a.crt', RSA.publicPem), 'other');
    assert.equal(told('/a.crt', encodePem('TRUSTED CERTIFICATE', leaf.der)), 'other');
    assert.match(told('/a.crt', encodePem('CERTIFICATE', Buffer.from('x'))), /./);
    assert.equal(heldAt('/a.crt', encodePem('CERTIFICATE', Buffer.from('x'))).kind, 'unreadable');
  });
});

describe('keys of a disk', () => {
  it('are told by their pin and their kind', () => {
    const is = (path: string, text: string, held: object): void =>
      assert.deepEqual(heldAt(path, text), { kind: 'key', ...held });
    is('/a.key', RSA.pem, { pin: RSA.pin, isShort: false, isPrivate: true });
    is('/a.key', EC.pem, { pin: EC.pin, isShort: false, curve: 'prime256v1', isPrivate: true });
    is('/sa.pub', RSA.publicPem, { pin: RSA.pin, isShort: false, isPrivate: false });
    is('/sa.pub', EC.publicPem, { pin: EC.pin, isShort: false, curve: 'prime256v1', isPrivate: false });
    const small = pairOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    is('/a.key', small.pem, { pin: small.pin, isShort: true, isPrivate: true });
    is('/sa.pub', small.publicPem, { pin: small.pin, isShort: true, isPrivate: false });
    const edwards = pairOf(generateKeyPairSync('ed25519').privateKey);
    is('/a.key', edwards.pem, { pin: edwards.pin, isShort: false, curve: 'ed25519', isPrivate: true });
    assert.equal(told('/other.pub', RSA.publicPem), 'other');
  });

  it('are damaged where their numbers do not belong together', () => {
    const der = rsa.export({ type: 'pkcs1', format: 'der' });
    const at = der.length - 40;
    der.writeUInt8(der.readUInt8(at) ^ 4, at);
    const held = heldAt('/a.key', encodePem('RSA PRIVATE KEY', der));
    assert.equal(held.kind === 'key' ? held.pin : '', DAMAGED);
    assert.match(DAMAGED, /do not belong together/);
  });

  it('are told where they cannot be read', () => {
    assert.equal(told('/a.key', leaf.pem), 'other');
    assert.equal(told('/a.key', '0\x82\x01'), 'other');
    assert.equal(told('/a.key', 'text'), 'it holds no PEM');
    assert.equal(told('/a.key', RSA.pem.slice(0, -30)), 'its PEM is cut off, or broken');
    assert.equal(
      told('/a.key', encodePem('PRIVATE KEY', Buffer.from([0x30, 0]))),
      'it holds no private key that can be read',
    );
    assert.equal(told('/sa.pub', encodePem('PUBLIC KEY', Buffer.from([0x30, 0]))), 'it holds no key that can be read');
    const longer = Buffer.concat([ec.export({ type: 'sec1', format: 'der' }), Buffer.from([0])]);
    assert.equal(
      told('/a.key', encodePem('EC PRIVATE KEY', longer)),
      'its EC PRIVATE KEY is no DER, or more stands behind it',
    );
  });

  it('stand with their certificate in one file', () => {
    const path = '/var/lib/kubelet/pki/kubelet-client-current.pem';
    const held = heldAt(path, `${leaf.pem}${EC.pem}`, entry(`${PKI}/ca.crt`, ca.certificate.pem));
    assert.ok(held.kind === 'pair');
    assert.deepEqual([held.pin, held.certificate.facts.pin], [EC.pin, EC.pin]);
    assert.deepEqual(held.certificate.signedBy, [digestOf(ca.certificate.der)]);
    const reversed = heldAt(path, `${EC.pem}${leaf.pem}`);
    assert.equal(reversed.kind === 'pair' ? reversed.pin : '', EC.pin);
    const sec1 = ec.export({ type: 'sec1', format: 'pem' }).toString();
    const bare = heldAt(path, `${leaf.pem}${sec1}`);
    assert.equal(bare.kind === 'pair' ? bare.pin : '', EC.pin);
    assert.equal(told(path, leaf.pem), 'it holds no certificate with its key');
    assert.equal(told(path, `${leaf.pem}${EC.publicPem}`), 'it holds no certificate with its key');
    assert.equal(told(path, EC.pem), 'it holds no certificate');
  });
});

describe('kubeconfigs of a disk', () => {
  const config = (user: object = {}, cluster: object = {}, more: object = {}): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'own',
      contexts: [
        { name: 'first', context: { cluster: 'x', user: 'x' } },
        { name: 'own', context: { cluster: 'c', user: 'u' } },
      ],
      clusters: [
        { name: 'x', cluster: { server: 'https://x' } },
        { name: 'c', cluster: { server: 'https://c', ...cluster } },
      ],
      users: [
        { name: 'x', user: { token: 'x' } },
        { name: 'u', user },
      ],
      ...more,
    });
  const read = (text: string, ...others: readonly Entry[]) => {
    const held = heldAt('/etc/kubernetes/a.conf', text, ...others);
    assert.ok(held.kind === 'kubeconfig', JSON.stringify(held));
    return held;
  };
  const NOBODY = { certificate: null, pin: null, hasToken: false, besides: [], file: '', keyFile: '' };

  it('are those of their current context', () => {
    const plain = {
      kind: 'kubeconfig',
      server: 'https://c',
      authorities: [],
      isInsecure: false,
      serverName: '',
      proxy: '',
    };
    assert.deepEqual(read(config()), { ...plain, user: NOBODY });
    assert.deepEqual(read(config({}, {}, { 'current-context': 'none' })), { ...plain, server: '', user: NOBODY });
    assert.equal(read(config({}, {}, { 'current-context': 'first' })).user.hasToken, true);
  });

  it('are none where a name stands in a list twice', () => {
    const users = ['u', 'x', 'u'].map((name) => ({ name, user: {} }));
    assert.equal(told('/etc/kubernetes/a.conf', config({}, {}, { users })), 'its users have one name twice');
  });

  it('say whom they believe, and on which way they ask', () => {
    const both = `${ca.certificate.pem}${other.certificate.pem}`;
    const digests = [ca, other].map(({ certificate }) => digestOf(certificate.der));
    assert.deepEqual(read(config({}, { 'certificate-authority-data': encoded(both) })).authorities, digests);
    const embeds = (pem: string) => read(config({}, { 'certificate-authority-data': encoded(pem) })).embedsKey;
    assert.equal(embeds(both), undefined);
    for (const kind of ['', 'RSA ', 'EC ', 'ENCRYPTED '])
      assert.equal(embeds(`${both}-----BEGIN ${kind}PRIVATE KEY-----\nAAAA\n-----END ${kind}PRIVATE KEY-----\n`), true);
    const said = read(config({}, { 'tls-server-name': 'n', 'proxy-url': 'p' }));
    assert.deepEqual([said.serverName, said.proxy], ['n', 'p']);
    const named = read(config({}, { server: 'https://a:b@c:6443/d', 'proxy-url': 'http://a:b@p' }));
    assert.deepEqual([named.server, named.proxy], ['https://***@c:6443/d', 'http://***@p']);
    const isOdd = (token: string) => read(config({ token })).user.isOddToken === true;
    for (const token of ['abcdef.0123456789abcdef', 'eyJh.eyJz.c2ln', 'a-static-token', 'a'.repeat(64), ''])
      assert.equal(isOdd(token), false, token);
    for (const token of ['ABCDEF.0123456789abcdef', 'abcdef.0123456789', '<token>', '$TOKEN', '{{ token }}', 'a b'])
      assert.equal(isOdd(token), true, token);
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    assert.equal(read(config({ 'client-key-data': encoded(short.toString()) })).user.isShort, true);
    assert.equal(read(config({ 'client-key-data': encoded(RSA.pem) })).user.isShort, undefined);
    for (const [value, is] of [
      [true, true],
      ['true', true],
      ['false', true],
      [false, false],
      [null, false],
    ] as const)
      assert.equal(read(config({}, { 'insecure-skip-tls-verify': value })).isInsecure, is, `${value}`);
  });

  it('say who asks', () => {
    const own = { 'client-certificate-data': encoded(leaf.pem), 'client-key-data': encoded(EC.pem) };
    const { user } = read(config(own), entry(`${PKI}/ca.crt`, ca.certificate.pem));
    assert.equal(user.pin, EC.pin);
    assert.equal(user.certificate?.facts.commonName, 'system:node:a');
    assert.deepEqual(user.certificate.signedBy, [digestOf(ca.certificate.der)]);
    assert.deepEqual(read(config({ token: 'a' })).user, { ...NOBODY, hasToken: true });
    assert.deepEqual(read(config({ tokenFile: '/a' })).user, { ...NOBODY, hasToken: true });
    assert.deepEqual(read(config({ 'client-certificate': '/a', 'client-key': '/b' })).user, {
      ...NOBODY,
      file: '/a',
      keyFile: '/b',
    });
    for (const name of ['exec', 'auth-provider', 'username', 'password', 'as', 'as-uid', 'as-groups', 'as-user-extra'])
      assert.deepEqual(read(config({ [name]: {}, token: null })).user, { ...NOBODY, besides: [name] });
    assert.deepEqual(read(config({ exec: null })).user, NOBODY);
  });

  it('are told where they are none, or cannot be read', () => {
    const at = '/etc/kubernetes/a.conf';
    assert.equal(told(at, config({}, {}, { kind: 'Other' })), 'other');
    assert.equal(told(at, config({}, {}, { apiVersion: 'v2' })), 'other');
    assert.equal(told(at, config({}, {}, { kind: undefined, apiVersion: undefined })), 'kubeconfig');
    assert.deepEqual(heldAt(at, 'kind: KubeletConfiguration'), {
      kind: 'settings',
      settings: { kind: 'KubeletConfiguration' },
    });
    assert.equal(told(at, 'text'), 'it is no YAML of fields, or cut off');
    assert.match(told(at, 'a: [\n'), /^it is no YAML: ./);
    assert.equal(told(at, config({ 'client-certificate-data': encoded('x') })), 'it holds no PEM');
    assert.equal(
      told(at, config({ 'client-key-data': encoded(EC.publicPem) })),
      'it holds no private key that can be read',
    );
    assert.equal(
      told(at, config({}, { 'certificate-authority-data': encoded(RSA.publicPem) })),
      'it holds no certificate',
    );
  });

  it('are found where people leave them, by what they say', () => {
    assert.equal(told('/root/.kube/config', config()), 'kubeconfig');
    assert.equal(told('/root/a.txt', config()), 'kubeconfig');
    assert.equal(told('/root/a.txt', 'current-context: a\nusers: []\n'), 'kubeconfig');
    assert.equal(told('/root/a.txt', 'current-context: a\n'), 'other');
    assert.equal(told('/root/a.txt', 'users: []\n'), 'other');
    assert.equal(told('/root/a.txt', 'my-current-context: a\nusers: []\n'), 'other');
    assert.equal(told('/root/a.txt', 'current-context: a\nmyusers: []\n'), 'other');
    assert.equal(told('/root/a.conf', 'nothing'), 'other');
  });
});

describe('files of a node by their names', () => {
  it('are manifests of Pods, of which hidden ones are passed over', () => {
    const manifest = (text: string): Held => heldAt('/etc/kubernetes/manifests/etcd.yaml', text);
    const container = { name: 'etcd', command: ['etcd', '--a=b', '--c'] };
    const pod = { kind: 'Pod', spec: { containers: [container] } };
    assert.deepEqual(manifest(JSON.stringify(pod)), { kind: 'manifest', pod, flags: { a: 'b', c: 'true' } });
    assert.deepEqual(manifest('kind: Pod\n'), { kind: 'manifest', pod: { kind: 'Pod' }, flags: {} });
    assert.deepEqual(manifest('kind: Pod\n---\n --- \n'), { kind: 'manifest', pod: { kind: 'Pod' }, flags: {} });
    assert.equal(told('/etc/kubernetes/manifests/a', 'kind: Job'), 'it is no Pod, or cut off');
    assert.equal(told('/etc/kubernetes/manifests/.a.yaml', 'kind: Job'), 'other');
    assert.equal(told('/etc/kubernetes/x.manifests/.a.conf', 'kind: Job'), 'other');
    assert.equal(told('/etc/kubernetes/.a.conf', 'text'), 'it is no YAML of fields, or cut off');
  });

  it('are units, runtimes and configurations', () => {
    for (const path of ['/etc/systemd/system/kubelet.service', '/lib/systemd/system/kubelet.service.d/10-kubeadm.conf'])
      assert.equal(told(path, '[Service]\n'), 'service', path);
    assert.equal(told('/lib/systemd/system/kubelet.service.d/a/b', '[Service]\n'), 'other');
    assert.equal(told('/lib/systemd/system/kubelet.services', '[Service]\n'), 'other');
    assert.equal(told('/etc/containerd/config.toml', 'version = 3\n'), 'runtime');
    assert.equal(told('/etc/x/config.toml', 'version = 3\n'), 'other');
    assert.deepEqual(heldAt('/var/lib/kubelet/config.yaml', 'a: 1'), { kind: 'settings', settings: { a: 1 } });
    assert.equal(told('/var/lib/kubelet/instance-config.yaml', 'a: 1'), 'settings');
    for (const name of ['myconfig.yaml', 'config.yaml.old'])
      assert.equal(told(`/var/lib/kubelet/${name}`, 'a: 1'), 'other', name);
  });

  it('are flags of the kubelet', () => {
    const ENV = '/var/lib/kubelet/kubeadm-flags.env';
    assert.deepEqual(heldAt(ENV, 'KUBELET_KUBEADM_ARGS="--a=b"\n'), {
      kind: 'flags',
      flags: { a: 'b' },
      setsKubeadms: true,
    });
    assert.deepEqual(heldAt(ENV, 'KUBELET_KUBEADM_ARGS=--a=b\nHTTP_PROXY=c\nKUBELET_EXTRA_ARGS=--a=d --e\n'), {
      kind: 'flags',
      flags: { a: 'b', e: 'true' },
      variables: ['HTTP_PROXY'],
      setsKubeadms: true,
    });
    assert.equal(told(ENV, 'A=b'), 'it sets no KUBELET_KUBEADM_ARGS');
    assert.equal(told(ENV, 'KUBELET_KUBEADM_ARGS="--a'), 'its quote is not closed');
    assert.equal(told(ENV, 'KUBELET_KUBEADM_ARGS=--a\nKUBELET_EXTRA_ARGS="--b\n'), 'its quote is not closed');
    for (const path of ['/etc/default/kubelet', '/etc/sysconfig/kubelet']) {
      assert.deepEqual(heldAt(path, 'KUBELET_EXTRA_ARGS=--a=b\n'), { kind: 'flags', flags: { a: 'b' } });
      assert.deepEqual(heldAt(path, 'KUBELET_KUBEADM_ARGS=--a=b\n'), {
        kind: 'flags',
        flags: { a: 'b' },
        setsKubeadms: true,
      });
      assert.equal(told(path, 'A=b\n'), 'other');
    }
    assert.equal(told('/etc/default/other', 'KUBELET_EXTRA_ARGS=--a=b\n'), 'other');
    assert.deepEqual(heldAt('/etc/kubernetes/kubelet.env', 'A="--a=b \\\n -c"\nB=\nSECRET=x\nPATH=/bin\n'), {
      kind: 'environment',
      variables: { A: '--a=b   -c' },
    });
    assert.equal(told('/etc/kubernetes/more/kubelet.env', 'A=--a\n'), 'other');
  });

  it('are what flags of the API server name as its configuration', () => {
    const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: None }]\n';
    const api = (flag: string, path: string): Entry =>
      entry(
        '/etc/kubernetes/manifests/kube-apiserver.yaml',
        JSON.stringify({
          kind: 'Pod',
          spec: { containers: [{ name: 'kube-apiserver', command: ['kube-apiserver', `--${flag}=${path}`] }] },
        }),
      );
    const path = '/etc/kubernetes/audit.yaml';
    const held = heldAt(path, policy, api('audit-policy-file', path));
    assert.ok(held.kind === 'configuration');
    assert.deepEqual([held.flag, held.odd, held.isSilent], ['audit-policy-file', [], true]);
    assert.equal(heldAt(path, policy, api('audit-log-path', path)).kind, 'other');
    assert.equal(heldAt(path, policy, api('audit-policy-file', '/etc/kubernetes/b.yaml')).kind, 'other');
    assert.equal(heldAt(path, policy).kind, 'other');
    const wrong = heldAt(path, 'text', api('audit-policy-file', path));
    assert.deepEqual(wrong.kind === 'configuration' ? wrong.odd : [], ['it is no YAML of fields, or cut off']);
    const empty = heldAt(path, ' ', api('audit-policy-file', path));
    assert.deepEqual(empty.kind === 'configuration' ? empty.odd : [], ['it is empty']);
    const first = heldAt(path, `# one\n---\n${policy}---\nrules: []\n`, api('audit-policy-file', path));
    assert.deepEqual(first.kind === 'configuration' ? first.odd : ['none'], []);
    assert.equal(fileOf(entry(path, undefined), api('audit-policy-file', path)).held.kind, 'other');
    assert.equal(
      heldAt('/etc/kubernetes/admin.conf', '{}', api('audit-policy-file', '/etc/kubernetes/admin.conf')).kind,
      'kubeconfig',
    );
  });
});
