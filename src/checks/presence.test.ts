import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judged } from './judged.testing.js';
import { isAbsent, isDeleted, isLeftAlone, isThere } from './presence.js';

it('tells what is there, gone, deleted and left alone, of each thing, and which of it proves nothing alone', () => {
  const things = [
    { subject: 'a', there: true },
    { subject: 'b', there: false },
  ];
  const said = [isThere, isAbsent, isDeleted, isLeftAlone].map((check) =>
    judged(check, things, { demanded: 'is as it is' }).map(
      ({ subject, result, refusal }) => `${subject} ${result}${refusal === true ? ', a refusal' : ''}`,
    ),
  );
  assert.deepEqual(said, [
    ['a met', 'b unmet'],
    ['a unmet, a refusal', 'b met, a refusal'],
    ['a unmet', 'b met'],
    ['a met, a refusal', 'b unmet, a refusal'],
  ]);
});
