/**
 * Bootstrap token Secrets, read: what the rules judge of them, without what is secret in them. Pure.
 * Source: 001, the Secret of a token; 000, notes on the Secret; cluster-bootstrap, token/api/types.go and
 * util/secrets/secrets.go.
 */
import { type Fields, isRecord, record, text } from '../../kubernetes/json.js';
import {
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
  USAGE_PREFIX,
  USAGE_SIGNING,
} from '../../kubernetes/names.js';
import type { KubeObject, Secret } from '../../kubernetes/objects.js';
import { rememberedText } from '../../kubernetes/remembered.js';
import { readRfc3339 } from '../common/rfc3339.js';
import { conforms } from '../schema.js';

/** Source: cluster-bootstrap, token/api/types.go BootstrapTokenPattern. */
export const TOKEN_ID = /^[a-z0-9]{6}$/;
export const TOKEN_HALF = /^[a-z0-9]{16}$/;
/**
 * One group of another form, and every login with the token is refused. Source: cluster-bootstrap, token/api/types.go
 * BootstrapGroupPattern.
 */
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
export const isTokenGroup = (group: string): boolean => GROUP.test(group);

/** How kubeadm init begins to describe the token that it makes. Source: cmd/kubeadm/app/cmd/init.go newInitOptions. */
const INIT_DESCRIPTION = 'The default bootstrap token generated';

/** How it describes the token that owns kubeadm-certs. Source: cmd/kubeadm/app/phases/copycerts/copycerts.go. */
const CERTIFICATES_DESCRIPTION = 'Proxy for managing TTL for the kubeadm-certs secret';

/** What may be told of a value that may be a secret. */
export interface Looks {
  /** 0: it is empty or absent; nobody tells the two apart. */
  readonly characters: number;
  /** What is in it beside a-z and 0-9: "capitals", "bytes that are no text", '"-"', "U+200F". */
  readonly odd: readonly string[];
}

/** How the value of a key is written. */
export interface Written {
  readonly key: string;
  readonly bytes: number;
  /** It is UTF-8 without control characters but tabs and ends of lines. */
  readonly text: boolean;
  /** Its base64, as it stands, is itself a value that belongs there: somebody has left out the encoding. */
  readonly plain: boolean;
  /** It is itself the base64 of a value that belongs there. */
  readonly twice: boolean;
}

/** A bootstrap token Secret as the rules judge it. */
export interface TokenSecret {
  /** "Secret kube-system/bootstrap-token-07401b" */
  readonly subject: string;
  readonly name: string;
  readonly namespace: string;
  /** '' where it is absent. */
  readonly type: string;
  /** RFC 3339; '' where it is absent. */
  readonly created: string;
  readonly id: Looks;
  /** The token-id where it has the form of one, else ''. */
  readonly publicId: string;
  /** Its name is "bootstrap-token-" and its token-id. */
  readonly namedById: boolean;
  readonly half: Looks;
  /**
   * What does not fit the form of a Secret, where it has not come from an API server: "data.expiration is no base64".
   */
  readonly malformed: readonly string[];
  /** Every key of its data whose value is a string, sorted. */
  readonly written: readonly Written[];
  /** The usages whose value is exactly "true", sorted. */
  readonly usages: readonly string[];
  /** Those that are neither on nor off: 'usage-bootstrap-signing is "yes"', "… has 9 characters"; absent: none. */
  readonly unclear?: readonly string[];
  /** RFC 3339: since when it is being deleted; absent where it is not. */
  readonly deleted?: string;
  /** As it stands; '' where it is absent. */
  readonly expiration: string;
  /** auth-extra-groups as it stands; '' where it is absent. */
  readonly groups: string;
  /**
   * "init": as kubeadm init describes the token that it makes by itself; "certificates": as it describes the one that
   * keeps the time of kubeadm-certs.
   */
  readonly description: 'none' | 'init' | 'certificates' | 'another';
}

export const secretName = (secret: Secret): string =>
  `Secret ${secret.metadata.namespace ?? ''}/${secret.metadata.name ?? ''}`;
/** The decoded value of a key; '' where it is absent: nobody tells the two apart. */
export const decoded = (secret: Secret, key: string): string =>
  Buffer.from(text(record(secret.data)[key]), 'base64').toString('utf8');

