import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { type Extensions, NO_NAMES } from '../certificates/extensions.js';
import type { SeenRequest } from '../kubelet-certificates/seen-requests.js';
import { readMachineNode } from './nodes-at-rest.js';
import {
  certificatesPowerless,
  certificatesShort,
  certificatesUnreserved,
  controlPlanesAmong,
  readyAmong,
  requestsDecided,
  requestsDenied,
  requestsForNewMachines,
  requestsForNewNodes,
  requestsKnownSigner,
  requestsNamed,
  requestsOfTokens,
  requestsPerToken,
  requestsPlain,
  requestsStrong,
} from './request-policy.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;
const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const NO_EXTENSIONS: Extensions = { altNames: NO_NAMES, ca: false, ids: [] };
const asked = (commonName: string, more: object = {}): SeenRequest['asked'] => ({
  ...NO_EXTENSIONS,
  commonName,
  organizations: ['system:nodes'],
  pin: 'sha256:00',
  ...more,
});
const leaf = (commonName: string, more: object = {}): NonNullable<SeenRequest['certificate']> => ({
  ...NO_EXTENSIONS,
  serial: '01',
  issuer: { commonName: 'kubernetes', organizations: [] },
  pin: 'sha256:00',
  commonName,
  organizations: [],
  notBefore: NOW,
  notAfter: NOW + 365 * DAY,
  ...more,
});
const request = (more: Partial<SeenRequest> = {}): SeenRequest => ({
  subject: 'CertificateSigningRequest csr-a',
  signer: CLIENT,
  usages: ['client auth'],
  username: 'system:bootstrap:abcdef',
  groups: [],
  created: '2026-11-22T11:00:00Z',
  asked: asked('system:node:a'),
  malformed: [],
  conditions: [],
  seconds: null,
  approvers: [],
  issuers: [],
  ...more,
});
const decided = (type: string): Pick<SeenRequest, 'conditions'> => ({
  conditions: [{ type, reason: '', message: '', updated: '' }],
});
const judged = <P>(check: Check<readonly SeenRequest[], P>, parameters: P, ...all: readonly SeenRequest[]) =>
  check.judge(all, parameters).map(({ result }) => result);

