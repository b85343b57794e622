import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** That a text is as recorded; told by the first line that is not, since a diff of long texts takes minutes. */
function assertRecorded(text: string, recorded: string): void {
  if (text === recorded) return;
  const [lines, before] = [text.split('\n'), recorded.split('\n')];
  const at = lines.findIndex((line, index) => line !== before[index]);
  const place = at === -1 ? lines.length : at;
  assert.fail(`line ${place + 1} is\n  ${lines[place]}\nand was recorded as\n  ${before[place]}`);
}

/** Tests each text, by the name of its file in the folder; "--write" writes them instead. */
export function testRecorded(what: string, folder: string, texts: ReadonlyMap<string, string>): void {
  const write = process.argv.includes('--write');
  if (write) mkdirSync(folder, { recursive: true });
  for (const [file, text] of texts) {
    const place = `${folder}/${file}`;
    if (write) writeFileSync(place, text);
    else
      describe(what, () => {
        it(`is as recorded in ${file}`, () => assertRecorded(text, readFileSync(place, 'utf8')));
      });
  }
}

/** Of what comes again and again: its digest, and itself where it comes for the first time. */
export function toldOnce(): (text: string) => readonly string[] {
  const known = new Set<string>();
  return (text) => {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 6);
    const isKnown = known.has(digest);
    known.add(digest);
    return isKnown ? [`  ${digest}`] : [`  ${digest}:`, text];
  };
}
