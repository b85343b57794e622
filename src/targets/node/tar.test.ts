/** What is read of archives, header by header. What programs make of folders is in archive.test.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BadArchive, type Member, membersOf } from './tar.js';

interface Made {
  readonly name?: string;
  readonly prefix?: string;
  readonly type?: string;
  readonly mode?: string;
  readonly owner?: string;
  readonly size?: string | Buffer;
  readonly target?: string;
  readonly magic?: string;
  readonly content?: string | Buffer;
  /** Written over the header before its sum is made. */
  readonly at?: readonly (readonly [number, string | Buffer])[];
  readonly sum?: string;
}

const padded = (content: Buffer): Buffer =>
  Buffer.concat([content, Buffer.alloc(Math.ceil(content.length / 512) * 512 - content.length)]);

/** A header, and its content behind it. */
function member({ name = 'a', type = '0', content = '', magic = 'ustar', ...more }: Made): Buffer {
  const block = Buffer.alloc(512);
  const body = Buffer.from(content);
  const put = (at: number, text: string | Buffer): void => void Buffer.from(text).copy(block, at);
  put(0, name);
  put(100, more.mode ?? '0000640');
  put(108, more.owner ?? '0000007');
  put(124, more.size ?? body.length.toString(8).padStart(11, '0'));
  put(156, type);
  put(157, more.target ?? '');
  put(257, magic);
  put(345, more.prefix ?? '');
  for (const [at, text] of more.at ?? []) put(at, text);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, more.sum ?? `${sum.toString(8).padStart(6, '0')}\0 `);
  return Buffer.concat([block, padded(body)]);
}
const END = Buffer.alloc(1024);
const pax = (fields: Readonly<Record<string, string>>, type = 'x'): Buffer =>
  member({
    type,
    content: Object.entries(fields)
      .map(([key, value]) => {
        const rest = ` ${key}=${value}\n`;
        const bytes = Buffer.byteLength(rest);
        const length = [1, 2, 3].map((digits) => bytes + digits).find((all) => String(all).length === all - bytes);
        return `${length}${rest}`;
      })
      .join(''),
  });

type Read = Member & { readonly content?: string };
/** In pieces of so many bytes. */
async function read(
  blocks: readonly Buffer[],
  {
    wanted = () => true,
    most = 1 << 20,
    piece = 100_000,
  }: { wanted?: (one: Member) => boolean; most?: number; piece?: number } = {},
): Promise<readonly Read[]> {
  const all = Buffer.concat([...blocks]);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < all.length; at += piece) yield all.subarray(at, at + piece);
  }
  const found: Read[] = [];
  for await (const { member: one, content } of membersOf(pieces(), wanted, most))
    found.push({ ...one, ...(content === undefined ? {} : { content: content.toString('latin1') }) });
  return found;
}
const refused = (blocks: readonly Buffer[], why: string): Promise<void> =>
  assert.rejects(read(blocks), (error: Error) => {
    assert.ok(error instanceof BadArchive);
    assert.equal(error.message, why);
    return true;
  });
const HALF = 'it ends in the middle, as if it were half-written';
const DAMAGED = 'a header in it is damaged';
const A = { name: 'a', kind: 'file', mode: 0o640, owner: 7, size: 0, target: '' } as const;

