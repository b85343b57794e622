import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testWorld } from '../world.test.js';
import { csvRecords } from './csv.js';
import { byTokenFile } from './token-file.js';

test('records are read as Go reads them', () => {
  assert.deepEqual(csvRecords(''), []);
  assert.deepEqual(csvRecords('a,b\r\n\n"c ""d"" ,",\r'), [
    ['a', 'b'],
    ['c "d" ,', ''],
  ]);
  assert.deepEqual(csvRecords('a,"b\r\nc"\n d, e'), [
    ['a', 'b\nc'],
    [' d', ' e'],
  ]);
  assert.deepEqual(csvRecords(','), [['', '']]);
  for (const [text, why] of [
    ['a,b"c', 'parse error on line 1, column 4: bare " in non-quoted field'],
    ['x\né,"b"c', 'parse error on line 2, column 6: extraneous or missing " in quoted-field'],
    ['"a\nb" c', 'record on line 1; parse error on line 2, column 2: extraneous or missing " in quoted-field'],
  ] as const)
    assert.throws(() => csvRecords(text), { message: why });
  assert.throws(() => csvRecords('a,"b\n'), /extraneous or missing " in quoted-field/);
});

const { decisions } = testWorld();
const ask = (text: string | undefined, token: string, wanted = ['api']) =>
  byTokenFile(text, ['api'], decisions)(token, wanted, 0).user;

test('a token is the user of its line, the last that has it', () => {
  const file = 't1,alice,1000\nt2,bob,"",\n,nobody,1\nt1,carol,7,"g1, g2"\n';
  assert.deepEqual(ask(file, 't1'), { username: 'carol', uid: '7', groups: ['g1', ' g2'] });
  assert.deepEqual(ask(file, 't2'), { username: 'bob', groups: [''] });
  for (const token of ['', 't3', 'T1', 'alice', 'nobody', '1000']) assert.equal(ask(file, token), undefined);
  assert.equal(ask(file, 't1', ['other']), undefined);
  assert.equal(ask(undefined, 't1'), undefined);
});

test('what is no token file is refused without its tokens', () => {
  for (const text of ['secret,alice', 'secret,"alice,1', 'ok,a,1\n\nsecret\n'])
    assert.throws(
      () => ask(text, 'x'),
      (error: Error) =>
        error.name === 'ConfigurationError' && !error.message.includes('secret') && /Give/.test(error.message),
    );
});
