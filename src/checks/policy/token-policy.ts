/**
 * What operators may want of bootstrap tokens beyond the documents.
 * Source: kubernetes.io, bootstrap tokens and kubeadm token; hardening guide, authentication mechanisms; upstream's
 * pkg/controller/bootstrap/tokencleaner.go.
 */
import { createHmac } from 'node:crypto';
import { CLUSTER_INFO_KUBECONFIG, SIGNATURE_KEY_PREFIX, TOKEN_KEYS, USAGE_SIGNING } from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Look } from '../../model/finding.js';
import { PUBLISHED } from '../bootstrap-tokens/guessable.js';
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';
import { readRfc3339 } from '../common/rfc3339.js';

const SOURCE = 'kubernetes.io, bootstrap tokens; hardening guide, authentication mechanisms';
const NOTHING = 'there is no bootstrap token to look at';
const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** Clocks of whoever makes a token and of the API server differ. */
export const SLACK = 10 * MINUTE;

type Seen = Omit<Look, 'subject'>;

/** One finding for each token that `look` says something of. */
const each = <P = undefined>(
  name: string,
  look: (token: TokenSecret, parameters: P) => Seen | undefined,
  nothing = NOTHING,
): Check<readonly TokenSecret[], P> => ({
  id: `token-policy/${name}`,
  source: SOURCE,
  nothing,
  judge: (tokens, parameters) =>
    tokens.flatMap((token) => {
      const seen = look(token, parameters);
      return seen === undefined ? [] : [demand({ subject: token.subject, ...seen })];
    }),
});

