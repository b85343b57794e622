import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeYaml } from './yaml-write.js';

/** What sigs.k8s.io/yaml makes of the same values. */
const WRITTEN: readonly (readonly [unknown, string])[] = [
  [{}, '{}\n'],
  [{ b: 1, a: [], c: {} }, 'a: []\nb: 1\nc: {}\n'],
  [{ a: [{ x: 1, y: [2] }, ['z'], []] }, 'a:\n- x: 1\n  "y":\n  - 2\n- - z\n- []\n'],
  [{ x10: null, x9: true, x01: 1e21, A: 0.5 }, 'A: 0.5\nx01: 1e+21\nx9: true\nx10: null\n'],
  [
    { a: 'true', b: '1_0', c: '2020-02-30', d: '2020-02-29', e: '0x1' },
    `a: "true"\nb: "1_0"\nc: 2020-02-30\nd: "2020-02-29"\ne: "0x1"\n`,
  ],
  [
    { a: 'x: y', b: '- x', c: "'", d: ' x', e: '#', f: 'a #b', g: 'a#b' },
    `a: 'x: y'\nb: '- x'\nc: ''''\nd: ' x'\ne: '#'\nf: 'a #b'\ng: a#b\n`,
  ],
  [
    { a: 'one\ntwo\n', b: 'one\n two', c: '\n', d: ' one\ntwo', e: 'x \ny' },
    `a: |\n  one\n  two\nb: |-\n  one\n   two\nc: |2+\n\nd: |2-\n   one\n  two\ne: "x \\ny"\n`,
  ],
  [{ a: '\u0007\u200b\u{1f600}"' }, 'a: "\\a\u200b\\U0001F600\\""\n'],
  [
    {
      m: `${'word '.repeat(16)}and more: than fits`,
      p: `${'word '.repeat(16)}and more`,
      s: `${'word '.repeat(16)}\t!`,
    },
    `m: '${'word '.repeat(15)}word\n  and more: than fits'\np: ${'word '.repeat(15)}word\n  and more\ns: "${'word '.repeat(15)}word\n  \\t!"\n`,
  ],
  [{ ['k'.repeat(129)]: 'v' }, `? ${'k'.repeat(129)}\n: v\n`],
];

for (const [value, text] of WRITTEN)
  test(`${JSON.stringify(value).slice(0, 60)} is written as upstream writes it`, () => {
    assert.equal(writeYaml(value), text);
  });

const written = (text: string): string => writeYaml({ k: text }).slice('k: '.length, -1);

test('what would be read as something else stands in quotes, and nothing else does', () => {
  for (const text of [
    ...['', '~', 'y', 'Y', 'n', 'N', 'yes', 'Yes', 'YES', 'no', 'No', 'on', 'ON', 'off', 'Off', 'true', 'True', 'TRUE'],
    ...['false', 'False', 'null', 'Null', 'NULL', '.nan', '.NaN', '.NAN', '.inf', '-.inf', '+.Inf', '.INF'],
    ...['.5', '5.', '-5', '+5', '5e3', '5E-3', '5.5e+3', '1_000', '1__0', '0x1f', '0XAF', '0b10', '0o17', '017', '018'],
    ...['-0x1', '0xffffffffffffffff', '-0x8000000000000000', '1:30', '12:30:45', '1:2:3.5', '-1:30', '+1:5'],
    ...['2020-01-01', '2020-1-1', '2020-12-31', '2020-02-29', '2020-01-01T10:00:00Z', '2020-01-01t23:59:59-01:00'],
    ...['2020-01-01 10:00:00', '2020-01-01 10:00:00.5', '2020-01-01T00:00:00.123Z'],
  ])
    assert.equal(written(text), `"${text}"`, text);
  for (const text of [
    ...['yEs', 'nil', 'tRUE', '.Nan', '..inf', '.5.', '5e', '_1', '1.2.3', '0xg', '0b12', '0x10000000000000000'],
    ...['-0x8000000000000001', '-0xffffffffffffffff', '1:60', 'a:1', 'x1:30', '2020-13-01', '2020-00-01'],
    ...['2020-12-00', '2020-02-30', '2019-02-29', '2020-04-31', '2020-01-01T24:00:00Z', '2020-01-01T10:60:00Z'],
    ...['2020-01-01T10:00:60Z', '20-01-01', '2020-01-01x', 'x2020-01-01', '2020-01-01T10:00:00', '--', '+'],
  ])
    assert.equal(written(text), text, text);
});

