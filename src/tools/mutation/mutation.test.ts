import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { featureChanges } from './feature-changes.js';
import { nearest } from './nearest.js';
import { roomChanges, weakerText } from './room-changes.js';
import { emptyRooms, isForTests } from './rooms.js';
import { fromMarkdown, newest, toMarkdown } from './score.js';
import { instrumented } from './step-changes.js';
import { fromText, held } from './survivors.js';

const FEATURE = `Feature: x

  @A-01 @MUST
  Rule: a rule

    Scenario Outline: by <whom>
      Given <whom>
      And a table:
        | verb | what |
        | get  | pods |
      Then this:
        | alone |
      And that

      Examples:
        | whom |
        | he   |
        | she  |
`;

describe('changes of a feature', () => {
  const changes = featureChanges('f.feature', FEATURE);
  const textOf = (name: RegExp): string => changes.find((change) => name.test(change.name))?.text ?? '';

  it('take out every step, row and example, and no header', () => {
    assert.deepEqual(
      changes.map(({ kind, name }) => `${kind} ${name}`),
      [
        'step A-01, by <whom>: without "<whom>"',
        'step A-01, by <whom>: without "a table:"',
        'row A-01, by <whom>: without | get | pods |',
        'step A-01, by <whom>: without "this:"',
        'row A-01, by <whom>: without | alone |',
        'step A-01, by <whom>: without "that"',
        'example A-01, by <whom>: without | he |',
        'example A-01, by <whom>: without | she |',
      ],
    );
  });

  it('take a step out with its table, and leave what follows a step', () => {
    assert.match(textOf(/without "a table:"/), /Given <whom>\n {6}Then this:/);
    assert.match(textOf(/without "this:"/), /\| get {2}\| pods \|\n {6}Then that/);
  });
});

describe('changes of a step', () => {
  const changed = (text: string): { readonly run: (id: number) => unknown; readonly names: readonly string[] } => {
    const made = instrumented('a.js', text, 1);
    const run = (id: number): unknown => {
      const asked = { is: (change: number) => change === id };
      return new Function('globalThis', `${made.text}\nreturn f([1, 2, 3], true);`)({ __joinproofChange: asked });
    };
    return { run, names: made.changes.map(({ name }) => name) };
  };
  const all = (text: string): Readonly<Record<string, unknown>> => {
    const { run, names } = changed(text);
    return Object.fromEntries(names.map((name, index) => [name.replace('a.js, f: ', ''), run(index + 1)]));
  };

  it('change nothing until one is chosen', () => {
    const text =
      'function f(list, yes) { if (yes && list.length) return list.filter((n) => n > 1).map((n) => n * 2); }';
    assert.deepEqual(changed(text).run(0), [4, 6]);
    assert.deepEqual(all(text), {
      'always yes && list.length': [4, 6],
      'never yes && list.length': undefined,
      'without the operand yes': [4, 6],
      'without the operand list.length': [4, 6],
      'only the first of list.filter((n) => n > 1)': [4],
      'unfiltered list.filter((n) => n > 1)': [2, 4, 6],
    });
  });

  it('drop statements, elements and properties', () => {
    const text = 'function f(list) { const o = { a: 1 }; list.push([5, 6]); return [list.length, o.a]; }';
    const found = all(text);
    assert.deepEqual(found['without list.push([5, 6]);'], [3, 1]);
    assert.deepEqual(found['without a: 1'], [4, undefined]);
    assert.deepEqual(found['without o.a'], [4]);
  });

  it('leave an else to its if', () => {
    const text = 'function f(list, yes) { let n = 0; if (yes) n = 1;\nelse n = 2;\nreturn n; }';
    assert.equal(changed(text).run(0), 1);
    assert.deepEqual(all(text), { 'always yes': 1, 'never yes': 2, 'without n = 1;': 0, 'without n = 2;': 1 });
  });

  it('leave what is assigned to, and parameters that are empty already', () => {
    const text =
      'function f() { let a, b; [a, { b }] = [1, { b: 2 }]; const t = { check: (...all) => all[2] };\nreturn [t.check(a, b, ""), a]; }';
    const { run, names } = changed(text);
    assert.deepEqual(run(0), ['', 1]);
    assert.ok(!names.some((name) => name.includes('empty instead of')), names.join());
  });

  it('know what is decided while a module loads', () => {
    const { changes } = instrumented('a.js', 'const LIST = [1, 2];\nfunction f() { return LIST; }', 1);
    assert.deepEqual(
      changes.map(({ name, atLoad }) => [name, atLoad]),
      [
        ['a.js, LIST: without 1', true],
        ['a.js, LIST: without 2', true],
      ],
    );
  });
});

