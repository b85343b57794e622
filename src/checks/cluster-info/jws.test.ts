import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Check } from '../../model/check.js';
import {
  eachTokenHasSignature,
  mapUnsigned,
  type SignatureOwner,
  signatureAlgorithm,
  signatureExact,
  signatureHasToken,
  signatureHeader,
  signatureKeyId,
  signatureLength,
  signatureMadeOf,
  signatureOfOneToken,
  signatureOrdinaryPayload,
  signatureShape,
  signedFor,
} from './jws.js';
import {
  isSignedAlike,
  type KnownToken,
  readSignatureFor,
  readSignatures,
  type Signatures,
  signatureKeysIn,
} from './jws-reader.js';

const TEXT = 'kind: Config\n';
const TOKEN: KnownToken = { id: '07401b', half: 'f395accd246ae52d' };
const HEADER = Buffer.from('{"alg":"HS256","kid":"07401b"}').toString('base64url');
// Computed by hand, with two programs.
const BY_HALF = 'TiEW1GAnPVzbk3w0pG034bYDj5ch7Q_BlCzyiwmInxA';
const BY_WHOLE_TOKEN = 'GyqlfAnPnx7gXj0T4J1JzFosroLbIyNS1ekFNu28O2I';
const GOOD = `${HEADER}..${BY_HALF}`;

const map = (data: Readonly<Record<string, string>>) => ({ metadata: { name: 'cluster-info' }, data });
/** What is read of one value under the key of a token. */
const read = (value: string, { text = TEXT, token = TOKEN } = {}): Promise<Signatures> =>
  readSignatureFor(map({ kubeconfig: text, [`jws-kubeconfig-${token.id}`]: value }), token);

const verifies = async (value: string, text = TEXT, token = TOKEN): Promise<boolean> =>
  (await read(value, { text, token })).signatures[0]?.own?.verifies ?? false;

function sign(
  text: string,
  token: KnownToken,
  header = `{"alg":"HS256","kid":"${token.id}"}`,
  key = token.half,
): string {
  const head = Buffer.from(header).toString('base64url');
  const mac = createHmac('sha256', key)
    .update(`${head}.${Buffer.from(text).toString('base64url')}`)
    .digest('base64url');
  return `${head}..${mac}`;
}

/** The results of a check, judged twice: as read, and as a report holds it. */
function results<O, P>(check: Check<O, P>, observation: O, parameters: P): readonly string[] {
  const findings = check.judge(observation, parameters);
  assert.deepEqual(check.judge(JSON.parse(JSON.stringify(observation)), parameters), findings);
  return findings.map(({ result, refusal }) => (refusal === true ? `${result} refusal` : result));
}

const LOOKS = [
  signatureShape,
  signatureAlgorithm,
  signatureKeyId,
  signatureHeader,
  signatureLength,
  signatureOrdinaryPayload,
];

describe('the golden vectors', () => {
  it('verify with the secret half, as real clusters sign', async () => {
    const good = await read(GOOD);
    assert.equal(await verifies(GOOD), true);
    for (const ingredient of ['key', 'payload', 'form'] as const)
      assert.deepEqual(results(signatureMadeOf, good, { ingredient }), ['met']);
    for (const check of [...LOOKS, signatureOfOneToken, signedFor, eachTokenHasSignature])
      assert.deepEqual(results(check, good, undefined), ['met'], check.id);
    assert.match(signatureMadeOf.judge(good, { ingredient: 'key' })[0]?.note ?? '', /erratum/);
  });

  it('do not verify with the whole token, and say so', async () => {
    const whole = await read(`${HEADER}..${BY_WHOLE_TOKEN}`);
    assert.equal(whole.signatures[0]?.own?.verifies, false);
    const [finding] = signatureMadeOf.judge(whole, { ingredient: 'key' });
    assert.equal(finding?.result, 'unmet');
    assert.match(finding?.seen ?? '', /whole token/);
    assert.deepEqual(results(signatureMadeOf, whole, { ingredient: 'payload' }), ['met']);
  });

  it('of upstream’s own tests are made as expected', async () => {
    const hello = 'Hello from the other side. I must have called a thousand times.';
    const cases: readonly (readonly [string, KnownToken, string])[] = [
      [hello, { id: 'joshua', half: 'my voice is my passcode' }, 'VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8'],
      ['', { id: 'joshua', half: 'my voice is my passcode' }, '7Ui1ALizW4jXphVUB7xUqC9vLYLL9RZeOFfVLoB7Tgk'],
      ['payload', { id: 'abc123', half: 'tokenSecret' }, 'QSxpUG7Q542CirTI2ECPSZjvBOJURUW5a7XqFpNI958'],
    ];
    for (const [text, token, mac] of cases) {
      const made = `${Buffer.from(`{"alg":"HS256","kid":"${token.id}"}`).toString('base64url')}..${mac}`;
      const { signatures } = await read(made, { text, token });
      assert.deepEqual(signatures[0]?.own, {
        verifies: true,
        recipe: { key: 'the secret half', payload: 'the exact bytes in base64url', form: '<header>.<payload>' },
      });
      const other = await read(made, { text: `${text}foo`, token });
      assert.notEqual(other.signatures[0]?.own?.recipe?.payload, 'the exact bytes in base64url');
    }
  });

  it('of the document has the right shape, though its text is lost', async () => {
    const printed = await read('eyJhbGciOiJIUzI1NiIsImtpZCI6IjA3NDAxYiJ9..tYEfbo6zDNo40MQE07aZcQX2m3EB2rO3NuXtxVMYm9U');
    for (const check of LOOKS) assert.deepEqual(results(check, printed, undefined), ['met'], check.id);
  });
});

