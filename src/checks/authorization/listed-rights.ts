/** What the API server itself lists of a bearer's rights. Source: authorization.k8s.io/v1 SelfSubjectRulesReview. */
import { list, record, records, texts } from '../../kubernetes/json.js';
import type { PolicyRule } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Heard, shownAnswer } from '../common/answers.js';
import type { KnownExtra } from './privileges.js';
import { expand, includes, type Permission, permissionText } from './rbac-policy.js';
import { ofAnyRelease } from './versioned-names.js';

/** The answer to one SelfSubjectRulesReview. */
export interface Listed {
  readonly subject: string;
  readonly namespace: string;
  /** undefined where the answer is no list of rules. */
  readonly rules?: readonly PolicyRule[];
  /** It says itself that it is not all. */
  readonly incomplete?: boolean;
  /** What came. */
  readonly seen: string;
}

const given = (key: string, values: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  values.length === 0 ? {} : { [key]: values };

/** Reader: rules for resources and for URLs alike. */
export function readListed({ subject, namespace }: Pick<Listed, 'subject' | 'namespace'>, answer: Heard): Listed {
  const { resourceRules, nonResourceRules, incomplete } = record(record(answer.body).status);
  if (answer.status !== 201 || !Array.isArray(resourceRules)) return { subject, namespace, seen: shownAnswer(answer) };
  const rules = [...records(resourceRules), ...records(list(nonResourceRules))].map((rule) => ({
    verbs: texts(rule.verbs),
    ...given('apiGroups', texts(rule.apiGroups)),
    ...given('resources', texts(rule.resources)),
    ...given('resourceNames', texts(rule.resourceNames)),
    ...given('nonResourceURLs', texts(rule.nonResourceURLs)),
  }));
  const seen = `${rules.length} rules`;
  return { subject, namespace, rules, ...(incomplete === true ? { incomplete } : {}), seen };
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
    const allowed = [...documented, ...added].map(ofAnyRelease);
    return listed.map((one) => {
      const demanded = 'lists nothing beyond the documented permissions';
      if (one.rules === undefined) return refusal({ subject: one.subject, demanded, seen: one.seen, ok: undefined });
      const beyond = permissionsIn(one).filter(
        (permission) => !allowed.some((wide) => includes(wide, ofAnyRelease(permission))),
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

/** Rights that somebody has there, and rights that he has elsewhere alone, or nowhere. */
export interface ListedOf extends Listed {
  readonly held: readonly PolicyRule[];
  readonly elsewhere: readonly PolicyRule[];
}

/** All that he has there is listed, and nothing that he has not. Who says that it is not all is not judged. */
export const listedWhole: Check<readonly ListedOf[]> = {
  id: 'listed-rights/whole',
  source: 'pkg/registry/authorization/selfsubjectrulesreview/rest.go; plugin/pkg/auth/authorizer/rbac/rbac.go RulesFor',
  judge: (all) =>
    all.map((one) => {
      const found = permissionsIn(one);
      const isListed = (permission: Permission): boolean => found.some((wide) => includes(wide, permission));
      const permissions = (rules: readonly PolicyRule[]): readonly Permission[] => permissionsIn({ ...one, rules });
      const missing = permissions(one.held).filter((permission) => !isListed(permission));
      const foreign = permissions(one.elsewhere).filter(isListed);
      const isJudged = one.rules !== undefined && one.incomplete !== true;
      const seen = [
        ...missing.map((permission) => `not ${permissionText(permission)}`),
        ...foreign.map((permission) => `${permissionText(permission)}, which is not given there`),
      ];
      return demand({
        subject: one.subject,
        demanded: 'lists all that is given there, and nothing that is given elsewhere alone, or nowhere',
        seen: isJudged && seen.length > 0 ? [...new Set(seen)].sort().join('; ') : one.seen,
        ok: isJudged ? seen.length === 0 : undefined,
      });
    }),
};
