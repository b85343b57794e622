/** A machine's disk in memory. */
import type { HostFiles } from './host.js';

export class MemoryDisk implements HostFiles {
  readonly files = new Map<string, { text: string; mode: number }>();
  /** Modes of folders; that of others is 0755. */
  readonly folders = new Map<string, number>();
  /** Whose files and folders are, by path: the numbers of users. Of others root's. */
  readonly owners = new Map<string, number>();
  /** What archives hold, by their paths: names. */
  readonly members = new Map<string, readonly string[]>();
  /** Where files lie that are reached by a link, by the paths of the links. */
  readonly links = new Map<string, string>();

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
    for (const [path, mode] of this.folders) copied.folders.set(path, mode);
    for (const [path, owner] of this.owners) copied.owners.set(path, owner);
    for (const [path, names] of this.members) copied.members.set(path, names);
    for (const [path, at] of this.links) copied.links.set(path, at);
    return copied;
  }
}

/** Something that is done to what kubeadm wrote. */
export type DiskEdit = (disk: MemoryDisk) => void | Promise<void>;
