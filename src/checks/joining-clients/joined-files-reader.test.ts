import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ClientRun, Deed, Entry, LeftFile, Transcript, Truth } from '../../kubernetes/transcript.js';
import { createAuthority, issue } from '../../pki/authority.js';
import { createCertificate } from '../../pki/certificate.js';
import { encodePem } from '../../pki/pem.js';
import { createRequest } from '../../pki/request.js';
import { pinOf } from '../certificates/signature.js';
import { type Held, type Machine, readMachine } from './joined-files-reader.js';
import { digestOf } from './joining-client-reader.js';

const [ca, other] = ['kubernetes', 'other'].map((commonName) =>
  createAuthority({ commonName, key: 'ECDSA-P256', now: Date.UTC(2026, 0, 1) }),
) as [ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>];
const PIN = pinOf(createPublicKey(ca.key).export({ type: 'spki', format: 'der' }));
const KEY = ca.key.export({ type: 'pkcs8', format: 'pem' }).toString();
const [CA, OTHER] = [ca.certificate.pem, other.certificate.pem];
const TOKEN = 'abcdef.0123456789abcdef';
const encoded = (text: string): string => Buffer.from(text).toString('base64');

const TRUTH: Truth = {
  discoveryTimeout: 1,
  discoveryToken: '',
  bootstrapToken: TOKEN,
  caPem: CA,
  server: 'https://b',
  kubelet: 'a: 1',
  shared: { 'ca.key': 'x', 'sa.key': 'y' },
};
const machine = (transcript: Partial<Transcript> = {}, truth: Partial<Truth> = {}, speaksKubeadm = true): Machine => {
  const run: ClientRun = {
    lie: 'x',
    server: 'y',
    truth: { ...TRUTH, ...truth },
    speaksKubeadm,
    transcript: { entries: [], said: [], exit: 0, message: '', files: {}, milliseconds: 1, ...transcript },
  };
  return readMachine(run);
};
const left = (text: string): LeftFile => ({ mode: 0o600, text });
const heldIn = (text: string, truth: Partial<Truth> = {}): Held | undefined =>
  machine({ files: { '/f': left(text) } }, truth).left[0]?.held;
const request = (target: string, more: Partial<Extract<Entry, { kind: 'request' }>> = {}): Entry => ({
  kind: 'request',
  at: 0,
  connection: 1,
  certificate: 'good',
  method: 'GET',
  target,
  headers: {},
  authorization: undefined,
  body: '',
  answered: 200,
  ...more,
});
const REFUSED: Entry = { kind: 'connection', at: 0, connection: 1, event: 'certificate refused' };

