/**
 * What `--data FILE` keeps: the keys and certificates, and every object. One JSON line for each change. A change is
 * told to nobody, its author included, before it is synced; changes of requests that come together share one sync. A
 * start writes the file anew from what it read, and so does a server whose file has grown to several times its content.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { plainError } from '../apiserver/machinery/errors.js';
import type { MemoryStore, StoreContent } from '../apiserver/storage/store.js';
import type { GroupResource, StoreEvent } from '../apiserver/types.js';
import type { PkiFiles } from '../kubeadm/pki.js';
import { isRecord } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { type Disk, Journal } from './journal.js';

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
  attach(pki: PkiFiles, store: MemoryStore): void;
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

/** A file that has grown to so many times its content, and beyond so many bytes, is written anew. */
const GROWTH = 4;
const SMALL = 16 * 1024 * 1024;

function lineOf({ type, resource, object, revision }: StoreEvent): string {
  const { namespace, name = '' } = object.metadata;
  const line: Line =
    type === 'DELETED'
      ? { gone: resource, ...(namespace === undefined ? {} : { namespace }), name, revision }
      : { put: resource, object };
  return JSON.stringify(line);
}

function* linesOf(pki: PkiFiles, { objects, revision }: StoreContent): Generator<string> {
  const line = (one: Line): string => JSON.stringify(one);
  yield line({ joinproof: 'reference', format: FORMAT, pki });
  for (const { resource, object } of objects) yield line({ put: resource, object });
  yield line({ revision });
}

/** Opens a data file, or says that there is none yet. Throws DataFileError. */
export function openDataFile(path: string, disk?: Disk): DataFile {
  const unlock = lock(path);
  let found: DataFile['found'];
  try {
    found = read(path);
  } catch (error) {
    unlock();
    throw error;
  }
  const journal = new Journal(path, disk);
  return {
    found,
    attach(pki, store) {
      try {
        journal.replace(linesOf(pki, store.content()));
      } catch (error) {
        throw new DataFileError(
          `The data file ${path} cannot be written (${codeOf(error)}) and is left as it was. Make room on its disk, ` +
            'or give a file in a folder that you may write to.',
        );
      }
      let content = journal.bytes;
      store.keepWith((events) => {
        try {
          journal.append(events.map(lineOf));
        } catch (error) {
          throw plainError(
            `nothing was changed: the server's data file cannot be written (${codeOf(error)}); make room on its disk ` +
              'or mend it, then send the request again',
          );
        }
        if (journal.bytes <= SMALL || journal.bytes <= GROWTH * content) return;
        try {
          journal.replace(linesOf(pki, store.content()));
        } catch {
          // The long one says the same. The next try waits until it has grown as much again.
        }
        content = journal.bytes;
      });
    },
    close() {
      journal.close();
      unlock();
    },
  };
}

/** Two servers on one file would mix their lines. A lock of a process that is gone does not count. */
function lock(path: string): () => void {
  const name = `${path}.lock`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(name, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rmSync(name, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        // A full disk takes the name, and not what is to stand there.
        if (codeOf(error) === 'ENOSPC') rmSync(name, { force: true });
        throw new DataFileError(
          `The data file ${path} cannot be made (${codeOf(error)}). Make room on its disk, or give a file in a folder ` +
            'that you may write to.',
        );
      }
      // Read without waiting: a FIFO in the lock's place has nothing to say.
      const holder = lstatSync(name, { throwIfNoEntry: false })?.isFile() ? Number(readFileSync(name, 'utf8')) : 0;
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

/**
 * Bytes of the file; undefined where there is none. Throws DataFileError for what is no file, or may not be trusted.
 */
function bytesOf(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const refuse = (why: string): never => {
    throw new DataFileError(`The data file ${path} ${why}`);
  };
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) return refuse('is no ordinary file. Give another name.');
    if (mayBePlanted(stats))
      return refuse(
        'belongs to another user, or everybody may write to it, so that its keys may be known to others. ' +
          'Give another name, or make it your own (chown) for yourself (chmod 600) if you trust it.',
      );
    return readFileSync(file);
  } catch (error) {
    if (error instanceof DataFileError) throw error;
    return refuse(`cannot be read (${codeOf(error)}). Give a file that you may read and write.`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whoever can write the file can have chosen the keys of the cluster. */
const mayBePlanted = ({ uid, mode }: Stats): boolean =>
  process.getuid !== undefined && ((uid !== 0 && uid !== process.getuid()) || (mode & 0o002) !== 0);

const NEWLINE = 10;

/** Lines that are ended; what follows the last newline was being written when a crash came. */
function* linesIn(bytes: Buffer): Generator<string> {
  for (let at = 0; ; ) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return;
    yield bytes.toString('utf8', at, end);
    at = end + 1;
  }
}

function lineIn(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isRecord(line) ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

function read(path: string): DataFile['found'] {
  const bytes = bytesOf(path);
  if (bytes === undefined || bytes.length === 0) return undefined;
  const lines = linesIn(bytes);
  const first = lines.next();
  const head = first.done === true ? undefined : lineIn(first.value);
  if (head === undefined || !('joinproof' in head))
    throw new DataFileError(
      `${path} is no data file of joinproof serve. Give another file; this one is left as it is.`,
    );
  if (head.format !== FORMAT)
    throw new DataFileError(
      `${path} was written by another version of joinproof (format ${head.format}, not ${FORMAT}). Give another file.`,
    );
  const objects = new Map<string, { readonly resource: GroupResource; readonly object: KubeObject }>();
  let revision = 1;
  let number = 1;
  for (const text of lines) {
    number += 1;
    // A power cut can leave a hole where the last write was under way: all before it had been synced.
    if (text.includes('\0')) break;
    const line = lineIn(text);
    if (line === undefined)
      throw new DataFileError(
        `${path} is damaged in line ${number}. Restore it from a copy, or give another file; this one is left as it is.`,
      );
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
