import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Approach, approachOf, truthOf } from './approach.js';
import { pinOf } from './cast.js';
import { Liar } from './liar.js';
import type { Lie, Told } from './lie.js';
import { authorityPem } from './scene.js';
import { CERTIFICATE_KEY, sharedFiles } from './shared-certificates.js';

const ENDPOINT = '127.0.0.1:6443';
const TOKEN = 'abcdef.0123456789abcdef';
const liarWith = (lie: Partial<Lie> = {}): Liar =>
  new Liar({ name: 'x', server: 'y', right: 'joins', ...lie }, { endpoint: ENDPOINT, now: () => Date.UTC(2026, 0, 1) });
const approach = (told?: Told): Approach => approachOf(liarWith(told === undefined ? {} : { told }));
const truth = (lie: Partial<Lie> = {}) => {
  const liar = liarWith(lie);
  return truthOf(liar, approachOf(liar));
};
const { authorities } = liarWith().scene.cast;
const PIN = pinOf(authorities.ca);
const BOOTSTRAP = { token: TOKEN, apiServerEndpoint: ENDPOINT, caCertHashes: [PIN] };
const DISCOVERY = { bootstrapToken: BOOTSTRAP, tlsBootstrapToken: TOKEN };

describe('how a machine is started to be lied to', () => {
  it('is honest where nothing else is told', () => {
    assert.deepEqual(approach(), {
      discovery: DISCOVERY,
      discoveryTimeout: 7000,
      byFlags: false,
      registration: {},
      patches: [],
      dryRun: false,
      present: {},
      files: { 'f.conf': '' },
    });
  });

  const file = () => 'kubeconfig';
  const discoveries: Readonly<Record<string, readonly [Told, object]>> = {
    'other pins': [
      { pins: (of) => [of('other ca'), of('ca')] },
      { ...DISCOVERY, bootstrapToken: { ...BOOTSTRAP, caCertHashes: [pinOf(authorities['other ca']), PIN] } },
    ],
    'no pins': [
      { pins: () => [], skipsPins: true },
      {
        ...DISCOVERY,
        bootstrapToken: { token: TOKEN, apiServerEndpoint: ENDPOINT, unsafeSkipCAVerification: true },
      },
    ],
    'another token': [{ token: 'a.b' }, { bootstrapToken: { ...BOOTSTRAP, token: 'a.b' }, tlsBootstrapToken: 'a.b' }],
    'another token to bootstrap': [{ tlsToken: 'a.b' }, { ...DISCOVERY, tlsBootstrapToken: 'a.b' }],
    'an empty token to bootstrap': [{ tlsToken: '' }, { ...DISCOVERY, tlsBootstrapToken: '' }],
    'another endpoint': [
      { endpoint: ({ endpoint }) => `${endpoint}/a` },
      { ...DISCOVERY, bootstrapToken: { ...BOOTSTRAP, apiServerEndpoint: `${ENDPOINT}/a` } },
    ],
    'a file': [{ file }, { file: { kubeConfigPath: 'f.conf' }, tlsBootstrapToken: TOKEN }],
    'a file with all that it needs': [{ file, tlsToken: '' }, { file: { kubeConfigPath: 'f.conf' } }],
    'a path': [
      { path: 'https://{endpoint}/f' },
      { file: { kubeConfigPath: `https://${ENDPOINT}/f` }, tlsBootstrapToken: TOKEN },
    ],
    'neither way': [{ ways: 'none' }, {}],
    'both ways': [{ ways: 'both' }, { bootstrapToken: BOOTSTRAP, file: { kubeConfigPath: 'f.conf' } }],
    'both ways by flags': [
      { ways: 'both', byFlags: true },
      { ...DISCOVERY, file: { kubeConfigPath: 'f.conf' } },
    ],
    'both ways, with a file': [
      { ways: 'both', file, tlsToken: 'a.b' },
      { bootstrapToken: BOOTSTRAP, file: { kubeConfigPath: 'f.conf' }, tlsBootstrapToken: 'a.b' },
    ],
  };
  for (const [name, [told, expected]] of Object.entries(discoveries))
    it(`may be told ${name}`, () => assert.deepEqual(approach(told).discovery, expected));

  it('has the pin of what the server shows, where that is wanted', () => {
    const [pin = ''] = approach({ pins: (of) => [of('good')] }).discovery.bootstrapToken?.caCertHashes ?? [];
    assert.match(pin, /^sha256:[0-9a-f]{64}$/);
    assert.notEqual(pin, PIN);
  });

  for (const [certificateKey, expected] of [
    ['right', CERTIFICATE_KEY],
    ['upper', CERTIFICATE_KEY.toUpperCase()],
    ['wrong', `${CERTIFICATE_KEY.slice(0, 63)}0`],
    ['short', CERTIFICATE_KEY.slice(0, 62)],
    ['half', CERTIFICATE_KEY.slice(0, 32)],
    ['long', `${CERTIFICATE_KEY}00`],
    ['zz', 'zz'],
    ['none', ''],
  ] as const)
    it(`joins as a control plane with the ${certificateKey} key`, () => {
      assert.deepEqual(approach({ certificateKey }).controlPlane, {
        certificateKey: expected,
        localAPIEndpoint: { advertiseAddress: '192.0.2.20', bindPort: 6443 },
      });
      assert.equal(expected === CERTIFICATE_KEY, certificateKey === 'right');
    });

  it('is told more, where it is', () => {
    const patch = { name: 'kubelet+merge.yaml', text: 'a: 1', path: '/p' };
    const told: Told = {
      discoveryTimeout: 5,
      byFlags: true,
      isOld: true,
      certificateKey: 'right',
      bindPort: 7443,
      registration: { name: 'a' },
      caCertPath: '/ca',
      patches: [patch],
      dryRun: true,
      file: ({ release }) => release,
      beside: () => ({ b: 'c' }),
      present: () => ({ '/d': 'e' }),
    };
    const { discovery: _, controlPlane, ...rest } = approach(told);
    assert.equal(controlPlane?.localAPIEndpoint.bindPort, 7443);
    assert.deepEqual(rest, {
      discoveryTimeout: 5,
      byFlags: true,
      isOld: true,
      registration: { name: 'a' },
      caCertPath: '/ca',
      patches: [patch],
      dryRun: true,
      present: { '/d': 'e' },
      files: { 'f.conf': '1.36.1', b: 'c', 'patches/kubelet+merge.yaml': 'a: 1' },
    });
  });

  it('has a file by its usual name where flags name another, and none where a configuration does', () => {
    assert.deepEqual(approach({ path: '/g' }).files, {});
    assert.deepEqual(approach({ path: '/g', byFlags: true }).files, { 'f.conf': '' });
  });
});

