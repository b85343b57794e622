import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64, tokenSecret } from './token-secret.testing.js';
import { mustBeSignedFor, namedLikeTokens, readTokenSecrets, tokenSecretIn } from './token-secrets.js';

describe('a token Secret, read', () => {
  it('holds no secret half, and no value that may be one', () => {
    for (const half of ['2e4d610cf3e7426f', 'Hunter2-Hunter2-', '0123456789abcdef0123456789abcdef'])
      for (const key of ['token-secret', 'token-id', 'description', 'notes']) {
        const told = JSON.stringify(readTokenSecrets([tokenSecret({ 'token-secret': half, [key]: half })]));
        assert.ok(!told.includes(half.slice(0, 7)), `${key}: ${told}`);
        assert.ok(!told.includes(base64(half).slice(0, 8)), `${key}: ${told}`);
      }
  });

  it('says how a value looks', () => {
    const looks = (half: string) => readTokenSecrets([tokenSecret({ 'token-secret': half })])[0]?.half;
    assert.deepEqual(looks('2e4d610cf3e7426f'), { characters: 16, odd: [] });
    assert.deepEqual(looks(''), { characters: 0, odd: [] });
    assert.deepEqual(looks('AB-ab\u200f\n'), {
      characters: 7,
      odd: ['capitals', '"-"', 'U+200F', 'bytes that are no text'],
    });
  });

  it('tells text from garbage: marks of direction, line ends and every language are text', () => {
    const texts = ['\u200fעברית\u200f', '\u202eabc', '给新节点\n', 'a\r\nb\tc', '\ufeffx', 'a\u0085b', ''];
    const written = (description: string) =>
      readTokenSecrets([tokenSecret({ description })])[0]?.written.find(({ key }) => key === 'description')?.text;
    for (const text of texts) assert.equal(written(text), true, JSON.stringify(text));
    for (const text of ['a\u0000b', '\u001b[31m', '\u007f']) assert.equal(written(text), false, JSON.stringify(text));
    const latin = readTokenSecrets([tokenSecret({}, { raw: { description: base64('Köln', 'latin1') } })])[0];
    assert.equal(latin?.written.find(({ key }) => key === 'description')?.text, false);
  });

  it('finds by name what is to be a token, whatever its type', () => {
    const [opaque, other] = [tokenSecret({}, { type: 'Opaque' }), tokenSecret({}, { name: 'licence' })];
    assert.deepEqual(namedLikeTokens([opaque, other]), [opaque]);
  });

  it('knows what must be signed for', () => {
    const now = Date.UTC(2027, 2, 9);
    assert.equal(mustBeSignedFor(tokenSecret(), now), true);
    assert.equal(mustBeSignedFor(tokenSecret({ expiration: undefined }), now), true);
    for (const not of [
      tokenSecret({ 'usage-bootstrap-signing': 'True' }),
      tokenSecret({ expiration: 'garbage' }),
      tokenSecret({ expiration: '2027-03-08T00:00:00Z' }),
      tokenSecret({ expiration: new Date(now).toISOString() }),
      tokenSecret({ 'token-id': 'ffffff' }),
      tokenSecret({ 'token-secret': '' }),
      tokenSecret({}, { namespace: 'default' }),
      tokenSecret({}, { type: 'Opaque' }),
    ])
      assert.equal(mustBeSignedFor(not, now), false);
  });
});

describe('what is kept of a Secret that was listed', () => {
  it('is nothing where it is neither a token nor named like one', () => {
    assert.equal(tokenSecretIn({ metadata: { name: 'x', namespace: 'kube-system' }, type: 'Opaque' }), undefined);
    assert.notEqual(tokenSecretIn({ metadata: { name: 'bootstrap-token-abcdef' } }), undefined);
  });

  it('is read as the whole is', () => {
    const whole = tokenSecret({ notes: 'x' }, { annotations: { a: 'b' } });
    const kept = tokenSecretIn({ ...whole, metadata: { ...whole.metadata, managedFields: [{}] } });
    assert.deepEqual(kept, whole);
  });

  it('is bounded, and keeps what every token has', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}`, 'x'.repeat(1_000)]));
    const kept = tokenSecretIn(tokenSecret({ ...many, description: 'x'.repeat(1_000_000) }));
    assert.ok(JSON.stringify(kept).length < 50_000);
    const [read] = readTokenSecrets(kept === undefined ? [] : [kept]);
    assert.deepEqual([read?.id.characters, read?.half.characters, read?.usages.length], [6, 16, 2]);
  });
});
