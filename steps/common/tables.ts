/** How the features write values of token Secrets in tables. */
import { writeRfc3339, writeWithOffset } from '../../src/checks/common/rfc3339.js';
import type { DataTable } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';

/**
 * One thing in which a Secret differs: a data key, or its name, namespace, type, finalizer or immutability. undefined:
 * it is left out.
 */
export type Alterations = Readonly<Record<string, string | undefined>>;

/**
 * A value as tables write it: in quotation marks where blanks matter (Gherkin itself reads \\n), (absent), (empty), or
 * a time: "1 hour ago", "in 30 minutes", "in 1 hour, written at +09:00"; "<300 letters>" stands for so many. Everything
 * else is taken as it stands.
 */
export function valueIn(text: string, now: number): string | undefined {
  if (text === '(absent)') return undefined;
  if (text === '(empty)') return '';
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const [, ahead, count, unit, ago, offset] =
    /^(in )?(\d+) (second|minute|hour|day|year)s?( ago)?(?:, written at ([+-]\d\d:\d\d))?$/.exec(text) ?? [];
  if (count === undefined || unit === undefined || (ahead === undefined) === (ago === undefined))
    return lettersIn(text);
  const length = { second: 1, minute: 60, hour: 3600, day: 86_400, year: 31_557_600 }[unit] ?? 0;
  const at = now + (ago === undefined ? 1 : -1) * Number(count) * length * 1000;
  return offset === undefined ? writeRfc3339(at) : writeWithOffset(at, offset);
}

/** Rows as they are meant: of the first `columns` a cell that is empty is that of the row above. */
export function filledDown(rows: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  let above: readonly string[] = [];
  return rows.map((row) => {
    const own = row.map((cell, at) => (cell === '' && at < columns ? (above[at] ?? '') : cell));
    above = own;
    return own;
  });
}

/** What a cell lists with commas between. An empty one says "any", and is one entry. */
export const listedIn = (text = ''): string[] => text.split(',').map((part) => part.trim());

/** Text that is too long for a table. */
export const lettersIn = (text: string): string =>
  text.replace(/<(\d{1,4}) letters>/g, (_, count) => 'a'.repeat(Number(count)));

/** Seconds to come are meant for a quick target, since something has to be seen before they are over. */
export const patientText = (world: World, text: string): string =>
  text.replace(/^in (\d{1,6}) seconds?$/, (_, count) => `in ${world.patiently(Number(count))} seconds`);

/** Rows "key, value": one Secret with all of them. */
export function alterationsIn(world: World, table: DataTable): Alterations {
  const now = world.now();
  return Object.fromEntries(
    table.raw().map(([key = '', value = '']) => [key, valueIn(patientText(world, value), now)]),
  );
}

/** Rows with a header of keys: a Secret a row. Column "what" names it. */
export function rowsOfAlterations(
  world: World,
  table: DataTable,
): { readonly label: string; readonly alterations: Alterations }[] {
  const now = world.now();
  return table.hashes().map(({ what, ...row }) => {
    const cells = Object.entries(row).filter(([, value]) => value !== '');
    return {
      label: what ?? cells.map(([key, value]) => `${key} ${value}`).join(', '),
      alterations: Object.fromEntries(cells.map(([key, value]) => [key, valueIn(patientText(world, value), now)])),
    };
  });
}
