/**
 * npm run bench -- scale: a run that only reads on a large cluster, beside what kubectl takes to read the same kinds.
 * Without --kubeconfig the cluster is the bundled reference; one of --kubeconfig is filled and emptied again.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from '../model/report.js';
import { loadKubeconfig } from '../targets/kubeconfig.js';
import { pause } from '../targets/pause.js';
import { type Amounts, Filler } from './scale-fill.js';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly note?: string;
}

/** A tenth of a large cluster, and the rest of it. */
const TENTH: Amounts = { tokens: 1_000, secrets: 1_000, requests: 200, bindings: 500, bytes: 1_024 };
const REST: Amounts = { tokens: 9_000, secrets: 9_000, requests: 1_800, bindings: 4_500, bytes: 1_024 };
/** What rules read. */
const KINDS = 'secrets,configmaps,csr,clusterroles,clusterrolebindings,roles,rolebindings,events,nodes,pods';
const KUBECTL = 'kubectl';
const ROUNDS = 3;
const LOOK_MS = 50;

interface Measured {
  readonly seconds: number;
  /** Of the processor, user and system, which says more than the clock where others work, too; NaN where untold. */
  readonly cpu: number;
  /** Most of it at a time, MB; NaN where this machine does not tell. */
  readonly memory: number;
}

/** A process from its start to its end; its output is thrown away. */
async function measured(file: string, args: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const child = spawn(file, args, { stdio: 'ignore' });
  let [memory, cpu] = [Number.NaN, Number.NaN];
  const timer = setInterval(() => {
    memory = mostMemory(child) ?? memory;
    cpu = processorTime(child) ?? cpu;
  }, LOOK_MS);
  try {
    await once(child, 'exit');
    return { seconds: (performance.now() - started) / 1000, cpu, memory };
  } finally {
    clearInterval(timer);
  }
}

/** Source: proc(5), VmHWM. */
function mostMemory({ pid }: ChildProcess): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Ticks of proc(5) in a second. Source: sysconf(3), _SC_CLK_TCK, 100 on Linux. */
const TICKS = 100;

/** Seconds. Source: proc(5), /proc/pid/stat, utime and stime. */
function processorTime({ pid }: ChildProcess): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

const least = (all: readonly Measured[]): Measured => ({
  seconds: Math.min(...all.map(({ seconds }) => seconds)),
  cpu: Math.min(...all.map(({ cpu }) => cpu)),
  memory: Math.max(...all.map(({ memory }) => memory)),
});

interface Row {
  readonly kubectl: Measured | undefined;
  readonly joinproof: Measured;
  readonly report: Report;
}

/** One after the other, in turns, so that both see the same machine; the best of each. */
async function compared(cli: string, kubeconfig: string, folder: string): Promise<Row> {
  const file = path.join(folder, 'report.json');
  const kubectl: Measured[] = [];
  const joinproof: Measured[] = [];
  const hasKubectl = await new Promise<boolean>((resolve) =>
    execFile(KUBECTL, ['version', '--client'], (error) => resolve(error === null)),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    if (hasKubectl)
      kubectl.push(await measured(KUBECTL, ['--kubeconfig', kubeconfig, 'get', KINDS, '-A', '-o', 'json']));
    const args = [cli, 'run', '--kubeconfig', kubeconfig, '--out', `json=${file}`];
    joinproof.push(await measured(process.execPath, args));
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { kubectl: hasKubectl ? least(kubectl) : undefined, joinproof: least(joinproof), report };
}

const known = (value: number, digits: number): string => (Number.isNaN(value) ? '?' : value.toFixed(digits));

const told = (what: string, { seconds, cpu, memory }: Measured): string =>
  `${what} ${seconds.toFixed(1)} s (${known(cpu, 1)} s of CPU), ${known(memory, 0)} MB`;

function show(size: string, { kubectl, joinproof, report }: Row): void {
  const { passed, failed, skipped, error } = report.summary;
  const others = kubectl === undefined ? 'kubectl is not there' : told('kubectl get', kubectl);
  const rules = `${passed} passed, ${failed} failed, ${skipped} skipped, ${error} error`;
  const load = `load ${loadavg()[0]?.toFixed(1)}`;
  process.stdout.write(`--    ${size}: ${others}; ${told('joinproof', joinproof)}; ${rules}; ${load}\n`);
}

/** The bundled reference as a process of its own. */
async function serve(
  cli: string,
  folder: string,
): Promise<{ readonly kubeconfig: string; readonly child: ChildProcess }> {
  const kubeconfig = path.join(folder, 'kubeconfig');
  const args = [cli, 'serve', '--port', '0', '--kubeconfig-out', kubeconfig, '--key-algorithm', 'ECDSA-P256'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await once(child.stdout, 'data');
  process.stdout.write(`--    ${String(first).split('\n')[0]}\n`);
  return { kubeconfig, child };
}

/** The figures of a large cluster. `cli`: the compiled joinproof. */
export async function scale(cli: string, given: string | undefined): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-bench-'));
  const served = given === undefined ? await serve(cli, folder) : undefined;
  const kubeconfig = given ?? served?.kubeconfig ?? '';
  const { signal } = new AbortController();
  const filler = new Filler(await loadKubeconfig({ kubeconfig, env: {}, terminal: false }), signal);
  const filled = async (amounts: Amounts, size: string): Promise<Row> => {
    await filler.fill(amounts);
    // what signs, approves and cleans is to be done
    await pause(10_000, signal);
    const row = await compared(cli, kubeconfig, folder);
    show(size, row);
    return row;
  };
  try {
    const small = await filled(TENTH, '1,000 tokens, 1,000 Secrets, 200 requests, 500 bindings');
    const large = await filled(REST, '10,000 tokens, 10,000 Secrets, 2,000 requests, 5,000 bindings');
    return figuresOf(small, large);
  } finally {
    if (given !== undefined) await filler.empty();
    await filler.close();
    served?.child.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

const figuresOf = (small: Row, large: Row): readonly Figure[] => [
  ...(large.kubectl === undefined
    ? []
    : [
        {
          name: 'a large cluster, as a multiple of kubectl get',
          value: large.joinproof.seconds / large.kubectl.seconds,
          limit: 1.5,
          unit: 'x',
        },
      ]),
  { name: 'memory for it', value: large.joinproof.memory, limit: 300, unit: 'MB' },
  {
    name: 'as a multiple of a tenth of it',
    value: large.joinproof.seconds / small.joinproof.seconds,
    limit: 11,
    unit: 'x',
  },
  { name: 'rules in error', value: large.report.summary.error, limit: 0, unit: 'rules' },
];