describe('certificate requests as a policy wants them', () => {
  it('bring few machines by one token', () => {
    const three = ['a', 'b', 'b'].map((name) => request({ asked: asked(`system:node:${name}`) }));
    assert.deepEqual(judged(requestsPerToken, { machines: 2 }, ...three), ['met']);
    assert.deepEqual(judged(requestsPerToken, { machines: 1 }, ...three), ['unmet']);
    assert.deepEqual(judged(requestsPerToken, { machines: 1 }, request({ username: 'jane' })), []);
  });

  it('wait for minutes only, unless they are decided', () => {
    const parameters = { minutes: 59, now: NOW };
    const all = [request(), request(decided('Denied')), request(decided('Failed')), request(decided('Else'))];
    assert.deepEqual(judged(requestsDecided, parameters, ...all), ['unmet', 'met', 'met', 'unmet']);
    assert.deepEqual(judged(requestsDecided, { minutes: 60, now: NOW }, request()), ['met']);
    const untold = ['', '2026-99-99T99:99:99Z'].flatMap((created) => [
      request({ created }),
      request({ ...decided('Denied'), created }),
    ]);
    assert.deepEqual(judged(requestsDecided, parameters, ...untold), ['met', 'met']);
  });

  it('wait no longer than their token is there', () => {
    assert.deepEqual(judged(requestsOfTokens, { tokens: ['abcdef'] }, request()), ['met']);
    assert.deepEqual(judged(requestsOfTokens, { tokens: [] }, request(), request(decided('Approved'))), [
      'unmet',
      'met',
    ]);
    assert.deepEqual(judged(requestsOfTokens, { tokens: [] }, request({ username: 'jane' })), []);
  });

  it('are strong', () => {
    const of = (more: object): SeenRequest => request({ asked: asked('system:node:a', more) });
    const all = [of({}), of({ rsaBits: 2048 }), of({ rsaBits: 2047 }), of({ sha1: true })];
    assert.deepEqual(judged(requestsStrong, { bits: 2048 }, ...all), ['met', 'met', 'unmet', 'unmet']);
    assert.deepEqual(judged(requestsStrong, { bits: 2048 }, request({ asked: { unreadable: 'it is no PEM' } })), []);
  });

  it('are denied some times only, by name', () => {
    const all = [request(decided('Denied')), request(decided('Denied')), request({ asked: asked('system:node:b') })];
    assert.deepEqual(judged(requestsDenied, { most: 2 }, ...all), ['met', 'met']);
    assert.deepEqual(judged(requestsDenied, { most: 1 }, ...all), ['unmet', 'met']);
  });

  it('bear plain names, and name known signers', () => {
    const named = ['csr-a', `node-csr-${'A'.repeat(43)}`, 'a b', 'A', 'ünïcode'].map((name) =>
      request({ subject: `CertificateSigningRequest ${name}` }),
    );
    assert.deepEqual(judged(requestsNamed, undefined, ...named), ['met', 'met', 'unmet', 'unmet', 'unmet']);
    const signers = { signers: ['kubernetes.io/*'] };
    assert.deepEqual(judged(requestsKnownSigner, signers, request(), request({ signer: 'a.b/c' })), ['met', 'unmet']);
    const odd = request({ signer: 'kubernetes.io/kube-apiserver-serving' });
    assert.deepEqual(judged(requestsKnownSigner, { signers: ['*/*'] }, odd), ['unmet']);
  });

  it('bring certificates of good names that end', () => {
    const issued = (name: string, more: object = {}): SeenRequest => request({ certificate: leaf(name, more) });
    const all = [
      issued('system:node:a'),
      issued('system:anonymous'),
      issued('system:bootstrap:abcdef'),
      issued('system:serviceaccount:a:b'),
      issued('jane', { organizations: ['system:authenticated'] }),
    ];
    const unauthenticated = issued('jane', { organizations: ['ops', 'system:unauthenticated'] });
    const alike = issued('system:nodes', { organizations: ['system:authenticate', 'system:bootstrappers'] });
    assert.deepEqual(judged(certificatesUnreserved, undefined, unauthenticated, alike), ['unmet', 'met']);
    assert.deepEqual(judged(certificatesUnreserved, undefined, ...all, request()), [
      'met',
      'unmet',
      'unmet',
      'unmet',
      'unmet',
    ]);
    const powerful = { powerful: ['User jane', 'Group ops'] };
    const names = (name: string, organizations: readonly string[] = []) => issued(name, { organizations });
    const users = (one: SeenRequest): SeenRequest => ({ ...one, signer: 'kubernetes.io/kube-apiserver-client' });
    const many = [names('bob'), names('jane'), names('bob', ['ops']), names('ops'), names('system:node:a')];
    assert.deepEqual(judged(certificatesPowerless, powerful, ...many.map(users)), [
      'met',
      'unmet',
      'unmet',
      'met',
      'unmet',
    ]);
    const ofServers = users(issued('system:node:a', { extendedKeyUsage: ['serverAuth'] }));
    assert.deepEqual(judged(certificatesPowerless, powerful, ofServers), []);
    const ofBoth = users(issued('system:node:a', { extendedKeyUsage: ['serverAuth', 'clientAuth'] }));
    const ofAll = users(issued('system:node:a', { extendedKeyUsage: ['any'] }));
    assert.deepEqual(judged(certificatesPowerless, powerful, ofBoth, ofAll), ['unmet', 'unmet']);
    // signers of kubelets have rules of their own, and so have the names of those who log in otherwise
    assert.deepEqual(judged(certificatesPowerless, powerful, ...many, users(request())), []);
    assert.deepEqual(judged(certificatesPowerless, { powerful: [] }, ...all.slice(1).map(users)), [
      'met',
      'met',
      'met',
      'met',
    ]);
    const long = issued('a', { notAfter: NOW + 367 * DAY });
    assert.deepEqual(judged(certificatesShort, { days: 366 }, issued('a'), long), ['met', 'unmet']);
    assert.deepEqual(judged(certificatesShort, { days: 1 }, { ...long, signer: 'a.b/c' }), []);
    const asks = (days: number) => request({ seconds: days * 86_400 });
    assert.deepEqual(judged(certificatesShort, { days: 366 }, asks(366), asks(367)), ['unmet']);
    assert.deepEqual(judged(certificatesShort, { days: 1 }, { ...asks(367), signer: 'a.b/c' }), []);
  });
});

