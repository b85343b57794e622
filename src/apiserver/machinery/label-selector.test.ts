import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesLabels, parseLabelSelector } from './label-selector.js';

const parsed = (text: string) => {
  const found = parseLabelSelector(text);
  return 'error' in found
    ? found.error
    : found.requirements.map(({ key, operator, values }) => `${key} ${operator} ${values.join('|')}`.trim());
};
const matches = (text: string, labels: Readonly<Record<string, string>> | undefined): boolean => {
  const found = parseLabelSelector(text);
  assert.ok(!('error' in found), text);
  return matchesLabels(found.requirements, labels);
};

test('a label selector is read as upstream reads it', () => {
  for (const [text, requirements] of [
    ['', []],
    [' \t\r\n', []],
    ['a', ['a exists']],
    ['!a', ['a !']],
    ['! a', ['a !']],
    ['a,!b , c', ['a exists', 'b !', 'c exists']],
    ['a=b', ['a = b']],
    ['a==b', ['a == b']],
    ['a!=b', ['a != b']],
    ['a=', ['a =']],
    ['a=,b', ['a =', 'b exists']],
    ['a>1', ['a gt 1']],
    ['a<1', ['a lt 1']],
    ['a in (c,b,c)', ['a in b|c']],
    ['a notin (b)', ['a notin b']],
    ['a in()', ['a in']],
    ['a in (,)', ['a in']],
    ['a in (b,)', ['a in |b']],
    ['a in (,b)', ['a in |b']],
    ['a in (b,,c)', ['a in |b|c']],
    ['in in (in, notin)', ['in in in|notin']],
    ['notin', ['notin exists']],
    ['in=notin', ['in = notin']],
    ['example.com/a=b', ['example.com/a = b']],
  ] as const)
    assert.deepEqual(parsed(text), requirements, JSON.stringify(text));
});

test('a label selector that is none is refused in the words of upstream', () => {
  const within = 'unable to parse requirement:';
  for (const [text, why] of [
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,=', "found '=', expected: identifier after ','"],
    ['a b', `${within} found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!', `${within} found '', expected: identifier`],
    ['!!a', `${within} found '!', expected: identifier`],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a=(', `${within} found '(', expected: identifier`],
    ['a in b', `${within} found 'b' expected: '('`],
    ['a in (b', `${within} found '', expected: ',' or ')'`],
    ['a in (b c)', `${within} found 'c', expected: ',' or ')'`],
    ['a in (=)', `${within} found '=', expected: ',', ')' or identifier`],
    ['a in (b,=)', `${within} found '=', expected: ',', or identifier`],
    ['a)', `${within} found ')', expected: in, notin, =, ==, !=, gt, lt`],
  ] as const)
    assert.equal(parsed(text), why, text);
  assert.match(
    String(parsed('-a')),
    /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist/,
  );
  assert.match(
    String(parsed('a=-b')),
    /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label/,
  );
  const number = "for 'Gt', 'Lt' operators, the value must be an integer";
  assert.equal(parsed('a>b'), `${within} values[0]: Invalid value: "b": ${number}`);
  assert.equal(parsed('a<1.5'), `${within} values[0]: Invalid value: "1.5": ${number}`);
  assert.match(
    String(parsed('a in (-b,-c)')),
    /^unable to parse requirement: \[values\[0\]\[a\]: .*, values\[1\]\[a\]: .*\]$/,
  );
});

test('a label selector selects by all that it says', () => {
  const labels = { app: 'web', size: '5', empty: '' };
  for (const [text, expected] of [
    ['', true],
    ['app', true],
    ['none', false],
    ['empty', true],
    ['!app', false],
    ['!none', true],
    ['app=web', true],
    ['app==db', false],
    ['none=', false],
    ['empty=', true],
    ['app!=web', false],
    ['app!=db', true],
    ['none!=x', true],
    ['app in (db,web)', true],
    ['app in (db)', false],
    ['none in (db)', false],
    ['app notin (db)', true],
    ['app notin (db,web)', false],
    ['none notin (db)', true],
    ['size>4', true],
    ['size>5', false],
    ['size<6', true],
    ['size<5', false],
    ['none>1', false],
    ['none<1', false],
    ['app>1', false],
    ['app,size,none', false],
    ['app=web,size=5', true],
    ['app=web,size=6', false],
    ['app=db,size=5', false],
  ] as const)
    assert.equal(matches(text, labels), expected, text);
  assert.equal(matches('a', undefined), false);
  assert.equal(matches('!a', undefined), true);
  assert.equal(matches('toString', {}), false);
});
