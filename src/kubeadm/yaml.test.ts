import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goYaml } from './yaml.js';

describe('YAML as Go writes it', () => {
  it('quotes what would be read as something else, and nothing more', () => {
    // Written by kubeadm 1.36 for variables with these values.
    const written: readonly (readonly [string, string])[] = [
      ['&x', "'&x'"],
      ['1_000', '"1_000"'],
      ['a:', "'a:'"],
      ['a,b', 'a,b'],
      ['- x', "'- x'"],
      ['.5', '".5"'],
      ['=', '='],
      ['1e3', '"1e3"'],
      ['a #b', "'a #b'"],
      ['.inf', '".inf"'],
      ['<<', '<<'],
      ['null', '"null"'],
      ["'a'", "'''a'''"],
      ['1:20', '"1:20"'],
      ['a\tb', '"a\\tb"'],
      ['2001-01-01', '"2001-01-01"'],
      ['a ', "'a '"],
      ['é', 'é'],
      ['$(X) {y}', '$(X) {y}'],
      ['y', '"y"'],
      ['*,a', "'*,a'"],
      ['--b=*', '--b=*'],
      ['a\nb\n', '|\n  a\n  b'],
    ];
    for (const [value, text] of written) assert.equal(goYaml({ v: value }), `v: ${text}\n`);
  });
  it('sorts keys, does not indent lists, and shows what is empty', () => {
    assert.equal(
      goYaml({ b: [{ y: 1, x: ['p'] }, []], a: { c: {}, d: null, e: undefined } }),
      'a:\n  c: {}\n  d: null\nb:\n- x:\n  - p\n  "y": 1\n- []\n',
    );
  });
  it('folds long lines at blanks behind column 80', () => {
    const value =
      '--e=a very long argument value that has many blanks in it so that a YAML writer may want to fold it over lines';
    assert.equal(
      goYaml({ spec: { c: [value] } }),
      'spec:\n  c:\n  - --e=a very long argument value that has many blanks in it so that a YAML writer\n' +
        '    may want to fold it over lines\n',
    );
  });
});

it('a line is begun anew at the blanks behind column 80, however little comes after them', () => {
  const long = 'x'.repeat(85);
  assert.equal(goYaml({ a: `${long} y` }), `a: ${long}\n  y\n`);
  assert.equal(goYaml({ a: `${long} y z` }), `a: ${long}\n  y z\n`);
  assert.equal(goYaml({ a: `${long}  y` }), `a: ${long}  y\n`);
  assert.equal(goYaml({ a: `${'x'.repeat(70)} y` }), `a: ${'x'.repeat(70)} y\n`);
});
