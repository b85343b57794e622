/**
 * What the API server answers to whoever asks about a token: kubelets and extension API servers let in whom it names.
 * Source: pkg/registry/authentication/tokenreview/storage.go Create.
 */
import { record, text, texts } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import type { Heard } from '../common/answers.js';
import { type Login, whoAmI } from './login.js';

const SOURCE = 'authentication.k8s.io/v1 TokenReview; pkg/registry/authentication/tokenreview/storage.go';

/** An answer to a TokenReview. */
export interface TokenReviewed {
  readonly subject: string;
  /** Of the answer: 201 where the question was taken. */
  readonly code: number;
  readonly authenticated: boolean;
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Keys of its extra. */
  readonly extra: readonly string[];
  /** What is answered holds the token, not counting the question. */
  readonly tellsToken: boolean;
  /** Why the token is not taken; '' where nothing is said. */
  readonly error: string;
}

/** Reader. */
export function readTokenReview(subject: string, { status: code, body }: Heard, token: string): TokenReviewed {
  const status = record(record(body).status);
  const user = record(status.user);
  return {
    subject,
    code,
    authenticated: status.authenticated === true,
    username: text(user.username),
    uid: text(user.uid),
    groups: texts(user.groups),
    extra: Object.keys(record(user.extra)),
    tellsToken: JSON.stringify(status).includes(token),
    error: text(status.error),
  };
}

/** A good token: what a review says of it, and who logs in with it. */
export interface ReviewedAndShown {
  readonly review: TokenReviewed;
  readonly login: Login;
}

const isTaken = ({ code }: TokenReviewed): boolean => code === 201;
const sorted = (all: readonly string[]): string => JSON.stringify([...all].sort());
const shown = ({
  username,
  uid,
  groups,
  extra,
}: Omit<TokenReviewed, 'subject'> | NonNullable<ReturnType<typeof whoAmI>>) =>
  `${JSON.stringify(username)}, of the UID ${JSON.stringify(uid)}, in ${sorted(groups)}, with ${sorted(extra)}`;
const saw = (review: TokenReviewed): string =>
  !isTaken(review) ? `${review.code}` : review.authenticated ? `it is ${shown(review)}` : 'it is nobody';

/** The same name, UID, groups and keys of extra as the login. */
export const reviewTellsLogin: Check<readonly ReviewedAndShown[]> = {
  id: 'token-reviews/as-login',
  source: SOURCE,
  judge: (all) =>
    all.map(({ review, login }) => {
      const who = whoAmI(login.heard);
      const same = who !== undefined && review.authenticated && shown(who) === shown(review);
      return demand({
        subject: review.subject,
        demanded: `is told to be ${who === undefined ? 'who logs in with it' : shown(who)}`,
        seen: saw(review),
        ok: who === undefined || !isTaken(review) ? undefined : same,
      });
    }),
};

/** Nobody is told to be authenticated, and the token is not told again. */
export const reviewRefuses: Check<readonly TokenReviewed[]> = {
  id: 'token-reviews/refused',
  source: SOURCE,
  judge: (all) =>
    all.flatMap((review) => {
      const { subject, authenticated, tellsToken } = review;
      const taken = isTaken(review);
      return [
        refusal({
          subject,
          demanded: 'is not authenticated',
          seen: saw(review),
          ok: taken ? !authenticated : undefined,
        }),
        refusal({
          subject,
          demanded: 'is not told again in the status',
          seen: taken ? (tellsToken ? 'it is' : 'it is not') : saw(review),
          ok: taken ? !tellsToken : undefined,
        }),
      ];
    }),
};

/** Of who is not authenticated it is said that his token was looked at and refused. */
export const reviewTellsWhy: Check<readonly TokenReviewed[]> = {
  id: 'token-reviews/why',
  source: `${SOURCE}; apiserver, pkg/authentication/request/bearertoken/bearertoken.go`,
  judge: (all) =>
    all
      .filter((review) => isTaken(review) && !review.authenticated)
      .map(({ subject, error }) =>
        demand({ subject, demanded: 'is told why it is not taken', seen: error || 'nothing', ok: error !== '' }),
      ),
};
