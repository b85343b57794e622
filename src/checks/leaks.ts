/**
 * Does an object that others may read show the secret half of a token?
 * Source: 001, the parts of a token; 002, upload-config.
 */
import { record, unpadded } from '../kubernetes/json.js';
import { TOKEN_KEYS } from '../kubernetes/names.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { control, refusal } from '../model/finding.js';
import { LONGEST_WORD, Words } from '../model/words.js';
import { decoded, secretName } from './token-secrets.js';

/** Where a secret half stands that should stand nowhere. */
export interface Place {
  /** "ConfigMap default/how-to-join" */
  readonly object: string;
  /** "data.command"; '' where it is wrapped inside a certificate request. */
  readonly path: string;
}

export interface LeakSearch {
  /** How many objects were searched. */
  readonly searched: number;
  readonly tokens: readonly { readonly subject: string; readonly found: readonly Place[] }[];
}

/** A very short half would be found by chance. */
const SHORTEST = 8;
/** Places that are told of one half. */
const MOST_PLACES = 20;
/** kubectl keeps here what was applied: the Secret itself once more, for those who may read the Secret. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Values of a token that are told elsewhere: in lists of tokens, in names of users, in audit logs. */
const TOLD = [TOKEN_KEYS.id, TOKEN_KEYS.description, TOKEN_KEYS.expiration, TOKEN_KEYS.groups];

/**
 * The half as it may stand in a text: plain, or inside the base64 of something longer, at each of the three
 * alignments. Of a long one, which no token has, the beginning.
 */
function spellings(half: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.from(' '.repeat(before) + half).toString('base64');
    // the first characters depend on what stands before, the last ones on what follows
    return unpadded(text).slice(before === 0 ? 0 : before + 1, -1);
  });
  return [half, ...shifted].map((word) => word.slice(0, LONGEST_WORD));
}

const below = (path: string, key: string): string => {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
};

type Look = (path: string, text: string) => void;

/** Shows every text of a value with its path; names of fields are texts as well. */
function eachText(value: unknown, path: string, look: Look): void {
  if (typeof value === 'string') look(path, value);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) eachText(item, `${path}[${index}]`, look);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      look(path, key);
      eachText(item, below(path, key), look);
    }
}

/** A certificate request wraps what it says: DER in PEM, and that in base64 once more. */
function eachInside({ spec }: KubeObject, look: Look): void {
  const { request } = record(spec);
  if (typeof request !== 'string') return;
  const body = Buffer.from(request, 'base64')
    .toString('latin1')
    .replace(/-----[^-]*-----/g, '');
  look('', Buffer.from(body, 'base64').toString('latin1'));
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind ?? 'an object'} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;

/** What a token's own Secret tells others: its metadata, and the values that are printed. */
function eachToldBy(secret: Secret, look: Look): void {
  const { annotations = {}, ...metadata } = secret.metadata;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  eachText({ ...metadata, annotations: others }, 'metadata', look);
  for (const key of TOLD) look(`data.${key}`, decoded(secret, key));
}

/**
 * Searches objects for the secret halves of tokens as they pass by, in one look at each, however many tokens there
 * are; and each token's own Secret for its own.
 */
export class LeakHunt {
  readonly #secrets: readonly Secret[];
  readonly #words = new Words();
  /** Where a word stands, the first places of each. */
  readonly #places = new Map<string, Map<string, Place>>();

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets.filter((secret) => decoded(secret, TOKEN_KEYS.secret).length >= SHORTEST);
    for (const secret of this.#secrets) for (const word of this.#wordsOf(secret)) this.#words.add(word);
  }

  #wordsOf = (secret: Secret): string[] => spellings(decoded(secret, TOKEN_KEYS.secret));

  /** An object as it was listed, and its kind. To look at one twice is to look at it once. */
  look(object: KubeObject, kind: string): true {
    const name = nameOf({ ...object, kind });
    const look: Look = (path, text) =>
      this.#words.each(text, (at, words) => {
        for (const word of words) this.#found(word, { object: name, path });
        return at + 1;
      });
    eachText(object, '', look);
    eachInside(object, look);
    return true;
  }

  #found(word: string, place: Place): void {
    const places = this.#places.get(word) ?? new Map<string, Place>();
    this.#places.set(word, places);
    if (places.size < MOST_PLACES) places.set(shown(place), place);
  }

  /** What was found among `searched` objects. */
  search(searched: number): LeakSearch {
    const tokens = this.#secrets.map((secret) => {
      const own = new Set(this.#wordsOf(secret));
      const subject = secretName(secret);
      const found = new Map([...own].flatMap((word) => [...(this.#places.get(word) ?? [])]));
      eachToldBy(secret, (path, text) =>
        this.#words.each(text, (at, words) => {
          const place = { object: subject, path };
          if (words.some((word) => own.has(word))) found.set(shown(place), place);
          return at + 1;
        }),
      );
      return { subject, found: [...found.values()] };
    });
    return { searched, tokens };
  }
}

const shown = ({ object, path }: Place): string => (path === '' ? object : `${object} (${path})`);

/** No secret half stands elsewhere, and there was something to search. */
export const noLeaks: Check<LeakSearch> = {
  id: 'leaks/none',
  source: '001, the parts of a token; 002, upload-config',
  nothing: 'there is no bootstrap token with a secret half',
  judge: ({ searched, tokens }) => {
    if (tokens.length === 0) return [];
    const kinds = 'ConfigMaps, certificate requests, Events and Nodes';
    return [
      control({ subject: kinds, demanded: 'can be listed', seen: `${searched} of them`, ok: searched > 0 }),
      ...tokens.map(({ subject, found }) =>
        refusal({
          subject,
          demanded: 'its secret half stands in no object that others read',
          seen:
            found.length === 0
              ? `not in ${searched} ${kinds}`
              : `it stands in ${[...new Set(found.map(shown))].join(', ')}`,
          ok: found.length === 0,
        }),
      ),
    ];
  },
};
