import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { FORMATS } from '../report/formats.js';
import { UsageError } from '../run/usage-error.js';
import { detailOf, parseOutputs, parseSeconds, repeated } from './options.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-options-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

describe('options that commands share', () => {
  it('are seconds or a duration: positive, and no more than a timer takes', () => {
    for (const [text, seconds] of [
      [undefined, undefined],
      ['60', 60],
      ['0.5', 0.5],
      ['2147483', 2_147_483],
      ['1s', 1],
      ['1.5m', 90],
      ['1h30m', 5400],
      ['2h0.5s', 7200.5],
    ] as const)
      assert.equal(parseSeconds(text, '--timeout'), seconds);
    for (const text of [
      '0',
      '0.0',
      '0s',
      '-1',
      '1e3',
      '',
      ' 1',
      '1 s',
      '5d',
      '1s1m',
      's',
      '597h',
      '2147484',
      'Infinity',
      '0x10',
    ])
      assert.throws(() => parseSeconds(text, '--timeout'), UsageError, text);
  });

  it('are one of quiet and verbose, or neither', () => {
    assert.deepEqual([{}, { verbose: true }, { quiet: true }, { verbose: false, quiet: true }].map(detailOf), [
      undefined,
      'verbose',
      'quiet',
      'quiet',
    ]);
    assert.throws(() => detailOf({ verbose: true, quiet: true }), UsageError);
  });

  it('are each that is given, in order', () => assert.deepEqual(repeated('b', repeated('a', [])), ['a', 'b']));

  it('are reports: of every format, to a file or to standard output', () => {
    const all = FORMATS.map((format) => `${format}=${at(format)}`);
    assert.deepEqual(
      parseOutputs(all),
      FORMATS.map((format) => ({ format, file: at(format) })),
    );
    assert.deepEqual(parseOutputs(['json=-', `tap=${at('a=b')}`]), [
      { format: 'json', file: '-' },
      { format: 'tap', file: at('a=b') },
    ]);
    assert.deepEqual(parseOutputs(['json=a.json']), [{ format: 'json', file: path.resolve('a.json') }]);
  });

  it('are refused where two are one, or one is none', () => {
    for (const given of [
      [`json=${at('a')}`, `tap=${at('a')}`],
      [`json=${at('a')}`, `tap=${at('b')}`, `junit=${at('x/../a')}`],
      ['json=-', 'tap=-'],
      ['json'],
      ['json='],
      ['=a'],
      ['yaml=a'],
      [`json=${at('none/a')}`, `tap=${folder}`],
      [folder],
    ])
      assert.throws(() => parseOutputs(given), UsageError, given.join());
  });
});
