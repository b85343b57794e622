/** Defects of the chapter cluster-info: a signer that hears too little, reads Secrets otherwise, or writes too early. */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { Secret } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import { decides, edit, type Replaced } from './arrange.js';
import { remembering } from './remembering.js';
import { addToken, Peephole } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const { signedData, signingToken } = upstream;
type View = Parameters<typeof signingToken>[0];
type Reading = NonNullable<Replaced['signingToken']>;

/** A signer that reads a Secret as if it were another one. */
const reads = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  change: (secret: View) => Partial<Pick<View, 'name'> & { readonly data: Readonly<Record<string, string>> }>,
): Mutant => {
  const reading: Reading = (secret, expiration, now) => {
    const { name: named = secret.name, data = {} } = change(secret);
    const plain = Object.entries(data).map(([key, value]) => [key, Buffer.from(value)] as const);
    return signingToken(
      { ...secret, name: named, data: { ...secret.data, ...Object.fromEntries(plain) } },
      expiration,
      now,
    );
  };
  return decides(name, defect, killedBy, { signingToken: reading });
};

const textOf = ({ data }: View, key: string): string => data[key]?.toString('utf8') ?? '';

const READING: readonly Mutant[] = [
  reads(
    'signs-where-not-refused',
    'a token signs unless its usage says "false"',
    ['SIGN-004', 'SIGN-006'],
    (secret) => ({
      data: { 'usage-bootstrap-signing': textOf(secret, 'usage-bootstrap-signing') === 'false' ? 'false' : 'true' },
    }),
  ),
  reads('signs-where-said', 'a token signs where its usage says anything', ['SIGN-004', 'SIGN-006'], (secret) => ({
    data: secret.data['usage-bootstrap-signing'] === undefined ? {} : { 'usage-bootstrap-signing': 'true' },
  })),
  decides('signatures-go-with-the-text', 'with the kubeconfig all signatures go', ['SIGN-017'], {
    dataWithoutText: (data, isSignature) =>
      Object.fromEntries(Object.entries(data).filter(([key]) => !isSignature(key))),
  }),
  decides('keys-without-the-dash-go', 'a key that begins as those of signatures is removed as one', ['P-336'], {
    isSignatureKey: (key) => key.startsWith('jws-kubeconfig'),
  }),
  decides('signs-for-good-halves-only', 'a secret half that logs nobody in signs nothing', ['SIGN-003'], {
    signingToken: (secret, expiration, now) =>
      /^[a-z0-9]{16}$/.test(textOf(secret, 'token-secret')) ? signingToken(secret, expiration, now) : undefined,
  }),
  decides('signs-for-good-groups-only', 'a token whose groups are none of tokens signs nothing', ['SIGN-003'], {
    signingToken: (secret, expiration, now) =>
      textOf(secret, 'auth-extra-groups').includes('system:masters')
        ? undefined
        : signingToken(secret, expiration, now),
  }),
  decides('signs-with-trimmed-halves', 'blanks around a secret half are taken away', ['SIGN-003'], {
    signatureKey: (_id, secret) => Buffer.from(secret.toString('latin1').trim(), 'latin1'),
  }),
  decides('signs-with-sixteen-bytes', 'of a longer secret half sixteen bytes sign', ['SIGN-003'], {
    signatureKey: (_id, secret) => secret.subarray(0, 16),
  }),
  reads('signs-by-a-likeness', 'the key usage-signing counts as well', ['SIGN-004'], (secret) => ({
    data: textOf(secret, 'usage-signing') === 'true' ? { 'usage-bootstrap-signing': 'true' } : {},
  })),
  reads(
    'signs-by-name-of-secret',
    'the id is taken from the name, whatever token-id says',
    ['SIGN-011', 'SIGN-006'],
    (secret) => ({
      data: { 'token-id': secret.name.replace('bootstrap-token-', '').slice(0, 6) },
      name: secret.name.slice(0, 22),
    }),
  ),
  decides('signs-without-secret', 'a token without a secret half signs with an empty key', ['SIGN-011'], {
    signingToken: (secret, expiration, now) => {
      const half = textOf(secret, 'token-secret');
      const data = { ...secret.data, 'token-secret': Buffer.from(half === '' ? 'x' : half) };
      const token = signingToken({ ...secret, data }, expiration, now);
      return token === undefined || half !== '' ? token : { ...token, secret: Buffer.alloc(0) };
    },
  }),
  decides('signs-for-long-ids', 'an id of seven characters signs, too', ['SIGN-011'], {
    signingToken: (secret, expiration, now) => {
      const id = textOf(secret, 'token-id');
      if (!/^[a-z0-9]{7}$/.test(id) || secret.name !== `bootstrap-token-${id}`)
        return signingToken(secret, expiration, now);
      const data = { ...secret.data, 'token-id': Buffer.from(id.slice(0, 6)) };
      const token = signingToken({ ...secret, name: secret.name.slice(0, -1), data }, expiration, now);
      return token === undefined ? undefined : { ...token, id };
    },
  }),
  decides('signs-under-the-whole-name', 'a token signs as what stands behind the prefix of its name', ['SIGN-011'], {
    signingToken: (secret, expiration, now) => {
      const id = secret.name.replace('bootstrap-token-', '');
      const token = signingToken({ ...secret, name: secret.name.slice(0, 22) }, expiration, now);
      return token === undefined ? undefined : { ...token, id };
    },
  }),
  decides('expires-by-another-clock', 'the offset of an expiration is not read', ['SIGN-005'], {
    signingToken: (secret, expiration, now) => {
      const at = Date.parse(textOf(secret, 'expiration').replace(/[+-]\d\d:\d\d$/, 'Z'));
      return signingToken(secret, Number.isNaN(at) ? expiration : { kind: 'at', at }, now);
    },
  }),
  remembering(() => {
    const halves = new Map<string, Buffer>();
    return decides('halves-are-remembered', 'a secret half that was removed still signs', ['SIGN-006'], {
      signingToken: (secret, expiration, now) => {
        const half = secret.data['token-secret'] ?? halves.get(secret.name);
        if (half === undefined) return undefined;
        halves.set(secret.name, half);
        return signingToken({ ...secret, data: { ...secret.data, 'token-secret': half } }, expiration, now);
      },
    });
  }),
  decides('expiry-left-to-the-cleaner', 'a token is signed for as long as its Secret is there', ['SIGN-005'], {
    signingToken: (secret, { kind }, now) =>
      signingToken(secret, kind === 'unreadable' ? { kind } : { kind: 'never' }, now),
  }),
];

