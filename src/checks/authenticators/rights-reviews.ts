/** Whether reviews of rights are answered. Source: pkg/registry/authorization/subjectaccessreview/rest.go Create. */
import { record } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { type Answered, saysNothing, shownAnswer } from '../common/answers.js';

const SOURCE = 'pkg/registry/authorization/subjectaccessreview/rest.go Create';

/** An answer of who is busy, forbids reviews, or knows none, is none. */
const answeredWith =
  (demanded: string, ok: (allowed: unknown) => boolean) =>
  ({ subject, answer }: Answered): Finding => {
    const { status, body } = answer;
    const { allowed } = record(record(body).status);
    const isUnclear = saysNothing(status) || [401, 403, 404].includes(status);
    return demand({
      subject,
      demanded,
      seen: status === 201 ? `201, allowed: ${JSON.stringify(allowed)}` : shownAnswer(answer),
      ok: isUnclear ? undefined : status === 201 && ok(allowed),
    });
  };

/** Each is answered with a yes or a no. */
export const rightsReviewAnswered: Check<readonly Answered[]> = {
  id: 'rights-reviews/answered',
  source: SOURCE,
  judge: (answers) => answers.map(answeredWith('is answered with a yes or a no', (said) => typeof said === 'boolean')),
};

/** Each is answered with yes. */
export const rightsReviewAllows: Check<readonly Answered[]> = {
  id: 'rights-reviews/allows',
  source: SOURCE,
  judge: (answers) => answers.map(answeredWith('is answered with yes', (said) => said === true)),
};

/** Each is answered with no: also where the API server says that it has understood a part of the question alone. */
export const rightsReviewDenies: Check<readonly Answered[]> = {
  id: 'rights-reviews/denies',
  source: 'pkg/registry/authorization/util/helpers.go FieldSelectorAsSelector',
  judge: (answers) =>
    answers.map(({ subject, answer }) => {
      const { allowed } = record(record(answer.body).status);
      const isAnswer = answer.status === 201 && typeof allowed === 'boolean';
      return refusal({
        subject,
        demanded: 'is answered with no',
        seen: isAnswer ? `allowed: ${allowed}` : shownAnswer(answer),
        ok: isAnswer ? !allowed : undefined,
      });
    }),
};