describe('a file that a joining client wrote', () => {
  it('holds flags of the kubelet', () => {
    const flags = (text: string): unknown => {
      const held = heldIn(text);
      return held?.kind === 'flags' ? held.flags : held?.kind;
    };
    assert.deepEqual(flags('KUBELET_KUBEADM_ARGS="--a=b  --c --d--e"\n'), ['a=b', 'c', 'd--e']);
    assert.deepEqual(flags('KUBELET_KUBEADM_ARGS="--a"'), ['a']);
    assert.deepEqual(flags("KUBELET_KUBEADM_ARGS='--a --b'\n"), ['a', 'b']);
    for (const text of [
      'X_KUBELET_KUBEADM_ARGS="--a"\n',
      'KUBELET_KUBEADM_ARGS="--a"\nx: y\n',
      'KUBELET_KUBEADM_ARGS="--a"b"\n',
      'KUBELET_KUBEADM_ARGS="--a\'\n',
    ])
      assert.notEqual(heldIn(text)?.kind, 'flags', text);
  });

  it('holds certificates, a key, settings, or something else', () => {
    assert.deepEqual(heldIn(CA), {
      kind: 'certificates',
      isTrueCa: true,
      commonName: 'kubernetes',
      days: 3651,
      algorithm: 'ECDSA-P256',
      isAuthority: true,
      names: ['kubernetes'],
      certificate: PIN,
      key: '',
    });
    assert.deepEqual(heldIn(KEY + CA), { kind: 'key', certificate: PIN, key: PIN });
    assert.deepEqual(heldIn(encodePem('CERTIFICATE', Buffer.from('x'))), {
      kind: 'certificates',
      isTrueCa: false,
      certificate: '',
      key: '',
    });
    assert.deepEqual(heldIn(`${encodePem('X509 CRL', Buffer.from('x'))}${CA}`)?.kind, 'certificates');
    const first = heldIn(`${encodePem('X509 CRL', Buffer.from('x'))}${CA}`);
    assert.equal(first?.kind === 'certificates' ? first.certificate : '', PIN);
    assert.deepEqual(heldIn(encodePem('PRIVATE KEY', Buffer.from('x'))), { kind: 'key', certificate: '', key: '' });
    const key: Held = { kind: 'key', certificate: '', key: PIN };
    const der = Buffer.from(KEY.replace(/-----[^-]*-----|\n/g, ''), 'base64');
    for (const form of [Buffer.from(KEY).toString('base64'), der.toString('base64'), der.toString('hex')])
      for (const said of [form, `key=${form}\n`, `a: 1\nkey: ${form}\n`]) assert.deepEqual(heldIn(said), key);
    assert.deepEqual(heldIn('x'.repeat(80)), { kind: 'other' });
    assert.deepEqual(heldIn('a: 1'), { kind: 'settings', settings: { a: 1 } });
    for (const text of ['text', '[1]', '{', '']) assert.deepEqual(heldIn(text), { kind: 'other' }, text);
  });

  it('holds the authority of the cluster, whole and alone', () => {
    const isTrue = (text: string, caPem = CA): boolean => {
      const held = heldIn(text, { caPem });
      return held?.kind === 'certificates' && held.isTrueCa;
    };
    assert.equal(isTrue(`text\n${CA}`), true);
    assert.equal(isTrue(CA + OTHER, CA + OTHER), true);
    for (const text of [OTHER, CA + OTHER, OTHER + CA]) assert.equal(isTrue(text), false);
    assert.equal(isTrue(CA, CA + OTHER), false);
    assert.equal(isTrue('-----BEGIN CERTIFICATE', ''), false);
  });

  it('is told with its digest, and where it holds the token or the certificate key', () => {
    const seen = (text: string, truth: Partial<Truth> = {}) => machine({ files: { '/f': left(text) } }, truth).left[0];
    assert.deepEqual(seen('text'), { path: '/f', mode: 0o600, digest: digestOf('text'), held: { kind: 'other' } });
    for (const text of [TOKEN, 'a 0123456789abcdef b']) assert.equal(seen(text)?.token, true, text);
    for (const text of ['abcdef', 'a'.repeat(64)]) assert.equal(seen(text)?.token, undefined, text);
    assert.equal(seen('a'.repeat(64), { certificateKey: 'a'.repeat(64) })?.token, true);
    assert.equal(seen(TOKEN, { certificateKey: 'a'.repeat(64) })?.token, true);
    assert.equal(seen('text', { bootstrapToken: '', certificateKey: '' })?.token, undefined);
    assert.equal(seen('a whole', { bootstrapToken: 'whole' })?.token, true);
    const two = machine({ files: { '/a': { mode: 1, text: 'same' }, '/b': { mode: 2, text: 'same' } } }).left;
    assert.deepEqual(
      two.map(({ path, mode }) => [path, mode]),
      [
        ['/a', 1],
        ['/b', 2],
      ],
    );
  });
});

