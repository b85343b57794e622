/** Signatures made by node:crypto, under algorithms written as DER by hand. */
import assert from 'node:assert/strict';
import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { context, type DerTree, der, integer, nothing, oid, sequence } from '../../pki/der-write.js';
import { readDer } from './der.js';
import { keyOf, pinOf, signatureProblem } from './signature.js';

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const ed25519 = generateKeyPairSync('ed25519');

const spkiOf = ({ publicKey }: Pair): Buffer => publicKey.export({ format: 'der', type: 'spki' });
const algorithm = (dotted: string, ...parameters: readonly DerTree[]) =>
  readDer(der(sequence(oid(dotted), ...parameters)));
const TEXT = Buffer.from('what is signed');
const PSS = '1.2.840.113549.1.1.10';

interface Made {
  readonly dotted: string;
  readonly parameters?: readonly DerTree[];
  readonly pair: Pair;
  readonly hash: string | null;
  /** What node:crypto takes beside the key. */
  readonly how?: { readonly padding: number; readonly saltLength?: number };
  readonly old?: boolean;
}

function problem({ dotted, parameters = [], pair, hash, how, old }: Made, signed = TEXT): string | undefined {
  return signatureProblem({
    algorithm: algorithm(dotted, ...parameters),
    signed,
    signature: sign(hash, TEXT, { key: pair.privateKey, ...how }),
    spki: spkiOf(pair),
    ...(old === undefined ? {} : { old }),
  });
}

const COUNTING: readonly Made[] = [
  { dotted: '1.2.840.113549.1.1.11', pair: rsa, hash: 'sha256' },
  { dotted: '1.2.840.113549.1.1.12', pair: rsa, hash: 'sha384' },
  { dotted: '1.2.840.113549.1.1.13', pair: rsa, hash: 'sha512' },
  { dotted: '1.2.840.10045.4.3.2', pair: ec, hash: 'sha256' },
  { dotted: '1.2.840.10045.4.3.3', pair: ec, hash: 'sha384' },
  { dotted: '1.2.840.10045.4.3.4', pair: ec, hash: 'sha512' },
  { dotted: '1.3.101.112', pair: ed25519, hash: null },
];
const OLD: readonly Made[] = [
  { dotted: '1.2.840.113549.1.1.5', pair: rsa, hash: 'sha1' },
  { dotted: '1.3.14.3.2.29', pair: rsa, hash: 'sha1' },
  { dotted: '1.2.840.10045.4.1', pair: ec, hash: 'sha1' },
];
const SHA = { sha256: 1, sha384: 2, sha512: 3 } as const;
const hashOf = (arc: number): DerTree => sequence(oid(`2.16.840.1.101.3.4.2.${arc}`), nothing());

describe('a signature', () => {
  for (const made of COUNTING)
    it(`by ${made.dotted} holds over what was signed, and over nothing else`, () => {
      assert.equal(problem(made), undefined);
      assert.equal(problem({ ...made, old: true }), undefined);
      assert.equal(problem(made, Buffer.from('what is Signed')), 'the signature is not by that key');
    });

  for (const made of OLD)
    it(`by ${made.dotted} counts only where SHA-1 does`, () => {
      const refused = `it is signed by an algorithm that does not count (${made.dotted})`;
      assert.equal(problem({ ...made, old: true }), undefined);
      assert.equal(problem({ ...made, old: false }), refused);
      assert.equal(problem(made), refused);
    });

  it('by an algorithm of nobody does not count, even where SHA-1 does', () => {
    const made = { dotted: '1.2.840.113549.1.1.4', pair: rsa, hash: 'md5', old: true };
    assert.equal(problem(made), 'it is signed by an algorithm that does not count (1.2.840.113549.1.1.4)');
  });

  it('of an algorithm for other keys does not hold', () => {
    const of = (dotted: string, pair: Pair): string | undefined => problem({ dotted, pair, hash: null });
    assert.equal(of('1.2.840.113549.1.1.11', ed25519), 'its algorithm is for rsa, its key ed25519');
    assert.equal(of('1.2.840.10045.4.3.2', ed25519), 'its algorithm is for ec, its key ed25519');
    const ofEc = problem({ dotted: '1.3.101.112', pair: ec, hash: 'sha256' });
    assert.equal(ofEc, 'its algorithm is for ed25519, its key ec');
  });

  it('of a small RSA key does not hold', () => {
    const of = (modulusLength: number): string | undefined => {
      const pair = generateKeyPairSync('rsa', { modulusLength });
      return problem({ dotted: '1.2.840.113549.1.1.11', pair, hash: 'sha256' });
    };
    for (const small of [512, 1016]) assert.equal(of(small), `its RSA key has ${small} bits`);
    assert.equal(of(1024), undefined);
  });

  it('by no key does not hold', () => {
    const under = (spki: Buffer) =>
      signatureProblem({ algorithm: algorithm('1.3.101.112'), signed: TEXT, signature: TEXT, spki });
    assert.equal(under(Buffer.from('3000', 'hex')), 'its key cannot be used');
    assert.equal(under(Buffer.alloc(0)), 'its key cannot be used');
  });

  it('whose algorithm is none is unreadable', () => {
    const under = (node: ReturnType<typeof readDer> | undefined) => (): unknown =>
      signatureProblem({ algorithm: node, signed: TEXT, signature: TEXT, spki: spkiOf(rsa) });
    assert.throws(under(undefined), { name: 'Unreadable', message: 'the signature algorithm is no sequence' });
    assert.throws(under(readDer(der(sequence()))), { message: 'an object identifier is missing' });
  });
});

