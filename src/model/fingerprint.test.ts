import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asControls, control, demand, type Finding, NO_MORE, refusal, summed } from './finding.js';
import { fingerprintOf, unmetDemands } from './fingerprint.js';
import { endOf, likens } from './waiver.js';

const look = { subject: 'Secret a/b', demanded: 'is sound', seen: 'so', ok: false };

test('a finding is known again by its scenario, object and demand, whatever was seen', () => {
  const print = fingerprintOf('TOY-01/s', demand(look));
  assert.match(print, /^[0-9a-f]{64}$/);
  assert.equal(fingerprintOf('TOY-01/s', demand({ ...look, seen: 'otherwise', note: 'a' })), print);
  for (const other of [
    fingerprintOf('TOY-01/t', demand(look)),
    fingerprintOf('TOY-01/s', demand({ ...look, subject: 'Secret a/c' })),
    fingerprintOf('TOY-01/s', demand({ ...look, demanded: 'is whole' })),
  ])
    assert.notEqual(other, print);
});

test('names of the making of a run are alike in every run, wherever and however often they stand', () => {
  const print = (one: string, other: string): string =>
    fingerprintOf('s', demand({ ...look, subject: `Pod ${one} of jp-${other}`, demanded: `is ${other}, not ${one}` }));
  assert.equal(print('jp-a1b2c', 'joinproof-x-1'), print('jp-z9', 'joinproof-y'));
  assert.notEqual(print('jp-a1b2c', 'joinproof-x-1'), print('ajp-a1b2c', 'joinproof-x-1'));
});

test('only demands that are unmet are kept, of every judgement', () => {
  const judgement = (findings: readonly Finding[]) => ({ check: 'a', observation: 'o1', findings });
  const [unmet, later] = [demand(look), refusal({ ...look, subject: 'later' })];
  const others = [demand({ ...look, ok: true }), demand({ ...look, ok: undefined }), control(look)];
  const judgements = [judgement([...others, unmet]), judgement([later])];
  assert.deepEqual(unmetDemands({ id: 's', judgements } as never), [
    [fingerprintOf('s', unmet), unmet],
    [fingerprintOf('s', later), later],
  ]);
});

test('a finding holds texts without end only as long as is shown of them, its note, too', () => {
  const endless = 'x'.repeat(1_000_000);
  const {
    subject,
    demanded,
    seen,
    note = '',
  } = demand({ subject: endless, demanded: endless, seen: endless, ok: true, note: endless });
  for (const text of [subject, demanded, seen, note]) assert.ok(text.length > 1_000 && text.length < 20_000);
});

test('a demand that is taken for granted is a control, and no refusal', () => {
  const { refusal: isRefusal, ...same } = refusal(look);
  assert.equal(isRefusal, true);
  assert.deepEqual(asControls([refusal(look), demand(look)]), [
    { ...same, role: 'control' },
    { ...same, role: 'control' },
  ]);
});

test('what is only counted is summed, of each result', () => {
  assert.deepEqual(summed([{ met: 1, unmet: 2, unclear: 3 }, undefined, { met: 10, unmet: 20, unclear: 30 }]), {
    met: 11,
    unmet: 22,
    unclear: 33,
  });
  assert.deepEqual(summed([]), NO_MORE);
});

test('a waiver holds to the end of its last day, and for the texts that its pattern makes', () => {
  assert.equal(new Date(endOf({ expires: '2027-01-31' })).toISOString(), '2027-02-01T00:00:00.000Z');
  for (const [pattern, text] of [
    ['a*a*c', 'abac'],
    ['*', ''],
    ['ab*ba', 'abba'],
    ['*b*b*', 'bb'],
  ] as const)
    assert.ok(likens(pattern, text), `${pattern} ${text}`);
  for (const [pattern, text] of [
    ['a*a*c', 'abc'],
    ['ab*ba', 'aba'],
    ['*b*b*', 'b'],
    ['a*c*c', 'abc'],
    ['a', 'ab'],
    ['', 'a'],
  ] as const)
    assert.ok(!likens(pattern, text), `${pattern} ${text}`);
});
