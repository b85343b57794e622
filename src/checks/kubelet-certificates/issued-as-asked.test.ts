import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Check } from '../../model/check.js';
import { sentenceOf } from '../../model/finding.js';
import { NO_NAMES } from '../certificates/extensions.js';
import type { CertificateFacts } from '../certificates/x509.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import {
  type Answered,
  issuedAsAsked,
  issuedToNoAuthority,
  issuedUsages,
  issuedWithOwnNumbers,
} from './issued-as-asked.js';

const asked = {
  commonName: 'system:node:a',
  organizations: ['system:nodes'],
  altNames: { ...NO_NAMES, dns: ['a', 'b'], ip: ['192.0.2.1'] },
  ca: false,
  ids: [],
  pin: 'sha256:aa',
};
const certificate: CertificateFacts = {
  ...asked,
  altNames: { ...asked.altNames, dns: ['b', 'a'] },
  keyUsage: ['digitalSignature'],
  extendedKeyUsage: ['clientAuth'],
  serial: '1f',
  issuer: { commonName: 'kubernetes', organizations: [] },
  notBefore: 0,
  notAfter: 1,
};
const usages = ['digital signature', 'client auth'];
const given = (changes: Partial<CertificateFacts> = {}, more: Partial<Answered> = {}): Answered => ({
  subject: 'csr-1',
  asked,
  usages,
  certificate: { ...certificate, ...changes },
  ...more,
});
const says = (check: Check<readonly Answered[]>, ...all: readonly Answered[]): readonly string[] =>
  judged(check, all, undefined).map(sentenceOf);
/** Which clauses of its six are not met. */
const broken = (answered: Answered): string =>
  judged(issuedAsAsked, [answered], undefined)
    .filter(({ result }) => result !== 'met')
    .map(({ demanded, seen }) => `${demanded.split(':')[0]}: ${seen}`)
    .join('; ');

