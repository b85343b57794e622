/**
 * A file that is only written at its end, so that every line of it is whole and on disk before anybody is told of it,
 * and replaced by a shorter one with the same meaning, whole or not at all.
 */
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** What is asked of the system, for tests of what it refuses. */
export interface Disk {
  /** Returns the number of bytes written, which may be less than those given. */
  write(file: number, bytes: Buffer): number;
  sync(file: number): void;
  truncate(file: number, size: number): void;
}

const DISK: Disk = { write: (file, bytes) => writeSync(file, bytes), sync: fdatasyncSync, truncate: ftruncateSync };

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_RDONLY } = constants;
/** Bytes that are made at once of a long text. */
const PORTION = 1024 * 1024;

export class Journal {
  private file: number | undefined;
  private size = 0;
  /** Something of a refused write may stand behind the last whole line. */
  private torn = false;

  constructor(
    private readonly path: string,
    private readonly disk: Disk = DISK,
  ) {}

  /** Bytes in the file, all of them on disk. */
  get bytes(): number {
    return this.size;
  }

  /** Appends lines; they are on disk when it returns. @throws the system's error; then none of them is in the file */
  append(lines: readonly string[]): void {
    const { file } = this;
    if (file === undefined) return;
    if (fstatSync(file).nlink === 0) throw Object.assign(new Error('the file was removed'), { code: 'ENOENT' });
    try {
      if (this.torn) this.disk.truncate(file, this.size);
      this.torn = true;
      const bytes = this.write(file, lines);
      this.disk.sync(file);
      this.size += bytes;
      this.torn = false;
    } catch (error) {
      this.mend(file);
      throw error;
    }
  }

  /** Puts other lines in the place of all. @throws the system's error; then the file is as it was */
  replace(lines: Iterable<string>): void {
    const draft = `${this.path}.new`;
    // Whatever lies there was left by a crash, or put there by somebody who wants to read or to redirect what is
    // written.
    rmSync(draft, { force: true });
    const file = openSync(draft, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600);
    let size = 0;
    try {
      size = this.write(file, lines);
      this.disk.sync(file);
      renameSync(draft, this.path);
    } catch (error) {
      closeSync(file);
      rmSync(draft, { force: true });
      throw error;
    }
    syncFolder(dirname(this.path));
    this.close();
    this.file = file;
    this.size = size;
    this.torn = false;
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  private write(file: number, lines: Iterable<string>): number {
    let total = 0;
    let text = '';
    const flush = (): void => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += this.disk.write(file, bytes.subarray(at));
      total += bytes.length;
      text = '';
    };
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length >= PORTION) flush();
    }
    flush();
    return total;
  }

  /** Cuts off what a refused write has left; where that is refused too, the next write does it first. */
  private mend(file: number): void {
    try {
      this.disk.truncate(file, this.size);
      this.torn = false;
    } catch {
      this.torn = true;
    }
  }
}

/** A new name in a folder outlives a power cut when the folder is synced; where folders cannot be, it need not be. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, O_RDONLY);
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // No system that lacks it loses the name.
  }
}
