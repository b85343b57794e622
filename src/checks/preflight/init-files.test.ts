import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PreflightRun } from '../../kubernetes/preflight-run.js';
import { createAuthority, issueCredential } from '../../pki/authority.js';
import { privateKeyPem } from '../../pki/keys.js';
import { resultsOf } from '../common/judged.testing.js';
import {
  endsInit,
  keeps,
  leaves,
  leavesNothing,
  refusesTold,
  together,
  warnsNot,
  warnsOf,
  writesJust,
} from './init-files.js';
import { readLeft, readMade } from './left-reader.js';
import { readLook } from './preflight-reader.js';

const NOW = Date.UTC(2026, 0, 1);
const PKI = '/etc/kubernetes/pki';
const run = (more: Partial<PreflightRun> = {}): PreflightRun => ({
  machine: 'as it should be',
  look: 'a whole init',
  exit: 0,
  said: [],
  written: [],
  ...more,
});
const ended = (words: string, more: Partial<PreflightRun> = {}): PreflightRun =>
  run({ exit: 1, said: [`error: ${words}`], ...more });
const expected = (one: PreflightRun, words: string) => [{ look: readLook(one), check: '', words }];
const is = (result: 'met' | 'unmet', results: readonly string[]): void => assert.deepEqual(results, [result]);

describe('what init is told', () => {
  it('is refused in words, before anything is done', () => {
    is('met', resultsOf(refusesTold, expected(ended('no subnet'), 'no subnet'), undefined));
    for (const wrong of [
      run(),
      ended('other'),
      ended('no subnet', { exit: 0 }),
      ended('no subnet', { exit: undefined }),
      ended('no subnet', { written: ['/etc/kubernetes/admin.conf'] }),
      ended('no subnet', { changed: ['/etc/kubernetes/admin.conf'] }),
      ended('no subnet', { said: ['\t[ERROR Swap]: x', 'error: no subnet'] }),
    ])
      is('unmet', resultsOf(refusesTold, expected(wrong, 'no subnet'), undefined));
  });

  it('is warned of, and nothing else is', () => {
    const warned = run({ said: ['W0101 10:00:00.000000       1 a.go:1] unknown field "x"'] });
    is('met', resultsOf(warnsOf, expected(warned, 'unknown field'), undefined));
    is('unmet', resultsOf(warnsOf, expected({ ...warned, exit: 1 }, 'unknown field'), undefined));
    is('unmet', resultsOf(warnsOf, expected(run(), 'unknown field'), undefined));
    is('met', resultsOf(warnsNot, expected(run(), 'unknown field'), undefined));
    is('unmet', resultsOf(warnsNot, expected(warned, 'unknown field'), undefined));
    is('unmet', resultsOf(warnsNot, expected(run({ exit: 1 }), 'unknown field'), undefined));
  });
});

describe('what is there', () => {
  const changed = { changed: [`${PKI}/ca.crt`] };
  it('stays where init ends', () => {
    is('met', resultsOf(endsInit, expected(ended('foreign'), 'foreign'), undefined));
    for (const wrong of [run(), ended('other'), ended('foreign', changed), ended('foreign', { exit: undefined })])
      is('unmet', resultsOf(endsInit, expected(wrong, 'foreign'), undefined));
  });
  it('stays where it does not', () => {
    is('met', resultsOf(keeps, [readLook(run({ written: ['/a'] }))], undefined));
    for (const wrong of [run(changed), run({ exit: 1 })]) is('unmet', resultsOf(keeps, [readLook(wrong)], undefined));
  });
  it('is all that there is after a dry run', () => {
    const dry = (written: readonly string[], more: Partial<PreflightRun> = {}) =>
      resultsOf(
        leavesNothing,
        [readLook(run({ said: ['[preflight] Running pre-flight checks'], written, ...more }))],
        undefined,
      );
    is('met', dry(['/etc/kubernetes/tmp/kubeadm-init-dryrun12/ca.crt']));
    is('unmet', dry([`${PKI}/ca.crt`]));
    is('unmet', dry([], changed));
    is('unmet', dry([], { exit: 1 }));
    is('unmet', dry([], { said: [] }));
  });
});

