import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeEntry } from '../types.js';
import { type Content, type Found, LIMITS, said, type Tree, WalkedFiles } from './walk.js';

/** Folders of folders of files, all alike. */
const wide = (folders: number, files: number): Tree => ({
  look: async (place) => ({ kind: place.split('/').length > 3 ? 'file' : 'folder', size: 1 }),
  names: async (place) => Array.from({ length: place.split('/').length > 2 ? files : folders }, (_, at) => `n${at}`),
  contents: async () => new Map(),
});

describe('a walk through a tree', () => {
  it('ends where there is too much of it, and says so', async () => {
    const found = await new WalkedFiles(wide(900, 900)).read(['/a']);
    assert.ok(found.length < LIMITS.places + 900 + 900);
    assert.match(found.at(-1)?.unreadable ?? '', /^more than 20000 files/);
  });
  it('goes through what is within its bounds', async () => {
    const found = await new WalkedFiles(wide(3, 4)).read(['/a']);
    assert.equal(found.length, 1 + 3 + 12);
    assert.deepEqual(
      found.filter(({ kind }) => kind === 'folder').flatMap(({ unreadable }) => unreadable ?? []),
      [],
    );
  });
});

/** A file by its text or size, a link by "-> where", a folder by {}, what cannot be looked at by its code. */
type Lying = string | number | { readonly code?: string; readonly names?: string; readonly mode?: number };

/** A tree of these places; folders above them are there as well. */
function treeOf(lying: Readonly<Record<string, Lying>>) {
  const asked: string[][] = [];
  const thrown = (code: string): Error => Object.assign(new Error(code), { code });
  const found = (place: string): Found | undefined => {
    const what = lying[place];
    if (what === undefined)
      return Object.keys(lying).some((one) => one.startsWith(`${place === '/' ? '' : place}/`))
        ? { kind: 'folder', size: 0 }
        : undefined;
    if (typeof what === 'number') return { kind: 'file', size: what };
    if (typeof what === 'object') {
      if (what.code !== undefined) throw thrown(what.code);
      return { kind: 'folder', size: 0, ...(what.mode === undefined ? {} : { mode: what.mode, owner: 7 }) };
    }
    if (what.startsWith('-> ')) return { kind: 'link', size: 0, target: what.slice(3) };
    return { kind: 'file', size: what.length, mode: 0o640, owner: 7 };
  };
  const tree: Tree = {
    look: async (place) => found(place),
    names: async (place) => {
      const what = lying[place];
      if (typeof what === 'object' && what.names !== undefined) throw thrown(what.names);
      const below = Object.keys(lying).filter((one) => one.startsWith(`${place === '/' ? '' : place}/`));
      const names = below.map((one) => one.slice(place === '/' ? 1 : place.length + 1).replace(/\/.*/, ''));
      return [...new Set(names)].sort();
    },
    members: async (place) => [`within ${place}`],
    contents: async (places) => {
      asked.push([...places]);
      return new Map(
        places.flatMap((place): (readonly [string, Content])[] => {
          const what = lying[place];
          return typeof what === 'string' ? [[place, { text: what }]] : [];
        }),
      );
    },
  };
  return { tree, asked };
}
const read = (lying: Readonly<Record<string, Lying>>, ...paths: readonly string[]): Promise<readonly NodeEntry[]> =>
  new WalkedFiles(treeOf(lying).tree).read(paths);
/** "path: text, or why not", or "path/" of a folder. */
const shown = (entries: readonly NodeEntry[]): readonly string[] =>
  entries.map(({ path, kind, text, unreadable, at }) => {
    const name = `${path}${kind === 'folder' ? '/' : ''}${at === undefined ? '' : ` at ${at}`}`;
    return unreadable === undefined ? `${name}${text === undefined ? '' : `: ${text}`}` : `${name}! ${unreadable}`;
  });

