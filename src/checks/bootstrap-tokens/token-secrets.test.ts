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

  it('says which usages are neither on nor off, and since when it is being deleted', () => {
    const read = (signing: string) => readTokenSecrets([tokenSecret({ 'usage-bootstrap-signing': signing })])[0];
    assert.deepEqual(
      ['', 'true', 'false', 'True', 'true ', 'disabled', '2e4d610cf3e7426f'].map((value) => read(value)?.unclear),
      [
        undefined,
        undefined,
        undefined,
        ['usage-bootstrap-signing is "True"'],
        ['usage-bootstrap-signing is "true "'],
        ['usage-bootstrap-signing is "disabled"'],
        ['usage-bootstrap-signing has 16 characters'],
      ],
    );
    const secret = tokenSecret({});
    const deletionTimestamp = '2026-11-22T12:00:00Z';
    assert.equal(read('true')?.deleted, undefined);
    const [deleted] = readTokenSecrets([{ ...secret, metadata: { ...secret.metadata, deletionTimestamp } }]);
    assert.equal(deleted?.deleted, deletionTimestamp);
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

  it('says of each value whether it was left plain, or encoded twice', () => {
    const half = '2e4d610cf3e7426f';
    const values: Readonly<Record<string, readonly [string, string]>> = {
      'token-id': ['07401b', 'x07401b'],
      'token-secret': [half, `${half}0`],
      expiration: ['2027-03-10T03:22:11Z', 'tomorrow'],
      'auth-extra-groups': ['system:bootstrappers:a,system:bootstrappers:b', 'system:bootstrappers:a,x'],
      'usage-bootstrap-signing': ['true', 'yes'],
      'usage-bootstrap-authentication': ['False', 'FALSE'],
    };
    const told = (key: string, raw: string) => {
      const found = readTokenSecrets([tokenSecret({}, { raw: { [key]: raw } })])[0]?.written;
      assert.deepEqual(
        found?.map((one) => one.key),
        [...(found ?? [])].map((one) => one.key).sort(),
      );
      const one = found?.find((written) => written.key === key);
      return [one?.plain, one?.twice];
    };
    for (const [key, [good, bad]] of Object.entries(values)) {
      assert.deepEqual(told(key, base64(good)), [false, false], `${key}, encoded`);
      assert.deepEqual(told(key, good), [true, false], `${key}, plain`);
      assert.deepEqual(told(key, base64(base64(good))), [false, true], `${key}, twice`);
      assert.deepEqual(told(key, bad), [false, false], `${key}, another value`);
      assert.deepEqual(told(key, base64(base64(bad))), [false, false], `${key}, another value twice`);
    }
    for (const usage of ['true', 'false', 'True', 'False'])
      assert.deepEqual(told('usage-bootstrap-signing', usage), [true, false], usage);
    for (const usage of ['TRUE', 'xtrue', 'truex', '1'])
      assert.deepEqual(told('usage-bootstrap-signing', usage), [false, false], usage);
    assert.deepEqual(told('description', base64(base64('true'))), [false, false]);
  });

  it('says who described it, when it was made and what it is called', () => {
    const described = (description: string) => readTokenSecrets([tokenSecret({ description })])[0]?.description;
    assert.equal(described("The default bootstrap token generated by 'kubeadm init'."), 'init');
    assert.equal(described('mine'), 'another');
    assert.equal(described(''), 'none');
    const bare = { apiVersion: 'v1', kind: 'Secret', metadata: {} } as Parameters<typeof readTokenSecrets>[0][number];
    const [read] = readTokenSecrets([bare]);
    assert.deepEqual(
      [read?.subject, read?.name, read?.namespace, read?.type, read?.created, read?.publicId, read?.namedById],
      ['Secret /', '', '', '', '', '', false],
    );
    const short = readTokenSecrets([tokenSecret({ 'token-id': 'abc' })])[0];
    assert.equal(short?.publicId, '');
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
      tokenSecret({}, { name: 'bootstrap-token-aaaaaa' }),
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

  it('leaves out what others write on Secrets of theirs, but for the marks of joinproof', () => {
    const labels = { 'joinproof.io/run': 'a', app: 'x', 'x/joinproof.io/': 'y' };
    const kept = (namespace: string) =>
      tokenSecretIn({ metadata: { name: 'bootstrap-token-abcdef', namespace, labels, annotations: { a: 'b' } } })
        ?.metadata;
    assert.deepEqual(kept('default')?.labels, { 'joinproof.io/run': 'a' });
    assert.equal(kept('default')?.annotations, undefined);
    assert.deepEqual(kept('kube-system')?.labels, labels);
    assert.deepEqual(kept('kube-system')?.annotations, { a: 'b' });
  });

  it('is the beginning of a value that no token has', () => {
    const data = { short: 'x'.repeat(4096), long: 'x'.repeat(4097), none: null };
    const kept = tokenSecretIn({ metadata: { name: 'bootstrap-token-abcdef' }, data })?.data;
    assert.deepEqual(kept, { ...data, long: data.short });
    const much = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, 'x'.repeat(4096)]));
    const most = tokenSecretIn({ metadata: { name: 'bootstrap-token-abcdef' }, data: much })?.data ?? {};
    const lengths = Object.values(most as Readonly<Record<string, string>>).map(({ length }) => length);
    assert.deepEqual(lengths, [...Array.from({ length: 7 }, () => 4096), 4080]);
  });

  it('is bounded, and keeps what every token has', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}`, 'x'.repeat(1_000)]));
    const kept = tokenSecretIn(tokenSecret({ ...many, description: 'x'.repeat(1_000_000) }));
    assert.ok(JSON.stringify(kept).length < 50_000);
    const [read] = readTokenSecrets(kept === undefined ? [] : [kept]);
    assert.deepEqual([read?.id.characters, read?.half.characters, read?.usages.length], [6, 16, 2]);
  });
});
