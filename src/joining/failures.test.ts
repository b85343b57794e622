import assert from 'node:assert/strict';
import { it } from 'node:test';
import { failureText } from './failures.js';

it('an unknown host is told without its port, whatever that is', () => {
  const told = (url: string): string => failureText({ cause: 'unknown host' }, url, 0);
  for (const [address, host] of [
    ['a.example:6443', 'a.example'],
    ['a.example:', 'a.example'],
    ['a.example', 'a.example'],
    ['[fd00::1]:6443', '[fd00::1]'],
  ] as const)
    assert.equal(
      told(`https://${address}/api`),
      `Get "https://${address}/api": dial tcp: lookup ${host}: no such host`,
    );
});
