/**
 * Texts, numbers, durations, times, base64 and JSON, held to what Go 1.26 makes of them: src/apiserver/recorded/go.json
 * has for each input what strconv, fmt, time, encoding/base64 and encoding/json say.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { packageFile } from '../../run/package-root.js';
import { base64ErrorAt } from './base64.js';
import { durationProblem } from './duration.js';
import { parseJson } from './json.js';
import { dynamicType, goQuote, goValue, parseInt64, parseUint } from './text.js';
import { timeFault } from './time.js';

type Row = readonly [input: string, ...said: string[]];
const said = JSON.parse(readFileSync(packageFile('src/apiserver/recorded/go.json'), 'utf8')) as Readonly<
  Record<string, readonly Row[]>
>;

function holds(table: string, ours: (input: string, go: readonly string[]) => readonly unknown[]): void {
  it(`says of ${table} what Go says`, () => {
    const rows = said[table] ?? [];
    assert.ok(rows.length > 10);
    for (const [input, ...go] of rows) assert.deepEqual(ours(input, go), go, JSON.stringify(input));
  });
}

/** Beyond what a double holds, a value is only told from an error. */
const told = (parsed: { readonly value: number; readonly printed?: string } | { readonly error: string }, go = '') =>
  'error' in parsed
    ? parsed.error
    : (parsed.printed ?? (Number.isSafeInteger(parsed.value) || Number.isNaN(Number(go)) ? String(parsed.value) : go));

holds('float', (input) => [goValue(Number(input)), dynamicType(Number(input))]);
holds('quote', (input) => [goQuote(input)]);
holds('parse', (input, [, signed]) => [told(parseUint(input)), told(parseInt64(input), signed)]);
holds('duration', (input) => [durationProblem(input) ?? '']);
holds('time', (input) => [timeFault(input, false) ?? '', timeFault(input, true) ?? '']);
holds('base64', (input) => [base64ErrorAt(input) ?? null]);
holds('json', (input) => {
  try {
    parseJson(input);
    return [''];
  } catch (error) {
    return [error instanceof Error ? error.message : error];
  }
});
