/** Forms in which a secret may stand in a text, so that whoever reads the text has it. */
import { base64 } from './json.js';

/** A secret that is so short stands in texts by chance. */
const SHORTEST = 13;
/** Bytes before a text in base64, of which three make one group. */
const ALIGNMENTS = [0, 1, 2] as const;

/** Of a bootstrap token the half behind the dot, of others all. */
const halfOf = (secret: string): string => secret.split('.')[1] ?? secret;

/** Whether it stands in no text by chance. */
export const isTelling = (secret: string): boolean => halfOf(secret).length >= SHORTEST;

/** What has no secret in it: case, and what stands between letters and digits. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
const reversed = (text: string): string => [...text].reverse().join('');
const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** What base64 makes of it wherever it stands in what is encoded: without signs that hold something else as well. */
const encodedIn = (secret: string): readonly string[] =>
  ALIGNMENTS.map((before) => {
    const whole = base64(`${'\0'.repeat(before)}${secret}`);
    const end = Math.floor(((before + secret.length) * 8) / 6);
    return whole.slice(Math.ceil((before * 8) / 6), end);
  });

/**
 * Whether a text holds one of these secrets: as it is, in any case, with something between its signs, reversed, in hex
 * (and so percent-encoded), or in base64 of either alphabet, also as a part of something longer. Of a bootstrap token
 * the half behind the dot is the secret.
 */
export function secretReader(secrets: readonly string[]): (text: string) => boolean {
  const halves = [...new Set(secrets.map(halfOf))].filter((one) => one !== '');
  const long = halves.filter(isTelling);
  const forms = long
    .flatMap((half) => [squeezed(half), reversed(squeezed(half)), hex(half)])
    .filter(({ length }) => length >= SHORTEST);
  const encoded = long.flatMap(encodedIn);
  return (text) => {
    if (halves.some((half) => text.includes(half))) return true;
    if (long.length === 0) return false;
    const plain = squeezed(text);
    if (forms.some((form) => plain.includes(form))) return true;
    const standard = text.replace(/-/g, '+').replace(/_/g, '/');
    return encoded.some((form) => standard.includes(form));
  };
}
