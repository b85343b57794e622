/** Defects of the chapter cluster-info: who signs and for whom, what a signature is made of. */
import { createHmac } from 'node:crypto';
import { upstream } from '../reference/decisions.js';
import { allow, decides, serviceAccount } from './arrange.js';
import { remembering } from './remembering.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const { signingToken } = upstream;
type View = Parameters<typeof signingToken>[0];
const withData = (secret: View, data: Readonly<Record<string, string>>): View => ({
  ...secret,
  data: {
    ...secret.data,
    ...Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value)])),
  },
});
/** Lets the signer write what it has no right to, so that a defect of its mind shows. */
const signerMay = (mutant: Mutant): Mutant => ({
  ...mutant,
  arrange: (reference) =>
    allow(
      reference,
      'signer-everywhere',
      [{ verbs: ['get', 'list', 'watch', 'update'], apiGroups: [''], resources: ['configmaps'] }],
      serviceAccount('bootstrap-signer'),
    ),
});

const SIGNER: readonly Mutant[] = [
  {
    name: 'no-signer',
    defect: '--controllers names tokencleaner only',
    killedBy: ['SIGN-001'],
    options: { controllers: { bootstrapsigner: false } },
  },
  signerMay(
    decides('signs-every-configmap', 'every ConfigMap with a kubeconfig is signed', ['SIGN-002'], {
      signsConfigMap: () => true,
    }),
  ),
  signerMay(
    decides('signs-all-of-kube-public', 'every ConfigMap of kube-public with a kubeconfig is signed', ['SIGN-002'], {
      signsConfigMap: (namespace) => namespace === 'kube-public',
    }),
  ),
  signerMay(
    decides('signs-by-name-alone', 'a ConfigMap named cluster-info is signed in every namespace', ['SIGN-002'], {
      signsConfigMap: (_namespace, name) => name === 'cluster-info',
    }),
  ),
  decides('signature-under-another-key', 'signatures are kept under jws-<id>', ['SIGN-003'], {
    signatureDataKey: (id) => `jws-${id}`,
    isSignatureKey: (key) => key.startsWith('jws-'),
  }),
  {
    name: 'signer-without-rights',
    defect: 'without --use-service-account-credentials the signer may not update the ConfigMap',
    killedBy: ['SIGN-003'],
    options: { serviceAccountCredentials: false },
  },
  decides('signs-for-every-token', 'every token Secret gets a signature', ['SIGN-004', 'SEC-013'], {
    signingToken: (secret, expiration, now) =>
      signingToken(withData(secret, { 'usage-bootstrap-signing': 'true' }), expiration, now),
  }),
  decides('signs-for-expired-tokens', 'an expired token still signs', ['SIGN-005'], {
    signingToken: (secret, _expiration, now) => signingToken(secret, { kind: 'never' }, now),
  }),
  {
    name: 'signs-for-expired-tokens-that-nobody-cleans',
    defect: 'an expired token signs, and nobody deletes it',
    killedBy: ['SIGN-005'],
    options: {
      controllers: { tokencleaner: false },
      decisions: { signingToken: (secret, _expiration, now) => signingToken(secret, { kind: 'never' }, now) },
    },
  },
  {
    ...decides('one-token-signed-wrongly', 'the signature of one token is made with another key', ['SIGN-009'], {
      signatureKey: (id, secret) => (id === 'm1tant' ? Buffer.from('0123456789abcdef') : secret),
    }),
    arrange: (reference) => addToken(reference),
  },
  decides('only-additions-are-handled', 'the signer hears of new tokens only', ['SIGN-006', 'SIGN-008'], {
    signerWakes: (event) => event.subject === 'configmap' || event.type === 'ADDED',
  }),
  decides(
    'signed-once',
    'a signature is made at creation, and a change of the kubeconfig is not heard',
    ['SIGN-007', 'SIGN-015', 'SIGN-016', 'SIGN-017'],
    { signerWakes: (event) => event.subject === 'secret' || event.type === 'ADDED' },
  ),
  remembering(() => {
    const halves = new Map<string, Buffer>();
    return decides('signatures-cached-by-id', 'the key of a token is remembered by its id', ['SIGN-008'], {
      signatureKey: (id, secret) => {
        const known = halves.get(id) ?? secret;
        halves.set(id, known);
        return known;
      },
    });
  }),
  remembering(() => {
    let first: Buffer | undefined;
    return {
      ...decides(
        'one-key-for-all-tokens',
        'every signature is made with the secret of the same token',
        ['SIGN-009', 'JWS-007'],
        {
          signatureKey: (_id, secret) => {
            first ??= secret;
            return first;
          },
        },
      ),
      arrange: (reference) => addToken(reference),
    } satisfies Mutant;
  }),
  decides(
    'kubeconfig-serialised-anew',
    'the signer writes the YAML anew, without comments and blank lines',
    ['SIGN-010'],
    {
      signedData: (data, signatures, isSignature) => ({
        ...upstream.signedData(data, signatures, isSignature),
        kubeconfig: (data.kubeconfig ?? '')
          .split('\n')
          .filter((line) => !/^(#.*)?$/.test(line))
          .join('\n')
          .concat('\n'),
      }),
    },
  ),
  decides('signs-for-any-namespace', 'Secrets of every namespace and type are signed for', ['SIGN-011'], {
    signerWatchesSecret: () => true,
  }),
  decides('signs-by-token-id-alone', 'the name of the Secret is not compared with its token-id', ['SIGN-011'], {
    signingToken: (secret, expiration, now) =>
      signingToken(
        { ...secret, name: `bootstrap-token-${secret.data['token-id']?.toString() ?? ''}` },
        expiration,
        now,
      ),
  }),
  decides(
    'placeholder-first',
    'an empty text stands under the key, so that looking whether it is there says yes',
    ['SIGN-012', 'JWS-001'],
    {
      detachedSignature: () => '',
    },
  ),
  decides('init-signs-by-itself', 'init writes a static signature', ['SIGN-013'], {
    clusterInfoConfigMap: (kubeconfig, tokens) => {
      const made = upstream.clusterInfoConfigMap(kubeconfig, tokens);
      return {
        ...made,
        data: {
          ...made.data,
          ...Object.fromEntries(tokens.map(({ id }) => [`jws-kubeconfig-${id}`, 'eyJhbGciOiJIUzI1NiJ9..x'])),
        },
      };
    },
  }),
  decides('signing-needs-authentication', 'both usages are needed for a signature', ['SIGN-014', 'AUTH-017'], {
    signingToken: (secret, expiration, now) =>
      secret.data['usage-bootstrap-authentication']?.toString() === 'true'
        ? signingToken(secret, expiration, now)
        : undefined,
  }),
  decides('foreign-signatures-survive', 'signatures of no token stay', ['SIGN-015', 'SIGN-006', 'CLEAN-010'], {
    signedData: (data, signatures) => ({ ...data, ...signatures }),
  }),
  decides(
    'keys-are-compared-only',
    'the signer looks whether the key is there, not what it holds',
    ['SIGN-016', 'SIGN-007'],
    {
      signingChanges: (before, after) => Object.keys(before).sort().join() !== Object.keys(after).sort().join(),
    },
  ),
  decides('signs-nothing-too', 'without a kubeconfig an empty text is signed', ['SIGN-017'], {
    contentToSign: (data) => data.kubeconfig ?? '',
  }),
];

/** The parts of a signature, put together otherwise. `header` is given as text. */
const encoded = (text: string | Buffer): string => Buffer.from(text).toString('base64url');
const hmac = (key: Buffer, text: string, hash = 'sha256'): Buffer => createHmac(hash, key).update(text).digest();

const SIGNATURES: readonly Mutant[] = [
  decides('payload-attached', 'the whole JWS is published, payload included', ['JWS-001'], {
    detachedSignature: (header, payload, mac) => `${encoded(header)}.${encoded(payload)}.${encoded(mac)}`,
  }),
  decides('json-serialisation', 'the signature is published as JSON', ['JWS-001'], {
    detachedSignature: (header, _payload, mac) =>
      JSON.stringify({ protected: encoded(header), signature: encoded(mac) }),
  }),
  decides('algorithm-hs512', 'the algorithm is HS512', ['JWS-002', 'JWS-008'], {
    signatureHeader: (id) => `{"alg":"HS512","kid":"${id}"}`,
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${encoded(payload)}`, 'sha512'),
  }),
  decides('algorithm-none', 'the header says that there is no signature', ['JWS-002'], {
    signatureHeader: (id) => `{"alg":"none","kid":"${id}"}`,
  }),
  decides('kid-of-another', 'the key id is that of another token', ['JWS-003', 'P-04'], {
    signatureHeader: () => '{"alg":"HS256","kid":"zzzzzz"}',
  }),
  decides('kid-is-absent', 'the header has no key id', ['JWS-003', 'JWS-004'], {
    signatureHeader: () => '{"alg":"HS256"}',
  }),
  decides('kid-is-more-than-the-id', 'the key id is the whole token', ['JWS-003'], {
    signatureHeader: (id) => `{"alg":"HS256","kid":"${id}.0123456789abcdef"}`,
  }),
  decides('header-with-typ', 'the header also has typ', ['JWS-004'], {
    signatureHeader: (id) => `{"alg":"HS256","kid":"${id}","typ":"JWT"}`,
  }),
  decides('header-in-other-order', 'the header has kid before alg', ['JWS-004'], {
    signatureHeader: (id) => `{"kid":"${id}","alg":"HS256"}`,
  }),
  decides('header-with-blanks', 'the header is printed with blanks', ['JWS-004'], {
    signatureHeader: (id) => `{"alg": "HS256", "kid": "${id}"}`,
  }),
  decides('text-is-trimmed', 'the text is signed without its last newline', ['JWS-005', 'SIGN-009'], {
    signaturePayload: (content) => Buffer.from(content.trimEnd(), 'utf8'),
  }),
  decides('newline-is-added', 'the text is signed with one newline more', ['JWS-005', 'P-04'], {
    signaturePayload: (content) => Buffer.from(`${content}\n`, 'utf8'),
  }),
  decides('serialised-anew', 'what is signed is the text as JSON', ['JWS-005', 'JWS-006', 'JWS-007'], {
    signaturePayload: (content) => Buffer.from(JSON.stringify(content), 'utf8'),
  }),
  decides('key-of-nobody', 'the key is a text that is no token’s', ['JWS-007', 'P-04', 'SIGN-009'], {
    signatureKey: () => Buffer.from('0123456789abcdef'),
  }),
  decides('standard-base64', 'the payload is encoded in standard base64', ['JWS-005'], {
    // a text whose length makes padding necessary
    clusterInfoKubeconfig: (facts) => {
      const text = upstream.clusterInfoKubeconfig(facts);
      return Buffer.byteLength(text) % 3 === 0 ? `${text}\n` : text;
    },
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${payload.toString('base64')}`),
  }),
  decides('mac-over-raw-text', 'the MAC covers the raw kubeconfig alone', ['JWS-006'], {
    signatureMac: (key, _header, payload) => hmac(key, payload.toString('utf8')),
  }),
  decides('mac-over-header', 'the MAC covers the header and nothing', ['JWS-006'], {
    signatureMac: (key, header) => hmac(key, `${encoded(header)}..`),
  }),
  decides('key-is-the-whole-token', 'the key is id.secret, as document 001 says', ['JWS-007', 'SIGN-009'], {
    signatureKey: (id, secret) => Buffer.concat([Buffer.from(`${id}.`), secret]),
  }),
  decides('key-is-the-id', 'the key is the id, which is public', ['JWS-007'], {
    signatureKey: (id) => Buffer.from(id),
  }),
  decides('key-is-base64', 'the key is the base64 text of the Secret value', ['JWS-007'], {
    signatureKey: (_id, secret) => Buffer.from(secret.toString('base64')),
  }),
  decides('mac-in-hexadecimal', 'the signature is written in hexadecimal digits', ['JWS-008'], {
    detachedSignature: (header, _payload, mac) => `${encoded(header)}..${mac.toString('hex')}`,
  }),
  decides('mac-is-sloppy', 'the last character of a signature has bits that nobody reads', ['JWS-008', 'P-04'], {
    detachedSignature: (header, _payload, mac) => {
      const text = encoded(mac);
      return `${encoded(header)}..${text.slice(0, -1)}${String.fromCharCode(text.charCodeAt(42) + 1)}`;
    },
  }),
  decides('mac-is-padded', 'the signature is padded', ['JWS-008'], {
    detachedSignature: (header, _payload, mac) => `${encoded(header)}..${encoded(mac)}=`,
  }),
  decides('unencoded-payload', 'the payload is signed unencoded, as RFC 7797 says', ['JWS-014', 'JWS-004'], {
    signatureHeader: (id) => `{"alg":"HS256","b64":false,"crit":["b64"],"kid":"${id}"}`,
    signatureMac: (key, header, payload) => hmac(key, `${encoded(header)}.${payload.toString('utf8')}`),
  }),
];

export const mutants: readonly Mutant[] = [...SIGNER, ...SIGNATURES];
