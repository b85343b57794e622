import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64ErrorAt } from '../go/base64.js';
import { humanDuration } from '../go/duration.js';
import { canonicalQuantity, parseQuantity } from '../go/quantity.js';
import { goTypeName } from '../go/type-name.js';
import { invalidValue, notSupported, tooLong } from '../machinery/field-errors.js';
import {
  asName,
  configKey,
  dnsLabel,
  dnsSubdomain,
  labelKey,
  labelValue,
  pathSegmentName,
} from '../machinery/name-rules.js';
import { canonicalTime } from './round-trip.js';
import { structNames, structSchema } from './schema.js';
import { selectorText } from './tables.js';

test('base64 is refused where Go refuses it', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['YWJj', undefined],
    ['YW\nJj', undefined],
    ['YWJjZA==\n', undefined],
    ['', undefined],
    ['YW Jj', 2],
    ['YW\tJj', 2],
    ['YWJjZA', 4],
    ['YWJjZA=', 7],
    ['not base64!', 3],
    ['-__-', 0],
    ['YQ==YQ==', 4],
    ['=', 0],
  ];
  for (const [text, at] of cases) assert.equal(base64ErrorAt(text), at, JSON.stringify(text));
});

test('quantities have one canonical text', () => {
  const cases: readonly (readonly [string | number, string])[] = [
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1024Ki', '1Mi'],
    ['1Gi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1500', '1500'],
    ['1000', '1k'],
    [2, '2'],
    ['1e3', '1e3'],
    ['0', '0'],
    ['-5', '-5'],
    ['512', '512'],
    ['100Mi', '100Mi'],
    ['x', 'x'],
  ];
  for (const [given, canonical] of cases) assert.equal(canonicalQuantity(given), canonical, String(given));
  assert.equal(parseQuantity('1 Gi'), undefined);
});

test('names are judged by the rule of their kind', () => {
  assert.deepEqual(dnsSubdomain('a.b-c'), []);
  assert.match(
    dnsSubdomain('A')[0] ?? '',
    /^a lowercase RFC 1123 subdomain must consist of .* \(e\.g\. 'example\.com', regex used/,
  );
  assert.deepEqual(dnsSubdomain('a'.repeat(254)), ['must be no more than 253 characters']);
  assert.deepEqual(dnsLabel('a.b'), ['must not contain dots']);
  assert.deepEqual(asName(dnsSubdomain)('abc-', true), []);
  assert.equal(asName(dnsSubdomain)('abc-', false).length, 1);
  assert.deepEqual(pathSegmentName('system:a b', false), []);
  assert.deepEqual(pathSegmentName('..', false), ["may not be '..'"]);
  assert.deepEqual(pathSegmentName('a/b%', true), ["may not contain '/'", "may not contain '%'"]);
  assert.deepEqual(labelKey('/x'), ['prefix part must be non-empty']);
  assert.deepEqual(labelKey('a'.repeat(64)), ['name part must be no more than 63 bytes']);
  assert.match(labelKey('a/b/c')[0] ?? '', /^a valid label key must consist/);
  assert.deepEqual(labelValue(''), []);
  assert.deepEqual(configKey('..'), ["must not be '..'"]);
});

test('field errors print values as Go does', () => {
  assert.equal(invalidValue('f', 'a"b', 'why').body, 'Invalid value: "a\\"b": why');
  assert.equal(invalidValue('f', 3, 'why').body, 'Invalid value: 3: why');
  assert.equal(invalidValue('f', ['a', '<'], 'why').body, 'Invalid value: ["a","\\u003c"]: why');
  assert.equal(notSupported('f', 'x', ['a', 'b']).body, 'Unsupported value: "x": supported values: "a", "b"');
  assert.equal(tooLong('f', 1).body, 'Too long: may not be more than 1 byte');
});

test('times are kept in UTC, to the second or the microsecond', () => {
  assert.equal(canonicalTime('2026-01-01T02:00:00.9+02:00', false), '2026-01-01T00:00:00Z');
  assert.equal(canonicalTime('2026-01-01T00:00:00.123456Z', true), '2026-01-01T00:00:00.123456Z');
  assert.equal(canonicalTime('soon', false), 'soon');
});

test('ages read like kubectl prints them', () => {
  const cases: readonly (readonly [number, string])[] = [
    [-5, '<invalid>'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [600, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [47 * 3600, '47h'],
    [49 * 3600, '2d1h'],
    [9 * 86400, '9d'],
    [800 * 86400, '2y70d'],
  ];
  for (const [seconds, text] of cases) assert.equal(humanDuration(seconds * 1000), text);
});

test('selectors in cells', () => {
  assert.equal(
    selectorText({ matchLabels: { b: '1' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['y', 'x'] }] }),
    'a in (x,y),b=1',
  );
  assert.equal(selectorText({}), '');
});

test('schemas carry what merges, applies and complaints need', () => {
  const pod = structSchema('core.v1.PodSpec');
  const containers = pod.properties?.containers;
  assert.equal(containers?.patchMergeKey, 'name');
  assert.deepEqual(containers?.mapKeys, ['name']);
  assert.equal(containers === undefined ? '' : goTypeName(containers), '[]v1.Container');
  const secret = structSchema('core.v1.Secret').properties ?? {};
  assert.deepEqual(
    ['data', 'stringData', 'type', 'immutable'].map((field) => goTypeName(secret[field] ?? { type: 'any' })),
    ['map[string][]uint8', 'map[string]string', 'v1.SecretType', 'bool'],
  );
  assert.equal(structSchema('core.v1.NodeStatus').properties?.conditions?.patchMergeKey, 'type');
  assert.throws(() => structSchema('no.v1.Such'), /types.json has no type "no.v1.Such"/);
});

test('no type of the data is unknown', () => {
  for (const name of structNames()) assert.equal(structSchema(name).type, 'object', name);
});
