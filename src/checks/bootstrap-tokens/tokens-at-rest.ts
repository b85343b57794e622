/**
 * Bootstrap token Secrets at rest, judged one by one.
 * Source: 001, the Secret of a token; 000, notes on the Secret; cluster-bootstrap, token/api/types.go and
 * util/secrets/secrets.go.
 */
import {
  KUBE_SYSTEM,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
  USAGE_PREFIX,
  USAGE_SIGNING,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Look } from '../../model/finding.js';
import { readRfc3339 } from '../common/rfc3339.js';
import { isTokenGroup, type Looks, TOKEN_ID, type TokenSecret } from './token-secrets.js';

const SECRET_OF_A_TOKEN = '001, the Secret of a token; 000, notes on the Secret';
const NOTHING = `there is no Secret of the type ${TOKEN_SECRET_TYPE} to look at`;

type TokenCheck<P = undefined> = Check<readonly TokenSecret[], P>;
type LookAt<P> = (secret: TokenSecret, parameters: P) => Omit<Look, 'subject'> | undefined;

/** One finding for each Secret that has the thing in question. */
const each = <P = undefined>(name: string, look: LookAt<P>, nothing = NOTHING): TokenCheck<P> => ({
  id: `tokens-at-rest/${name}`,
  source: SECRET_OF_A_TOKEN,
  nothing,
  judge: (secrets, parameters) =>
    secrets.flatMap((secret) => {
      const seen = look(secret, parameters);
      return seen === undefined ? [] : [demand({ subject: secret.subject, ...seen })];
    }),
});

const fits = ({ characters, odd }: Looks, wanted: number): boolean => characters === wanted && odd.length === 0;
const shown = ({ characters, odd }: Looks): string => {
  if (characters === 0) return 'it is empty or absent';
  return `${characters} characters${odd.length === 0 ? '' : `, with ${odd.join(', ')}`}`;
};

/** The whole token, id.secret. */
export const tokenForm = each('form', ({ id, half }) => {
  const ok = fits(id, 6) && fits(half, 16);
  return {
    demanded: 'id.secret has 6 and 16 characters of a-z and 0-9',
    seen: ok ? 'it has' : `id: ${shown(id)}; secret: ${shown(half)}`,
    ok,
  };
});

export const tokenIdForm = each('id', ({ id, publicId }) => {
  if (id.characters === 0) return undefined;
  const ok = fits(id, 6);
  return { demanded: 'token-id has 6 characters of a-z and 0-9', seen: ok ? publicId : shown(id), ok };
});

export const tokenHalfForm = each('half', ({ half }) => {
  if (half.characters === 0) return undefined;
  const ok = fits(half, 16);
  return { demanded: 'token-secret has 16 characters of a-z and 0-9', seen: ok ? 'it has' : shown(half), ok };
});

/** A key that must be there and not empty. */
export const keyPresent = each<{ readonly key: string }>('key', ({ written }, { key }) => {
  const ok = written.some((value) => value.key === key && value.bytes > 0);
  const near = written.find(
    (value) => value.key !== key && value.key.replace(/[^a-z]/gi, '').toLowerCase() === key.replace('-', ''),
  );
  const lack = near === undefined ? 'the key is absent or empty' : `it has "${near.key}" instead`;
  return { demanded: `has the key "${key}"`, seen: ok ? 'it has' : lack, ok };
});

/** Takes the Secrets that are named like a token's. */
export const tokenType = each(
  'type',
  ({ type }) => ({
    demanded: `has the type ${TOKEN_SECRET_TYPE}`,
    seen: `type ${type === '' ? 'absent' : type}`,
    ok: type === TOKEN_SECRET_TYPE,
  }),
  `kube-system holds no Secret whose name begins with ${TOKEN_SECRET_PREFIX}`,
);

export const secretNamed = each('name', ({ name }) => ({
  demanded: `is named ${TOKEN_SECRET_PREFIX}<token id>`,
  seen: name,
  ok: name.startsWith(TOKEN_SECRET_PREFIX) && TOKEN_ID.test(name.slice(TOKEN_SECRET_PREFIX.length)),
}));

export const nameHasId = each('name-and-id', ({ namedById, id, publicId }) => ({
  demanded: 'its name ends in its token-id',
  seen: publicId === '' ? `token-id: ${shown(id)}` : `token-id ${publicId}`,
  ok: namedById,
}));