describe('a member of an archive', () => {
  it('has a name, a kind, rights, an owner, a size and a target', async () => {
    const long = 'x'.repeat(100);
    for (const [made, expected] of [
      [{}, {}],
      [{ type: '\0' }, {}],
      [{ type: '7' }, {}],
      [
        { type: '5', name: 'd/' },
        { kind: 'folder', name: 'd/' },
      ],
      [
        { type: '0', name: 'd/' },
        { kind: 'folder', name: 'd/' },
      ],
      [
        { type: '2', target: 'there' },
        { kind: 'link', target: 'there' },
      ],
      [
        { type: '1', target: 'there' },
        { kind: 'hard link', target: 'there' },
      ],
      [{ type: '3' }, { kind: 'other' }],
      [
        { type: '3', name: 'd/' },
        { kind: 'other', name: 'd/' },
      ],
      [
        { name: long, target: long },
        { name: long, target: long },
      ],
      [{ prefix: 'p/q' }, { name: 'p/q/a' }],
      [{ prefix: 'p/q', magic: 'other' }, {}],
      [{ prefix: 'p/q', magic: 'ustar ' }, {}],
      [{ mode: '0107777' }, { mode: 0o7777 }],
      [
        { mode: '', owner: '' },
        { mode: 0, owner: 0 },
      ],
      [
        { mode: ' 644 ', owner: '      0' },
        { mode: 0o644, owner: 0 },
      ],
    ] as const)
      assert.deepEqual(
        await read([member(made), END]),
        [{ ...A, ...expected, ...((expected as { kind?: string }).kind === undefined ? { content: '' } : {}) }],
        JSON.stringify(made),
      );
  });

  it('may have numbers of base 256', async () => {
    const owner = (bytes: readonly number[]) => member({ at: [[108, Buffer.from(bytes)]] });
    for (const [bytes, expected] of [
      [[0x80, 0, 0, 0, 0, 1, 2, 3], 66_051],
      [[0x81, 0, 0, 0, 0, 0, 0, 1], 2 ** 56 + 1],
      [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], Number.NaN],
    ] as const)
      assert.deepEqual((await read([owner(bytes), END]))[0]?.owner, expected);
    const size = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1]);
    const [large] = await read([member({ at: [[124, size]] }), Buffer.alloc(1024), END]);
    assert.equal(large?.size, 513);
  });

  it('is as what was said before it says', async () => {
    const said = (type: string, text: string) => member({ name: '././@LongLink', type, content: text });
    const long = 'l/'.repeat(300);
    assert.deepEqual(await read([said('L', `${long}f\0`), member({}), member({ name: 'b' }), END]), [
      { ...A, name: `${long}f`, content: '' },
      { ...A, name: 'b', content: '' },
    ]);
    assert.deepEqual(await read([said('K', `${long}\0x`), said('L', 'n\0'), member({ type: '2' }), END]), [
      { ...A, kind: 'link', name: 'n', target: long },
    ]);
    const fields = { path: 'é/long', linkpath: 'to', uid: '99', size: '3', other: 'a=b' };
    assert.deepEqual(
      (await read([pax(fields), member({ content: 'abc', size: '00000000000' }), member({}), END])).map(
        ({ name, target, owner, size, content }) => [name, target, owner, size, content],
      ),
      [
        ['é/long', 'to', 99, 3, 'abc'],
        ['a', '', 7, 0, ''],
      ],
    );
    assert.deepEqual(
      (await read([pax({ path: 'x' }, 'g'), member({}), END])).map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(
      (await read([pax({ path: 'x' }, 'X'), member({}), END])).map(({ name }) => name),
      ['x'],
    );
    assert.deepEqual(
      (await read([said('L', 'n'), pax({ path: 'x' }), member({}), END])).map(({ name }) => name),
      ['x'],
    );
  });

  it('is as it is where what was said before it says nothing', async () => {
    for (const content of ['', 'x', '12', '10 path', '9 =value\n', 'abc path=x\n', '1.5 path=x\n'])
      assert.deepEqual(
        (await read([member({ type: 'x', content }), member({}), END])).map(({ name }) => name),
        ['a'],
        content,
      );
    const both = member({ type: 'x', content: '10 path=b\nrest' });
    assert.deepEqual(
      (await read([both, member({}), END])).map(({ name }) => name),
      ['b'],
    );
  });

  it('has its content where that is wanted and no longer than wanted', async () => {
    const blocks = [
      member({ name: 'a', content: 'x'.repeat(513) }),
      member({ name: 'b', content: 'y' }),
      member({ name: 'c', type: '5', content: 'z' }),
      END,
    ];
    const contents = async (how: Parameters<typeof read>[1]) => (await read(blocks, how)).map(({ content }) => content);
    assert.deepEqual(await contents({}), ['x'.repeat(513), 'y', undefined]);
    assert.deepEqual(await contents({ most: 513 }), ['x'.repeat(513), 'y', undefined]);
    assert.deepEqual(await contents({ most: 512 }), [undefined, 'y', undefined]);
    assert.deepEqual(await contents({ wanted: ({ name }) => name === 'a' }), ['x'.repeat(513), undefined, undefined]);
    for (const piece of [1, 511, 512, 513, 700])
      assert.deepEqual(await contents({ piece }), ['x'.repeat(513), 'y', undefined], String(piece));
    const names = await read(blocks, { piece: 300, wanted: () => false });
    assert.deepEqual(
      names.map(({ name, size }) => [name, size]),
      [
        ['a', 513],
        ['b', 1],
        ['c', 1],
      ],
    );
  });
});

