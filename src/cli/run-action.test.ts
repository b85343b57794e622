import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CannotJudge, UsageError } from '../run/usage-error.js';
import { Interrupt } from './interrupt.js';
import { cleaned, failureOf, leftSaid, removed } from './run-action.js';

const redact = (text: string): string => text.replaceAll('secret', 'x');
const thrown = (error: unknown, by?: string): unknown => failureOf(error, { by, redact });

/** What is said on standard error until `act` has ended, and how it ended. */
async function overheard(act: () => Promise<unknown>): Promise<readonly [said: string, ended: unknown]> {
  const { write } = process.stderr;
  let said = '';
  process.stderr.write = (text: string | Uint8Array): boolean => {
    said += String(text);
    return true;
  };
  try {
    const ended = await act().catch((error: unknown) => error);
    return [said, ended];
  } finally {
    process.stderr.write = write;
  }
}

/** A target whose clean-up ends only when it is broken off. */
function hanging() {
  const left = { kind: 'Pod', what: 'Pod secret', why: 'nobody knows' };
  let breakOff: () => void = () => {};
  const target = {
    redactor: { redact },
    leftovers: [] as (typeof left)[],
    begun: false,
    abort: () => breakOff(),
    close: () =>
      new Promise<void>((resolve) => {
        target.begun = true;
        breakOff = () => {
          target.leftovers = [left];
          resolve();
        };
      }),
  };
  return target;
}

describe('the clean-up of a run', () => {
  it('is broken off where it hangs, by a second signal and not by the first, and what is left is said redacted', async () => {
    const target = hanging();
    const interrupt = new Interrupt(undefined, true);
    let isOver = false;
    const [said, ended] = await overheard(async () => {
      const running = cleaned(target, interrupt, () => Promise.reject(new Error('stopped'))).finally(() => {
        isOver = true;
      });
      running.catch(() => undefined);
      process.emit('SIGINT', 'SIGINT');
      await new Promise(setImmediate);
      assert.deepEqual([target.begun, isOver], [true, false]);
      process.emit('SIGTERM', 'SIGTERM');
      return running;
    }).finally(() => interrupt.end());
    assert.equal((ended as Error).message, 'stopped');
    assert.match(said, /Pod x\. Why: nobody knows/);
  });

  it('follows upon what went well, too', async () => {
    let closed = 0;
    const close = async (): Promise<void> => {
      closed += 1;
    };
    const target = { ...hanging(), close };
    const interrupt = new Interrupt(undefined);
    assert.equal(await cleaned(target, interrupt, async () => closed).finally(() => interrupt.end()), 0);
    assert.equal(closed, 1);
  });
});

describe('a run that fails', () => {
  it('tells why, without secrets, as the error that it is', () => {
    for (const error of [new UsageError('a secret'), new CannotJudge('a secret'), new TypeError('a secret')]) {
      assert.equal(thrown(error), error);
      assert.equal(error.message, 'a x');
    }
    assert.equal(thrown('no error'), 'no error');
  });

  it('is interrupted where a signal came, whatever failed by it', () => {
    for (const error of [new UsageError('a secret'), new TypeError('a secret'), 'no error', undefined]) {
      const told = thrown(error, 'SIGTERM');
      assert.ok(told instanceof CannotJudge);
      assert.equal(told.message, 'The run was interrupted (SIGTERM).');
    }
  });

  it('says more of that where it can', () => {
    const error = new CannotJudge('it was interrupted, and here is a secret');
    assert.equal(thrown(error, 'SIGTERM'), error);
    assert.equal(error.message, 'it was interrupted, and here is a x');
  });

  it('says that what it made was removed only where nothing is left', () => {
    assert.match(removed([]), /was removed/);
    assert.match(removed(), /was removed/);
    assert.equal(removed([{}]), '');
  });

  it('says what is left, be it a single object, and how that goes', () => {
    assert.equal(leftSaid([]), undefined);
    assert.equal(leftSaid(), undefined);
    const left = { kind: 'Pod', what: 'Pod a/b', why: 'somebody holds it' };
    assert.equal(leftSaid([left]), leftSaid([{ ...left, why: 'somebody holds it.' }]));
    assert.equal(
      leftSaid([left]),
      '1 object of this run is left (1 Pod): Pod a/b. Why: somebody holds it. "joinproof sweep --all" removes what a run has left.',
    );
  });
});
