/** Which of several requests somebody is let through to. Source: apiserver, pkg/endpoints/request/requestinfo.go. */

import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { type Heard, isLetThrough, shownAnswer } from '../common/answers.js';

export interface Requests {
  /** "who may list, and nothing else" */
  readonly subject: string;
  /** What he is let through to, of the requests. */
  readonly wanted: readonly string[];
  readonly answers: readonly { readonly request: string; readonly answer: Heard }[];
}

export const letThroughToThose: Check<readonly Requests[]> = {
  id: 'let-through/to-those',
  source:
    'apiserver, pkg/endpoints/request/requestinfo.go NewRequestInfo; pkg/endpoints/handlers/create.go withAuthorization',
  judge: (all) =>
    all.map(({ subject, wanted, answers }) => {
      const seen = answers.map(({ request, answer }) => ({ request, answer, passed: isLetThrough(answer) }));
      const unclear = seen.find(({ passed }) => passed === undefined);
      const lacking = seen.filter(({ request, passed }) => wanted.includes(request) && passed === false);
      const more = seen.filter(({ request, passed }) => !wanted.includes(request) && passed === true);
      const said = [
        ...lacking.map(({ request, answer }) => `not ${request}: ${shownAnswer(answer)}`),
        ...more.map(({ request, answer }) => `${request}: ${shownAnswer(answer)}`),
      ];
      return demand({
        subject,
        demanded: `is let through to ${wanted.join(', ')}, and to nothing else`,
        seen:
          unclear === undefined ? said.join('; ') || 'so it is' : `${unclear.request}: ${shownAnswer(unclear.answer)}`,
        ok: more.length > 0 ? false : unclear === undefined ? said.length === 0 : undefined,
      });
    }),
};
