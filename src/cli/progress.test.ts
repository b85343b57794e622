import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { countedByKind, leftoversSentence } from './leftovers.js';
import { CleaningProgress, Progress } from './progress.js';

const streamed = (isTTY: boolean): { readonly stream: NodeJS.WriteStream; readonly said: string[] } => {
  const said: string[] = [];
  return { stream: { isTTY, write: (text: string) => said.push(text) } as unknown as NodeJS.WriteStream, said };
};
const { TERM } = process.env;
afterEach(() => {
  if (TERM === undefined) delete process.env.TERM;
  else process.env.TERM = TERM;
});
const LINE = '\r\u001b[2K';

describe('the progress of a run', () => {
  it('is a line of a terminal, its end always shown, and taken away', () => {
    process.env.TERM = 'xterm';
    const { stream, said } = streamed(true);
    const progress = new Progress(stream);
    progress.clear();
    for (const done of [1, 2, 3]) progress.show(done, 3, 'scenarios  \u001b[31mTOK');
    progress.clear();
    progress.clear();
    assert.deepEqual(said, [`${LINE}1/3 scenarios  \\u001b[31mTOK`, `${LINE}3/3 scenarios  \\u001b[31mTOK`, LINE]);
  });

  it('is nothing where nobody looks, and on a terminal that cannot take a line away', () => {
    for (const [isTTY, term] of [
      [false, 'xterm'],
      [true, 'dumb'],
    ] as const) {
      process.env.TERM = term;
      const { stream, said } = streamed(isTTY);
      const progress = new Progress(stream);
      progress.show(1, 1, 'a');
      progress.clear();
      assert.deepEqual(said, []);
    }
    const none = new Progress(undefined);
    none.show(1, 1, 'a');
    none.clear();
  });
});

describe('the progress of a clean-up', () => {
  const SAID = (gone: number): string =>
    `joinproof: removing what joinproof made takes longer: ${gone} of 9 objects are gone.\n`;

  it('is told once where nobody sees a line, when it takes longer', () => {
    const { stream, said } = streamed(false);
    let now = 100;
    const progress = new CleaningProgress(stream, () => now);
    for (const [gone, at] of [0, 4_999, 5_000, 9_000].entries()) {
      now = 100 + at;
      progress.show(gone, 9);
    }
    progress.clear();
    assert.deepEqual(said, [SAID(2)]);
  });

  it('is the line of a terminal alone', () => {
    process.env.TERM = 'xterm';
    const { stream, said } = streamed(true);
    let now = 0;
    const progress = new CleaningProgress(stream, () => now);
    now = 60_000;
    progress.show(9, 9);
    progress.clear();
    assert.deepEqual(said, [`${LINE}9/9 objects of joinproof removed`, LINE]);
  });
});

describe('what is left', () => {
  const left = (kind: string, n: number, why: string) => ({ kind, what: `${kind} ${n}`, why }) as never;
  it('is said by kind, by some of the names, and why', () => {
    assert.equal(countedByKind([]), '');
    const few = [left('Secret', 1, 'HTTP 403'), left('Pod', 2, 'HTTP 403'), left('Secret', 3, 'it is kept')];
    assert.equal(
      leftoversSentence(few),
      '3 objects of this run are left (2 Secrets, 1 Pod): Secret 1, Pod 2, Secret 3. Why: HTTP 403, it is kept',
    );
    assert.equal(
      leftoversSentence(few.slice(0, 1)),
      '1 object of this run is left (1 Secret): Secret 1. Why: HTTP 403',
    );
    const many = Array.from({ length: 12 }, (_, n) => left('Node', n, `why ${n % 5}`));
    assert.equal(
      leftoversSentence(many),
      `12 objects of this run are left (12 Nodes): ${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `Node ${n}`).join(', ')} and 2 more. ` +
        'Why: why 0, why 1, why 2 and 2 more',
    );
  });
});
