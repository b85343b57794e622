/**
 * Features whose words no step knows: in each table a row more with such a first cell, in its last row the second cell,
 * of each scenario a quoted text. Who looks such a word up says so, and the scenario is an error; a step that takes what
 * it does not know for something else, or for nothing, would judge what nobody has written. Free texts are words as well:
 * how scenarios fare with one is listed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RuleResult, ScenarioResult } from '../model/report.js';
import { readFeatures } from '../run/features.js';
import type { Lines } from './rule-lines.js';

/** Stands before each line. */
export const UNKNOWN_WORDS = 'unknown words';

const WORD = 'nobody knows this';
const FIRST_CELL = /^(\s+\|)(?:[^|\\]|\\.)*(?=\|)/;
const SECOND_CELL = /^(\s+\|(?:[^|\\]|\\.)*\|)(?:[^|\\]|\\.)*[^|\\\s](?:[^|\\]|\\.)*(?=\|)/;
const QUOTED = /^(\s+(?:Given|When|Then|And|But) [^"]*)"[^"<]+"/;
const ROW = /^\s+\|/;
const EXAMPLES = /^\s+Examples:/;
const SCENARIO = /^\s+Scenario/;

type Change = (lines: readonly string[]) => readonly string[];

/** The last row of each table, as these rows; Examples are names, not words. */
const inTables =
  (instead: (row: string) => readonly string[]): Change =>
  (lines) => {
    let examples = false;
    return lines.flatMap((line, at) => {
      examples = EXAMPLES.test(line) || (examples && !SCENARIO.test(line));
      return examples || !ROW.test(line) || ROW.test(lines[at + 1] ?? '') ? [line] : instead(line);
    });
  };

const put = (row: string, cell: RegExp): string => row.replace(cell, `$1 ${WORD} `);
/** Of a table with a single row nobody sees otherwise whether its last one is looked at. */
const aRowMore = (row: string): readonly string[] => [row, put(row, FIRST_CELL)];
const inSecondCell = (row: string): readonly string[] => [put(row, SECOND_CELL)];

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
  'a row more': inTables(aRowMore),
  'a second cell': inTables(inSecondCell),
  'a quoted text': inQuotes,
};

interface Suite {
  readonly features: string;
  readonly steps?: readonly string[];
}
/** Plays these rules of other features, on a reference of their own: what is misunderstood may leave it in any state. */
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

/** Whether such a word was looked at at all: free texts are taken as they are. */
function seenIn({ judgements }: Pick<ScenarioResult, 'judgements'>): string {
  const all = JSON.stringify(judgements);
  return all.includes(WORD) || all.includes(encodeURIComponent(WORD)) ? ', and tells of it' : '';
}

/** `rules`: of these alone. A line for each scenario that is no error, and one that counts those that are. */
export async function unknownWords(rules: readonly string[] | undefined, suite: Suite, judged: Judged): Promise<Lines> {
  const all: Record<string, string[]> = {};
  for (const [where, change] of Object.entries(CHANGES)) {
    const features = changedFeatures(suite.features, change);
    try {
      const touched = readFeatures(features).rules.flatMap(({ id, chapter, scenarios }) =>
        (rules?.includes(id) ?? true)
          ? scenarios.flatMap((scenario) =>
              JSON.stringify(scenario.steps).includes(WORD) ? [{ rule: id, chapter, scenario: scenario.id }] : [],
            )
          : [],
      );
      const ids = new Set(touched.map(({ scenario }) => scenario));
      const found: RuleResult[] = [];
      for (const chapter of new Set(touched.map((one) => one.chapter))) {
        const those = touched.filter((one) => one.chapter === chapter).map(({ rule }) => rule);
        found.push(...(await judged([...new Set(those)], { ...suite, features })));
      }
      for (const { id, scenarios } of found) {
        const those = scenarios.filter((scenario) => ids.has(scenario.id));
        const known = those.filter(({ verdict }) => verdict !== 'error');
        const line = (text: string): string => `${UNKNOWN_WORDS}: ${where}: ${text}`;
        all[id] = [
          ...(all[id] ?? []),
          line(`${those.length - known.length} of ${those.length} in error`),
          ...known.map((scenario) =>
            line(`${scenario.id.replace(/^[^/]*\//, '')} ${scenario.verdict}${seenIn(scenario)}`),
          ),
        ];
      }
    } finally {
      rmSync(features, { recursive: true });
    }
  }
  return Object.fromEntries(Object.entries(all).map(([id, lines]) => [id, lines.sort()]));
}
