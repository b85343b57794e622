import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Expression, parseCel } from './cel-parser.js';

/** As it was read, with every bracket: "(a && (b || c))". */
function shown(read: Expression): string {
  if (read.kind === 'literal') return JSON.stringify(read.value);
  if (read.kind === 'name') return read.name;
  if (read.kind === 'field') return `${shown(read.of)}.${read.name}`;
  if (read.kind === 'index') return `${shown(read.of)}[${shown(read.at)}]`;
  if (read.kind === 'call')
    return `${read.of === null ? '' : `${shown(read.of)}.`}${read.name}(${read.given.map(shown).join(', ')})`;
  if (read.kind === 'list') return `[${read.items.map(shown).join(', ')}]`;
  if (read.kind === 'not') return `!${shown(read.of)}`;
  if (read.kind === 'binary') return `(${shown(read.left)} ${read.operator} ${shown(read.right)})`;
  return read.kind === 'choice' ? `(${[read.on, read.then, read.other].map(shown).join(' ? ')})` : 'unread';
}
const reads = (all: readonly (readonly [written: string, read: string])[]): void => {
  for (const [written, read] of all) assert.equal(shown(parseCel(written)), read, written);
};

describe('an expression', () => {
  it('binds as CEL does', () => {
    reads([
      ['a || b && c', '(a || (b && c))'],
      ['a && b || c', '((a && b) || c)'],
      ['a || b || c', '((a || b) || c)'],
      ['a == b && c != d', '((a == b) && (c != d))'],
      ['a < b == c', '((a < b) == c)'],
      ['a <= b', '(a <= b)'],
      ['a > b', '(a > b)'],
      ['a >= b', '(a >= b)'],
      ['a in b', '(a in b)'],
      ['inner == b', '(inner == b)'],
      ['a + b < c', '((a + b) < c)'],
      ['a - b + c', '((a - b) + c)'],
      ['a + b * c', '(a + (b * c))'],
      ['a / b % c', '((a / b) % c)'],
      ['(a || b) && c', '((a || b) && c)'],
      ['a ? b : c', '(a ? b ? c)'],
      ['a ? b ? c : d : e', '(a ? (b ? c ? d) ? e)'],
      ['a || b ? c : d', '((a || b) ? c ? d)'],
      ['!a.b', '!a.b'],
      ['!!a', '!!a'],
      ['!-a', '!(0 - a)'],
      ['-!a', '(0 - !a)'],
      ['-1', '(0 - 1)'],
      ['a--1', '(a - (0 - 1))'],
    ]);
  });

  it('takes fields, places, calls and lists', () => {
    reads([
      ['a.b.c', 'a.b.c'],
      ['a["b"].c[0]', 'a["b"].c[0]'],
      ['a.b(c, d).e()', 'a.b(c, d).e()'],
      ['f(a)', 'f(a)'],
      ['f()', 'f()'],
      ['[]', '[]'],
      ['[a, b,]', '[a, b]'],
      ['a.?b', 'unread'],
      ['a.?b == 1', '(unread == 1)'],
      ['a[?b]', 'unread'],
      ['_a1.B_2', '_a1.B_2'],
      ['true', 'true'],
      ['truer', 'truer'],
      ['false', 'false'],
      ['null', 'null'],
      ['null()', 'unread'],
      ['toString', 'toString'],
      ['constructor.a', 'constructor.a'],
    ]);
  });

  it('takes numbers and texts as they are written', () => {
    reads([
      ['1', '1'],
      ['10u', '10'],
      ['10U', '10'],
      ['1.25', '1.25'],
      ['1e3', '1000'],
      ['25E-1', '2.5'],
      ['1e+2', '100'],
      ['0x1F', '31'],
      ['"a"', '"a"'],
      ["'a'", '"a"'],
      ['"a\'b"', '"a\'b"'],
      ['"""a"b"""', '"a\\"b"'],
      ["'''a'b'''", '"a\'b"'],
      ['"a" "b"', 'unread'],
      ['""', '""'],
      ['""""""', '""'],
      ['"a\\nb"', '"a\\nb"'],
      ['"a\\tb\\rc"', '"a\\tb\\rc"'],
      ['"\\"\\\\\\\'\\`\\?"', JSON.stringify('"\\\'`?')],
      ['"\\u0041"', 'unread'],
      ['"\\x41"', 'unread'],
      ['r"a\\nb"', JSON.stringify('a\\nb')],
      ["R'a'", '"a"'],
      ['r"""a\\"""', JSON.stringify('a\\')],
      ['"a\nb"', 'unread'],
      ['"a', 'unread'],
      ['"""a"', 'unread'],
    ]);
  });

  it('passes over blanks and comments', () => {
    reads([
      [' a\t&&\n b ', '(a && b)'],
      ['a // && b', 'a'],
      ['a // x\n&& b', '(a && b)'],
      ['"a // b"', '"a // b"'],
    ]);
  });

  it('is not read where it is none, or says more', () => {
    for (const written of [
      ...[
        '',
        'a b',
        'a &&',
        '&& a',
        'a ? b',
        'a ? b : ',
        'a : b',
        '(a',
        'a)',
        '[a',
        '[a b]',
        'a[b',
        'a[]',
        'a.',
        'a.1',
        'a."b"',
      ],
      ...[
        'f(a',
        'f(a b)',
        'f(,)',
        'Object{a: 1}',
        'Object{}',
        '{"a": 1}',
        'a @ b',
        'a = b',
        'a | b',
        'a & b',
        '#',
        '1 2',
        '0x',
      ],
    ])
      assert.equal(shown(parseCel(written)), 'unread', written);
  });

  it('is read as long as it is neither long nor deep', () => {
    const deep = (count: number): string => `${'('.repeat(count)}a${')'.repeat(count)}`;
    assert.equal(shown(parseCel(deep(99))), 'a');
    assert.equal(shown(parseCel(deep(100))), 'unread');
    const wide = Array.from({ length: 150 }, () => '(a)').join(' && ');
    assert.notEqual(shown(parseCel(wide)), 'unread');
    assert.equal(shown(parseCel(`a${' '.repeat(19_999)}`)), 'a');
    assert.equal(shown(parseCel(`a${' '.repeat(20_000)}`)), 'unread');
  });
});
