/** Careful access to JSON whose fields are not known to the compiler: what is not of the wanted type reads as empty. */

export type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const record = (value: unknown): Fields => (isRecord(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const records = (value: unknown): readonly Fields[] => list(value).map(record);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const texts = (value: unknown): readonly string[] => list(value).map(text);
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0);
/** Bytes as JSON holds them; a text in UTF-8. */
export const base64 = (value: string | Buffer): string => Buffer.from(value).toString('base64');
/** Base64 without what fills its last group. */
export const unpadded = (encoded: string): string => encoded.replace(/(?<!=)=+$/, '');
export const textMap = (value: unknown): Readonly<Record<string, string>> =>
  record(value) as Readonly<Record<string, string>>;

/** What becomes of a list that a patch names, in a field of that name; RFC 7396: that of the patch. */
type ListsPatched = (target: readonly unknown[], patch: readonly unknown[], field: string) => unknown;

/** A JSON merge patch, applied; `lists`: other kinds of patches differ by that. Source: RFC 7396, section 2. */
export function mergePatched(target: unknown, patch: unknown, lists?: ListsPatched, field = ''): unknown {
  if (lists !== undefined && Array.isArray(target) && Array.isArray(patch)) return lists(target, patch, field);
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatched(result[key], value, lists, key);
  }
  return result;
}
