/**
 * npm run matrix: plays every mutant, harmless variant and miniature, writes reports/kill-matrix.{md,json}, exits 1
 * with the survivors.
 */
import { parseArgs } from 'node:util';
import { writeWhole } from '../report/files.js';
import { packageFile } from '../run/package-root.js';
import { writeElsewhere } from './elsewhere-lists.js';
import { killMatrix } from './kill-matrix.js';
import { toMarkdown } from './markdown.js';
import { usualWorkers } from './pool.js';
import { toText } from './row-lists.js';

const USAGE = `Usage: npm run matrix -- [--mutant NAME]… [--chapter NAME]… [--rule ID]… [--rows] [--update] [--full]
       [--elsewhere] [--workers N]

  --mutant NAME   only this mutant, with the rules that it names
  --chapter NAME  only rules of this chapter, with the mutants that name them
  --rule ID       only this rule, with the mutants that name it
  --rows          show what the rules look at, thing by thing, and who breaks it
  --update        write src/matrix/{rows,requests} anew for the rules that were played, instead of comparing with them
  --elsewhere     play rules where less of the reference is seen alone, and write src/matrix/elsewhere anew
  --full          run the whole suite on every mutant, not only the rules that it names, and each harmless variant alone
  --workers N     processes; default: the number of cores, at most 4`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      mutant: { type: 'string', multiple: true },
      chapter: { type: 'string', multiple: true },
      rule: { type: 'string', multiple: true },
      rows: { type: 'boolean' },
      update: { type: 'boolean' },
      full: { type: 'boolean' },
      elsewhere: { type: 'boolean' },
      workers: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  if (workers !== undefined && !(Number.isInteger(workers) && workers > 0))
    throw new Error(`--workers "${values.workers}" is no positive whole number.`);
  if (values.update === true && values.mutant !== undefined)
    throw new Error('--update wants every mutant of a rule: give --chapter or --rule instead of --mutant.');
  if (values.elsewhere === true) {
    const chosen = { rules: values.rule ?? [], chapters: values.chapter ?? [] };
    const count = await writeElsewhere(chosen, workers ?? usualWorkers());
    process.stdout.write(`${count} rules were played elsewhere\n`);
    return 0;
  }
  const started = performance.now();
  const matrix = await killMatrix({
    mutants: values.mutant ?? [],
    chapters: values.chapter ?? [],
    rules: values.rule ?? [],
    update: values.update ?? false,
    full: values.full ?? false,
    ...(workers === undefined ? {} : { workers }),
    onProgress: (done, total) => {
      if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${done}/${total}`);
    },
  });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
  const whole = [values.mutant, values.chapter, values.rule, values.update].every((value) => value === undefined);
  if (whole) {
    writeWhole(packageFile('reports/kill-matrix.md'), toMarkdown(matrix));
    writeWhole(packageFile('reports/kill-matrix.json'), `${JSON.stringify(matrix, undefined, 2)}\n`);
  }
  if (values.rows === true) process.stdout.write(toText(matrix.rows));
  const killed = matrix.rules.filter(({ killedBy }) => killedBy.length > 0).length;
  const broken = matrix.rows.filter(({ by }) => by.length > 0).length;
  for (const problem of matrix.problems) process.stdout.write(`${problem}\n`);
  // of harmless variants and miniatures nothing is written, so they are left out where rows are
  const sound =
    values.update === true ? 'written; without --update harmless variants are played, and rows compared' : 'sound';
  process.stdout.write(
    `${broken} of ${matrix.rows.length} rows broken by somebody; ${killed} of ${matrix.rules.length} rules killed by ${matrix.mutants.length} mutants, ${matrix.harmless.length} harmless variants, ${matrix.miniatures.length} miniatures, ${matrix.paralysed.length} paralysed variants: ` +
      `${matrix.problems.length === 0 ? sound : `${matrix.problems.length} problems`} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`,
  );
  return matrix.problems.length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`matrix: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
