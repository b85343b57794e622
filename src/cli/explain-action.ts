/** What joinproof explain does once its arguments are parsed. */
import { ruleText } from '../report/rule-text.js';
import { prepareSteps } from '../run/execute.js';
import { plan } from '../run/judge.js';
import { didYouMean } from '../run/nearest.js';
import { specification } from '../run/specification.js';
import { UsageError } from '../run/usage-error.js';
import type { ExitCode } from './main.js';

const FORMATS = ['text', 'json'] as const;

/** Throws UsageError for rules and formats that there are not. */
export async function explain(
  ids: readonly string[],
  { format = 'text' }: { readonly format?: string },
): Promise<ExitCode> {
  if (!(FORMATS as readonly string[]).includes(format))
    throw new UsageError(
      `There is no format "${format}".${didYouMean(format, FORMATS)} The formats are text and json.`,
    );
  const { selected } = await plan({ rules: ids.map((id) => id.toUpperCase()) });
  const told = specification(selected.rules, await prepareSteps());
  process.stdout.write(format === 'json' ? `${JSON.stringify(told, undefined, 2)}\n` : told.map(ruleText).join('\n'));
  return 0;
}
