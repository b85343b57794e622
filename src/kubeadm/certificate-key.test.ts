import assert from 'node:assert/strict';
import { it } from 'node:test';
import { certificateKeyProblem, hexProblem } from './certificate-key.js';

it('a certificate key is 32 bytes in hex, of either case, or none at all', () => {
  for (const key of ['', 'a'.repeat(64), 'A'.repeat(64), '0123456789abcdefABCDEF'.padEnd(64, '0')])
    assert.equal(certificateKeyProblem(key), undefined, key);
  for (const [digits, bytes] of [
    [2, 1],
    [62, 31],
    [66, 33],
    [128, 64],
  ] as const)
    assert.equal(
      certificateKeyProblem('a'.repeat(digits)),
      `invalid certificate key size ${bytes}, the key must be an AES key of size 32`,
    );
  assert.equal(
    certificateKeyProblem('a'.repeat(63)),
    'certificate key decoding error: encoding/hex: odd length hex string',
  );
});

it('what is no hexadecimal is told as Go tells it, by the first character that is none', () => {
  assert.equal(hexProblem('0aG'), "encoding/hex: invalid byte: U+0047 'G'");
  assert.equal(hexProblem('ab cz'), "encoding/hex: invalid byte: U+0020 ' '");
  assert.equal(hexProblem('@ab'), "encoding/hex: invalid byte: U+0040 '@'");
  // a key in four bytes, of which the first is looked at; a line's end and Delete, which nobody can show
  assert.equal(hexProblem('ab\u{1f511}'), "encoding/hex: invalid byte: U+00F0 '\u00f0'");
  assert.equal(hexProblem('ab\n'), 'encoding/hex: invalid byte: U+000A');
  assert.equal(hexProblem('ab\u001f'), 'encoding/hex: invalid byte: U+001F');
  assert.equal(hexProblem('ab\u007f'), 'encoding/hex: invalid byte: U+007F');
  assert.equal(hexProblem('ab~'), "encoding/hex: invalid byte: U+007E '~'");
  assert.equal(hexProblem('abc'), 'encoding/hex: odd length hex string');
  assert.equal(hexProblem('abCD'), undefined);
});
