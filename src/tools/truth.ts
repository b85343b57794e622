/**
 * npm run truth -- DIR: asks the reference the recorded questions of DIR (probes.json, engine.py, truth-1.<minor>.jsonl: the answers of a real
 * control plane) and compares. Needs Python 3; without it, or without DIR, it says so and is done.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startReference } from '../targets/reference.js';

/** Percent of a group's answers that must be equal; groups that are not named are only counted. */
const DEMANDED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'tok sec usage expiration groups cache clean sign jws info join who impersonate header'
      .split(' ')
      .map((group) => [group, 100]),
  ),
  ...Object.fromEntries('rbac api method path'.split(' ').map((group) => [group, 80])),
};
/** What init was told on the control plane that gave the recorded answers. */
const TOKEN = { token: 'abcdef.0123456789abcdef', description: 'made by init' };
const JOBS = 8;

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

/** Starts at the first free one of some ports of four digits, as the recorded server had: one answer is the length of a text with its address. */
async function startNear<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let port = 6443; ; port += 500) {
    try {
      return await start(port);
    } catch (error) {
      if (port >= 9000) throw error;
    }
  }
}

const groupOf = (id: string): string => id.split('/')[0] ?? id;

function count(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(groupOf(id), (counts.get(groupOf(id)) ?? 0) + 1);
  return counts;
}

/** The rows of the result, and whether every demand is met. */
export function judgeGroups(
  asked: readonly string[],
  different: readonly string[],
): { readonly lines: readonly string[]; readonly ok: boolean } {
  const all = count(asked);
  const bad = count(different);
  let ok = true;
  const lines = [...all.keys()].sort().map((group) => {
    const total = all.get(group) ?? 0;
    const equal = total - (bad.get(group) ?? 0);
    const demanded = DEMANDED[group];
    const missed = demanded !== undefined && equal * 100 < total * demanded;
    if (missed) ok = false;
    return `${group.padEnd(12)} ${String(equal).padStart(4)} of ${String(total).padStart(4)} equal${missed ? `, ${demanded} % demanded` : ''}`;
  });
  const equal = asked.length - different.length;
  return {
    lines: [...lines, `${'all'.padEnd(12)} ${String(equal).padStart(4)} of ${String(asked.length).padStart(4)} equal`],
    ok,
  };
}

async function main(): Promise<number> {
  const given = process.argv[2];
  if (given === undefined) {
    process.stderr.write(
      'truth: no folder was given. "npm run truth -- DIR" compares the reference with the recorded answers in DIR.\n',
    );
    return 2;
  }
  const folder = resolve(given);
  const truth = existsSync(join(folder, 'engine.py'))
    ? readdirSync(folder).find((name) => /^truth-1\.\d+\.jsonl$/.test(name))
    : undefined;
  if (truth === undefined) {
    process.stdout.write(`truth: skipped, there are no recorded answers in ${given}.\n`);
    return 0;
  }
  if ((await python(['-V'], folder)) === undefined) {
    process.stdout.write('truth: skipped, there is no python3 here.\n');
    return 0;
  }
  const work = mkdtempSync(join(tmpdir(), 'joinproof-truth-'));
  const minor = /1\.\d+/.exec(truth)?.[0] ?? '1.36';
  const played = minor === '1.36' ? {} : { kubernetesVersion: minor };
  const reference = await startNear((port) =>
    startReference({ port, keyAlgorithm: 'RSA-2048', tokens: [TOKEN], ...played }),
  );
  try {
    const kubeconfig = join(work, 'admin.conf');
    const answers = join(work, 'answers.jsonl');
    writeFileSync(kubeconfig, reference.kubeconfig, { mode: 0o600 });
    const asked = await python(
      ['engine.py', 'run', '--kubeconfig', kubeconfig, '--out', answers, '--jobs', String(JOBS)],
      folder,
    );
    if (asked?.code !== 0) {
      process.stderr.write(
        `truth: the questions could not be asked (engine.py ended with ${asked?.code}).\n${asked?.output ?? ''}`,
      );
      return 3;
    }
    const compared = await python(['engine.py', 'diff', truth, answers], folder);
    if (compared === undefined || compared.code === undefined || compared.code > 1) {
      process.stderr.write(`truth: the answers could not be compared (engine.py ended with ${compared?.code}).\n`);
      return 3;
    }
    const ids = readFileSync(join(folder, truth), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { readonly id: string }).id);
    const different = [...compared.output.matchAll(/^-- (\S+)/gm)].map((match) => match[1] as string);
    const { lines, ok } = judgeGroups(ids, different);
    process.stdout.write(`${compared.output}\n${lines.join('\n')}\n`);
    return ok ? 0 : 1;
  } finally {
    await reference.close();
    rmSync(work, { recursive: true, force: true });
  }
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith('/tools/truth.js') &&
  process.argv[1].endsWith('truth.js')
)
  process.exitCode = await main();
