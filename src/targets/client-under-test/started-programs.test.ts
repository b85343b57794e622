/** Whose arguments hold a secret, and what is seen of a program that starts others. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { givenIn, StartedPrograms } from './started-programs.js';

const TOKEN = 'a1b2c3.0123456789abcdef';
const SECRETS = [TOKEN, ''];
const OWN = ['./join', '--token', TOKEN];

describe('givenIn', () => {
  for (const [what, started, named] of [
    ['the token in a header', ['/usr/bin/curl', '-H', `Authorization: Bearer ${TOKEN}`], ['curl']],
    ['its secret alone', ['openssl', 'dgst', '-hmac', '0123456789abcdef'], ['openssl']],
    ['it in base64', ['sh', '-c', `echo ${Buffer.from(TOKEN).toString('base64')}`], ['sh']],
    ['a private key', ['openssl', '-----BEGIN PRIVATE KEY-----'], ['openssl']],
    ['nothing', ['curl', '-H', '@header'], []],
    ['what the program itself was told, as it was told', ['python3', ...OWN], []],
    ['the id of its token', ['curl', 'https://host/a1b2c3'], []],
  ] as const)
    it(`names who is given a secret: ${what}`, () => {
      assert.deepEqual(givenIn([started], OWN, SECRETS), named);
    });

  it('names each once', () => {
    const curl = ['curl', `token=${TOKEN}`];
    assert.deepEqual(givenIn([curl, ['a', TOKEN], [...curl, 'b']], [], SECRETS), ['a', 'curl']);
  });
});

describe('StartedPrograms', () => {
  it('sees what a program starts, and what that starts', async () => {
    const child = spawn('/bin/sh', ['-c', '/bin/sh -c "sleep 1000; :" one two & wait'], { detached: true });
    const started = new StartedPrograms();
    const names = (): readonly string[] => started.seen.map(([name, ...rest]) => [name, rest.at(-1)].join(' '));
    try {
      for (let looks = 0; looks < 2_000 && !names().includes('sleep 1000'); looks += 1) {
        await setTimeout(5);
        started.look(child.pid ?? 0);
      }
      assert.ok(names().includes('sleep 1000'));
      assert.ok(names().includes('/bin/sh two'));
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await once(child, 'exit');
    }
  });

  it('sees nothing of what has ended', () => {
    const started = new StartedPrograms();
    started.look(0);
    assert.deepEqual(started.seen, []);
  });
});
