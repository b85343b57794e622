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
