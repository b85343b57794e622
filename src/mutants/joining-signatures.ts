/** Defects of a joining client: what it takes for a signature. */
import { createHmac } from 'node:crypto';
import type { Token } from '../joining/decisions/signature.js';
import { type Decided, decidesJoining, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

type IsSignature = NonNullable<Decided['isSignature']>;

/** Parts of a signature, however many there are. */
interface Parts {
  readonly header: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly middle: string;
  readonly mac: Buffer;
}

function partsOf(signature: string): Parts | undefined {
  const [header = '', middle = '', mac = ''] = signature.trim().split('.');
  try {
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    if (typeof fields !== 'object' || fields === null) return undefined;
    return { header, fields: fields as Parts['fields'], middle, mac: Buffer.from(mac, 'base64url') };
  } catch {
    return undefined;
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const hmac = (hash: string, key: string, text: string): Buffer => createHmac(hash, key).update(text).digest();

/** As upstream, or where this says that it is one. */
const also =
  (is: (parts: Parts, content: string, token: Token) => boolean): IsSignature =>
  (signature, content, token) => {
    const parts = partsOf(signature);
    return upstream.isSignature(signature, content, token) || (parts !== undefined && is(parts, content, token));
  };

/** Whether the MAC fits, with this hash and key. */
const fits = ({ header, mac }: Parts, content: string, key: string, hash = 'sha256'): boolean =>
  hmac(hash, key, `${header.replace(/=+$/, '')}.${encoded(content)}`).equals(mac);

const firstDocument = (text: string): string => text.split(/^---$/m)[0] ?? '';

export const mutants: readonly Mutant[] = [
  decidesJoining(
    'join-unsigned-text',
    'the last kubeconfig in cluster-info is read, signed or not',
    ['DISC-013', 'LIFE-002'],
    {
      believedText: (info, signed) =>
        Object.values(info)
          .filter((value) => value.includes('kind: Config'))
          .at(-1) ?? signed,
    },
  ),
  decidesJoining(
    'join-signature-only-there',
    'the signature is looked for, and not at',
    [
      'DISC-013',
      'DISC-019',
      'DISC-020',
      'DISC-021',
      'DISC-023',
      'JOIN-008',
      'JWS-009',
      'JWS-010',
      'JWS-011',
      'JWS-012',
      'JWS-013',
      'LIFE-018',
      'PIN-010',
    ],
    {
      isNoSignature: () => false,
      isSignature: () => true,
    },
  ),
  decidesJoining(
    'join-signature-unverified',
    'the signature is not verified',
    ['DISC-013', 'DISC-019', 'DISC-023', 'P-546'],
    {
      verifiesSignature: () => false,
    },
  ),
  decidesJoining(
    'join-signature-of-anybody',
    'a signature for another token will do',
    ['DISC-008', 'DISC-013', 'JWS-010', 'PIN-010'],
    {
      waitsForSignature: (info, key) => !(key in info) && !Object.keys(info).some((name) => name.startsWith('jws-')),
      isNoSignature: () => false,
      isSignature: (signature, content, token) => signature === '' || upstream.isSignature(signature, content, token),
    },
  ),
  decidesJoining(
    'join-signature-by-library',
    'a signature is read as any JWS, and padding and blanks do not count',
    ['DISC-013', 'JWS-009'],
    {
      isSignature: also(
        (parts, content, { id, secret }) =>
          parts.fields.alg === 'HS256' &&
          parts.fields.kid === id &&
          parts.middle === '' &&
          fits(parts, content, secret),
      ),
    },
  ),
  decidesJoining('join-half-secret', 'half of the secret is enough to sign', ['JWS-012'], {
    isSignature: also(
      (parts, content, { id, secret }) =>
        parts.fields.kid === id && parts.middle === '' && fits(parts, content, secret.slice(0, 8)),
    ),
  }),
  decidesJoining('join-line-ends-unsigned', 'a line may end once more in what is signed', ['JWS-011'], {
    isSignature: (signature, content, token) =>
      upstream.isSignature(signature, content, token) || upstream.isSignature(signature, `${content}\n`, token),
  }),
  decidesJoining('join-alg-none', 'alg "none" needs no signature', ['JWS-009', 'PIN-010'], {
    isSignature: also(({ fields }) => fields.alg === 'none'),
  }),
  decidesJoining(
    'join-alg-unread',
    'the algorithm in the header is not read',
    ['DISC-013', 'JWS-009', 'JWS-010', 'JWS-013', 'PIN-010'],
    {
      isSignature: also((parts, content, { secret }) => fits(parts, content, secret)),
    },
  ),
  decidesJoining(
    'join-alg-chosen-by-header',
    'the header chooses among the HMACs',
    ['DISC-013', 'JWS-009', 'JWS-010', 'JWS-013'],
    {
      isSignature: also((parts, content, { secret }) => {
        const bits = /^hs(256|384|512)$/i.exec(String(parts.fields.alg))?.[1];
        return bits !== undefined && fits(parts, content, secret, `sha${bits}`);
      }),
    },
  ),
  decidesJoining('join-kid-unread', 'the id in the header is not read', ['DISC-013', 'JWS-009', 'JWS-010', 'JWS-013'], {
    isSignature: also((parts, content, { secret }) => parts.fields.alg === 'HS256' && fits(parts, content, secret)),
  }),
  decidesJoining('join-keyed-with-nothing', 'a signature without a secret is taken, too', ['JWS-012'], {
    isSignature: also((parts, content) => fits(parts, content, '')),
  }),
  decidesJoining('join-keyed-with-its-id', 'a signature with the token id is taken, too', ['JWS-012'], {
    isSignature: also((parts, content, { id }) => fits(parts, content, id)),
  }),
  decidesJoining('join-keyed-with-whole-token', 'a signature with the whole token is taken, too', ['JWS-012'], {
    isSignature: also((parts, content, { id, secret }) => fits(parts, content, `${id}.${secret}`)),
  }),
  decidesJoining(
    'join-mac-unread',
    'only the header of the signature is compared',
    [
      'DISC-013',
      'DISC-019',
      'DISC-020',
      'DISC-021',
      'DISC-023',
      'JOIN-008',
      'JWS-009',
      'JWS-011',
      'JWS-012',
      'JWS-013',
      'LIFE-018',
      'PIN-010',
    ],
    {
      isSignature: also(({ fields }, _, { id }) => fields.alg === 'HS256' && fields.kid === id),
    },
  ),
  decidesJoining(
    'join-mac-begins-alike',
    'the last letter of the signature is not compared',
    ['DISC-013', 'DISC-019', 'JWS-009', 'JWS-010', 'PIN-010'],
    {
      isSignature: (signature, content, token) => {
        const parts = partsOf(signature);
        if (parts === undefined || parts.middle !== '') return false;
        return hmac('sha256', token.secret, `${parts.header}.${encoded(content)}`)
          .subarray(0, 30)
          .equals(parts.mac.subarray(0, 30));
      },
    },
  ),
  decidesJoining('join-payload-inside', 'a payload inside the signature is taken for the one beside it', ['JWS-013'], {
    isSignature: also(
      ({ header, middle, mac }, content, { secret }) =>
        middle !== '' && (fits({ header, middle, mac, fields: {} }, content, secret) || middle === encoded(content)),
    ),
  }),
  decidesJoining(
    'join-signature-over-first-document',
    'the signature counts for the first document of a text',
    ['JWS-011'],
    {
      isSignature: (signature, content, token) =>
        [content, firstDocument(content)].some((one) => upstream.isSignature(signature, one, token)),
      believedText: (_, signed) => firstDocument(signed),
    },
  ),
  decidesJoining('join-signature-over-first-line', 'the signature counts for any text that begins alike', ['JWS-011'], {
    isSignature: (signature, content, token) =>
      [content, content.trimEnd().concat('\n')].some((text) => upstream.isSignature(signature, text, token)),
  }),
  decidesJoining(
    'join-signature-over-tidy-text',
    'blanks at the ends and the kind of line ends count for nothing',
    ['JWS-011'],
    {
      isSignature: (signature, content, token) =>
        [content, content.trim(), content.replaceAll('\r\n', '\n')].some((text) =>
          upstream.isSignature(signature, text, token),
        ),
    },
  ),
  decidesJoining('join-renounced-with-pins', 'who renounces pins renounces the signature', ['DISC-023', 'PIN-010'], {
    verifiesSignature: (skips) => !skips,
  }),
];
