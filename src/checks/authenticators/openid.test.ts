import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { judged } from '../common/judged.testing.js';
import { publishedVerifies, readPublished } from './openid.js';

const pair = (): ReturnType<typeof generateKeyPairSync> => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [own, other] = [pair(), pair()];
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const body = `${encoded({ alg: 'ES256', kid: 'one' })}.${encoded({ iss: 'https://issuer.example' })}`;
const signature = sign('sha256', Buffer.from(body), { key: own.privateKey, dsaEncoding: 'ieee-p1363' });
const token = `${body}.${signature.toString('base64url')}`;

const document = {
  issuer: 'https://issuer.example',
  jwks_uri: 'https://issuer.example/openid/v1/jwks',
  id_token_signing_alg_values_supported: ['ES256'],
};
const key = { ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' };

/** The demands that are not met. */
const broken = (changes: Fields = {}, keys: readonly object[] = [key], shown = token): readonly string[] =>
  judged(
    publishedVerifies,
    readPublished({ subject: 'a token', token: shown }, { ...document, ...changes }, { keys }),
    undefined,
  )
    .filter(({ result }) => result !== 'met')
    .map(({ demanded, seen }) => `${demanded.split(' ').slice(0, 4).join(' ')}: ${seen}`);

describe('what is published of tokens', () => {
  it('verifies them, among keys that do not', () => {
    assert.deepEqual(broken(), []);
    assert.deepEqual(broken({}, [{ ...key, ...other.publicKey.export({ format: 'jwk' }), kid: 'two' }, key]), []);
  });
  it('is of the issuer, says where keys lie, and by what they sign', () => {
    assert.deepEqual(broken({ issuer: 'https://other.example' }), ['the published issuer is: https://other.example']);
    assert.deepEqual(broken({ jwks_uri: document.issuer }), ['keys are said to: https://issuer.example']);
    assert.deepEqual(broken({ jwks_uri: 'http://issuer.example/keys' }), [
      'keys are said to: http://issuer.example/keys',
    ]);
    assert.deepEqual(broken({ id_token_signing_alg_values_supported: ['RS256'] }), ['the algorithm of the: RS256']);
    assert.deepEqual(broken({ issuer: 1, jwks_uri: null, id_token_signing_alg_values_supported: 'ES256' }), [
      'the published issuer is: none',
      'keys are said to: none',
      'the algorithm of the: none',
    ]);
  });
  it('is a key that verifies, by its id', () => {
    const lines = (...keys: readonly object[]): readonly string[] => broken({}, keys);
    assert.deepEqual(lines(), ['a key is published: none']);
    assert.deepEqual(lines({ ...key, kid: 'two' }), ['a key is published: ES256, which does']);
    assert.deepEqual(lines({ ...key, use: 'enc' }), ['a key is published: ES256, which does']);
    assert.deepEqual(lines({ ...key, alg: '' }), ['a key is published: a key of nothing, which does']);
    assert.deepEqual(lines({ ...key, ...other.publicKey.export({ format: 'jwk' }) }), ['a key is published: ES256']);
    assert.deepEqual(lines({ ...key, crv: 'none' }), ['a key is published: ES256']);
    assert.deepEqual(broken({}, [key], `x${token}`).length, 2);
  });
  it('is no private half', () => {
    assert.deepEqual(broken({}, [{ ...key, ...own.privateKey.export({ format: 'jwk' }) }]), [
      'keys are published without: d',
    ]);
  });
});
