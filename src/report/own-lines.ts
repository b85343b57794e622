/** What a console says beside the verdicts: of joinproof's own objects, and of what was demanded of the run. */
import type { Report } from '../model/report.js';
import { likens } from '../model/waiver.js';

type Counted = NonNullable<Report['left']>;

const named = ({ count, examples }: Counted): string =>
  `${examples.join(', ')}${count > examples.length ? ` and ${count - examples.length} more` : ''}`;
const objects = (count: number): string => `${count} object${count === 1 ? '' : 's'}`;

/** One paragraph each; none where there is nothing to say. */
type Aside = Pick<Report, 'ownObjects' | 'left' | 'gate' | 'waivers' | 'rules'>;

export function ownLines({ ownObjects, left, gate, waivers, rules }: Aside): readonly string[] {
  const { leftOut, leftBehind } = ownObjects ?? {};
  const lines: string[] = [];
  if (leftOut !== undefined && leftOut.count > 0)
    lines.push(
      `not judged  ${objects(leftOut.count)} of other runs of joinproof, by label, age and form: ${named(leftOut)}`,
    );
  if (leftBehind !== undefined && leftBehind.count > 0)
    lines.push(
      `left behind  ${objects(leftBehind.count)} that ${leftBehind.count === 1 ? 'looks' : 'look'} like those of a killed run of joinproof, ` +
        `judged as everything else: ${named(leftBehind)}. "joinproof sweep" removes them`,
    );
  if (left !== undefined)
    lines.push(
      `left  ${objects(left.count)} that this run has made and could not remove: ${named(left)}. ` +
        '"joinproof sweep --all" removes what nobody else holds',
    );
  for (const { rule, subject, owner, expires, state, findings } of waivers ?? []) {
    const what = `waiver  ${rule} for "${subject}" (${owner})`;
    if (state === 'expired')
      lines.push(`${what} expired with ${expires}: it waives no longer what it covers (${findings})`);
    // Of rules that were not chosen, or not judged, nothing can be said.
    const judged = rules.some(({ id, verdict }) => verdict !== 'skipped' && likens(rule, id));
    if (state === 'unused' && judged) lines.push(`${what} covers nothing that was found: take it out`);
  }
  for (const shortfall of gate?.shortfalls ?? []) lines.push(`demanded  ${shortfall}`);
  return lines;
}
