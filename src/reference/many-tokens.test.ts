/** Tokens are made as quickly where there are thousands as where there are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { addToken } from '../mutants/tokens-at-rest.js';
import { startReference } from '../targets/reference.js';

const ROUNDS = 5;
const TOKENS = 600;
/** Milliseconds that a collection of garbage may take. */
const SLACK = 300;

test('the last of many tokens take no more of a processor than the first', async () => {
  const reference = await startReference({ keyAlgorithm: 'ECDSA-P256' });
  const spent: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < TOKENS; n += 1) {
      const id = `m${String(round * TOKENS + n).padStart(5, '0')}`;
      addToken(reference, { 'token-id': id }, { name: `bootstrap-token-${id}` });
      if (n % 20 === 0) await turn();
    }
    spent.push(process.cpuUsage(before).user / 1000);
  }
  await reference.close();
  const [first = 0] = spent;
  assert.ok((spent.at(-1) ?? 0) < 2 * first + SLACK, spent.join(' ms, '));
});
