/** Sound clusters that take their time: what was written counts a moment later, and sweeps come at another minute. */
import type { AuthorizationDecision } from '../apiserver/access.js';
import { KUBE_SYSTEM, TOKEN_KEYS } from '../kubernetes/names.js';
import type { Secret } from '../kubernetes/objects.js';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import type { Reference } from '../reference/options.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const MINUTE = 60_000;

/** What a binding of a run's own gives, which was made a moment ago. */
const isOfARun = ({ decision, reason }: AuthorizationDecision): boolean =>
  decision === 'allow' && /Binding "jp-/.test(reason);

/** The first answer about whoever has such rights is that of an API server which has not heard of the binding yet. */
const rightsKnownLate = (): Mutant => {
  const known = new Set<string>();
  return decides('harmless-rights-known-late', 'a new role and a new binding count a moment later', [], {
    authorizersTogether: (attributes, answers) => {
      const answer = upstream.authorizersTogether(attributes, answers);
      const key = JSON.stringify([attributes.user.username, attributes.user.groups]);
      if (!isOfARun(answer) || known.has(key)) return answer;
      known.add(key);
      return { decision: 'no-opinion', reason: '' };
    },
  });
};

/** The first login with each of them is that of a token whose Secret the API server has not heard of yet. */
const tokensKnownLate = (): Mutant => {
  const known = new Set<string>();
  let isAtRest = (_half: string): boolean => false;
  const variant = decides('harmless-tokens-known-late', 'a new token logs in a moment later', [], {
    tokenSecretMatches: (stored, presented) => {
      const matches = upstream.tokenSecretMatches(stored, presented);
      if (!matches || known.has(stored) || isAtRest(stored)) return matches;
      known.add(stored);
      return false;
    },
  });
  // those of no run are there for long
  const arrange = ({ api }: Reference): void => {
    isAtRest = (half) =>
      (api.list(resources.secrets, KUBE_SYSTEM) as readonly Secret[]).some(
        ({ metadata, data }) =>
          metadata.labels?.[RUN_LABEL] === undefined &&
          Buffer.from(data?.[TOKEN_KEYS.secret] ?? '', 'base64').toString('latin1') === half,
      );
  };
  return { ...variant, arrange };
};

/** Of a certificate of ten minutes: what makes its request one that a sweep takes before its hour. */
const isShort = (created: number, end: number): boolean => end - created < 15 * MINUTE;

/** Sweeps that come `late` minutes after the first request of such a certificate, and each hour since; before it each hour. */
const sweepsAt = (late: number): Mutant => {
  let first: number | undefined;
  return decides(`harmless-sweeps-at-${late}`, `requests are swept at minute ${late} of another hour`, [], {
    csrSweepInterval: () => MINUTE,
    csrIsSwept: (csr, now, minor) => {
      const { created, certificateNotAfter: end } = csr;
      if (created !== undefined && end !== undefined && isShort(created, end)) first ??= created;
      const minutes = Math.floor((now - (first ?? 0)) / MINUTE) % 60;
      return minutes === late && upstream.csrIsSwept(csr, now, minor);
    },
  });
};

export const mutants: readonly Mutant[] = [
  decides('harmless-controllers-hear-late', 'controllers hear of a change two seconds later', [], {
    controllerHearsAfter: () => 2_000,
  }),
  remembering(rightsKnownLate),
  remembering(tokensKnownLate),
  remembering(() => sweepsAt(5)),
  remembering(() => sweepsAt(18)),
];
