/**
 * What `--data FILE` keeps: the keys and certificates, and every object. One JSON line for each change, appended and
 * synced, so that a crash
 * loses at most the line that it was writing; a start writes the file anew from what it read.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { StoreContent } from '../apiserver/storage/store.js';
import type { GroupResource, Store } from '../apiserver/types.js';
import type { PkiFiles } from '../kubeadm/pki.js';
import type { KubeObject } from '../kubernetes/objects.js';

/** The data file cannot be used. The message is a sentence for people. */
export class DataFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

export interface DataFile {
  /** undefined: the file is new. */
  readonly found: { readonly pki: PkiFiles; readonly content: StoreContent } | undefined;
  /** Writes all of it, and from then on every change of the store. */
  attach(pki: PkiFiles, store: Store & { content(): StoreContent }): void;
  close(): void;
}

const FORMAT = 1;
type Line =
  | { readonly joinproof: 'reference'; readonly format: number; readonly pki: PkiFiles }
  | { readonly put: GroupResource; readonly object: KubeObject }
  | { readonly gone: GroupResource; readonly namespace?: string; readonly name: string; readonly revision: number }
  | { readonly revision: number };

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
const keyOf = (resource: GroupResource, namespace: string | undefined, name: string): string =>
  JSON.stringify([resource.group, resource.resource, namespace ?? '', name]);

/** Opens a data file, or says that there is none yet. Throws DataFileError. */
export function openDataFile(path: string): DataFile {
  const unlock = lock(path);
  let found: DataFile['found'];
  try {
    found = existsSync(path) ? read(path) : undefined;
  } catch (error) {
    unlock();
    throw error;
  }
  let file: number | undefined;
  let unsubscribe: (() => void) | undefined;
  let dirty = false;
  const sync = (): void => {
    if (dirty && file !== undefined) fsyncSync(file);
    dirty = false;
  };
  const append = (line: Line): void => {
    if (file === undefined) return;
    writeSync(file, `${JSON.stringify(line)}\n`);
    if (!dirty) setImmediate(sync);
    dirty = true;
  };
  return {
    found,
    attach(pki, store) {
      const { objects, revision } = store.content();
      const lines: Line[] = [
        { joinproof: 'reference', format: FORMAT, pki },
        ...objects.map(({ resource, object }) => ({ put: resource, object })),
        { revision },
      ];
      try {
        replaceFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        file = openSync(path, 'a', 0o600);
      } catch (error) {
        throw new DataFileError(
          `The data file ${path} cannot be written (${codeOf(error)}). Give a file in a folder that you may write to.`,
        );
      }
      unsubscribe = store.subscribe((event) => {
        const { namespace, name = '' } = event.object.metadata;
        if (event.type !== 'DELETED') append({ put: event.resource, object: event.object });
        else
          append({
            gone: event.resource,
            ...(namespace === undefined ? {} : { namespace }),
            name,
            revision: event.revision,
          });
      });
    },
    close() {
      unsubscribe?.();
      sync();
      if (file !== undefined) closeSync(file);
      file = undefined;
      unlock();
    },
  };
}

/** Whole or not at all, whenever the power goes. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

/** Two servers on one file would mix their lines. A lock of a process that is gone does not count. */
function lock(path: string): () => void {
  const name = `${path}.lock`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(name, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rmSync(name, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST')
        throw new DataFileError(
          `The data file ${path} cannot be made (${codeOf(error)}). Give a file in a folder that you may write to.`,
        );
      const holder = Number(readFileSync(name, 'utf8'));
      if (attempt > 0 || (holder !== process.pid && isAlive(holder)))
        throw new DataFileError(
          `The data file ${path} is in use by process ${holder}. End that one, or give another file.`,
        );
      rmSync(name, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return !isDefunct(pid);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** A killed process whose parent never asks for it holds no files any more. Known on Linux only. */
function isDefunct(pid: number): boolean {
  try {
    // "PID (command) STATE …": the command may hold anything.
    return /^\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*(?=\) )/s, ''));
  } catch {
    return false;
  }
}

function read(path: string): DataFile['found'] {
  const foreign = new DataFileError(
    `${path} is no data file of joinproof serve. Give another file; this one is left as it is.`,
  );
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new DataFileError(`The data file ${path} cannot be read (${codeOf(error)}).`);
  }
  if (text === '') return undefined;
  const lines = text.split('\n');
  // What follows the last newline was being written when the crash came.
  lines.pop();
  const parsed = lines.map((line): Line => {
    try {
      return JSON.parse(line) as Line;
    } catch {
      throw foreign;
    }
  });
  const [head, ...changes] = parsed;
  if (head === undefined || typeof head !== 'object' || head === null || !('joinproof' in head)) throw foreign;
  if (head.format !== FORMAT)
    throw new DataFileError(
      `${path} was written by another version of joinproof (format ${head.format}, not ${FORMAT}). Give another file.`,
    );
  const objects = new Map<string, { readonly resource: GroupResource; readonly object: KubeObject }>();
  let revision = 1;
  for (const line of changes) {
    if ('put' in line) {
      objects.set(keyOf(line.put, line.object.metadata.namespace, line.object.metadata.name ?? ''), {
        resource: line.put,
        object: line.object,
      });
      revision = Math.max(revision, Number(line.object.metadata.resourceVersion ?? 0));
    } else if ('gone' in line) {
      objects.delete(keyOf(line.gone, line.namespace, line.name));
      revision = Math.max(revision, line.revision);
    } else if ('revision' in line) revision = Math.max(revision, line.revision);
  }
  return { pki: head.pki, content: { revision, objects: [...objects.values()] } };
}
