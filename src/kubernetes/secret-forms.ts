/** Forms in which a secret may stand in a text, so that whoever reads the text has it. */
import { createHash } from 'node:crypto';
import { unpadded } from './json.js';
import { rememberedText } from './remembered.js';

/** A secret that is so short stands in texts by chance. */
const SHORTEST = 13;
/** Bytes before a text in base64, of which three make one group. */
const ALIGNMENTS = [0, 1, 2] as const;

/** Who lacks so few signs of a secret tries them all. */
const GUESSED = 3;
const mostOf = (secret: string): readonly string[] =>
  secret.length - GUESSED > SHORTEST ? [] : [secret.slice(0, SHORTEST), secret.slice(-SHORTEST)];

/** Of a bootstrap token the half behind the dot, of others all. */
const halfOf = (secret: string): string => secret.split('.')[1] ?? secret;

/** Whether it stands in no text by chance. */
export const isTelling = (secret: string): boolean => halfOf(secret).length >= SHORTEST;

/** What has no secret in it: case, and what stands between letters and digits. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
const reversed = (text: string): string => [...text].reverse().join('');
/** What programs write before each byte in hex: Go and Rust "0x6b", Python "\x6b". */
const BYTE_MARKS = /(?:0|\\)x(?=[0-9a-f]{2}(?![0-9a-f]))/gi;

/** Bytes that a secret is: those of its text, and those that a text in hex stands for. */
function bytesOf(secret: string): readonly Buffer[] {
  const isHex = secret.length >= 2 * SHORTEST && secret.length % 2 === 0 && /^[0-9a-f]+$/i.test(secret);
  return [Buffer.from(secret, 'utf8'), ...(isHex ? [Buffer.from(secret, 'hex')] : [])];
}

const hex = (bytes: Buffer): string => bytes.toString('hex');
/** "[107 51 120]", as Go prints bytes, squeezed. */
const decimal = (bytes: Buffer): string => [...bytes].join('');

const HASHES = ['md5', 'sha1', 'sha256', 'sha512'] as const;

/** By its hash a secret of few signs can be guessed where nobody counts. Source: NIST SP 800-63B, 5.1.1.2. */
const hashesOf = (secret: string): readonly Buffer[] =>
  [...new Set([secret, halfOf(secret)])].flatMap((one) => HASHES.map((hash) => createHash(hash).update(one).digest()));

/** What base64 makes of it wherever it stands in what is encoded: without signs that hold something else as well. */
const encodedIn = (bytes: Buffer): readonly string[] =>
  ALIGNMENTS.map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return whole.slice(Math.ceil((before * 8) / 6), end);
  });

/**
 * Whether a text holds one of these secrets, or nearly all of it: as it is, in any case, with something between its signs, reversed, in hex
 * (and so percent-encoded), byte by byte in decimals, or in base64 of either alphabet, also as a part of something longer; or what
 * a hash makes of it, in hex or base64. Of a bootstrap token the half behind the dot is the secret, and one that is in hex itself
 * is the bytes that it stands for as well.
 */
export const secretReader = (secrets: readonly string[]): ((text: string) => boolean) =>
  readers(JSON.stringify(secrets));

const readers = rememberedText((secrets) => readerOf(JSON.parse(secrets) as readonly string[]));

const holdsAny = (forms: readonly string[], text: string): boolean => forms.some((form) => text.includes(form));

function readerOf(secrets: readonly string[]): (text: string) => boolean {
  const halves = [...new Set(secrets.map(halfOf))].filter((one) => one !== '');
  const long = halves.filter(isTelling);
  const hashes = secrets.filter(isTelling).flatMap(hashesOf);
  const forms = long
    .flatMap((half) => [
      squeezed(half),
      reversed(squeezed(half)),
      ...bytesOf(half).flatMap((bytes) => [hex(bytes), decimal(bytes)]),
      ...mostOf(squeezed(half)),
    ])
    .concat(hashes.map((hash) => hash.toString('hex')))
    .filter(({ length }) => length >= SHORTEST);
  const encoded = [
    ...long.flatMap(bytesOf).flatMap(encodedIn),
    ...hashes.map((hash) => unpadded(hash.toString('base64'))),
  ];
  return (text) => {
    if (holdsAny(halves, text)) return true;
    if (long.length === 0) return false;
    if (holdsAny(forms, squeezed(text))) return true;
    const unmarked = text.replace(BYTE_MARKS, '');
    if (unmarked !== text && holdsAny(forms, squeezed(unmarked))) return true;
    const standard = text.replace(/-/g, '+').replace(/_/g, '/');
    return holdsAny(encoded, standard);
  };
}