describe('what lies on a disk', () => {
  const files = { '/etc/a': 'of a', '/etc/b/c': 'of c', '/etc/b/d.key': 'of d', '/var/e': 'of e' };

  it('is a path and all below it, in order, with modes and owners where they are known', async () => {
    assert.deepEqual(shown(await read(files, '/etc')), [
      ...['/etc/', '/etc/a: of a', '/etc/b/', '/etc/b/c: of c', '/etc/b/d.key: of d'],
    ]);
    assert.deepEqual(await read(files, '/etc/a'), [
      { path: '/etc/a', kind: 'file', mode: 0o640, owner: 7, text: 'of a' },
    ]);
    assert.deepEqual(await read({ '/x': { mode: 0o700 } }, '/x'), [
      { path: '/x', kind: 'folder', mode: 0o700, owner: 7 },
    ]);
    assert.deepEqual(await read(files, '/none', '/etc/a/below', '/etc/b/none'), []);
    assert.deepEqual(shown(await read(files, 'var', '/etc//b/../a')), ['/var/', '/var/e: of e', '/etc/a: of a']);
    assert.equal((await read(files, '/')).length, 8);
  });

  it('is itself alone by a slash at its end', async () => {
    const archives = { '/a.tgz': 'x', '/l.tgz': '-> a.tgz', '/f.tgz/x': '', '/b': 'x', '/c.zip': 'x' };
    assert.deepEqual(await read(archives, '/a.tgz/', '/b/', '/f.tgz/', '/none/'), [
      { path: '/a.tgz', kind: 'file', size: 1, mode: 0o640, owner: 7, members: ['within /a.tgz'] },
      { path: '/b', kind: 'file', size: 1, mode: 0o640, owner: 7 },
      { path: '/f.tgz', kind: 'folder' },
    ]);
    assert.deepEqual(await read(archives, '/l.tgz/'), [
      { path: '/l.tgz', at: '/a.tgz', kind: 'file', size: 1, mode: 0o640, owner: 7, members: ['within /a.tgz'] },
    ]);
    const { tree } = treeOf(archives);
    const { members: _, ...untold } = tree;
    const [entry] = await new WalkedFiles(untold).read(['/c.zip/']);
    assert.equal(entry?.members, undefined);
  });

  it('is what patterns mean', async () => {
    assert.deepEqual(shown(await read(files, '/etc/b/*')), ['/etc/b/c: of c', '/etc/b/d.key: of d']);
    assert.deepEqual(shown(await read(files, '/*/*.key|a|e')), ['/etc/a: of a', '/var/e: of e']);
    assert.deepEqual(shown(await read(files, '/*/b/*.key')), ['/etc/b/d.key: of d']);
    assert.deepEqual(shown(await read(files, '/etc/*/')), ['/etc/a', '/etc/b/']);
    assert.deepEqual(shown(await read(files, '/etc/a/*', '/none/*', '/etc/b/x*')), []);
    assert.deepEqual(shown(await read({ '/l': '-> etc', ...files }, '/l/b/c*')), ['/l/b/c at /etc/b/c: of c']);
  });

  it('is told of as not to be listed once, in the place of what a pattern means', async () => {
    const closed = { '/a': { names: 'EACCES' }, '/b': { names: 'ENOTDIR' }, '/c': { code: 'EPERM' } };
    assert.deepEqual(shown(await read(closed, '/a/*.key', '/a/*.crt', '/b/*', '/c/*')), [
      '/a/! permission denied',
      '/c/! permission denied',
    ]);
    const many = Object.fromEntries(Array.from({ length: LIMITS.entries + 1 }, (_, at) => [`/m/${at}.key`, 'x']));
    const full = '/m/! it holds more than 1000 entries that are asked for';
    assert.deepEqual(shown(await read(many, '/m/*.key')), [full]);
    assert.equal((await read(many, '/m/*0.key')).length, 101);
    const { '/m/0.key': _, ...fits } = many;
    assert.equal((await read(fits, '/m/*')).length, LIMITS.entries);
    assert.equal((await read(fits, '/m')).length, LIMITS.entries + 1);
    assert.deepEqual(shown(await read(many, '/m')), ['/m/! it holds more than 1000 entries']);
  });

  it('is followed through links as the node would', async () => {
    const linked = {
      ...files,
      '/etc/absolute': '-> /var/e',
      '/etc/b/relative': '-> ../a',
      '/etc/b/climbs': '-> ../../../../var/./e',
      '/etc/folder': '-> b',
      '/etc/nowhere': '-> /none',
      '/etc/root': '-> /',
    };
    for (const [path, expected] of [
      ['/etc/absolute', '/etc/absolute at /var/e: of e'],
      ['/etc/b/relative', '/etc/b/relative at /etc/a: of a'],
      ['/etc/b/climbs', '/etc/b/climbs at /var/e: of e'],
      ['/etc/folder/c', '/etc/folder/c at /etc/b/c: of c'],
      ['/etc/root/var/e', '/etc/root/var/e at /var/e: of e'],
      ['/etc/nowhere', '/etc/nowhere! it is a link to nothing'],
    ] as const)
      assert.deepEqual(shown(await read(linked, path)), [expected]);
    assert.ok(shown(await read(linked, '/etc')).includes('/etc/nowhere! it is a link to nothing'));
    assert.deepEqual(shown(await read(linked, '/etc/nowhere/x')), []);
    assert.deepEqual(shown(await read({ '/l': '-> /x/..', '/x/y': '1' }, '/l/')), ['/l/ at /']);
  });

  it('is in a circle after twenty links', async () => {
    const chain = (length: number) =>
      Object.fromEntries([
        ...Array.from({ length }, (_, at) => [`/${at}`, `-> ${at + 1}`] as const),
        [`/${length}`, 'end'],
      ]);
    assert.deepEqual(shown(await read(chain(20), '/0')), ['/0 at /20: end']);
    assert.deepEqual(shown(await read(chain(21), '/0')), ['/0! its links lead in a circle']);
  });

  it('is unreadable where the file system says so', async () => {
    for (const [code, why] of [
      ['EACCES', 'permission denied'],
      ['EPERM', 'permission denied'],
      ['ELOOP', 'its links lead in a circle'],
      ['EIO', 'the disk cannot be read there'],
      ['ENAMETOOLONG', 'ENAMETOOLONG'],
    ] as const) {
      assert.deepEqual(shown(await read({ '/a': { code } }, '/a')), [`/a! ${why}`]);
      assert.deepEqual(shown(await read({ '/a': { names: code } }, '/a')), [`/a/! ${why}`]);
      assert.equal(said(Object.assign(new Error('it fails'), { code })), why);
    }
    const none = { '/a': 3 };
    assert.deepEqual(shown(await read(none, '/a')), ['/a! it has no content']);
  });

  it('is no deeper than six folders', async () => {
    const path = (depth: number): string => `/f${'/x'.repeat(depth)}`;
    assert.equal((await read({ [`${path(5)}/file`]: 'x' }, '/f')).at(-1)?.text, 'x');
    assert.deepEqual(
      shown(await read({ [`${path(6)}/file`]: 'x' }, '/f')).at(-1),
      `${path(6)}/! more than 6 folders lie within each other`,
    );
  });
});

