import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import {
  addressAnswers,
  addressForOthers,
  addressIn,
  addressPlain,
  authorityOfServer,
  certificateNamesHost,
  type HostSeen,
} from './address.js';
import {
  authoritiesOfCluster,
  authorityForJoining,
  holdsNoSignature,
  holdsNothingElse,
  keepsText,
  publishedCertificates,
  publishesAuthority,
  publishesCluster,
  publishesKubeconfig,
  publishesNobody,
  publishesNoCredential,
  publishesNoDetour,
  publishesOneCluster,
  publishesVerification,
} from './cluster-info.js';
import { type ClusterInfoFacts, readClusterInfo, textDigest } from './cluster-info-reader.js';

const { pem } = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.now() }).certificate;
/** Of a ServiceAccount; what follows is part of its signature. */
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJlIG9mIGl0-';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const TEXT = [
  'apiVersion: v1',
  'clusters:',
  '- cluster:',
  `    certificate-authority-data: ${base64(pem)}`,
  '    server: https://10.138.0.2:6443',
  '  name: ""',
  'contexts: null',
  'current-context: ""',
  'kind: Config',
  'users: null',
  '',
].join('\n');

const read = (text: string, data: Readonly<Record<string, string>> = {}): ClusterInfoFacts =>
  readClusterInfo({ metadata: { name: 'cluster-info' }, data: { kubeconfig: text, ...data } });

/** The results of a check, judged twice: as read, and as a report holds it. */
function results<O, P>(check: Check<O, P>, observation: O, parameters: P): readonly string[] {
  const findings = check.judge(observation, parameters);
  assert.deepEqual(check.judge(JSON.parse(JSON.stringify(observation)), parameters), findings);
  return findings.map(({ result, refusal }) => (refusal === true ? `${result} refusal` : result));
}
const judged = (check: Check<ClusterInfoFacts>, text: string): readonly string[] =>
  results(check, read(text), undefined);

const ALL = [
  publishesKubeconfig,
  publishesNobody,
  publishesNoCredential,
  publishesCluster,
  publishesAuthority,
  publishesVerification,
  publishesNoDetour,
  publishesOneCluster,
];