const kindOf = (character: string): string => {
  if (/[A-Z]/.test(character)) return 'capitals';
  if (/[\p{Cc}\uFFFD]/u.test(character)) return 'bytes that are no text';
  if (/[ -~]/.test(character)) return `"${character}"`;
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
};

/** One value for all that look like it: ten thousand tokens look like a few. */
const alike = rememberedText((json) => JSON.parse(json) as unknown);
const shared = <T>(value: T): T => alike(JSON.stringify(value)) as T;

const looksOf = (value: string): Looks =>
  shared({
    characters: [...value].length,
    odd: [...new Set([...value.replace(/[a-z0-9]/g, '')].map(kindOf))],
  });

/** Tab, line feed, carriage return. */
const ENDS_AND_TABS = [0x09, 0x0a, 0x0d];
const isText = (value: Buffer): boolean => {
  const text = value.toString('utf8');
  const control = value.some((byte) => (byte < 0x20 && !ENDS_AND_TABS.includes(byte)) || byte === 0x7f);
  return !control && Buffer.from(text, 'utf8').equals(value);
};

/** Whether a value belongs to a key; of the others nobody can tell. */
const fitsKey = (key: string, value: string): boolean => {
  if (key === TOKEN_KEYS.id) return TOKEN_ID.test(value);
  if (key === TOKEN_KEYS.secret) return TOKEN_HALF.test(value);
  if (key === TOKEN_KEYS.expiration) return readRfc3339(value).readable;
  if (key === TOKEN_KEYS.groups) return value.split(',').every(isTokenGroup);
  return key.startsWith(USAGE_PREFIX) && ['true', 'false', 'True', 'False'].includes(value);
};
const plainOf = (encoded: string): string => Buffer.from(encoded, 'base64').toString('utf8');

const writtenIn = (secret: Secret): readonly Written[] =>
  shared(
    Object.entries(record(secret.data))
      .flatMap(([key, raw]) => {
        if (typeof raw !== 'string') return [];
        const value = Buffer.from(raw, 'base64');
        const fits = fitsKey(key, plainOf(raw));
        // a plain text under `data` that happens to be base64 is stored as what it decodes to
        const plain = !fits && fitsKey(key, raw);
        return [
          { key, bytes: value.length, text: isText(value), plain, twice: !fits && fitsKey(key, plainOf(plainOf(raw))) },
        ];
      })
      .sort((a, b) => (a.key < b.key ? -1 : 1)),
  );

const descriptionOf = (text: string): TokenSecret['description'] => {
  if (text === '') return 'none';
  if (text.startsWith(CERTIFICATES_DESCRIPTION)) return 'certificates';
  return text.startsWith(INIT_DESCRIPTION) ? 'init' : 'another';
};

const USAGES = [USAGE_AUTHENTICATION, USAGE_SIGNING];
/** A value of more characters may be a secret that stands in the wrong place. */
const LONGEST_SWITCH = 8;

/** Kubernetes knows "true" alone, and takes the rest for off, however its writer has meant it. */
const unclearIn = (secret: Secret): string[] =>
  USAGES.map((usage) => ({ usage, value: decoded(secret, usage) }))
    .filter(({ value }) => !['', 'true', 'false'].includes(value))
    .map(
      ({ usage, value }) =>
        `${usage} ${value.length > LONGEST_SWITCH ? `has ${value.length} characters` : `is ${JSON.stringify(value)}`}`,
    );

function readTokenSecret(secret: Secret): TokenSecret {
  const [id, half] = [decoded(secret, TOKEN_KEYS.id), decoded(secret, TOKEN_KEYS.secret)];
  const unclear = unclearIn(secret);
  const { deletionTimestamp } = secret.metadata;
  return {
    subject: secretName(secret),
    name: secret.metadata.name ?? '',
    namespace: secret.metadata.namespace ?? '',
    type: secret.type ?? '',
    created: secret.metadata.creationTimestamp ?? '',
    id: looksOf(id),
    publicId: TOKEN_ID.test(id) ? id : '',
    namedById: secret.metadata.name === TOKEN_SECRET_PREFIX + id,
    half: looksOf(half),
    malformed: conforms('token-secret', secret),
    written: writtenIn(secret),
    usages: USAGES.filter((usage) => decoded(secret, usage) === 'true'),
    ...(unclear.length === 0 ? {} : { unclear }),
    ...(deletionTimestamp === undefined ? {} : { deleted: deletionTimestamp }),
    expiration: decoded(secret, TOKEN_KEYS.expiration),
    groups: decoded(secret, TOKEN_KEYS.groups),
    description: descriptionOf(decoded(secret, TOKEN_KEYS.description)),
  };
}

