/** A machine's disk in memory. */
import type { HostFiles } from './host.js';

export class MemoryDisk implements HostFiles {
  readonly files = new Map<string, { text: string; mode: number }>();

  exists(path: string): boolean {
    return this.files.has(path);
  }

  read(path: string): string | undefined {
    return this.files.get(path)?.text;
  }

  write(path: string, text: string, mode: number): void {
    this.files.set(path, { text, mode });
  }

  /** What is done to a copy does not show here. */
  copy(): MemoryDisk {
    const copied = new MemoryDisk();
    for (const [path, file] of this.files) copied.files.set(path, { ...file });
    return copied;
  }
}

/** Something that is done to what kubeadm wrote. */
export type DiskEdit = (disk: MemoryDisk) => void | Promise<void>;