describe('the published kubeconfig', () => {
  it('passes as kubeadm writes it, up to 1.33 and since', () => {
    for (const text of [TEXT, TEXT.replace('users: null', 'preferences: {}\nusers: []')])
      for (const check of ALL) assert.deepEqual(judged(check, text), ['met'], check.id);
  });

  it('is none where it is quoted, missing, a list, broken, of another kind or of itself', () => {
    const broken = [JSON.stringify(TEXT), '- a', '{', '', 'a: &a\n  b: *a\n'];
    for (const text of [...broken, TEXT.replace('kind: Config', 'kind: Pod')])
      assert.deepEqual(judged(publishesKubeconfig, text), ['unmet'], text);
    const elsewhere = readClusterInfo({ metadata: {}, data: { config: TEXT } });
    assert.deepEqual(results(publishesKubeconfig, elsewhere, undefined), ['unmet']);
    for (const check of ALL.slice(1)) {
      assert.deepEqual(results(check, elsewhere, undefined), [], check.id);
      assert.ok(check.nothing);
    }
  });

  it('is of nobody, and all that is somebody’s is told', () => {
    const somebody = TEXT.replace('contexts: null', 'contexts: [{name: a}]').replace('context: ""', 'context: a');
    assert.deepEqual(judged(publishesNobody, somebody), ['unmet']);
    assert.match(publishesNobody.judge(read(somebody), undefined)[0]?.seen ?? '', /contexts, current-context/);
  });

  it('hides no credential, at any depth, and names places instead of values', () => {
    const key = base64('-----BEGIN RSA PRIVATE KEY-----\nMIIE');
    for (const users of [
      '[{name: a, user: {token: hunter2}}]',
      '[{user: {exec: {command: hunter2}}}]',
      `[{user: {client-key-data: ${key}}}]`,
      `[{user: {odd: ${key}}}]`,
      '[{user: {odd: "-----BEGIN PRIVATE KEY-----\\nhunter2"}}]',
      '[{user: {bearer_token: hunter2}}]',
      '[{user: {clientKeyData: hunter2}}]',
      `[{user: {odd: ${JWT}hunter2}}]`,
      `[{user: {odd: ${base64(`x: ${JWT}hunter2`)}}}]`,
    ]) {
      const facts = read(TEXT.replace('users: null', `users: ${users}`));
      assert.deepEqual(results(publishesNoCredential, facts, undefined), ['unmet'], users);
      assert.deepEqual(results(publishesNobody, facts, undefined), ['unmet'], users);
      const report = JSON.stringify([facts, publishesNoCredential.judge(facts, undefined)]);
      assert.ok(!report.includes('hunter2') && !report.includes(key), users);
      assert.ok(!report.includes(base64('hunter2').slice(0, 8)), users);
    }
  });

  it('hides none in its comments', () => {
    for (const comment of [`# ${JWT}hunter2`, '# -----BEGIN RSA PRIVATE KEY-----']) {
      const facts = read(`${comment}\n${TEXT}`);
      assert.deepEqual(results(publishesNoCredential, facts, undefined), ['unmet'], comment);
      assert.match(publishesNoCredential.judge(facts, undefined)[0]?.seen ?? '', /a comment/);
    }
    assert.deepEqual(judged(publishesNoCredential, `# api123.abcdefghijklmnop is a host\n${TEXT}`), ['met']);
  });

  it('keeps its certificates where a key stands beside them', () => {
    const both = TEXT.replace(base64(pem), base64(`${pem}-----BEGIN PRIVATE KEY-----\nMIIE`));
    assert.deepEqual(judged(publishesAuthority, both), ['met']);
    assert.deepEqual(judged(publishesNoCredential, both), ['unmet']);
    assert.ok(!JSON.stringify(read(both)).includes(base64('PRIVATE KEY').slice(0, 8)));
  });

  it('has no user in an address', () => {
    const facts = read(TEXT.replace('https://', 'https://admin:hunter2@'));
    assert.deepEqual(results(publishesNoCredential, facts, undefined), ['unmet']);
    assert.ok(!JSON.stringify(facts).includes('hunter2'));
    assert.deepEqual(addressIn(facts, { reached: 'https://10.0.0.1:6443', service: [] }), {
      url: 'https://10.138.0.2:6443',
      host: '10.138.0.2',
    });
  });

  it('has a cluster with a CA that is not switched off', () => {
    assert.deepEqual(judged(publishesCluster, 'apiVersion: v1\nkind: Config\nclusters: []\n'), ['unmet']);
    assert.deepEqual(judged(publishesCluster, 'apiVersion: v1\nkind: Config\n'), ['unmet']);
    const file = 'certificate-authority: /etc/kubernetes/pki/ca.crt';
    assert.deepEqual(judged(publishesAuthority, TEXT.replace(/certificate-authority-data: .*/, file)), ['unmet']);
    assert.deepEqual(judged(publishesAuthority, TEXT.replace(base64(pem), base64('no PEM'))), ['unmet']);
    assert.deepEqual(judged(publishesAuthority, 'clusters: []'), []);
    const insecure = TEXT.replace('    server', '    insecure-skip-tls-verify: true\n    server');
    assert.deepEqual(judged(publishesVerification, insecure), ['unmet']);
  });

  it('has one cluster, without a name; each one that it has is judged', () => {
    const two = TEXT.replace('contexts', '- cluster: {insecure-skip-tls-verify: true}\n  name: b\n- {}\ncontexts');
    assert.deepEqual(judged(publishesCluster, two), ['met']);
    const current = TEXT.replace('current-context: ""', 'current-context: a');
    for (const text of [two, TEXT.replace('name: ""', 'name: kubernetes'), current, 'clusters: []'])
      assert.deepEqual(judged(publishesOneCluster, text), ['unmet'], text);
    assert.deepEqual(judged(publishesVerification, two), ['met', 'unmet']);
    assert.deepEqual(judged(publishesAuthority, two), ['met', 'unmet']);
  });

  it('names no proxy and no other server name', () => {
    for (const member of ['proxy-url: http://10.0.0.9:3128', 'tls-server-name: kubernetes'])
      assert.deepEqual(judged(publishesNoDetour, TEXT.replace('    server', `    ${member}\n    server`)), ['unmet']);
    assert.deepEqual(judged(publishesNoDetour, TEXT.replace('    server', '    proxy-url: ""\n    server')), ['met']);
  });
});

