/**
 * Reads a report for showing: what looks like a secret is taken out once more, and what was observed is left
 * out, but for what is wanted.
 */
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import { readReport } from '../run/read-report.js';
import { Redactor } from '../targets/redaction.js';

/** Throws UsageError where the file is no report. */
export async function readShown(
  file: string,
  isWanted: (observation: unknown) => boolean = () => false,
): Promise<Report> {
  const redactor = new Redactor();
  const report = await readReport(file);
  const observations = Object.fromEntries(
    Object.entries(report.observations).filter(([, observation]) => isWanted(observation)),
  );
  return redacted({ ...report, observations }, (text) => redactor.redact(text));
}
