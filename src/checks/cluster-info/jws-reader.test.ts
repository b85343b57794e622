/** What is read of signatures: their looks, and what they were made of. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  isSignedAlike,
  type KnownToken,
  type Recipe,
  RIGHT,
  readSignatureFor,
  readSignatures,
  type SignatureFacts,
  signatureKeysIn,
} from './jws-reader.js';

const TEXT = '\n kind: Config\nname: ???>\n\n\n';
const TOKEN: KnownToken = { id: 'abcdef', half: '0123456789abcdef' };
const KEY = 'jws-kubeconfig-abcdef';
const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const HEADER = encoded('{"alg":"HS256","kid":"abcdef"}');

const map = (data: Readonly<Record<string, string>>) => ({ metadata: { name: 'cluster-info' }, data });
const macOf = (key: string, over: string, hash = 'sha256'): Buffer => createHmac(hash, key).update(over).digest();
/** A sound signature, but for what is given. */
function signed(given: { half?: string; header?: string; over?: string; hash?: string } = {}): string {
  const { half = TOKEN.half, header = HEADER, over = `${header}.${encoded(TEXT)}`, hash } = given;
  return `${header}..${macOf(half, over, hash).toString('base64url')}`;
}

async function factsOf(value: string, token = TOKEN, text = TEXT): Promise<SignatureFacts> {
  const key = `jws-kubeconfig-${token.id}`;
  const { signatures } = await readSignatures(map({ kubeconfig: text, [key]: value }), [token]);
  const [facts] = signatures;
  assert.ok(facts !== undefined && signatures.length === 1);
  return facts;
}
const headerOf = async (text: string) => (await factsOf(`${encoded(text)}..x`)).header;
const recipeOf = async (value: string): Promise<Recipe | null | undefined> => (await factsOf(value)).own?.recipe;

describe('a sound signature', () => {
  it('is read whole', async () =>
    assert.deepEqual(await factsOf(signed()), {
      key: KEY,
      id: 'abcdef',
      shape: 'detached',
      dots: 2,
      header: { alg: 'HS256', kid: 'id', members: ['alg', 'kid'], exact: true },
      mac: { characters: 43, form: 'base64url' },
      own: {
        verifies: true,
        recipe: {
          key: 'the secret half',
          payload: 'the exact bytes in base64url',
          form: '<header>.<payload>',
        },
      },
      others: [],
    }));
});

describe('the shape of a value', () => {
  for (const [value, shape, dots] of [
    ['', 'empty', 0],
    ['{}', 'json', 0],
    [' \n{"a":"b.c"}', 'json', 1],
    ['x', 'dots', 0],
    ['a.b', 'dots', 1],
    ['a...b', 'dots', 3],
    ['a.b.c', 'attached', 2],
    ['..', 'halved', 2],
    ['a..', 'halved', 2],
    ['..b', 'halved', 2],
    ['a..b', 'detached', 2],
    ['a..b=', 'detached', 2],
    ['a=..b', 'encoding', 2],
    ['a..b+', 'encoding', 2],
    ['a..+b', 'encoding', 2],
    ['+a..b', 'encoding', 2],
    ['a{..b', 'encoding', 2],
    ['a-_Z09..-_Z09', 'detached', 2],
  ] as const)
    it(`of ${JSON.stringify(value)} is ${shape}`, async () => {
      const facts = await factsOf(value);
      assert.deepEqual([facts.shape, facts.dots], [shape, dots]);
      assert.equal(facts.own?.verifies, false);
    });
});

describe('the header of a signature', () => {
  it('is none where it is no JSON object', async () => {
    for (const text of ['', '{', 'null', '[]', '"a"', '1', 'true']) assert.equal(await headerOf(text), null, text);
    assert.equal((await factsOf('')).header, null);
  });

  it('says its algorithm as it stands there', async () => {
    assert.equal((await headerOf('{"kid":"abcdef"}'))?.alg, null);
    assert.equal((await headerOf('{"alg":"none"}'))?.alg, 'none');
    assert.deepEqual((await headerOf('{"alg":["HS256"]}'))?.alg, ['HS256']);
  });

  it('says whose it is, but no more of it', async () => {
    const kid = async (header: object) => (await headerOf(JSON.stringify(header)))?.kid;
    assert.equal(await kid({ kid: 'abcdef' }), 'id');
    assert.equal(await kid({ alg: 'HS256' }), 'absent');
    assert.equal(await kid({ kid: 'abcdef.0123456789abcdef' }), 'more');
    assert.equal(await kid({ kid: 'abcdeg' }), 'another');
    for (const other of [null, 1, ['.'], '']) assert.equal(await kid({ kid: other }), 'another');
  });

  it('says its members in order', async () =>
    assert.deepEqual((await headerOf('{"kid":"x","typ":"JWT","alg":"HS256"}'))?.members, ['alg', 'kid', 'typ']));

  it('is exact in one text only', async () => {
    assert.equal((await headerOf('{"alg":"HS256","kid":"abcdef"}'))?.exact, true);
    for (const text of ['{"kid":"abcdef","alg":"HS256"}', '{"alg": "HS256","kid":"abcdef"}', '{"alg":"HS256"}'])
      assert.equal((await headerOf(text))?.exact, false, text);
  });
});

