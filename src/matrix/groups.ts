/**
 * Harmless variants are played together, as the whole suite runs on each: one run for all that do not touch the same
 * decision or switch.
 * A group that some rule notices is played again one by one. `--full` plays each alone from the start. What a variant
 * arranges has names of its own.
 */
import type { Mutant } from '../mutants/types.js';

const touched = ({ options = {}, client = {} }: Mutant): readonly string[] => [
  ...Object.keys(client).flatMap((key) => (key === 'decisions' ? [] : [`client ${key}`])),
  ...Object.keys(client.decisions ?? {}).map((key) => `client ${key}`),
  ...Object.keys(options).filter((key) => key !== 'decisions'),
  ...Object.keys(options.decisions ?? {}),
];

const alike = (one: Mutant | undefined, other: Mutant): boolean => one?.strict === other.strict;

/** Variants that may be played together, in as few groups as their order gives. */
export function groupsOf(variants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const groups: { readonly members: Mutant[]; readonly taken: Set<string> }[] = [];
  for (const variant of variants) {
    const keys = touched(variant);
    let group = groups.find(({ members, taken }) => alike(members[0], variant) && keys.every((key) => !taken.has(key)));
    if (group === undefined) {
      group = { members: [], taken: new Set() };
      groups.push(group);
    }
    group.members.push(variant);
    for (const key of keys) group.taken.add(key);
  }
  return groups.map(({ members }) => members);
}

/** One variant that is all of them. */
export const together = (name: string, members: readonly Mutant[]): Mutant => ({
  name,
  defect: members.map(({ defect }) => defect).join('; '),
  killedBy: [],
  options: Object.assign({}, ...members.map(({ options }) => options), {
    decisions: Object.assign({}, ...members.map(({ options }) => options?.decisions)),
  }),
  ...(members.some(({ strict }) => strict) ? { strict: true } : {}),
  ...(members.some(({ connected }) => connected) ? { connected: true } : {}),
  client: Object.assign({}, ...members.map(({ client }) => client), {
    decisions: Object.assign({}, ...members.map(({ client }) => client?.decisions)),
  }),
  async disk(disk) {
    for (const member of members) await member.disk?.(disk);
  },
  async arrange(reference) {
    for (const member of members) await member.arrange?.(reference);
  },
});
