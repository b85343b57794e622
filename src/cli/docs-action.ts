/** What joinproof docs does once its arguments are parsed. */
import path from 'node:path';
import type { Report } from '../model/report.js';
import { documentName } from '../report/documents.js';
import { whyUnwritable, writeWhole } from '../report/files.js';
import { prepareSteps } from '../run/execute.js';
import { plan } from '../run/judge.js';
import { wholeSpecification } from '../run/specification.js';
import { UsageError } from '../run/usage-error.js';
import { showsJoin } from '../site/joins.js';
import { siteOf } from '../site/site.js';
import type { ExitCode } from './main.js';
import { readShown } from './read-shown.js';

/** Throws UsageError where a report is none or the folder cannot be written. */
export async function docs(files: readonly string[], { out }: { readonly out: string }): Promise<ExitCode> {
  const folder = path.resolve(out);
  const why = whyUnwritable(path.join(folder, 'index.html'));
  if (why !== undefined) throw new UsageError(`The site cannot be written to ${folder}: ${why}. Give another --out.`);
  const reports: Report[] = [];
  for (const file of files) reports.push(await readShown(file, showsJoin));
  const { selected } = await plan({});
  const specification = wholeSpecification(selected.rules, await prepareSteps());
  const site = siteOf({ specification, reports, documentName });
  for (const [file, text] of site) {
    const at = path.join(folder, file);
    const problem = whyUnwritable(at);
    if (problem !== undefined) throw new UsageError(`${at} cannot be written: ${problem}. Give another --out.`);
    writeWhole(at, text);
  }
  process.stdout.write(`${site.size} files in ${folder}; open ${path.join(folder, 'index.html')}\n`);
  return 0;
}
