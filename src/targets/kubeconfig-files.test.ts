/** Fields of kubeconfigs by their types, and files of them that are read together. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigurationError } from './errors.js';
import { Fields, type KubeconfigChoice, type Merged, readKubeconfigs } from './kubeconfig-files.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-kubeconfigs-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => path.join(folder, name);
const put = (name: string, content: unknown): string => {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
};
const refused =
  (message: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.equal(error.message, message);
    return true;
  };
const VALUES = { nothing: null, empty: '', text: 'a', number: 5, yes: true, list: ['a'], mapping: { a: 'b' } };
const fields = new Fields(
  { ...VALUES, odd: ['a', 5], on: 'on', off: 'off', no: 'no', word: 'yes', not: false },
  'x of y',
  '/home',
);

describe('a field of a kubeconfig', () => {
  it('is a text, or nothing where it is empty', () => {
    assert.deepEqual(
      ['text', 'empty', 'nothing', 'none'].map((name) => fields.text(name)),
      [...['a', undefined, undefined, undefined]],
    );
    for (const [name, kind] of [
      ['number', 'number'],
      ['yes', 'boolean'],
      ['list', 'list'],
      ['mapping', 'mapping'],
    ] as const)
      assert.throws(
        () => fields.text(name),
        refused(`${name} of x of y is a ${kind}; it must be a text (put it in quotes).`),
      );
  });

  it('is true or false, as YAML of any age says', () => {
    const all = ['yes', 'word', 'on', 'not', 'no', 'off', 'nothing', 'none'];
    assert.deepEqual(
      all.map((name) => fields.flag(name)),
      [true, true, true, false, false, false, false, false],
    );
    for (const name of ['text', 'empty'])
      assert.throws(() => fields.flag(name), refused(`${name} of x of y is a string; it must be true or false.`));
  });

  it('is a mapping or a list, of texts where it is to be', () => {
    const inner = fields.fields('mapping');
    assert.deepEqual([inner?.values, inner?.where, inner?.folder], [{ a: 'b' }, 'mapping of x of y', '/home']);
    assert.equal(fields.fields('mapping', 'user z')?.where, 'user z');
    assert.deepEqual([fields.fields('nothing'), fields.fields('none')], [undefined, undefined]);
    for (const [name, kind] of [
      ['list', 'list'],
      ['text', 'string'],
      ['number', 'number'],
    ] as const)
      assert.throws(() => fields.fields(name), refused(`${name} of x of y is a ${kind}; it must be a mapping.`));
    assert.deepEqual([fields.list('list'), fields.list('nothing'), fields.list('none')], [['a'], [], []]);
    assert.throws(() => fields.list('mapping'), refused('mapping of x of y is a mapping; it must be a list.'));
    assert.deepEqual([fields.texts('list'), fields.texts('none')], [['a'], []]);
    assert.throws(() => fields.texts('odd'), refused('odd of x of y holds a number; it must hold texts only.'));
  });

  it('is a path from its file on, or base64', () => {
    const paths = new Fields({ own: 'a/b', other: '/a/b', data: ' YW\nI= ', bad: 'YWI', odd: 'Y-I=' }, 'x', '/home');
    assert.deepEqual(
      ['own', 'other', 'none'].map((name) => paths.path(name)),
      ['/home/a/b', '/a/b', undefined],
    );
    assert.deepEqual([paths.data('data'), paths.data('none')], ['ab', undefined]);
    for (const name of ['bad', 'odd'])
      assert.throws(() => paths.data(name), refused(`${name} of x is not valid base64.`));
  });
});

describe('files of kubeconfigs', () => {
  const one = put('one', {
    'current-context': '',
    users: [{ name: 'a', user: { token: 'one' } }, { name: 'b' }],
    clusters: [{ cluster: { server: 'of no name' } }],
  });
  const other = put('other', {
    kind: 'Config',
    apiVersion: 'v1',
    'current-context': 'second',
    users: [
      { name: 'a', user: { token: 'other', username: 'u' } },
      { name: 'c', user: { token: 'c' } },
    ],
  });
  const shown = ({ users }: Merged): object =>
    Object.fromEntries([...users].map(([name, { values }]) => [name, values]));

  it('are read together, the first of which wins entry by entry, each file once', async () => {
    const env = { KUBECONFIG: [one, '', at('none'), other, one].join(path.delimiter) };
    const merged = await readKubeconfigs({ env });
    assert.deepEqual([merged.files, merged.currentContext], [[one, other], 'second']);
    assert.deepEqual(shown(merged), { a: { token: 'one' }, b: {}, c: { token: 'c' } });
    assert.deepEqual(
      [...merged.clusters].map(([name, { values }]) => [name, values.server]),
      [['', 'of no name']],
    );
    assert.equal(merged.users.get('a')?.where, `user "a" of ${one}`);
    assert.equal(merged.users.get('a')?.folder, folder);
    assert.equal(merged.contexts.size, 0);
  });

  it('are the one that is given, else those of the environment, else the one at home', async () => {
    mkdirSync(at('home/.kube'), { recursive: true });
    const own = put('home/.kube/config', { 'current-context': 'home' });
    const read = async (choice: KubeconfigChoice) => (await readKubeconfigs({ home: at('home'), ...choice })).files;
    assert.deepEqual(await read({ kubeconfig: one, env: { KUBECONFIG: other } }), [one]);
    assert.deepEqual(await read({ env: { KUBECONFIG: other } }), [other]);
    assert.deepEqual(await read({ env: { KUBECONFIG: '' } }), [own]);
    assert.deepEqual(await read({ env: {} }), [own]);
    const given = await readKubeconfigs({ content: { 'current-context': 'given' }, env: { KUBECONFIG: other } });
    assert.deepEqual([given.files, given.currentContext], [['the given kubeconfig'], 'given']);
  });

  it('are refused in a sentence', async () => {
    const of = (content: unknown) => (): KubeconfigChoice => ({ kubeconfig: put('bad', content), env: {} });
    const bad = at('bad');
    const give = 'give the path of a kubeconfig file.';
    for (const [choice, message] of [
      [{ kubeconfig: '', env: {} }, `--kubeconfig was given an empty path; ${give}`],
      [{ kubeconfig: folder, env: {} }, `The kubeconfig ${folder} is a folder; ${give}`],
      [
        { kubeconfig: at('none'), env: {} },
        `The kubeconfig ${at('none')} does not exist; give --kubeconfig with the path of one.`,
      ],
      [
        { env: { KUBECONFIG: `${at('x')}:${at('y')}` } },
        `No kubeconfig was found (looked at ${at('x')}, ${at('y')}); give --kubeconfig with the path of one.`,
      ],
      [of([]), `The kubeconfig ${bad} holds a list; it must be a mapping with clusters, users and contexts.`],
      [of({ kind: 'Pod' }), `${bad} is a Pod; a kubeconfig has the kind Config.`],
      [of({ apiVersion: 'v2' }), `${bad} has apiVersion v2; a kubeconfig has v1.`],
      [of({ users: ['a'] }), `users of ${bad} holds a string; it must hold mappings with name and user.`],
      [of({ users: [{ name: 'a' }, { name: 'a' }] }), `${bad} has two users of the name "a"; keep one.`],
      [
        of({ users: [{ name: 5 }] }),
        `name of an entry of users of ${bad} is a number; it must be a text (put it in quotes).`,
      ],
      [of({ users: [{ name: 'a', user: [] }] }), `user "a" of ${bad} is a list; it must be a mapping.`],
      [of('a: &a [*b]'), `The kubeconfig ${bad} cannot be read: its YAML aliases are broken or too many.`],
    ] as const)
      await assert.rejects(readKubeconfigs(typeof choice === 'function' ? choice() : choice), refused(message));
    await assert.rejects(
      readKubeconfigs(of('a: [')()),
      /^ConfigurationError: The kubeconfig .* is neither YAML nor JSON \(line 1/,
    );
    await assert.rejects(
      readKubeconfigs(of('['.repeat(2_000))()),
      /^ConfigurationError: The kubeconfig .* is nested too deeply to be read\.$/,
    );
    assert.deepEqual((await readKubeconfigs(of('')())).users.size, 0);
  });
});
