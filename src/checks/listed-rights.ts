/** What the API server itself lists of a bearer's rights. Source: authorization.k8s.io/v1 SelfSubjectRulesReview. */
import { list, record, records, texts } from '../kubernetes/json.js';
import type { PolicyRule } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { refusal } from '../model/finding.js';
import { type Heard, shownAnswer } from './answers.js';
import type { KnownExtra } from './privileges.js';
import { expand, includes, type Permission, permissionText } from './rbac-policy.js';

/** The answer to one SelfSubjectRulesReview. */
export interface Listed {
  readonly subject: string;
  readonly namespace: string;
  /** undefined where the answer is no list of rules. */
  readonly rules?: readonly PolicyRule[];
  /** What came. */
  readonly seen: string;
}

const given = (key: string, values: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  values.length === 0 ? {} : { [key]: values };

/** Reader: rules for resources and for URLs alike. */
export function readListed({ subject, namespace }: Pick<Listed, 'subject' | 'namespace'>, answer: Heard): Listed {
  const { resourceRules, nonResourceRules } = record(record(answer.body).status);
  if (answer.status !== 201 || !Array.isArray(resourceRules)) return { subject, namespace, seen: shownAnswer(answer) };
  const rules = [...records(resourceRules), ...records(list(nonResourceRules))].map((rule) => ({
    verbs: texts(rule.verbs),
    ...given('apiGroups', texts(rule.apiGroups)),
    ...given('resources', texts(rule.resources)),
    ...given('resourceNames', texts(rule.resourceNames)),
    ...given('nonResourceURLs', texts(rule.nonResourceURLs)),
  }));
  return { subject, namespace, rules, seen: `${rules.length} rules` };
}

interface Wanted {
  readonly documented: readonly Permission[];
  readonly extras: readonly KnownExtra[];
  /** Groups of the bearer, as bindings name them: "Group system:authenticated". */
  readonly groups: readonly string[];
}

const permissionsIn = ({ namespace, rules = [] }: Listed): readonly Permission[] => [
  ...expand(rules, namespace),
  ...expand(rules).filter(({ kind }) => kind === 'url'),
];

/** Each permission that is listed is documented, or one that a distribution is known to add for a group of theirs. */
export const listedWithin: Check<readonly Listed[], Wanted> = {
  id: 'listed-rights/within',
  source: '004, least privilege; k8s.io/api, authorization/v1 SelfSubjectRulesReview',
  judge: (listed, { documented, extras, groups }) => {
    const added = extras
      .filter(({ subjects }) => subjects.some((subject) => groups.includes(subject)))
      .flatMap(({ rules }) => expand(rules));
    return listed.map((one) => {
      const demanded = 'lists nothing beyond the documented permissions';
      if (one.rules === undefined) return refusal({ subject: one.subject, demanded, seen: one.seen, ok: undefined });
      const beyond = permissionsIn(one).filter(
        (permission) => ![...documented, ...added].some((wide) => includes(wide, permission)),
      );
      const texts = [...new Set(beyond.map(permissionText))].sort();
      return refusal({
        subject: one.subject,
        demanded,
        seen: texts.length === 0 ? `${one.seen}, all documented or known` : texts.join('; '),
        ok: texts.length === 0,
      });
    });
  },
};
