/**
 * npm run bench: the figures that must hold. With --control-plane DIR (or JOINPROOF_ASSETS), or --kubeconfig FILE of a
 * cluster that may be written to, also the suite there and how it compares with its longest single wait. `npm run bench
 * -- scale` measures large clusters instead. Exit code 1 where a figure is over its limit.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { prepareSteps } from '../run/execute.js';
import { readFeatures, type Scenario } from '../run/features.js';
import { judge } from '../run/judge.js';
import { openTarget, type TargetChoice } from '../run/open-target.js';
import { distFolder, featuresFolder } from '../run/package-root.js';
import { traitsOf } from '../run/traits.js';
import { type Figure, scale } from './bench-scale.js';

const run = promisify(execFile);
const cli = path.join(distFolder, 'src', 'cli', 'joinproof.js');
const matrix = path.join(distFolder, 'src', 'matrix', 'main.js');

/** Wall seconds of a process; its exit code is not judged here. */
async function wall(
  file: string,
  args: readonly string[],
): Promise<{ readonly seconds: number; readonly last: string }> {
  const started = performance.now();
  const { stdout } = await run(process.execPath, [file, ...args], { maxBuffer: 64 << 20 }).catch(
    (error: { readonly stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  );
  return { seconds: (performance.now() - started) / 1000, last: stdout.trimEnd().split('\n').at(-1) ?? '' };
}

/** The best of a few: what the machine does beside it only makes it slower. */
async function best(
  times: number,
  file: string,
  args: readonly string[],
): Promise<{ readonly seconds: number; readonly last: string }> {
  let least = await wall(file, args);
  for (let turn = 1; turn < times; turn += 1) {
    const next = await wall(file, args);
    if (next.seconds < least.seconds) least = next;
  }
  return least;
}

/** From nothing to the last verdict, so that the start of the control plane and of its twins counts. */
async function onCluster(choice: TargetChoice): Promise<readonly Figure[]> {
  const library = await prepareSteps();
  const waits = (scenario: Scenario): boolean => {
    const traits = traitsOf(scenario, library);
    return !('problem' in traits) && traits.waits;
  };
  const waiting = new Set(
    readFeatures(featuresFolder).rules.flatMap(({ scenarios }) => scenarios.filter(waits).map(({ key }) => key)),
  );
  const { signal } = new AbortController();
  const opened = performance.now();
  const target = await openTarget(choice, signal);
  const started = performance.now();
  try {
    const { report, outcomes } = await judge({ target, selection: {}, signal });
    const seconds = (performance.now() - opened) / 1000;
    const longest =
      Math.max(0, ...[...outcomes].filter(([key]) => waiting.has(key)).map(([, { milliseconds }]) => milliseconds)) /
      1000;
    const { passed, failed, skipped, error } = report.summary;
    return [
      {
        name: `suite on ${report.target.version ?? 'a control plane'}, as a multiple of its longest single wait`,
        value: seconds / longest,
        limit: 1.5,
        unit: 'x',
        note: `${seconds.toFixed(1)} s, of which the start ${((started - opened) / 1000).toFixed(1)} s; longest single wait ${longest.toFixed(1)} s; ${passed} passed, ${failed} failed, ${skipped} skipped, ${error} error`,
      },
    ];
  } finally {
    await target.close();
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'control-plane': { type: 'string' },
      kubeconfig: { type: 'string' },
      'skip-matrix': { type: 'boolean' },
    },
  });
  const folder = values['control-plane'] ?? process.env.JOINPROOF_ASSETS;
  const figures: Figure[] = [];
  const add = (...more: readonly Figure[]): void => {
    for (const figure of more) {
      figures.push(figure);
      const { name, value, limit, unit, note } = figure;
      process.stdout.write(
        `${value <= limit ? 'ok  ' : 'OVER'}  ${name}: ${value.toFixed(2)} ${unit} (at most ${limit} ${unit})${note === undefined ? '' : `; ${note}`}\n`,
      );
    }
  };
  if (positionals[0] === 'scale') {
    add(...(await scale(cli, values.kubeconfig)));
    return figures.every(({ value, limit }) => value <= limit) ? 0 : 1;
  }
  add({ name: 'joinproof --help', value: (await best(5, cli, ['--help'])).seconds, limit: 0.15, unit: 's' });
  const suite = await best(3, cli, ['run']);
  add({ name: 'whole suite on the reference', value: suite.seconds, limit: 3, unit: 's', note: suite.last });
  if (values['skip-matrix'] !== true) {
    const kills = await wall(matrix, []);
    add({ name: 'kill matrix', value: kills.seconds, limit: 60, unit: 's', note: kills.last });
  }
  if (folder !== undefined && folder !== '') add(...(await onCluster({ kind: 'control-plane', folder })));
  else process.stdout.write('--    a real control plane: give --control-plane DIR or JOINPROOF_ASSETS\n');
  if (values.kubeconfig !== undefined)
    add(...(await onCluster({ kind: 'cluster', kubeconfig: values.kubeconfig, allowWrites: true })));
  return figures.every(({ value, limit }) => value <= limit) ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
