/**
 * Reads what --manifests names: a file, a folder of files, or standard input. Bounded; never leaves the folder through
 * a link.
 */
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ConfigurationError } from '../errors.js';
import { readRegular, standardInput } from '../regular-file.js';

export interface Text {
  /** Path as given, or "standard input". */
  readonly name: string;
  readonly text: string;
}

/** Bytes of all files together, files, and folders within folders. */
const MOST_BYTES = 512 * 1024 * 1024;
const MOST_FILES = 20_000;
const DEEPEST = 12;
const MANIFEST = /\.(ya?ml|json)$/i;

const said = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
  };
  return known[code ?? ''] ?? (error as Error).message;
};

/** Throws ConfigurationError, in a sentence, where nothing can be read. */
export async function readManifests(given: string): Promise<readonly Text[]> {
  if (given === '-') {
    const bytes = await standardInput(MOST_BYTES).catch(() => {
      throw tooMuch('standard input');
    });
    return [{ name: 'standard input', text: bytes.toString('utf8') }];
  }
  const found = await stat(given).catch((error: unknown) => {
    throw new ConfigurationError(`--manifests ${given} cannot be read: ${said(error)}.`);
  });
  if (found.isFile()) return [await readText(given, { left: MOST_BYTES })];
  if (!found.isDirectory())
    throw new ConfigurationError(`--manifests ${given} is neither a file nor a folder; give one of them, or "-".`);
  const files = await filesBelow(given);
  if (files.length === 0)
    throw new ConfigurationError(
      `--manifests ${given} holds no .yaml, .yml or .json file; give what "kubectl get … -o yaml" or "kubectl cluster-info dump" wrote.`,
    );
  const budget = { left: MOST_BYTES };
  const texts: Text[] = [];
  for (const file of files) texts.push(await readText(file, budget));
  return texts;
}

async function readText(file: string, budget: { left: number }): Promise<Text> {
  if ((await stat(file)).size > budget.left) throw tooMuch(file);
  try {
    const text = await readRegular(file, budget.left);
    budget.left -= Buffer.byteLength(text);
    return { name: file, text };
  } catch (error) {
    throw new ConfigurationError(`--manifests: ${file} cannot be read: ${said(error)}.`);
  }
}

const tooMuch = (what: string): ConfigurationError =>
  new ConfigurationError(
    `--manifests: with ${what} there are more than ${MOST_BYTES / 1024 / 1024} MiB; give only the kinds that are to be judged.`,
  );

/** Sorted. Links and special files are passed over. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    if (depth > DEEPEST) return;
    for (const name of (await readdir(at)).sort()) {
      const full = path.join(at, name);
      const found = await lstat(full);
      if (found.isDirectory()) await walk(full, depth + 1);
      else if (found.isFile() && MANIFEST.test(name)) files.push(full);
      if (files.length > MOST_FILES)
        throw new ConfigurationError(
          `--manifests ${folder} holds more than ${MOST_FILES} files; give a smaller folder.`,
        );
    }
  };
  await walk(folder, 0);
  return files;
}
