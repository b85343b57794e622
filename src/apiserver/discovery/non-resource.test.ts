/** Paths that are no resources, as clients and people find them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixture } from '../serving/fixture.js';

const KEY = { kty: 'RSA', alg: 'RS256', kid: 'k', use: 'sig', n: 'n', e: 'AQAB' };
const ISSUER = { issuer: 'https://issuer.example', jwksUri: 'https://issuer.example/openid/v1/jwks' };
const issuing = () =>
  fixture({ serviceAccountIssuer: { ...ISSUER, keys: [KEY, { ...KEY, kid: 'l' }, { ...KEY, alg: 'ES256' }] } });

describe('who checks tokens of ServiceAccounts', () => {
  const CONFIGURATION = '/.well-known/openid-configuration';
  const KEYS = '/openid/v1/jwks';
  it('finds who issues them and how, and may keep it for an hour', () => {
    const { json, text, headers } = issuing().ask('GET', CONFIGURATION);
    assert.equal(text.trim(), JSON.stringify(json));
    assert.deepEqual(json, {
      issuer: ISSUER.issuer,
      jwks_uri: ISSUER.jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    });
    assert.deepEqual([headers['Content-Type'], headers['Cache-Control']], ['application/json', 'public, max-age=3600']);
  });
  it('finds the keys', () => {
    const { json, text, headers } = issuing().ask('GET', KEYS);
    assert.equal(text.trim(), JSON.stringify(json));
    assert.deepEqual(
      (json.keys as unknown as readonly (typeof KEY)[]).map(({ kid, alg }) => `${kid} ${alg}`),
      ['k RS256', 'l RS256', 'k ES256'],
    );
    assert.equal(headers['Content-Type'], 'application/jwk-set+json');
    assert.equal(headers['Cache-Control'], 'public, max-age=3600');
  });
  it('finds them with slashes at the end, and nothing below', () => {
    const { ask } = issuing();
    for (const path of [CONFIGURATION, KEYS, '/version']) {
      const { text } = ask('GET', path);
      for (const more of ['/', '//']) assert.equal(ask('GET', `${path}${more}`).text, text, `${path}${more}`);
      for (const more of ['/x', '/.', '/x/y', '/%2f/x']) {
        const { code, json } = ask('GET', `${path}${more}`);
        assert.deepEqual(
          [code, json.message],
          [404, 'the server could not find the requested resource'],
          `${path}${more}`,
        );
      }
      assert.equal(ask('GET', `${path}x`).text, '404 page not found\n', path);
    }
    for (const path of [CONFIGURATION, KEYS])
      assert.equal(fixture().ask('GET', `${path}/x`).text, '404 page not found\n', path);
  });
  it('reads them only, in their own types', () => {
    const { ask } = issuing();
    for (const path of [CONFIGURATION, KEYS]) {
      assert.equal(ask('POST', path, {}).code, 405, path);
      assert.equal(ask('GET', path, undefined, { accept: 'text/html' }).code, 406, path);
      assert.equal(fixture().ask('GET', path).code, 404, path);
    }
    assert.equal(ask('GET', KEYS, undefined, { accept: 'application/jwk-set+json' }).code, 200);
    assert.equal(ask('GET', CONFIGURATION, undefined, { accept: 'application/json' }).code, 200);
  });
});

it('the version tells the release, and what it is compatible with where it emulates others', () => {
  const version = (minor: number, path = '/version'): readonly unknown[] => {
    const { json } = fixture({ minor }).ask('GET', path);
    return ['major', 'minor', 'emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'].map(
      (name) => json[name],
    );
  };
  assert.deepEqual(version(36), ['1', '36', '1', '36', '1', '35']);
  assert.deepEqual(version(36, '/version/'), version(36));
  assert.deepEqual(version(28), ['1', '28', undefined, undefined, undefined, undefined]);
  assert.equal(fixture().ask('POST', '/version', {}).code, 405);
});

describe('pages', () => {
  it('tell how many objects there are', () => {
    const { ask } = fixture();
    const { text, headers } = ask('GET', '/metrics');
    assert.match(
      text,
      /^# TYPE apiserver_storage_objects gauge\n[\s\S]*apiserver_storage_objects\{resource="namespaces"\} 1\n/m,
    );
    assert.match(text, /resource="configmaps"\} 0\n/);
    assert.match(String(headers['Content-Type']), /^text\/plain; version=0\.0\.4; charset=utf-8/);
    assert.equal(headers['X-Content-Type-Options'], undefined);
    const slis = ask('GET', '/metrics/slis');
    assert.deepEqual([slis.code, slis.text], [200, '']);
  });
  it('of a process warn whoever would parse them, and are plain text', () => {
    const { ask } = fixture();
    for (const page of ['statusz', 'flagz']) {
      const { code, text } = ask('GET', `/${page}`, undefined, { accept: 'text/plain' });
      assert.equal(code, 200);
      assert.match(
        text,
        new RegExp(`^\\napiserver ${page}\\nWarning: This endpoint is not meant to be machine parseable`),
      );
      const accepted = ['', 'text/html, text/plain', '*/*', 'text/html'].map(
        (accept) => ask('GET', `/${page}`, undefined, accept === '' ? {} : { accept }).code,
      );
      assert.deepEqual(accepted, [200, 200, 200, 406]);
      assert.equal(fixture({ minor: 28 }).ask('GET', `/${page}`).code, 404);
    }
    assert.match(String(ask('GET', '/debug/pprof/').headers['Content-Type']), /^text\/html/);
  });
  it('that nobody knows are not found', () => {
    const { code, text } = fixture().ask('GET', '/none');
    assert.deepEqual([code, text.length > 0], [404, true]);
  });
});
