/** npm run matrix as it is called. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const called = (...options: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('./main.js', import.meta.url)), ...options],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
};

describe('npm run matrix', () => {
  it('says how it is called', () => {
    const { status, stdout } = called('--help');
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: npm run matrix/);
  });

  for (const [options, said] of [
    [['--workers', '0'], /--workers "0" is no positive whole number/],
    [['--workers', '1.5'], /--workers "1\.5" is no positive whole number/],
    [['--update', '--mutant', 'a'], /--update wants every mutant of a rule/],
    [['--mutant', 'token-expiries-ignored'], /There is no mutant "token-expiries-ignored"/],
    [['--rule', 'LIM-999'], /LIM-999/],
    [['--other'], /--other/],
  ] as const)
    it(`refuses ${options.join(' ')}`, () => {
      const { status, stderr } = called(...options);
      assert.equal(status, 2);
      assert.match(stderr, said);
    });

  it('plays a mutant by the rules that it names, and shows what they look at', () => {
    const { status, stdout } = called('--mutant', 'any-verb-is-every-verb', '--rows', '--workers', '1');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^ {2}.*any-verb-is-every-verb/m);
    assert.match(stdout, /1 mutants, 0 harmless variants, 0 miniatures, 0 paralysed variants: sound \(/);
  });
});
