/** Finds a check by its id: the part before the slash is its file in this folder. */
import { record } from '../kubernetes/json.js';
import type { AnyCheck } from '../model/check.js';

const ID = /^([a-z0-9-]{1,60})\/[a-z0-9-]{1,80}$/;

const isCheck = (value: unknown): value is AnyCheck => typeof record(value).judge === 'function';

const files = new Map<string, Promise<ReadonlyMap<string, AnyCheck>>>();

async function checksOf(file: string): Promise<ReadonlyMap<string, AnyCheck>> {
  try {
    const module = (await import(new URL(`./${file}.js`, import.meta.url).href)) as Readonly<Record<string, unknown>>;
    return new Map(Object.values(module).flatMap((value) => (isCheck(value) ? [[value.id, value] as const] : [])));
  } catch {
    return new Map();
  }
}

/** undefined where this build has no such check. */
export async function checkOf(id: string): Promise<AnyCheck | undefined> {
  const file = ID.exec(id)?.[1];
  if (file === undefined) return undefined;
  let checks = files.get(file);
  if (checks === undefined) {
    checks = checksOf(file);
    files.set(file, checks);
  }
  return (await checks).get(id);
}
