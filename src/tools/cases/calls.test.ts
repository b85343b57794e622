import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerOf, answersTo, type Call, chosen } from './calls.js';
import { listenedSource } from './listening-loader.js';

describe('answers of functions', () => {
  it('are texts that say all of it', () => {
    assert.equal(
      answerOf(() => new Map([['a', new Set([1])]]), []),
      '[["a",[1]]]',
    );
    assert.equal(
      answerOf(() => ({ a: undefined, b: Number.NaN, c: 1n }), []),
      '{"a":"undefined","b":"NaN","c":"1"}',
    );
    assert.equal(
      answerOf(() => () => 1, []),
      undefined,
    );
    assert.equal(
      answerOf(() => Promise.resolve(1), []),
      undefined,
    );
    assert.equal(
      answerOf(() => {
        throw new RangeError('a');
      }, []),
      'throws RangeError',
    );
  });

  it('differ where a function looks at less', () => {
    const call: Call = { call: 'a/b', args: [['a', 'b'], 3] };
    const told = (callable: (all: readonly unknown[], most: unknown) => unknown): string =>
      answersTo((...[all, most]) => callable(all as readonly unknown[], most), call, [call]);
    const whole = told((all, most) => all.some((one) => one === 'a') && Number(most) <= 3);
    assert.equal(
      told((all, most) => all.some((one) => one === 'a') && Number(most) <= 3),
      whole,
    );
    for (const less of [
      told((all, most) => all[0] === 'a' && Number(most) <= 3),
      told((all, most) => all.some((one) => one === 'a') && Number(most) < 4.5),
      told((all, most) => all.some((one) => `${one}`.startsWith('a')) && Number(most) <= 3),
      told((all, most) => all.some((one) => `${one}`.toLowerCase() === 'a') && Number(most) <= 3),
    ])
      assert.notEqual(less, whole);
  });
});

describe('calls that are kept', () => {
  const call = (...args: readonly unknown[]): Call => ({ call: 'a/b', args });
  it('are the shortest of each answer, then the longest, as far as there is room', () => {
    const all = [call('a'), call('aa'), call('aaa'), call('b')];
    assert.deepEqual(chosen(all, ['1', '1', '1', '2']), [call('a'), call('b'), call('aaa'), call('aa')]);
    assert.deepEqual(chosen([call('a'), call('x'.repeat(5000))], ['1', '2']), [call('a')]);
  });
});

describe('a module that is listened to', () => {
  it('hands on what it exports, and nothing of itself', () => {
    const text =
      'const own = 1;\nexport const a = () => own;\nexport function b() { return a(); }\nexport class C {}\n';
    const source = listenedSource('file', text);
    assert.match(source, /^export let a = \(\) => own;$/m);
    assert.match(source, /^a = __listened\("file\/a", a\);$/m);
    assert.match(source, /^b = __listened\("file\/b", b\);$/m);
    assert.doesNotMatch(source, /__listened\("file\/(?:own|C)"/);
  });
});
