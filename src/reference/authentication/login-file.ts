/**
 * Files that name users line by line: what proves them, user name, user uid and perhaps groups. Source: apiserver,
 * pkg/authentication/token/tokenfile/tokenfile.go; apiserver 1.18, plugin/pkg/authenticator/password/passwordfile.
 */
import { CannotStart } from '../host-addresses.js';
import { csvRecords } from './csv.js';

/**
 * The lines of a file's text. `proof` is what their first column is called, and `least` how many columns each must
 * have. Throws CannotStart for what is no such file; it names nothing of what stands in it.
 */
export function loginRecords(
  text: string,
  flag: string,
  proof: 'token' | 'password',
  least: number,
): readonly (readonly string[])[] {
  const instead = `Give lines of ${proof},user name,user uid,"groups".`;
  let records: readonly (readonly string[])[];
  try {
    records = csvRecords(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotStart(`${flag} is no CSV: ${why}. ${instead}`);
  }
  const short = records.findIndex((record) => record.length < least);
  if (short < 0) return records;
  throw new CannotStart(
    `${flag} must have at least ${least} columns (${proof}, user name, user uid), and line ${short + 1} that ` +
      `is not empty has ${records[short]?.length}. ${instead}`,
  );
}

/** The lines by what stands in one of their columns, those with the same together. */
export function byColumn(
  records: readonly (readonly string[])[],
  column: number,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const lines = new Map<string, (readonly string[])[]>();
  for (const record of records) {
    const key = record[column] ?? '';
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [record]);
    else known.push(record);
  }
  return lines;
}
