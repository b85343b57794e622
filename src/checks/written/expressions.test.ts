import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDangling } from './expressions.js';

describe('an expression', () => {
  it('is one where both sides of it and its brackets are there', () => {
    for (const sound of [
      'true',
      "request.user == 'a'",
      "has(request.resourceAttributes) && request.resourceAttributes.namespace in ['a', 'b']",
      "claims.sub.matches('^(a|b\\'[)$')",
      '!has(claims.x) || -1 < size({"a": 1})',
      `'''a("'''`,
      `"${'('.repeat(30_000)}`,
      'a == "("',
      "a == '\\'(\\''",
      "a in [r'\\']",
      'a == """b"c("""',
      "'''a'('b'''",
      `${'a'.repeat(20_001)} ==`,
      'a == 1 // as b.',
      '// a (\n b // c)',
      '.a == 1',
      'a.begin',
      'inner == a',
      '-a < b',
      "['(', \"'\"] == a",
    ])
      assert.equal(isDangling(sound), false, sound.slice(0, 40));
    for (const none of [
      '',
      '  ',
      'a ==',
      '&& a',
      'a.',
      'f(a',
      'a)',
      '[a)',
      'a ? b :',
      'has(a,',
      "a == 'b' &&",
      'a == "b" &&',
      "a == '\\\\' &&",
      `${'a'.repeat(19_997)} ==`,
      '== a',
      '!= a',
      '<= a',
      '>= a',
      '< a',
      '> a',
      '|| a',
      '/ a',
      ' % a',
      ', a',
      'a /',
      'a -',
      'a !=',
      'a in',
      'in [a]',
      'a && // b',
      'a//b\nin',
      '// a',
      '(a]',
      'f(a, [b)',
      '{"a": (1}',
      '(a',
      'a ]',
    ])
      assert.equal(isDangling(none), true, none);
  });
});
