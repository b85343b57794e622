import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.js';

test('a target is as slow as its latest requests, within bounds', () => {
  const pace = new Pace();
  assert.equal(pace.times, 1);
  for (let n = 0; n < 100; n += 1) pace.took(20);
  assert.equal(pace.times, 1);
  for (let n = 0; n < 24; n += 1) pace.took(1_000);
  assert.equal(pace.times, 2);
  for (let n = 0; n < 48; n += 1) pace.took(60_000);
  assert.equal(pace.times, 8);
  for (let n = 0; n < 48; n += 1) pace.took(5);
  assert.equal(pace.times, 1);
});
