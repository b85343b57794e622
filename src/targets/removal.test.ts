import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { resources } from '../kubernetes/resources.js';
import { TargetUnreachable, UnexpectedAnswer } from './errors.js';
import { insisted, leftOf, nameOf, placeOf } from './removal.js';

const { signal } = new AbortController();
const answered = (code: number): Error => new UnexpectedAnswer('GET', '/a', code, undefined, 'no');

describe('what is asked until its answer is final', () => {
  /** How often it was asked that fails once so. */
  const asked = async (error: unknown): Promise<number> => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let count = 0;
      const act = async (): Promise<string> => {
        count += 1;
        if (count === 1) throw error;
        return 'there';
      };
      let done = false;
      const asking = insisted(act, signal)
        .catch((thrown: unknown) => assert.equal(thrown, error))
        .finally(() => {
          done = true;
        });
      while (!done) {
        await new Promise((resolve) => setImmediate(resolve));
        mock.timers.tick(100);
      }
      await asking;
      return count;
    } finally {
      mock.timers.reset();
    }
  };

  it('is asked again where the next one may be another', async () => {
    for (const code of [200, 302, 399, 408, 410, 429, 500, 503])
      assert.equal(await asked(answered(code)), 2, String(code));
    for (const code of [400, 401, 403, 404, 407, 409, 411, 422, 428, 430, 499])
      assert.equal(await asked(answered(code)), 1, String(code));
    for (const [why, times] of [
      ['closed', 2],
      ['timeout', 2],
      ['other', 2],
      ['aborted', 1],
    ] as const)
      assert.equal(await asked(new TargetUnreachable('it is not there', why)), times, why);
    assert.equal(await asked(new Error('a bug')), 1);
  });

  it('ends with the run, in whose words', async () => {
    const reason = new Error('SIGINT');
    const run = new AbortController();
    const act = (): Promise<never> => {
      run.abort(reason);
      return Promise.reject(answered(500));
    };
    await assert.rejects(insisted(act, run.signal), reason);
  });
});

describe('what is left', () => {
  const { secrets: resource } = resources;
  const place = (name: string) => ({ resource, namespace: 'a', name });

  it('has a name, and why it is there', () => {
    const known = new Map([
      ['u1', place('b')],
      ['u2', place('c')],
    ]);
    assert.deepEqual(
      leftOf({ resource, namespace: 'a', known }, new Error('it stays'), new Map([['u2', 'it is held']])),
      [
        { kind: 'Secret', what: 'Secret a/b', why: 'it stays' },
        { kind: 'Secret', what: 'Secret a/c', why: 'it is held' },
      ],
    );
    assert.deepEqual(leftOf({ resource, namespace: undefined, known: new Map() }, 'not to be seen'), [
      { kind: 'Secret', what: 'Secret *', why: 'not to be seen' },
    ]);
    assert.equal(nameOf({ resource: resources.nodes, name: 'n' }), 'Node n');
    assert.deepEqual(placeOf({ resource, namespace: 'a' }, { metadata: { name: 'b' } }), place('b'));
    assert.deepEqual(placeOf({ resource: resources.nodes, namespace: undefined }, { metadata: {} }), {
      resource: resources.nodes,
      name: '',
    });
  });
});
