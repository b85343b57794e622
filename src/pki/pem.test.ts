import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificatesOfPem, encodePem, nextPem, pemBlocks } from './pem.js';

const body = Buffer.from('a body of some length, long enough to need more than one line of base64');

test('a block that was written is read back, and lines have 64 characters', () => {
  const text = encodePem('CERTIFICATE', body);
  assert.ok(text.split('\n').every((line) => line.length <= 64));
  assert.ok(text.endsWith('-----END CERTIFICATE-----\n'));
  const found = nextPem(text);
  assert.deepEqual(found?.block, { label: 'CERTIFICATE', headers: {}, bytes: body });
  assert.equal(found?.rest, '');
});

test('text around blocks is ignored, headers are kept apart, CR LF and blanks at line ends do not matter', () => {
  const block = '-----BEGIN X-----\r\na: b\r\n\r\nQUJD \r\n-----END X-----\r\n';
  const text = `hello\n${block}world\n${encodePem('CERTIFICATE', body)}`;
  assert.deepEqual(
    pemBlocks(text).map(({ label, headers }) => ({ label, headers })),
    [
      { label: 'X', headers: { a: 'b' } },
      { label: 'CERTIFICATE', headers: {} },
    ],
  );
  assert.deepEqual(certificatesOfPem(text), [body]);
  assert.deepEqual(certificatesOfPem(encodePem('CERTIFICATE REQUEST', body)), []);
});

for (const [what, text] of [
  ['no block', 'nothing here'],
  ['no END', '-----BEGIN X-----\nQUJD\n'],
  ['another type at the END', '-----BEGIN X-----\nQUJD\n-----END Y-----\n'],
  ['text before BEGIN on its line', 'a-----BEGIN X-----\nQUJD\n-----END X-----\n'],
  ['text behind END on its line', '-----BEGIN X-----\nQUJD\n-----END X-----a\n'],
  ['another type at the END that has a colon', '-----BEGIN X-----\nQUJD\n-----END a:b'],
  ['headers and no empty line, at an END with a colon', '-----BEGIN X-----\na: b\n-----END X:-----'],
  ['a BEGIN without its dashes', '-----BEGIN X----\nQUJD\n-----END X-----\n'],
  ['padding in the midst', '-----BEGIN X-----\nQU==QUJD\n-----END X-----\n'],
  ['three signs of padding', '-----BEGIN X-----\nQ===\n-----END X-----\n'],
  ['signs of base64url', '-----BEGIN X-----\nQU-_\n-----END X-----\n'],
  ['broken base64', '-----BEGIN X-----\nQUJ\n-----END X-----\n'],
] as const)
  test(`no block is found: ${what}`, () => assert.equal(nextPem(text), undefined));

test('a block may hold nothing, with headers or without', () => {
  for (const [text, headers] of [
    ['-----BEGIN X-----\n-----END X-----', {}],
    ['-----BEGIN X-----\n\n-----END X-----\n', {}],
    ['-----BEGIN X-----\na: b\n\n-----END X-----\n', { a: 'b' }],
  ] as const)
    assert.deepEqual(nextPem(text)?.block, { label: 'X', headers, bytes: Buffer.alloc(0) }, text);
  assert.equal(nextPem('-----BEGIN X-----\na: b\n-----END X-----\n'), undefined);
});

test('a malformed block is passed over for the next good one', () => {
  const text = `-----BEGIN X-----\n!!!\n-----END X-----\n${encodePem('Y', Buffer.from('ok'))}`;
  assert.equal(nextPem(text)?.block.label, 'Y');
});

test('what is left starts behind the line of END, blanks and all', () => {
  const block = '-----BEGIN X-----\nQUJD\n-----END X-----';
  for (const [text, rest] of [
    ['', ''],
    ['\n', ''],
    [' \t', ''],
    [' \t\n', ''],
    ['\r\n', ''],
    ['\nmore', 'more'],
    [' \r\n\nmore\n', '\nmore\n'],
  ] as const)
    assert.equal(nextPem(`${block}${text}`)?.rest, rest, JSON.stringify(text));
});

test('a line of 64 characters is not followed by an empty one', () => {
  for (const [length, lines] of [
    [0, 0],
    [1, 1],
    [48, 1],
    [49, 2],
    [96, 2],
  ] as const)
    assert.equal(encodePem('X', Buffer.alloc(length)).split('\n').length, lines + 3, String(length));
});
