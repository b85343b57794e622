import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseYaml } from './yaml.js';

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
});
