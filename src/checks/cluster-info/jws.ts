/**
 * The signatures of cluster-info, judged by the facts that jws-reader.ts reads from them.
 * Source: 001, ConfigMap signing; RFC 7515, 5.2 and appendix F; cluster-bootstrap, token/jws/jws.go
 * DetachedTokenIsValid.
 */
import {
  CLUSTER_INFO,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  SIGNATURE_KEY_PREFIX,
  TOKEN_SECRET_PREFIX,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look, refusal } from '../../model/finding.js';
import { type Recipe, RIGHT, type Shape, type SignatureFacts, type Signatures } from './jws-reader.js';

const SIGNING = '001, ConfigMap signing; cluster-bootstrap, token/jws/jws.go';
const NO_SIGNATURE = 'cluster-info holds no signature';
const NO_KNOWN = 'cluster-info holds no kubeconfig, or no signature of a token that is in the cluster';
const NO_HEADER = 'the header is no JSON object';

/** "ConfigMap kube-public/cluster-info, key jws-kubeconfig-07401b" */
export const signatureSubject = (key: string): string => `ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}, key ${key}`;

/** A check of each signature by its looks. */
const ofEach = (name: string, look: (signature: SignatureFacts) => Omit<Look, 'subject'>): Check<Signatures> => ({
  id: `jws/${name}`,
  source: SIGNING,
  nothing: NO_SIGNATURE,
  judge: ({ signatures }) =>
    signatures.map((signature) => demand({ subject: signatureSubject(signature.key), ...look(signature) })),
});

const SHAPES: Readonly<Record<Shape, string>> = {
  detached: 'it is',
  empty: 'it is empty',
  json: 'it is JSON',
  dots: 'it has not two dots',
  attached: 'the payload stands between the dots',
  halved: 'an outer part is empty',
  encoding: 'an outer part is no base64url',
};

/** Header, nothing, signature: detached and compact. */
export const signatureShape = ofEach('shape', ({ shape, dots }) => ({
  demanded: 'is a detached JWS: <header>..<signature>',
  seen: shape === 'dots' ? `${dots} dots` : SHAPES[shape],
  ok: shape === 'detached',
}));

export const signatureAlgorithm = ofEach('algorithm', ({ header }) => ({
  demanded: 'alg is HS256',
  seen:
    header === null ? NO_HEADER : header.alg === null ? 'the header has no alg' : `alg ${JSON.stringify(header.alg)}`,
  ok: header?.alg === 'HS256',
}));

export const signatureKeyId = ofEach('key-id', ({ id, header }) => ({
  demanded: `kid is "${id}", the id of the token`,
  seen:
    header === null
      ? NO_HEADER
      : {
          id: `kid "${id}"`,
          absent: 'the header has no kid',
          more: 'kid is more than the id',
          another: 'kid is another',
        }[header.kid],
  ok: header?.kid === 'id',
}));

function seenHeader({ header }: SignatureFacts): string {
  if (header === null) return NO_HEADER;
  if (header.exact) return 'it has';
  const extra = header.members.filter((member) => member !== 'alg' && member !== 'kid');
  if (extra.length > 0) return `it also has ${extra.join(', ')}`;
  return header.members.length < 2
    ? `it has ${header.members.join(', ') || 'nothing'}`
    : 'the same members in other bytes';
}

/** Clients compare the whole value with what they compute, so the bytes of the header are fixed. */
export const signatureHeader = ofEach('header', (signature) => ({
  demanded: 'the header has alg and kid, in this order, and nothing else',
  seen: seenHeader(signature),
  ok: signature.header?.exact === true,
}));

export const signatureOrdinaryPayload = ofEach('ordinary-payload', ({ header }) => {
  const odd = header?.members.filter((member) => member === 'b64' || member === 'crit') ?? [];
  return {
    demanded: 'the payload is encoded in the ordinary way (RFC 7515, not RFC 7797)',
    seen:
      header === null ? NO_HEADER : odd.length === 0 ? 'neither crit nor b64' : `the header has ${odd.join(' and ')}`,
    ok: header !== null && odd.length === 0,
  };
});

const FORMS = { base64url: '', padded: ', padded', hexadecimal: ' of hexadecimal digits', another: '' } as const;

export const signatureLength = ofEach('length', ({ mac }) => ({
  demanded: 'the signature has 43 characters of base64url: 32 bytes, no padding',
  seen: mac.form === 'base64url' ? 'it has' : `${mac.characters} characters${FORMS[mac.form]}`,
  ok: mac.form === 'base64url',
}));

/** Signatures whose token is known. */
const tried = ({ signatures }: Signatures) =>
  signatures.flatMap(({ own, ...signature }) =>
    own === null ? [] : [{ ...signature, own, subject: signatureSubject(signature.key) }],
  );

const INGREDIENTS: Readonly<Record<keyof Recipe, string>> = {
  key: 'the HMAC key is the secret half of the token, which is what clients use',
  payload: 'what is signed is the exact text of the kubeconfig, in base64url without padding',
  form: 'the MAC is made over <header>.<payload>',
};

function noteOf(ingredient: keyof Recipe, recipe: Recipe | null): string | undefined {
  if (ingredient !== 'key' || recipe === null) return undefined;
  return recipe.key === RIGHT.key
    ? 'tried: the secret half (it matches) and the whole token of document 001, an erratum (it does not)'
    : 'real clients will refuse this signature';
}

