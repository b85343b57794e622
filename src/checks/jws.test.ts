import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  judgeAlgorithm,
  judgeHeaderBytes,
  judgeIngredient,
  judgeKeyId,
  judgeLength,
  judgeOrdinaryPayload,
  judgeShape,
  judgeSignatureFor,
  type KnownToken,
  recipeOf,
  type Signature,
  signaturesOf,
  verifies,
} from './jws.js';

const TEXT = 'kind: Config\n';
const TOKEN: KnownToken = { id: '07401b', half: 'f395accd246ae52d' };
const HEADER = Buffer.from('{"alg":"HS256","kid":"07401b"}').toString('base64url');
// Computed by hand, with two programs.
const BY_HALF = 'TiEW1GAnPVzbk3w0pG034bYDj5ch7Q_BlCzyiwmInxA';
const BY_WHOLE_TOKEN = 'GyqlfAnPnx7gXj0T4J1JzFosroLbIyNS1ekFNu28O2I';

const signature = (value: string, id = '07401b'): Signature => ({ id, key: `jws-kubeconfig-${id}`, value });
const GOOD = signature(`${HEADER}..${BY_HALF}`);

function sign(
  text: string,
  token: KnownToken,
  header = `{"alg":"HS256","kid":"${token.id}"}`,
  key = token.half,
): Signature {
  const head = Buffer.from(header).toString('base64url');
  const mac = createHmac('sha256', key)
    .update(`${head}.${Buffer.from(text).toString('base64url')}`)
    .digest('base64url');
  return signature(`${head}..${mac}`, token.id);
}

describe('the golden vectors', () => {
  it('verify with the secret half, as real clusters sign', async () => {
    assert.equal(await verifies(GOOD, TEXT, TOKEN), true);
    assert.equal(judgeIngredient(GOOD, TEXT, TOKEN, 'key').ok, true);
  });

  it('do not verify with the whole token, and say so', async () => {
    const whole = signature(`${HEADER}..${BY_WHOLE_TOKEN}`);
    assert.equal(await verifies(whole, TEXT, TOKEN), false);
    const judged = judgeIngredient(whole, TEXT, TOKEN, 'key');
    assert.equal(judged.ok, false);
    assert.match(judged.seen, /whole token/);
    assert.equal(judgeIngredient(whole, TEXT, TOKEN, 'payload').ok, true);
  });

  it('of upstream’s own tests are made as expected', () => {
    const hello = 'Hello from the other side. I must have called a thousand times.';
    const cases: readonly (readonly [string, KnownToken, string])[] = [
      [hello, { id: 'joshua', half: 'my voice is my passcode' }, 'VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8'],
      ['', { id: 'joshua', half: 'my voice is my passcode' }, '7Ui1ALizW4jXphVUB7xUqC9vLYLL9RZeOFfVLoB7Tgk'],
      ['payload', { id: 'abc123', half: 'tokenSecret' }, 'QSxpUG7Q542CirTI2ECPSZjvBOJURUW5a7XqFpNI958'],
    ];
    for (const [text, token, mac] of cases) {
      const made = signature(
        `${Buffer.from(`{"alg":"HS256","kid":"${token.id}"}`).toString('base64url')}..${mac}`,
        token.id,
      );
      assert.deepEqual(recipeOf(made, text, token), {
        key: 'the secret half',
        payload: 'the exact bytes in base64url',
        form: '<header>.<payload>',
      });
      assert.notDeepEqual(recipeOf(made, `${text}foo`, token)?.payload, 'the exact bytes in base64url');
    }
  });

  it('of the document has the right shape, though its text is lost', () => {
    const printed = signature('eyJhbGciOiJIUzI1NiIsImtpZCI6IjA3NDAxYiJ9..tYEfbo6zDNo40MQE07aZcQX2m3EB2rO3NuXtxVMYm9U');
    for (const judge of [judgeShape, judgeAlgorithm, judgeKeyId, judgeHeaderBytes, judgeLength, judgeOrdinaryPayload])
      assert.equal(judge(printed).ok, true);
  });
});