describe('the looks of a signature', () => {
  const header = (text: string): string => `${Buffer.from(text).toString('base64url')}..${BY_HALF}`;
  const cases: readonly (readonly [string, string, readonly Check<Signatures>[]])[] = [
    ['empty', '', [signatureShape, signatureAlgorithm, signatureKeyId, signatureHeader, signatureLength]],
    ['JSON', `{"signature":"${BY_HALF}"}`, [signatureShape]],
    ['one dot', `${HEADER}.${BY_HALF}`, [signatureShape, signatureLength]],
    ['an attached payload', `${HEADER}.eA.${BY_HALF}`, [signatureShape]],
    ['no header', `..${BY_HALF}`, [signatureShape, signatureAlgorithm]],
    ['no base64url', `${HEADER}..${BY_HALF.slice(1)}+`, [signatureShape, signatureLength]],
    ['a padded MAC', `${GOOD}=`, [signatureLength]],
    ['a MAC in hexadecimal digits', `${HEADER}..${'0'.repeat(64)}`, [signatureLength]],
    ['another algorithm', header('{"alg":"HS384","kid":"07401b"}'), [signatureAlgorithm, signatureHeader]],
    ['no algorithm', header('{"kid":"07401b"}'), [signatureAlgorithm, signatureHeader]],
    ['no kid', header('{"alg":"HS256"}'), [signatureKeyId, signatureHeader]],
    ['another kid', header('{"alg":"HS256","kid":"aaaaaa"}'), [signatureKeyId, signatureHeader]],
    ['another order', header('{"kid":"07401b","alg":"HS256"}'), [signatureHeader]],
    ['one more member', header('{"alg":"HS256","kid":"07401b","typ":"JWT"}'), [signatureHeader]],
    ['crit alone', header('{"alg":"HS256","crit":["exp"],"kid":"07401b"}'), [signatureOrdinaryPayload]],
    ['b64 alone', header('{"alg":"HS256","b64":false,"kid":"07401b"}'), [signatureOrdinaryPayload]],
    ['crit and b64', header('{"alg":"HS256","b64":false,"crit":["b64"],"kid":"07401b"}'), [signatureOrdinaryPayload]],
  ];
  for (const [what, value, checks] of cases)
    it(`${what} is told`, async () => {
      const seen = await read(value);
      for (const check of checks) assert.deepEqual(results(check, seen, undefined), ['unmet'], check.id);
      assert.equal(await verifies(value), false);
    });

  for (const member of ['', 'B64', ' b64', 'b64url', 'Crit', 'critical'])
    it(`"${member}" changes no payload`, async () => {
      const seen = await read(header(`{"alg":"HS256","${member}":false,"kid":"07401b"}`));
      assert.deepEqual(results(signatureOrdinaryPayload, seen, undefined), ['met']);
      assert.deepEqual(results(signatureHeader, seen, undefined), ['unmet']);
    });

  it('give no secret away, though the header may', async () => {
    const seen = await read(header(`{"alg":"HS256","kid":"${TOKEN.id}.${TOKEN.half}"}`));
    assert.deepEqual(results(signatureKeyId, seen, undefined), ['unmet']);
    assert.match(signatureKeyId.judge(seen, undefined)[0]?.seen ?? '', /more than the id/);
    const text = JSON.stringify([seen, signatureKeyId.judge(seen, undefined)]);
    assert.ok(!text.includes(TOKEN.half) && !text.includes(BY_HALF));
  });
});