describe('a phase', () => {
  it('writes its own files', () => {
    const just = (more: Partial<PreflightRun>) =>
      resultsOf(writesJust, [{ look: readLook(run(more)), files: ['admin.conf'] }], undefined);
    is('met', just({ written: ['/etc/kubernetes/admin.conf'] }));
    for (const wrong of [
      {},
      { written: ['/etc/kubernetes/admin.conf', '/etc/kubernetes/kubelet.conf'] },
      { written: ['/etc/kubernetes/admin.conf'], changed: [`${PKI}/ca.crt`] },
      { written: ['/etc/kubernetes/admin.conf'], exit: 1 },
    ])
      is('unmet', just(wrong));
  });
});

describe('what is left', () => {
  const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
  const other = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
  const made = issueCredential(authority, {
    subject: { commonName: 'kube-apiserver', organizations: ['a'] },
    key: 'ECDSA-P256',
    now: NOW,
    extendedKeyUsage: ['serverAuth'],
    altNames: { dns: ['lb.example'], ip: ['192.0.2.1'] },
  });
  const user = issueCredential(authority, { subject: { commonName: 'u' }, key: 'ECDSA-P256', now: NOW });
  const encoded = (pem: string): string => Buffer.from(pem).toString('base64');
  const conf = JSON.stringify({
    clusters: [
      {
        name: 'c',
        cluster: { server: 'https://a:1', 'certificate-authority-data': encoded(authority.certificate.pem) },
      },
    ],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    users: [
      {
        name: 'u',
        user: { 'client-certificate-data': encoded(user.certificatePem), 'client-key-data': encoded(user.keyPem) },
      },
    ],
  });
  const pod = {
    kind: 'Pod',
    metadata: { name: 'etcd', namespace: 'kube-system', annotations: { a: 'b' }, labels: { tier: 'control-plane' } },
    spec: {
      containers: [
        {
          command: ['etcd', '--data-dir=/d'],
          image: 'r.example:5000/m/etcd:1',
          env: [{ name: 'A', value: 'b' }],
          livenessProbe: { httpGet: { path: '/alive' } },
          startupProbe: { failureThreshold: 6, httpGet: { host: '127.0.0.1' } },
          volumeMounts: [{ name: 'v', mountPath: '/m', readOnly: true }],
        },
      ],
      volumes: [{ name: 'v', hostPath: { path: '/h', type: 'File' } }],
    },
  };
  const texts: Readonly<Record<string, string>> = {
    [`${PKI}/ca.crt`]: authority.certificate.pem,
    [`${PKI}/ca.key`]: privateKeyPem(authority.key),
    [`${PKI}/apiserver.crt`]: made.certificatePem,
    [`${PKI}/apiserver.key`]: made.keyPem,
    '/etc/kubernetes/admin.conf': conf,
    '/etc/kubernetes/manifests/etcd.yaml': JSON.stringify(pod),
    '/var/lib/kubelet/config.yaml': JSON.stringify({ a: { b: 1 }, dns: ['10.0.0.1'] }),
    '/var/lib/kubelet/kubeadm-flags.env': 'KUBELET_KUBEADM_ARGS="--v=4 --x"\n',
  };
  const left = (given: Readonly<Record<string, string>>, more: Partial<PreflightRun> = {}): PreflightRun =>
    run({
      written: Object.keys(given),
      left: Object.entries(given).map(([path, text]) => ({ path, text, mode: path.endsWith('.crt') ? 0o644 : 0o600 })),
      ...more,
    });
  const factsOf = (file: string, given = texts) => readLeft(left(given), file).facts ?? [];

  it('is read into facts', () => {
    const wanted: Readonly<Record<string, readonly string[]>> = {
      'pki/ca.crt': ['an authority', 'key ec prime256v1', 'lives 3650 days', 'signed by pki/ca.crt', 'mode 644'],
      'pki/ca.key': ['belongs to pki/ca.crt', 'mode 600'],
      'pki/apiserver.crt': ['CN=kube-apiserver', 'O=a', 'for lb.example', 'for 192.0.2.1', 'usage serverAuth'],
      'admin.conf': [
        'asks https://a:1',
        'cluster c',
        'context x',
        'believes pki/ca.crt',
        'signed by pki/ca.crt',
        'begins with pki/ca.crt',
        'has its key',
      ],
      'manifests/etcd.yaml': [
        ...['--data-dir=/d', 'image: r.example:5000/m/etcd:1', 'image from r.example:5000/m', 'env A=b'],
        ...[
          'mounts /h (File) at /m, read-only',
          'fails 6 times at its start',
          'probe host: 127.0.0.1',
          'alive at /alive',
        ],
        ...['Pod kube-system/etcd', 'annotation a=b', 'label tier=control-plane'],
      ],
      '/var/lib/kubelet/config.yaml': ['b: 1', '10.0.0.1'],
      '/var/lib/kubelet/kubeadm-flags.env': ['--v=4', '--x'],
    };
    for (const [file, facts] of Object.entries(wanted))
      assert.deepEqual(
        facts.filter((fact) => !factsOf(file).includes(fact)),
        [],
        file,
      );
    assert.deepEqual(
      Object.keys(wanted).filter((file) => factsOf(file).includes('begins with pki/ca.crt')),
      ['admin.conf'],
    );
    assert.equal(JSON.stringify(Object.keys(wanted).map((file) => factsOf(file))).includes('PRIVATE'), false);
    assert.equal(readLeft(left(texts), 'pki/none.crt').facts, null);
    assert.ok(factsOf('pki/ca.crt', { [`${PKI}/ca.crt`]: 'x' }).includes('no certificate'));
    assert.ok(factsOf('pki/ca.key', { [`${PKI}/ca.key`]: 'x' }).includes('no key'));
  });

  it('is of whichever authority stands in a file', () => {
    const leads = (pem: string) => {
      const given = { ...texts, [`${PKI}/ca.crt`]: pem };
      return ['pki/apiserver.crt', 'admin.conf'].map((file) =>
        factsOf(file, given).filter((fact) => /^(?:signed|believes) .*pki\/ca\.crt$/.test(fact)),
      );
    };
    const [own, others] = [authority.certificate.pem, other.certificate.pem];
    const signed = [['signed by pki/ca.crt'], ['believes pki/ca.crt', 'signed by pki/ca.crt']];
    assert.deepEqual(leads(own + others), signed);
    assert.deepEqual(leads(others + own), signed);
    assert.deepEqual(leads(others), [[], []]);
    const beside = { ...texts, [`${PKI}/etcd/ca.crt`]: own };
    assert.ok(factsOf('pki/apiserver.crt', beside).includes('signed by pki/etcd/ca.crt'));
  });

  it('says what it is to say', () => {
    const says = (file: string, what: string, one = left(texts)) =>
      resultsOf(leaves, [{ left: readLeft(one, file), what }], undefined);
    is('met', says('pki/apiserver.crt', 'for lb.example'));
    is('met', says('pki/apiserver.crt', 'no for 10.'));
    is('met', says('pki/none.crt', 'nothing'));
    is('unmet', says('pki/apiserver.crt', 'for lb'));
    is('unmet', says('pki/apiserver.crt', 'no for 192.'));
    is('unmet', says('pki/apiserver.crt', 'nothing'));
    is('unmet', says('pki/none.crt', 'no for 10.'));
    is('unmet', says('pki/apiserver.crt', 'for lb.example', left(texts, { exit: 1 })));
  });

  it('belongs together', () => {
    const all = (given: Readonly<Record<string, string>>, more: Partial<PreflightRun> = {}) =>
      new Set(resultsOf(together, readMade(left(given, more)), undefined));
    assert.deepEqual(all(texts), new Set(['met']));
    assert.deepEqual(all({ ...texts, [`${PKI}/ca.crt`]: other.certificate.pem }).has('unmet'), true);
    assert.deepEqual(all({ ...texts, [`${PKI}/apiserver.key`]: privateKeyPem(other.key) }).has('unmet'), true);
    assert.deepEqual(all(texts, { exit: 1 }), new Set(['unmet']));
    const shared = conf
      .replace(encoded(user.certificatePem), encoded(made.certificatePem))
      .replace(encoded(user.keyPem), encoded(made.keyPem));
    assert.deepEqual(all({ ...texts, '/etc/kubernetes/admin.conf': shared }).has('unmet'), true);
  });
});
