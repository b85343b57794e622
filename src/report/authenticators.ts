/** Whom the API server of a report believes, in a line. */
import type { AuthenticatorKnown, Report } from '../model/report.js';

/** How the states are told, in this order. */
const WORDS: Readonly<Record<AuthenticatorKnown['state'], string>> = {
  on: 'on',
  some: 'at some places alone',
  off: 'off',
  unknown: 'not known',
};

/** "on: client certificates, strangers; off: static tokens; not known: a webhook"; '' where nobody has looked. */
export const authenticatorsSeen = ({ target: { authenticators = [] } }: Report): string =>
  Object.entries(WORDS)
    .flatMap(([state, word]) => {
      const names = authenticators.filter((one) => one.state === state).map(({ authenticator }) => authenticator);
      return names.length === 0 ? [] : [`${word}: ${names.join(', ')}`];
    })
    .join('; ');
