/**
 * By which rules paralysed clusters and those behind others are played, and what makes them so:
 * src/matrix/recorded/variants.txt has it. A rule that is left out there would be played on nothing, and nobody would
 * see it. `node dist/src/matrix/variants.test.js --write` writes it anew.
 */
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { VARIANTS } from './foreign.js';

const told = (key: string, value: unknown): unknown =>
  value instanceof RegExp ? String(value) : typeof value === 'function' ? `${key}()` : value;

const lines = VARIANTS.flatMap(({ name, rules, idle, ...parts }) => [
  name,
  `  ${JSON.stringify(parts, told)}`,
  ...(rules === undefined ? [] : [`  by ${[...rules].sort().join(', ')}`]),
  ...(idle === undefined ? [] : [`  nothing is done that these leave undone: ${[...idle].sort().join(', ')}`]),
]);

testRecorded(
  'who is paralysed, and what stands before clusters',
  packageFile('src/matrix/recorded'),
  new Map([['variants.txt', `${lines.join('\n')}\n`]]),
);
