import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoRfc3339 } from './rfc3339.js';
import { tokenDecisions } from './tokens.js';

/** cluster-bootstrap, token/util/helpers_test.go */
const VALID = [
  'abcdef.1234567890123456',
  '123456.aabbccddeeffgghh',
  'abcdef.abcdef0123456789',
  '123456.1234560123456789',
];
const INVALID = [
  '',
  '.',
  '1234567890123456789012',
  '12345.1234567890123456',
  '.1234567890123456',
  '123456.',
  '123456:1234567890.123456',
  'abcdef:1234567890123456',
  'Abcdef.1234567890123456',
  '123456.AABBCCDDEEFFGGHH',
  '123456.AABBCCD-EEFFGGHH',
  'abc*ef.1234567890123456',
  'ABCDEF.abcdef0123456789',
  'abcdef.1234567890123456\n',
  ' abcdef.1234567890123456',
];

test('a token is six and sixteen characters of a-z0-9', () => {
  for (const token of VALID)
    assert.deepEqual(tokenDecisions.parseToken(token), { id: token.slice(0, 6), secret: token.slice(7) });
  for (const token of INVALID) assert.equal(tokenDecisions.parseToken(token), undefined, JSON.stringify(token));
});

test('the Secret of a token is found by concatenation, also of a bad id', () => {
  assert.deepEqual(tokenDecisions.tokenSecretPlace('foo'), { namespace: 'kube-system', name: 'bootstrap-token-foo' });
  assert.deepEqual(tokenDecisions.tokenSecretPlace(''), { namespace: 'kube-system', name: 'bootstrap-token-' });
});

test('groups: one bad element disables all of them', () => {
  const groups = (extra: string) => tokenDecisions.tokenGroups(extra, tokenDecisions.isBootstrapGroup);
  const own = 'system:bootstrappers';
  assert.deepEqual(groups(''), [own]);
  assert.deepEqual(groups(`${own}:foo,${own}:bar,${own}:bar`), [own, `${own}:bar`, `${own}:foo`]);
  for (const good of ['foo', 'foo:bar:baz', 'foo-bar-42', '-x', ':x', 'a'.repeat(256)])
    assert.deepEqual(groups(`${own}:${good}`), [own, `${own}:${good}`]);
  for (const bad of [
    `${own}:Foo`,
    'foo',
    `${own}:`,
    `${own}: `,
    `${own}:*`,
    `${own}:foo:`,
    `${own}:foo-`,
    '<script>',
    'x'.repeat(300),
    own,
    `${own}:a,`,
  ]) {
    assert.equal(groups(bad), undefined, bad);
  }
  assert.equal(groups(`${own}:${'a'.repeat(257)}`), undefined);
  assert.equal(groups(`${own}:a, ${own}:b`), undefined);
});

const BASE = Date.UTC(2026, 10, 20, 10, 30, 0);
const HOUR = 3_600_000;

test('times are read as Go reads RFC 3339: accepted', () => {
  const accepted: readonly (readonly [string, number])[] = [
    ['2026-11-20T10:30:00Z', BASE],
    ['2026-11-20T10:30:00+00:00', BASE],
    ['2026-11-20T10:30:00-00:00', BASE],
    ['2026-11-20T10:30:00+01:00', BASE - HOUR],
    ['2026-11-20T10:30:00-07:30', BASE + 7.5 * HOUR],
    ['2026-11-20T10:30:00+24:00', BASE - 24 * HOUR],
    ['2026-11-20T10:30:00+12:60', BASE - 13 * HOUR],
    ['2026-11-20T10:30:00.5Z', BASE + 500],
    ['2026-11-20T10:30:00,5Z', BASE + 500],
    ['2026-11-20T10:30:00.1234567890123Z', BASE + 123.456789],
    ['2026-11-20T10:30:00.5+02:00', BASE + 500 - 2 * HOUR],
    ['2026-11-20T9:30:00Z', BASE - HOUR],
    ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
    ['0001-01-01T00:00:00Z', -62135596800000],
    ['0000-01-01T00:00:00Z', -62167219200000],
  ];
  for (const [text, at] of accepted) assert.equal(parseGoRfc3339(text), at, text);
});

test('times are read as Go reads RFC 3339: refused', () => {
  const refused = [
    '2026-11-20T10:30:00z',
    '2026-11-20t10:30:00Z',
    '2026-11-20T10:30:00',
    '2026-11-20 10:30:00Z',
    '2026-11-20T10:30:00 Z',
    '2026-11-20T10:30:00 +01:00',
    '2026-11-20T10:30:00UTC',
    '2026-11-20T10:30:00+25:00',
    '2026-11-20T10:30:00+0100',
    '2026-11-20T10:30:00+01',
    '2026-11-20T10:30:00+1:00',
    '2026-11-20T10:30:00.Z',
    '2026-1-20T10:30:00Z',
    '2026-11-20T10:3:00Z',
    '2026-11-20T10:30Z',
    '2026-11-20T10Z',
    '2026-02-29T10:30:00Z',
    '2026-04-31T10:30:00Z',
    '2026-13-01T10:30:00Z',
    '2026-00-01T10:30:00Z',
    '2026-11-00T10:30:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:60:00Z',
    '2026-11-20T10:30:60Z',
    '10000-01-01T00:00:00Z',
    '+2026-11-20T10:30:00Z',
    '2026-11-20',
    '20261120T103000Z',
    '1795170600',
    'never',
    ' 2026-11-20T10:30:00Z',
    '2026-11-20T10:30:00Z\n',
    '"2026-11-20T10:30:00Z"',
  ];
  for (const text of refused) assert.equal(parseGoRfc3339(text), undefined, text);
});

test('expiry: nothing is never, unreadable is expired, the very instant is expired', () => {
  const { readExpiration, isExpired } = tokenDecisions;
  assert.equal(isExpired(readExpiration(''), BASE), false);
  assert.equal(isExpired(readExpiration('tomorrow'), BASE), true);
  assert.equal(isExpired(readExpiration('2026-11-20T10:30:00Z'), BASE), true);
  assert.equal(isExpired(readExpiration('2026-11-20T10:30:00Z'), BASE - 1), false);
});

test('the Authorization header', () => {
  const spaced = 'the provided Authorization header contains extra space before the bearer token, and is ignored';
  const none = { kind: 'none' };
  const token = { kind: 'token', token: 'tok' };
  const table: readonly (readonly [readonly string[], object])[] = [
    [[], none],
    [[''], none],
    [['Basic x'], none],
    [['Bearer'], none],
    [['Bearer '], none],
    [['Bearer: tok'], none],
    [['Bearer\ttok'], none],
    [['Bearer\u00a0tok'], none],
    [['bear tok'], none],
    [['Bearer  tok'], { kind: 'none', warning: spaced }],
    [['Bearer   tok'], { kind: 'none', warning: spaced }],
    [['Bearer tok'], token],
    [['bearer tok'], token],
    [['BEARER tok'], token],
    [[' Bearer tok '], token],
    [['Bearer tok a b'], token],
    [['\tBearer tok\t'], token],
    [['Bearer tok\u00a0'], token],
    [['', 'Bearer tok'], none],
    [['Bearer other', 'Bearer tok'], { kind: 'token', token: 'other' }],
  ];
  for (const [values, expected] of table)
    assert.deepEqual(tokenDecisions.bearerToken(values), expected, JSON.stringify(values));
});