/** Milliseconds since the epoch; undefined where there is none, or it cannot be read. */
export const timeOf = (text: string): number | undefined => {
  const read = readRfc3339(text);
  return text !== '' && read.readable ? read.at : undefined;
};
export const span = (milliseconds: number): string => {
  const hours = milliseconds / HOUR;
  if (hours < 2) return `${Math.round(milliseconds / MINUTE)} minutes`;
  return hours < 72 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`;
};

export const tokenEnds = each('ends', ({ expiration }) => ({
  demanded: 'has an expiration',
  seen: expiration === '' ? 'it never ends' : expiration,
  ok: expiration !== '',
}));

/** From its creation to its end. What cannot be read is dead from birth. */
export const tokenLife = each<{ readonly hours: number }>(
  'life',
  ({ created, expiration }, { hours }) => {
    const [from, to] = [timeOf(created), timeOf(expiration)];
    if (from === undefined || to === undefined) return undefined;
    return {
      demanded: `is valid for ${hours} hours at most`,
      seen: `${span(to - from)}`,
      ok: to - from <= hours * HOUR + SLACK,
    };
  },
  'no bootstrap token has an expiration',
);

/** Of one that is valid still: its end may have been put off again and again. */
export const tokenAge = each<{ readonly hours: number; readonly now: number }>(
  'age',
  ({ created, expiration }, { hours, now }) => {
    const [from, to = Number.POSITIVE_INFINITY] = [timeOf(created), timeOf(expiration)];
    if (from === undefined || to <= now) return undefined;
    return {
      demanded: `is replaced when it is ${hours} hours old`,
      seen: `it was made ${span(Math.max(0, now - from))} ago`,
      ok: now - from <= hours * HOUR + SLACK,
    };
  },
  'no bootstrap token is valid',
);

export const tokenCleaned = each<{ readonly minutes: number; readonly now: number }>(
  'cleaned',
  ({ expiration }, { minutes, now }) => {
    const end = timeOf(expiration);
    if (end === undefined) return undefined;
    return {
      demanded: `is deleted within ${minutes} minutes after its end`,
      seen: now <= end ? 'it has not ended' : `it ended ${span(now - end)} ago`,
      ok: now - end <= minutes * MINUTE,
    };
  },
  'no bootstrap token has an expiration',
);

/** Its extra groups are among those that are known. */
export const tokenGroupsKnown = each<{ readonly groups: readonly string[] }>(
  'groups',
  ({ groups }, { groups: known }) => {
    const others = groups.split(',').filter((group) => group !== '' && !known.includes(group));
    return {
      demanded: `carries no group but ${known.length === 0 ? 'that of all tokens' : known.join(', ')}`,
      seen: groups === '' ? 'it carries none' : others.length === 0 ? groups : `it carries ${others.join(', ')}`,
      ok: others.length === 0,
    };
  },
);

/** Something can be done with it; the token that keeps the time of kubeadm-certs is for nothing else. */
export const tokenUsed = each('used', ({ usages, description }) => ({
  demanded: 'is for signing, for authentication or to keep the time of kubeadm-certs',
  seen:
    usages.length > 0
      ? usages.join(', ')
      : description === 'certificates'
        ? 'it keeps the time of kubeadm-certs'
        : 'it has no usage that is "true"',
  ok: usages.length > 0 || description === 'certificates',
}));

/** Whoever writes "True" or "yes" means it, and nobody reads it so. */
export const tokenSwitched = each('switched', ({ unclear = [] }) => ({
  demanded: 'has usages that are "true", "false" or left out',
  seen: unclear.join('; ') || 'it has',
  ok: unclear.length === 0,
}));

/** One that a finalizer keeps logs nobody in, and is signed for all the same. */
export const tokenDeleted = each<{ readonly minutes: number; readonly now: number }>(
  'deleted',
  ({ deleted }, { minutes, now }) => {
    const since = deleted === undefined ? undefined : timeOf(deleted);
    return {
      demanded: `is gone ${minutes} minutes after it was deleted`,
      seen: since === undefined ? 'nobody has deleted it' : `it was deleted ${span(Math.max(0, now - since))} ago`,
      ok: since === undefined || now - since <= minutes * MINUTE,
    };
  },
);

const letters = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '');
/** What people write in place of a key that may be left out, so that nobody misses it. */
const MEANT: readonly { readonly key: string; readonly like: readonly string[] }[] = [
  {
    key: TOKEN_KEYS.expiration,
    like: [
      'expiration',
      'expirations',
      'expire',
      'expires',
      'expiresat',
      'expiry',
      'expirationtime',
      'ttl',
      'validuntil',
    ],
  },
  {
    key: TOKEN_KEYS.groups,
    like: ['authextragroups', 'authextragroup', 'authgroups', 'extragroups', 'authenticationextragroups', 'groups'],
  },
];

/** An end or a group that stands under another key is none. */
export const tokenSpelt = each('spelt', ({ written }) => {
  const keys = written.map(({ key }) => key);
  const wrong = MEANT.flatMap(({ key, like }) =>
    keys.filter((one) => one !== key && like.includes(letters(one))).map((one) => `"${one}" is not "${key}"`),
  );
  return {
    demanded: `has its end and its groups under "${TOKEN_KEYS.expiration}" and "${TOKEN_KEYS.groups}"`,
    seen: wrong.join('; ') || 'no other key looks like them',
    ok: wrong.length === 0,
  };
});

/** Who signs signs something that machines without a credential may read. */
export const tokenSignsPublicly = each<{ readonly open: boolean }>(
  'signs',
  ({ usages }, { open }) => {
    if (!usages.includes(USAGE_SIGNING)) return undefined;
    return {
      demanded: 'signs a cluster-info that strangers may read',
      seen: open ? 'they may read it' : 'strangers may not read cluster-info, or it is not there',
      ok: open,
    };
  },
  'no bootstrap token is for signing',
);

/** A signature of cluster-info, and whether anybody who reads it can make its key. */
export interface PublicSignature {
  /** "the signature for the token 07401b" */
  readonly subject: string;
  readonly guessed: boolean;
}

/** Tried with what is published; of more signatures the first. */
const MOST = 1_000;

/** Reader: what a stranger finds out from cluster-info alone. */
export function readPublicSignatures({ data = {} }: ConfigMap): PublicSignature[] {
  const payload = Buffer.from(data[CLUSTER_INFO_KUBECONFIG] ?? '').toString('base64url');
  return Object.keys(data)
    .filter((key) => key.startsWith(SIGNATURE_KEY_PREFIX))
    .sort()
    .slice(0, MOST)
    .map((key) => {
      const [header = '', , mac = ''] = (data[key] ?? '').split('.');
      const guessed = PUBLISHED.some(
        (half) => createHmac('sha256', half).update(`${header}.${payload}`).digest('base64url') === mac,
      );
      return { subject: `the signature for the token ${key.slice(SIGNATURE_KEY_PREFIX.length)}`, guessed };
    });
}

export const signatureUnguessed: Check<readonly PublicSignature[]> = {
  id: 'token-policy/signature-unguessed',
  source: '001, ConfigMap signing: the key is the secret half of the token',
  nothing: 'cluster-info holds no signature',
  judge: (signatures) =>
    signatures.map(({ subject, guessed }) =>
      demand({
        subject,
        demanded: 'is made with a secret half that no documentation prints',
        seen: guessed ? 'its secret half is one that documentation prints' : 'it is of another one',
        ok: !guessed,
      }),
    ),
};
