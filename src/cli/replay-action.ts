/** What joinproof replay does once its arguments are parsed. */
import type { Evidence } from '../model/finding.js';
import { type Report, SCHEMA_VERSION } from '../model/report.js';
import { replay } from '../run/replay.js';
import { conforms, isConforming } from '../run/schemas.js';
import { UsageError } from '../run/usage-error.js';
import { jsonOf, REPORT_LIMITS, Unreadable } from '../targets/answer-body.js';
import { Redactor } from '../targets/redaction.js';
import { readGiven, standardInput } from '../targets/regular-file.js';
import { deliver } from './deliver.js';
import type { ExitCode } from './main.js';
import { parseOutputs } from './options.js';
import { say } from './say.js';

interface ReplayOptions {
  readonly out?: readonly string[];
  readonly evidence?: Evidence;
  readonly verbose?: boolean;
}

/** Throws UsageError where the file is no report that can be judged again. */
export async function replayReport(
  file: string,
  { out = [], evidence, verbose = false }: ReplayOptions,
): Promise<ExitCode> {
  const recorded = await readReport(file);
  const outputs = parseOutputs(out);
  const { report, differences } = await replay(recorded, evidence);
  // Secrets were taken out when the report was written; what looks like one is not shown all the same.
  const redactor = new Redactor();
  await deliver(report, { outputs, verbose, redact: (text) => redactor.redact(text) });
  for (const difference of differences) say(difference);
  return report.summary.exitCode;
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);
const GIVE = 'Give a report that "joinproof run --out json=FILE" wrote.';
/** Bytes: a report of ten thousand objects with all of its evidence has some thirty million. */
const LARGEST = 128 * 1024 * 1024;

async function readReport(file: string): Promise<Report> {
  const refuse = (why: string): never => {
    throw new UsageError(`${nameOf(file)} ${why}`);
  };
  const text = await textOf(file).catch((error: NodeJS.ErrnoException) =>
    refuse(`cannot be read (${error.code ?? error.message}). ${GIVE}`),
  );
  let value: unknown;
  try {
    value = jsonOf(text, REPORT_LIMITS);
  } catch (error) {
    if (error instanceof Unreadable) refuse(`is no report of joinproof: it ${error.message}. ${GIVE}`);
    throw error;
  }
  if (value === undefined) refuse(`is no JSON. ${GIVE}`);
  const version =
    typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : undefined;
  if (typeof version === 'string' && version.split('.')[0] !== SCHEMA_VERSION.split('.')[0])
    refuse(
      `is a report of the schema ${version.slice(0, 20)}, which holds no observations; this joinproof judges those of ${SCHEMA_VERSION} again.`,
    );
  if (isConforming<Report>('report', value)) return value;
  const [problem = ''] = conforms('report', value);
  return refuse(`is no report of joinproof: ${problem}.`);
}

const textOf = (file: string): Promise<string> => (file === '-' ? standardInput(LARGEST) : readGiven(file, LARGEST));
