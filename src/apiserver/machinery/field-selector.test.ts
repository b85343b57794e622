import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFieldSelector } from './field-selector.js';

const told = (selector: string): string => {
  const parsed = parseFieldSelector(selector);
  return 'error' in parsed
    ? `! ${parsed.error}`
    : parsed.requirements.map(({ field, operator, value }) => `${field}${operator}${value}`).join(';');
};

describe('a selector of fields', () => {
  it('is read term by term', () => {
    for (const [selector, terms] of [
      ['', ''],
      ['x=a,y=b,z=c', 'x=a;y=b;z=c'],
      ['z=c,x=a', 'x=a;z=c'],
      ['x==a', 'x=a'],
      ['x!=a,y=b', 'x!=a;y=b'],
      ['x=', 'x='],
      ['x= ', 'x= '],
      [',', ''],
      ['x=a,', 'x=a'],
      ['=', ''],
      ['==', ''],
      ['!=', ''],
      ['=a', '=a'],
      ['x=a\\,b,y=c', 'x=a,b;y=c'],
      ['x=a\\=b', 'x=a=b'],
      ['x=a\\\\', 'x=a\\'],
      ['x=a\\\\,y=b', 'x=a\\;y=b'],
      ['metadata.name=a!b', 'metadata.name=a!b'],
    ] as const)
      assert.equal(told(selector), terms, selector);
  });

  it('is refused where it cannot be', () => {
    for (const [selector, why] of [
      ['x', "invalid selector: 'x'; can't understand 'x'"],
      ['y=b,x', "invalid selector: 'y=b,x'; can't understand 'x'"],
      ['x=a\\', 'invalid field selector: invalid escape sequence: \\'],
      ['x=a\\n', 'invalid field selector: invalid escape sequence: \\n'],
      ['x=a=b', 'invalid field selector: unescaped character in value: 61'],
      ['x===a', 'invalid field selector: unescaped character in value: 61'],
      ['a>b', "invalid selector: 'a>b'; can't understand 'a>b'"],
    ] as const)
      assert.equal(told(selector), `! ${why}`, selector);
  });
});
