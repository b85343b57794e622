/**
 * The signatures of cluster-info. Pure. The HMAC key of real clusters is the secret half of the token; document 001 says the whole token, which
 * is an erratum (kubernetes/website, pull request 56479). Every signature is tried with both, and with what implementers confuse, so that a
 * report says what a wrong one was made of.
 * Source: 001, ConfigMap signing; RFC 7515, 5.2 and appendix F; cluster-bootstrap, token/jws/jws.go DetachedTokenIsValid (compares strings).
 */
import { createHmac } from 'node:crypto';
import { compactVerify } from 'jose';
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC, SIGNATURE_KEY_PREFIX } from '../kubernetes/names.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import type { Evidence } from '../model/evidence.js';

export interface Signature {
  /** Suffix of the data key. */
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

/** A token of which the secret half is known. */
export interface KnownToken {
  readonly id: string;
  readonly half: string;
}

export const signaturesOf = (clusterInfo: ConfigMap): Signature[] =>
  Object.entries(clusterInfo.data ?? {})
    .filter(([key]) => key.startsWith(SIGNATURE_KEY_PREFIX))
    .map(([key, value]) => ({ key, value, id: key.slice(SIGNATURE_KEY_PREFIX.length) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

const objectOf = ({ key }: Pick<Signature, 'key'>): string => `ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}, key ${key}`;
const partsOf = ({ value }: Signature): string[] => value.split('.');

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Header, nothing, signature: detached and compact. */
export function judgeShape(signature: Signature): Evidence {
  const parts = partsOf(signature);
  const wrong =
    signature.value === ''
      ? 'it is empty'
      : signature.value.trimStart().startsWith('{')
        ? 'it is JSON'
        : parts.length !== 3
          ? `${parts.length - 1} dots`
          : parts[1] !== ''
            ? 'the payload stands between the dots'
            : parts[0] === '' || parts[2] === ''
              ? 'an outer part is empty'
              : [parts[0], parts[2]?.replace(/=+$/, '')].some((part) => !BASE64URL.test(part ?? ''))
                ? 'an outer part is no base64url'
                : undefined;
  return {
    object: objectOf(signature),
    demanded: 'is a detached JWS: <header>..<signature>',
    seen: wrong ?? 'it is',
    ok: wrong === undefined,
  };
}

type Header = Readonly<Record<string, unknown>>;

/** The protected header, or undefined where it is no JSON object. */
export function headerOf(signature: Signature): { readonly text: string; readonly members: Header } | undefined {
  const text = Buffer.from(partsOf(signature)[0] ?? '', 'base64url').toString('utf8');
  try {
    const members: unknown = JSON.parse(text);
    return typeof members === 'object' && members !== null && !Array.isArray(members)
      ? { text, members: members as Header }
      : undefined;
  } catch {
    return undefined;
  }
}

const NO_HEADER = 'the header is no JSON object';

export function judgeAlgorithm(signature: Signature): Evidence {
  const alg = headerOf(signature)?.members.alg;
  return {
    object: objectOf(signature),
    demanded: 'alg is HS256',
    seen: alg === undefined ? NO_HEADER : `alg ${JSON.stringify(alg)}`,
    ok: alg === 'HS256',
  };
}

export function judgeKeyId(signature: Signature): Evidence {
  const kid = headerOf(signature)?.members.kid;
  const ok = kid === signature.id;
  const seen = ok
    ? `kid "${signature.id}"`
    : kid === undefined
      ? 'the header has no kid'
      : typeof kid === 'string' && kid.includes('.')
        ? 'kid is more than the id'
        : 'kid is another';
  return { object: objectOf(signature), demanded: `kid is "${signature.id}", the id of the token`, seen, ok };
}

/** Clients compare the whole value with what they compute, so the bytes of the header are fixed. */
export function judgeHeaderBytes(signature: Signature): Evidence {
  const header = headerOf(signature);
  const wanted = `{"alg":"HS256","kid":"${signature.id}"}`;
  const members = Object.keys(header?.members ?? {}).sort();
  const ok = header?.text === wanted;
  const extra = members.filter((member) => member !== 'alg' && member !== 'kid');
  const seen = ok
    ? 'it has'
    : header === undefined
      ? NO_HEADER
      : extra.length > 0
        ? `it also has ${extra.join(', ')}`
        : members.length < 2
          ? `it has ${members.join(', ') || 'nothing'}`
          : 'the same members in other bytes';
  return {
    object: objectOf(signature),
    demanded: 'the header has alg and kid, in this order, and nothing else',
    seen,
    ok,
  };
}

export function judgeOrdinaryPayload(signature: Signature): Evidence {
  const header = headerOf(signature);
  const odd = ['crit', 'b64'].filter((member) => member in (header?.members ?? {}));
  return {
    object: objectOf(signature),
    demanded: 'the payload is encoded in the ordinary way (RFC 7515, not RFC 7797)',
    seen:
      header === undefined
        ? NO_HEADER
        : odd.length === 0
          ? 'neither crit nor b64'
          : `the header has ${odd.join(' and ')}`,
    ok: header !== undefined && odd.length === 0,
  };
}

export function judgeLength(signature: Signature): Evidence {
  const mac = partsOf(signature)[2] ?? '';
  const ok = /^[A-Za-z0-9_-]{43}$/.test(mac);
  const seen = ok
    ? 'it has'
    : `${mac.length} characters${/=$/.test(mac) ? ', padded' : /^[0-9a-f]{64}$/.test(mac) ? ' of hexadecimal digits' : ''}`;
  return {
    object: objectOf(signature),
    demanded: 'the signature has 43 characters of base64url: 32 bytes, no padding',
    seen,
    ok,
  };
}

/** What an HMAC may have been made of. `right` is what clients compute. */
interface Recipe {
  readonly key: string;
  readonly payload: string;
  readonly form: string;
}
const RIGHT: Recipe = { key: 'the secret half', payload: 'the exact bytes in base64url', form: '<header>.<payload>' };

function keysOf({ id, half }: KnownToken): Record<string, Buffer> {
  return {
    [RIGHT.key]: Buffer.from(half, 'utf8'),
    'the whole token, as document 001 says': Buffer.from(`${id}.${half}`, 'utf8'),
    'the token id, which is public': Buffer.from(id, 'utf8'),
    'the base64 text of the secret half': Buffer.from(Buffer.from(half, 'utf8').toString('base64'), 'utf8'),
    'an empty key': Buffer.alloc(0),
  };
}

function payloadsOf(kubeconfig: string): Record<string, string> {
  const bytes = Buffer.from(kubeconfig, 'utf8');
  return {
    [RIGHT.payload]: bytes.toString('base64url'),
    'standard base64 with padding': bytes.toString('base64'),
    'standard base64 without padding': bytes.toString('base64').replace(/=+$/, ''),
    'the trimmed text': Buffer.from(kubeconfig.trim(), 'utf8').toString('base64url'),
    'the text without its last newline': Buffer.from(kubeconfig.replace(/\n$/, ''), 'utf8').toString('base64url'),
    'an empty text': '',
  };
}

/** Which key, payload and form give this signature; undefined where none that is known does. */
export function recipeOf(signature: Signature, kubeconfig: string, token: KnownToken): Recipe | undefined {
  const [header = '', , mac = ''] = partsOf(signature);
  const wanted = Buffer.from(mac.replace(/=+$/, ''), /^[0-9a-f]{64}$/.test(mac) ? 'hex' : 'base64url');
  if (wanted.length < 16) return undefined;
  const made = (key: Buffer, text: string): boolean =>
    createHmac(hashOf(signature), key).update(text).digest().equals(wanted);
  for (const [key, bytes] of Object.entries(keysOf(token))) {
    for (const [payload, encoded] of Object.entries(payloadsOf(kubeconfig)))
      if (made(bytes, `${header}.${encoded}`)) return { key, payload, form: RIGHT.form };
    for (const [form, text] of Object.entries({
      'the raw text alone': kubeconfig,
      '<header>..': `${header}..`,
      '<header>.<raw text>': `${header}.${kubeconfig}`,
      'the encoded payload alone': payloadsOf(kubeconfig)[RIGHT.payload] ?? '',
    }))
      if (made(bytes, text)) return { key, payload: RIGHT.payload, form };
  }
  return undefined;
}

const hashOf = (signature: Signature): string => {
  const alg = headerOf(signature)?.members.alg;
  return alg === 'HS512' ? 'sha512' : alg === 'HS384' ? 'sha384' : 'sha256';
};

/** Looks at one ingredient of the signature of a known token. */
export function judgeIngredient(
  signature: Signature,
  kubeconfig: string,
  token: KnownToken,
  ingredient: keyof Recipe,
): Evidence {
  const recipe = recipeOf(signature, kubeconfig, token);
  const demanded = {
    key: 'the HMAC key is the secret half of the token, which is what clients use',
    payload: 'what is signed is the exact text of the kubeconfig, in base64url without padding',
    form: 'the MAC is made over <header>.<payload>',
  }[ingredient];
  const ok = recipe?.[ingredient] === RIGHT[ingredient];
  const note =
    ingredient === 'key' && ok
      ? 'tried: the secret half (it matches) and the whole token of document 001 (it does not; the sentence is an erratum)'
      : ingredient === 'key' && recipe !== undefined
        ? 'real clients will refuse this signature'
        : undefined;
  return {
    object: objectOf(signature),
    demanded,
    seen: recipe?.[ingredient] ?? 'nothing known gives this signature',
    ok,
    ...(note === undefined ? {} : { note }),
  };
}

/** Would a joining machine with this token take the signature? The shape is checked first: libraries forgive what Kubernetes does not. */
export async function verifies(signature: Signature, kubeconfig: string, token: KnownToken): Promise<boolean> {
  if (
    !judgeShape(signature).ok ||
    !judgeLength(signature).ok ||
    !judgeHeaderBytes(signature).ok ||
    signature.id !== token.id ||
    token.half === ''
  )
    return false;
  const [header = '', , mac = ''] = partsOf(signature);
  try {
    const whole = `${header}.${Buffer.from(kubeconfig, 'utf8').toString('base64url')}.${mac}`;
    await compactVerify(whole, Buffer.from(token.half, 'utf8'), { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

/** The signature of one token: there, and good for it. */
export async function judgeSignatureFor(clusterInfo: ConfigMap, token: KnownToken): Promise<Evidence> {
  const key = SIGNATURE_KEY_PREFIX + token.id;
  const value = clusterInfo.data?.[key];
  const object = objectOf({ key });
  const demanded = `holds a signature that the token ${token.id} verifies`;
  if (value === undefined) return { object, demanded, seen: 'there is no such key', ok: false };
  const ok = await verifies({ id: token.id, key, value }, clusterInfo.data?.[CLUSTER_INFO_KUBECONFIG] ?? '', token);
  return {
    object,
    demanded,
    seen: ok ? 'it does' : value === '' ? 'the value is empty' : 'the signature is another',
    ok,
  };
}
