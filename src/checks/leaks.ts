/**
 * Does an object that others may read show the secret half of a token?
 * Source: 001, the parts of a token; 002, upload-config.
 */
import { TOKEN_KEYS } from '../kubernetes/names.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { control, refusal } from '../model/finding.js';
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
/** kubectl keeps here what was applied: the Secret itself once more, for those who may read the Secret. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Values of a token that are told elsewhere: in lists of tokens, in names of users, in audit logs. */
const TOLD = [TOKEN_KEYS.id, TOKEN_KEYS.description, TOKEN_KEYS.expiration, TOKEN_KEYS.groups];

/**
 * The half as it may stand in a text: plain, or inside the base64 of something longer, at each of the three
 * alignments.
 */
function spellings(half: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.from(' '.repeat(before) + half).toString('base64');
    // the first characters depend on what stands before, the last ones on what follows
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -1);
  });
  return [half, ...shifted];
}

type Text = readonly [path: string, text: string];

const below = (path: string, key: string): string => {
  if (!/^[A-Za-z0-9_-]+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
};

/** Every text of a value with its path; names of fields are texts as well. */
function textsIn(value: unknown, path: string): Text[] {
  if (typeof value === 'string') return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [[path, key] as const, ...textsIn(item, below(path, key))]);
}

/** A certificate request wraps what it says: DER in PEM, and that in base64 once more. */
function insideOf({ spec }: KubeObject): Text[] {
  if (typeof spec !== 'object' || spec === null || !('request' in spec) || typeof spec.request !== 'string') return [];
  const body = Buffer.from(spec.request, 'base64')
    .toString('latin1')
    .replace(/-----[^-]*-----/g, '');
  return [['', Buffer.from(body, 'base64').toString('latin1')]];
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind ?? 'an object'} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;

/** What a token's own Secret tells others: its metadata, and the values that are printed. */
function toldBy(secret: Secret): Text[] {
  const { annotations = {}, ...metadata } = secret.metadata;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return [
    ...textsIn({ ...metadata, annotations: others }, 'metadata'),
    ...TOLD.map((key): Text => [`data.${key}`, decoded(secret, key)]),
  ];
}

/**
 * Searches objects (with their kinds, as they were listed) for the secret halves of tokens, and each token's own
 * Secret for its own.
 */
export function searchLeaks(secrets: readonly Secret[], objects: readonly KubeObject[]): LeakSearch {
  const searched = objects.map((object) => {
    const texts = [...textsIn(object, ''), ...insideOf(object)];
    return { object: nameOf(object), texts, whole: texts.map(([, text]) => text).join('\n') };
  });
  const tokens = secrets.flatMap((secret) => {
    const half = decoded(secret, TOKEN_KEYS.secret);
    if (half.length < SHORTEST) return [];
    const words = spellings(half);
    const shows = (text: string): boolean => words.some((word) => text.includes(word));
    const own = { object: secretName(secret), texts: toldBy(secret) };
    const found = [...searched.filter(({ whole }) => shows(whole)), own].flatMap(({ object, texts }) =>
      texts.filter(([, text]) => shows(text)).map(([path]) => ({ object, path })),
    );
    return [{ subject: secretName(secret), found }];
  });
  return { searched: objects.length, tokens };
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