it('a node asks for CN and O alone; what others ask for is their own', () => {
  const asked = (others: readonly string[] | undefined, signer: string) =>
    ({
      subject: 'CertificateSigningRequest a',
      signer,
      asked: {
        commonName: 'system:node:a',
        organizations: ['system:nodes'],
        ...(others === undefined ? {} : { others }),
      },
    }) as never;
  const results = (signer: string, others?: readonly string[]) =>
    requestsPlain.judge([asked(others, signer)], undefined).map(({ result }) => result);
  assert.deepEqual(results('kubernetes.io/kubelet-serving'), ['met']);
  assert.deepEqual(results('kubernetes.io/kube-apiserver-client-kubelet', ['1.3.6.1.4.1.57683.2']), ['unmet']);
  assert.deepEqual(results('kubernetes.io/kube-apiserver-client', ['1.3.6.1.4.1.57683.2']), []);
});

it('a token asks for no machine that was ready before', () => {
  const node = (name: string, created: string, status: string, since?: string) => ({
    metadata: { name, creationTimestamp: created },
    status: {
      conditions: [
        { type: 'MemoryPressure', status },
        { type: 'Ready', status, lastTransitionTime: since },
      ],
    },
  });
  const [early, late] = ['2026-11-22T11:00:00Z', '2026-11-22T13:00:00Z'];
  const ready = readyAmong(
    [
      node('ready', early, 'True', '2026-11-22T11:01:00Z'),
      node('made-anew', late, 'True', early),
      node('joined-anew', early, 'True', late),
      node('down', early, 'Unknown', early),
      node('unsaid', early, 'True'),
      { metadata: { name: 'by-hand', creationTimestamp: early } },
    ].flatMap((one) => readMachineNode(one) ?? []),
  );
  assert.deepEqual(
    ready.map(({ name, created }) => [name, created]),
    [
      ['ready', '2026-11-22T11:01:00.000Z'],
      ['made-anew', '2026-11-22T13:00:00.000Z'],
      ['joined-anew', '2026-11-22T13:00:00.000Z'],
    ],
  );
  const told = (name: string, username = 'system:bootstrap:abcdef'): readonly string[] =>
    judged(
      requestsForNewMachines,
      { ready },
      request({ asked: asked(`system:node:${name}`), username, created: '2026-11-22T12:00:00Z' }),
    );
  const names = ['ready', 'made-anew', 'joined-anew', 'down', 'unsaid', 'by-hand', 'other'];
  assert.deepEqual(
    names.map((name) => told(name)),
    [['unmet'], ...names.slice(1).map(() => ['met'])],
  );
  assert.deepEqual(told('ready', 'system:node:ready'), []);
});

it('a token asks for no control plane that was there before', () => {
  const node = (name: string, created: string, labels = {}) => ({
    metadata: { name, creationTimestamp: created, labels },
  });
  const label = { 'node-role.kubernetes.io/control-plane': '' };
  const controlPlanes = controlPlanesAmong([
    node('a', '2026-11-22T11:00:00Z', label),
    node('b', '2026-11-22T11:00:00Z'),
    node('c', '2026-11-22T13:00:00Z', label),
  ]);
  assert.deepEqual(
    controlPlanes.map(({ name }) => name),
    ['a', 'c'],
  );
  const told = (name: string, more: Partial<SeenRequest> = {}): readonly string[] =>
    judged(
      requestsForNewNodes,
      { controlPlanes },
      request({
        asked: asked(`system:node:${name}`),
        username: 'system:bootstrap:abcdef',
        created: '2026-11-22T12:00:00Z',
        ...more,
      }),
    );
  assert.deepEqual([told('a'), told('b'), told('c')], [['unmet'], ['met'], ['met']]);
  assert.deepEqual(told('a', { username: 'system:node:a' }), []);
  assert.deepEqual(told('a', { signer: 'kubernetes.io/kubelet-serving' }), []);
});
