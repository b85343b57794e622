import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentTexts, isTooDeep, parseYaml } from './yaml.js';

describe('YAML of others', () => {
  it('is read without a warning that quotes it', async () => {
    const warnings: Error[] = [];
    const heard = (warning: Error): void => void warnings.push(warning);
    process.on('warning', heard);
    try {
      assert.deepEqual(parseYaml('token: !nobodys abcdef.0123456789abcdef\n? [a, b]\n: c'), {
        token: 'abcdef.0123456789abcdef',
        '[ a, b ]': 'c',
      });
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(warnings, []);
    } finally {
      process.off('warning', heard);
    }
  });

  it('is told to be wrong by where, not by what stands there', () => {
    const why = (text: string): string => {
      try {
        return `is ${JSON.stringify(parseYaml(text))}`;
      } catch (error) {
        return ((error as Error).message.split('\n')[0] ?? '').trim();
      }
    };
    for (const [text, message] of [
      ['a: !x!secret b', 'A tag is unknown at line 1, column 4:'],
      ['%YAML secret\n---\na: 1', 'A directive is wrong at line 1, column 7:'],
      ['a: "b" secret', 'Something stands where it may not at line 1, column 8:'],
      ['a: 1\nsecret: 2\nsecret: 3', 'A key stands there twice at line 3, column 1:'],
      ['a: *secret', 'An alias has no anchor, or there are too many'],
      ['a: "\\q"', 'Invalid escape sequence \\q at line 1, column 5:'],
    ] as const)
      assert.equal(why(text), message, text);
  });

  it('is of as many documents as there are, without those that are empty', () => {
    const own = (text: string): readonly string[] => documentTexts(text).map((one) => one.trim());
    assert.deepEqual(own('a: 1\n'), ['a: 1']);
    assert.deepEqual(own('a: 1\n---\nb: 2\n---\nc: 3'), ['a: 1', 'b: 2', 'c: 3']);
    assert.deepEqual(own('---\n---\na: 1\n--- \t\n\n---\nb: 2\n---\n'), ['a: 1', 'b: 2']);
    assert.deepEqual(own('a: 1\n----\nb: |\n  ---\n--- c'), ['a: 1\n----\nb: |\n  ---\n--- c']);
    assert.deepEqual(own(''), []);
  });

  it('is refused where it is nested so deeply that reading it could end the process', () => {
    const blocks = (levels: number): string =>
      Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
    for (const text of [
      '['.repeat(2_000),
      '{a: '.repeat(2_000),
      '[{"a":'.repeat(200_000),
      '? '.repeat(300_000),
      blocks(1_400),
    ])
      assert.throws(() => parseYaml(text), /^YAMLParseError: it is nested too deeply to be read$/, text.slice(0, 20));
    assert.notEqual(parseYaml(`${'['.repeat(300)}${']'.repeat(300)}`), null);
    assert.notEqual(parseYaml(blocks(300)), null);
  });

  it('may hold any number of brackets in its texts', () => {
    for (const text of [
      `a: "${'['.repeat(5_000)}"`,
      `a: |\n${'  [\n'.repeat(5_000)}`,
      `# ${'{'.repeat(5_000)}\na: 1`,
      `a: b${'['.repeat(5_000)}`,
    ])
      assert.equal(isTooDeep(text), false, text.slice(0, 20));
  });
});
