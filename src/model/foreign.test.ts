import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cut,
  DEEPEST,
  escapeHtml,
  held,
  LONGEST_TEXT,
  throughout,
  visible,
  visibleJson,
  visibleLines,
} from './foreign.js';

test('what acts on a terminal or deceives a reader is shown as an escape', () => {
  assert.equal(visible('v1.36.0\n234 rules: 234 passed; conformant'), 'v1.36.0\\n234 rules: 234 passed; conformant');
  assert.equal(visible('\u001b]0;owned\u0007\r\t'), '\\u001b]0;owned\\u0007\\r\\t');
  for (const hidden of [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\u00ad',
    '\u061c',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u007f',
  ])
    assert.equal(visible(`a${hidden}b`), `a\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}b`);
  assert.equal(visible('\ud83d and \u{e0041} and \ufffe'), '\\ud83d and \\udb40\\udc41 and \\ufffe');
  assert.equal(visible('größer, 日本語, 😀'), 'größer, 日本語, 😀');
  assert.equal(visibleLines('one\ntwo\u001b'), 'one\ntwo\\u001b');
});

test('text of HTML, and of attributes in quotes of either kind, holds no markup', () => {
  assert.equal(escapeHtml(`<a b="c" d='e'>&\u001b`), '&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\\u001b');
});

test('JSON keeps its values and holds nothing unsafe', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = visibleJson(JSON.stringify(value, undefined, 2));
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(value)));
      assert.equal(visibleLines(json), json);
    }),
  );
  assert.equal(visibleJson(JSON.stringify({ '\u202e': '\u{e0041}\u001b' })), '{"\\u202e":"\\udb40\\udc41\\u001b"}');
});

test('a text is bounded and says how long it was, and no character is cut in two', () => {
  assert.equal(cut('short'), 'short');
  assert.equal(cut('x'.repeat(LONGEST_TEXT)), 'x'.repeat(LONGEST_TEXT));
  const long = cut('x'.repeat(1_000_000));
  assert.ok(long.length < LONGEST_TEXT + 40);
  assert.match(long, /… \(cut, 1000000 characters\)$/);
  assert.equal(cut('abc😀def', 4), 'abc… (cut, 8 characters)');
  assert.ok(held('x'.repeat(1_000_000)).length < 20_000);
  // what is known as secret is only taken out later: at the edge of what is shown it is still whole
  const key = 'k'.repeat(4_096);
  assert.ok(held(`${'x'.repeat(LONGEST_TEXT - 1)}${key}${'x'.repeat(1_000_000)}`).includes(key));
});

test('values that are nested deeper than anybody nests are cut there', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const bounded = JSON.stringify(throughout(deep, (text) => text.toUpperCase()));
  assert.match(bounded, /nested deeper than/);
  assert.ok(bounded.length < DEEPEST * 4);
  const within = (levels: number): unknown => Array.from({ length: levels }).reduce((inner) => [inner], { a: 'b' });
  const kept = JSON.stringify(throughout(within(DEEPEST), (text) => text));
  assert.equal(kept, JSON.stringify(within(DEEPEST)));
  assert.match(
    JSON.stringify(throughout(within(DEEPEST + 1), (text) => text)),
    /\[+"… \(nested deeper than 500 levels\)"\]+$/,
  );
  assert.deepEqual(
    throughout({ a: ['b', 1, null] }, (text) => `${text}!`),
    { 'a!': ['b!', 1, null] },
  );
});
