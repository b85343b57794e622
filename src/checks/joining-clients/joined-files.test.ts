import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ClientRun, Deed } from '../../kubernetes/transcript.js';
import type { Finding } from '../../model/finding.js';
import { createAuthority } from '../../pki/authority.js';
import { eachSays, type Told } from '../common/judged.testing.js';
import * as bootstrap from './joined-bootstrap.js';
import * as files from './joined-files.js';
import { type Done, type FileSeen, type Held, type Machine, type Part, readMachine } from './joined-files-reader.js';

const checks = { ...files, ...bootstrap };
const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';
const KUBELET = '/etc/kubernetes/kubelet.conf';
const CA = '/etc/kubernetes/pki/ca.crt';
const CONFIG = '/var/lib/kubelet/config.yaml';
const PAIR = '/var/lib/kubelet/pki/kubelet-client-current.pem';

const config = (more: Partial<Extract<Held, { kind: 'kubeconfig' }>> = {}): Held => ({
  kind: 'kubeconfig',
  cluster: 'kubernetes',
  server: 'https://a:6443',
  user: 'tls-bootstrap-token-user',
  context: 'tls-bootstrap-token-user@kubernetes',
  isOneCluster: true,
  besides: [],
  isTrueCa: true,
  shows: 'its token',
  certificate: { file: '' },
  key: { file: '' },
  ...more,
});
const file = (path: string, held: Held, mode = 0o600): FileSeen => ({ path, mode, digest: 'd', held });
const wrote = (path: string, held: Held, after = 2, mode = 0o600): Done => ({
  what: 'wrote',
  after,
  file: file(path, held, mode),
});
const ran = (path: string): Done => ({ what: 'ran', after: 4, path });
const certificates = (isTrueCa: boolean, certificate = 'p'): Held => ({
  kind: 'certificates',
  isTrueCa,
  certificate,
  key: '',
});
const settings = (more: object): Held => ({ kind: 'settings', settings: { a: 1, ...more } });
const pair = (certificate: string, key = certificate): Held => ({ kind: 'key', certificate, key });
const kubeletConf = (certificate: Part, key = certificate): Held =>
  config({ shows: 'a certificate', certificate, key });
const KUBELET_CONF = kubeletConf({ file: PAIR });
const inline = (certificate: string, key: string): Part => ({ inline: { certificate, key } });

const machine = (more: Partial<Machine> = {}): Machine => ({
  subject: 'x (y)',
  exit: 0,
  done: [wrote(BOOTSTRAP, config()), wrote(CONFIG, settings({})), ran('daemon-reload'), ran('restart kubelet')],
  left: [
    file(KUBELET, KUBELET_CONF),
    file(CA, certificates(true)),
    file(CONFIG, settings({ resolvConf: '/x' })),
    file(PAIR, pair('p')),
  ],
  told: [],
  socket: '',
  isWorker: true,
  discovered: 1,
  requested: 5,
  server: 'https://a:6443',
  ownServer: '',
  kubelet: { a: 1 },
  shared: { 'ca.key': 'd', 'sa.key': 'e' },
  certified: 'p',
  ...more,
});
const withBootstrap = (held: Held): Partial<Machine> => ({ done: [wrote(BOOTSTRAP, held)] });
const left = (...files: readonly FileSeen[]): Partial<Machine> => ({ left: files });

type Look = (machines: files.Machines) => readonly Pick<Finding, 'result'>[];
const plain =
  (check: { judge(machines: files.Machines, parameters: undefined): ReturnType<Look> }): Look =>
  (machines) =>
    check.judge(machines, undefined);
const none: Partial<Machine> = { done: [], left: [] };
/** The CA that was found is that of the other control planes. */
const keptCa: Partial<Machine> = {
  ...left(file('/etc/kubernetes/pki/ca.crt', { kind: 'other' })),
  shared: { 'ca.crt': 'd' },
};