describe('the published CA', () => {
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.now() });
  const other = createAuthority({ commonName: 'other', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
  const issued = (leaf: { readonly ca?: boolean; readonly keyUsage?: readonly [] }): string =>
    issueCredential(authority, {
      subject: { commonName: 'kube-apiserver' },
      key: 'ECDSA-P256',
      now: Date.now(),
      ...leaf,
    }).certificatePem;
  const leaf = issued({});
  const bundle = (...parts: readonly string[]): readonly string[] =>
    judged(publishesAuthority, TEXT.replace(base64(pem), base64(parts.join(''))));

  it('is a CA, and so is all that stands beside it', () => {
    assert.deepEqual(bundle(authority.certificate.pem, other), ['met']);
    assert.deepEqual(bundle(leaf), ['unmet']);
    assert.deepEqual(bundle(issued({ ca: true })), ['unmet'], 'its key usage says otherwise');
    assert.deepEqual(bundle(issued({ ca: true, keyUsage: [] })), ['met']);
    assert.deepEqual(bundle(authority.certificate.pem, leaf), ['unmet']);
    assert.deepEqual(bundle(authority.certificate.pem, other.replace('MII', 'AAA')), ['unmet']);
  });

  it('is in the base64 that Go reads', () => {
    const data = (text: string) => judged(publishesAuthority, TEXT.replace(base64(pem), JSON.stringify(text)));
    assert.deepEqual(data(base64(pem).replace(/.{64}/g, '$&\n')), ['met']);
    assert.deepEqual(data(pem), ['unmet']);
    assert.deepEqual(data(`-${base64(pem)}`), ['unmet']);
  });

  it('is one that the cluster gives to its Pods', () => {
    const of = (published: string, known: string) =>
      results(
        authoritiesOfCluster,
        { published: publishedCertificates(published), known: publishedCertificates(known) },
        undefined,
      );
    assert.deepEqual(of(pem, `${other}${pem}`), ['met']);
    assert.deepEqual(of(`${pem}${other}`, pem), ['met', 'unmet']);
    assert.deepEqual(of(pem, ''), ['unmet']);
    const { pem: namesake } = createAuthority({
      commonName: 'kubernetes',
      key: 'ECDSA-P256',
      now: Date.now(),
    }).certificate;
    assert.deepEqual(of(namesake, pem), ['unmet'], 'of the same name');
    assert.deepEqual(of('', pem), []);
  });
});

describe('the ConfigMap', () => {
  it('holds signatures beside the kubeconfig, and nothing else', () => {
    const keys = (key: string) => results(holdsNothingElse, read(TEXT, { [key]: 'x' }), undefined);
    assert.deepEqual(keys('jws-kubeconfig-07401b'), ['met']);
    for (const key of ['token', 'jws-07401b', 'jws-kubeconfig-', 'jws-kubeconfig-ABCDEF', 'jws-kubeconfig-07401bx'])
      assert.deepEqual(keys(key), ['unmet'], key);
    const binary = readClusterInfo({ metadata: {}, data: { kubeconfig: TEXT }, binaryData: { notes: 'eA==' } });
    assert.deepEqual(results(holdsNothingElse, binary, undefined), ['unmet']);
  });

  it('is unsigned where nobody signs', () => {
    assert.deepEqual(results(holdsNoSignature, read(TEXT), undefined), ['met', 'met refusal']);
    const signed = read(TEXT, { 'jws-kubeconfig-07401b': 'x' });
    assert.deepEqual(results(holdsNoSignature, signed, undefined), ['met', 'unmet refusal']);
    const noted = read(TEXT, { notes: 'x' });
    assert.deepEqual(results(holdsNoSignature, noted, undefined), ['met', 'unmet refusal']);
    const empty = readClusterInfo({ metadata: {}, data: {} });
    assert.deepEqual(results(holdsNoSignature, empty, undefined), ['unmet', 'met refusal']);
  });

  it('gives joining machines its authority, where it holds a PEM certificate', () => {
    assert.match(authorityForJoining(read(TEXT)) ?? '', /^-----BEGIN CERTIFICATE-----/);
    const outsider = createAuthority({ commonName: 'outsider', key: 'ECDSA-P256', now: Date.now() }).certificate.pem;
    const named = TEXT.replace(
      '- cluster:',
      `- cluster: {certificate-authority-data: ${base64(outsider)}}\n  name: a\n- cluster:`,
    );
    assert.equal(authorityForJoining(read(named)), pem, 'of the cluster without a name');
    const others = named.replace(/name: ""/, 'name: b');
    assert.notEqual(others, named);
    assert.equal(authorityForJoining(read(others)), outsider, 'of the first where each has a name');
    for (const text of [
      '',
      'clusters: []',
      'clusters: [{cluster: {}}]',
      'clusters: [{cluster: {certificate-authority-data: eA==}}]',
    ])
      assert.equal(authorityForJoining(read(text)), undefined, text);
  });

  it('keeps its text', () => {
    const digest = (kubeconfig: string) => textDigest({ data: { kubeconfig } });
    const kept = (before: string | null, after: string | null) =>
      results(keepsText, { before, after }, { demanded: 'keeps the text' });
    assert.deepEqual(kept(digest(TEXT), digest(TEXT)), ['met refusal']);
    assert.deepEqual(kept(digest(TEXT), digest(`${TEXT} `)), ['unmet refusal']);
    assert.deepEqual(kept(textDigest({}), textDigest({})), ['unmet refusal']);
  });
});

