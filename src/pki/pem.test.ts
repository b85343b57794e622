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
