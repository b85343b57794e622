/** Files of a machine below a folder: read and written there, and nowhere else. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { hostFiles, RootFiles } from './root-files.js';

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'joinproof-root-')));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
function machine(): { readonly root: string; readonly files: RootFiles; at(place: string): string } {
  count += 1;
  const root = path.join(home, String(count));
  mkdirSync(root);
  return { root, files: new RootFiles(root), at: (place) => path.join(root, place) };
}
const MIB = 1024 * 1024;
const modeOf = (file: string): string => (lstatSync(file).mode & 0o7777).toString(8);
const refused =
  (words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ConfigurationError && words.test(error.message) && error.message.includes('--root');

describe('a file of a machine', () => {
  it('is written as a whole, with its mode and its folders, and read again', () => {
    const { files, at, root } = machine();
    const before = process.umask(0o077);
    try {
      files.write('/etc/kubernetes/pki/ca.crt', 'one', 0o644);
      files.write('/var/lib/own/key', 'two', 0o600, 0o700);
    } finally {
      process.umask(before);
    }
    assert.equal(files.read('/etc/kubernetes/pki/ca.crt'), 'one');
    assert.equal(readFileSync(at('var/lib/own/key'), 'utf8'), 'two');
    assert.deepEqual([modeOf(at('etc/kubernetes/pki/ca.crt')), modeOf(at('var/lib/own/key'))], ['644', '600']);
    files.write('/etc/kubernetes/pki/ca.crt', 'other', 0o640);
    assert.deepEqual(
      [files.read('etc/kubernetes/./pki/ca.crt'), modeOf(at('etc/kubernetes/pki/ca.crt'))],
      [...['other', '640']],
    );
    files.write('/top', 'top', 0o644);
    assert.deepEqual(readdirSync(root).sort(), ['etc', 'top', 'var']);
    assert.deepEqual(readdirSync(at('etc/kubernetes/pki')), ['ca.crt'], 'no draft is left');
  });

  it('has folders of their modes, and those that are there keep theirs', () => {
    const { files, at } = machine();
    const before = process.umask(0);
    try {
      files.write('/a/b/c', '', 0o600, 0o700);
      files.write('/a/d/e', '', 0o600);
      files.write('/a/b/f', '', 0o600, 0o755);
    } finally {
      process.umask(before);
    }
    assert.deepEqual([modeOf(at('a')), modeOf(at('a/b')), modeOf(at('a/d'))], ['755', '700', '755']);
  });

  it('is there, or is not', () => {
    const { files, at } = machine();
    assert.deepEqual([files.exists('/a/b'), files.read('/a/b')], [false, undefined]);
    files.write('/a/b', '', 0o600);
    symlinkSync('nowhere', at('a/link'));
    assert.deepEqual(
      [files.exists('/a/b'), files.exists('/a'), files.exists('/a/link'), files.exists('/b')],
      [...[true, true, true, false]],
    );
    files.remove('/a/b');
    files.remove('/a/b');
    assert.deepEqual([files.exists('/a/b'), files.exists('/a')], [false, true]);
    assert.throws(() => files.remove('/a'), refused(/the file system says/));
  });

  it('is a link in its own folder, which is replaced, not followed, where it is written', () => {
    const { files, at } = machine();
    files.write('/pki/one.pem', 'one', 0o600);
    files.write('/pki/two.pem', 'two', 0o600);
    files.link('/pki/current.pem', 'one.pem');
    assert.equal(files.read('/pki/current.pem'), 'one');
    files.link('/pki/current.pem', 'two.pem');
    assert.equal(files.read('/pki/current.pem'), 'two');
    assert.equal(readlinkSync(at('pki/current.pem')), 'two.pem');
    // by its whole path
    files.link('/pki/whole.pem', '/pki/one.pem');
    assert.equal(files.read('/pki/whole.pem'), 'one');
    for (const other of ['/other/one.pem', '/pki/more/one.pem', 'more/one.pem', '../pki/one.pem', at('pki/one.pem')]) {
      files.link('/pki/whole.pem', other);
      assert.throws(() => files.read('/pki/whole.pem'), refused(/it is a link to another folder/), other);
    }
    files.remove('/pki/whole.pem');
    files.write('/pki/current.pem', 'three', 0o600);
    assert.deepEqual([files.read('/pki/two.pem'), files.read('/pki/current.pem')], ['two', 'three']);
    assert.ok(!lstatSync(at('pki/current.pem')).isSymbolicLink());
    assert.deepEqual(readdirSync(at('pki')).sort(), ['current.pem', 'one.pem', 'two.pem']);
    files.link('/pki/again.pem', 'current.pem');
    files.remove('/pki/again.pem');
    assert.deepEqual([files.exists('/pki/again.pem'), files.read('/pki/current.pem')], [false, 'three']);
  });

  it('is nothing outside of its folder', () => {
    const { files, at, root } = machine();
    const outside = path.join(home, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(path.join(outside, 'secret'), 'secret');
    for (const act of [
      (place: string) => files.read(place),
      (place: string) => files.exists(place),
      (place: string) => files.write(place, 'x', 0o600),
      (place: string) => files.link(place, 'x'),
      (place: string) => files.remove(place),
    ]) {
      assert.throws(() => act('/../outside/secret'), refused(/leads out of the folder/));
      assert.throws(() => act('/a/../../outside/secret'), refused(/leads out of the folder/));
      symlinkSync(outside, at('etc'));
      assert.throws(() => act('/etc/secret'), refused(/no folder, or a link to one/));
      rmSync(at('etc'));
      writeFileSync(at('etc'), 'a file');
      assert.throws(() => act('/etc/secret'), refused(/no folder, or a link to one/));
      rmSync(at('etc'));
    }
    mkdirSync(at('pki'));
    for (const target of ['../../outside/secret', path.join(outside, 'secret'), '../pki/other']) {
      symlinkSync(target, at('pki/link'));
      assert.throws(() => files.read('/pki/link'), refused(/a link to another folder/));
      rmSync(at('pki/link'));
    }
    symlinkSync('second', at('pki/first'));
    symlinkSync('third', at('pki/second'));
    writeFileSync(at('pki/third'), 'third');
    assert.throws(() => files.read('/pki/first'), refused(/ELOOP/));
    assert.equal(readFileSync(path.join(outside, 'secret'), 'utf8'), 'secret');
    assert.deepEqual(readdirSync(root), ['pki']);
    assert.ok(existsSync(outside));
  });

  it('is a plain one of at most 1 MiB, and what waits for somebody is not waited for', () => {
    const { files, at } = machine();
    const given = (name: string): void => {
      assert.throws(() => files.read(`/${name}`), refused(/no regular file of at most 1 MiB/));
      assert.throws(() => hostFiles.read(at(name)), refused(/no regular file of at most 1 MiB/));
    };
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', at('fifo')]);
    given('fifo');
    mkdirSync(at('folder'));
    given('folder');
    writeFileSync(at('long'), '');
    truncateSync(at('long'), MIB + 1);
    given('long');
    truncateSync(at('long'), MIB);
    assert.equal(files.read('/long')?.length, MIB);
    assert.equal(hostFiles.read(at('long'))?.length, MIB);
  });
});

describe('a file of the host', () => {
  it('is read by its name, through links, too', () => {
    const { at } = machine();
    writeFileSync(at('file'), 'text');
    symlinkSync('file', at('link'));
    assert.deepEqual([hostFiles.exists(at('file')), hostFiles.exists(at('none'))], [true, false]);
    assert.deepEqual([at('file'), at('link'), at('none')].map(hostFiles.read), ['text', 'text', undefined]);
    for (const name of ['c', 'a', 'b']) writeFileSync(at(name), '');
    assert.deepEqual(hostFiles.list(at('.')), ['a', 'b', 'c', 'file', 'link']);
    assert.deepEqual(hostFiles.list(at('none')), []);
    assert.throws(() => hostFiles.list(at('file')), refused(/the file system says ENOTDIR/));
  });
});
