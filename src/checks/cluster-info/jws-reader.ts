/**
 * Reads the signatures of cluster-info into facts that a report may hold: what each is made of and whose secret half
 * verifies it, never the secret half itself. The HMAC key of real clusters is the secret half of the token; document
 * 001 says the whole token, which is an erratum (kubernetes/website, pull request 56479). Every signature is tried with
 * both, and with what implementers confuse, so that a report says what a wrong one was made of.
 * Source: 001, ConfigMap signing; RFC 7515, 5.2 and appendix F; cluster-bootstrap, token/jws/jws.go
 * DetachedTokenIsValid (compares strings).
 */
import { createHmac } from 'node:crypto';
import { compactVerify } from 'jose';
import { unpadded } from '../../kubernetes/json.js';
import { CLUSTER_INFO_KUBECONFIG, SIGNATURE_KEY_PREFIX } from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';

/** A token of which the secret half is known. */
export interface KnownToken {
  readonly id: string;
  readonly half: string;
}

/** What a value looks like; anything but `detached` is no detached compact JWS. */
export type Shape = 'detached' | 'empty' | 'json' | 'dots' | 'attached' | 'halved' | 'encoding';

/** The protected header of a signature. */
export interface HeaderFacts {
  /** As the header has it; null where it has none. */
  readonly alg: unknown;
  /** `more`: text with a dot, which may be the whole token. */
  readonly kid: 'id' | 'absent' | 'more' | 'another';
  /** Names, sorted. */
  readonly members: readonly string[];
  /** Encoded byte for byte as clients compute it. */
  readonly exact: boolean;
}

/** What an HMAC was made of, in words. */
export interface Recipe {
  readonly key: string;
  readonly payload: string;
  readonly form: string;
}

/** What clients compute. */
export const RIGHT: Recipe = {
  key: 'the secret half',
  payload: 'the exact bytes in base64url',
  form: '<header>.<payload>',
};

/** One signature. */
export interface SignatureFacts {
  /** Data key in cluster-info. */
  readonly key: string;
  /** The rest of the key behind the prefix. */
  readonly id: string;
  readonly shape: Shape;
  readonly dots: number;
  /** null where it is no JSON object. */
  readonly header: HeaderFacts | null;
  readonly mac: {
    readonly characters: number;
    /** base64url: of 32 bytes, without padding, as clients write it. */
    readonly form: 'base64url' | 'padded' | 'hexadecimal' | 'another';
  };
  /** Tried with the token of that id; null where it is not known, or where there is no text that could be signed. */
  readonly own: {
    /** A joining machine with this token takes it. */
    readonly verifies: boolean;
    /** null: nothing known gives this signature. */
    readonly recipe: Recipe | null;
  } | null;
  /** Ids of other known tokens whose secret half verifies it. */
  readonly others: readonly string[];
}

/** cluster-info, as far as it is about signing. */
export interface Signatures {
  /** It holds a text that can be signed. */
  readonly text: boolean;
  /** Ids of the known tokens. */
  readonly tokens: readonly string[];
  /** By key. */
  readonly signatures: readonly SignatureFacts[];
}

interface Signature {
  readonly key: string;
  readonly id: string;
  readonly value: string;
}

