import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { twinsOf } from '../common/twins.testing.js';
import { extensionsBelieve, readExtensionTrust } from './extension-trust.js';

const authority = (): string => {
  const key = generateKey('ECDSA-P256');
  const life = { notBefore: 0, notAfter: 1e12 };
  return createCertificate({ subject: { commonName: 'ca' }, publicKey: key, signingKey: key, ...life }).pem;
};
const [OWN, PROXIES, OTHER] = [authority(), authority(), authority()];
const SOUND = {
  'client-ca-file': OWN,
  'requestheader-client-ca-file': PROXIES,
  'requestheader-allowed-names': '["front-proxy-client"]',
  'requestheader-username-headers': '["X-Remote-User"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-uid-headers': '["X-Remote-Uid"]',
  'requestheader-extra-headers-prefix': '["x-remote-extra-"]',
};
const odd = (data: object = {}, flags = {}, authorities = OWN): readonly string[] =>
  readExtensionTrust({ metadata: { name: 'x' }, data: { ...SOUND, ...data } }, { flags, authorities }).odd;

describe('whom other API servers believe', () => {
  it('is whom the own one believes', () => {
    assert.deepEqual(odd(), []);
    assert.deepEqual(odd({ 'client-ca-file': OWN + OTHER }), ['client-ca-file holds 1 that cluster-info does not']);
    assert.deepEqual(odd({ 'client-ca-file': OWN + OTHER }, { 'client-ca-file': '/etc/own.crt' }), []);
    assert.deepEqual(odd({ 'client-ca-file': OTHER }, {}, ''), []);
    assert.deepEqual(odd({ 'client-ca-file': OTHER }), ['client-ca-file holds 1 that cluster-info does not']);
    assert.deepEqual(odd({ 'requestheader-client-ca-file': PROXIES + OTHER }), [
      'requestheader-client-ca-file holds 2, and the API server has one',
    ]);
    assert.deepEqual(odd({ 'requestheader-client-ca-file': PROXIES + PROXIES }), []);
    assert.deepEqual(odd({ 'requestheader-client-ca-file': OWN }), [
      'requestheader-client-ca-file holds an authority that signs for clients, too',
    ]);
    assert.deepEqual(
      odd({ 'requestheader-client-ca-file': OWN }, { 'requestheader-client-ca-file': '/etc/own.crt' }),
      [],
    );
    const file = { 'requestheader-client-ca-file': '/etc/own.crt' };
    assert.deepEqual(odd({ 'requestheader-client-ca-file': PROXIES + OTHER }, file), []);
  });

  it('is told one by one, and nothing of a name that looks alike', () => {
    assert.deepEqual(odd({ 'client-ca-file': OTHER + OWN + PROXIES }), [
      'client-ca-file holds 2 that cluster-info does not',
    ]);
    assert.deepEqual(odd({ 'client-ca-file': OWN }, {}, OTHER + OWN), []);
    for (const twin of twinsOf('front-proxy-client').filter((name) => name !== name.toUpperCase() || name === ''))
      assert.deepEqual(odd({ 'requestheader-allowed-names': JSON.stringify([twin]) }), [
        `requestheader-allowed-names ${twin}`,
      ]);
    assert.deepEqual(odd({ 'requestheader-allowed-names': '["Front-Proxy-Client"]' }), [], 'letters do not matter');
    for (const twin of twinsOf('requestheader-allowed-names')) assert.deepEqual(odd({ [twin]: '[]' }), [], twin);
    for (const name of ['username', 'group', 'uid', 'extra'])
      assert.deepEqual(
        odd({ [name === 'extra' ? 'requestheader-extra-headers-prefix' : `requestheader-${name}-headers`]: '[]' }),
        [],
      );
  });

  it('speaks for others by the names and headers of the flags', () => {
    assert.deepEqual(odd({ 'requestheader-allowed-names': '[]' }), [
      'requestheader-allowed-names lets in everybody whom the authority of proxies has signed for',
    ]);
    assert.deepEqual(odd({ 'requestheader-allowed-names': '[]' }, { 'requestheader-allowed-names': '' }), []);
    const two = { 'requestheader-allowed-names': '["front-proxy-client","b"]' };
    assert.deepEqual(odd(two), ['requestheader-allowed-names b']);
    assert.deepEqual(odd({ 'requestheader-allowed-names': '["front-proxy-client",""]' }), [
      'requestheader-allowed-names ',
    ]);
    assert.deepEqual(odd(two, { 'requestheader-allowed-names': 'front-proxy-client, b' }), []);
    for (const name of ['username', 'group', 'uid'])
      assert.deepEqual(odd({ [`requestheader-${name}-headers`]: '[]' }), [], name);
    assert.deepEqual(odd({ 'requestheader-group-headers': '{"a":1}' }), ['requestheader-group-headers is no list']);
    assert.deepEqual(odd({ 'requestheader-group-headers': '["x-remote-group","B","C"]' }), [
      'requestheader-group-headers B',
      'requestheader-group-headers C',
    ]);
    assert.deepEqual(odd({ 'requestheader-username-headers': '["X-Other"]' }), [
      'requestheader-username-headers X-Other',
    ]);
    assert.deepEqual(odd({ 'requestheader-group-headers': 'X-Other' }), ['requestheader-group-headers is no list']);
    assert.deepEqual(readExtensionTrust({ metadata: { name: 'x' } }, { flags: {}, authorities: OWN }).odd, []);
  });

  it('is judged where it is said', () => {
    const judged = (data: object) =>
      extensionsBelieve.judge(
        readExtensionTrust({ metadata: { name: 'x' }, data: { ...SOUND, ...data } }, { flags: {}, authorities: OWN }),
        undefined,
      )[0]?.result;
    assert.equal(judged({}), 'met');
    assert.equal(judged({ 'requestheader-allowed-names': '[]' }), 'unmet');
    const many = ['a', 'b', 'c', 'd', 'e', 'f'];
    const said = (odds: readonly string[]) => extensionsBelieve.judge({ there: true, odd: odds }, undefined)[0]?.seen;
    assert.equal(said(many), 'a; b; c; d; e');
    assert.equal(said(['x'.repeat(300)])?.length, 240);
    assert.equal(said([]), 'nobody else');
    const none = readExtensionTrust(undefined, { flags: {}, authorities: OWN });
    assert.deepEqual(none, { there: false, odd: [] });
    assert.deepEqual(extensionsBelieve.judge(none, undefined), []);
  });
});
