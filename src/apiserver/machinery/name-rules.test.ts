/** Names, keys and values at the edges of what they may be; from the tables of apimachinery's validation_test.go. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  asName,
  configKey,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  labelKey,
  labelValue,
  type NameRule,
  pathSegment,
  pathSegmentName,
} from './name-rules.js';

const a = (count: number): string => 'a'.repeat(count);
const RULES: readonly (readonly [NameRule, good: readonly string[], bad: readonly string[]])[] = [
  [
    dnsSubdomain,
    ['a', 'ab', 'a1', 'a-1', 'a--1--2--b', '0', '0a', 'a.b.c', 'a--1.b--2', a(253)],
    ['', 'A', 'aBc', ' a', 'a ', 'a b', '-a', 'a-', 'a_b', 'a..b', '.a', 'a.', 'a.-b', 'a/b', 'a\n', a(254)],
  ],
  [
    dnsLabel,
    ['a', 'ab', 'a1', 'a-1', '0', '0-a', a(63)],
    ['', 'A', '-', 'a-', '-a', '1-', 'a_b', 'a.b', 'a b', 'a\n', a(64)],
  ],
  [
    dns1035Label,
    ['a', 'ab', 'a1', 'a-1', 'a--1--2--b', a(63)],
    ['', '0', '0a', '1-a', 'A', 'a.b', '-a', 'a-', 'a_b', 'a\n', a(64)],
  ],
  [
    labelKey,
    [
      ...[
        'simple',
        'now-with-dashes',
        '1-starts-with-num',
        '1234',
        'simple/simple',
        'now.with.dots/simple',
        'UpperCase',
      ],
      ...['a_b.c', 'e.com/Title_Case', a(63), `${a(253)}/b`, `x/${a(63)}`],
    ],
    [
      ...['', '-a', 'a-', '_a', 'a.', '*x', 'a b', 'e/', '/e', 'a/b/c', 'Upper/a', 'a_b/c', 'a\n', `${a(254)}/b`],
      ...[a(64), `x/${a(64)}`],
    ],
  ],
  [labelValue, ['', 'simple', 'With_Dots.and-1', '1', a(63)], ['-a', 'a-', '_', 'a b', 'a/b', 'a\n', a(64)]],
  [
    configKey,
    ['a', 'good', 'good-good', 'good_good', 'KEY.1', '.a', 'a..b', '-', '_', a(253)],
    ['', '.', '..', '..a', 'b/d', 'a b', 'a\n', 'é', a(254)],
  ],
  [pathSegment, ['a', 'system:a b', '...', 'é'], ['.', '..', 'a/b', '%', '/']],
];

it('what may be is told apart from what may not', () => {
  for (const [rule, good, bad] of RULES) {
    for (const text of good) assert.deepEqual(rule(text), [], text);
    for (const text of bad) assert.notDeepEqual(rule(text), [], JSON.stringify(text));
  }
});

it('why not is told, all of it, in the words of upstream', () => {
  const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  const ends = 'and must start and end with an alphanumeric character';
  const qualified =
    `must consist of alphanumeric characters, '-', '_' or '.', ${ends} (e.g. 'MyName',  or 'my.name',  or '123-abc', ` +
    "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const subdomain =
    `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ends} (e.g. ` +
    `'example.com', regex used for validation is '${label}(\\.${label})*')`;
  const key =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  " +
    "or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  for (const [found, wanted] of [
    [dnsSubdomain(`${a(254)}-`), ['must be no more than 253 characters', subdomain]],
    [
      dnsLabel(`${a(64)}-`),
      [
        'must be no more than 63 characters',
        `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ends} (e.g. ` +
          `'my-name',  or '123-abc', regex used for validation is '${label}')`,
      ],
    ],
    [dnsLabel('a.b'), ['must not contain dots']],
    [
      dns1035Label(`0${a(64)}`),
      [
        'must be no more than 63 characters',
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
          "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation " +
          "is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [labelKey(''), ['name part must be non-empty', `name part ${qualified}`]],
    [labelKey('A/'), [`prefix part ${subdomain}`, 'name part must be non-empty', `name part ${qualified}`]],
    [labelKey('/a'), ['prefix part must be non-empty']],
    [
      labelKey(`${a(254)}/${a(64)}`),
      ['prefix part must be no more than 253 bytes', 'name part must be no more than 63 bytes'],
    ],
    [
      labelKey('a/b/c'),
      [`a valid label key ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    [
      labelValue(`${a(64)}-`),
      [
        'must be no more than 63 bytes',
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ends} (e.g. ` +
          "'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
          "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [configKey(`${a(254)}/`), ['must be no more than 253 characters', key]],
    [configKey('.'), ["must not be '.'"]],
    [configKey('..'), ["must not be '..'"]],
    [configKey('../'), [key, "must not start with '..'"]],
    [pathSegment('.'), ["may not be '.'"]],
    [pathSegment('%/'), ["may not contain '/'", "may not contain '%'"]],
  ] as const)
    assert.deepEqual(found, wanted);
});

it('of a name that is made up only what comes before is looked at', () => {
  const name = asName(dnsLabel);
  assert.deepEqual([name('a-', true), name('ab-', true)], [[], []]);
  for (const [given, prefix] of [
    ['a-', false],
    ['-', true],
    ['AB-', true],
  ] as const)
    assert.equal(name(given, prefix).length, 1, given);
  assert.deepEqual([pathSegmentName('..', true), pathSegmentName('..', false)], [[], ["may not be '..'"]]);
});
