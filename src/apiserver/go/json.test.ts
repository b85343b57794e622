import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { JsonSyntaxError, parseJson } from './json.js';

const why = (text: string): string => {
  try {
    parseJson(text);
    return 'read';
  } catch (error) {
    assert.ok(error instanceof JsonSyntaxError, String(error));
    return error.message;
  }
};
const END = 'unexpected end of JSON input';

test('what is no JSON is refused in the words of Go', () => {
  for (const [text, message] of [
    ...['', ' ', '{', '{"a"', '{"a":', '{"a":1', '[', '[1', '[1,', '"a'].map((cut) => [cut, END] as const),
    ['x', "invalid character 'x' looking for beginning of value"],
    ['[,]', "invalid character ',' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{1:1}', "invalid character '1' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1}', "invalid character '}' after array element"],
    ['1 2', "invalid character '2' after top-level value"],
    ['{}}', "invalid character '}' after top-level value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['fals3', "invalid character '3' in literal false (expecting 'e')"],
    ['nulL', "invalid character 'L' in literal null (expecting 'l')"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['1ea', "invalid character 'a' in exponent of numeric literal"],
    ['1e+a', "invalid character 'a' in exponent of numeric literal"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ] as const)
    assert.equal(why(text), message, JSON.stringify(text));
});

test('a key that an object holds twice is told by its path, wherever it stands', () => {
  for (const [text, duplicates] of [
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"a":2,"a":3}', ['a', 'a']],
    ['{"a":{"b":1,"b":2}}', ['a.b']],
    ['{"a":[{"b":1},{"b":1,"b":2}]}', ['a[1].b']],
    ['[[{"a":1,"\\u0061":2}]]', ['[0][0].a']],
    ['{"a":{"a":1},"b":{"a":1}}', []],
    ['{"a":"x:\\"y\\":z","b":":"}', []],
    ['{"a":"\\\\","b":"\\\\\\"","a":[]}', ['a']],
    ['{"a":"\\\\","b":"\\\\\\":"}', []],
    ['{}', []],
    ['null', []],
    ['[null,{"a":null}]', []],
  ] as const)
    assert.deepEqual(parseJson(text).duplicates, duplicates, text);
});

test('half of a pair that stands alone is no character', () => {
  const { value } = parseJson('{"a\\ud800":["\\uDC00","\\ud83d\\ude00",{"b":"x\\udbffy"},null,1]}');
  assert.deepEqual(value, { 'a\ufffd': ['\ufffd', '😀', { b: 'x\ufffdy' }, null, 1] });
});

test('a number is known for a fraction by how it is written', () => {
  const floats = (text: string) => Object.fromEntries(parseJson(text).floats ?? []);
  assert.deepEqual(floats('{"a":1.0,"b":[1,2e3,-0.5E-1],"c":{"d":1e+2},"e":"1.0","f":10}'), {
    a: '1.0',
    'b[1]': '2e3',
    'b[2]': '-0.5E-1',
    'c.d': '1e+2',
  });
  assert.deepEqual(parseJson('1.5'), { value: 1.5, duplicates: [], floats: new Map([['', '1.5']]) });
  for (const text of ['[1,-20,0]', '{"a":"1.5","b":"2e3"}', '5']) assert.equal(parseJson(text).floats, undefined, text);
});

/** What is said in a thread with the stack of a command. */
function saidInThread(text: string): Promise<unknown> {
  const from = JSON.stringify(new URL('./json.js', import.meta.url).href);
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    import(${from}).then(({ parseJson }) => parseJson(workerData)).then(() => 'read', (error) => error.message)
      .then((said) => parentPort.postMessage(said));`,
    { eval: true, workerData: text, resourceLimits: { stackSizeMb: 32 } },
  );
  return new Promise((resolve, reject) => worker.once('error', reject).once('message', resolve));
}

test('nothing is nested deeper than ten thousand', async () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  assert.equal(await saidInThread(nested(10_000)), 'read');
  assert.equal(why(nested(10_001)), "invalid character '[' exceeded max depth");
  assert.equal(why(`${'{"a":'.repeat(10_001)}1${'}'.repeat(10_001)}`), "invalid character '{' exceeded max depth");
  assert.equal(why(JSON.stringify(['['.repeat(20_000), '\\"['.repeat(9_000)])), 'read');
  assert.equal(why(`[${'[],{},'.repeat(10_000)}1]`), 'read');
});
