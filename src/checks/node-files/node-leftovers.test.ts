import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { resultsOf } from '../common/judged.testing.js';
import { isLeftBehind, isOfKeys } from './left-at.js';
import {
  type CopySeen,
  copiesClosed,
  copiesKept,
  givenAwayIn,
  keysClosed,
  noAdministrators,
  nothingLeft,
} from './node-leftovers.js';
import { at, certificate, conf } from './node-seen.testing.js';

const folder = (mode = 0o750) => at('/root/.kube', { kind: 'folder' }, mode);
const copy = (mode: number, owner = 0, user: Parameters<typeof conf>[1] = {}): CopySeen => {
  const { file } = conf({}, user);
  const path = '/root/.kube/config';
  return { copy: { path, file: file === null ? null : { ...file, path, mode, owner } }, folder: folder() };
};
const told = (one: CopySeen, isCopied = false) =>
  [
    ...resultsOf(copiesClosed, [one.copy], { authorities: ['ca'] }),
    ...resultsOf(copiesKept, [one], { authorities: ['ca'], isCopied }),
  ].join();

describe('a kubeconfig in a home', () => {
  it('is read by its owner alone, and is root’s in the home of root', () => {
    assert.equal(told(copy(0o600)), 'met,met,met');
    assert.equal(told(copy(0o644)), 'unmet,met,met');
    assert.equal(told(copy(0o600, 1000)), 'met,unmet,met');
    assert.equal(told(copy(0o600, 1000), true), 'met,met');
    assert.equal(told({ ...copy(0o600), folder: folder(0o777) }), 'met,met,unmet');
    assert.deepEqual(resultsOf(copiesClosed, [copy(0o644).copy], { authorities: ['other'] }), []);
  });
  it('is no administrator’s where it should not be', () => {
    const who = (commonName: string, organizations: readonly string[], isWorker: boolean, admin?: readonly string[]) =>
      resultsOf(noAdministrators, [copy(0o600, 0, { certificate: certificate({ commonName, organizations }) }).copy], {
        authorities: ['ca'],
        isWorker,
        ...(admin === undefined ? {} : { admin: { user: 'kubernetes-admin', groups: admin } }),
      }).join();
    const [admins, masters] = [['kubeadm:cluster-admins'], ['system:masters']];
    assert.equal(who('kubernetes-admin', admins, false), 'met,met');
    assert.equal(who('kubernetes-admin', admins, true), 'unmet,met');
    assert.equal(who('kubernetes-super-admin', masters, false), 'unmet,met');
    assert.equal(who('ann', ['readers'], true), 'met,met');
    assert.equal(who('system:kube-scheduler', [], false), 'met,unmet');
    for (const [user, groups, admin, told] of [
      ['kubernetes-admin', admins, admins, 'met,met,met'],
      ['kubernetes-admin', masters, masters, 'met,met,met'],
      ['ann', admins, admins, 'met,met,met'],
      ['kubernetes-admin', masters, admins, 'met,unmet,met'],
      ['mallory', masters, masters, 'met,unmet,met'],
    ] as const)
      assert.equal(who(user, groups, false, admin), told, user);
  });
});

describe('what nobody lets joinproof look into', () => {
  const unreadable = (why: string) => at('/root', { kind: 'unreadable', why });
  const told = (why: string) => [
    ...resultsOf(nothingLeft, [unreadable(why)], undefined),
    ...resultsOf(keysClosed, [unreadable(why)], { pins: ['pin'], known: null }),
  ];
  it('is neither without a join nor without a key', () => {
    for (const why of ['permission denied', 'the disk cannot be read there', 'reading the disk has taken 20 s already'])
      assert.deepEqual(told(why), ['unclear', 'unclear'], why);
    for (const why of [
      'it holds more than 1000 entries that are asked for',
      'more than 20000 files and folders lie there',
    ])
      assert.deepEqual(told(why), ['unclear', 'unclear'], why);
  });
  it('is told from what holds nothing that is read', () => {
    for (const why of ['it is empty', 'it is a link to nothing', 'it is larger than 1024 KiB'])
      assert.deepEqual(told(why), ['met'], why);
  });
});