describe('a kubeconfig that a joining client wrote', () => {
  const config = (user: object = {}, cluster: object = {}, more: object = {}): object => ({
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://b', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    ...more,
  });
  const read = (...given: Parameters<typeof config>) => {
    const held = heldIn(JSON.stringify(config(...given)));
    assert.ok(held?.kind === 'kubeconfig');
    return held;
  };
  const NONE = {
    kind: 'kubeconfig',
    cluster: 'c',
    server: 'https://b',
    user: 'u',
    context: 'x',
    isOneCluster: true,
    besides: [],
    isTrueCa: false,
    shows: 'nothing',
    certificate: { file: '' },
    key: { file: '' },
  };

  it('says whom it asks as whom, and nothing besides', () => {
    assert.deepEqual(read(), NONE);
    assert.equal(read({ 'client-certificate': '/a', 'client-key': '/a' }).shows, 'a certificate');
    assert.equal(
      read({ 'client-certificate': '/a', 'client-key': '/a', tokenFile: '/b', as: 'c', username: '' }).shows,
      'a certificate, and as, and tokenFile',
    );
    const two = [{ name: 'a' }, { name: 'b' }];
    assert.deepEqual(read({}, { 'proxy-url': 'p', 'insecure-skip-tls-verify': true }).besides, [
      'insecure-skip-tls-verify',
      'proxy-url',
    ]);
    assert.deepEqual(read({}, {}, { users: two, contexts: two }).besides, ['2 users', '2 contexts']);
    assert.deepEqual(read({}, {}, { users: [], contexts: [] }).besides, []);
    assert.deepEqual(
      [read({}, {}, { clusters: two }), read({}, {}, { clusters: [] })].map(({ isOneCluster }) => isOneCluster),
      [false, false],
    );
    assert.equal(read({}, { 'certificate-authority-data': encoded(CA) }).isTrueCa, true);
    assert.equal(read({}, { 'certificate-authority-data': encoded(OTHER) }).isTrueCa, false);
  });

  it('says what its current context names', () => {
    const list = (name: string) => ['a', 'b', 'c'].map((one) => ({ name: name + one }));
    const clusters = list('c').map((one) => ({ ...one, cluster: { server: `https://${one.name}` } }));
    const users = list('u').map((one) => ({ ...one, user: { token: one.name === 'ub' ? TOKEN : 'x' } }));
    const contexts = list('x').map(({ name }, index) => ({
      name,
      context: { cluster: ['ca', 'cb', 'ca'][index], user: ['ua', 'ub', 'uc'][index] },
    }));
    const read = (current: string) =>
      heldIn(JSON.stringify({ kind: 'Config', clusters, users, contexts, 'current-context': current }));
    const told = ['xb', 'xc', 'none'].map(read).map((held) => {
      assert.ok(held?.kind === 'kubeconfig');
      return [held.server, held.user, held.shows];
    });
    assert.deepEqual(told, [
      ['https://cb', 'ub', 'its token'],
      ['https://ca', 'uc', 'another token'],
      ['https://ca', 'ua', 'nothing: its current context leads nowhere'],
    ]);
  });

  it('shows a token or a certificate, written within or named', () => {
    assert.equal(read({ token: TOKEN }).shows, 'its token');
    assert.equal(read({ token: 'another' }).shows, 'another token');
    const named = read({ 'client-certificate': '/a', 'client-key': '/b' });
    assert.deepEqual([named.shows, named.certificate, named.key], ['a certificate', { file: '/a' }, { file: '/b' }]);
    assert.equal(read({ 'client-key': '/b' }).shows, 'nothing');
    const within = read({
      'client-certificate-data': encoded(CA),
      'client-key-data': encoded(KEY),
      'client-key': '/b',
    });
    assert.deepEqual(within.certificate, { inline: { certificate: PIN, key: '' } });
    assert.deepEqual(within.key, { inline: { certificate: '', key: PIN } });
    assert.equal(within.shows, 'a certificate');
    assert.equal(read({ token: TOKEN, 'client-certificate': '/a' }).shows, 'its token');
  });
});

