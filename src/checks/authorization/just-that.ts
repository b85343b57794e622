/**
 * What somebody may do with a kind of objects, verb by verb, whatever RBAC gives: just what is listed.
 * Source: authorization.k8s.io/v1 SubjectAccessReview; plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */

import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { Answered } from '../common/answers.js';
import { reviewed } from './access.js';

/** Reviews of one kind of objects, each of another verb. */
export interface ByVerb {
  readonly subject: string;
  readonly wanted: readonly string[];
  readonly answers: readonly (Pick<Answered, 'answer'> & { readonly verb: string })[];
}

/** The authorizer of nodes gives no reason; what others allow is theirs to answer for. */
const isOfOthers = (reason: string): boolean => reason !== '';

export const allowsJustThat: Check<readonly ByVerb[]> = {
  id: 'just-that/allows',
  source: 'plugin/pkg/auth/authorizer/node/node_authorizer.go; bootstrappolicy/policy.go NodeRules',
  judge: (all) =>
    all.map(({ subject, wanted, answers }) => {
      const opinions = answers.map(({ verb, answer }) => ({ verb, ...reviewed(answer) }));
      const unclear = opinions.find((one) => 'unclear' in one);
      const allowed = opinions.filter((one) => 'allowed' in one && one.allowed);
      const lacking = wanted.filter((verb) => !allowed.some((one) => one.verb === verb));
      const more = allowed.filter((one) => !wanted.includes(one.verb) && 'reason' in one && !isOfOthers(one.reason));
      const said = [...lacking.map((verb) => `not ${verb}`), ...more.map(({ verb }) => `${verb} as well`)];
      return demand({
        subject,
        demanded: `nodes may ${wanted.join(', ') || 'do nothing'}, and nothing else`,
        seen: unclear !== undefined && 'unclear' in unclear ? unclear.unclear : said.join(', ') || 'so it is',
        ok: unclear === undefined ? said.length === 0 : undefined,
      });
    }),
};