export const inKubeSystem = each('namespace', ({ namespace }) => ({
  demanded: `lies in ${KUBE_SYSTEM}`,
  seen: `namespace ${namespace}`,
  ok: namespace === KUBE_SYSTEM,
}));

export const expirationForm = each(
  'expiration',
  ({ expiration }) => {
    if (expiration === '') return undefined;
    const demanded = 'expiration is an RFC 3339 timestamp';
    const read = readRfc3339(expiration);
    if (!read.readable) return { demanded, seen: `"${expiration}": ${read.because}`, ok: false };
    const notes = [
      ...(read.strict ? [] : ['Kubernetes reads it, though RFC 3339 itself does not allow this form']),
      ...(read.utc ? [] : ['kubeadm writes UTC with the suffix Z']),
    ];
    return { demanded, seen: expiration, ok: true, ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
  },
  'no bootstrap token has an expiration',
);

const letters = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '');
/** The text behind the first place of a word; nothing where it is not there. */
const behind = (word: string, text: string): string => {
  const at = text.indexOf(word);
  return at < 0 ? '' : text.slice(at + word.length);
};

/** Whoever wrote it meant a usage, though he may have missed its prefix, its capitals or its dashes. */
const isMeantAsUsage = (key: string): boolean =>
  letters(key).startsWith(letters(USAGE_PREFIX)) || /sign|authentication|login/.test(behind('usage', letters(key)));

/** Only the two usages exist. Any other key is the writer's own business. */
export const usageKeys = each('usages', ({ written }) => {
  const usages = written.map(({ key }) => key).filter(isMeantAsUsage);
  const wrong = usages.filter((key) => key !== USAGE_SIGNING && key !== USAGE_AUTHENTICATION);
  const why = (key: string): string =>
    key.startsWith(USAGE_PREFIX) ? `"${key}" is no known usage` : `"${key}" is not written as ${USAGE_PREFIX}…`;
  const sound = usages.length === 0 ? 'it has none' : usages.join(', ');
  return {
    demanded: `its usages are ${USAGE_SIGNING} and ${USAGE_AUTHENTICATION}, or fewer`,
    seen: wrong.length > 0 ? wrong.map(why).join('; ') : sound,
    ok: wrong.length === 0,
  };
});

const NO_GROUPS = 'no bootstrap token has auth-extra-groups';

/** The list of groups can be taken apart at its commas. */
export const groupList = each(
  'group-list',
  ({ groups }) => {
    if (groups === '') return undefined;
    const wrong = [
      ...(groups.split(',').includes('') ? ['an item is empty'] : []),
      ...(/[\s;[\]"']/u.test(groups) ? ['it holds a blank, a semicolon, a bracket or a quotation mark'] : []),
    ];
    return {
      demanded: 'auth-extra-groups is a list with commas and without blanks',
      seen: wrong.length === 0 ? groups : `"${groups}": ${wrong.join('; ')}`,
      ok: wrong.length === 0,
    };
  },
  NO_GROUPS,
);

/** Nothing is trimmed: a blank before a group is a part of its name. That no item is empty is the list's business. */
export const groupPrefix = each(
  'group-prefix',
  ({ groups }) => {
    if (groups === '') return undefined;
    const wrong = groups.split(',').filter((item) => item !== '' && !isTokenGroup(item));
    return {
      demanded: 'every extra group begins with "system:bootstrappers:" and goes on in a-z, 0-9, ":" and "-"',
      seen: wrong.length === 0 ? groups : `not so: ${wrong.map((item) => `"${item}"`).join(', ')}`,
      ok: wrong.length === 0,
    };
  },
  NO_GROUPS,
);

export const valuesEncoded = each('encoding', ({ malformed, written }) => {
  const decoding = written.flatMap(({ key, bytes, text, plain, twice }) => {
    if (twice) return [`${key} was encoded twice`];
    if (plain) return [`${key} was written plainly and decodes to ${bytes} bytes that are not it`];
    return text ? [] : [`${key} decodes to bytes that are no text`];
  });
  const wrong = [...malformed, ...decoding];
  return {
    demanded: 'every value is the base64 of its text',
    seen: wrong.length === 0 ? 'all are' : wrong.join('; '),
    ok: wrong.length === 0,
  };
});
