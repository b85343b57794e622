/** A token that lives in a file: how long it is used, and what is used where the file is not there. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from './errors.js';
import { fileToken } from './token-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-token-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
function tokenAt(content: string | undefined, fallback?: string) {
  count += 1;
  const file = path.join(folder, String(count));
  const write = (text: string): void => writeFileSync(file, text);
  if (content !== undefined) write(content);
  const clock = { now: 1_000_000 };
  return { file, write, clock, token: fileToken(file, 'tokenFile of a', fallback, () => clock.now) };
}

describe('a token in a file', () => {
  it('is used for ten seconds, and then read again', async () => {
    const { token, write, clock } = tokenAt(' one\n');
    assert.equal(await token.read(), 'one');
    write('two');
    clock.now += 9_999;
    assert.equal(await token.read(), 'one');
    clock.now += 1;
    assert.equal(await token.read(), 'two');
    write('three');
    assert.equal(await token.read(), 'two');
  });

  it('is read again at once where it was refused', async () => {
    const { token, write } = tokenAt('one');
    await token.read();
    write('two');
    assert.equal(token.forget(), true);
    assert.equal(await token.read(), 'two');
  });

  it('stays good where the file is not there for a moment, or empty', async () => {
    const { token, file, write, clock } = tokenAt('one', 'fallback');
    assert.equal(await token.read(), 'one');
    for (const act of [() => write(' \n'), () => rmSync(file)]) {
      act();
      clock.now += 10_000;
      assert.equal(await token.read(), 'one');
    }
    write('two');
    assert.equal(await token.read(), 'two', 'what could not be read was not read just now');
  });

  it('is the one beside it where there is none', async () => {
    assert.equal(await tokenAt(undefined, 'fallback').token.read(), 'fallback');
    assert.equal(await tokenAt('', 'fallback').token.read(), 'fallback');
    assert.equal(await tokenAt('own', 'fallback').token.read(), 'own');
  });

  it('is missed in a sentence', async () => {
    const refused = (message: string) => (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.equal(error.message, message);
      return true;
    };
    const none = tokenAt(undefined);
    await assert.rejects(none.token.read(), refused(`tokenFile of a names ${none.file}, which does not exist.`));
    const empty = tokenAt(' \n ');
    const holds = `tokenFile of a: ${empty.file} is empty; it must hold a bearer token.`;
    await assert.rejects(empty.token.read(), refused(holds));
    const long = tokenAt('x');
    truncateSync(long.file, 1024 * 1024 + 1);
    const larger = `tokenFile of a names ${long.file}, which cannot be read (it is larger than 1024 KiB).`;
    await assert.rejects(long.token.read(), refused(larger));
    long.write('a'.repeat(1024 * 1024));
    assert.equal((await long.token.read()).length, 1024 * 1024);
  });
});
