/**
 * What a control plane of ours has started, on disk: so that `joinproof sweep`, or the next start, ends what a SIGKILL
 * left behind.
 * A process is killed only where pid, start time and command line all say that it is the one that was recorded.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endMarked } from '../marked-processes.js';
import { readRegular } from '../regular-file.js';
import { removed } from '../removed-folder.js';

const PREFIX = 'joinproof-';
const RECORD = 'processes.json';
/** Bytes; a control plane has three programs. */
const LARGEST = 64 * 1024;

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since the machine started. */
  readonly started: string;
}

interface ProcessRecord {
  readonly owner: ProcessIdentity;
  readonly children: readonly ProcessIdentity[];
}

/** A private folder (mode 0700) for one control plane. */
export const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), PREFIX));

/** At once and as a whole: several that start side by side are written by the last of them, and no half is ever read. */
export function record(folder: string, children: readonly number[]): void {
  const identities = [...children].map(identityOf).filter((identity) => identity !== undefined);
  const owner = identityOf(process.pid) ?? { pid: process.pid, started: '' };
  const file = join(folder, RECORD);
  const text = JSON.stringify({ owner, children: identities } satisfies ProcessRecord);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** undefined where the process is gone, or where the system has no /proc. Source: proc(5), /proc/pid/stat field 22. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const started = fields[19];
    return started === undefined || fields[0] === 'Z' ? undefined : { pid, started };
  } catch {
    return undefined;
  }
}

const lives = (identity: ProcessIdentity): boolean => identityOf(identity.pid)?.started === identity.started;

export interface Stale {
  readonly folder: string;
  readonly killed: readonly number[];
}

/** Where anybody may make folders, only those of the user who sweeps count. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/**
 * Ends the processes and removes the folders of control planes and clients whose joinproof is gone. Returns what was (or with
 * dryRun: would be) ended.
 */
export async function endStale(options: { dryRun?: boolean; root?: string } = {}): Promise<readonly Stale[]> {
  const root = options.root ?? tmpdir();
  const stale: Stale[] = [];
  for (const name of readdirSync(root)
    .filter((entry) => entry.startsWith(PREFIX))
    .sort()) {
    const folder = join(root, name);
    const written = isOwn(folder)
      ? await readRegular(join(folder, RECORD), LARGEST).then(parse, () => undefined)
      : undefined;
    // Without a record it is a folder that somebody is about to use, or not ours.
    if (written === undefined || lives(written.owner)) continue;
    // those that are written down are marked, too, and a killed one may still be there
    const killed = new Set<number>();
    for (const child of written.children) {
      if (!lives(child) || !commandLine(child.pid).includes(folder)) continue;
      killed.add(child.pid);
      if (options.dryRun !== true) process.kill(child.pid, 'SIGKILL');
    }
    for (const pid of endMarked(`${folder}/`, options.dryRun)) killed.add(pid);
    if (options.dryRun !== true) await removeRecorded(folder);
    stale.push({ folder, killed: [...killed] });
  }
  return stale;
}

/** The record last: by it a sweep finds what nobody has come to remove. Rejects where something stays. */
export async function removeRecorded(folder: string): Promise<void> {
  const entries = existsSync(folder) ? readdirSync(folder).filter((name) => name !== RECORD) : [];
  for (const name of entries) await removed(join(folder, name));
  await removed(folder);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const isIdentity = (value: unknown): value is ProcessIdentity =>
  typeof value === 'object' &&
  value !== null &&
  'pid' in value &&
  Number.isInteger(value.pid) &&
  'started' in value &&
  typeof value.started === 'string';

function parse(text: string): ProcessRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('owner' in value) || !isIdentity(value.owner))
      return undefined;
    if (!('children' in value) || !Array.isArray(value.children) || !value.children.every(isIdentity)) return undefined;
    return { owner: value.owner, children: value.children };
  } catch {
    return undefined;
  }
}