/** One ingredient of every signature of a known token. */
export const signatureMadeOf: Check<Signatures, { readonly ingredient: keyof Recipe }> = {
  id: 'jws/made-of',
  source: SIGNING,
  nothing: NO_KNOWN,
  judge: (observed, { ingredient }) =>
    tried(observed).map(({ subject, own: { recipe } }) =>
      demand({
        subject,
        demanded: INGREDIENTS[ingredient],
        seen: recipe?.[ingredient] ?? 'nothing known gives this signature',
        ok: recipe?.[ingredient] === RIGHT[ingredient],
        note: noteOf(ingredient, recipe),
      }),
    ),
};

/** Every signature of a known token verifies with it, and with no other. */
export const signatureOfOneToken: Check<Signatures> = {
  id: 'jws/of-one-token',
  source: SIGNING,
  nothing: NO_KNOWN,
  judge: (observed) =>
    tried(observed).map(({ subject, own, others }) => {
      const alone = own.verifies ? 'so it is' : 'it does not verify with its own';
      return demand({
        subject,
        demanded: 'verifies with its own token and no other',
        seen: others.length > 0 ? `it verifies with ${others.join(', ')}` : alone,
        ok: own.verifies && others.length === 0,
      });
    }),
};

/** Clients compare the whole value with what they compute, byte for byte. */
export const signatureExact: Check<Signatures> = {
  id: 'jws/exact',
  source: SIGNING,
  nothing: NO_KNOWN,
  judge: (observed) =>
    tried(observed).map(({ subject, own: { verifies } }) =>
      demand({
        subject,
        demanded: 'is byte for byte what a joining machine computes',
        seen: verifies ? 'it is' : 'it is another text',
        ok: verifies,
      }),
    ),
};

/** For each known token what is found under its key. */
const forEachToken = (
  { tokens, signatures }: Signatures,
  look: (id: string, signature: SignatureFacts | undefined) => Omit<Look, 'subject'>,
): Finding[] => {
  const byId = new Map(signatures.map((signature) => [signature.id, signature]));
  return tokens.map((id) =>
    demand({ subject: signatureSubject(SIGNATURE_KEY_PREFIX + id), ...look(id, byId.get(id)) }),
  );
};

/** Every known token has a signature, whatever it is made of, but for nothing. */
export const eachTokenHasSignature: Check<Signatures> = {
  id: 'jws/each-token',
  source: SIGNING,
  nothing: 'no bootstrap token of the cluster is good for signing',
  judge: (observed) =>
    forEachToken(observed, (_id, signature) => ({
      demanded: 'is in cluster-info',
      seen: signature === undefined ? 'there is no such key' : signature.shape === 'empty' ? 'it is empty' : 'it is',
      ok: signature !== undefined && signature.shape !== 'empty',
    })),
};

/** Every known token has a signature that a machine with this token takes. */
export const signedFor: Check<Signatures> = {
  id: 'jws/signed-for',
  source: SIGNING,
  nothing: 'no bootstrap token of the cluster is good for signing',
  judge: (observed) =>
    forEachToken(observed, (id, signature) => {
      const ok = signature?.own?.verifies === true;
      const other = signature?.shape === 'empty' ? 'the value is empty' : 'the signature is another';
      return {
        demanded: `holds a signature that the token ${id} verifies`,
        seen: ok ? 'it does' : signature === undefined ? 'there is no such key' : other,
        ok,
      };
    }),
};

/** A signature, and the Secret that has the name its token would have. */
export interface SignatureOwner {
  readonly key: string;
  readonly id: string;
  /** `signs not`: it is no token, not for signing, or has expired. */
  readonly secret: 'signs' | 'signs not' | 'absent';
}

const OWNERS = {
  signs: 'it is',
  'signs not': 'that Secret is not good for signing',
  absent: 'there is no such Secret',
} as const satisfies Record<SignatureOwner['secret'], string>;

/** Every signature is of a token that is in the cluster, and good for signing. */
export const signatureHasToken: Check<readonly SignatureOwner[]> = {
  id: 'jws/has-token',
  source: SIGNING,
  nothing: NO_SIGNATURE,
  judge: (owners) =>
    owners.map(({ key, id, secret }) =>
      demand({
        subject: signatureSubject(key),
        demanded: `is of the token in Secret ${KUBE_SYSTEM}/${TOKEN_SECRET_PREFIX}${id}, which is good for signing`,
        seen: OWNERS[secret],
        ok: secret === 'signs',
      }),
    ),
};

/** A ConfigMap that nobody is to sign. */
export interface UnsignedMap {
  /** "ConfigMap default/cluster-info" */
  readonly subject: string;
  readonly there: boolean;
  /** Keys of signatures that it holds. */
  readonly signatures: readonly string[];
}

/** Other ConfigMaps get no signature. One that is gone says nothing. */
export const mapUnsigned: Check<readonly UnsignedMap[]> = {
  id: 'jws/map-unsigned',
  source: SIGNING,
  judge: (maps) =>
    maps.map(({ subject, there, signatures }) =>
      refusal({
        subject,
        demanded: 'gets no signature',
        seen: there ? (signatures.length === 0 ? 'it has none' : `it has ${signatures.join(', ')}`) : 'it is gone',
        ok: there ? signatures.length === 0 : undefined,
      }),
    ),
};
