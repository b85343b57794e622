import assert from 'node:assert/strict';

/** That a text is as recorded; told by the first line that is not, since a diff of long texts takes minutes. */
export function assertRecorded(text: string, recorded: string): void {
  if (text === recorded) return;
  const [lines, before] = [text.split('\n'), recorded.split('\n')];
  const at = lines.findIndex((line, index) => line !== before[index]);
  const place = at === -1 ? lines.length : at;
  assert.fail(`line ${place + 1} is\n  ${lines[place]}\nand was recorded as\n  ${before[place]}`);
}