describe('a copy of a key', () => {
  const key = (path: string, mode: number, owner = 0, keys = ['sha256:1']) => {
    const { file } = at(path, { kind: 'other' }, mode);
    return { path, file: file === null ? null : { ...file, owner, keys } };
  };
  const seen = (one: ReturnType<typeof key>, known: readonly number[] | null = [0]): string =>
    resultsOf(keysClosed, [one], { pins: ['sha256:1'], known }).join();
  it('is as closed as the key', () => {
    assert.equal(seen(key('/root/a.key', 0o600)), 'met,met');
    assert.equal(seen(key('/root/a.key', 0o644)), 'unmet,met');
    assert.equal(seen(key('/root/a.key', 0o600, 7)), 'met,unmet');
    assert.equal(seen(key('/root/a.key', 0o600, 7), null), 'met');
    assert.equal(seen(key('/tmp/a.key', 0o600)), 'met,met,unmet');
    assert.equal(seen(key('/tmp/a.key', 0o644, 7, ['sha256:2'])), '');
  });
  it('is as closed as a key where it is a token without an end', () => {
    const { file } = at('/root/a.txt', { kind: 'other' }, 0o600);
    const bearer = (more: object) =>
      resultsOf(keysClosed, [{ path: '/root/a.txt', file: file === null ? null : { ...file, owner: 7, ...more } }], {
        pins: [],
        known: [0],
      }).join();
    assert.equal(bearer({ bears: true }), 'met');
    assert.equal(bearer({ bears: true, mode: 0o644 }), 'unmet');
    assert.equal(bearer({ bears: true, mode: null }), '');
    assert.equal(bearer({ mode: 0o644 }), '');
  });
  it('of a token is found in a Secret, whole or encoded', () => {
    for (const secret of ['0123456789abcdef', 'MDEyMzQ1Njc4OWFiY2RlZg=='])
      assert.deepEqual(givenAwayIn(`data:\n  token-secret: ${secret}\n`), ['a bootstrap token'], secret);
    for (const [text, found] of [
      ['"token-secret":  "0123456789abcdef"', true],
      ["'token-secret':0123456789abcdef", true],
      ['xtoken-secret: 0123456789abcdef', false],
      ['token-secretx: 0123456789abcdef', false],
      [`token-secret:${' '.repeat(9)}0123456789abcdef`, false],
    ] as const)
      assert.deepEqual(givenAwayIn(text), found ? ['a bootstrap token'] : [], text);
    for (const text of [
      'a2="--token" a3="',
      'a9="--token" a10="',
      'KUBEADM_TOKEN=',
      'kubeadm_token: ',
      'joinToken: "',
      '--token ',
      '{"tokens":"',
    ])
      assert.deepEqual(givenAwayIn(`${text}abcdef.0123456789abcdef"`), ['a bootstrap token'], text);
    for (const text of ['tokenx: ', 'token-', 'toke: '])
      assert.deepEqual(givenAwayIn(`${text}abcdef.0123456789abcdef`), [], text);
    const key = '0a'.repeat(32);
    for (const text of [
      `certificate_key: ${key}`,
      `KUBEADM_CERTIFICATE_KEY=${key}`,
      `certificateKey: "${key}"`,
      `--certificate-key=${key}`,
      `--certificate-key  ${key}`,
      `"certificateKey": '${key}'`,
    ])
      assert.equal(givenAwayIn(text).length, 1, text);
    for (const text of [
      `certificateKey: ${key}0`,
      `certificateKey: ${key.slice(1)}`,
      `certificateKeyx: ${key}`,
      `certificate-key-${key}`,
    ])
      assert.deepEqual(givenAwayIn(text), [], text);
    for (const path of ['/root/certificate-key', '/tmp/CERTIFICATE_KEY.txt', '/srv/certificateKey-cp2'])
      assert.deepEqual(givenAwayIn(`\n ${key.toUpperCase()}\n`, path), ['a certificate key'], path);
    for (const path of ['/root/sha256.txt', '/root/certificate-key/digest', ''])
      assert.deepEqual(givenAwayIn(`${key}\n`, path), [], path);
    for (const text of [`${key}0`, key.slice(1), `x ${key}`, `${key} x`, `${key}\n${key}`])
      assert.deepEqual(givenAwayIn(text, '/root/certificate-key'), [], text);
    for (const other of ['token-secret: $SECRET', 'token-secret: {{ a }}', 'token-secret: 0123456789abcdef0'])
      assert.deepEqual(givenAwayIn(other), [], other);
  });
  it('is found in what a text holds percent-encoded, in base64 or packed', () => {
    const join =
      'kubeadm join 192.0.2.10:6443 --token abcdef.0123456789abcdef --discovery-token-unsafe-skip-ca-verification';
    const said = ['a bootstrap token', 'a join that verifies nobody'];
    const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
    for (const source of [
      `data:,${encodeURIComponent(join)}`,
      `data:;base64,${base64(join)}`,
      `data:;base64,${base64(gzipSync(join))}`,
    ])
      assert.deepEqual(givenAwayIn(JSON.stringify({ contents: { source } })), said, source);
    const certificateKey = `certificateKey: ${'0f'.repeat(32)}`;
    assert.deepEqual(givenAwayIn(`data:,${encodeURIComponent(certificateKey)}`), ['a certificate key']);
    const other = base64('kubeadm join 192.0.2.10:6443 --discovery-file /etc/kubernetes/discovery.conf');
    for (const text of [`data:;base64,${other}`, '100%', '%zz--token%20abcdef', 'A'.repeat(100)])
      assert.deepEqual(givenAwayIn(text), [], text);
  });

  it('is found by its name', () => {
    assert.equal(isLeftBehind('/opt/keys/ca.key', '/opt/keys'), false);
    for (const path of [
      '/root/a',
      '/run/ignition.json',
      '/var/lib/jenkins/.kube/config',
      '/etc/cron.d/a',
      '/usr/local/bin/join.sh',
    ])
      assert.equal(isLeftBehind(path), true, path);
    for (const path of ['/etc/kubernetes/admin.conf', '/var/lib/kubelet/config.yaml', '/opt/cni/bin/bridge'])
      assert.equal(isLeftBehind(path), false, path);
    for (const name of ['pki.tar.gz', 'my-pki.zip', 'etcd-snapshot-1.db', 'snapshot.db', 'admin.p12'])
      assert.equal(isOfKeys(`/root/${name}`), true, name);
    for (const name of [
      'kubernetes-server-linux-amd64.tar.gz',
      'etcd-v3.6.5-linux-amd64.tar.gz',
      'app.db',
      'trust.p12',
    ])
      assert.equal(isOfKeys(`/root/${name}`), false, name);
  });
});