/** Where the Secret of a token is there, its signature stays, whatever the Secret says by now. */
function revokedTokensSign(): Mutant {
  const peephole = new Peephole();
  return {
    ...decides('revoked-tokens-stay-signed', 'a signature stays as long as the Secret does', ['SIGN-006', 'SIGN-015'], {
      isSignatureKey: (key) =>
        key.startsWith('jws-kubeconfig-') && peephole.token(key.slice('jws-kubeconfig-'.length)) === undefined,
    }),
    async arrange(reference) {
      peephole.arrange(reference);
      addToken(reference);
      await reference.settle();
      edit<Secret>(
        reference,
        { resource: resources.secrets, namespace: KUBE_SYSTEM, name: 'bootstrap-token-m1tant' },
        (found) => ({ ...found, data: { ...found.data, 'usage-bootstrap-signing': '' } }),
      );
      await reference.settle();
    },
  };
}

/** Of the signatures those that are new, or all where none is. */
function newestOnly(data: Readonly<Record<string, string>>, signatures: Readonly<Record<string, string>>) {
  const fresh = Object.entries(signatures).filter(([key]) => data[key] === undefined);
  return fresh.length > 0 ? Object.fromEntries(fresh) : signatures;
}

const WRITING: readonly Mutant[] = [
  revokedTokensSign(),
  decides('last-one-wins', 'each signature takes the place of those before', ['SIGN-009'], {
    signerWakes: ({ subject }) => subject === 'secret',
    signedData: (data, signatures, isSignature) => signedData(data, newestOnly(data, signatures), isSignature),
  }),
  remembering(() => {
    let deleted = false;
    return decides('deletion-drops-all', 'with one token that is deleted all signatures go', ['SIGN-006'], {
      signerWakes: ({ subject, type }) => {
        deleted = type === 'DELETED';
        return subject === 'secret';
      },
      signedData: (data, signatures, isSignature) => signedData(data, deleted ? {} : signatures, isSignature),
    });
  }),
  decides('half-made-first', 'the key is written first, and its value with the next signing', ['SIGN-012'], {
    signedData: (data, signatures, isSignature) =>
      signedData(
        data,
        Object.fromEntries(
          Object.entries(signatures).map(([key, value]) => [key, data[key] === undefined ? '' : value]),
        ),
        isSignature,
      ),
  }),
  decides('odd-signatures-survive', 'only keys with an id of six characters count as signatures', ['SIGN-015'], {
    isSignatureKey: (key) => /^jws-kubeconfig-[a-z0-9]{6}$/.test(key),
  }),
  decides('signs-bytes-of-characters', 'characters beyond ASCII are signed as one byte each', ['SIGN-007'], {
    signaturePayload: (content) => Buffer.from(content, 'latin1'),
  }),
  decides('texts-are-normalized', 'letters made of two are signed as one', ['SIGN-007'], {
    signaturePayload: (content) => Buffer.from(content.normalize('NFC'), 'utf8'),
  }),
  decides('byte-order-mark-is-not-signed', 'a byte order mark before the text is not signed', ['SIGN-007'], {
    signaturePayload: (content) => Buffer.from(content.replace(/^\ufeff/, ''), 'utf8'),
  }),
  decides('blanks-are-not-signed', 'blanks before the end of a line are not signed', ['SIGN-007'], {
    signaturePayload: (content) => Buffer.from(content.replace(/[ \t]+(?=\r?\n)/g, ''), 'utf8'),
  }),
  decides('ends-of-lines-are-written-anew', 'the signer writes its own ends of lines', ['SIGN-010'], {
    signedData: (data, signatures, isSignature) => ({
      ...signedData(data, signatures, isSignature),
      kubeconfig: (data.kubeconfig ?? '').replaceAll('\r\n', '\n'),
    }),
  }),
  decides('kubeconfig-ends-in-one-newline', 'the signer puts a newline to the end of the kubeconfig', ['SIGN-010'], {
    signedData: (data, signatures, isSignature) => ({
      ...signedData(data, signatures, isSignature),
      kubeconfig: `${data.kubeconfig ?? ''}\n`,
    }),
    signerWakes: ({ subject }) => subject === 'secret',
  }),
  remembering(() => {
    let lost = false;
    return decides('signer-gives-up', 'once there was no kubeconfig the signer signs no more', ['SIGN-017'], {
      contentToSign: (data) => {
        lost ||= data.kubeconfig === undefined;
        return lost ? undefined : data.kubeconfig;
      },
    });
  }),
  {
    name: 'no-signer-on-a-hidden-control-plane',
    defect: 'no static Pod shows the flags, and nobody signs',
    killedBy: ['SIGN-001'],
    options: { withNode: false, controllers: { bootstrapsigner: false } },
  },
];

export const mutants: readonly Mutant[] = [...READING, ...WRITING];