describe('what is read of a disk', () => {
  const MIB = LIMITS.file;
  const large = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/f/${String(at + from).padStart(3, '0')}`, MIB]));
  const reads = (entries: readonly NodeEntry[]): number =>
    entries.filter(({ kind, unreadable }) => kind === 'file' && unreadable === 'it has no content').length;

  it('is no file that is too large', async () => {
    assert.deepEqual(shown(await read({ '/a': MIB }, '/a')), ['/a! it has no content']);
    assert.deepEqual(shown(await read({ '/a': MIB + 1 }, '/a')), ['/a! it is larger than 1024 KiB']);
  });

  it('is no more than all together may be, and some later whatever was read before', async () => {
    const walked = new WalkedFiles(treeOf(large(60)).tree);
    const first = await walked.read(['/f']);
    assert.equal(reads(first), 32);
    assert.equal(first.at(-1)?.unreadable, 'the files together are larger than 32768 KiB');
    assert.equal(reads(await walked.read(['/f'])), 8);
    const few = new WalkedFiles(treeOf(large(60)).tree);
    assert.equal(reads(await few.read(['/f/000', '/f/001'])), 2);
    assert.equal(reads(await few.read(['/f'])), 30);
  });

  it('is read at once, and a place once, however it is named', async () => {
    const { tree, asked } = treeOf({ '/a': 'x', '/l': '-> a', '/b': 'y', '/f/c': '' });
    const entries = await new WalkedFiles(tree).read(['/a', '/l', '/b', '/f/', '/a/']);
    assert.deepEqual(asked, [['/a', '/b']]);
    assert.deepEqual(shown(entries), ['/a: x', '/l at /a: x', '/b: y', '/f/', '/a']);
  });

  it('is nothing once the time is over', async () => {
    const walked = new WalkedFiles(treeOf({ '/a': 'x' }).tree, 0);
    await new Promise((resolve) => setTimeout(resolve, 2));
    assert.deepEqual(shown(await walked.read(['/a'])), ['/a! reading the disk has taken 0 s already']);
    const before = Date.now();
    assert.ok(walked.now() >= before && walked.now() <= Date.now());
  });
});