describe('a sparse file in an archive', () => {
  const octal = (number: number): string => number.toString(8).padStart(11, '0').concat(' ');
  const parts = (all: readonly (readonly [number, number])[]): string =>
    all.map(([at, length]) => octal(at) + octal(length)).join('');
  const old = (all: readonly (readonly [number, number])[], size: number, content: string, more = ''): Buffer =>
    member({
      type: 'S',
      content,
      at: [
        [386, parts(all)],
        [482, more],
        [483, octal(size)],
      ],
    });

  it('is whole where its parts stand in its header', async () => {
    const [file, next] = await read([
      old(
        [
          [1, 2],
          [5, 1],
        ],
        8,
        'abc',
      ),
      member({ name: 'b' }),
      END,
    ]);
    assert.deepEqual([file?.size, file?.content, next?.name], [8, '\0ab\0\0c\0\0', 'b']);
    const more = Buffer.alloc(512);
    more.write(
      parts([
        [6, 1],
        [7, 0],
      ]),
    );
    const header = old(
      [
        [0, 1],
        [2, 1],
        [3, 1],
        [4, 1],
      ],
      8,
      'abcde',
      '\u0001',
    );
    const [long] = await read([header.subarray(0, 512), more, header.subarray(512), END]);
    assert.equal(long?.content, 'a\0bcd\0e\0');
    const goesOn = Buffer.from(more);
    goesOn[504] = 1;
    const [longer, after] = await read([
      header.subarray(0, 512),
      goesOn,
      Buffer.alloc(512),
      header.subarray(512),
      member({ name: 'b' }),
      END,
    ]);
    assert.deepEqual([longer?.content, after?.name], ['a\0bcd\0e\0', 'b']);
    const passed = await read([header.subarray(0, 512), more, header.subarray(512), member({ name: 'b' }), END], {
      most: 7,
    });
    assert.deepEqual(
      passed.map(({ name, content }) => [name, content]),
      [
        ['a', undefined],
        ['b', ''],
      ],
    );
  });

  it('is whole where pax says its parts, in a field or in front of its content', async () => {
    const map = { 'GNU.sparse.map': '1,2,5,1', 'GNU.sparse.size': '8', 'GNU.sparse.name': 'real' };
    const [file] = await read([pax(map), member({ content: 'abc' }), END]);
    assert.deepEqual([file?.name, file?.size, file?.content], ['real', 8, '\0ab\0\0c\0\0']);
    const odd = { 'GNU.sparse.map': '0,1,8', 'GNU.sparse.size': '8' };
    assert.equal((await read([pax(odd), member({ content: 'a' }), END]))[0]?.content, 'a'.padEnd(8, '\0'));
    const front = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '6' };
    const stored = Buffer.concat([padded(Buffer.from('2\n0\n1\n4\n2\n')), Buffer.from('abc')]);
    const [other] = await read([pax(front), member({ content: stored }), END]);
    assert.deepEqual([other?.size, other?.content], [6, 'a\0\0\0bc']);
  });

  it('is refused that says what cannot be', async () => {
    const beyond = 'a sparse file in it has more parts than it is long';
    await refused([old([[7, 2]], 8, 'ab'), END], beyond);
    assert.equal((await read([old([[6, 2]], 8, 'ab'), END]))[0]?.content, '\0\0\0\0\0\0ab');
    const header = old([], 8, '', '\u0001');
    const more = Buffer.alloc(512);
    more.write(parts(Array.from({ length: 21 }, () => [1, 1] as const)));
    more[504] = 1;
    const many = Array.from({ length: 480 }, () => more);
    await refused([header, ...many, END], 'a sparse file in it has more than 10000 parts');
    await refused([old([[0, 1]], 8, 'a', '\u0001').subarray(0, 512)], HALF);
  });
});

describe('an archive', () => {
  it('ends with a block of zeros, and what follows is not read', async () => {
    assert.deepEqual(await read([member({}), Buffer.alloc(512), Buffer.from('rest')]), [{ ...A, content: '' }]);
    assert.deepEqual(await read([END]), []);
  });

  it('is refused that is none, or half of one, or damaged', async () => {
    await refused([], 'it is no tar archive, or half-written');
    await refused([Buffer.from('hello')], 'it is no tar archive, or half-written');
    await refused([Buffer.alloc(600, 'x')], 'it is no tar archive');
    await refused([member({})], HALF);
    await refused([member({}), member({}).subarray(0, 100)], HALF);
    await refused([member({ content: 'x'.repeat(600) }).subarray(0, 1000)], HALF);
    await refused([member({}), member({ sum: '000001\0 ' }), END], DAMAGED);
    await refused([member({ size: 'x' }), END], DAMAGED);
    await refused([member({ size: '00000000009' }), END], DAMAGED);
    await refused([member({ at: [[124, Buffer.alloc(12, 0xff)]] }), END], DAMAGED);
    await refused([pax({ size: '-1' }), member({}), END], DAMAGED);
    await refused([pax({ size: '1.5' }), member({}), END], DAMAGED);
    await refused([pax({ 'GNU.sparse.size': 'x' }), member({}), END], DAMAGED);
  });

  it('is refused in which a name is too long', async () => {
    const name = (length: number): readonly Buffer[] => [
      member({ type: 'L', content: 'n'.repeat(length) }),
      member({}),
      END,
    ];
    assert.equal((await read(name(1024 * 1024)))[0]?.name.length, 1024 * 1024);
    await refused(name(1024 * 1024 + 1), 'a name in it is too long');
  });
});
