import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { base64 } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey, privateKeyPem } from '../../pki/keys.js';
import type { ExtendedKeyUsage } from '../../pki/oids.js';
import { readLeaf } from '../certificates/x509.js';
import {
  noAuthorityKept,
  noKeysDescribed,
  noKeysShown,
  shownBeside,
  shownByConfigMap,
  shownByDescription,
  shownBySecret,
} from './shown-keys.js';

/** Of itself, and an administrator. */
const AUTHORITY = (() => {
  const key = generateKey('ECDSA-P256');
  const { pem: certificate } = createCertificate({
    subject: { commonName: 'kubernetes', organizations: ['system:masters'] },
    publicKey: key,
    signingKey: key,
    notBefore: 0,
    notAfter: 4_000_000_000_000,
  });
  return { certificate, key: privateKeyPem(key) };
})();

const NOW = Date.parse('2026-01-01T00:00:00Z');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const pem = (key: KeyObject, type: 'sec1' | 'pkcs8' = 'pkcs8'): string =>
  key.export({ type, format: 'pem' }).toString();
const KEY = pem(privateKey);
const jwt = (claims: object): string =>
  ['{"alg":"RS256"}', JSON.stringify(claims), 'x'.repeat(100)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
const map = (
  data: Readonly<Record<string, string>>,
  binaryData: Readonly<Record<string, string>> = {},
): KubeObject => ({
  metadata: { name: 'm', namespace: 'a' },
  data,
  binaryData,
});
const told = (object: KubeObject): readonly string[] => {
  const shown = shownByConfigMap(object);
  return noKeysShown
    .judge({ shown: shown === undefined ? [] : [shown], seen: 1 }, { now: NOW })
    .filter(({ role }) => role === 'demand')
    .map(({ subject, seen, result }) => `${result}: ${subject}: ${seen}`);
};
const NONE = ['met: ConfigMaps: none of 1 holds any'];
const unmet = (seen: string): readonly string[] => [`unmet: ConfigMap a/m: ${seen}`];

describe('a key in a ConfigMap', () => {
  it('is told however it is written, and never shown', () => {
    for (const written of [
      KEY,
      pem(privateKey, 'sec1'),
      `a: |\n${KEY.replace(/^/gm, '    ')}`,
      JSON.stringify({ key: KEY }),
      `KEY="${KEY.trim().replaceAll('\n', ' ')}"`,
      KEY.replaceAll('\n', ''),
      KEY.replaceAll('\n', '\r\n'),
      base64(KEY),
      `client-key-data: ${base64(KEY)}`,
      `{"client-key-data": "${base64(KEY)}"}`,
      base64(`users:\n- user:\n    client-key-data: '${base64(KEY)}'`),
      `client-key-data:${base64(KEY)}`,
      `client-key-data:   ${base64(KEY)}`,
      ...[' "', ' ', '', '   ', " '"].map((before) => `client-key-data:${before}${base64(`of a\n${KEY}`)}`),
      `{"client-key-data":"${base64(`of a\n${KEY}`)}"}`,
      `kind: Secret\ndata:\n  tls.crt: ${base64('-----BEGIN CERTIFICATE-----\n'.padEnd(90, 'A'))}\n  tls.key: ${base64(KEY)}\n`,
      `echo '${base64(KEY)}' | base64 -d > a.key`,
      base64(privateKey.export({ type: 'pkcs8', format: 'der' })),
      base64(KEY).replace(/.{76}/g, '$&\n'),
    ]) {
      assert.deepEqual(told(map({ x: written })), unmet('data.x: a private key'), written);
    }
    assert.deepEqual(told(map({}, { x: base64(KEY) })), unmet('binaryData.x: a private key'));
    assert.ok(!JSON.stringify(shownByConfigMap(map({ x: KEY }))).includes(KEY.slice(40, 80)));
  });

  it('is none where nothing could be done with it', () => {
    const encrypted = privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
      .toString();
    for (const written of [
      '',
      'between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n',
      encrypted,
      'client-key-data: <key>',
      `client-key-data: ${base64('x'.repeat(60))}`,
      `!!! ${base64(privateKey.export({ type: 'pkcs8', format: 'der' }))}`,
      `${base64(privateKey.export({ type: 'pkcs8', format: 'der' }))} !!!`,
      `${' '.repeat(262_144)}${KEY}`,
      KEY.replaceAll('PRIVATE', 'PUBLIC'),
    ])
      assert.equal(shownByConfigMap(map({ x: written })), undefined, written);
    assert.deepEqual(told(map({})), NONE);
    const [listed] = noKeysShown.judge({ shown: [], seen: 2 }, { now: NOW });
    assert.deepEqual(
      [listed?.result, listed?.subject, listed?.demanded, listed?.seen],
      ['met', 'ConfigMaps', 'can be listed', '2'],
    );
    assert.deepEqual(noKeysShown.judge({ shown: [], seen: 0 }, { now: NOW })[0]?.result, 'unmet');
  });

  it('is told with the first of them, of each value and of each map', () => {
    const keys = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, KEY]));
    const shown = shownByConfigMap(map(keys));
    assert.equal(shown?.keys.length, 6);
    assert.deepEqual(
      told(map(keys)),
      unmet(['a', 'b', 'c', 'd', 'e'].map((of) => `data.${of}: a private key`).join('; ')),
    );
    assert.equal(shownByConfigMap(map({ x: `client-key-data: ${base64(KEY)}\n`.repeat(25) }))?.keys.length, 20);
    const sub = `system:serviceaccount:kube-system:${'a'.repeat(200)}`;
    const tokens = shownByConfigMap(map({ x: `${jwt({ sub })}\n`.repeat(25) }))?.tokens ?? [];
    assert.deepEqual([tokens.length, tokens[0]?.account], [20, sub.slice(0, 200)]);
    const withWritten = map({ x: KEY, y: 'clusters: []\nusers: [{user: {password: hunter2}}]' });
    assert.deepEqual(told(withWritten), unmet('data.x: a private key; data.y: a password of a kubeconfig'));
    const both = map({ x: KEY, y: jwt({ sub: 'system:serviceaccount:a:b' }) });
    assert.deepEqual(told(both), unmet('data.x: a private key; data.y: a token of system:serviceaccount:a:b'));
    const [judged] = noKeysShown
      .judge({ shown: [shownByConfigMap(both) ?? assert.fail()], seen: 1 }, { now: NOW })
      .slice(1);
    assert.equal(judged?.demanded, 'holds no private key and no credential of the cluster');
  });

  it('is told of annotations of what is no ConfigMap', () => {
    const node = (annotations: object, namespace?: string): KubeObject => ({
      metadata: { name: 'n', ...(namespace === undefined ? {} : { namespace }), annotations } as KubeObject['metadata'],
    });
    const judged = (object: KubeObject): readonly string[] => {
      const shown = shownBeside(object, 'Node');
      return noKeysShown
        .judge({ shown: shown === undefined ? [] : [shown], seen: 3, of: 'annotations' }, { now: NOW })
        .map(({ subject, seen, result }) => `${result}: ${subject}: ${seen}`);
    };
    const none = ['met: annotations: 3', 'met: annotations: none of 3 holds any'];
    for (const value of [KEY, base64(KEY), `client-key-data: ${base64(KEY)}`])
      assert.deepEqual(judged(node({ k: value })).slice(1), ['unmet: Node n: metadata.annotations.k: a private key']);
    assert.deepEqual(
      judged(node({ k: 'users: [{user: {password: hunter2}}]\nclusters: []'.padEnd(80) }, 'a')).slice(1),
      ['unmet: Node a/n: metadata.annotations.k: a password of a kubeconfig'],
    );
    const token = jwt({ sub: 'system:serviceaccount:a:b' });
    assert.match(judged(node({ k: token })).join(), /k: a token of system:serviceaccount:a:b/);
    for (const annotations of [{}, { k: 'short' }, { k: 'x'.repeat(200) }, { k: 7 }, undefined])
      assert.deepEqual(judged(node(annotations as object)), none);
    assert.deepEqual(judged(node({ 'kubectl.kubernetes.io/last-applied-configuration': KEY })), none);
    // nothing shorter, and nothing behind what is read of a value
    const written = 'clusters: []\nusers: [{user: {password: hunter2}}]';
    assert.deepEqual(judged(node({ k: written.padEnd(63) })), none);
    assert.equal(judged(node({ k: written.padEnd(64) })).length, 2);
    assert.match(judged(node({ k: written.padEnd(64) })).join(), /unmet: Node n/);
    assert.deepEqual(judged(node({ k: `#${' '.repeat(262_144)}\n${KEY}` })), none);
  });

  it('is told by variables and commands of Pods and of what makes them', () => {
    const judged = (kind: string, object: object) => {
      const shown = shownBeside({ metadata: { name: 'n', namespace: 'a' }, ...object } as KubeObject, kind);
      return (shown === undefined ? [] : noKeysShown.judge({ shown: [shown], seen: 1 }, { now: NOW }).slice(1)).map(
        ({ subject, seen }) => `${subject}: ${seen}`,
      );
    };
    const spec = {
      containers: [
        {
          name: 'c',
          env: [
            { name: 'K', value: base64(KEY) },
            { name: 'L', valueFrom: {} },
          ],
        },
      ],
    };
    const shell = { initContainers: [{ name: 'i', command: ['sh', '-c'], args: [`echo '${KEY}' > /k`] }] };
    assert.deepEqual(judged('Pod', { spec }), ['Pod a/n: containers.c.env.K: a private key']);
    assert.deepEqual(judged('Job', { spec: { template: { spec: shell } } }), [
      'Job a/n: containers.i.command: a private key',
    ]);
    const config = `users: [{user: {client-key-data: ${base64(KEY)}}}]`;
    const daily = { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', args: [config] }] } } } } };
    assert.deepEqual(judged('CronJob', { spec: daily }), ['CronJob a/n: containers.c.command: a private key']);
    const plain = { containers: [{ name: 'c', args: ['x'.repeat(200), 7], env: [{ name: 'A', value: 'short' }] }] };
    assert.deepEqual(judged('Pod', { spec: plain }), []);
  });

  it('is told of SSH where nothing guards it', () => {
    const ssh = (cipher: string): string =>
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${base64(`openssh-key-v1\0\0\0\0${String.fromCharCode(cipher.length)}${cipher}${'x'.repeat(99)}`)}\n-----END OPENSSH PRIVATE KEY-----\n`;
    assert.deepEqual(told(map({ x: ssh('none') })), unmet('data.x: a private key'));
    assert.deepEqual(told(map({ x: ssh('aes256-ctr') })), NONE);
  });

  it('is told beside credentials that are none', () => {
    const kubeconfig = 'clusters: []\nusers: [{user: {password: hunter2}}]';
    assert.deepEqual(told(map({ x: kubeconfig })), unmet('data.x: a password of a kubeconfig'));
  });

  it('is told of a token of an account as long as it logs in', () => {
    const sub = 'system:serviceaccount:kube-system:deployer';
    const token = unmet(`data.x: a token of ${sub}`);
    assert.deepEqual(told(map({ x: `token: ${jwt({ sub })}` })), token);
    assert.deepEqual(told(map({ x: jwt({ sub, exp: NOW / 1000 + 1 }) })), token);
    for (const claims of [{ sub, exp: NOW / 1000 }, { sub: 'somebody' }, {}])
      assert.deepEqual(told(map({ x: jwt(claims) })), NONE);
    const short = `${jwt({ sub }).split('.').slice(0, 2).join('.')}.short`;
    for (const none of [short, `a${jwt({ sub })}`, jwt({ sub }).slice(2)])
      assert.equal(shownByConfigMap(map({ x: none })), undefined, none);
    assert.equal(shownByConfigMap(map({ x: jwt({ sub: 'somebody' }) })), undefined);
    assert.equal(
      shownByConfigMap(map({ x: `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(30)}` })),
      undefined,
    );
    assert.deepEqual(told(map({ x: `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(30)}` })), NONE);
  });
});

describe('a key in a Secret', () => {
  const secret = (data: Readonly<Record<string, string>>, more: object = {}): KubeObject => ({
    metadata: { name: 's', namespace: 'a' },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)])),
    ...more,
  });
  const judge = (object: KubeObject, authorities = '', accounts: readonly string[] = []): readonly string[] => {
    const shown = shownBySecret(object);
    return noAuthorityKept
      .judge({ shown: shown === undefined ? [] : [shown], seen: 1 }, { authorities, accounts, now: NOW })
      .map(({ subject, seen, result }) => `${result}: ${subject}: ${seen}`);
  };
  const NO = ['met: Secrets: none of 1 holds any'];

  it('is told where it is that of an authority, or in kube-public', () => {
    const { certificate: ca, key } = AUTHORITY;
    const authority = ['unmet: Secret a/s: data.ca.key: the key of an authority of the cluster'];
    assert.deepEqual(judge(secret({ 'ca.key': key }), ca), authority);
    assert.deepEqual(judge(secret({ 'ca.key': KEY }), ca), NO);
    assert.deepEqual(judge(secret({ 'ca.key': key }), 'no certificate'), NO);
    const metadata = { name: 's', namespace: 'kube-public' };
    assert.deepEqual(judge(secret({ k: KEY }, { metadata })), [
      'unmet: Secret kube-public/s: data.k: a private key, in kube-public',
    ]);
    // what the certificates of control planes and of machines are kept in
    assert.deepEqual(judge(secret({ 'ca.key': key }, { type: 'cluster.x-k8s.io/secret' }), ca), NO);
    const shared = { metadata: { name: 'kubeadm-certs', namespace: 'kube-system' } };
    assert.deepEqual(judge(secret({ 'ca.key': key }, shared), ca), NO);
  });

  it('is told wherever else a name is the same', () => {
    const { certificate: ca, key } = AUTHORITY;
    for (const [name, namespace] of [
      ['s', 'kube-system'],
      ['kubeadm-certs', 'a'],
    ] as const)
      assert.deepEqual(judge(secret({ 'ca.key': key }, { metadata: { name, namespace } }), ca), [
        `unmet: Secret ${namespace}/${name}: data.ca.key: the key of an authority of the cluster`,
      ]);
    assert.deepEqual(judge(secret({}, { stringData: { x: key } }), `no certificate\n${ca}`), [
      'unmet: Secret a/s: stringData.x: the key of an authority of the cluster',
    ]);
    const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    assert.equal(judge(secret({ k: key }), `${junk}${ca}`)[0]?.startsWith('unmet'), true);
    const shown = shownBySecret(secret({ k: KEY, c: ca.replace(/^/gm, ' '), o: 'x' }));
    assert.deepEqual(
      shown?.keys.map(({ path }) => path),
      ['data.k'],
    );
    assert.deepEqual(
      shown?.leafs.map(({ path, as }) => `${path}: ${as}`),
      ['data.c: system:masters'],
    );
    assert.deepEqual(
      { ...shown, keys: [], leafs: [] },
      {
        subject: 'Secret a/s',
        namespace: 'a',
        keys: [],
        leafs: [],
        tokens: [],
        written: [],
      },
    );
    const kubeconfig = 'clusters: []\nusers: [{user: {password: hunter2}}]';
    assert.deepEqual(shownBySecret(secret({ k: KEY, c: kubeconfig }))?.written, []);
    assert.equal(shownBySecret(secret({ c: kubeconfig, t: jwt({ sub: 'system:serviceaccount:a:b' }) })), undefined);
    assert.deepEqual(shownBySecret(secret({ c: ca }))?.keys, []);
    const [judged] = noAuthorityKept.judge({ shown: [], seen: 1 }, { authorities: '', accounts: [], now: NOW });
    assert.equal(
      judged?.demanded,
      'holds no key by which its readers make themselves administrators, nodes or the control plane',
    );
  });

  it('is told where it is of etcd, whose authority nobody shows', () => {
    const key = generateKey('ECDSA-P256');
    const authorityOf = (commonName: string) => createAuthority({ commonName, key, now: NOW });
    const issued = (commonName: string, issuer: string, extendedKeyUsage?: readonly ExtendedKeyUsage[]): string =>
      issueCredential(authorityOf(issuer), {
        subject: { commonName },
        key,
        now: NOW,
        ...(extendedKeyUsage === undefined ? {} : { extendedKeyUsage }),
      }).certificatePem;
    const seen = (certificate: string, written = privateKeyPem(key)): string =>
      judge(secret({ 'tls.crt': certificate, 'tls.key': written })).join();
    const own = (what: string): string => `unmet: Secret a/s: data.tls.crt: ${what}`;
    assert.equal(seen(authorityOf('etcd-ca').certificate.pem), own('the authority of etcd'));
    const client = issued('kube-apiserver-etcd-client', 'etcd-ca', ['clientAuth']);
    assert.equal(seen(client), own('the client kube-apiserver-etcd-client of etcd'));
    assert.equal(
      seen(issued('cp1', 'etcd-ca', ['serverAuth', 'clientAuth'])),
      own('the client cp1 of etcd'),
      'members are clients of each other',
    );
    assert.equal(seen(issued('cp1', 'etcd-ca')), own('the client cp1 of etcd'), 'without usages: for anything');
    for (const none of [
      issued('cp1', 'etcd-ca', ['serverAuth']),
      issued('kube-apiserver-etcd-client', 'etcd', ['clientAuth']),
      issued('etcd-ca', 'kubernetes', ['clientAuth']),
    ])
      assert.deepEqual([seen(none)], NO);
    // whoever has the certificate alone has nothing
    assert.deepEqual([seen(client, KEY)], NO);
  });

  it('is told where another Secret holds the certificate', () => {
    const { certificate: ca, key } = AUTHORITY;
    const named = (name: string, data: Readonly<Record<string, string>>) =>
      shownBySecret(secret(data, { metadata: { name, namespace: 'a' } })) ?? assert.fail();
    const judged = (authorities: string, ...shown: readonly ReturnType<typeof named>[]) =>
      noAuthorityKept
        .judge({ shown, seen: 2 }, { authorities, accounts: [], now: NOW })
        .map(({ subject, seen, result }) => `${result}: ${subject}: ${seen}`);
    const told = ['unmet: Secret a/k: data.x: the key of an authority of the cluster; data.x: system:masters'];
    assert.deepEqual(judged(ca, named('c', { c: ca }), named('k', { x: key })), told);
    assert.deepEqual(judged(ca, named('k', { x: key }), named('c', { c: ca })), told);
    assert.match(judged('', named('c', { c: ca }), named('k', { x: key })).join(), /^met/);
    // one that holds both is told once, by its certificate
    assert.deepEqual(judged(ca, named('c', { c: ca }), named('k', { x: key, y: ca })), [
      'unmet: Secret a/k: data.x: the key of an authority of the cluster; data.y: system:masters',
    ]);
    assert.match(judged(ca, named('c', { c: ca }), named('k', { x: KEY })).join(), /^met/);
  });

  it('is told as JSON', () => {
    const { certificate: ca, key } = AUTHORITY;
    const authority = ['unmet: Secret a/s: data.x: the key of an authority of the cluster'];
    const jwk = createPrivateKey(key).export({ format: 'jwk' });
    for (const written of [jwk, { keys: [{ kty: 'oct' }, jwk] }, { ...jwk, kid: 'a' }])
      assert.deepEqual(judge(secret({ x: JSON.stringify(written) }), ca), authority);
    const { d: _, ...known } = jwk;
    for (const written of [known, { keys: [known] }, { keys: 'd' }, { d: 'kty' }, [jwk], { ...jwk, d: 'a' }])
      assert.deepEqual(judge(secret({ x: JSON.stringify(written) }), ca), NO);
    assert.deepEqual(judge(secret({ x: `${JSON.stringify(jwk)} of` }), ca), NO);
    assert.equal(shownBySecret(secret({ x: JSON.stringify({ keys: Array(25).fill(jwk) }) }))?.keys.length, 20);
    assert.deepEqual(told(map({ x: JSON.stringify(jwk) })), unmet('data.x: a private key'));
  });

  it('is told in an archive and in DER', () => {
    const { certificate: ca, key } = AUTHORITY;
    const authority = ['unmet: Secret a/s: data.x: the key of an authority of the cluster'];
    const binary = (bytes: Buffer) => ({ ...secret({}), data: { x: base64(bytes) } });
    assert.deepEqual(judge(binary(gzipSync(key)), ca), authority);
    assert.deepEqual(judge(binary(Buffer.from(gzipSync(key.toString()).toString('base64'))), ca), authority);
    assert.deepEqual(judge(binary(gzipSync(key).subarray(0, 60)), ca), NO);
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    for (const type of ['pkcs8', 'pkcs1'] as const)
      assert.equal(shownBySecret(binary(rsa.export({ type, format: 'der' })))?.keys.length, 1, type);
    for (const type of ['pkcs8', 'sec1'] as const)
      assert.deepEqual(judge(binary(createPrivateKey(key).export({ type, format: 'der' })), ca), authority);
    assert.deepEqual(judge(binary(Buffer.from('0\x82no key')), ca), NO);
  });

  it('is told where it signs tokens, or is one of a controller', () => {
    const pin = shownByConfigMap(map({ x: KEY }))?.keys[0]?.pin ?? '';
    assert.deepEqual(judge(secret({ k: KEY }), '', [pin]), [
      'unmet: Secret a/s: data.k: the key that signs tokens of service accounts',
    ]);
    const account = 'system:serviceaccount:kube-system:token-cleaner';
    const told = [`unmet: Secret a/s: data.t: a token of ${account}`];
    assert.deepEqual(judge(secret({ t: jwt({ sub: account }) })), told);
    assert.deepEqual(judge(secret({ k: KEY, t: jwt({ sub: account }) })), told);
    assert.deepEqual(judge(secret({ t: jwt({ sub: account, exp: NOW / 1000 - 1 }) })), NO);
    assert.deepEqual(judge(secret({ t: jwt({ sub: 'system:serviceaccount:kube-system:metrics-server' }) })), NO);
  });

  it('is told where a token without end is kept for a controller that does not list it', () => {
    const sub = 'system:serviceaccount:kube-system:token-cleaner';
    const kept = (listed?: readonly string[], claims: object = { sub }): readonly string[] => {
      const shown = shownBySecret(secret({ token: jwt(claims) }, { type: 'kubernetes.io/service-account-token' }));
      const observed = { shown: shown === undefined ? [] : [shown], seen: 1 };
      return noAuthorityKept
        .judge(observed, { authorities: '', accounts: [], now: NOW, listed })
        .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);
    };
    assert.deepEqual(kept([]), [`unmet: Secret a/s: data.token: a token of ${sub}`]);
    assert.deepEqual(kept(['another']), kept([]));
    for (const listed of [undefined, ['s'], ['another', 's']]) assert.deepEqual(kept(listed), NO);
    assert.deepEqual(kept([], { sub: 'system:serviceaccount:kube-system:metrics-server' }), NO);
  });

  it('is told where it makes a node or a part of the control plane', () => {
    const key = generateKey('ECDSA-P256');
    const made = (subject: { commonName: string; organizations?: readonly string[] }, dns: readonly string[] = []) =>
      createCertificate({
        subject,
        publicKey: key,
        signingKey: key,
        notBefore: 0,
        notAfter: 4_000_000_000_000,
        ...(dns.length === 0 ? {} : { altNames: { dns } }),
      }).pem;
    const shown = (certificate: string): readonly string[] =>
      judge(secret({ c: certificate, k: privateKeyPem(key) }), certificate).map((one) => one.split('; ')[1] ?? '');
    const node = { commonName: 'system:node:a', organizations: ['system:nodes'] };
    assert.deepEqual(shown(made(node)), ['data.c: system:node:a']);
    for (const commonName of [
      'system:kube-controller-manager',
      'system:kube-scheduler',
      'kube-apiserver-kubelet-client',
      'front-proxy-client',
    ])
      assert.deepEqual(shown(made({ commonName })), [`data.c: ${commonName}`]);
    for (const [organizations, as] of [
      [['dev', 'kubeadm:cluster-admins'], 'dev, kubeadm:cluster-admins'],
      [['system:masters', 'x'.repeat(300)], `system:masters, ${'x'.repeat(184)}`],
    ] as const)
      assert.deepEqual(shown(made({ commonName: 'alice', organizations })), [`data.c: ${as}`]);
    assert.deepEqual(shown(made({ commonName: 'a', organizations: ['system:nodes'] })), ['']);
    const besides = secret({ a: KEY, c: made(node), k: privateKeyPem(key) });
    assert.match(judge(besides, made(node)).join(), /data\.c: system:node:a/);
    assert.deepEqual(shown(made({ commonName: 'a' }, ['kubernetes.default.svc'])), ['data.c: the API server']);
    for (const subject of [{ commonName: 'system:node:a' }, { commonName: 'alice', organizations: ['dev'] }])
      assert.deepEqual(shown(made(subject)), ['']);
  });

  it('is told where it makes an administrator', () => {
    const { certificate, key } = AUTHORITY;
    const leaf = readLeaf(certificate);
    assert.ok(!('unreadable' in leaf) && leaf.organizations.includes('system:masters'));
    const kubeconfig = `client-certificate-data: ${base64(certificate)}\nclient-key-data: ${base64(key)}\n`;
    assert.deepEqual(judge(secret({ c: kubeconfig }), certificate), [
      'unmet: Secret a/s: data.c: the key of an authority of the cluster; data.c: system:masters',
    ]);
    assert.deepEqual(judge(secret({ c: certificate, k: KEY }), certificate), NO);
    assert.deepEqual(judge(secret({ c: certificate }), certificate), NO);
    // of several certificates any one
    const bystander = createCertificate({
      subject: { commonName: 'bob' },
      publicKey: privateKey,
      signingKey: privateKey,
      notBefore: 0,
      notAfter: 4_000_000_000_000,
    }).pem;
    const bundle = `${bystander}${certificate}`;
    for (const written of [bundle, bundle.replaceAll('\n', ' '), `client-certificate-data: ${base64(bundle)}`])
      assert.deepEqual(judge(secret({ c: written, k: key }), certificate), [
        'unmet: Secret a/s: data.k: the key of an authority of the cluster; data.c: system:masters',
      ]);
    assert.deepEqual(judge(secret({ c: bundle, k: KEY }), certificate), NO);
  });
});

describe('a key in the description of a token', () => {
  const described = (description?: string): readonly string[] => {
    const data = { 'token-id': 'abcdef', ...(description === undefined ? {} : { description }) };
    const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]));
    const shown = shownByDescription({
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      data: encoded,
    });
    return noKeysDescribed
      .judge(shown === undefined ? [] : [shown], { now: NOW })
      .map(({ role, subject, seen, result }) => `${role} ${result}: ${subject}: ${seen}`);
  };
  it('is told, and never shown', () => {
    const account = jwt({ sub: 'system:serviceaccount:kube-system:deployer' });
    for (const [description, said] of [
      [KEY, 'a private key'],
      [base64(KEY), 'a private key'],
      [account, 'a token of system:serviceaccount:kube-system:deployer'],
    ] as const)
      assert.deepEqual(described(description), [
        `demand unmet: Secret kube-system/bootstrap-token-abcdef: data.description: ${said}`,
      ]);
  });
  it('is looked for where there may be no token, and no description', () => {
    const none = ['demand met: descriptions of tokens: none holds any'];
    for (const description of [undefined, '', 'for new machines', 'kubeadm join 192.0.2.1:6443 '.repeat(5)])
      assert.deepEqual(described(description), none);
  });
});
