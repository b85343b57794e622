import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentTexts, parseYaml } from './yaml.js';

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

  it('is of as many documents as there are, without those that are empty', () => {
    const own = (text: string): readonly string[] => documentTexts(text).map((one) => one.trim());
    assert.deepEqual(own('a: 1\n'), ['a: 1']);
    assert.deepEqual(own('a: 1\n---\nb: 2\n---\nc: 3'), ['a: 1', 'b: 2', 'c: 3']);
    assert.deepEqual(own('---\n---\na: 1\n--- \t\n\n---\nb: 2\n---\n'), ['a: 1', 'b: 2']);
    assert.deepEqual(own('a: 1\n----\nb: |\n  ---\n--- c'), ['a: 1\n----\nb: |\n  ---\n--- c']);
    assert.deepEqual(own(''), []);
  });
});
