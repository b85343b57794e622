import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { approachOf } from '../../liars/approach.js';
import { Liar } from '../../liars/liar.js';
import { lies } from '../../liars/lies/index.js';
import {
  argumentsOf,
  type ClientDescription,
  canonical,
  environmentOf,
  named,
  PLACEHOLDERS,
  placeOf,
  type Told,
  WAYS,
} from './description.js';
import { lackOf, wayOf } from './ways.js';

const told: Told = {
  endpoint: ['127.0.0.1:1'],
  token: ['abcdef.0123456789abcdef'],
  'tls-token': [],
  'other-tls-token': [],
  'ca-hash': ['sha256:a', 'sha256:b'],
  'discovery-file': [],
  'discovery-url': [],
  'certificate-key': [''],
  'advertise-address': [],
  'node-name': ['n'],
  configuration: ['/c'],
  timeout: ['7'],
  stays: [],
  root: ['/r'],
};

describe('the arguments of a client', () => {
  it('are all that may be told, in all ways that there are', () => {
    assert.deepEqual([...PLACEHOLDERS].sort(), Object.keys(told).sort());
    assert.deepEqual(
      PLACEHOLDERS.flatMap((name) => named(`a{${name}}{${name} }{A}`)),
      [...PLACEHOLDERS],
    );
    const planes = ['control-plane', 'control-plane-unsafe', 'control-plane-file', 'control-plane-url'];
    assert.deepEqual(WAYS, ['token', 'token-unsafe', 'file', 'url', ...planes, 'configuration', 'none']);
  });
  it('are empty where nothing is told, and lists of them are left out', () => {
    assert.deepEqual(
      argumentsOf(['p', 'x={tls-token}', ['-t', '{tls-token}'], ['-n', '{node-name}', '{tls-token}']], told),
      [...['p', 'x=']],
    );
    assert.deepEqual(argumentsOf([['-n', '{node-name}', '{unknown}']], told), ['-n', 'n', '{unknown}']);
    assert.deepEqual(environmentOf({ A: '{token} {tls-token}', B: 'b' }, told), {
      A: 'abcdef.0123456789abcdef ',
      B: 'b',
    });
  });
  it('are told, and texts that no brace names are left as they are', () => {
    assert.deepEqual(argumentsOf(['p', 'to={endpoint}', '{"a":1}', '{ root }'], told), [
      'p',
      'to=127.0.0.1:1',
      '{"a":1}',
      '{ root }',
    ]);
  });
  it('name every pin in a list of their own, and one elsewhere', () => {
    assert.deepEqual(argumentsOf(['p', ['--pin', '{ca-hash}'], '{ca-hash}'], told), [
      'p',
      '--pin',
      'sha256:a',
      '--pin',
      'sha256:b',
      'sha256:a',
    ]);
  });
  it('keep a pin that is empty, and leave lists out that are about nothing', () => {
    assert.deepEqual(argumentsOf(['p', ['{ca-hash}'], ['-k', '{certificate-key}']], { ...told, 'ca-hash': [''] }), [
      'p',
      '',
    ]);
    assert.deepEqual(argumentsOf(['p', ['{ca-hash}']], { ...told, 'ca-hash': [] }), ['p']);
  });
});

const own: ClientDescription = {
  name: 'own',
  timeLimit: 1,
  ways: { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] },
  environment: {},
  files: { ca: 'ca.pem', pki: 'keys' },
};

