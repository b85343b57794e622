import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { bearsEndlessly, keysIn } from './kept-secrets.js';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const [PIN = ''] = keysIn(PEM, false);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('keys that a file keeps', () => {
  it('are told each once, as PEM and as the base64 of it', () => {
    assert.match(PIN, /^sha256:[a-f\d]{64}$/);
    const encoded = base64(PEM);
    for (const text of [
      `a\n${PEM}${PEM}`,
      encoded,
      `${encoded.replace(/.{76}/g, '$&\n')}\n`,
      `key: ${encoded}\nagain: "${encoded}"\n`,
      `{"a":"${encoded}"}`,
    ])
      assert.deepEqual(keysIn(text, false), [PIN], text);
    for (const text of ['', 'a', base64(`x${PEM}`).slice(4), encoded.slice(0, 60)])
      assert.deepEqual(keysIn(text, false), [], text);
  });
  it('are looked for among the first of many', () => {
    const none = `${base64(`-----BEGIN NOTHING-----${'a'.repeat(40)}`)}\n`;
    assert.deepEqual(keysIn(none.repeat(63) + base64(PEM), false), [PIN]);
    assert.deepEqual(keysIn(none.repeat(64) + base64(PEM), false), []);
  });
  it('are those of users in a kubeconfig', () => {
    assert.deepEqual(keysIn(`client-key-data: ${base64(PEM)}`, true), []);
    assert.deepEqual(keysIn(base64(PEM), true), []);
    assert.deepEqual(keysIn(PEM, true), [PIN]);
  });
});

const part = (said: unknown): string => Buffer.from(JSON.stringify(said)).toString('base64url');
const jwt = (claims: unknown): string =>
  [part({ alg: 'RS256', kid: 'abcdef' }), part(claims), 'a'.repeat(40)].join('.');

describe('tokens that a file keeps', () => {
  const sub = 'system:serviceaccount:kube-system:admin';
  it('are of service accounts, and without an end', () => {
    for (const text of [jwt({ sub }), `TOKEN="${jwt({ iss: 'kubernetes/serviceaccount', sub })}"\n`])
      assert.equal(bearsEndlessly(text), true, text);
    assert.equal(bearsEndlessly(`${jwt({ sub: 'anna-of-somewhere' })} ${jwt({ sub })}`), true);
  });
  it('are looked for among the first of many', () => {
    const ends = `${jwt({ sub, exp: 1 })}\n`;
    assert.equal(bearsEndlessly(ends.repeat(63) + jwt({ sub })), true);
    assert.equal(bearsEndlessly(ends.repeat(64) + jwt({ sub })), false);
  });
  it('are none that end, of others, or that are no tokens', () => {
    const cut = jwt({ sub });
    for (const text of [
      ...['', 'eyJ', jwt({ sub, exp: 1 }), jwt({ sub: 'anna-of-somewhere' }), jwt([sub]), jwt({ sub: ['a', sub] })],
      ...[
        cut.slice(0, 60),
        `x${cut}`,
        cut.replace(/\.eyJ/, '.eyJ!'),
        `eyJhbGciOiJhIn0.eyJ${'a'.repeat(30)}.${'b'.repeat(30)}`,
      ],
    ])
      assert.equal(bearsEndlessly(text), false, text);
  });
});
