/** The key that shared certificates are encrypted with, as a text. Source: validation.go ValidateCertificateKey. */

/** Why a text is no hexadecimal, as Go says it; undefined: it is. Source: Go encoding/hex. */
export function hexProblem(text: string): string | undefined {
  const strange = /[^0-9a-fA-F]/u.exec(text)?.[0];
  if (strange !== undefined) return invalidByte(strange);
  return text.length % 2 === 1 ? 'encoding/hex: odd length hex string' : undefined;
}

/** As Go tells of a byte that is no hexadecimal digit: of a longer character it sees the first one. */
function invalidByte(character: string): string {
  const byte = Buffer.from(character).readUInt8();
  const shown = byte < 0x20 || byte === 0x7f ? '' : ` '${String.fromCharCode(byte)}'`;
  return `encoding/hex: invalid byte: U+${byte.toString(16).toUpperCase().padStart(4, '0')}${shown}`;
}

/** Why a text is no certificate key: it is 32 bytes in hex, of either case; '' is none at all. */
export function certificateKeyProblem(key: string): string | undefined {
  if (key === '') return undefined;
  const problem = hexProblem(key);
  if (problem !== undefined) return `certificate key decoding error: ${problem}`;
  return key.length === 64
    ? undefined
    : `invalid certificate key size ${key.length / 2}, the key must be an AES key of size 32`;
}