const cases: readonly Told<Machine>[] = [
  [checks.bootstrapWritten.id, plain(checks.bootstrapWritten), [{}], [none, withBootstrap({ kind: 'other' })]],
  [
    checks.bootstrapClosedAtOnce.id,
    plain(checks.bootstrapClosedAtOnce),
    [{}],
    [{ done: [wrote(BOOTSTRAP, { kind: 'other' }, 2, 0o644)] }],
  ],
  [
    checks.bootstrapServer.id,
    plain(checks.bootstrapServer),
    [{}, { ...withBootstrap(config({ server: 'https://own' })), ownServer: 'https://own' }],
    [withBootstrap(config({ server: '' })), none],
  ],
  [checks.bootstrapCa.id, plain(checks.bootstrapCa), [{}], [withBootstrap(config({ isTrueCa: false }))]],
  [checks.bootstrapToken.id, plain(checks.bootstrapToken), [{}], [withBootstrap(config({ shows: 'another token' }))]],
  [
    checks.bootstrapNames.id,
    plain(checks.bootstrapNames),
    [{}],
    [
      ...['a', '', 'Kubernetes', 'kubernetes '].map((cluster) =>
        config({ cluster, context: `tls-bootstrap-token-user@${cluster}` }),
      ),
      ...[config({ user: 'a' }), config({ isOneCluster: false }), config({ context: 'tls-bootstrap-token-user@a' })],
    ].map(withBootstrap),
  ],
  [
    checks.bootstrapAfterDiscovery.id,
    plain(checks.bootstrapAfterDiscovery),
    [{}],
    [{ done: [wrote(CA, certificates(true), 1)] }, { discovered: -1 }],
  ],
  [
    checks.bootstrapBeforeKubelet.id,
    plain(checks.bootstrapBeforeKubelet),
    [{}],
    [none, { done: [ran('restart kubelet'), wrote(BOOTSTRAP, config())] }, { done: [wrote(BOOTSTRAP, config(), 6)] }],
  ],
  [checks.bootstrapGone.id, plain(checks.bootstrapGone), [{}], [left(file(BOOTSTRAP, config())), { done: [] }]],
  [checks.kubeletWritten.id, plain(checks.kubeletWritten), [{}], [none]],
  [checks.kubeletUnwritten.id, plain(checks.kubeletUnwritten), [none], [{}]],
  [
    checks.kubeletShowsCertificate.id,
    plain(checks.kubeletShowsCertificate),
    [{}],
    [none, left(file(KUBELET, config()))],
  ],
  [
    checks.kubeletVerifies.id,
    plain(checks.kubeletVerifies),
    [
      {},
      left(
        file(KUBELET, config({ isTrueCa: false, caFile: 'pki/ca.crt' })),
        file('/etc/kubernetes/pki/ca.crt', certificates(true)),
      ),
    ],
    [
      none,
      left(file(KUBELET, config({ isBlind: true }))),
      left(file(KUBELET, config({ isTrueCa: false }))),
      left(file(KUBELET, config({ server: 'http://a:6443' }))),
      left(file(KUBELET, config({ isTrueCa: false, caFile: 'ca.crt' }))),
      left(file(KUBELET, config({ isTrueCa: false, caFile: '/ca.crt' })), file('/ca.crt', certificates(false))),
    ],
  ],
  [
    checks.kubeletHasPair.id,
    plain(checks.kubeletHasPair),
    [
      {},
      left(file(KUBELET, kubeletConf(inline('p', ''), inline('', 'p')))),
      left(
        file(KUBELET, kubeletConf({ file: '/c.crt' }, { file: 'pki/c.key' })),
        file('/c.crt', certificates(false)),
        file('/etc/kubernetes/pki/c.key', pair('', 'p')),
      ),
    ],
    [pair('q'), pair('p', 'q'), pair('q', 'p'), certificates(true), { kind: 'other' } as const]
      .map((held) => left(file(KUBELET, KUBELET_CONF), file(PAIR, held)))
      .concat(
        left(file(KUBELET, KUBELET_CONF)),
        left(file(KUBELET, kubeletConf(inline('p', ''), inline('', 'q')))),
        left(file(KUBELET, kubeletConf(inline('p', ''), inline('', '')))),
        left(file(KUBELET, kubeletConf(inline('p', ''), { file: '/c.key' }))),
        { ...left(file(KUBELET, kubeletConf(inline('', '')))), certified: '' },
      ),
  ],
  [checks.caSaved.id, plain(checks.caSaved), [{}], [none, left(file(CA, certificates(false)))]],
  [
    checks.kubeletConfigured.id,
    plain(checks.kubeletConfigured),
    [{}],
    [none, left(file(CONFIG, settings({ b: 1 }))), { kubelet: { a: 2 } }],
  ],
  [
    checks.kubeletRestarted.id,
    (all) => checks.kubeletRestarted.judge(all, { commands: ['daemon-reload', 'restart kubelet'] }),
    [{}],
    [
      none,
      { done: [wrote(CONFIG, settings({})), ran('restart kubelet')] },
      { done: [ran('daemon-reload'), ran('restart kubelet')] },
    ],
  ],
  [
    checks.secretsClosed.id,
    (all) => checks.secretsClosed.judge(all, undefined),
    [left(file(KUBELET, KUBELET_CONF))].map((more) => ({ ...more, done: [] })),
    [
      { ...left(file(KUBELET, KUBELET_CONF, 0o640)), done: [] },
      { left: [], done: [wrote(BOOTSTRAP, config(), 2, 0o604)] },
      { left: [], done: [], beside: [file('(HOME)/.kube/config', config({ key: inline('', 'p') }), 0o644)] },
      { left: [], done: [], passing: [file('(HOME)/a', pair('p'), 0o644)] },
      { left: [], done: [wrote('/a.key', pair('p'), 2, 0o644), wrote('/a.key', pair('p'))] },
    ],
  ],
  [
    checks.sharedWritten.id,
    (all) => checks.sharedWritten.judge(all, { files: ['ca.key'] }),
    [left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' }))],
    [
      none,
      ...['e', 'D', 'd ', '', 'dd'].map((digest) => ({
        ...left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' })),
        shared: { 'ca.key': digest },
      })),
    ],
  ],
  [
    checks.sharedReplaced.id,
    (all) => checks.sharedReplaced.judge(all, { files: ['ca.key'] }),
    [left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' })), { exit: 1 }],
    [
      {},
      { exit: null },
      { exit: null, ...left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' })) },
      { ...left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' })), shared: { 'ca.key': 'e' } },
    ],
  ],
  [
    checks.sharedAbsent.id,
    (all) => checks.sharedAbsent.judge(all, { files: ['ca.key'] }),
    [{}],
    [left(file('/etc/kubernetes/pki/ca.key', { kind: 'other' }))],
  ],
  [
    `${checks.sharedAbsent.id}, the CA`,
    (all) => checks.sharedAbsent.judge(all, { files: ['ca.crt'] }),
    [none, { ...keptCa, ownWays: true }],
    [keptCa, { ...keptCa, ownWays: true, shared: { 'ca.crt': 'e' } }],
  ],
  [
    checks.bootstrapOfContext.id,
    plain(checks.bootstrapOfContext),
    [{}, { done: [], exit: 1 }],
    [
      withBootstrap(config({ isTrueCa: false })),
      { ...withBootstrap(config({ isTrueCa: false })), exit: 1 },
      { done: [] },
    ],
  ],
];

eachSays(cases, (more) => [machine(more)]);

describe('what a joining client leaves', () => {
  const said = <P>(
    check: { judge(machines: files.Machines, parameters: P): readonly Finding[] },
    parameters: P,
    more: Partial<Machine>,
  ): readonly string[] => check.judge([machine(more)], parameters).map(({ result, seen }) => `${result}: ${seen}`);

  it('is a pair, or is told by what it lacks', () => {
    const told = (held: Held, ...more: readonly FileSeen[]): string =>
      said(checks.kubeletHasPair, undefined, left(file(KUBELET, held), ...more)).join();
    assert.equal(told(KUBELET_CONF, file(PAIR, pair('p'))), 'met: it is');
    assert.equal(told(KUBELET_CONF), `unmet: no file "${PAIR}"`);
    assert.equal(told(kubeletConf({ file: '' }), file('/etc/kubernetes', pair('p'))), 'unmet: no file ""');
    assert.equal(told(kubeletConf(inline('p', ''), { file: '/k' })), 'unmet: no file "/k"');
    assert.equal(told(KUBELET_CONF, file(PAIR, pair('q'))), 'unmet: a pair of another key');
    for (const odd of [pair('p', 'q'), pair('', ''), pair('p', ''), pair('', 'p'), { kind: 'other' } as const])
      assert.equal(told(KUBELET_CONF, file(PAIR, odd)), 'unmet: no pair');
    assert.equal(said(checks.kubeletHasPair, undefined, none).join(), 'unmet: no file ""');
    const later = (key: string, ...renewed: readonly string[]): string =>
      said(checks.kubeletHasRenewed, undefined, {
        ...left(file(KUBELET, KUBELET_CONF), file(PAIR, pair(key))),
        ...(renewed.length === 0 ? {} : { renewed }),
      }).join();
    assert.equal(later('q', 'q', 'r'), 'met: it is');
    assert.equal(later('p', 'q', 'r'), 'unmet: a pair of another key');
    assert.equal(later('p'), 'unmet: a pair of another key');
  });
  it('says what kubelet-config says, where zero says nothing', () => {
    const told = (own: object, wanted: object): string =>
      said(checks.kubeletConfigured, undefined, {
        ...left(file(CONFIG, { kind: 'settings', settings: { ...own } })),
        kubelet: { ...wanted },
      }).join();
    for (const zero of [null, '0s', '0', '', 0, {}, [], { a: { b: '0s' }, c: [null] }]) {
      assert.equal(told({ a: zero }, {}), 'met: it does', JSON.stringify(zero));
      assert.equal(told({}, { a: zero }), 'met: it does', JSON.stringify(zero));
    }
    for (const value of [false, true, '1s', 1, { a: 1, b: 0 }, [0, 'x']])
      assert.equal(told({ a: value }, {}), 'unmet: other: a', JSON.stringify(value));
    assert.equal(told({ c: 1, b: 1 }, { b: 2, d: 1 }), 'unmet: other: b, c, d');
    assert.equal(told({ a: { b: 1, c: 'x' } }, { a: { c: 'x', b: 1, d: '0s' } }), 'met: it does');
    assert.equal(told({ a: { b: 1 } }, { a: { b: 1, c: 2 } }), 'unmet: other: a');
    assert.equal(told({ a: ['x', 'y'] }, { a: ['y', 'x'] }), 'unmet: other: a');
    assert.equal(told({ a: ['x'] }, { a: { 0: 'x' } }), 'unmet: other: a');
    assert.equal(told({ eventRecordQPS: 0 }, {}), 'unmet: other: eventRecordQPS');
    assert.equal(told({}, { healthzPort: 0 }), 'unmet: other: healthzPort');
    assert.equal(told({ healthzPort: 0 }, { healthzPort: 0 }), 'met: it does');
    assert.equal(told({ oomScoreAdj: null }, {}), 'met: it does');
    assert.equal(told({ containerRuntimeEndpoint: 'a' }, { resolvConf: 'b' }), 'met: it does');
    assert.equal(
      said(checks.kubeletConfigured, undefined, { ...none, kubelet: {} }).join(),
      'unmet: there is no such file',
    );
  });
  it('is followed by commands, once it is there', () => {
    const commands = ['a', 'b'];
    const told = (done: Machine['done']): string => said(checks.kubeletRestarted, { commands }, { done }).join();
    assert.equal(told([wrote(CONFIG, settings({})), ran('a'), ran('b')]), 'met: a, then b');
    assert.equal(told([ran('a'), wrote(CONFIG, settings({})), ran('b')]), 'unmet: b');
    assert.equal(told([ran('a'), ran('b')]), 'unmet: a, then b');
    assert.equal(told([]), 'unmet: nothing, once the configuration is there');
    assert.equal(told(undefined), 'unclear: nobody watched what was written');
  });
  it('is closed from when it holds a secret', () => {
    const told = (done: Machine['done'], more: Partial<Machine> = { left: [] }): readonly string[] =>
      said(checks.secretsClosed, undefined, { ...more, done });
    const open = (held: Held, path = '/a.key') => [wrote(path, held, 2, 0o644), wrote(path, held)];
    const other: Held = { kind: 'other' };
    const before = ['unmet: 0600, and before 0644'];
    assert.deepEqual(told(open(pair('p'))), before);
    assert.deepEqual(told(open(config({ key: inline('', 'p') }), KUBELET)), before);
    assert.deepEqual(told(open(config(), KUBELET)), ['met: 0600']);
    assert.deepEqual(told(open(other)), ['met: 0600']);
    assert.deepEqual(told(open(other, '/a.keys')), []);
    const noted = { ...file('/a', other, 0o644), token: true as const };
    assert.deepEqual(told([{ what: 'wrote', after: 0, file: noted }]), ['unmet: 0644']);
    assert.deepEqual(told([{ what: 'wrote', after: 0, file: noted }, wrote('/a', other)]), ['unmet: 0644']);
    assert.deepEqual(told([], { left: [{ ...noted, mode: 0o600 }] }), ['met: 0600']);
    const [first] = open(config(), KUBELET);
    const withToken = first?.what === 'wrote' ? [{ ...first, file: { ...first.file, token: true as const } }] : [];
    assert.deepEqual(told([...withToken, wrote(KUBELET, config())]), before);
    assert.deepEqual(told([wrote('/b.key', pair('p'), 2, 0o644), wrote('/a.key', pair('p'))]), [
      'met: 0600',
      'unmet: 0644',
    ]);
    // what it is in the end is what counts, by whatever it came to that
    assert.deepEqual(told([wrote('/a.key', other)], left(file('/a.key', other, 0o644))), ['unmet: 0644']);
    assert.deepEqual(told(undefined, left(file('/a.key', pair('p')))), ['met: 0600']);
    const dated = (second: string, mode: number) => file(`/a-2026-01-01-00-00-${second}.key`, pair('p'), mode);
    assert.deepEqual(told(undefined, left(dated('01', 0o644), dated('02', 0o600))), ['unmet: 0644']);
    assert.deepEqual(told(undefined, left(dated('01', 0o600), dated('02', 0o644))), ['unmet: 0644']);
    const ofOther = left({ ...file('/a.key', pair('p'), 0o600), isForeign: true });
    assert.deepEqual(told(undefined, ofOther), ['unmet: 0600, of another user']);
  });
  it('is what control planes share', () => {
    const pki = '/etc/kubernetes/pki';
    const two = { files: ['ca.key', 'sa.key'] };
    const own = (name: string, digest: string): FileSeen => ({ ...file(`${pki}/${name}`, pair('p')), digest });
    const told = (...all: readonly FileSeen[]): readonly string[] =>
      said(checks.sharedReplaced, two, left(file('/x', pair('p')), ...all));
    assert.deepEqual(told(own('ca.key', 'd'), own('sa.key', 'e')), ['met: it ends with 0; they are']);
    assert.deepEqual(told(own('ca.key', 'd'), own('sa.key', 'd')), ['unmet: it ends with 0; sa.key stay as they were']);
    assert.deepEqual(told(), ['unmet: it ends with 0; ca.key, sa.key stay as they were']);
    const [found] = checks.sharedReplaced.judge([machine()], two);
    assert.match(found?.demanded ?? '', /^ca.key and sa.key become/);
    assert.deepEqual(said(checks.sharedWritten, two, left(own('ca.key', 'd'), own('sa.key', 'd'))), [
      'met: it is',
      'unmet: it holds something else',
    ]);
    assert.deepEqual(said(checks.sharedAbsent, two, left(own('sa.key', 'd'))), [
      'met: it is not there',
      'unmet: it is there, mode 0600',
    ]);
  });
});

describe('where nobody watched', () => {
  it('what was written on the way is unclear', () => {
    const { done: _, ...unwatched } = machine();
    const results = [checks.bootstrapWritten, checks.bootstrapAfterDiscovery, checks.bootstrapBeforeKubelet].map(
      (check) => check.judge([{ ...unwatched, done: undefined }], undefined)[0]?.result,
    );
    assert.deepEqual(results, ['unclear', 'unclear', 'unclear']);
  });
});

describe('reading a machine', () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const kubeconfig =
    'kind: Config\nclusters: [{name: c, cluster: {server: https://b}}]\nusers: [{name: u, user: {token: t.s}}]\n' +
    'contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n';
  const deeds: readonly Deed[] = [
    { kind: 'wrote', path: BOOTSTRAP, mode: 0o600, text: kubeconfig, after: 1 },
    { kind: 'ran', command: 'restart kubelet', after: 1 },
    { kind: 'removed', path: BOOTSTRAP, after: 1 },
  ];
  const run: ClientRun = {
    lie: 'x',
    server: 'y',
    truth: {
      discoveryTimeout: 1,
      discoveryToken: '',
      bootstrapToken: 't.s',
      caPem: '',
      server: 'https://b',
      kubelet: 'a: 1',
      shared: { 'ca.key': 'secret' },
    },
    speaksKubeadm: true,
    transcript: {
      entries: [],
      deeds,
      said: [],
      exit: 0,
      message: '',
      files: {
        '/a.key': { mode: 0o600, text: key.export({ type: 'pkcs8', format: 'pem' }).toString() },
        '/b': { mode: 0o600, text: '{ [' },
        '/c': { mode: 0o600, text: 'a: 1' },
      },
      milliseconds: 1,
    },
  };
  it('tells what each file holds, and repeats neither keys nor tokens', () => {
    const read = readMachine(run);
    assert.deepEqual(
      read.left.map(({ held }) => held.kind),
      ['key', 'other', 'settings'],
    );
    assert.deepEqual(
      read.done?.map(({ what }) => what),
      ['wrote', 'ran', 'removed'],
    );
    assert.equal(checks.bootstrapToken.judge([read], undefined)[0]?.result, 'met');
    assert.ok(!/PRIVATE KEY|t\.s|secret/.test(JSON.stringify(read)));
  });
  it('takes what kubelet.conf holds before what it names', () => {
    const { certificate, key: own } = createAuthority({ commonName: 'a', key: 'ECDSA-P256', now: Date.now() });
    const data = (pem: string): string => Buffer.from(pem).toString('base64');
    const user = {
      'client-certificate-data': data(certificate.pem),
      'client-certificate': '/elsewhere',
      'client-key-data': data(own.export({ type: 'pkcs8', format: 'pem' }).toString()),
    };
    const text = JSON.stringify({
      kind: 'Config',
      clusters: [{ name: 'c', cluster: {} }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
    const files = { [KUBELET]: { mode: 0o600, text } };
    const { held } = readMachine({ ...run, transcript: { ...run.transcript, files } }).left[0] ?? {};
    assert.ok(held?.kind === 'kubeconfig' && 'inline' in held.certificate && 'inline' in held.key);
    assert.match(held.key.inline.key, /^sha256:[0-9a-f]{64}$/);
    assert.equal(held.certificate.inline.certificate, held.key.inline.key);
    assert.equal(held.shows, 'a certificate');
  });
});
