/**
 * How a report reaches people: files, standard output, the console. Nothing is written that has not passed the
 * redaction.
 */
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import { type Detail, toConsole } from '../report/console.js';
import { writeWhole } from '../report/files.js';
import { writerOf } from '../report/formats.js';
import { CannotJudge } from '../run/usage-error.js';
import type { Output } from './options.js';

export interface Delivery {
  readonly outputs: readonly Output[];
  readonly detail: Detail | undefined;
  readonly redact: (text: string) => string;
}

const withoutWhatPassed = (report: Report): Report => ({
  ...report,
  observations: {},
  rules: report.rules.map((rule) => ({
    ...rule,
    scenarios: rule.scenarios.map((scenario) =>
      scenario.verdict === 'passed' ? { ...scenario, judgements: [] } : scenario,
    ),
  })),
});

/** Every output is tried, also where one fails; throws CannotJudge with all failures then. */
export async function deliver(report: Report, { outputs, detail, redact }: Delivery): Promise<void> {
  // What was observed where all passed is for those formats only; without them it need not be looked through.
  const whole = outputs.some(({ format }) => format === 'json' || format === 'html');
  const shown = redacted(whole ? report : withoutWhatPassed(report), redact);
  const failures: string[] = [];
  for (const { format, file } of outputs) {
    try {
      const write = await writerOf(format);
      const text = await write(shown, async () => (await import('../run/feature-texts.js')).featureTexts());
      if (file === '-') process.stdout.write(text);
      else writeWhole(file, text);
    } catch (error) {
      failures.push(`The ${format} report could not be written to ${file}: ${(error as Error).message}`);
    }
  }
  // A report on standard output is for a program: people read the other stream then.
  const stream = outputs.some(({ file }) => file === '-') ? process.stderr : process.stdout;
  const colour = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  stream.write(toConsole(shown, { colour, detail }));
  if (failures[0] !== undefined) throw new CannotJudge(`${failures.join('; ')}.`);
}
