/** Every way to take one line out of a feature: a step with its table, a row of its table, a row of Examples. Pure. */

export interface FeatureChange {
  /** "authorization/1-roles-and-bindings.feature" */
  readonly file: string;
  readonly rule: string;
  /** "LIM-001, asked by <whom>: without "Then none of these is allowed:"", the same wherever the line stands. */
  readonly name: string;
  readonly kind: 'step' | 'row' | 'example';
  /** The whole file without it. */
  readonly text: string;
}

const RULE_TAG = /^\s*@([A-Z]+-\d+)\b/;
const STEP = /^\s*(?:Given|When|Then|And|But) (.+)$/;
const SCENARIO = /^\s*Scenario(?: Outline)?: (.+)$/;
const EXAMPLES = /^\s*Examples:/;
const ROW = /^\s*\|/;
const QUOTES = /^\s*"""/;

/** The lines of a step: itself, its table or its text. */
function endOf(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (ROW.test(lines[end] ?? '')) end += 1;
  if (!QUOTES.test(lines[end] ?? '')) return end;
  end += 1;
  while (end < lines.length && !QUOTES.test(lines[end] ?? '')) end += 1;
  return end + 1;
}

/** A step without which the next begins with And would be no step of its own: its keyword stays. */
function withoutStep(lines: readonly string[], at: number): string {
  const end = endOf(lines, at);
  const keyword = /^(\s*)(Given|When|Then) /.exec(lines[at] ?? '');
  const next = lines[end] ?? '';
  const follows = keyword === null ? next : next.replace(/^(\s*)(And|But) /, `$1${keyword[2]} `);
  return [...lines.slice(0, at), ...(end < lines.length ? [follows] : []), ...lines.slice(end + 1)].join('\n');
}

export function featureChanges(file: string, text: string): readonly FeatureChange[] {
  const lines = text.split('\n');
  const changes: FeatureChange[] = [];
  let [rule, scenario] = ['', ''];
  let examples = false;
  let header: number | undefined;
  for (const [at, line] of lines.entries()) {
    rule = RULE_TAG.exec(line)?.[1] ?? rule;
    scenario = SCENARIO.exec(line)?.[1] ?? scenario;
    const where = `${rule}, ${scenario}`;
    const step = STEP.exec(line)?.[1];
    if (step !== undefined) {
      examples = false;
      changes.push({ file, rule, kind: 'step', name: `${where}: without "${step}"`, text: withoutStep(lines, at) });
    }
    if (EXAMPLES.test(line)) examples = true;
    if (!ROW.test(line)) header = undefined;
    else if (header === undefined && (examples || isHeader(lines, at))) header = at;
    else {
      header ??= at;
      const without = [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n');
      const row = line.trim().replace(/\s+/g, ' ');
      changes.push({ file, rule, kind: examples ? 'example' : 'row', name: `${where}: without ${row}`, text: without });
    }
  }
  return changes;
}

/**
 * The first row of a table is its header where there are more columns than one: without it, the table is another one.
 */
const isHeader = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.match(/(?<!\\)\|/g)?.length ?? 0) > 2 && ROW.test(lines[at + 1] ?? '');
