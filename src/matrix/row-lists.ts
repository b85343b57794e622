/**
 * The committed lists of all rows, a file per feature: a row that vanishes with a Then, a control or an example, or
 * that a mutant no longer reaches, is seen by them.
 *
 *     RBAC-004/kubeadm-s-binding
 *       demand rbac/refers: ClusterRoleBinding kubeadm:kubelet-bootstrap: refers to system:node-bootstrapper
 *         < a-mutant, another-mutant
 *       2 × control rbac/read: the roles and bindings of the cluster: were read
 *         ! why no mutant can reach it
 *       0 × demand a row that only mutants show
 *         < a-mutant
 *       several × demand a row about what other scenarios of the run have made, too: by hand
 *         < a-mutant
 */
import type { Reached } from './demands.js';

export interface Listed extends Reached {
  /** Why nobody can reach it; written by hand. */
  readonly reason?: string;
  /** How often it is found, and by whom it is broken, depends on what else is played; written by hand. */
  readonly several?: true;
}

const HEAD = `# What each scenario looks at, and the mutants that break it. Written by: npm run matrix -- --update
# "~": of a subject that the unchanged reference has not. "0 ×": only mutants show it. By hand: "! why nobody can", "several ×".
`;
const NOBODY = '? nobody';
const SEVERAL = 'several';
const ROW = /^ {2}(?:(\d+|several) × )?(\S.*)$/;
const NOTE = /^ {4}([<!?]) (.+)$/;

/** The lines of one file. */
export function toText(rows: readonly Listed[]): string {
  const lines: string[] = [];
  let scenario: string | undefined;
  for (const row of rows) {
    if (row.scenario !== scenario) lines.push('', row.scenario);
    scenario = row.scenario;
    const times = row.several === true ? SEVERAL : row.times;
    lines.push(`  ${times === 1 ? '' : `${times} × `}${row.text}`);
    if (row.reason !== undefined) lines.push(`    ! ${row.reason}`);
    if (row.by.length > 0) lines.push(`    < ${row.by.join(', ')}`);
    else if (row.reason === undefined) lines.push(`    ${NOBODY}`);
  }
  return `${HEAD}${lines.join('\n')}\n`;
}

/** Throws with the line that is none. */
export function fromText(text: string): readonly Listed[] {
  const rows: Listed[] = [];
  let scenario: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, times = '1', found] = ROW.exec(line) ?? [];
    const [, mark, said = ''] = NOTE.exec(line) ?? [];
    const last = rows.at(-1);
    if (!line.startsWith(' ')) scenario = line;
    else if (mark !== undefined && last !== undefined)
      rows[rows.length - 1] =
        mark === '!' ? { ...last, reason: said } : { ...last, by: mark === '<' ? said.split(', ') : [] };
    else if (found !== undefined && scenario !== undefined) {
      const row = { rule: scenario.split('/')[0] ?? '', scenario, text: found, by: [] };
      rows.push(times === SEVERAL ? { ...row, times: 1, several: true } : { ...row, times: Number(times) });
    } else throw new Error(`Line ${index + 1} is no part of a list of rows: ${line}`);
  }
  return rows;
}

/** By what a row is known among all. */
export const nameOf = ({ scenario, text }: Reached): string => `${scenario}: ${text}`;
const byName = (rows: readonly Listed[]): ReadonlyMap<string, Listed> => new Map(rows.map((row) => [nameOf(row), row]));

/** What is there now with what is written by hand. */
export function renewed(rows: readonly Reached[], listed: readonly Listed[]): readonly Listed[] {
  const known = byName(listed);
  return rows.map((row) => {
    const { reason, several } = known.get(nameOf(row)) ?? {};
    return {
      ...row,
      ...(reason === undefined ? {} : { reason }),
      ...(several === undefined || row.times === 0 ? {} : { several }),
    };
  });
}

/** What is otherwise than the lists say, and what nobody breaks; sentences. */
export function problemsOf(rows: readonly Reached[], listed: readonly Listed[]): readonly string[] {
  const [now, then] = [byName(rows), byName(listed)];
  return [
    ...[...then.values()].filter((row) => !now.has(nameOf(row))).map((row) => `${nameOf(row)}: is gone from the rows`),
    ...renewed(rows, listed).flatMap((row) => {
      const before = then.get(nameOf(row));
      return [...changes(row, before), ...gaps(row)].map((said) => `${nameOf(row)}: ${said}`);
    }),
  ];
}

function changes(row: Listed, before: Listed | undefined): readonly string[] {
  if (before === undefined) return ['is new among the rows'];
  if (row.several === true) return [];
  const less = before.by.filter((name) => !row.by.includes(name));
  const more = row.by.filter((name) => !before.by.includes(name));
  return [
    ...(row.times === before.times || row.several === true
      ? []
      : [`is found ${row.times} times, and was ${before.times} times`]),
    ...(less.length === 0 ? [] : [`is no longer broken by ${less.join(', ')}`]),
    ...(more.length === 0 ? [] : [`is newly broken by ${more.join(', ')}`]),
  ];
}

function gaps(row: Listed): readonly string[] {
  if (row.reason !== undefined)
    return row.by.length > 0 ? ['is said to be out of reach, and is reached: take the reason out of its list'] : [];
  return row.by.length > 0 ? [] : ['no mutant breaks it'];
}
