import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Misshapen } from '../../kubernetes/typed-objects.js';
import { readDocuments } from './documents.js';

const map = (name: string, more: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  ...more,
});
const names = (text: string): readonly string[] => readDocuments(text).map(({ object }) => object.metadata.name ?? '');
const listOf = (...items: readonly unknown[]) => ({ apiVersion: 'v1', kind: 'List', items });

describe('an object of a dump', () => {
  it('has a kind, a version and a name, all of them texts', () => {
    assert.deepEqual(names(JSON.stringify(map('a'))), ['a']);
    for (const other of [
      map('a', { kind: 5 }),
      map('a', { kind: undefined }),
      map('a', { apiVersion: undefined }),
      map('a', { apiVersion: 1 }),
      map('a', { metadata: undefined }),
      map('a', { metadata: 'a' }),
      map('a', { metadata: {} }),
      map('a', { metadata: { name: 5 } }),
    ])
      assert.deepEqual(names(JSON.stringify(other)), [], JSON.stringify(other));
    assert.throws(() => readDocuments(JSON.stringify(map('a', { data: [1] }))), Misshapen);
  });

  it('stands alone, in a list, or in lists of lists, four of them deep', () => {
    const deep = (levels: number): unknown => (levels === 0 ? map('a') : listOf(deep(levels - 1)));
    const found = (levels: number) => readDocuments(JSON.stringify(deep(levels))).map(({ listed }) => listed);
    assert.deepEqual([0, 1, 4, 5].map(found), [[false], [true], [true], []]);
  });

  it('is of the kind of its list, if of no other', () => {
    const found = readDocuments(
      JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleList',
        items: [{ metadata: { name: 'a' } }, map('b'), 5, null],
      }),
    );
    assert.deepEqual(
      found.map(({ object: { apiVersion, kind, metadata } }) => [apiVersion, kind, metadata.name]),
      [
        ['rbac.authorization.k8s.io/v1', 'Role', 'a'],
        ['v1', 'ConfigMap', 'b'],
      ],
    );
    // items that are no list make it an object like others
    assert.deepEqual(names(JSON.stringify({ ...map('c'), kind: 'ThingList', items: 'many' })), ['c']);
  });

  it('shows that its list was of all namespaces where there are several', () => {
    const of = (...namespaces: readonly (string | undefined)[]): readonly (true | undefined)[] => {
      const items = namespaces.map((namespace) => ({ ...map('a'), metadata: { name: 'a', namespace } }));
      return readDocuments(JSON.stringify(listOf(...items))).map(({ everywhere }) => everywhere);
    };
    assert.deepEqual(of('a', 'a'), [undefined, undefined]);
    assert.deepEqual(of('a', undefined), [undefined, undefined]);
    assert.deepEqual(of('a', 'b'), [true, true]);
  });
});

describe('JSON of a dump', () => {
  it('may hold brackets and quotation marks in its texts', () => {
    const odd = map('a', { data: { a: '"}{', b: '\\', c: '[\\"' } });
    assert.deepEqual(names(`${JSON.stringify(odd)}\n${JSON.stringify(map('b'))}`), ['a', 'b']);
  });

  it('is a thousand levels deep at most', () => {
    const nested = (levels: number): string =>
      `{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a"},"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    assert.deepEqual(names(nested(1_000)), ['a']);
    assert.throws(() => names(nested(1_001)), /deeper than 1000 levels/);
  });

  it('is refused where a value is cut off, and passed over where none begins a line', () => {
    assert.throws(() => names(`${JSON.stringify(map('a'))}\n{"a": [`), /a JSON value is cut off/);
    assert.deepEqual(names(`${JSON.stringify(map('a'))} and {"no": "value"}`), ['a']);
  });
});

describe('a text of a dump', () => {
  it('may begin with a mark of UTF-8, and is refused with one of UTF-16, that nothing in it is passed over', () => {
    const text = JSON.stringify(map('a'));
    assert.deepEqual(names(`\ufeff${text}`), ['a']);
    assert.deepEqual(names('\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'), ['a']);
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    assert.throws(() => names(wide.toString('utf8')), /it is UTF-16/);
    assert.throws(() => names(wide.swap16().toString('utf8')), /it is UTF-16/);
  });

  it('says where it is broken', () =>
    assert.throws(
      () => names('a: 1\n---\nb: 1\nb: 2\n'),
      /^SyntaxError: Map keys must be unique at line 4, column 1$/,
    ));

  it('of very many documents takes no more memory than one of few', () => {
    const before = process.memoryUsage().rss;
    assert.deepEqual(names('---\n'.repeat(300_000)), []);
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
  });
});
