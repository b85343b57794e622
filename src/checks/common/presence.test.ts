import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judged, resultsOf } from './judged.testing.js';
import { isAbsent, isDeleted, isKept, isLeftAlone, isThere } from './presence.js';

it('tells what is there, gone, deleted and left alone, of each thing, and which of it proves nothing alone', () => {
  const things = [
    { subject: 'a', there: true },
    { subject: 'b', there: false },
    { subject: 'c', there: undefined },
  ];
  const said = [isThere, isAbsent, isDeleted, isLeftAlone].map((check) =>
    judged(check, things, { demanded: 'is as it is' }).map(
      ({ subject, result, refusal }) => `${subject} ${result}${refusal === true ? ', a refusal' : ''}`,
    ),
  );
  assert.deepEqual(said, [
    ['a met', 'b unmet', 'c unclear'],
    ['a unmet, a refusal', 'b met, a refusal', 'c unclear, a refusal'],
    ['a unmet', 'b met', 'c unclear'],
    ['a met, a refusal', 'b unmet, a refusal', 'c unclear, a refusal'],
  ]);
});

it('tells whether what was written is kept', () => {
  const written = (status: number, shown: string) => [{ subject: 'a', answer: { status, body: {} }, told: 'x', shown }];
  const look = (status: number, shown = 'x') => resultsOf(isKept, written(status, shown), undefined).join();
  assert.equal(look(200), 'met');
  for (const shown of ['', 'y']) assert.equal(look(200, shown), 'unmet');
  for (const status of [201, 401, 403]) assert.equal(look(status), 'unmet', String(status));
  for (const status of [0, 404, 405, 422, 429, 503]) assert.equal(look(status), 'unclear', String(status));
});
