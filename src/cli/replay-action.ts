/** What joinproof replay does once its arguments are parsed. */
import type { Evidence } from '../model/finding.js';
import { readReport } from '../run/read-report.js';
import { replay } from '../run/replay.js';
import { Redactor } from '../targets/redaction.js';
import { deliver } from './deliver.js';
import type { ExitCode } from './main.js';
import { detailOf, parseOutputs, type Spoken } from './options.js';
import { say } from './say.js';

interface ReplayOptions extends Spoken {
  readonly out?: readonly string[];
  readonly evidence?: Evidence;
}

/** Throws UsageError where the file is no report that can be judged again. */
export async function replayReport(file: string, { out = [], evidence, ...spoken }: ReplayOptions): Promise<ExitCode> {
  const detail = detailOf(spoken);
  const recorded = await readReport(file);
  const outputs = parseOutputs(out);
  const { report, differences } = await replay(recorded, evidence);
  // Secrets were taken out when the report was written; what looks like one is not shown all the same.
  const redactor = new Redactor();
  await deliver(report, { outputs, detail, redact: (text) => redactor.redact(text) });
  for (const difference of differences) say(difference);
  return report.summary.exitCode;
}