const signaturesIn = (clusterInfo: ConfigMap): Signature[] =>
  Object.entries(clusterInfo.data ?? {})
    .filter(([key]) => key.startsWith(SIGNATURE_KEY_PREFIX))
    .map(([key, value]) => ({ key, value, id: key.slice(SIGNATURE_KEY_PREFIX.length) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/** Keys of data under which signatures are published, sorted. */
export const signatureKeysIn = (map: ConfigMap): readonly string[] => signaturesIn(map).map(({ key }) => key);

/**
 * What one reader is given has signatures where another's has, and none that is another there. A signer may be at work
 * between two readings, so that one has a key that the other has not.
 */
export const isSignedAlike = (given: ConfigMap, own: ConfigMap): boolean =>
  (signaturesIn(given).length > 0 || signaturesIn(own).length === 0) &&
  signaturesIn(given).every(({ key, value }) => (own.data?.[key] ?? value) === value);

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const HEX = /^[0-9a-f]{64}$/;

function shapeOf(value: string): Shape {
  if (value === '') return 'empty';
  if (value.trimStart().startsWith('{')) return 'json';
  const parts = value.split('.');
  if (parts.length !== 3) return 'dots';
  const [header = '', payload = '', mac = ''] = parts;
  if (payload !== '') return 'attached';
  if (header === '' || mac === '') return 'halved';
  return BASE64URL.test(header) && BASE64URL.test(unpadded(mac)) ? 'detached' : 'encoding';
}

function headerOf({ id, value }: Signature): HeaderFacts | null {
  const [encoded = ''] = value.split('.');
  const text = Buffer.from(encoded, 'base64url').toString('utf8');
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) return null;
  const { alg = null, kid }: { readonly alg?: unknown; readonly kid?: unknown } = header;
  const more = typeof kid === 'string' && kid.includes('.');
  return {
    alg,
    kid: kid === id ? 'id' : kid === undefined ? 'absent' : more ? 'more' : 'another',
    members: Object.keys(header).sort(),
    exact: encoded === Buffer.from(`{"alg":"HS256","kid":"${id}"}`).toString('base64url'),
  };
}

const macOf = (value: string): string => value.split('.')[2] ?? '';

/** Of 32 bytes the last character stands for four bits: the other two are zero in what clients compute. */
const CANONICAL = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function formOf(mac: string): SignatureFacts['mac']['form'] {
  if (CANONICAL.test(mac)) return 'base64url';
  if (mac.endsWith('=')) return 'padded';
  return HEX.test(mac) ? 'hexadecimal' : 'another';
}

type Looks = Omit<SignatureFacts, 'own' | 'others'>;

const looksOf = (signature: Signature): Looks => ({
  key: signature.key,
  id: signature.id,
  shape: shapeOf(signature.value),
  dots: signature.value.split('.').length - 1,
  header: headerOf(signature),
  mac: { characters: macOf(signature.value).length, form: formOf(macOf(signature.value)) },
});

function keysOf({ id, half }: KnownToken): Record<string, Buffer> {
  return {
    [RIGHT.key]: Buffer.from(half, 'utf8'),
    'the whole token, as document 001 says': Buffer.from(`${id}.${half}`, 'utf8'),
    'the token id, which is public': Buffer.from(id, 'utf8'),
    'the base64 text of the secret half': Buffer.from(Buffer.from(half, 'utf8').toString('base64'), 'utf8'),
    'an empty key': Buffer.alloc(0),
  };
}

function payloadsOf(text: string): Record<string, string> {
  const bytes = Buffer.from(text, 'utf8');
  return {
    [RIGHT.payload]: bytes.toString('base64url'),
    'standard base64 with padding': bytes.toString('base64'),
    'standard base64 without padding': unpadded(bytes.toString('base64')),
    'the trimmed text': Buffer.from(text.trim(), 'utf8').toString('base64url'),
    'the text without its last newline': Buffer.from(text.replace(/\n$/, ''), 'utf8').toString('base64url'),
    'an empty text': '',
  };
}

/** The text that is signed, and what may have been taken for its payload. */
interface Signed {
  readonly text: string;
  readonly payloads: Readonly<Record<string, string>>;
}

/** Of one cluster-info: half a second. */
const MOST_TRIES = 10_000;

const HASHES: Readonly<Record<string, string>> = { HS384: 'sha384', HS512: 'sha512' };

/** Which key, payload and form give this signature over the text; null where none that is known does. */
function recipeOf({ value }: Signature, header: HeaderFacts | null, signed: Signed, token: KnownToken): Recipe | null {
  const { text, payloads: encodings } = signed;
  const [head = ''] = value.split('.');
  const mac = macOf(value);
  const wanted = Buffer.from(unpadded(mac), HEX.test(mac) ? 'hex' : 'base64url');
  if (wanted.length < 16) return null;
  const hash = HASHES[String(header?.alg)] ?? 'sha256';
  const payloads = Object.entries(encodings);
  const forms = Object.entries({
    'the raw text alone': text,
    '<header>..': `${head}..`,
    '<header>.<raw text>': `${head}.${text}`,
    'the encoded payload alone': encodings[RIGHT.payload] ?? '',
  });
  for (const [key, bytes] of Object.entries(keysOf(token))) {
    const made = (over: string): boolean => createHmac(hash, bytes).update(over).digest().equals(wanted);
    const payload = payloads.find(([, encoded]) => made(`${head}.${encoded}`));
    if (payload !== undefined) return { key, payload: payload[0], form: RIGHT.form };
    const form = forms.find(([, over]) => made(over));
    if (form !== undefined) return { key, payload: RIGHT.payload, form: form[0] };
  }
  return null;
}

/**
 * Would a joining machine that has this id and half take it? Its looks come first: libraries forgive what Kubernetes
 * does not.
 */
async function verifies({ value }: Signature, looks: Looks, signed: Signed, half: string): Promise<boolean> {
  const { shape, mac, header } = looks;
  if (shape !== 'detached' || mac.form !== 'base64url' || header?.exact !== true || half === '') return false;
  const payload = signed.payloads[RIGHT.payload] ?? '';
  const whole = `${value.split('.')[0] ?? ''}.${payload}.${macOf(value)}`;
  try {
    await compactVerify(whole, Buffer.from(half, 'utf8'), { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

/** What is tried with a signature. */
interface Trial {
  readonly signed: Signed | undefined;
  readonly byId: ReadonlyMap<string, KnownToken>;
  /** Their halves, each with one id. */
  readonly byHalf: ReadonlyMap<string, string>;
  /** Tries with tokens of others that are left. */
  tries: number;
}

/**
 * One signature fits one secret half: where its own fits no other needs a try. Whose half a wrong signature is made
 * with is looked up for the first of them only, since that may take a try with every token.
 */
async function factsOf(signature: Signature, trial: Trial): Promise<SignatureFacts> {
  const looks = looksOf(signature);
  const { signed, byId, byHalf } = trial;
  const token = byId.get(signature.id);
  if (token === undefined || signed === undefined) return { ...looks, own: null, others: [] };
  const own = {
    verifies: await verifies(signature, looks, signed, token.half),
    recipe: recipeOf(signature, looks.header, signed, token),
  };
  const others: string[] = [];
  if (!own.verifies)
    for (const [half, id] of byHalf) {
      if (trial.tries <= 0) break;
      trial.tries -= 1;
      if (half !== token.half && (await verifies(signature, looks, signed, half))) others.push(id);
    }
  return { ...looks, own, others };
}

/** Every signature of cluster-info, tried with the tokens that are known. */
export async function readSignatures(clusterInfo: ConfigMap, tokens: readonly KnownToken[]): Promise<Signatures> {
  const text = clusterInfo.data?.[CLUSTER_INFO_KUBECONFIG];
  const trial: Trial = {
    signed: text === undefined ? undefined : { text, payloads: payloadsOf(text) },
    byId: new Map(tokens.map((token) => [token.id, token])),
    byHalf: new Map(tokens.map(({ id, half }) => [half, id])),
    tries: MOST_TRIES,
  };
  const signatures: SignatureFacts[] = [];
  for (const signature of signaturesIn(clusterInfo)) signatures.push(await factsOf(signature, trial));
  return { text: text !== undefined, tokens: tokens.map(({ id }) => id), signatures };
}

/** The same of one token, without the signatures of others. */
export function readSignatureFor(clusterInfo: ConfigMap, token: KnownToken): Promise<Signatures> {
  const key = SIGNATURE_KEY_PREFIX + token.id;
  const kept = Object.entries(clusterInfo.data ?? {}).filter(
    ([name]) => name === key || !name.startsWith(SIGNATURE_KEY_PREFIX),
  );
  return readSignatures({ ...clusterInfo, data: Object.fromEntries(kept) }, [token]);
}