/** What was read of a Secret: many rules look at the same ones. */
const known = new WeakMap<Secret, TokenSecret>();

/** Secrets as they are judged, in their order. */
export const readTokenSecrets = (secrets: readonly Secret[]): TokenSecret[] =>
  secrets.map((secret) => {
    const read = known.get(secret) ?? readTokenSecret(secret);
    known.set(secret, read);
    return read;
  });

/** Characters of one value, and of all of one Secret; a token's are some 300. */
const LONGEST_VALUE = 4 * 1024;
const MOST_CHARACTERS = 32 * 1024;
/** What a token's Secret is made of; other keys are kept while there is room. */
const KEYS: readonly string[] = [...Object.values(TOKEN_KEYS), USAGE_AUTHENTICATION, USAGE_SIGNING];

/** The values of a Secret within MOST_CHARACTERS, in copies: a slice would keep the whole. */
function shortened(data: Fields): Fields {
  let room = MOST_CHARACTERS;
  const entries = Object.entries(data).sort(([a], [b]) => Number(KEYS.includes(b)) - Number(KEYS.includes(a)));
  const kept = entries.flatMap(([key, value]) => {
    room -= key.length;
    if (room <= 0) return [];
    const most = Math.min(room - (room % 4), LONGEST_VALUE);
    const short = typeof value === 'string' && value.length > most ? `${Buffer.from(value.slice(0, most))}` : value;
    room -= typeof short === 'string' ? short.length : 0;
    return [[key, short] as const];
  });
  return Object.fromEntries(kept);
}

/**
 * What rules look at of a Secret that is a token, or is named like one; undefined of any other. Of values that no token
 * has the beginning is kept, and of namespaces where everybody makes Secrets no annotation, so that nobody's Secrets
 * fill the memory.
 */
export function tokenSecretIn(object: KubeObject): Secret | undefined {
  const { type, data, apiVersion, kind, immutable } = object;
  const { name, namespace, creationTimestamp, deletionTimestamp, labels, annotations } = object.metadata;
  if (type !== TOKEN_SECRET_TYPE && text(name).startsWith(TOKEN_SECRET_PREFIX) !== true) return undefined;
  const own = namespace === KUBE_SYSTEM ? { labels, annotations } : { labels: marksIn(labels) };
  const kept = { apiVersion, kind, type, immutable, data: isRecord(data) ? shortened(data) : data };
  const metadata = given({ name, namespace, creationTimestamp, deletionTimestamp, ...own });
  return { ...given(kept), metadata } as Secret;
}

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** What says that joinproof has made an object. */
const marksIn = (labels: unknown): Fields =>
  Object.fromEntries(Object.entries(record(labels)).filter(([key]) => key.startsWith('joinproof.io/')));

/** Those that their names call bootstrap tokens, whatever their type is. */
export const namedLikeTokens = (secrets: readonly Secret[]): Secret[] =>
  secrets.filter((secret) => secret.metadata.name?.startsWith(TOKEN_SECRET_PREFIX) === true);

/** When a token ends: undefined where it never does, -Infinity where its expiration cannot be read. Milliseconds. */
export function endOf(secret: Secret): number | undefined {
  const text = decoded(secret, TOKEN_KEYS.expiration);
  if (text === '') return undefined;
  const read = readRfc3339(text);
  return read.readable ? read.at : Number.NEGATIVE_INFINITY;
}

/**
 * Does the signer have to sign for it? Milliseconds since the epoch.
 * Source: pkg/controller/bootstrap/util.go validateSecretForSigning.
 */
export function mustBeSignedFor(secret: Secret, now: number): boolean {
  const id = decoded(secret, TOKEN_KEYS.id);
  const end = endOf(secret);
  return (
    secret.type === TOKEN_SECRET_TYPE &&
    secret.metadata.namespace === KUBE_SYSTEM &&
    TOKEN_ID.test(id) &&
    secret.metadata.name === TOKEN_SECRET_PREFIX + id &&
    decoded(secret, TOKEN_KEYS.secret) !== '' &&
    decoded(secret, USAGE_SIGNING) === 'true' &&
    (end === undefined || end > now)
  );
}