describe('what verifies', () => {
  it('is what was signed with this token over this text, and nothing else', async () => {
    const token = fc.record({ id: fc.stringMatching(/^[a-z0-9]{6}$/), half: fc.stringMatching(/^[a-z0-9]{16}$/) });
    await fc.assert(
      fc.asyncProperty(fc.string(), token, token, fc.string({ minLength: 1 }), async (text, own, other, added) => {
        const made = sign(text, own);
        assert.equal(await verifies(made, text, own), true);
        const same = Buffer.from(text + added).equals(Buffer.from(text));
        assert.equal(await verifies(made, text + added, own), same);
        if (other.half !== own.half) assert.equal(await verifies(made, text, { ...own, half: other.half }), false);
        if (other.id !== own.id) assert.equal(await verifies(made, text, { ...own, id: other.id }), false);
      }),
      { numRuns: 50 },
    );
  });

  it('is nothing with one character changed', async () => {
    // The last character of 43 carries two bits that no byte takes.
    for (let at = 0; at < GOOD.length - 1; at += 1) {
      const changed = GOOD.slice(0, at) + (GOOD[at] === 'A' ? 'B' : 'A') + GOOD.slice(at + 1);
      assert.equal(await verifies(changed), false, String(at));
    }
  });

  it('is nothing with an empty secret half', async () =>
    assert.equal(await verifies(sign(TEXT, { ...TOKEN, half: '' }), TEXT, { ...TOKEN, half: '' }), false));
});

describe('what a wrong signature was made of', () => {
  const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const payload = Buffer.from(TEXT).toString('base64url');
  const seen = async (mac: string, ingredient: 'key' | 'payload' | 'form') =>
    signatureMadeOf.judge(await read(`${HEADER}..${mac}`), { ingredient })[0]?.seen ?? '';

  it('is said of the key', async () => {
    assert.match(await seen(hmac('07401b', `${HEADER}.${payload}`), 'key'), /token id/);
    const encoded = Buffer.from(TOKEN.half).toString('base64');
    assert.match(await seen(hmac(encoded, `${HEADER}.${payload}`), 'key'), /base64/);
  });
  it('is said of the payload', async () => {
    const trimmed = hmac(TOKEN.half, `${HEADER}.${Buffer.from(TEXT.trim()).toString('base64url')}`);
    assert.match(await seen(trimmed, 'payload'), /trimmed|newline/);
    assert.equal(await seen(trimmed, 'key'), 'the secret half');
  });
  it('is said of the form', async () => assert.match(await seen(hmac(TOKEN.half, TEXT), 'form'), /raw text/));
  it('is admitted where nothing fits', async () => assert.match(await seen('A'.repeat(43), 'key'), /nothing known/));
});

