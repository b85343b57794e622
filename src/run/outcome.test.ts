import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { endedBy, isPassing } from './outcome.js';

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

describe('what another try may not meet', () => {
  const thrown = (name: string, more: object = {}): Error => Object.assign(named(name), more);

  it('is a connection that did not hold, a busy or broken server, and what a step says of itself', () => {
    for (const why of ['closed', 'timeout', 'refused', 'network', 'dns'])
      assert.equal(isPassing(thrown('TargetUnreachable', { why })), true, why);
    for (const code of [429, 500, 503]) assert.equal(isPassing(thrown('UnexpectedAnswer', { code })), true, `${code}`);
    assert.equal(isPassing(thrown('Ended', { passing: true })), true);
  });

  it('is nothing else', () => {
    for (const why of ['tls-unknown-ca', 'too-large', 'not-http', 'aborted', undefined])
      assert.equal(isPassing(thrown('TargetUnreachable', { why })), false, why);
    for (const code of [400, 403, 404, undefined]) assert.equal(isPassing(thrown('UnexpectedAnswer', { code })), false);
    for (const other of [
      ...[thrown('Ended'), thrown('Ended', { passing: false }), thrown('TypeError', { passing: true, why: 'closed' })],
      ...['closed', undefined, null, { name: 'Ended', passing: true }],
    ])
      assert.equal(isPassing(other), false);
  });

  it('is told in the first line that says something', () => {
    const text = (message: string): string =>
      endedBy(Object.assign(new Error(message), { name: 'CannotTry' })).reason.text;
    assert.equal(text('\n  one \ntwo'), 'one');
    assert.equal(text(' \n'), 'no message');
    const verdict = { kind: 'skipped', reason: { kind: 'fact', text: 'so' } };
    assert.equal(endedBy(thrown('Ended', { verdict })), verdict);
    for (const other of [thrown('Ended'), thrown('TypeError', { verdict })])
      assert.equal(endedBy(other).reason.kind, 'joinproof');
  });

  it('shows where it was thrown to who asks for that alone', () => {
    const { JOINPROOF_DEBUG } = process.env;
    const said: string[] = [];
    const write = mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
    try {
      delete process.env.JOINPROOF_DEBUG;
      endedBy(named('TypeError'));
      assert.deepEqual(said, []);
      process.env.JOINPROOF_DEBUG = '1';
      endedBy(named('TypeError'));
      endedBy(named('CannotTry'));
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', /so it is\n.*outcome\.test\.js/s);
    } finally {
      write.mock.restore();
      if (JOINPROOF_DEBUG === undefined) delete process.env.JOINPROOF_DEBUG;
      else process.env.JOINPROOF_DEBUG = JOINPROOF_DEBUG;
    }
  });
});
