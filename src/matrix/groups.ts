/**
 * Harmless variants are played together, as the whole suite runs on each: one run for all that do not touch the same
 * decision or switch.
 * A group that some rule notices is played again in halves. `--full` plays each alone from the start. What a variant
 * arranges has names of its own.
 */
import { isOfDisk, type Mutant, type Said } from '../mutants/types.js';

const touched = ({ options = {}, client = {}, disk, beside }: Mutant): readonly string[] => [
  ...(disk === undefined || beside === undefined ? [] : ['disk']),
  ...Object.keys(client).flatMap((key) => (key === 'decisions' ? [] : [`client ${key}`])),
  ...Object.keys(client.decisions ?? {}).map((key) => `client ${key}`),
  ...Object.keys(options).filter((key) => key !== 'decisions'),
  ...Object.keys(options.decisions ?? {}),
];

const alike = (one: Mutant | undefined, other: Mutant): boolean =>
  one !== undefined &&
  !one.apart &&
  !other.apart &&
  one.toldBy === undefined &&
  other.toldBy === undefined &&
  one.strict === other.strict;

/** What is arranged is arranged in the newest cluster. */
const isOlder = ({ options }: Mutant): boolean => options?.kubernetesVersion !== undefined;
const goesWith = (one: Mutant, other: Mutant): boolean =>
  !(isOlder(one) && other.arrange !== undefined) && !(isOlder(other) && one.arrange !== undefined);

/** Variants that may be played together, in as few groups as their order gives. Disks are played alone. */
export function groupsOf(variants: readonly Mutant[]): readonly (readonly Mutant[])[] {
  const groups: { readonly members: Mutant[]; readonly taken: Set<string> }[] = [];
  for (const variant of variants.filter((one) => !isOfDisk(one))) {
    const keys = touched(variant);
    let group = groups.find(
      ({ members, taken }) =>
        alike(members[0], variant) &&
        members.every((member) => goesWith(member, variant)) &&
        keys.every((key) => !taken.has(key)),
    );
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
  ...(members.some(({ strict }) => strict) ? { strict: true } : {}),
  options: Object.assign({}, ...members.map(({ options }) => options), {
    decisions: Object.assign({}, ...members.map(({ options }) => options?.decisions)),
  }),
  ...(members.some(({ connected }) => connected) ? { connected: true } : {}),
  ...gatewayOf(members),
  ...(members.some(({ client }) => client !== undefined) ? { client: clientOf(members) } : {}),
  async disk(disk) {
    for (const member of members) await member.disk?.(disk);
  },
  async arrange(reference) {
    for (const member of members) await member.arrange?.(reference);
  },
});

const clientOf = (members: readonly Mutant[]): NonNullable<Mutant['client']> =>
  Object.assign({}, ...members.map(({ client }) => client), {
    decisions: Object.assign({}, ...members.map(({ client }) => client?.decisions)),
  });

/** One behind the other: what one answers in the place of the API server the others never hear of. */
export function gatewayOf(members: readonly Pick<Mutant, 'gateway'>[]): Pick<Mutant, 'gateway'> {
  const gateways = members.flatMap(({ gateway }) => (gateway === undefined ? [] : [gateway]));
  if (gateways.length === 0) return {};
  return {
    gateway: {
      before(asked) {
        for (const { before } of gateways) {
          const said = before?.(asked);
          if (said !== undefined) return said;
        }
        return undefined;
      },
      after(asked, answer) {
        let changed: Said | undefined;
        for (const { after } of gateways) changed = after?.(asked, changed ?? answer) ?? changed;
        return changed;
      },
    },
  };
}
