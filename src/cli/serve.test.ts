/** What joinproof serve leaves on disk, and what goes with it. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { commanded } from './commands.testing.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-serve-told-'));
const at = (name: string): string => path.join(folder, name);
const serve = (...words: readonly string[]): ReturnType<typeof commanded> =>
  commanded(['serve', '--port', '0', '--key-algorithm', 'ECDSA-P256', ...words], 'SIGINT');

// before a test is said to run, which is said on the same stream
const temporary = await serve();
const named = await serve('--kubeconfig-out', at('admin.conf'));
const { mode } = statSync(at('admin.conf'));
const kept = readFileSync(at('admin.conf'), 'utf8');
const again = await serve('--kubeconfig-out', at('admin.conf'));
const untouched = readFileSync(at('admin.conf'), 'utf8');
const over = await serve('--kubeconfig-out', at('admin.conf'), '--overwrite');
const replaced = readFileSync(at('admin.conf'), 'utf8');
mkdirSync(at('a-folder'));
const ontoFolder = await serve('--kubeconfig-out', at('a-folder'));
const overFolder = await serve('--kubeconfig-out', at('a-folder'), '--overwrite');
const files = readdirSync(folder).sort();
rmSync(folder, { recursive: true });

describe('the kubeconfig of a server', () => {
  it('goes with the server where nobody has named a file for it', () => {
    const [, file = ''] = /export KUBECONFIG=(\S+)\n/.exec(temporary.out) ?? [];
    assert.equal(temporary.code, 0, temporary.err);
    assert.ok(path.isAbsolute(file) && !existsSync(path.dirname(file)), file);
  });

  it('stays where it is named, for the eyes of its owner alone', () => {
    assert.equal(named.code, 0, named.err);
    assert.ok(named.out.includes(at('admin.conf')));
    assert.equal(mode & 0o777, 0o600);
    assert.match(kept, /client-key-data/);
  });

  it('takes the place of nothing else, unless it is told to', () => {
    assert.deepEqual([again.code, untouched], [2, kept]);
    assert.match(again.err, /is there already and holds something else/);
    assert.equal(over.code, 0, over.err);
    assert.notEqual(replaced, kept);
    assert.equal(ontoFolder.code, 2);
    assert.match(ontoFolder.err, /is there already and holds something else/);
  });

  it('leaves no half of itself behind where it cannot be written', () => {
    assert.equal(overFolder.code, 2);
    assert.match(overFolder.err, /cannot be written to .*a-folder \(EISDIR\)/);
    assert.deepEqual(files, ['a-folder', 'admin.conf']);
  });
});
