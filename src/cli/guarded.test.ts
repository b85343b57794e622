import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commanded } from './commands.testing.js';

/** How a command ends whose action fails by that. */
async function failing(error: unknown): Promise<Awaited<ReturnType<typeof commanded>>> {
  const { stringify } = JSON;
  JSON.stringify = () => {
    throw error;
  };
  try {
    return await commanded(['rules', '--format', 'json']);
  } finally {
    JSON.stringify = stringify;
  }
}
const named = (name: string): Error => Object.assign(new Error('so it is'), { name });
const NAMES = ['TypeError', 'UsageError', 'ConfigurationError', 'TargetUnreachable', 'UnexpectedAnswer', 'MayNotRead'];
const OTHERS = ['UnreadableVersion', 'CannotJudge', 'NotInDump', 'NotAllowed', 'Ended'];
const failures: string[] = [];
for (const error of [...[...NAMES, ...OTHERS].map(named), 'a text', undefined]) {
  const { code, out, err } = await failing(error);
  failures.push(`${error instanceof Error ? error.name : error}: ${code}, ${(out + err).trim()}`);
}

// before there is a test, which would listen for the same, and last: what was said of them is held against all that follow
const rejected = await commanded(['serve', '--port', '0'], ['unhandledRejection', new Error('nobody waits for this')]);
const thrown = await commanded(['serve', '--port', '0'], ['uncaughtException', 'no error at all']);

describe('what nobody catches', () => {
  it('ends a command as a signal does, with 3 and a sentence', () => {
    assert.equal(rejected.code, 3);
    assert.match(rejected.err, /^joinproof: .*nobody waits for this/m);
    assert.doesNotMatch(rejected.out + rejected.err, /\n\s+at /);
    assert.equal(thrown.code, 3);
    assert.match(thrown.err, /no error at all/);
  });

  it('is nothing that a command ends well with, whatever it is', () => {
    const itself = (said: string): string =>
      `3, joinproof: joinproof itself failed: ${said} (JOINPROOF_DEBUG=1 shows more.)`;
    assert.deepEqual(failures, [
      `TypeError: ${itself('TypeError: so it is')}`,
      ...['UsageError', 'ConfigurationError'].map((name) => `${name}: 2, joinproof: so it is`),
      ...['TargetUnreachable', 'UnexpectedAnswer', 'MayNotRead', 'UnreadableVersion', 'CannotJudge'].map(
        (name) => `${name}: 3, joinproof: so it is`,
      ),
      ...['NotInDump', 'NotAllowed', 'Ended'].map((name) => `${name}: ${itself(`${name}: so it is`)}`),
      `a text: ${itself('Error: a text')}`,
      `undefined: ${itself('Error: undefined')}`,
    ]);
  });
});
