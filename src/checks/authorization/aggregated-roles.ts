/**
 * ClusterRoles that collect the rules of others: the controller that fills them in runs, and nobody has changed them.
 * Source: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go syncClusterRole.
 */
import type { KubeObject, LabelSelector, PolicyRule, Role } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { picks } from '../admission/joining-requests.js';

/** A ClusterRole, as far as it collects or is collected. */
export interface CollectedRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  readonly selectors: readonly LabelSelector[];
}

/** Reader. */
export function readCollectedRole(object: KubeObject): CollectedRole {
  const { metadata, rules, aggregationRule } = object as Role;
  return {
    name: metadata.name ?? '',
    labels: metadata.labels ?? {},
    rules: rules ?? [],
    selectors: aggregationRule?.clusterRoleSelectors ?? [],
  };
}

const keyOf = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs].map((one) => one ?? []));

/** What a role lacks, and has beyond what it collects. */
function differenceOf(role: CollectedRole, all: readonly CollectedRole[]) {
  const others = all.filter(
    ({ name, labels }) => name !== role.name && role.selectors.some((selector) => picks(selector, labels)),
  );
  const wanted = new Set(others.flatMap(({ rules }) => rules.map(keyOf)));
  const own = new Set(role.rules.map(keyOf));
  return {
    lacks: [...wanted].filter((key) => !own.has(key)).length,
    beyond: [...own].filter((key) => !wanted.has(key)).length,
  };
}

/** Rights of people and operators come by these roles: who is to approve, or to look after machines, has none. */
export const rolesCollected: Check<readonly CollectedRole[]> = {
  id: 'aggregated-roles/collected',
  source: 'pkg/controller/clusterroleaggregation/clusterroleaggregation_controller.go; kubernetes.io, aggregated roles',
  nothing: 'no ClusterRole collects others',
  judge: (all) =>
    all
      .filter(({ selectors }) => selectors.length > 0)
      .map((role) => {
        const { lacks, beyond } = differenceOf(role, all);
        const odd = [
          ...(lacks > 0 ? [`it lacks ${lacks} of their rules`] : []),
          ...(beyond > 0 ? [`it has ${beyond} beyond theirs`] : []),
        ];
        return demand({
          subject: `ClusterRole ${role.name}`,
          demanded: 'holds the rules of the roles that it collects, and no others',
          seen: odd.join('; ') || 'it does',
          ok: odd.length === 0,
        });
      }),
};
