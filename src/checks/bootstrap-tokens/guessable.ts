/**
 * Tokens that somebody could guess: samples of documents, halves that follow a pattern, halves that another token has,
 * too.
 * Source: 000, SetBootstrapTokensDynamicDefaults ("random value"); cluster-bootstrap, token/util/helpers.go
 * GenerateBootstrapToken.
 *
 * No random half may be blamed: each pattern meets one of 16 random characters less than once in 10^8 times.
 */
import { TOKEN_KEYS } from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { decoded, secretName, TOKEN_HALF } from './token-secrets.js';

/** Secret halves that everybody can read: of the four documents, and of kubeadm's own documentation and tests. */
export const PUBLISHED: readonly string[] = [
  '0123456789abcdef',
  '2e4d610cf3e7426e',
  '3f89s0fje9f38fhf',
  '5ec8455bb76b379f',
  '6b6baab1d4a0a171',
  'aabbccddeeffgghh',
  'abcdef0123456789',
  'c0izixklcxtnmze7',
  'cci2j99rnn8fmv42',
  'f395accd246ae52d',
  'validtokensecret',
  'circumnavigation',
  'z2h5ii9n898tzo36',
];
const WORDS = [
  'bootstrap',
  'changeme',
  'cluster',
  'default',
  'kubeadm',
  'kubernetes',
  'letmein',
  'passw0rd',
  'password',
  'secret',
  'welcome',
];
const KEYBOARD = ['qwertyu', 'asdfghj', '1q2w3e4r', 'zxcvbnm'];

/** Sixteen random characters of 36 are at least this many different ones, but for one case in 10^8. */
const FEW_CHARACTERS = 6;
/** So many of 15 characters are the one before by chance in one case of 10^8. */
const MOST_DOUBLES = 8;
/** So many of 15 characters follow the one before, up or down: by chance in one case of 10^12. */
const MOST_STEPS = 10;
/** Two halves share so many characters at one end by chance in one case of 10^12. */
const SHARED = 8;

const ORDER = '0123456789abcdefghijklmnopqrstuvwxyz';
/** "9" before "0", "z" before "a": series begin again. */
const follows = (one: string, next: string): boolean => {
  const step = ORDER.indexOf(next) - ORDER.indexOf(one);
  return step === 1 || (one === '9' && next === '0') || (one === 'z' && (next === 'a' || next === '0'));
};

function isSeries(half: string): boolean {
  const characters = [...half];
  const steps = (from: readonly string[]): number =>
    from.filter((character, index) => index > 0 && follows(from[index - 1] ?? '', character)).length;
  return Math.max(steps(characters), steps(characters.toReversed())) >= MOST_STEPS;
}

/** Its second half repeats the first, or it is made of shorter pieces. */
const isRepeated = (half: string): boolean =>
  [1, 2, 3, 4, 5, 6, 7, 8].some((length) => half.slice(length) === half.slice(0, -length));

/** "aaaabbbbccccdddd", and what reads the same from its end. */
const isSymmetric = (half: string): boolean =>
  [...half].filter((character, index) => character === half[index - 1]).length >= MOST_DOUBLES ||
  half === [...half].reverse().join('');

/** What a half of 16 characters follows, told without showing it; '' where it looks random. */
export function patternOf(id: string, half: string): string {
  if (!TOKEN_HALF.test(half)) return '';
  if (PUBLISHED.includes(half)) return 'its secret half is one that documentation prints';
  if (new Set(half).size < FEW_CHARACTERS) return 'its secret half repeats a few characters';
  if (isRepeated(half)) return 'its secret half repeats a part of itself';
  if (isSymmetric(half)) return 'its secret half doubles or mirrors its characters';
  if (isSeries(half)) return 'its secret half is a series of characters in their order';
  // one of 10^8: a date, a telephone number
  if (/^\d+$/.test(half)) return 'its secret half is made of digits alone';
  if (id !== '' && [id, [...id].reverse().join('')].some((part) => half.includes(part)))
    return 'its secret half repeats its id';
  if ([...WORDS, ...KEYBOARD].some((word) => half.includes(word))) return 'its secret half holds a word';
  return '';
}

/** A token, and how it could be guessed. */
export interface Guess {
  /** "Secret kube-system/bootstrap-token-07401b" */
  readonly subject: string;
  /** '' where it cannot. */
  readonly how: string;
}

/** Reader. Halves of other lengths than 16 have rules of their own. */
export function readGuesses(secrets: readonly Secret[]): Guess[] {
  const halves = secrets.map((secret) => decoded(secret, TOKEN_KEYS.secret));
  const ends = (half: string): string[] =>
    !TOKEN_HALF.test(half) ? [] : [`${half.slice(0, SHARED)}…`, `…${half.slice(-SHARED)}`];
  const times = new Map<string, number>();
  for (const end of halves.flatMap(ends)) times.set(end, (times.get(end) ?? 0) + 1);
  return secrets.map((secret, index) => {
    const half = halves[index] ?? '';
    const shared = ends(half).some((end) => (times.get(end) ?? 0) > 1);
    const pattern = patternOf(decoded(secret, TOKEN_KEYS.id), half);
    const how = pattern === '' && shared ? 'its secret half, or half of it, is that of another token' : pattern;
    return { subject: secretName(secret), how };
  });
}

/** Whoever guesses begins there. */
export const tokenUnguessed: Check<readonly Guess[]> = {
  id: 'guessable/none',
  source: '000, a random token',
  nothing: 'there is no bootstrap token to look at',
  judge: (guesses) =>
    guesses.map(({ subject, how }) =>
      demand({
        subject,
        demanded: 'is random, and no sample value of a document',
        seen: how === '' ? 'it looks random' : how,
        ok: how === '',
      }),
    ),
};