describe('what libraries forgive', () => {
  const refused: Readonly<Record<string, Signature>> = {
    'a padded signature': signature(`${GOOD.value}=`),
    'a payload that is attached': signature(`${HEADER}.${Buffer.from(TEXT).toString('base64url')}.${BY_HALF}`),
    'another algorithm': sign(TEXT, TOKEN, '{"alg":"HS384","kid":"07401b"}'),
    'no algorithm': signature(`${Buffer.from('{"alg":"none","kid":"07401b"}').toString('base64url')}..`),
    'crit and b64': sign(TEXT, TOKEN, '{"alg":"HS256","b64":false,"crit":["b64"],"kid":"07401b"}'),
    'another order': sign(TEXT, TOKEN, '{"kid":"07401b","alg":"HS256"}'),
    'a blank': sign(TEXT, TOKEN, '{"alg":"HS256", "kid":"07401b"}'),
    typ: sign(TEXT, TOKEN, '{"alg":"HS256","kid":"07401b","typ":"JWT"}'),
    'another id': sign(TEXT, TOKEN, '{"alg":"HS256","kid":"aaaaaa"}'),
    'an empty value': signature(''),
  };
  for (const [what, value] of Object.entries(refused))
    it(`${what} is not forgiven`, async () => assert.equal(await verifies(value, TEXT, TOKEN), false));
});

describe('verifies', () => {
  it('takes what was signed with this token over this text, and nothing else', async () => {
    const token = fc.record({ id: fc.stringMatching(/^[a-z0-9]{6}$/), half: fc.stringMatching(/^[a-z0-9]{16}$/) });
    await fc.assert(
      fc.asyncProperty(fc.string(), token, token, fc.string({ minLength: 1 }), async (text, own, other, added) => {
        const made = sign(text, own);
        assert.equal(await verifies(made, text, own), true);
        assert.equal(await verifies(made, text + added, own), Buffer.from(text + added).equals(Buffer.from(text)));
        if (other.half !== own.half) assert.equal(await verifies(made, text, { id: own.id, half: other.half }), false);
        if (other.id !== own.id) assert.equal(await verifies(made, text, { id: other.id, half: own.half }), false);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses every change of one character', async () => {
    const { value } = GOOD;
    for (let at = 0; at < value.length; at += 1) {
      const changed = value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1);
      // The last character of 43 carries two bits that no byte takes.
      if (at === value.length - 1) continue;
      assert.equal(await verifies(signature(changed), TEXT, TOKEN), false, String(at));
    }
  });
});

describe('what a wrong signature was made of', () => {
  const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const payload = Buffer.from(TEXT).toString('base64url');
  it('is said of the key', () => {
    const byId = signature(`${HEADER}..${hmac('07401b', `${HEADER}.${payload}`)}`);
    assert.match(judgeIngredient(byId, TEXT, TOKEN, 'key').seen, /token id/);
    const byBase64 = signature(
      `${HEADER}..${hmac(Buffer.from(TOKEN.half).toString('base64'), `${HEADER}.${payload}`)}`,
    );
    assert.match(judgeIngredient(byBase64, TEXT, TOKEN, 'key').seen, /base64/);
  });
  it('is said of the payload', () => {
    const trimmed = signature(
      `${HEADER}..${hmac(TOKEN.half, `${HEADER}.${Buffer.from(TEXT.trim()).toString('base64url')}`)}`,
    );
    assert.match(judgeIngredient(trimmed, TEXT, TOKEN, 'payload').seen, /trimmed|newline/);
    assert.equal(judgeIngredient(trimmed, TEXT, TOKEN, 'key').ok, true);
  });
  it('is said of the form', () => {
    const raw = signature(`${HEADER}..${hmac(TOKEN.half, TEXT)}`);
    assert.match(judgeIngredient(raw, TEXT, TOKEN, 'form').seen, /raw text/);
  });
  it('is admitted where nothing fits', () =>
    assert.match(judgeIngredient(signature(`${HEADER}..${'A'.repeat(43)}`), TEXT, TOKEN, 'key').seen, /nothing known/));
});

describe('judgeSignatureFor', () => {
  const map = (data: Record<string, string>) => ({ metadata: { name: 'cluster-info' }, data });
  it('tells absent, empty and other from good', async () => {
    const seen = async (data: Record<string, string>): Promise<string> =>
      (await judgeSignatureFor(map({ kubeconfig: TEXT, ...data }), TOKEN)).seen;
    assert.equal(await seen({}), 'there is no such key');
    assert.equal(await seen({ 'jws-kubeconfig-07401b': '' }), 'the value is empty');
    assert.equal(await seen({ 'jws-kubeconfig-07401b': 'x..y' }), 'the signature is another');
    assert.equal(await seen({ 'jws-kubeconfig-07401b': GOOD.value }), 'it does');
  });
  it('finds signatures by their prefix', () =>
    assert.deepEqual(
      signaturesOf(map({ kubeconfig: '', 'jws-kubeconfig-b': '1', 'jws-kubeconfig-a': '2', 'jws-kubeconfig': '' })).map(
        ({ id }) => id,
      ),
      ['a', 'b'],
    ));
});
