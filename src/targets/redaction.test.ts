import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { REDACTED, Redactor } from './redaction.js';

const tokenSecret = fc.stringMatching(/^[a-z0-9]{16}$/);
const anySecret = fc.oneof(
  tokenSecret,
  fc
    .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
    .filter((text) => text.trim().length >= 8 && text === text.trim() && !/^.{6}\./s.test(text)),
);
const around = fc.string({ maxLength: 12, unit: fc.constantFrom(...'abcXYZ019 :,{}"\n') });

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ x: text }).toString().slice(2),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => JSON.stringify({ annotation: JSON.stringify({ data: { key: text } }) }),
];

test('no registered value survives in any form, whatever stands around it', () => {
  fc.assert(
    fc.property(anySecret, around, around, (secret, before, after) => {
      const redactor = new Redactor();
      redactor.add(secret);
      for (const encode of encodings) {
        const form = encode(secret);
        const clean = redactor.redact(`${before} ${form} ${after}`);
        assert.ok(!clean.includes(form), `${form} in ${clean}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('a registered value is known in each form by itself', () => {
  const hidden = (value: string, forms: readonly string[]): void => {
    const redactor = new Redactor();
    redactor.add(value);
    for (const form of forms) assert.equal(redactor.redact(`x ${form} y`), `x ${REDACTED} y`, form);
  };
  hidden('>>>???>>>???', [
    ...['>>>???>>>???', 'Pj4+Pz8/Pj4+Pz8/', 'Pj4-Pz8_Pj4-Pz8_'],
    ...['3e3e3e3f3f3f3e3e3e3f3f3f', '3E3E3E3F3F3F3E3E3E3F3F3F'],
    ...['%3E%3E%3E%3F%3F%3F%3E%3E%3E%3F%3F%3F', '%3e%3e%3e%3f%3f%3f%3e%3e%3e%3f%3f%3f'],
    ...['\\u003e\\u003e\\u003e???\\u003e\\u003e\\u003e???'],
  ]);
  hidden("it's (a) <b>&/c*!", [
    ...["it's%20(a)%20%3Cb%3E%26%2Fc*!", "it's%20(a)%20%3cb%3e%26%2fc*!"],
    ...['it%27s%20%28a%29%20%3Cb%3E%26%2Fc%2A%21', 'it%27s%20%28a%29%20%3cb%3e%26%2fc%2a%21'],
    ...["it's+(a)+%3Cb%3E%26%2Fc*!", "it's+(a)+%3cb%3e%26%2fc*!"],
    ...['it%27s+%28a%29+%3Cb%3E%26%2Fc%2A%21', 'it%27s+%28a%29+%3cb%3e%26%2fc%2a%21'],
    ...['it%27s+%28a%29+%3Cb%3E%26%2Fc*%21', 'it%27s+%28a%29+%3cb%3e%26%2fc*%21'],
    ...["it's (a) \\u003cb\\u003e\\u0026/c*!", "it's (a) \\\\u003cb\\\\u003e\\\\u0026/c*!", "it's (a) <b>&\\/c*!"],
  ]);
  hidden('say "no\\yes"', ['say \\"no\\\\yes\\"', 'say \\\\\\"no\\\\\\\\yes\\\\\\"']);
  // beside other bytes: what no neighbour touches
  const beside = new Redactor();
  beside.add('>>>???>>>???');
  for (const before of ['', 'a', 'ab', 'abc'])
    for (const encoding of ['base64', 'base64url'] as const) {
      const clean = beside.redact(Buffer.from(`${before}>>>???>>>???`).toString(encoding));
      assert.match(clean, /^[A-Za-z0-9]{0,4}\[redacted\][A-Za-z0-9=]{0,4}$/);
    }
});

test('a secret within a longer base64 text is found at every alignment, and base64 in base64 too', () => {
  fc.assert(
    fc.property(tokenSecret, around, around, (secret, before, after) => {
      const redactor = new Redactor();
      redactor.add(`abcdef.${secret}`);
      const once = Buffer.from(before + secret + after).toString('base64');
      assert.ok(!Buffer.from(redactor.redact(once), 'base64').toString('latin1').includes(secret));
      const twice = redactor.redact(Buffer.from(JSON.stringify({ config: once })).toString('base64'));
      assert.ok(!twice.includes(once) && twice.includes(REDACTED));
    }),
    { numRuns: 200 },
  );
});

test('what is packed in base64 thrice is looked into', () => {
  const pack = (text: string): string => Buffer.from(`{"a":"${text}"}`).toString('base64');
  const redactor = new Redactor();
  const packed = pack(pack(pack('--certificate-key '.concat('ab'.repeat(32)))));
  assert.equal(redactor.redact(`x ${packed} y`), `x ${REDACTED} y`);
  const plain = pack(pack(pack('nothing of anybody')));
  assert.equal(redactor.redact(plain), plain);
});

test('token ids stay: alone, in names and before the dot', () => {
  const redactor = new Redactor();
  redactor.add('07401b.f395accd246ae52d');
  redactor.add('07401b');
  assert.equal(
    redactor.redact('bootstrap-token-07401b jws-kubeconfig-07401b system:bootstrap:07401b'),
    'bootstrap-token-07401b jws-kubeconfig-07401b system:bootstrap:07401b',
  );
  assert.equal(redactor.redact('token 07401b.f395accd246ae52d is good'), `token 07401b.${REDACTED} is good`);
  assert.equal(redactor.knows('07401b'), false);
  assert.equal(redactor.knows('f395accd246ae52d'), true);
});

test('private keys go without being registered: plain, cut off, in JSON and in base64', () => {
  const redactor = new Redactor();
  for (const type of ['ec', 'rsa'] as const) {
    const pair =
      type === 'ec'
        ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const format of ['pkcs8', type === 'ec' ? 'sec1' : 'pkcs1'] as const) {
      const pem = pair.privateKey.export({ type: format as 'pkcs8', format: 'pem' }).toString();
      const line = pem.split('\n')[1] as string;
      for (const text of [pem, pem.slice(0, pem.length / 2), JSON.stringify({ key: pem })])
        assert.ok(!redactor.redact(text).includes(line));
      const data = Buffer.from(pem).toString('base64');
      assert.equal(redactor.redact(`client-key-data: ${data}`), `client-key-data: ${REDACTED}`);
      assert.equal(redactor.redact(`/x/${data}`), `/x/${REDACTED}`);
      // of whatever length its PEM is, one of these has what plain base64 has not
      const inUrls = Buffer.from(`${pem}????${pem}`).toString('base64url');
      assert.match(inUrls, /_/);
      assert.equal(redactor.redact(`client-key-data=${inUrls}`), `client-key-data=${REDACTED}`);
    }
  }
});

test('certificates and public keys are shown', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  assert.equal(new Redactor().redact(pem), pem);
  assert.equal(new Redactor().redact(Buffer.from(pem).toString('base64')), Buffer.from(pem).toString('base64'));
});

test('Authorization headers, JWTs and certificate keys go by their shape', () => {
  const redactor = new Redactor();
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from('{"sub":"system:serviceaccount:a:b"}').toString('base64url')}.c2lnbmF0dXJlLWlzLXNlY3JldA`;
  assert.ok(!redactor.redact(`token ${jwt}`).includes(jwt));
  assert.equal(
    redactor.redact('Authorization: Bearer 07401b.f395accd246ae52d'),
    `Authorization: Bearer 07401b.${REDACTED}`,
  );
  assert.equal(redactor.redact('"authorization":"Basic dXNlcjpwYXNz"'), `"authorization":"Basic ${REDACTED}"`);
  assert.equal(redactor.redact(`--certificate-key ${'ab'.repeat(32)}`), `--certificate-key ${REDACTED}`);
  for (const [head, key] of [
    ['certificateKey: ', 'ab'.repeat(32)],
    ['certificatekey=', 'AB'.repeat(32)],
    ['--Certificate-Key "', '0aF9'.repeat(16)],
  ] as const)
    assert.equal(redactor.redact(`${head}${key}`), `${head}${REDACTED}`);
  for (const length of [63, 65]) {
    const other = `certificateKey: ${'a'.repeat(length)}`;
    assert.equal(redactor.redact(other), other);
  }
  const pin = `sha256:${'ab'.repeat(32)}`;
  assert.equal(redactor.redact(pin), pin);
  // The detached signature of cluster-info has an empty middle and is public.
  const detached = 'eyJhbGciOiJIUzI1NiIsImtpZCI6IjA3NDAxYiJ9..c2lnbmF0dXJlLWlzLXB1YmxpYy1oZXJlLWFuZC1sb25n';
  assert.equal(redactor.redact(detached), detached);
});

test('text without secrets is returned as it is', () => {
  const redactor = new Redactor();
  redactor.add('f395accd246ae52d');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ghijklmn -_/.:') }), (text) => {
      assert.equal(redactor.redact(text), text);
    }),
  );
});

test('the scheme of a header is no credential, and what follows it is', () => {
  const redactor = new Redactor();
  for (const header of [
    'Bearer',
    'bearer ',
    ' BASIC',
    'Negotiate',
    'Token',
    'Bearer  two words-to-hide',
    'alone-in-it',
  ])
    redactor.addAuthorization(header);
  const said = 'Bearer bearer BASIC Basic Negotiate Token';
  assert.equal(redactor.redact(said), said);
  assert.equal(redactor.redact('a two words-to-hide b alone-in-it c'), `a ${REDACTED} b ${REDACTED} c`);
});

test('a JWT is three parts that are long enough, and what stands beside it stays', () => {
  const redact = (text: string): string => new Redactor().redact(text);
  const head = 'eyJhbGciOiJ9';
  for (const [text, clean] of [
    [`${head}.abcdefgh.ijklmnop`, REDACTED],
    [`at ${head}.abcdefgh.ijklmnop, later`, `at ${REDACTED}, later`],
    [`${head}.abcdefg.ijklmnop`, `${head}.abcdefg.ijklmnop`],
    [`${head}.abcdefgh.ijklmno`, `${head}.abcdefgh.ijklmno`],
    [`${head}.abcdefgh`, `${head}.abcdefgh`],
    ['eyJhbGciOiJ.abcdefgh.ijklmnop', REDACTED],
    ['eyJhbGciOi.abcdefgh.ijklmnop', 'eyJhbGciOi.abcdefgh.ijklmnop'],
    [`${head}.abcdefgh.ijklmnop.rest`, `${REDACTED}.rest`],
    [`x.${head}.abcdefgh.ijklmnop`, `x.${REDACTED}`],
  ] as const)
    assert.equal(redact(text), clean, text);
});

test('what one has learned another one knows: values, halves of tokens that stand alone, and the names they spare', () => {
  const [value, half, name] = ['a-secret-value-0123', 'abcdef0123456789', '0123456789abcdef'];
  const first = new Redactor();
  first.add(value);
  for (const foreign of [half, name]) first.addForeign(foreign);
  first.spare(name);
  const text = `${value} ${half} x${half} ${name}`;
  const second = new Redactor();
  assert.equal(second.redact(text), text);
  second.learn(first.learned);
  assert.equal(second.redact(text), `[redacted] [redacted] x${half} ${name}`);
  assert.equal(first.redact(text), second.redact(text));
  assert.deepEqual(second.learned, first.learned);
});

test('of a value 8192 characters are known, and what follows them is not shown', () => {
  const redactor = new Redactor();
  const [fits, longer] = ['a1'.repeat(4_096), `${'b2'.repeat(4_096)}c`];
  redactor.add(fits);
  redactor.add(longer);
  assert.equal(redactor.redact(`${fits} after`), '[redacted] after');
  assert.equal(redactor.redact(`before ${longer} after`), 'before [redacted]');
});

test('base64 of twenty characters is looked into, and none that is packed more than thrice', () => {
  const redactor = new Redactor();
  redactor.add('hunter2-abc');
  const packed = Buffer.from(Buffer.from('hunter2-abc').toString('base64url')).toString('base64');
  assert.equal(packed.length, 20);
  assert.equal(redactor.redact(packed), '[redacted]');
  let text = 'Authorization: Bearer hunter2';
  const shownAt: number[] = [];
  for (let times = 1; times <= 6; times += 1) {
    text = Buffer.from(text).toString('base64');
    if (redactor.redact(text) === text) shownAt.push(times);
  }
  assert.deepEqual(shownAt, [4, 5, 6]);
});
