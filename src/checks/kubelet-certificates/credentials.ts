/** Several credentials in one request: whose it is. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { Login } from '../authenticators/login.js';
import { type Heard, isBesides, messageOf, shownAnswer } from '../common/answers.js';

/**
 * Whom a refusal names. Source: apiserver, pkg/endpoints/handlers/responsewriters/errors.go.
 */
const namedIn = ({ body }: Heard): string | undefined => /User "([^"]*)" cannot /.exec(messageOf(body))?.[1];

/** Each request was refused (403) to the user whose it has to be. */
export const heardAs: Check<readonly (Login & { readonly username: string })[]> = {
  id: 'credentials/heard-as',
  source: 'apiserver, pkg/authentication/request/union/union.go; pkg/kubeapiserver/authenticator/config.go New',
  judge: (requests) =>
    requests.map(({ subject, heard, username }) => {
      const unnamed = heard.status === 200 || heard.status === 403;
      const unclear = isBesides(heard) || (unnamed && namedIn(heard) === undefined);
      const ok = heard.status === 403 && namedIn(heard) === username;
      const demanded = `is forbidden (403) to ${username}`;
      return demand({ subject, demanded, seen: shownAnswer(heard), ok: unclear ? undefined : ok });
    }),
};