describe('the signatures of several tokens', () => {
  const other: KnownToken = { id: 'aaaaaa', half: '0123456789abcdef' };
  const both = (data: Readonly<Record<string, string>>) =>
    readSignatures(map({ kubeconfig: TEXT, ...data }), [TOKEN, other]);

  it('are told one by one: absent, empty, another, good', async () => {
    const seen = await both({ 'jws-kubeconfig-07401b': '' });
    assert.deepEqual(
      signedFor.judge(seen, undefined).map(({ seen: told }) => told),
      ['the value is empty', 'there is no such key'],
    );
    assert.deepEqual(results(eachTokenHasSignature, seen, undefined), ['unmet', 'unmet']);
    const more = await both({ 'jws-kubeconfig-07401b': 'x..y', 'jws-kubeconfig-aaaaaa': sign(TEXT, other) });
    assert.deepEqual(
      signedFor.judge(more, undefined).map(({ seen: told }) => told),
      ['the signature is another', 'it does'],
    );
    assert.deepEqual(results(signedFor, more, undefined), ['unmet', 'met']);
  });

  it('are of one token each', async () => {
    const seen = await both({
      'jws-kubeconfig-07401b': sign(TEXT, TOKEN, undefined, other.half),
      'jws-kubeconfig-aaaaaa': sign(TEXT, other),
      'jws-kubeconfig-bbbbbb': 'of nobody who is known',
    });
    assert.deepEqual(results(signatureOfOneToken, seen, undefined), ['unmet', 'met']);
    assert.match(signatureOfOneToken.judge(seen, undefined)[0]?.seen ?? '', /aaaaaa/);
    const nobodys = await both({ 'jws-kubeconfig-07401b': sign(TEXT, TOKEN, undefined, 'f395accd246ae52e') });
    assert.deepEqual(results(signatureOfOneToken, nobodys, undefined), ['unmet']);
    const [own] = (await read(GOOD)).signatures;
    const shared = { text: true, tokens: [], signatures: own === undefined ? [] : [{ ...own, others: ['aaaaaa'] }] };
    assert.deepEqual(results(signatureOfOneToken, shared, undefined), ['unmet']);
  });

  it('are not tried without a text', async () => {
    const seen = await readSignatures(map({ 'jws-kubeconfig-07401b': sign('', TOKEN) }), [TOKEN]);
    assert.deepEqual([seen.text, seen.signatures[0]?.own], [false, null]);
    assert.deepEqual(results(signedFor, seen, undefined), ['unmet']);
    assert.deepEqual(
      [results(signatureOfOneToken, seen, undefined), signatureOfOneToken.nothing === undefined],
      [[], false],
    );
  });

  it('are refused where the same bytes are written otherwise', async () => {
    // of the last character two bits are read by nobody
    const sloppy = GOOD.slice(0, -1) + String.fromCharCode(GOOD.charCodeAt(GOOD.length - 1) + 1);
    assert.equal(Buffer.from(sloppy.slice(-43), 'base64url').toString('base64url'), BY_HALF);
    const seen = await read(sloppy);
    assert.deepEqual(results(signatureLength, seen, undefined), ['unmet']);
    assert.deepEqual(results(signedFor, seen, undefined), ['unmet']);
    const padded = await read(GOOD.replace('..', '=..'));
    assert.deepEqual(results(signatureHeader, padded, undefined), ['unmet']);
    assert.deepEqual(results(signedFor, padded, undefined), ['unmet']);
    for (const other of [seen, padded]) assert.deepEqual(results(signatureExact, other, undefined), ['unmet']);
    assert.deepEqual(results(signatureExact, await read(GOOD), undefined), ['met']);
  });

  it('are none where the value is empty', async () =>
    assert.deepEqual(results(eachTokenHasSignature, await read(''), undefined), ['unmet']));

  it('are read of one token without those of others', async () => {
    const all = map({ kubeconfig: TEXT, 'jws-kubeconfig-07401b': GOOD, 'jws-kubeconfig-aaaaaa': sign(TEXT, other) });
    const { text, signatures } = await readSignatureFor(all, TOKEN);
    assert.deepEqual([text, signatures.map(({ id }) => id)], [true, ['07401b']]);
  });

  it('are the same for every reader, as far as both have them', () => {
    const alike = (given: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): boolean =>
      isSignedAlike(map(given), map(own));
    const [a, b] = [{ 'jws-kubeconfig-a': '1' }, { 'jws-kubeconfig-b': '2' }];
    assert.ok(alike(a, a) && alike({}, { kubeconfig: TEXT }) && alike({ ...a, ...b }, a) && alike(b, a));
    assert.ok(!alike({}, a) && !alike({ 'jws-kubeconfig-a': '2' }, a) && !alike({ ...b, 'jws-kubeconfig-a': '' }, a));
  });

  it('are found by their prefix', () =>
    assert.deepEqual(signatureKeysIn(map({ 'jws-kubeconfig-b': '1', 'jws-kubeconfig-a': '2', 'jws-kubeconfig': '' })), [
      'jws-kubeconfig-a',
      'jws-kubeconfig-b',
    ]));

  it('belong to a Secret', () => {
    const owner = (secret: SignatureOwner['secret']) => ({ key: 'jws-kubeconfig-07401b', id: '07401b', secret });
    const owners = [owner('signs'), owner('signs not'), owner('absent')];
    assert.deepEqual(results(signatureHasToken, owners, undefined), ['met', 'unmet', 'unmet']);
  });

  it('are in no other ConfigMap; one that is gone says nothing', () => {
    const other = (there: boolean, signatures: readonly string[]) => ({ subject: 'ConfigMap a/b', there, signatures });
    assert.deepEqual(
      results(mapUnsigned, [other(true, []), other(true, ['jws-kubeconfig-a']), other(false, [])], undefined),
      ['met refusal', 'unmet refusal', 'unclear refusal'],
    );
  });
});