describe('a certificate belongs to its request', () => {
  it('with its key, name, groups, usages and names, in any order', () => {
    assert.equal(judged(issuedAsAsked, [given()], undefined).length, 6);
    assert.equal(broken(given()), '');
    const groups = { organizations: ['b', 'a'] };
    assert.equal(broken(given(groups, { asked: { ...asked, organizations: ['a', 'b', 'a'] } })), '');
    assert.equal(broken(given({ keyUsage: ['digitalSignature'] }, { usages: [...usages, 'key encipherment'] })), '');
  });

  it('and not with anything else', () => {
    assert.equal(broken(given({ pin: 'sha256:bb' })), 'is for the key of its request: it is for another key');
    assert.equal(broken(given({ commonName: 'b' })), 'common name: b');
    assert.equal(broken(given({ commonName: '' })), 'common name: none');
    assert.equal(broken(given({ organizations: [] })), 'organizations: none');
    assert.equal(broken(given({ organizations: ['system:nodes', 'x'] })), 'organizations: system:nodes, x');
    assert.equal(broken(given({ extendedKeyUsage: [] })), 'extended usages: none');
    assert.equal(broken(given({ extendedKeyUsage: ['clientAuth', 'any'] })), 'extended usages: any, clientAuth');
    const { extendedKeyUsage: _, ...noPurpose } = certificate;
    assert.match(broken(given({}, { certificate: noPurpose })), /^extended usages: any/);
    assert.equal(
      broken(given({ keyUsage: ['digitalSignature', 'keyEncipherment'] })),
      'key usages: digitalSignature, keyEncipherment',
    );
    const { keyUsage: __, ...noUsage } = certificate;
    assert.match(broken(given({}, { certificate: noUsage })), /^key usages: any/);
    assert.match(broken(given({ altNames: { ...certificate.altNames, ip: [] } })), /^alternative names: a, b$/);
    assert.match(broken(given({ altNames: { ...certificate.altNames, email: ['x'] } })), /^alternative names: .*x$/);
  });

  it('knows every usage of the API', () => {
    const bits: Readonly<Record<string, string>> = {
      signing: 'digitalSignature',
      'digital signature': 'digitalSignature',
      'content commitment': 'contentCommitment',
      'key encipherment': 'keyEncipherment',
      'key agreement': 'keyAgreement',
      'data encipherment': 'dataEncipherment',
      'cert sign': 'keyCertSign',
      'crl sign': 'cRLSign',
      'encipher only': 'encipherOnly',
      'decipher only': 'decipherOnly',
    };
    for (const [usage, bit] of Object.entries(bits))
      assert.equal(broken(given({ keyUsage: [bit], extendedKeyUsage: [] }, { usages: [usage] })), '', usage);
    const purposes: Readonly<Record<string, string>> = {
      any: 'any',
      'server auth': 'serverAuth',
      'client auth': 'clientAuth',
      'code signing': '1.3.6.1.5.5.7.3.3',
      'email protection': '1.3.6.1.5.5.7.3.4',
      's/mime': '1.3.6.1.5.5.7.3.4',
      'ipsec end system': '1.3.6.1.5.5.7.3.5',
      'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
      'ipsec user': '1.3.6.1.5.5.7.3.7',
      timestamping: '1.3.6.1.5.5.7.3.8',
      'ocsp signing': '1.3.6.1.5.5.7.3.9',
      'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
      'netscape sgc': '2.16.840.1.113730.4.1',
    };
    for (const [usage, purpose] of Object.entries(purposes))
      assert.equal(broken(given({ keyUsage: [], extendedKeyUsage: [purpose] }, { usages: [usage] })), '', usage);
  });

  it('and is told with all that was asked for, each once and in order', () => {
    const names = { dns: ['b', 'a', 'b'], ip: ['192.0.2.1'], email: ['a@b'], uri: ['https://a/'], other: 0 };
    const more = { ...asked, organizations: ['b', 'a', 'b'], altNames: names };
    const wanted = ['key encipherment', 'client auth', 'digital signature', 'server auth', 'none of the API'];
    assert.deepEqual(says(issuedAsAsked, given({}, { asked: more, usages: wanted })), [
      'csr-1: is for the key of its request; seen: it is',
      'csr-1: common name: system:node:a, as asked for; seen: system:node:a',
      'csr-1: organizations: a, b, as asked for; seen: system:nodes',
      'csr-1: extended usages: clientAuth, serverAuth, as asked for; seen: clientAuth',
      'csr-1: key usages: at most digitalSignature, keyEncipherment, as asked for; seen: digitalSignature',
      'csr-1: alternative names: 192.0.2.1, a, a@b, b, https://a/, as asked for; seen: 192.0.2.1, a, b',
    ]);
    const { keyUsage: _, extendedKeyUsage: __, ...open } = certificate;
    // who asks for no usage of a kind gets no extension of it, as who asks for "client auth" alone
    assert.deepEqual(says(issuedAsAsked, given({}, { certificate: open, usages: [] })).slice(3, 5), [
      'csr-1: extended usages: none, as asked for; seen: none',
      'csr-1: key usages: at most none, as asked for; seen: none',
    ]);
    assert.deepEqual(resultsOf(issuedAsAsked, [given({}, { certificate: open, usages: [] })], undefined).slice(3, 5), [
      'met',
      'met',
    ]);
    assert.deepEqual(says(issuedAsAsked, given({}, { certificate: open })).slice(3, 5), [
      'csr-1: extended usages: clientAuth, as asked for; seen: any, as there are none',
      'csr-1: key usages: at most digitalSignature, as asked for; seen: any, as there are none',
    ]);
    assert.deepEqual(resultsOf(issuedAsAsked, [given({}, { certificate: open })], undefined).slice(3, 5), [
      'unmet',
      'unmet',
    ]);
    // what is joined is no single name
    assert.equal(
      broken(given({ organizations: ['ab'] }, { asked: { ...asked, organizations: ['a', 'b'] } })),
      'organizations: ab',
    );
  });

  it('and not where either cannot be read', () => {
    assert.deepEqual(resultsOf(issuedAsAsked, [given({}, { asked: { unreadable: 'x' } })], undefined), ['unmet']);
    assert.deepEqual(resultsOf(issuedAsAsked, [given({}, { certificate: { unreadable: 'x' } })], undefined), ['unmet']);
    const neither = given({}, { certificate: { unreadable: 'x' }, asked: { unreadable: 'y' } });
    assert.deepEqual(says(issuedAsAsked, neither, given({}, { asked: { unreadable: 'y' } })), [
      'csr-1: carries a certificate that belongs to its request; seen: it cannot be read: x',
      'csr-1: carries a certificate that belongs to its request; seen: its request cannot be read: y',
    ]);
  });
});