describe('what is true of a cluster behind a liar', () => {
  it('is what the machine was told, where nothing else is', () => {
    const liar = liarWith();
    const { kubelet, ...rest } = truth();
    assert.match(kubelet ?? '', /^kind: KubeletConfiguration$/m);
    assert.deepEqual(rest, {
      discoveryTimeout: 7000,
      discoveryToken: TOKEN,
      bootstrapToken: TOKEN,
      caPem: authorityPem(liar.scene, 'ca'),
      server: `https://${ENDPOINT}`,
      release: '1.36.1',
      patches: [],
      registration: {},
      shared: sharedFiles(liar.scene.cast),
    });
  });

  it('is another CA, server or token where the cluster has them', () => {
    const { scene } = liarWith();
    const cluster = { ca: ['other ca', 'ca'], server: () => 'https://a', token: 'a.b' } as const;
    const { caPem, server, bootstrapToken } = truth({ cluster });
    assert.deepEqual(
      [caPem, server, bootstrapToken],
      [authorityPem(scene, 'other ca') + authorityPem(scene, 'ca'), 'https://a', 'a.b'],
    );
  });

  for (const [name, told, tokens] of [
    ['by token', {}, [TOKEN, TOKEN]],
    ['by two tokens', { tlsToken: 'a.b' }, [TOKEN, 'a.b']],
    ['by a file', { file: () => '' }, ['', TOKEN]],
    ['by a file with its token', { file: () => '', tlsToken: '' }, ['', TOKEN]],
    ['by a path with its token', { path: '/g', tlsToken: '' }, ['', TOKEN]],
    ['without a token to bootstrap', { tlsToken: '' }, [TOKEN, TOKEN]],
    ['in no way', { ways: 'none' }, ['', '']],
  ] as const satisfies readonly (readonly [string, Told, readonly string[]])[])
    it(`has the tokens of a machine that joins ${name}`, () => {
      const { discoveryToken, bootstrapToken } = truth({ told });
      assert.deepEqual([discoveryToken, bootstrapToken], tokens);
    });

  it('has what a control plane is to make', () => {
    const { ownServer, certificateKey, etcd } = truth({
      told: { certificateKey: 'right', bindPort: 7443, registration: { name: 'blue' } },
      etcd: {},
    });
    assert.deepEqual([ownServer, certificateKey, etcd?.own.name], ['https://192.0.2.20:7443', CERTIFICATE_KEY, 'blue']);
    assert.equal(truth({ told: { certificateKey: 'right' } }).etcd, undefined);
  });

  it('has what patches make, and how long certificates live', () => {
    const told: Told = {
      patches: [
        { name: 'a', text: 'b', path: '/c' },
        { name: 'd', text: 'e', path: '/f', makes: 'g' },
      ],
    };
    const { patches, certificateLife } = truth({ told, certificateLife: 5 });
    assert.deepEqual(patches, [
      { path: '/c', text: 'b' },
      { path: '/f', text: 'g' },
    ]);
    assert.equal(certificateLife, 5);
  });
});