describe('the form of a MAC', () => {
  const good = macOf('a', 'b').toString('base64url');
  const hex = macOf('a', 'b').toString('hex');
  for (const [mac, form] of [
    [good, 'base64url'],
    [`${good}=`, 'padded'],
    ['x=', 'padded'],
    ['=x', 'another'],
    [`${good}A`, 'another'],
    [`A${good}`, 'another'],
    [`${good.slice(0, -1)}B`, 'another'],
    [good.slice(1), 'another'],
    [hex, 'hexadecimal'],
    [`${hex}0`, 'another'],
    [`0${hex}`, 'another'],
    [hex.slice(1), 'another'],
    [`${hex.slice(1)}g`, 'another'],
    ['', 'another'],
  ] as const)
    it(`${JSON.stringify(mac)} is ${form}`, async () => {
      const facts = await factsOf(`${HEADER}..${mac}`);
      assert.deepEqual(facts.mac, { characters: mac.length, form });
    });

  it('is that of nothing where there are not two dots', async () =>
    assert.deepEqual((await factsOf('a.b')).mac, { characters: 0, form: 'another' }));
});

describe('what a signature was made of', () => {
  it('is said of each key', async () => {
    const keys = {
      'the secret half': TOKEN.half,
      'the whole token, as document 001 says': `${TOKEN.id}.${TOKEN.half}`,
      'the token id, which is public': TOKEN.id,
      'the base64 text of the secret half': Buffer.from(TOKEN.half).toString('base64'),
      'an empty key': '',
    };
    for (const [key, half] of Object.entries(keys))
      assert.deepEqual(await recipeOf(signed({ half })), { ...RIGHT, key });
    assert.equal(await recipeOf(signed({ half: 'of nobody' })), null);
  });

  it('is said of each payload', async () => {
    const bytes = Buffer.from(TEXT);
    const standard = bytes.toString('base64');
    assert.match(standard, /[+/].*=$/);
    const payloads = {
      'the exact bytes in base64url': encoded(TEXT),
      'standard base64 with padding': standard,
      'standard base64 without padding': standard.replace(/=+$/, ''),
      'the trimmed text': encoded(TEXT.trim()),
      'the text without its last newline': encoded(TEXT.slice(0, -1)),
      'an empty text': '',
    };
    for (const [payload, text] of Object.entries(payloads)) {
      const recipe = await recipeOf(signed({ over: `${HEADER}.${text}` }));
      assert.deepEqual(recipe, { ...RIGHT, payload });
    }
    assert.equal(await recipeOf(signed({ over: `${HEADER}.${encoded(TEXT.replace('\n', ''))}` })), null);
  });

  it('is said of each form', async () => {
    const forms = {
      'the raw text alone': TEXT,
      '<header>..': `${HEADER}..`,
      '<header>.<raw text>': `${HEADER}.${TEXT}`,
      'the encoded payload alone': encoded(TEXT),
    };
    for (const [form, over] of Object.entries(forms))
      assert.deepEqual(await recipeOf(signed({ over })), { ...RIGHT, form });
  });

  it('is said of the hash that the header names, and of hexadecimal digits', async () => {
    for (const [alg, hash] of [
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const header = encoded(`{"alg":"${alg}","kid":"abcdef"}`);
      assert.deepEqual(await recipeOf(signed({ header, hash })), RIGHT);
      assert.equal(await recipeOf(signed({ header })), null);
      assert.equal((await factsOf(signed({ header, hash }))).own?.verifies, false);
      assert.equal(await recipeOf(signed({ hash })), null);
    }
    const hex = macOf(TOKEN.half, `${HEADER}.${encoded(TEXT)}`).toString('hex');
    const facts = await factsOf(`${HEADER}..${hex}`);
    assert.deepEqual(facts.own, { verifies: false, recipe: RIGHT });
    assert.deepEqual(await recipeOf(`${signed()}=`), RIGHT);
  });

  it('is sought also where there is no header', async () => {
    const over = `.${encoded(TEXT)}`;
    const value = `..${macOf(TOKEN.half, over).toString('base64url')}`;
    assert.deepEqual(await recipeOf(value), RIGHT);
  });
});

describe('the tokens of others', () => {
  const other: KnownToken = { id: 'bbbbbb', half: 'fedcba9876543210' };
  const third: KnownToken = { id: 'cccccc', half: 'cccccccccccccccc' };
  const seen = async (data: Readonly<Record<string, string>>, tokens: readonly KnownToken[]) =>
    (await readSignatures(map({ kubeconfig: TEXT, ...data }), tokens)).signatures.map(({ own, others }) => [
      own?.verifies,
      others,
    ]);

  it('are tried where the own one does not fit', async () => {
    assert.deepEqual(await seen({ [KEY]: signed({ half: other.half }) }, [third, TOKEN, other]), [[false, ['bbbbbb']]]);
    assert.deepEqual(await seen({ [KEY]: signed() }, [TOKEN, { ...TOKEN, id: 'dddddd' }]), [[true, []]]);
    assert.deepEqual(await seen({ [KEY]: signed({ half: 'nobody' }) }, [TOKEN, other]), [[false, []]]);
  });

  it('that have the same half are no others', async () =>
    assert.deepEqual(await seen({ [KEY]: 'x..y' }, [TOKEN, { ...TOKEN, id: 'dddddd' }]), [[false, []]]));

  it('are not tried without end', async () => {
    const many = Array.from({ length: 10_000 }, (_, n): KnownToken => ({ id: `many-${n}`, half: `half ${n}` }));
    const wrong = signed({ half: other.half });
    const told = await seen({ [KEY]: wrong }, [...many.slice(0, 9_998), TOKEN, other]);
    assert.deepEqual(told, [[false, ['bbbbbb']]]);
    assert.deepEqual(await seen({ [KEY]: wrong }, [...many.slice(0, 9_999), TOKEN, other]), [[false, []]]);
  });

  it('and signatures of tokens that are not known are not tried', async () =>
    assert.deepEqual(await seen({ [KEY]: signed(), 'jws-kubeconfig-x': signed() }, [other]), [
      [undefined, []],
      [undefined, []],
    ]));
});

describe('the signatures of cluster-info', () => {
  const tokens = [{ id: 'b', half: '1' }, TOKEN];
  it('are read by key, beside the ids of known tokens', async () => {
    const data = { 'jws-kubeconfig-c': '', kubeconfig: TEXT, 'jws-kubeconfig-a': '', 'jws-kubeconfig-b': '' };
    const read = await readSignatures(map(data), tokens);
    assert.deepEqual([read.text, read.tokens], [true, ['b', 'abcdef']]);
    assert.deepEqual(
      read.signatures.map(({ key, id }) => [key, id]),
      ['a', 'b', 'c'].map((id) => [`jws-kubeconfig-${id}`, id]),
    );
    assert.deepEqual(signatureKeysIn(map(data)), ['jws-kubeconfig-a', 'jws-kubeconfig-b', 'jws-kubeconfig-c']);
  });

  it('are none where it holds nothing', async () => {
    const empty = { metadata: { name: 'cluster-info' } };
    assert.deepEqual(await readSignatures(empty, []), { text: false, tokens: [], signatures: [] });
    assert.deepEqual(await readSignatureFor(empty, TOKEN), { text: false, tokens: ['abcdef'], signatures: [] });
    assert.deepEqual(signatureKeysIn(empty), []);
    assert.equal(isSignedAlike(empty, empty), true);
    assert.equal(isSignedAlike(map({ [KEY]: '1' }), empty), true);
    assert.equal(isSignedAlike(empty, map({ [KEY]: '1' })), false);
  });

  it('are those of another reader where each that both have is the same', () => {
    const other = 'jws-kubeconfig-ghijkl';
    const own = map({ [KEY]: '1', [other]: '2' });
    for (const [given, same] of [
      [{ [KEY]: '1', [other]: '2' }, true],
      [{ [KEY]: '1' }, true],
      [{ [other]: '2', 'jws-kubeconfig-new': '3' }, true],
      [{ [KEY]: '9', [other]: '2' }, false],
      [{ [KEY]: '1', [other]: '9' }, false],
      [{ kubeconfig: 'a' }, false],
    ] as const)
      assert.equal(isSignedAlike(map(given), own), same, JSON.stringify(given));
  });

  it('are tried over an empty text too', async () => {
    const over = `${HEADER}.`;
    const facts = await factsOf(signed({ over }), TOKEN, '');
    assert.equal(facts.own?.verifies, true);
  });

  it('hold for no empty half, whoever has it', async () => {
    const empty = { ...TOKEN, half: '' };
    const facts = await factsOf(signed({ half: '' }), empty);
    assert.equal(facts.own?.verifies, false);
  });

  it('do not verify where the same bytes are written otherwise', async () => {
    const value = signed();
    const last = value.charCodeAt(value.length - 1);
    const sloppy = value.slice(0, -1) + String.fromCharCode(last + 1);
    for (const other of [`${value}=`, sloppy, value.replace('..', '=..')])
      assert.equal((await factsOf(other)).own?.verifies, false, other);
    const header = encoded('{"kid":"abcdef","alg":"HS256"}');
    assert.deepEqual((await factsOf(signed({ header }))).own, { verifies: false, recipe: RIGHT });
  });
});