describe('changes of a room', () => {
  const all = (text: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      roomChanges('a.js', text).map((change) => [change.name.replace('a.js, ', ''), weakerText(text, change)]),
    );
  const put = (text: string): readonly string[] => Object.values(all(text));

  it('negate conditions, take them away, and weaken their operators', () => {
    assert.deepEqual(all('function f(a, b) { if (a && b > 1) g(); }'), {
      'f: negated a && b > 1': 'function f(a, b) { if (!(a && b > 1)) g(); }',
      'f: never a && b > 1': 'function f(a, b) { if (false) g(); }',
      'f: || in a && b > 1': 'function f(a, b) { if (a || b > 1) g(); }',
      'f: without b > 1 in a && b > 1': 'function f(a, b) { if (a) g(); }',
      'f: without a in a && b > 1': 'function f(a, b) { if (b > 1) g(); }',
      'f: >= in b > 1': 'function f(a, b) { if (a && b >= 1) g(); }',
      'f: one more than 1': 'function f(a, b) { if (a && b > (1 + 1)) g(); }',
      'f: without g();': 'function f(a, b) { if (a && b > 1) ; }',
    });
  });

  it('keep what a filter takes away, and turn some and every round', () => {
    assert.deepEqual(put('const f = (a) => a.filter(g).some(h);'), [
      'const f = (a) => a.filter(g).every(h);',
      'const f = (a) => a.some(h);',
    ]);
    assert.deepEqual(put('const f = (a) => a.toString() + a.constructor(b);'), []);
  });

  it('leave the sign of an order as it is, of which its size says nothing', () => {
    assert.ok(!put('l.sort((a, b) => (a < b ? -1 : 1));').some((text) => text.includes('+ 1')));
    for (const text of ['const f = (a) => (a ? 1 : 2);', 'const f = (a) => (a ? -1 : 0);'])
      assert.equal(put(text).filter((one) => one.includes('+ 1')).length, 2, text);
  });

  it('shorten lists, and leave what is assigned to', () => {
    assert.deepEqual(put('x([a, b]); [a, b] = c;'), ['x([b]); [a, b] = c;', 'x([a]); [a, b] = c;']);
  });

  it('take anchors from expressions, and defaults from parameters', () => {
    assert.deepEqual(put('const f = (a = /^b$/) => a;'), [
      'const f = (a) => a;',
      'const f = (a = /b$/) => a;',
      'const f = (a = /^b/) => a;',
    ]);
    assert.deepEqual(put('const f = /b\\$/;'), []);
  });

  it('say other things, and leave names of modules', () => {
    assert.deepEqual(put("import { a } from 'b'; const c = { d: 'e', f: true };"), [
      `import { a } from 'b'; const c = { d: "ex", f: true };`,
      "import { a } from 'b'; const c = { d: 'e', f: false };",
    ]);
  });

  it('are held against the tests that are nearest', () => {
    const tests = nearest([
      ['src/a/x.js', ''],
      ['src/a/y.js', "import { x } from './x.js';"],
      ['src/b/z.js', "const x = import('../a/y.js');"],
      ['src/b/z.test.js', "import './z.js';"],
      ['src/a/y.test.js', "import { y } from './y.js';"],
      ['src/a/x.test.js', "import { x } from './x.js'; import './y.js';"],
      ['src/a/w.test.js', "import 'node:test';"],
    ]);
    assert.deepEqual(tests('src/a/x.js'), ['src/a/x.test.js', 'src/a/y.test.js', 'src/b/z.test.js']);
    assert.deepEqual(tests('src/b/z.js'), ['src/b/z.test.js']);
  });

  it('are held against a test that reaches them by way of another', () => {
    const tests = nearest([
      ['src/a/x.js', ''],
      ['src/a/world.test.js', "import './x.js'; export const world = 1;"],
      ['src/a/borrows.test.js', "import { world } from './world.test.js';"],
      ['src/a/y.js', "import { x } from './x.js';"],
      ['src/b/y.test.js', "import '../a/y.js';"],
      ['src/a/other.test.js', "import './z.js';"],
    ]);
    assert.deepEqual(tests('src/a/x.js'), ['src/a/world.test.js', 'src/b/y.test.js', 'src/a/borrows.test.js']);
  });

  it('are held against a test that imports whatever lies beside it', () => {
    const tests = nearest([
      ['src/a/x.js', ''],
      ['src/a/b/y.js', ''],
      ['src/a/all.test.js', 'for (const file of readdirSync(here)) await import(new URL(file, here).href);'],
      ['src/a/all.js', 'for (const file of readdirSync(here)) await import(new URL(file, here).href);'],
      ['src/a/all-of-them.test.js', "import './all.js';"],
    ]);
    assert.deepEqual(tests('src/a/x.js'), ['src/a/all.test.js']);
    assert.deepEqual(tests('src/a/b/y.js'), []);
  });

  it('are made in nothing that only tests import', () => {
    const only = ['run/testing/toy-steps.js', 'report/testing-report.js', 'a/b.testing.js', 'a/testing.js'];
    assert.deepEqual([...only, 'cli/run.js', 'a/attesting.js', 'a/latest/ing.js'].filter(isForTests), only);
  });

  it('are looked for in rooms that are there', () => {
    assert.deepEqual(emptyRooms(['joining', 'kubeadm/init', 'kubeadm/in', 'nowhere']), ['kubeadm/in', 'nowhere']);
  });
});

