/**
 * npm run truth -- DIR [--minor 1.31|all|turn] [--variant NAME|all]: asks the reference the recorded questions of DIR
 * and compares its answers with those of a real control plane: of 1.36, of an older minor, or of one with a thing
 * changed. DIR holds probes.json, engine.py, truth-1.36.jsonl, minors/ and variants/. Needs Python 3; without it, or
 * without recordings, it says so and is done. Exit code 1: fewer answers are equal than demanded (all; of minors before
 * and variants 98 %). 2: not understood. 3: could not be asked.
 *
 * npm run truth -- FILE.json: plays recorded joins, failures or looks at machines to the reference client.
 *
 * npm run truth -- kubeadm BIN: compares what a real kubeadm writes to a disk with what joinproof writes.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startReference } from '../targets/reference.js';
import { isRecorded, judge, type Play, playsOf } from './truth-plays.js';

/** What init was told on the control plane that gave the recorded answers. */
const TOKEN = { token: 'abcdef.0123456789abcdef', description: 'made by init' };
const JOBS = 8;

/** The questions could not be asked, or the answers not be compared. */
class NotCompared extends Error {}

interface Ended {
  readonly code: number | undefined;
  readonly output: string;
}

/** Runs python3; undefined where there is none. What it tells on stderr is passed on. */
function python(args: readonly string[], folder: string): Promise<Ended | undefined> {
  return new Promise((done) => {
    const child = spawn('python3', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      output += text;
    });
    child.on('error', () => done(undefined));
    child.on('close', (code) => done({ code: code ?? undefined, output }));
  });
}

/**
 * Starts at the first free one of some ports of four digits, as the recorded server had: some answers count the letters
 * of its address.
 */
async function startNear<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let port = 6443; ; port += 500) {
    try {
      return await start(port);
    } catch (error) {
      if (port >= 9000) throw error;
    }
  }
}

/** The ids of a file of answers, one JSON object a line. */
function idsOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly id: string }).id);
}

/**
 * Starts what a play names, asks it, compares and tells. Returns whether as much is equal as demanded. Throws
 * NotCompared.
 */
async function compare(play: Play, folder: string): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'joinproof-truth-'));
  const reference = await startNear((port) =>
    startReference({ port, keyAlgorithm: 'RSA-2048', tokens: [TOKEN], ...play.reference }),
  );
  try {
    const kubeconfig = join(work, 'admin.conf');
    const answers = join(work, 'answers.jsonl');
    writeFileSync(kubeconfig, reference.kubeconfig, { mode: 0o600 });
    const ids = [...new Set(play.recordings.flatMap((file) => idsOf(join(folder, file))))];
    const only = play.onlyRecorded ? ids.flatMap((id) => ['--only', id]) : [];
    const asked = await python(
      ['engine.py', 'run', '--kubeconfig', kubeconfig, '--out', answers, '--jobs', String(JOBS), ...only],
      folder,
    );
    if (asked?.code !== 0)
      throw new NotCompared(
        `the questions could not be asked (engine.py ended with ${asked?.code}).\n${asked?.output ?? ''}`,
      );
    const compared = await python(['engine.py', 'diff', play.recordings.join(','), answers], folder);
    if (compared === undefined || compared.code === undefined || compared.code > 1)
      throw new NotCompared(`the answers could not be compared (engine.py ended with ${compared?.code}).`);
    const different = [...compared.output.matchAll(/^-- (\S+)/gm)].map((match) => match[1] ?? '');
    const { lines, ok } = judge(play, ids, different);
    process.stdout.write(`${compared.output}\n${lines.join('\n')}\n`);
    return ok;
  } finally {
    await reference.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** A sentence on stderr, and the exit code. */
function refuse(sentence: string, code: number): number {
  process.stderr.write(`truth: ${sentence}\n`);
  return code;
}

/** Recorded joins, and looks at machines, are played to the reference client (truth-joins.ts, truth-preflight.ts). */
async function compareRecordedJoins(given: string, file: string): Promise<number> {
  if (!existsSync(file)) {
    process.stdout.write(`truth: skipped, there are no recorded joins in ${given}.\n`);
    return 0;
  }
  const tell = (line: string): boolean => process.stdout.write(`${line}\n`);
  const compared = basename(file).includes('preflight')
    ? (await import('./truth-preflight.js')).comparePreflight(file, tell)
    : basename(file).includes('failures')
      ? (await import('./truth-field-failures.js')).compareFieldFailures(file, tell)
      : (await import('./truth-joins.js')).compareJoins(file, tell);
  return (await compared) ? 0 : 1;
}

/** What a real kubeadm writes is compared with what joinproof writes (truth-kubeadm.ts). */
async function compareFiles(binary: string | undefined): Promise<number> {
  if (binary === undefined) return refuse('no program was given. Give "npm run truth -- kubeadm BIN".', 2);
  if (!existsSync(binary)) {
    process.stdout.write(`truth: skipped, there is no kubeadm at ${binary}.\n`);
    return 0;
  }
  const { compareKubeadm } = await import('./truth-kubeadm.js');
  return (await compareKubeadm(resolve(binary), (line) => process.stdout.write(`${line}\n`))) ? 0 : 1;
}

async function main(args: readonly string[]): Promise<number> {
  const options = { minor: { type: 'string' }, variant: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
  const given = positionals[0];
  if (given === undefined)
    return refuse(
      'no folder was given. "npm run truth -- DIR" compares the reference with the recorded answers in DIR.',
      2,
    );
  if (given === 'kubeadm') return compareFiles(positionals[1]);
  const folder = resolve(given);
  if (given.endsWith('.json')) return compareRecordedJoins(given, folder);
  if (!isRecorded(folder)) {
    process.stdout.write(`truth: skipped, there are no recorded answers in ${given}.\n`);
    return 0;
  }
  if ((await python(['-V'], folder)) === undefined) {
    process.stdout.write('truth: skipped, there is no python3 here.\n');
    return 0;
  }
  let plays: readonly Play[];
  try {
    plays = playsOf(folder, values, Date.now());
  } catch (error) {
    if (error instanceof RangeError) return refuse(error.message, 2);
    throw error;
  }
  let ok = true;
  for (const play of plays) {
    process.stdout.write(`truth: ${play.name}\n`);
    try {
      ok = (await compare(play, folder)) && ok;
    } catch (error) {
      if (error instanceof NotCompared) return refuse(error.message, 3);
      throw error;
    }
  }
  return ok ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  const misused = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return refuse(error instanceof Error ? error.message : String(error), misused ? 2 : 3);
});
