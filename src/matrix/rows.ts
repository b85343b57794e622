/**
 * The rows of the matrix: what a rule looks at, one row for each thing that a check found on the unchanged reference.
 * Pure.
 */
import type { Finding, Role } from '../model/finding.js';
import { visible } from '../model/foreign.js';
import type { Report, ScenarioResult } from '../model/report.js';

export interface Row {
  readonly rule: string;
  /** "TOK-001/each-token-has-the-form", with the name of the example behind it. */
  readonly scenario: string;
  readonly role: Role;
  /** "-" for what the harness itself found. */
  readonly check: string;
  /** Without the names that every run gives anew. */
  readonly subject: string;
  readonly demanded: string;
}

/** What a run shows of the rows of its rules. */
export interface RowsSeen {
  /** In the order of the report; the same row as often as it was found. */
  readonly all: readonly Row[];
  /**
   * Demands of scenarios that failed by them, controls of scenarios that erred by them (an unclear one is not met,
   * either): what an error hides, an unmet demand beside an unmet control, was not noticed.
   */
  readonly unmet: readonly Row[];
  /** Scenarios that had an unmet control and did not err. */
  readonly uncontrolled: readonly string[];
}

/** By what a report names things of one run alone: names of ours, UIDs, names of requests, of tokens, of ports. */
const OF_A_RUN: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '…'],
  [/\bjp-((?:[a-z]{1,5}-)*)[a-z0-9]{6,}/g, 'jp-$1…'],
  [/\bJP-[A-Z0-9]{6,}/g, 'JP-…'],
  [/\bcsr-[a-z0-9]{5}\b/g, 'csr-…'],
  [/(bootstrap-token-|jws-kubeconfig-|system:bootstrap:|\btoken )[a-z0-9]{6}(0?)\b/g, '$1…$2'],
  [/(127\.0\.0\.1|localhost):\d{4,5}\b/g, '$1:…'],
];
const TOKEN_ID = /(?:bootstrap-token-|jws-kubeconfig-)([a-z0-9]{6})\b/g;

/** The same text in every run of the same thing, in one line. `ids`: of tokens, wherever they stand alone. */
export function stable(text: string, ids: ReadonlySet<string> = new Set()): string {
  const named = OF_A_RUN.reduce((rest, [pattern, kept]) => rest.replace(pattern, kept), text);
  const known = named.replace(/\b[a-z0-9]{6}\b/g, (word) => (ids.has(word) ? '…' : word));
  return visible(known);
}

const textOf = ({ subject, demanded }: Finding): string => `${subject} ${demanded}`;
const findingsOf = ({ judgements }: ScenarioResult): readonly Finding[] =>
  judgements.flatMap(({ findings }) => findings);

/** The rows that a report shows. Its findings must be all of them, not examples. */
export function rowsOf({ rules }: Report): RowsSeen {
  const ids = new Set(
    rules
      .flatMap(({ scenarios }) => scenarios.flatMap(findingsOf))
      .flatMap((finding) => [...textOf(finding).matchAll(TOKEN_ID)].map(([, id = '']) => id)),
  );
  const all: Row[] = [];
  const unmet: Row[] = [];
  const uncontrolled: string[] = [];
  for (const { id: rule, scenarios } of rules) {
    for (const scenario of scenarios) {
      for (const { check, findings } of scenario.judgements) {
        for (const { role, subject, demanded, result } of findings) {
          const row = {
            rule,
            scenario: scenario.id,
            role,
            check: check ?? '-',
            subject: stable(subject, ids),
            demanded: stable(demanded, ids),
          };
          all.push(row);
          const isBroken = role === 'demand' ? result === 'unmet' : result !== 'met';
          if (isBroken && scenario.verdict === (role === 'demand' ? 'failed' : 'error')) unmet.push(row);
          if (isBroken && role === 'control' && scenario.verdict !== 'error') uncontrolled.push(scenario.id);
        }
      }
    }
  }
  return { all, unmet, uncontrolled };
}

/** "login/refused demand: the token … (expired): is refused with 401 Unauthorized", unique within a scenario. */
export const textOfRow = ({ role, check, subject, demanded }: Row): string =>
  `${role} ${check}: ${subject}: ${demanded}`;