describe('a machine after a client', () => {
  it('is told with what was done on it, in order', () => {
    const deeds: readonly Deed[] = [
      { kind: 'wrote', path: '/a', mode: 0o644, text: TOKEN, after: 3 },
      { kind: 'removed', path: '/a', after: 4 },
      { kind: 'ran', command: 'restart kubelet', after: 5 },
      { kind: 'ran', command: `run ${TOKEN}`, after: 6 },
      { kind: 'ran', command: 'run', environment: `A=${TOKEN}`, after: 7 },
      { kind: 'ran', command: 'run', environment: 'A=b', after: 8 },
    ];
    assert.deepEqual(machine({ deeds }).done, [
      {
        what: 'wrote',
        after: 3,
        file: { path: '/a', mode: 0o644, digest: digestOf(TOKEN), token: true, held: { kind: 'other' } },
      },
      { what: 'removed', after: 4, path: '/a' },
      { what: 'ran', after: 5, path: 'restart kubelet' },
      { what: 'ran', after: 6, path: `run ${TOKEN}`, token: true },
      { what: 'ran', after: 7, path: 'run', token: true },
      { what: 'ran', after: 8, path: 'run' },
    ]);
    assert.equal(machine().done, undefined);
    assert.deepEqual(machine({ deeds: [] }).done, []);
  });

  it('is told with what its client asked, and when', () => {
    const { base64 } = createRequest({ key: ca.key, subject: { commonName: 'a', organizations: [] } });
    const made = { method: 'POST', body: JSON.stringify({ spec: { request: base64 } }) };
    const post = request('/apis/certificates.k8s.io/v1/certificatesigningrequests', made);
    const strict = request('/apis/certificates.k8s.io/v1/certificatesigningrequests?fieldValidation=Strict', made);
    const info = request('/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s');
    const seen = machine({
      entries: [REFUSED, info, request('/version'), info, request('/version'), post, request('/x', { method: 'POST' })],
    });
    assert.deepEqual([seen.discovered, seen.requested, seen.certified], [3, 5, PIN]);
    const taken = request('/apis/certificates.k8s.io/v1/certificatesigningrequests', { ...made, answered: 201 });
    const two = machine({ entries: [info, taken, taken, post] });
    assert.deepEqual([two.certified, two.renewed, seen.renewed], [PIN, [PIN], undefined]);
    const whoAmI = request('/apis/authentication.k8s.io/v1/selfsubjectreviews', { method: 'POST', body: '{}' });
    const later = machine({ entries: [info, whoAmI, strict] });
    assert.deepEqual([later.discovered, later.requested, later.certified], [0, 2, PIN]);
    const none = machine({ entries: [REFUSED, request('/version')] });
    assert.deepEqual([none.discovered, none.requested, none.certified], [-1, -1, '']);
  });

  it('is told with what it was to be', () => {
    const plain = machine();
    assert.deepEqual(
      [
        plain.exit,
        plain.server,
        plain.ownServer,
        plain.isWorker,
        plain.kubelet,
        plain.told,
        plain.socket,
        plain.shared,
      ],
      [0, 'https://b', '', true, { a: 1 }, [], '', { 'ca.key': digestOf('x'), 'sa.key': digestOf('y') }],
    );
    assert.equal(machine({ exit: undefined }).exit, null);
    assert.equal(machine({ exit: 1 }).exit, 1);
    assert.deepEqual(['ownWays' in plain, machine({}, {}, false).ownWays], [false, true]);
    const control = machine({}, { ownServer: 'https://c' });
    assert.deepEqual([control.ownServer, control.isWorker], ['https://c', false]);
    const told = (registration: NonNullable<Truth['registration']>) => machine({}, { registration }).told;
    assert.deepEqual(told({ hostName: 'h' }), []);
    assert.deepEqual(told({ hostName: 'h', name: 'H' }), []);
    assert.deepEqual(told({ hostName: 'h', name: 'N' }), ['hostname-override=n']);
    const taints = [
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { key: 'c', value: '', effect: 'NoExecute' },
    ];
    assert.deepEqual(told({ taints }), ['register-with-taints=a=b:NoSchedule,c:NoExecute']);
    assert.deepEqual(told({ kubeletExtraArgs: [{ name: 'v', value: '2' }] }), ['v=2']);
    assert.equal(machine({}, { registration: { criSocket: 'unix:///s' } }).socket, 'unix:///s');
  });

  it('is told with what it was to put into files, where it was', () => {
    assert.equal('patches' in machine(), false);
    const patches = [{ path: '/a', text: 'b: 1' }];
    assert.deepEqual(machine({}, { patches }).patches, [{ path: '/a', settings: { b: 1 } }]);
  });

  it('is told with what lies beside its root, where something does', () => {
    assert.equal('beside' in machine(), false);
    const beside = machine({ beside: { '/home/a': left('text') } }).beside;
    assert.deepEqual(
      beside?.map(({ path }) => path),
      ['/home/a'],
    );
    const passing = machine({ passing: { '/home/a': left('text') } }).passing;
    assert.deepEqual(
      passing?.map(({ path }) => path),
      ['/home/a'],
    );
  });
});

