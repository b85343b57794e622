/**
 * Are two users of the same groups told the same? Names open and close nothing.
 * Source: 001, permissions come from RBAC; plugin/pkg/auth/authorizer/rbac/rbac.go.
 */
import { record } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { Answered, Heard } from '../common/answers.js';
import { reviewed } from './access.js';

/** What two users are told of one access. */
export interface Compared extends Answered {
  /** The answer to the other one. */
  readonly other: Heard;
}

/** Reader: the opinion of a SubjectAccessReview or SelfSubjectAccessReview, without what was asked. */
export const opinionIn = ({ status, body }: Heard): Heard => ({ status, body: { status: record(body).status } });

export const sameAccess: Check<readonly Compared[]> = {
  id: 'same-access/told',
  source: '001, permissions come from RBAC; plugin/pkg/auth/authorizer/rbac/rbac.go',
  judge: (compared) =>
    compared.map(({ subject, answer, other }) => {
      const demanded = 'is allowed to this user as it is to any other in its groups';
      const [mine, theirs] = [reviewed(answer), reviewed(other)];
      if ('unclear' in mine) return demand({ subject, demanded, seen: mine.unclear, ok: undefined });
      if ('unclear' in theirs) return demand({ subject, demanded, seen: theirs.unclear, ok: undefined });
      const said = (allowed: boolean): string => (allowed ? 'allowed' : 'not allowed');
      const seen = `${said(mine.allowed)}, and to the other ${said(theirs.allowed)}`;
      return demand({ subject, demanded, seen, ok: mine.allowed === theirs.allowed });
    }),
};