test('what would be read as a sign stands in single quotes', () => {
  for (const text of [
    ...[
      '---',
      '---a',
      '...',
      '#',
      '#a',
      'a #',
      'a #b',
      '- a',
      '-',
      '?',
      '? a',
      ':',
      'a:',
      'a: b',
      '1:',
      '[a',
      ']',
      '{a',
    ],
    ...['}', '&a', '*a', '!a', '|', '>', '%a', '@a', '`a', '"a', ',a', ' a', 'a ', 'a\u2028b', '\u00e9\u2028'],
  ])
    assert.equal(written(text), `'${text}'`, text);
  assert.equal(written("'a"), "'''a'");
  assert.equal(written("a: 'b'"), "'a: ''b'''");
  for (const text of ['a---', 'a#', 'a# b', '-a', '?a', ':a', 'a:b', "a'b", 'a"b', 'a,b', 'a\\b', 'é', 'a\u00a0b'])
    assert.equal(written(text), text, text);
});

test('what does not show, and what lines would lose, is escaped', () => {
  for (const [text, shown] of [
    ['a\tb', '"a\\tb"'],
    ['\u007f', '"\\x7F"'],
    ['\u0085', '"\\N"'],
    ['\ufeff', '"\\uFEFF"'],
    ['\ufffe', '"\\uFFFE"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['a\n ', '"a\\n "'],
    ['a \nb', '"a \\nb"'],
    ['"\\\t', '"\\"\\\\\\t"'],
    ['\0\b\v\f\u001b', '"\\0\\b\\v\\f\\e"'],
    ['\t\u00a0\u2028\u2029', '"\\t\u00a0\\L\\P"'],
  ] as const)
    assert.equal(written(text), shown, JSON.stringify(text));
});

test('lines are kept as lines, by how they begin and end', () => {
  for (const [text, shown] of [
    ['a\nb', '|-\n  a\n  b'],
    ['a\n', '|\n  a'],
    ['\na', '|2-\n\n  a'],
    ['a\n\n', '|+\n  a\n'],
    ['a\n\nb\n', '|\n  a\n\n  b'],
    ['a\n b', '|-\n  a\n   b'],
    ['\n\n', '|2+\n\n'],
    [' a\n', '|2\n   a'],
    ['a: b\n# c\n', '|\n  a: b\n  # c'],
  ] as const)
    assert.equal(written(text), shown, JSON.stringify(text));
  assert.equal(writeYaml({ a: [{ b: 'x\ny\n' }] }), 'a:\n- b: |\n    x\n    y\n');
});

test('keys stand in the order of nature: numbers by their value, letters last', () => {
  const keys = [
    'a10',
    'a2',
    'a02',
    'a1',
    'b',
    'B',
    'a-b',
    'a_b',
    'ab',
    'a',
    '10',
    '9',
    'a100',
    'a1.5',
    'é',
    'x0',
    'x00',
  ];
  const order = (given: readonly string[]): readonly string[] =>
    [...writeYaml(Object.fromEntries(given.map((key) => [`k${key}`, 1]))).matchAll(/^k(.*): 1$/gm)].map(
      ([, key = '']) => key,
    );
  const sorted = order(keys);
  assert.deepEqual(order([...keys].reverse()), sorted);
  assert.deepEqual(sorted, [
    ...['9', '10', 'B', 'a', 'a-b', 'a_b', 'a1', 'a1.5', 'a2', 'a02', 'a10', 'a100', 'ab', 'b', 'x0', 'x00', 'é'],
  ]);
});

test('numbers are written as Go writes them, and what is empty on one line', () => {
  assert.equal(writeYaml({ a: 1e21, b: 1e-7, c: 1.5e100, d: -0.25 }), 'a: 1e+21\nb: 1e-07\nc: 1.5e+100\nd: -0.25\n');
  assert.deepEqual([[], {}, null, true, 'a', 5].map(writeYaml), ['[]\n', '{}\n', 'null\n', 'true\n', 'a\n', '5\n']);
  assert.equal(writeYaml([[1, [2]], { a: { b: [] } }]), '- - 1\n  - - 2\n- a:\n    b: []\n');
});

test('a line is broken at the first space after column 80, and only between words', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'four').join(' ');
  assert.equal(written(words(16)), words(16));
  const [first, second] = written(words(20)).split('\n');
  assert.equal(first, words(16));
  assert.equal(second, `  ${words(4)}`);
  assert.equal(written(`${words(16)}  x`).includes('\n'), false);
  assert.equal(written(`${'a'.repeat(77)} b`), `${'a'.repeat(77)} b`);
  assert.equal(written(`${'a'.repeat(78)} b`), `${'a'.repeat(78)}\n  b`);
  const long = 'a'.repeat(200);
  assert.equal(written(long), long);
  assert.equal(writeYaml({ [`${words(17)}:`]: 1 }), `'${words(17)}:': 1\n`);
});
