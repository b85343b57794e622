import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Held, heldBy, NOTES, patchedAsNamed } from './patches.js';

const WANTED: Held = { data: { one: '1', two: '2' }, notes: { a: 'x' }, finalizers: ['joinproof.io/one'] };
const secret = (data: object, annotations: object = { [`${NOTES}a`]: 'x', other: 'y' }) => ({
  kind: 'Secret',
  metadata: { annotations, finalizers: ['joinproof.io/one'] },
  data,
});
const told = (status: number, body: unknown) =>
  patchedAsNamed
    .judge([{ subject: 'a patch', answer: { status, body }, held: heldBy(body), wanted: WANTED }], undefined)
    .map(({ result, seen }) => `${result}: ${seen}`)[0];

it('leaves what it names beside what was there, in whatever order it is told', () => {
  assert.equal(told(200, secret({ two: 'Mg==', one: 'MQ==' })), 'met: one=1 two=2; a=x; joinproof.io/one');
  assert.equal(told(200, secret({ one: 'MQ==' })), 'unmet: one=1; a=x; joinproof.io/one');
  assert.match(told(200, secret({ one: 'MQ==', two: 'Mg==', three: '' })) ?? '', /^unmet/);
  assert.match(told(200, secret({ one: 'MQ==', two: 'Mg==' }, {})) ?? '', /^unmet: one=1 two=2; nothing;/);
});

it('is let through', () => {
  assert.equal(told(422, { message: 'no' }), 'unmet: 422 no');
  assert.match(told(503, {}) ?? '', /^unclear/);
  assert.match(told(200, { kind: 'Status' }) ?? '', /^unmet/);
});

it('is read of Secrets alone', () => {
  assert.equal(heldBy({ kind: 'ConfigMap', data: {} }), null);
  assert.equal(heldBy({ kind: 'Secret', data: 'a' }), null);
  assert.deepEqual(heldBy({ kind: 'Secret' }), { data: {}, notes: {}, finalizers: [] });
});
