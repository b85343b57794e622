/** What a command's thread tells who keeps it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';

/** The words that a thread says which does that. */
function said(script: string): Promise<readonly unknown[]> {
  const from = JSON.stringify(new URL('./interrupt.js', import.meta.url).href);
  const worker = new Worker(`import(${from}).then(({ Interrupt }) => { ${script} })`, { eval: true });
  const words: unknown[] = [];
  worker.on('message', (word) => words.push(word));
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve(words));
  });
}

describe('an interrupt', () => {
  it('tells that its run makes something, and when its time is over', async () => {
    assert.deepEqual(await said('new Interrupt(5, true).end(); process.exit()'), [{ holds: true }, { deadline: 5000 }]);
    assert.deepEqual(await said('new Interrupt(0.5).end(); process.exit()'), [{ deadline: 500 }]);
    assert.deepEqual(await said('new Interrupt(undefined, true).end(); process.exit()'), [{ holds: true }]);
    assert.deepEqual(await said('new Interrupt(undefined).end(); process.exit()'), []);
  });
});
