/**
 * How steps end a scenario before it is judged: src/run/recorded/endings.txt has every place where one skips it, gives it
 * up as unknown or goes on with a part. Most stand for what no cluster of ours does, so that nothing else sees an error
 * turned into a skip. `node dist/src/run/endings.test.js --write` writes it anew: git diff shows what ends otherwise now.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { testRecorded } from '../report/recorded.testing.js';
import { stepsIn } from './execute.js';
import { packageFile, stepsFolder } from './package-root.js';

const ENDING = /\.(skip|unknown|trouble|partly)\(\s*([^\n]{0,120})/g;

const lines = stepsIn(stepsFolder).flatMap((file) => {
  const endings = [...readFileSync(file, 'utf8').matchAll(ENDING)];
  const told = endings.map(([, ending, words = '']) => `  ${ending} ${words.replace(/\s+/g, ' ').trim()}`);
  return told.length === 0 ? [] : [path.relative(stepsFolder, file).replaceAll(path.sep, '/'), ...told];
});
testRecorded(
  'how steps end a scenario',
  packageFile('src/run/recorded'),
  new Map([['endings.txt', `${lines.join('\n')}\n`]]),
);
