/** What joinproof replay does once its arguments are parsed. */
import { readFileSync } from 'node:fs';
import { type Report, SCHEMA_VERSION } from '../model/report.js';
import { replay } from '../run/replay.js';
import { conforms, isConforming } from '../run/schemas.js';
import { UsageError } from '../run/usage-error.js';
import { Redactor } from '../targets/redaction.js';
import { deliver } from './deliver.js';
import type { ExitCode } from './main.js';
import { parseOutputs } from './options.js';
import { say } from './say.js';

interface ReplayOptions {
  readonly out?: readonly string[];
  readonly verbose?: boolean;
}

/** Throws UsageError where the file is no report that can be judged again. */
export async function replayReport(file: string, { out = [], verbose = false }: ReplayOptions): Promise<ExitCode> {
  const recorded = readReport(file);
  const outputs = parseOutputs(out);
  const { report, differences } = await replay(recorded);
  // Secrets were taken out when the report was written; what looks like one is not shown all the same.
  const redactor = new Redactor();
  deliver(report, { outputs, verbose, redact: (text) => redactor.redact(text) });
  for (const difference of differences) say(difference);
  return report.summary.exitCode;
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

function readReport(file: string): Report {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${nameOf(file)} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}). Give a report that "joinproof run --out json=FILE" wrote.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${nameOf(file)} is no JSON. Give a report that "joinproof run --out json=FILE" wrote.`);
  }
  const version =
    typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : undefined;
  if (typeof version === 'string' && version.split('.')[0] !== SCHEMA_VERSION.split('.')[0])
    throw new UsageError(
      `${nameOf(file)} is a report of the schema ${version.slice(0, 20)}, which holds no observations; this joinproof judges those of ${SCHEMA_VERSION} again.`,
    );
  if (isConforming<Report>('report', value)) return value;
  const [problem = ''] = conforms('report', value);
  throw new UsageError(`${nameOf(file)} is no report of joinproof: ${problem}.`);
}
