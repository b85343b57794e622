/** What a machine that joins decides, one by one: as kubeadm, the kubelet and client-go do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRelease } from '../../kubeadm/release.js';
import type { ClusterEntry, Kubeconfig, UserEntry } from '../kubeconfig.js';
import { joiningDecisions } from './index.js';

type Decision = keyof typeof joiningDecisions;
const answer = (name: Decision, ...args: readonly unknown[]): unknown =>
  (joiningDecisions[name] as (...all: readonly unknown[]) => unknown)(...args);
const since = (minor: number): unknown => parseRelease(`1.${minor}`);
const MINUTE = 60_000;
const LIFE = { notBefore: 0, notAfter: 10 };
const ready = (status: string, type = 'Ready'): unknown => ({ type, status });
const member = (at: number): unknown => ({ name: `cp-${at}`, peerUrl: `https://192.0.2.${at}:2380` });

/** Decision → arguments of a question, and what is answered. */
const ANSWERS: Partial<Record<Decision, readonly (readonly [args: readonly unknown[], answer: unknown])[]>> = {
  // Calls. Source: client-go, rest/{request,with_retry}.go.
  callTimeout: [[[], 10_000]],
  callRepetitions: [[[], 10]],
  repeatsAfter: [
    ...[429, 500, 503, 599].map((status) => [[status, '3'], 3000] as const),
    ...[200, 404, 428, 430, 499].map((status) => [[status, '3'], undefined] as const),
    ...['', '-1', '1.5', 'Wed, 21 Oct 2015 07:28:00 GMT', '1234567890'].map(
      (text) => [[429, text], undefined] as const,
    ),
    ...[['0', 0] as const, ['123456789', 123_456_789_000] as const].map(
      ([text, pause]) => [[503, text], pause] as const,
    ),
    [[503, undefined], undefined],
  ],
  repeatsFailed: [
    [['reset'], 1000],
    [['ended'], 1000],
    [['other'], undefined],
  ],
  redirects: [[['https://192.0.2.1'], 10]],
  redirectsCredentials: [[['https://192.0.2.1', 'http://192.0.2.2'], true]],
  largestAnswer: [[[], 67_108_864]],
  shortRetry: [[[], { interval: 50, timeout: 350 }]],
  // Certificates. Source: client-go, util/certificate/certificate_manager.go.
  asksToServe: [true, false].map((told) => [[told], told]),
  servingDeadline: [[[7], 7]],
  servingWait: [[[], 15 * MINUTE]],
  renewalKey: [[[() => 'old', () => 'new'], 'new']],
  takesCertificate: [true, false].map((fits) => [[fits], fits]),
  isUsable: [
    [[[], 0], false],
    [[[LIFE], 10], true],
    [[[LIFE, { notBefore: 0, notAfter: 9 }], 10], false],
  ],
  // A control plane. Source: cmd/kubeadm/app/cmd/phases/join; apis/kubeadm/v1beta4/defaults.go.
  marksAgain: [[[], true]],
  mustBeMarked: [[[], true]],
  apiCallPause: [[[], 500]],
  apiCallTimeout: [[[], MINUTE]],
  controlPlaneTimeout: [[[], 4 * MINUTE]],
  isReadyForControlPlane: [
    [['192.0.2.1:6443'], true],
    [[''], false],
  ],
  needsSharedFiles: [[[], true]],
  downloadsCertificates: [
    [[true, 'ab'], true],
    [[true, ''], false],
    [[false, 'ab'], false],
  ],
  // Discovery. Source: cmd/kubeadm/app/discovery.
  discoveryTimeout: [[[], 5 * MINUTE]],
  discoveryInterval: [
    [['token', 1000, { release: since(24), chance: 1 }], 1000],
    [['token', 6000, { release: since(24), chance: 1 }], 5000],
    [['file', 1000, { release: since(24), chance: 1 }], 5000],
    [['token', 1000, { release: since(23), chance: 0.5 }], 1150],
    [['file', 1000, { release: since(23), chance: 0 }], 5000],
  ],
  fetchTimeout: [
    [['first', 7], 7],
    [['second', 7], 7],
  ],
  discoveryServer: [
    [['first', 'api.example.com:6443', ''], 'https://api.example.com:6443'],
    [['second', 'api.example.com:6443', 'https://other'], 'https://api.example.com:6443'],
  ],
  firstTrust: [[[], 'anybody']],
  secondTrust: [[['pem'], { caPem: 'pem' }]],
  fetchToken: [
    [['first', 'a'], undefined],
    [['second', 'a'], undefined],
  ],
  asksAgain: [undefined, 401, 403, 404, 500].map((status) => [[status, 'first'], true]),
  waitsForSignature: [
    [[{ a: '' }, 'a'], false],
    [[{ a: 'x' }, 'b'], true],
  ],
  hasKubeconfig: [
    [['x'], true],
    [[''], false],
    [[undefined], false],
  ],
  verifiesSignature: [true, false].map((skips) => [[skips], true]),
  believedText: [[[{ kubeconfig: 'other' }, 'signed'], 'signed']],
  verifiesSecondSignature: [[[], false]],
  ...Object.fromEntries(
    ['checksPins', 'fetchesAgain'].map((name) => [
      name,
      [true, false].flatMap((skips) => [
        [[['sha256:a'], skips], true],
        [[[], skips], false],
      ]),
    ]),
  ),
  demandsPins: [
    [[[], false], true],
    [[[], true], false],
    [[['sha256:a'], false], false],
  ],
  isSameCopy: [
    [['a', 'a'], true],
    [['a', 'a '], false],
    [['a', undefined], false],
  ],
  joinToken: [true, false].flatMap((hasOwn) => [
    [['a', hasOwn], 'a'],
    [['', hasOwn], undefined],
    [[undefined, hasOwn], undefined],
  ]),
  joinServer: [[['https://found', 'given:6443'], 'https://found']],
  takesServer: [[['http://192.0.2.1'], true]],
  demandsCa: [35, 36].map((minor) => [[since(minor)], minor === 36]),
  trustWithoutCa: [[[], 'host']],
  bootstrapNames: [[[], { cluster: 'kubernetes', user: 'tls-bootstrap-token-user' }]],
  goesOnWithFile: [undefined, 401, 403, 404, 500].map((status) => [[status], status === 403]),
  takesCaOfClusterInfo: [
    [['', since(27)], true],
    [['pem', since(27)], false],
    [['pem', since(26)], true],
  ],
  takesDiscoveryScheme: ['https', 'http', 'HTTPS', ''].map((scheme) => [[scheme], scheme === 'https']),
  skipsBesideCa: [[[], false]],
  takesDownload: [[[404], true]],
  downloadTrust: [[[], 'host']],
  downloadTimeout: [[[7], undefined]],
  // etcd. Source: cmd/kubeadm/app/phases/etcd/local.go.
  verifiesEtcd: [[[], true]],
  looksAtEtcd: [[[], true]],
  etcdTries: [[[], 240]],
  isMember: [
    [[[member(1), member(2)], 'https://192.0.2.2:2380'], true],
    [[[member(1), member(2)], 'https://192.0.2.3:2380'], false],
    [[[], 'https://192.0.2.3:2380'], false],
  ],
  startsKubeletFirst: [[[], true]],
  addsAsLearner: [[[], true]],
  promotesLearner: [[[], true]],
  initialCluster: [
    [[[member(1), member(2)]], 'cp-1=https://192.0.2.1:2380,cp-2=https://192.0.2.2:2380'],
    [[[{ id: 171, name: '', peerUrl: 'https://192.0.2.2:2380' }]], 'ab=https://192.0.2.2:2380'],
  ],
  initialClusterState: [[[], 'existing']],
  waitsForEtcd: [[[], true]],
  // The join itself. Source: cmd/kubeadm/app/cmd/join.go and phases/join; cmd/kubeadm/app/preflight/checks.go.
  oldestControlPlane: [[[since(36)], 35]],
  goesOnWithoutProxy: [undefined, 401, 403, 404, 500].map((status) => [[status], status === 403 || status === 404]),
  changesNothing: [[[], true]],
  mustBeAbsent: [
    [
      [true, '/ca.crt'],
      ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf'],
    ],
    [
      [false, '/ca.crt'],
      ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf', '/ca.crt'],
    ],
  ],
  mustBeAbsentOfControlPlane: [
    [
      [],
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
        (name) => `/etc/kubernetes/manifests/${name}.yaml`,
      ),
    ],
  ],
  pullsImages: [[[], true]],
  bootstrapFile: [[[], '/etc/kubernetes/bootstrap-kubelet.conf']],
  kubeletFile: [[[], '/etc/kubernetes/kubelet.conf']],
  fileMode: [
    ...['kubeconfig', 'private key', 'kubelet pair'].map((what) => [[what], 0o600] as const),
    ...['certificate', 'public key', 'kubelet configuration'].map((what) => [[what], 0o644] as const),
  ],
  stopCommands: [[[], ['stop kubelet']]],
  restartCommands: [[[], ['daemon-reload', 'restart kubelet']]],
  goesOnWithoutService: [[[], true]],
  restartsUnknownService: [[[], true]],
  goesOnWithoutRestart: [[[], true]],
  writesCa: [true, false].map((isThere) => [[isThere], !isThere]),
  looksForNode: [
    [['before'], true],
    [['after'], false],
  ],
  isTaken: [
    [[[]], false],
    [[[ready('True', 'MemoryPressure'), ready('False')]], false],
    [[[ready('Unknown')]], false],
    [[[ready('True', 'MemoryPressure'), ready('True')]], true],
  ],
  nodeMustBeKnown: [undefined, 401, 403, 404, 500].map((status) => [[status], status !== 404]),
  waitsForHealth: [[[], true]],
  healthPort: [
    [[undefined], 10_248],
    [[0], 0],
    [[1234], 1234],
  ],
  healthTimeout: [[[], 4 * MINUTE]],
  bootstrapTimeout: [[[], 5 * MINUTE]],
  bootstrapPause: [2_000, 4_000, 8_000, 16_000, 32_000, 32_000].map((pause, at) => [[at + 1], pause]),
  kubeletNames: [[[], { cluster: 'default-cluster', user: 'default-auth', context: 'default-context' }]],
  namesPauseImage: [34, 35].map((minor) => [[since(minor)], minor === 34]),
  instanceConfiguration: [33, 34].map((minor) => [[since(minor)], minor === 34]),
  // Requests. Source: pkg/kubelet/certificate; client-go, util/certificate/csr.
  nodeName: [[['Node-A.Example'], 'node-a.example']],
  subject: [[['a'], { commonName: 'system:node:a', organizations: ['system:nodes'] }]],
  keyAlgorithm: [[[], 'ECDSA-P256']],
  usages: ['client auth', 'server auth'].flatMap((role) => [
    [
      [true, role],
      ['digital signature', 'key encipherment', role],
    ],
    [
      [false, role],
      ['digital signature', role],
    ],
  ]),
  altNames: [
    [[['b', 'a', 'b']], ['a', 'b']],
    [[[]], []],
  ],
  generateName: [[[], 'csr-']],
  adoptsRequest: [true, false].map((isFixed) => [[isFixed], isFixed]),
  isRegistered: [200, 201, 403, 409].map((status) => [[status], status === 201 || status === 409]),
  pollInterval: [[[], 250]],
  // What control planes share. Source: phases/copycerts/copycerts.go.
  secretKey: [[['a/b/c.crt'], 'a-b-c.crt']],
  decryptsFirst: [[[], true]],
  skipsEntry: [
    [[Buffer.alloc(0)], true],
    [[Buffer.alloc(1)], false],
  ],
  mayBeMissing: [[['etcd/ca.key'], false]],
  signsBy: [true, false].map((fits) => [[fits], fits]),
  uploadKey: [
    [['told', () => 'fresh'], 'told'],
    [['', () => 'fresh'], 'fresh'],
    [[undefined, () => 'fresh'], 'fresh'],
  ],
  uploads: [true, false].flatMap((asked) => [true, false].map((quiet) => [[asked, quiet], asked] as const)),
  refusesExternalCa: [[[], true]],
  saysCertificateKey: [true, false].map((quiet) => [[quiet], !quiet]),
  demandsReadable: [[[], true]],
  pinsToSay: [[[['a', 'b']], ['a', 'b']]],
  sharedFiles: [
    [
      ['/pki', undefined],
      [
        ...['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.pub', 'sa.key'],
        ...['etcd/ca.crt', 'etcd/ca.key'],
      ].map((name) => ({ name, path: `/pki/${name}` })),
    ],
    [
      ['/pki', { caFile: '/e/ca', certFile: '/e/crt', keyFile: '/e/key' }],
      [
        ...['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.pub', 'sa.key'].map((name) => ({
          ...{ name, path: `/pki/${name}` },
        })),
        { name: 'external-etcd-ca.crt', path: '/e/ca' },
        { name: 'external-etcd.crt', path: '/e/crt' },
        { name: 'external-etcd.key', path: '/e/key' },
      ],
    ],
  ],
  // Signatures, starts, names.
  signatureKeyOf: [[[{ id: 'abcdef', secret: 'x' }], 'jws-kubeconfig-abcdef']],
  isNoSignature: [
    [[''], true],
    [['x'], false],
  ],
  isPinned: [
    [
      [
        ['a', 'b'],
        ['c', 'b'],
      ],
      true,
    ],
    [[['a'], ['c']], false],
    [[['a'], []], false],
  ],
  writesKubeconfigFirst: [true, false].map((rotates) => [[rotates], rotates]),
  keepsKey: [true, false].map((rotates) => [[rotates], !rotates]),
  isNodeName: [
    ...['a', 'a-1.b', '1', 'a'.repeat(253)].map((name) => [[name], true] as const),
    ...['', 'A', '-a', 'a-', 'a..b', 'a_b', '.a', 'a.', 'a\n', 'a'.repeat(254)].map((name) => [[name], false] as const),
  ],
};