describe('what else is read of a machine', () => {
  const now = Date.UTC(2026, 0, 1);
  const { pem } = createCertificate({
    subject: { commonName: 'a', organizations: ['system:masters', 'b'] },
    publicKey: ca.key,
    signingKey: ca.key,
    notBefore: now,
    notAfter: now + 86_400_000,
    extendedKeyUsage: ['clientAuth'],
  });

  it('is for whom and what a certificate is', () => {
    assert.deepEqual(heldIn(pem), {
      kind: 'certificates',
      isTrueCa: false,
      commonName: 'a',
      days: 1,
      algorithm: 'ECDSA-P256',
      groups: ['system:masters', 'b'],
      usages: ['clientAuth'],
      certificate: PIN,
      key: '',
    });
  });

  it('is whom a kubeconfig shows, and whom it believes', () => {
    const config = (user: object, cluster: object = {}): Held | undefined =>
      heldIn(JSON.stringify({ kind: 'Config', clusters: [{ cluster }], users: [{ user }] }));
    const of = (user: object, cluster: object = {}) => {
      const held = config(user, cluster);
      assert.ok(held?.kind === 'kubeconfig');
      const { groups, caFile, isBlind } = held;
      return { groups, caFile, isBlind };
    };
    const none = { groups: undefined, caFile: undefined, isBlind: undefined };
    assert.deepEqual(of({ 'client-certificate-data': encoded(pem) }), { ...none, groups: ['system:masters', 'b'] });
    assert.deepEqual(of({ 'client-certificate-data': encoded('no PEM') }), { ...none, groups: [] });
    assert.deepEqual(of({ 'client-certificate': '/a.crt' }), none);
    assert.deepEqual(of({}, { 'certificate-authority': '/ca.crt' }), { ...none, caFile: '/ca.crt' });
    assert.deepEqual(of({}, { 'certificate-authority': '' }), none);
    assert.deepEqual(of({}, { 'insecure-skip-tls-verify': true }), { ...none, isBlind: true });
    for (const value of [false, 'true']) assert.deepEqual(of({}, { 'insecure-skip-tls-verify': value }), none);
  });

  it('is by which authority a certificate was issued, of those that control planes share', () => {
    const { pem: leaf } = issue(ca, {
      subject: { commonName: 'a', organizations: ['b'] },
      publicKey: other.key,
      notBefore: now,
      notAfter: now + 86_400_000,
      extendedKeyUsage: ['clientAuth'],
    });
    const by = (shared: Truth['shared']): unknown => {
      const held = heldIn(leaf, { shared });
      return held?.kind === 'certificates' ? held.issuedBy : held;
    };
    for (const name of ['ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt']) assert.equal(by({ [name]: CA }), name);
    assert.equal(by({ 'ca.crt': OTHER, 'etcd/ca.crt': CA }), 'etcd/ca.crt');
    assert.equal(by({ 'ca.crt': OTHER, 'other.crt': CA }), undefined);
    const user = { 'client-certificate-data': encoded(leaf) };
    const held = heldIn(JSON.stringify({ kind: 'Config', users: [{ user }] }), { shared: { 'ca.crt': CA } });
    assert.deepEqual(held?.kind === 'kubeconfig' && [held.who, held.issuedBy], ['O=b, CN=a', 'ca.crt']);
  });

  it('is what etcd was asked, where there is one', () => {
    const own = { name: 'a', peerUrl: 'https://a:2380' };
    const etcd = { others: [], own } as unknown as NonNullable<Truth['etcd']>;
    const calls = [{ call: 'MemberList', after: 1, isDone: true }];
    assert.deepEqual(machine({ etcd: calls }, { etcd }).etcd, { calls, others: [], own });
    assert.deepEqual(machine({}, { etcd }).etcd, { calls: [], others: [], own });
    assert.equal('etcd' in machine({ etcd: calls }), false);
  });

  it('is whether it had the time', () => {
    assert.equal(machine({ exit: 1, milliseconds: 8_000, late: 4_000 }).isStarved, true);
    assert.equal('isStarved' in machine({ exit: 1, milliseconds: 8_000 }), false);
  });

  it('is each flag without the signs before it alone', () => {
    const held = heldIn('KUBELET_KUBEADM_ARGS="--a=--b c--d"');
    assert.deepEqual(held?.kind === 'flags' && held.flags, ['a=--b', 'c--d']);
  });
});
