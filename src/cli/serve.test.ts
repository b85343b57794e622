/** What joinproof serve leaves on disk, and what goes with it. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { commanded } from './commands.testing.js';
import { untilSignal, welcome, writeKubeconfig } from './serve-action.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-serve-told-'));
const at = (name: string): string => path.join(folder, name);
const serve = (...words: readonly string[]): ReturnType<typeof commanded> =>
  commanded(['serve', '--port', '0', '--key-algorithm', 'ECDSA-P256', ...words], 'SIGINT');

// before a test is said to run, which is said on the same stream
const temporary = await serve();
const [, portServed = ''] = /serves at https:\/\/127\.0\.0\.1:(\d+)/.exec(temporary.out) ?? [];
/** Whether anybody still answers where it was served. */
const isServed = await new Promise<boolean>((resolve) => {
  const socket = connect(Number(portServed), '127.0.0.1', () => {
    socket.destroy();
    resolve(true);
  }).on('error', () => resolve(false));
});
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
const below = path.join(at('admin.conf'), 'below');
const written = (file: string): string => {
  try {
    return writeKubeconfig(replaced, file, false).file;
  } catch (error) {
    return (error as Error).message;
  }
};
const [unreadable, twice] = [below, at('admin.conf')].map(written);
// who may write to that folder leaves a link where the draft is to be
const victim = at('victim');
writeFileSync(victim, 'theirs');
symlinkSync(victim, `${at('new.conf')}.${process.pid}.new`);
const trapped = written(at('new.conf'));
const spared = readFileSync(victim, 'utf8');
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

describe('a server', () => {
  it('answers nobody any more once it has ended', () => {
    assert.match(portServed, /^\d+$/);
    assert.equal(isServed, false);
  });

  it('is not written through what another has laid there', () => {
    assert.match(trapped, /cannot be written to .*new\.conf \(EEXIST\)/);
    assert.equal(spared, 'theirs');
  });

  it('takes nothing for absent that it could not look at, and may write again what is there already', () => {
    assert.match(unreadable ?? '', /is there already and holds something else/);
    assert.equal(twice, at('admin.conf'));
  });

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`ends at ${name}, and leaves a second signal to the system`, async () => {
      const listening = (): readonly number[] =>
        ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
      const before = listening();
      const ended = untilSignal();
      assert.deepEqual(
        listening(),
        before.map((count) => count + 1),
      );
      process.emit(name, name);
      await ended;
      assert.deepEqual(listening(), before);
    });

  it('says a name as a shell takes it, and what a control plane joins with where it has a key', () => {
    const of = { url: 'https://a:1', tokens: ['t'], caCertHash: 'sha256:h', kubernetesVersion: 'v1' };
    const withKey = welcome({ ...of, certificateKey: 'k' }, '/a');
    assert.match(welcome(of, "/a b/it's"), /^ {2}export KUBECONFIG='\/a b\/it'\\''s'$/m);
    assert.match(welcome(of, '/a/b'), /^ {2}export KUBECONFIG=\/a\/b$/m);
    assert.match(welcome(of, '/a'), /^ {2}kubeadm join a:1 --token t --discovery-token-ca-cert-hash sha256:h$/m);
    assert.match(withKey, /^ {2}--control-plane --certificate-key k$/m);
    assert.doesNotMatch(welcome(of, '/a'), /control plane/);
  });
});