describe('the files of a client', () => {
  it('lie where its description says', () => {
    assert.equal(placeOf('/etc/kubernetes/pki/ca.crt', own.files), 'ca.pem');
    assert.equal(placeOf('/etc/kubernetes/pki/etcd/ca.key', own.files), 'keys/etcd/ca.key');
    assert.equal(placeOf('/etc/kubernetes/kubelet.conf', own.files), undefined);
    assert.equal(canonical('ca.pem', own.files), '/etc/kubernetes/pki/ca.crt');
    assert.equal(canonical('keys/etcd/ca.key', own.files), '/etc/kubernetes/pki/etcd/ca.key');
    assert.equal(canonical('other', own.files), '/other');
  });

  it('are named from the kubeconfig on, where it names them so', () => {
    const files = { kubeconfig: 'home/node/k.conf', pki: 'home/node/pki' };
    assert.equal(canonical('home/node/k.conf', files), '/etc/kubernetes/kubelet.conf');
    assert.equal(canonical('home/node/own/node.crt', files), '/etc/kubernetes/own/node.crt');
    assert.equal(canonical('home/node/pki/ca.key', files), '/etc/kubernetes/pki/ca.key');
    assert.equal(canonical('home/node/kubelet.conf', files), '/home/node/kubelet.conf');
    assert.equal(canonical('home/other', files), '/home/other');
    assert.equal(placeOf('/etc/kubernetes/admin.conf', files), 'home/node/admin.conf');
    assert.equal(placeOf('/etc/kubernetes/bootstrap-kubelet.conf', files), undefined);
  });
});

const lackAt = (name: string, description: ClientDescription): string | undefined => {
  const lie = lies.find((one) => one.name === name);
  assert.ok(lie !== undefined, name);
  return lackOf(lie, approachOf(new Liar(lie, { endpoint: '127.0.0.1:1', now: () => 0 })), description);
};

describe('what a client lacks', () => {
  for (const [server, lack] of [
    ['ok-pin', undefined],
    ['jws-bit', undefined],
    ['ok-unsafe', 'its description has no way "token-unsafe"'],
    ['file-ok', 'its description has no way "file"'],
    ['https-ok', 'its description has no way "url"'],
    ['cp-download-certs', 'its description has no way "control-plane"'],
    ['discovery-none', 'its description has no way "none"'],
    ['pin-two-first', 'its way "token" takes one {ca-hash} only'],
    ['token-tls-other', 'its way "token" takes no {tls-token}'],
    ['timeout-2s', 'its way "token" takes no {timeout}'],
    ['endpoint-path', 'the client does not speak as kubeadm does'],
    ['disk-closed', 'its description does not say where it has /etc/kubernetes/bootstrap-kubelet.conf'],
    ['no-kubelet-config-cm', 'its description names no kubelet-configuration below {root}'],
    ['kubelet-serves', 'its description names no kubelet-configuration below {root}'],
  ] as const)
    it(`${server}: ${lack ?? 'nothing'}`, () => assert.equal(lackAt(server, own), lack));
  it('is nothing of a client that takes a JoinConfiguration, and flags', () => {
    const ways = { configuration: ['p', '{configuration}', '{stays}'], token: ['p', '{endpoint}'] };
    const files = { ...own.files, 'bootstrap-kubeconfig': 'b', kubeconfig: 'k', 'kubelet-configuration': 'c' };
    const kubeadm = { ...own, speaks: 'kubeadm', minor: 36, ways, files } as const;
    for (const { name, told: { byFlags } = {}, onlyPlayed } of lies)
      if (byFlags !== true) assert.equal(lackAt(name, kubeadm), onlyPlayed, name);
    assert.equal(lackAt('cli-ok', kubeadm), 'its way "token" takes no {ca-hash}');
    const { minor: _, ...another } = kubeadm;
    assert.equal(lackAt('ok-verbose', another), 'its description does not say how it says more');
  });
});

describe('the way of a client', () => {
  it('is a JoinConfiguration where there is one, but for flags', () => {
    for (const [name, way] of [
      ['ok-pin', 'configuration'],
      ['cli-ok', 'token'],
    ] as const) {
      const lie = lies.find((one) => one.name === name);
      assert.ok(lie !== undefined);
      const approach = approachOf(new Liar(lie, { endpoint: '127.0.0.1:1', now: () => 0 }));
      assert.equal(wayOf(lie, approach, { configuration: ['p'] }), way);
    }
  });
});
