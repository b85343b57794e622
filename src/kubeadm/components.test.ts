import assert from 'node:assert/strict';
import { it } from 'node:test';
import { argumentOf } from './components.js';

it('of a flag that is given several times the last counts, and no flag that is named alike', () => {
  const settings = {
    extraArgs: [
      ['bind-address', 'a'],
      ['bind-address', 'b'],
      ['Bind-Address', 'c'],
      ['bind-addresses', 'd'],
      ['bind-address', 'e'],
      ['v', '1'],
    ] as const,
  };
  assert.equal(argumentOf(settings, 'bind-address'), 'e');
  assert.equal(argumentOf({ extraArgs: settings.extraArgs.slice(0, 2) }, 'bind-address'), 'b');
  assert.equal(argumentOf(settings, 'bind'), undefined);
  assert.equal(argumentOf({}, 'v'), undefined);
  assert.equal(argumentOf(undefined, 'v'), undefined);
});