describe('a signature by RSA-PSS', () => {
  const how = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const refused = `it is signed by an algorithm that does not count (${PSS})`;
  const made = (hash: string, ...parts: readonly DerTree[]): Made => ({
    dotted: PSS,
    parameters: [sequence(...parts)],
    pair: rsa,
    hash,
    how,
  });

  for (const [hash, arc] of Object.entries(SHA))
    it(`holds with ${hash}`, () => {
      const good = made(hash, context(0, [hashOf(arc)]));
      assert.equal(problem(good), undefined);
      assert.equal(problem(good, Buffer.from('what is Signed')), 'the signature is not by that key');
      const other = made(hash === 'sha256' ? 'sha512' : 'sha256', context(0, [hashOf(arc)]));
      assert.equal(problem(other), 'the signature is not by that key');
    });

  it('holds with a salt as long as the hash, and is no signature of the older padding', () => {
    const good = made('sha256', context(0, [hashOf(SHA.sha256)]));
    const salted = { ...good, how: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 } };
    const older = { ...good, how: { padding: constants.RSA_PKCS1_PADDING } };
    for (const one of [salted, older]) assert.equal(problem(one), 'the signature is not by that key');
    const pss = { dotted: '1.2.840.113549.1.1.11', pair: rsa, hash: 'sha256', how };
    assert.equal(problem(pss), 'the signature is not by that key');
  });

  it('takes its hash from [0], wherever it stands', () => {
    const behind = made('sha384', context(1, [hashOf(SHA.sha256)]), context(0, [hashOf(SHA.sha384)]));
    assert.equal(problem(behind), undefined);
    const set = { ...readDer(der(sequence())), class: 1, tag: 0, parts: [readDer(der(hashOf(SHA.sha256)))] };
    const parameters = { ...readDer(der(sequence())), parts: [set] };
    const named = algorithm(PSS);
    const signed = {
      algorithm: { ...named, parts: [...named.parts, parameters] },
      signed: TEXT,
      signature: sign('sha256', TEXT, { key: rsa.privateKey, ...how }),
      spki: spkiOf(rsa),
    };
    assert.equal(signatureProblem(signed), refused);
  });

  it('does not count without a hash, with an older one, or with one of nobody', () => {
    for (const parts of [
      [],
      [context(1, [hashOf(SHA.sha256)])],
      [context(0, [])],
      [context(0, [sequence(oid('1.3.14.3.2.26'), nothing())])],
      [context(2, [integer(Buffer.from([32]))])],
    ])
      assert.equal(problem(made('sha256', ...parts)), refused);
    assert.equal(problem({ ...made('sha256'), parameters: [] }), refused);
    assert.equal(problem({ ...made('sha1'), parameters: [], old: true }), refused);
    const broken = made('sha256', context(0, [nothing()]));
    assert.throws(() => problem(broken), { name: 'Unreadable', message: 'a hash is no sequence' });
  });

  it('does not take a hash from what only looks like its parameters', () => {
    // a hash beside an algorithm that is not RSA-PSS says nothing
    const parameters = [sequence(context(0, [hashOf(SHA.sha256)]))];
    assert.equal(problem({ dotted: '1.2.840.113549.1.1.12', parameters, pair: rsa, hash: 'sha384' }), undefined);
    const unknown = { dotted: '1.2.3.4', parameters, pair: rsa, hash: 'sha256', how };
    assert.equal(problem(unknown), 'it is signed by an algorithm that does not count (1.2.3.4)');
  });
});

describe('a public key', () => {
  it('is read once for many of its certificates, and anew for another', () => {
    const [one, other] = [spkiOf(rsa), spkiOf(ec)];
    const read = keyOf(one);
    assert.equal(read?.asymmetricKeyType, 'rsa');
    assert.equal(keyOf(Buffer.from(one)), read);
    assert.equal(keyOf(other)?.asymmetricKeyType, 'ec');
    assert.equal(keyOf(Buffer.from('no key')), undefined);
    assert.equal(keyOf(one)?.asymmetricKeyType, 'rsa');
  });

  it('is not taken for another that was written into the same bytes', () => {
    const bytes = Buffer.from(spkiOf(ed25519));
    const other = spkiOf(generateKeyPairSync('ed25519'));
    const first = keyOf(bytes);
    other.copy(bytes);
    assert.ok(first !== undefined && keyOf(bytes)?.equals(first) === false);
  });

  it('has the pin that kubeadm prints', () => {
    const spki = spkiOf(ec);
    assert.equal(pinOf(spki), `sha256:${createHash('sha256').update(spki).digest('hex')}`);
    assert.match(pinOf(Buffer.alloc(0)), /^sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855$/);
  });
});