describe('survivors', () => {
  const list = fromText(
    '# why\nsteps/a.js: without x\n    it is there anyway\nchecks/*: StringLiteral *\n    a text for people\n',
  );

  it('are explained one by one or by their kind', () => {
    const survivors = ['steps/a.js: without x', 'checks/b.js: StringLiteral `a` becomes ``', 'steps/a.js: without y'];
    assert.deepEqual(held(survivors, list), { open: ['steps/a.js: without y'], unused: [] });
    assert.deepEqual(held(survivors.slice(1, 2), list).unused, ['steps/a.js: without x']);
  });

  it('have a reason each', () => {
    assert.throws(() => fromText('steps/a.js: without x\n'), /Nobody says why/);
  });
});

describe('scores', () => {
  const score = (noticed: number, on: string) => ({ noticed, explained: 1, all: 10, on });
  const scores = {
    'checks/a.js': score(9, '2026-01-02'),
    'checks/b.js': score(7, '2026-01-01'),
    'features/policy': score(9, '2026-01-04'),
    'steps, a sample (seed x)': score(8, '2026-01-03'),
    'steps/common/flags.js': score(5, '2026-01-05'),
    'steps/policy/seen.js': score(6, '2026-01-03'),
  };

  it('are read as they are told, with the sum of each kind since the oldest', () => {
    const told = toMarkdown(scores);
    assert.deepEqual(fromMarkdown(told), scores);
    assert.match(told, /\| \*\*checks\*\* \| 16 \| 20 \| 80\.0 % \| 2 \| 2 \| 2026-01-01 \|/);
    assert.match(told, /\| \*\*steps\*\* \| 11 \| 20 \| 55\.0 % \| 2 \| 7 \| 2026-01-03 \|/);
    assert.deepEqual(fromMarkdown('| checks/a.js | 9 | 10 | 90.0 % | 0 | 1 |\n'), {});
  });

  it('are replaced by younger ones', () => {
    const [a, b] = [{ 'checks/a.js': score(3, '2026-01-01') }, { 'checks/b.js': score(10, '2026-01-01') }];
    assert.deepEqual(newest([scores, a, b]), { ...scores, ...b });
    assert.deepEqual(newest([a, scores]), scores);
  });
});
