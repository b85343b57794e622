import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut } from '../model/foreign.js';
import { workOf } from '../model/work.testing.js';
import { registerOwnSecrets, registerSecrets } from './exchanges.js';
import { REDACTED, Redactor } from './redaction.js';

/** Milliseconds of this process's own work; far beyond what is linear, far below what is quadratic. */
const BOUND = 3_000;
const MEGABYTE = 1_000_000;

function within(what: string, work: () => void): void {
  const spent = workOf(work, BOUND);
  assert.ok(spent < BOUND, `${what}: ${Math.round(spent)} ms`);
}

const repeated = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length));
const secretOf = (half: string, namespace: string): object => ({
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'bootstrap-token-abcdef', namespace },
  data: { 'token-secret': Buffer.from(half).toString('base64') },
});

test('no text of a tenant keeps the redaction busy', () => {
  const redactor = new Redactor();
  redactor.add('abcdef.0123456789abcdef');
  const pieces = [
    'eyJ-',
    'eyJaaaaaaaaaaa.',
    'eyJ',
    '.',
    'authorization:',
    'authorization: bearer ',
    'certificate-key ',
    ' ',
    'a',
  ];
  pieces.push(
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '-----END PRIVATE KEY-----',
    'LS0tLS1CRUdJTi',
    '0123456789abcde',
  );
  for (const piece of pieces) within(piece, () => redactor.redact(repeated(piece)));
  for (const head of ['authorization', 'certificate-key', '-----BEGIN'])
    for (const tail of [' ', ':', 'A']) within(head, () => redactor.redact(head + repeated(tail)));
  let nested = repeated('abcdef.012345678 ');
  while (nested.length < 4 * MEGABYTE) nested = Buffer.from(nested).toString('base64');
  within('base64 in base64', () => redactor.redact(nested));
});

test('nor does a choice of secrets', () => {
  const alike = new Redactor();
  for (let n = 0; n < 10_000; n += 1) alike.add(`abcdef.${'a'.repeat(11)}${String(n).padStart(5, '0')}`);
  within('halves that begin alike', () => alike.redact('a'.repeat(MEGABYTE)));
  let long = new Redactor();
  within('long secrets', () => {
    long = new Redactor();
    for (let n = 0; n < 100; n += 1) long.add('a'.repeat(MEGABYTE) + n);
    for (let n = 0; n < 2_000; n += 1) long.add('b'.repeat(90 + (n % 20)) + n);
  });
  within('long secrets, looked for', () => {
    long.redact(repeated(`${'a'.repeat(8_000)} `));
    long.redact(repeated(`${'b'.repeat(89)} `));
  });
});

test('of a secret that is longer than what is remembered nothing is shown, and nothing of one that is cut off', () => {
  const redactor = new Redactor();
  const secret = Array.from({ length: 20_000 }, (_, n) => n.toString(36)).join('-');
  redactor.add(secret);
  assert.equal(redactor.redact(`it says ${secret} aloud`), `it says ${REDACTED}`);
  assert.equal(redactor.redact(`it says ${secret.slice(0, 500)}`), `it says ${REDACTED}`);
  const encoded = Buffer.from(secret).toString('base64');
  assert.ok(!redactor.redact(`it says ${encoded}`).includes(encoded.slice(0, 40)));
  assert.ok(!redactor.redact(`it says ${encoded}`).includes(encoded.slice(-40)));
});

test('a secret at the edge of what is shown does not survive partly', () => {
  const redactor = new Redactor();
  redactor.add('abcdef.0123456789abcdef');
  for (let before = 1_970; before < 2_010; before += 1)
    assert.doesNotMatch(cut(redactor.redact(`${' '.repeat(before)}0123456789abcdef`)), /0123/);
});

test('a tenant who makes token Secrets cannot choose what reports leave out', () => {
  const redactor = new Redactor();
  const halves = [
    '"verdict": "failed"',
    '</testcase>',
    'not conformant',
    'passed',
    'kube-system',
    'responsibilities',
    'a',
  ];
  for (const half of halves) registerSecrets(secretOf(half, 'team-a'), redactor);
  const report = `"verdict": "failed" </testcase> not conformant passed kube-system responsibilities`;
  assert.equal(redactor.redact(report), report);
  assert.equal(redactor.redact(Buffer.from(report).toString('base64')), Buffer.from(report).toString('base64'));
});

test('a half that is a word of every report takes that word away from nobody', () => {
  const redactor = new Redactor();
  for (const word of ['Secret', 'passed', 'kube-system', 'configmaps', 'CertificateSigningRequest', 'hunter2-hunter2'])
    registerSecrets(secretOf(word, 'kube-system'), redactor);
  const line = 'Secret kube-system/a passed; configmaps; CertificateSigningRequest b';
  assert.equal(redactor.redact(line), line);
  assert.equal(redactor.redact('hunter2-hunter2'), REDACTED);
});

test("a tenant's well-formed half goes where it stands alone, and takes nobody's name away", () => {
  const redactor = new Redactor();
  registerSecrets(
    { items: [secretOf('canary0123456789', 'team-a'), secretOf('worker0000000001', 'team-a')] },
    redactor,
  );
  registerSecrets({ items: [{ metadata: { name: 'worker0000000001' } }] }, redactor);
  assert.equal(redactor.redact('abcdef.canary0123456789 is bad'), `abcdef.${REDACTED} is bad`);
  assert.equal(redactor.redact(`x ${Buffer.from('canary0123456789').toString('base64')}`), `x ${REDACTED}Q==`);
  assert.equal(redactor.redact('xcanary0123456789 canary01234567890'), 'xcanary0123456789 canary01234567890');
  assert.equal(redactor.redact('Node worker0000000001 is bad'), 'Node worker0000000001 is bad');
  // The same half in kube-system is a token.
  registerSecrets(secretOf('worker0000000001', 'kube-system'), redactor);
  assert.equal(redactor.redact('Node worker0000000001 is bad'), `Node ${REDACTED} is bad`);
});

test('what joinproof makes itself is secret in every namespace, and so is what tables and watches show of kube-system', () => {
  const redactor = new Redactor();
  registerOwnSecrets(secretOf('own-and-malformed', 'default'), redactor);
  registerSecrets({ kind: 'Table', rows: [{ object: secretOf('inatable00000001', 'kube-system') }] }, redactor);
  registerSecrets({ type: 'ADDED', object: secretOf('inawatch00000001', 'kube-system') }, redactor);
  for (const half of ['own-and-malformed', 'inatable00000001', 'inawatch00000001'])
    assert.equal(redactor.redact(`xx${half}xx`), `xx${REDACTED}xx`);
});
