import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endedBy } from './outcome.js';

const named = (name: string): Error => Object.assign(new Error('so it is'), { name });

describe('what a step throws', () => {
  it('skips its scenario where the target lacks something', () => {
    assert.deepEqual(
      ['NotInDump', 'CannotTry', 'MayNotRead'].map((name) => {
        const { kind, reason } = endedBy(named(name));
        return `${name}: ${kind}, ${reason.kind}`;
      }),
      ['NotInDump: skipped, nothing', 'CannotTry: skipped, ability', 'MayNotRead: skipped, ability'],
    );
  });
  it('is an error of the target or of joinproof otherwise', () => {
    assert.deepEqual(
      [
        'TargetUnreachable',
        'UnexpectedAnswer',
        'UnreadableVersion',
        'NotAllowed',
        'ConfigurationError',
        'UsageError',
        'CannotJudge',
        'TypeError',
      ].map((name) => {
        const { kind, reason } = endedBy(named(name));
        return `${name}: ${kind}, ${reason.kind}${reason.text === 'so it is' ? '' : `, ${reason.text}`}`;
      }),
      [
        'TargetUnreachable: error, target',
        'UnexpectedAnswer: error, target',
        'UnreadableVersion: error, target',
        'NotAllowed: error, joinproof',
        'ConfigurationError: error, joinproof',
        'UsageError: error, joinproof',
        'CannotJudge: error, joinproof',
        'TypeError: error, joinproof, joinproof itself failed: TypeError: so it is',
      ],
    );
    const { kind, reason } = endedBy('a text');
    assert.deepEqual(
      [kind, reason.kind, reason.text],
      ['error', 'joinproof', 'joinproof itself failed: a step threw a text'],
    );
  });
});