describe('the address', () => {
  it('is one for other machines', () => {
    const service = ['10.96.0.1', 'fd00:96::1'];
    const address = (server: string, reached = 'https://10.0.0.1:6443'): readonly string[] =>
      results(addressForOthers, read(TEXT.replace('https://10.138.0.2:6443', server)), { reached, service });
    for (const server of [
      'https://10.138.0.2:6443',
      'https://[fd00::2]:6443',
      'https://[2001:db8::]:6443',
      'https://[2001:db8::1]:6443',
      'https://kubernetes/',
      'https://a.b',
      'https://localhost.example.com',
      'https://ourlocalhost',
      'https://127.0.0.1.example.com',
      'https://0.0.0.0.example.com',
      'https://our-kubernetes.default.svc',
      'https://kubernetes.default.example.com',
      'https://kubernetes.defaults',
    ])
      assert.deepEqual(address(server), ['met'], server);
    const own = "only the control plane's own machine reaches it";
    const inside = 'only Pods know that name';
    const ofService = 'it is the address of the Service, which no joining machine reaches';
    for (const [server, why] of [
      ['http://10.138.0.2:6443', 'http://10.138.0.2:6443: not https'],
      ['https://10.138.0.2:0', 'https://10.138.0.2:0: nobody listens at port 0'],
      ['https://127.0.0.1:6443', `https://127.0.0.1:6443: ${own}`],
      ['https://127.10.20.30:6443', `https://127.10.20.30:6443: ${own}`],
      ['https://localhost:6443', `https://localhost:6443: ${own}`],
      ['https://a.b.LocalHost:6443', `https://a.b.localhost:6443: ${own}`],
      ['https://0.0.0.0:6443', `https://0.0.0.0:6443: ${own}`],
      ['https://[::1]:6443', `https://[::1]:6443: ${own}`],
      ['https://[::]:6443', `https://[::]:6443: ${own}`],
      ['10.138.0.2', 'its server is no URL'],
      ['""', 'the cluster has no server'],
      ['https://10.96.0.1', `https://10.96.0.1: ${ofService}`],
      ['https://[fd00:96::1]:443', `https://[fd00:96::1]: ${ofService}`],
      ['https://kubernetes.default', `https://kubernetes.default: ${inside}`],
      ['https://kubernetes.default.svc', `https://kubernetes.default.svc: ${inside}`],
      ['https://kubernetes.default.svc.cluster.local:443', `https://kubernetes.default.svc.cluster.local: ${inside}`],
      ['https://10.138.0.2:6443/k8s', "https://10.138.0.2:6443, and more behind it: not the API server's root"],
      ['https://10.138.0.2:6443/?a=b', "https://10.138.0.2:6443, and more behind it: not the API server's root"],
      ['https://10.138.0.2:6443/#a', "https://10.138.0.2:6443, and more behind it: not the API server's root"],
    ] as const) {
      assert.deepEqual(address(server), ['unmet'], server);
      const facts = read(TEXT.replace('https://10.138.0.2:6443', server));
      assert.deepEqual(addressIn(facts, { reached: 'https://10.0.0.1:6443', service }), { wrong: why });
    }
    assert.deepEqual(addressIn(read('clusters: []'), { reached: '', service }), { wrong: 'the cluster has no server' });
    const at = (server: string, doors = { reached: '', service: [] as readonly string[] }) => {
      const found = addressIn(read(`clusters: [{ name: "", cluster: { server: "${server}" } }]`), doors);
      return 'wrong' in found ? 'wrong' : found.host;
    };
    assert.equal(at('https://a.example:6443'), 'a.example');
    assert.equal(at('https://10.96.0.1', { reached: '', service: ['10.96.0.11', '10.96.0', ''] }), '10.96.0.1');
    assert.equal(at('https://10.96.0.1', { reached: '', service: ['x', '10.96.0.1'] }), 'wrong');
    for (const server of ['http://a.example', 'httpsx://a.example', 'https://a.example/a', 'https://a.example/?', ''])
      assert.equal(at(server), server === 'https://a.example/?' ? 'a.example' : 'wrong', server);
    const door = { reached: 'https://b.example/K8s', service: [] };
    assert.equal(at('https://a.example/K8s', door), 'a.example');
    assert.equal(at('https://a.example/K8s/', door), 'a.example');
    for (const path of ['k8s', 'K8sx', 'K8', 'K8s/x'])
      assert.equal(at(`https://a.example/${path}`, door), 'wrong', path);
    assert.equal(at('https://127.0.0.1', { reached: 'https://127.0.0.1:1', service: [] }), '127.0.0.1');
    assert.equal(at('https://127.0.0.1', { reached: 'https://127.0.0.11:1', service: [] }), 'wrong');
    assert.deepEqual(address('https://a.b/', ''), ['met'], 'in a dump');
    assert.deepEqual(address('https://a.b/k8s', ''), ['unmet'], 'in a dump');
    // a cluster that joinproof reaches by loopback, too; but not by another name of loopback
    assert.deepEqual(address('https://127.0.0.1:6443', 'https://127.0.0.1:6443'), ['met']);
    assert.deepEqual(address('https://localhost:6443', 'https://127.0.0.1:6443'), ['unmet']);
    assert.deepEqual(address('https://127.0.0.1:6443', ''), ['unmet'], 'in a dump');
    assert.deepEqual(address('https://a.b/k8s/', 'https://a.b/k8s'), ['met'], 'the door that we use');
    const doors = { reached: 'https://10.0.0.1', service: [] };
    assert.deepEqual(results(addressForOthers, read('clusters: []'), doors), []);
    assert.deepEqual(results(addressPlain, read('clusters: []'), undefined), []);
  });

  const seen = (more: Partial<HostSeen>): readonly string[] =>
    results(
      certificateNamesHost,
      {
        server: 'https://10.0.0.1:6443',
        leaf: pem,
        address: { url: 'https://10.138.0.2:6443', host: '10.138.0.2' },
        there: null,
        own: null,
        ...more,
      },
      undefined,
    );

  it('is a host and a port, and nothing else, where kubeadm has written it', () => {
    const plain = (server: string): readonly string[] =>
      results(addressPlain, read(TEXT.replace('https://10.138.0.2:6443', server)), undefined);
    for (const server of ['https://10.138.0.2:6443', 'https://[fd00::2]:6443', 'https://a.b:443'])
      assert.deepEqual(plain(server), ['met'], server);
    for (const path of ['https://a.b:6443/', 'https://a.b:6443/k8s', 'https://a.b'])
      assert.deepEqual(plain(path), ['unmet'], path);
    assert.deepEqual(plain('http://a.b:6443'), ['unmet']);
  });

  it('is named by a certificate: a whole name, not a part of one', () => {
    const host = (name: string) => seen({ address: { url: `https://${name}`, host: name }, own: true });
    assert.deepEqual(host('kubernetes'), ['met']);
    for (const name of ['kubernetes.default', '10.0.0.1', 'fd00::1', '1.2.3.4.example.com', '10.20.30.40'])
      assert.deepEqual(host(name), ['unmet'], name);
    const told = certificateNamesHost.judge(
      { server: 'https://a', leaf: pem, address: { url: 'https://b', host: 'b' }, there: null, own: true },
      undefined,
    );
    assert.deepEqual(
      told.map(({ subject, seen }) => [subject, seen]),
      [['the certificate of https://a', 'it does not']],
    );
    assert.deepEqual(seen({ leaf: 'no PEM', own: true }), ['unmet']);
  });

  it('may be another door, with a certificate of its own', () => {
    assert.deepEqual(seen({ there: true }), ['met']);
    assert.deepEqual(seen({ there: false }), ['unmet']);
    assert.deepEqual(seen({ leaf: null }), [], 'nobody answers there');
    assert.deepEqual(seen({ own: false }), [], 'a proxy answers here');
  });

  it('is a door behind which somebody answers', () => {
    const door = (host: string, answers: 'tls' | 'refused' | 'elsewhere') =>
      results(
        addressAnswers,
        { server: 'https://10.0.0.1:6443', address: { url: `https://${host}`, host }, answers },
        undefined,
      );
    assert.deepEqual([door('10.0.0.1', 'tls'), door('10.0.0.1', 'refused')], [['met'], ['unmet']]);
    assert.deepEqual([door('10.0.0.1', 'elsewhere'), door('10.0.0.2', 'refused')], [[], []]);
    for (const host of ['10.0.0.10', '10.0.0', '', '10.0.0.1 ']) assert.deepEqual(door(host, 'refused'), [], host);
    assert.deepEqual(door('10.0.0.1', '' as 'refused'), [], 'nobody says');
  });

  it('is recognised by the published CA', () => {
    const shake = (trusted: boolean) =>
      results(
        authorityOfServer,
        { server: 'https://10.0.0.1', trusted, reason: trusted ? '' : 'unknown CA' },
        undefined,
      );
    assert.deepEqual([shake(true), shake(false)], [['met'], ['unmet']]);
  });
});
