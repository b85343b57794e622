/** Query parameters as Go converts them. Source: apimachinery, pkg/runtime/conversion.go. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { int64, truthy } from './query.js';

it('is true unless it is absent, "false" or "0"', () => {
  for (const no of [null, 'false', 'FALSE', 'False', '0']) assert.equal(truthy(no), false, String(no));
  for (const yes of ['', 'true', '1', 'x', '00', 'f', 'no', ' 0', '0x', 'falsex', ' false'])
    assert.equal(truthy(yes), true, yes);
});

it('is an int64, or absent', () => {
  const of = (text: string) => int64(new URLSearchParams(text), 'a');
  assert.deepEqual(['b=1', 'a=0', 'a=-1', 'a=%2B7', 'a=1&a=2'].map(of), [undefined, 0, -1, 7, 1]);
  for (const text of ['a=', 'a=x', 'a=1.0', 'a=9223372036854775808'])
    assert.throws(() => of(text), /^ApiError|strconv\.ParseInt: parsing/, text);
});
