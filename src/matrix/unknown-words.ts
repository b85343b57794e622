/**
 * Features whose words no step knows: of each table the first cell of its last row, of each scenario a quoted text. Who looks
 * such a word up says so, and the scenario is an error; a step that takes what it does not know for something else, or
 * for nothing, would judge what nobody has written. Free texts are words as well: how scenarios fare with one is listed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RuleResult } from '../model/report.js';
import { readFeatures } from '../run/features.js';
import type { Lines } from './rule-lines.js';

/** Stands before each line. */
export const UNKNOWN_WORDS = 'unknown words';

const WORD = 'nobody knows this';
const FIRST_CELL = /^(\s+\|)(?:[^|\\]|\\.)*[^|\\\s](?:[^|\\]|\\.)*(?=\|)/;
const QUOTED = /^(\s+(?:Given|When|Then|And|But) [^"]*)"[^"<]+"/;
const ROW = /^\s+\|/;
const EXAMPLES = /^\s+Examples:/;
const SCENARIO = /^\s+Scenario/;

type Change = (lines: readonly string[]) => readonly string[];

/** The first cell of the last row of each table; Examples are names, not words. */
const inTables: Change = (lines) => {
  let examples = false;
  return lines.map((line, at) => {
    examples = EXAMPLES.test(line) || (examples && !SCENARIO.test(line));
    if (examples || !ROW.test(line) || ROW.test(lines[at + 1] ?? '')) return line;
    return line.replace(FIRST_CELL, `$1 ${WORD} `);
  });
};

/** The last quoted text that a scenario has in its steps. */
const inQuotes: Change = (lines) => {
  let changed = false;
  return lines
    .toReversed()
    .map((line) => {
      if (SCENARIO.test(line)) changed = false;
      if (changed || !QUOTED.test(line)) return line;
      changed = true;
      return line.replace(QUOTED, `$1"${WORD}"`);
    })
    .toReversed();
};

const CHANGES: Readonly<Record<string, Change>> = {
  'a first cell': inTables,
  'a quoted text': inQuotes,
};

interface Suite {
  readonly features: string;
  readonly steps?: readonly string[];
}
/** Plays these rules of other features on the reference. */
type Judged = (rules: readonly string[], suite: Suite) => Promise<readonly RuleResult[]>;

/** The same features, each with that word in its place. The caller removes the folder. */
function changedFeatures(from: string, change: Change): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-words-'));
  const files = new Set(readFeatures(from).rules.map(({ place }) => place.replace(/:\d+$/, '')));
  for (const file of files) {
    const text = readFileSync(path.join(from, file), 'utf8');
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), change(text.split('\n')).join('\n'));
  }
  return folder;
}

/** `rules`: of these alone. A line for each scenario that is no error, and one that counts those that are. */
export async function unknownWords(rules: readonly string[] | undefined, suite: Suite, judged: Judged): Promise<Lines> {
  const all: Record<string, string[]> = {};
  for (const [where, change] of Object.entries(CHANGES)) {
    const features = changedFeatures(suite.features, change);
    try {
      const touched = readFeatures(features).rules.flatMap(({ id, scenarios }) =>
        (rules?.includes(id) ?? true)
          ? scenarios.flatMap((scenario) =>
              JSON.stringify(scenario.steps).includes(WORD) ? [[id, scenario.id] as const] : [],
            )
          : [],
      );
      const ids = new Set(touched.map(([, id]) => id));
      const found = await judged([...new Set(touched.map(([id]) => id))], { ...suite, features });
      for (const { id, scenarios } of found) {
        const those = scenarios.filter((scenario) => ids.has(scenario.id));
        const known = those.filter(({ verdict }) => verdict !== 'error');
        const line = (text: string): string => `${UNKNOWN_WORDS}: ${where}: ${text}`;
        all[id] = [
          ...(all[id] ?? []),
          line(`${those.length - known.length} of ${those.length} in error`),
          ...known.map((scenario) => line(`${scenario.id.replace(/^[^/]*\//, '')} ${scenario.verdict}`)),
        ];
      }
    } finally {
      rmSync(features, { recursive: true });
    }
  }
  return Object.fromEntries(Object.entries(all).map(([id, lines]) => [id, lines.sort()]));
}