/** Decisions that have tests of their own. */
const ELSEWHERE: readonly Decision[] = [
  ...(['ownKubeconfigs', 'ownKeyAlgorithm', 'ownManifests', 'marks', 'mustBeWell', 'isWell'] as const),
  ...(['renewalDeadline', 'fixedName', 'readRequest', 'firstStep'] as const),
  ...(['readPin', 'pinOf', 'readToken', 'isSignature', 'certificateKeyProblem', 'newCertificateKey'] as const),
  ...(['decrypt', 'removesBootstrapFile', 'bootstrapServer'] as const),
  ...(['selectedCluster', 'comparedCa', 'selectedUser', 'hasCredentials'] as const),
];

describe('what a machine that joins decides', () => {
  for (const [name, answers] of Object.entries(ANSWERS))
    it(`is what kubeadm does: ${name}`, () => {
      for (const [args, expected] of answers)
        assert.deepEqual(answer(name as Decision, ...args), expected, JSON.stringify(args));
    });
  it('is held to it whole', () =>
    assert.deepEqual([...Object.keys(ANSWERS), ...ELSEWHERE].sort(), Object.keys(joiningDecisions).sort()));
});

describe('of a kubeconfig', () => {
  const cluster = (caPem: string): ClusterEntry => ({ server: '', caPem, caFile: '', skipsVerification: false });
  const NOBODY: UserEntry = {
    ...{ token: '', tokenFile: '', certificatePem: '', keyPem: '', certificateFile: '', keyFile: '' },
    hasPlugin: false,
  };
  const [a, b] = [cluster('a'), cluster('b')];
  const config = (clusters: Readonly<Record<string, ClusterEntry>>, currentContext = 'c'): Kubeconfig => ({
    clusters: new Map(Object.entries(clusters)),
    users: new Map([['u', NOBODY]]),
    contexts: new Map([
      ['c', { cluster: 'b', user: 'u' }],
      ['d', { cluster: 'x', user: 'x' }],
    ]),
    currentContext,
  });
  const { selectedCluster, comparedCa, selectedUser, hasCredentials } = joiningDecisions;

  it('the cluster counts that has no name, else that of the current context', () => {
    assert.deepEqual(selectedCluster(config({ a, b, '': a })), { name: '', cluster: a });
    assert.deepEqual(selectedCluster(config({ a, b })), { name: 'b', cluster: b });
    assert.deepEqual(selectedCluster(config({ a })), { problem: 'no matching cluster for the current context: c' });
    assert.deepEqual(selectedCluster(config({ a, b }, 'e')), { problem: 'the current context is invalid: e' });
  });
  it('the CA of the last cluster is compared', () => {
    assert.equal(comparedCa(config({ a, b })), 'b');
    assert.equal(comparedCa(config({ b, a })), 'a');
    assert.equal(comparedCa(config({})), '');
  });
  it('the user of the current context counts, if it has something to show', () => {
    assert.equal(selectedUser(config({ a })), NOBODY);
    for (const context of ['d', 'e']) assert.equal(selectedUser(config({ a }, context)), undefined);
    const has = (more: Partial<UserEntry>): boolean => hasCredentials({ ...NOBODY, ...more });
    assert.deepEqual([hasCredentials(undefined), has({})], [false, false]);
    for (const one of [{ token: 't' }, { tokenFile: 'f' }, { hasPlugin: true }]) assert.equal(has(one), true);
    for (const half of ['certificatePem', 'certificateFile', 'keyPem', 'keyFile'] as const)
      assert.equal(has({ [half]: 'x' }), false, half);
    assert.equal(has({ certificatePem: 'x', certificateFile: 'x' }), false);
    assert.equal(has({ keyPem: 'x', keyFile: 'x' }), false);
    for (const certificate of ['certificatePem', 'certificateFile'] as const)
      for (const key of ['keyPem', 'keyFile'] as const)
        assert.equal(has({ [certificate]: 'x', [key]: 'y' }), true, `${certificate} ${key}`);
  });
});