it('an issued certificate is no authority and signs nothing', () => {
  const look = (changes: Partial<CertificateFacts>) => resultsOf(issuedToNoAuthority, [given(changes)], undefined);
  assert.deepEqual(look({}), ['met', 'met']);
  assert.deepEqual(look({ ca: true }), ['unmet', 'met']);
  assert.deepEqual(look({ keyUsage: ['digitalSignature', 'keyCertSign'] }), ['met', 'unmet']);
  assert.deepEqual(look({ keyUsage: ['cRLSign'] }), ['met', 'unmet']);
  const both = ['cRLSign', 'digitalSignature', 'keyCertSign'];
  assert.deepEqual(says(issuedToNoAuthority, given(), given({ ca: true, keyUsage: both })), [
    'csr-1: is no authority (basicConstraints); seen: it is none',
    'csr-1: may sign no certificates (keyUsage); seen: digitalSignature',
    'csr-1: is no authority (basicConstraints); seen: CA:TRUE',
    'csr-1: may sign no certificates (keyUsage); seen: cRLSign, digitalSignature, keyCertSign',
  ]);
  const { keyUsage: _, ...open } = certificate;
  // what is no authority signs nothing, whatever its key may be used for
  assert.deepEqual(says(issuedToNoAuthority, given({}, { certificate: open })).slice(1), [
    'csr-1: may sign no certificates (keyUsage); seen: none',
  ]);
  const authority = given({}, { certificate: { ...open, ca: true } });
  assert.deepEqual(resultsOf(issuedToNoAuthority, [authority], undefined), ['unmet', 'met']);
  assert.deepEqual(resultsOf(issuedToNoAuthority, [given({}, { certificate: open })], undefined), ['met', 'met']);
  assert.deepEqual(resultsOf(issuedToNoAuthority, [given({}, { certificate: { unreadable: 'x' } })], undefined), []);
});

it('certificates of one authority differ in their numbers', () => {
  const look = (...all: readonly Partial<CertificateFacts>[]) =>
    resultsOf(
      issuedWithOwnNumbers,
      all.map((changes, index) => given(changes, { subject: `csr-${index}` })),
      undefined,
    );
  assert.deepEqual(look({}, { serial: '20', pin: 'sha256:bb' }), ['met', 'met']);
  assert.deepEqual(look({}, { pin: 'sha256:bb' }), ['met', 'unmet']);
  assert.deepEqual(look({}, {}), ['met', 'met'], 'one certificate in two requests');
  const elsewhere = { commonName: 'kubernetes', organizations: ['elsewhere'] };
  assert.deepEqual(look({}, { pin: 'sha256:bb', issuer: elsewhere }), ['met', 'met']);
  assert.deepEqual(look({}, { pin: 'sha256:bb', issuer: { ...elsewhere, commonName: 'b', organizations: [] } }), [
    'met',
    'met',
  ]);
  assert.deepEqual(look({ serial: '0' }), ['unmet']);
  assert.deepEqual(look({}, { pin: 'sha256:bb' }, { pin: 'sha256:cc' }, {}), ['met', 'unmet', 'unmet', 'met']);
  assert.deepEqual(look({}, { pin: 'sha256:a' }), ['met', 'unmet'], 'a pin that begins another');
  assert.deepEqual(look({ serial: '0' }, { serial: '0', pin: 'sha256:bb' }), ['unmet', 'unmet']);
  const numbered = [given(), given({ serial: '0' }), given({ pin: 'sha256:bb' }, { subject: 'csr-2' })];
  assert.deepEqual(says(issuedWithOwnNumbers, ...numbered), [
    'csr-1: has a serial number of its own, which is not 0; seen: it has',
    'csr-1: has a serial number of its own, which is not 0; seen: 0',
    'csr-2: has a serial number of its own, which is not 0; seen: it has the number of csr-1',
  ]);
  const twice = judged(issuedWithOwnNumbers, [given(), given({ pin: 'sha256:bb' })], undefined);
  assert.equal(twice[1]?.seen, 'it has the number of csr-1');
  assert.deepEqual(resultsOf(issuedWithOwnNumbers, [given({}, { certificate: { unreadable: 'x' } })], undefined), []);
});

describe('usages of the built-in signer', () => {
  const usagesOf = (keyUsage: readonly string[], ...wanted: readonly string[]): string =>
    judged(issuedUsages, [given({ keyUsage }, { usages: wanted })], undefined)
      .map(({ result, demanded, seen }) => `${result}: ${demanded}: ${seen}`)
      .join();

  it('are those that were asked for, in any order, under either name', () => {
    assert.match(usagesOf(['digitalSignature'], 'digital signature', 'signing', 'client auth'), /^met/);
    assert.match(
      usagesOf(['keyEncipherment', 'digitalSignature'], 'digital signature', 'key encipherment'),
      /^met: key usages: digitalSignature, keyEncipherment, as asked for/,
    );
    assert.match(usagesOf([], 'client auth'), /^met: key usages: none, as asked for: none$/);
  });
  it('are neither fewer nor more', () => {
    assert.match(
      usagesOf(['digitalSignature'], 'digital signature', 'key encipherment'),
      /^unmet.*: digitalSignature$/,
    );
    assert.match(usagesOf(['digitalSignature'], 'client auth'), /^unmet: key usages: none/);
    assert.match(usagesOf([], 'digital signature'), /^unmet.*: none$/);
  });
  it('are not judged of what cannot be read', () => {
    const unread = given({}, { certificate: { unreadable: 'it is cut off' } });
    assert.deepEqual(judged(issuedUsages, [unread], undefined), []);
  });
});
