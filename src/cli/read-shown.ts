/** Reads a report for showing: what looks like a secret is taken out once more, and what was observed is left out. */
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import { readReport } from '../run/read-report.js';
import { Redactor } from '../targets/redaction.js';

/** Throws UsageError where the file is no report. */
export async function readShown(file: string): Promise<Report> {
  const redactor = new Redactor();
  return redacted({ ...(await readReport(file)), observations: {} }, (text) => redactor.redact(text));
}
