/** Finds a check by its id: the part before the slash is its file, in one of the rooms of src/checks. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { record } from '../kubernetes/json.js';
import type { AnyCheck } from '../model/check.js';

const ID = /^([a-z0-9-]{1,60})\/[a-z0-9-]{1,80}$/;

const isCheck = (value: unknown): value is AnyCheck => typeof record(value).judge === 'function';

const ROOMS = new URL('../checks/', import.meta.url);

/** The compiled files of checks, with slashes, below src/checks: "authenticators/login.js"; no two have the same name. */
export const checkFiles = (): readonly string[] =>
  readdirSync(fileURLToPath(ROOMS), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^[^.]+\.js$/.test(file))
    .sort();

let places: ReadonlyMap<string, string> | undefined;

/** Where a file is, by its name without ending. */
function placeOf(name: string): string | undefined {
  places ??= new Map(checkFiles().map((file) => [file.replace(/^.*\/|\.js$/g, ''), file]));
  return places.get(name);
}

const files = new Map<string, Promise<ReadonlyMap<string, AnyCheck>>>();

async function checksOf(name: string): Promise<ReadonlyMap<string, AnyCheck>> {
  const place = placeOf(name);
  if (place === undefined) return new Map();
  const module = (await import(new URL(place, ROOMS).href)) as Readonly<Record<string, unknown>>;
  return new Map(Object.values(module).flatMap((value) => (isCheck(value) ? [[value.id, value] as const] : [])));
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
