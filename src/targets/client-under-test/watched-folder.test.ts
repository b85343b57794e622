/** What is seen of a disk while a program works on it. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WatchedFolder } from './watched-folder.js';

let root: string;
let seen = 0;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'joinproof-watched-'));
  seen = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string, mode = 0o600): void => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
};
const watch = (nameOf = (place: string): string | undefined => `/${place}`): WatchedFolder =>
  new WatchedFolder({ root, nameOf, plain: (text) => text.replaceAll('SECRET', 'plain'), seen: () => seen });

describe('a watched folder', () => {
  it('tells what was written, with what the server had seen by then, and not what was there', () => {
    put('old', 'was there');
    const watched = watch();
    watched.look();
    assert.deepEqual(watched.deeds, []);
    put('etc/new', 'SECRET', 0o640);
    seen = 3;
    watched.look();
    const wrote = { kind: 'wrote', path: '/etc/new', mode: 0o640, text: 'plain', after: 3 };
    assert.deepEqual(watched.deeds, [wrote]);
    seen = 5;
    watched.look();
    assert.deepEqual(watched.deeds, [wrote]);
    assert.deepEqual(watched.left, { '/etc/new': { mode: 0o640, text: 'plain' } });
  });

  it('tells once of a file that grows, as it is when all is in it, since it was begun', () => {
    const watched = watch();
    put('a', 'one', 0o600);
    seen = 1;
    watched.look();
    put('a', 'one and two', 0o644);
    seen = 2;
    watched.look();
    assert.deepEqual(watched.deeds, [{ kind: 'wrote', path: '/a', mode: 0o644, text: 'one and two', after: 1 }]);
    put('a', 'one and two', 0o600);
    seen = 3;
    watched.look();
    assert.deepEqual(
      watched.deeds.map((deed) => deed.kind === 'wrote' && deed.mode),
      [0o644],
      'it was open until then',
    );
  });

  it('tells each time of a file of PEM that is written over, and once of one that grows', () => {
    const watched = watch();
    const texts = (): readonly string[] => watched.deeds.map((deed) => (deed.kind === 'wrote' ? deed.text : deed.kind));
    const key = '-----BEGIN PRIVATE KEY-----\n';
    put('pair', key);
    watched.look();
    put('pair', `${key}more`);
    watched.look();
    assert.deepEqual(texts(), [`${key}more`]);
    put('pair', '');
    watched.look();
    put('pair', `certificate, ${key}`);
    watched.look();
    assert.deepEqual(texts(), [`${key}more`, `certificate, ${key}`]);
    chmodSync(path.join(root, 'pair'), 0o644);
    watched.look();
    assert.equal(texts().length, 2, 'another mode is no other text');
  });

  it('does not tell of an empty file before something is in it', () => {
    const watched = watch();
    put('a', '');
    watched.look();
    assert.deepEqual(watched.deeds, []);
    put('a', 'x');
    seen = 1;
    watched.look();
    assert.deepEqual(watched.deeds, [{ kind: 'wrote', path: '/a', mode: 0o600, text: 'x', after: 1 }]);
  });

  it('tells what was taken away, and what was written again after that', () => {
    put('old', 'x');
    const watched = watch();
    unlinkSync(path.join(root, 'old'));
    seen = 1;
    watched.look();
    put('old', 'y');
    seen = 2;
    watched.look();
    assert.deepEqual(watched.deeds, [
      { kind: 'removed', path: '/old', after: 1, isBrief: true },
      { kind: 'wrote', path: '/old', mode: 0o600, text: 'y', after: 2 },
    ]);
    assert.deepEqual(watched.left, { '/old': { mode: 0o600, text: 'y' } });
  });

  it('tells whether what was taken away is there again at the next look', () => {
    put('old', 'x');
    const watched = watch();
    unlinkSync(path.join(root, 'old'));
    watched.look();
    assert.deepEqual(watched.deeds, [{ kind: 'removed', path: '/old', after: 0 }]);
    watched.look();
    put('old', 'x');
    watched.look();
    assert.deepEqual(watched.deeds[0], { kind: 'removed', path: '/old', after: 0, isBrief: false });
  });

  it('leaves alone what has no name', () => {
    const watched = watch((place) => (place.startsWith('work/') ? undefined : `/${place}`));
    put('work/a', 'x');
    put('b', 'x');
    watched.look();
    assert.deepEqual(Object.keys(watched.left), ['/b']);
    assert.equal(watched.deeds.length, 1);
  });

  it('tells of folders that are new, or have another mode', () => {
    mkdirSync(path.join(root, 'old/within'), { recursive: true });
    for (const one of ['old', 'old/within']) chmodSync(path.join(root, one), 0o755);
    const watched = watch();
    assert.deepEqual(watched.folders, {});
    mkdirSync(path.join(root, 'new/deep'), { recursive: true });
    chmodSync(path.join(root, 'new'), 0o711);
    chmodSync(path.join(root, 'new/deep'), 0o700);
    chmodSync(path.join(root, 'old'), 0o777);
    assert.deepEqual(watched.folders, {
      '/new': { mode: 0o711 },
      '/new/deep': { mode: 0o700 },
      '/old': { mode: 0o777 },
    });
  });

  it('reads links, and knows them for links; what leads nowhere or is too large has no text', () => {
    const watched = watch();
    put('var/real', 'text', 0o600);
    symlinkSync('real', path.join(root, 'var/link'));
    symlinkSync('/var/real', path.join(root, 'var/absolute'));
    symlinkSync(path.join(root, 'var/real'), path.join(root, 'var/own'));
    symlinkSync('/no/such/file', path.join(root, 'var/nowhere'));
    put('large', '', 0o600);
    truncateSync(path.join(root, 'large'), 512 * 1024 + 1);
    put('fits', 'a'.repeat(512 * 1024), 0o600);
    watched.look();
    const { left } = watched;
    assert.deepEqual(left['/var/real'], { mode: 0o600, text: 'text' });
    for (const link of ['/var/link', '/var/absolute', '/var/own'])
      assert.deepEqual(left[link], { mode: 0o600, text: 'text', isLink: true }, link);
    assert.equal(left['/var/nowhere'], undefined);
    assert.equal(left['/fits']?.text.length, 512 * 1024);
    assert.equal(left['/large']?.text, '');
  });

  it('tells in order, and of no folder behind a link', () => {
    const watched = watch();
    const names = ['m', 'b', 'z', 'a', 'k'];
    for (const name of names) put(`in-${name}/file`, name);
    symlinkSync('in-a', path.join(root, 'linked'));
    watched.look();
    const sorted = [...names].sort();
    assert.deepEqual(
      Object.keys(watched.left),
      sorted.map((name) => `/in-${name}/file`),
    );
    assert.deepEqual(
      Object.keys(watched.folders),
      sorted.map((name) => `/in-${name}`),
    );
  });

  it('knows what belongs to somebody else', {
    skip: process.geteuid?.() === 0 ? false : 'only root gives away',
  }, () => {
    const watched = watch();
    put('own', 'x');
    put('given', 'x');
    chownSync(path.join(root, 'given'), 4321, 0);
    mkdirSync(path.join(root, 'own folder'), { mode: 0o755 });
    mkdirSync(path.join(root, 'given folder'), { mode: 0o755 });
    chownSync(path.join(root, 'given folder'), 4321, 0);
    assert.deepEqual(watched.folders, {
      '/given folder': { mode: 0o755, isForeign: true },
      '/own folder': { mode: 0o755 },
    });
    watched.look();
    assert.deepEqual(watched.left, {
      '/given': { mode: 0o600, text: 'x', isForeign: true },
      '/own': { mode: 0o600, text: 'x' },
    });
  });

  it('takes what is of root for nobody else, whoever looks', {
    skip: process.geteuid?.() === 0 ? false : 'only root makes files of root',
  }, (t) => {
    const { geteuid = () => 0 } = process;
    t.after(() => Object.assign(process, { geteuid }));
    process.geteuid = () => 4321;
    const watched = watch();
    put('of root', 'x');
    put('of another', 'x');
    chownSync(path.join(root, 'of another'), 1234, 0);
    watched.look();
    assert.deepEqual(watched.left, {
      '/of another': { mode: 0o600, text: 'x', isForeign: true },
      '/of root': { mode: 0o600, text: 'x' },
    });
  });

  it('reads 2000 files, and no folder or pipe for one', () => {
    const watched = watch();
    for (let index = 0; index < 2001; index += 1) put(`many/${index}`, 'x');
    watched.look();
    assert.equal(Object.keys(watched.left).length, 2000);
    rmSync(path.join(root, 'many'), { recursive: true });
    mkdirSync(path.join(root, 'folder'));
    symlinkSync('folder', path.join(root, 'to-folder'));
    put('last', 'x');
    watched.look();
    assert.deepEqual(Object.keys(watched.left), ['/last']);
  });

  it('is full of 5000 entries, files and folders, and not of bytes that take no place', () => {
    const watched = watch();
    watched.look();
    assert.equal(watched.isFull, false);
    put('sparse', '');
    truncateSync(path.join(root, 'sparse'), 1024 ** 3);
    mkdirSync(path.join(root, 'many'));
    for (let index = 0; index < 4997; index += 1) writeFileSync(path.join(root, 'many', String(index)), '');
    watched.look();
    assert.equal(watched.isFull, false);
    writeFileSync(path.join(root, 'one-more'), '');
    watched.look();
    assert.equal(watched.isFull, true);
    rmSync(path.join(root, 'many'), { recursive: true });
    watched.look();
    assert.equal(watched.isFull, false);
  });
});
