/**
 * What is answered to those who show no credential. That they are refused says something only where strangers are let
 * in at all.
 * Source: 000 and 002, who may read cluster-info; apiserver, pkg/authentication/request/anonymous and
 * plugin/pkg/auth/authorizer/rbac (system:public-info-viewer).
 */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { isBesides, isLetThrough, saysNothing } from '../common/answers.js';
import { CLUSTER_INFO_NAME } from './cluster-info.js';

const STRANGERS = '000 and 002, the public cluster-info; apiserver, pkg/authentication/request/anonymous';

/** One answer to a stranger. */
export interface StrangerAnswer {
  /** "read cluster-info", "GET /version": what was tried. */
  readonly tried: string;
  readonly status: number;
  /** Of a Status; '' where there is none. */
  readonly message: string;
}

/**
 * The first answer is the one to a GET of cluster-info: 401 says that the API server hears nobody without credentials
 * there.
 */
export const strangersAreOff = ([first]: readonly StrangerAnswer[]): string | undefined =>
  first?.status === 401
    ? `the API server takes no requests without credentials: ${first.tried} was answered with 401`
    : undefined;

/** The API server lets strangers in: something that is theirs by default is given to them. */
export const strangersLetIn: Check<readonly StrangerAnswer[]> = {
  id: 'strangers/let-in',
  source: STRANGERS,
  judge: (answers) => {
    const given = answers.some(({ status }) => status === 200);
    const unclear = answers.some(({ status }) => saysNothing(status));
    return [
      demand({
        subject: 'a stranger, without credentials',
        demanded: `may ${answers.map(({ tried }) => tried).join(' or ')}`,
        seen: answers.map((answer) => `${answer.tried}: ${answer.status}`).join(', '),
        ok: given ? true : unclear ? undefined : false,
      }),
    ];
  },
};

/** Everything that was tried was refused, as unknown (401) or as forbidden (403). */
export const strangersRefused: Check<readonly StrangerAnswer[]> = {
  id: 'strangers/refused',
  source: STRANGERS,
  judge: (answers) =>
    answers.map(({ tried, status, message }) => {
      const passed = status === 401 ? false : isLetThrough({ status, body: { message } });
      return refusal({
        subject: `a stranger who tries to ${tried}`,
        demanded: 'is refused (401 or 403)',
        seen: String(status),
        ok: passed === undefined ? undefined : !passed,
      });
    }),
};

/**
 * All of it is forbidden to the run's own credential as well: then nothing can be concluded from the refusal of others.
 */
export const nobodyMay = (answers: readonly StrangerAnswer[]): string | undefined =>
  answers.every(({ status }) => status === 403)
    ? `the run's own credential may not ${answers.map(({ tried }) => tried).join(' or ')}, either: nobody may, perhaps`
    : undefined;

/**
 * What strangers are refused goes past authorization when an administrator tries it; what becomes of it then does not
 * matter.
 */
export const administratorLetThrough: Check<readonly StrangerAnswer[]> = {
  id: 'strangers/administrator-let-through',
  source: STRANGERS,
  judge: (answers) =>
    answers.map((answer) =>
      demand({
        subject: `an administrator who tries to ${answer.tried}`,
        demanded: 'is let through (neither 401 nor 403)',
        seen: String(answer.status),
        ok: saysNothing(answer.status) ? undefined : answer.status !== 401 && answer.status !== 403,
      }),
    ),
};

/** The answer to a stranger who reads cluster-info, beside what the run's own credential reads. */
export interface StrangerReading {
  readonly status: number;
  /** The kubeconfig that it holds: that of the others, another one, or none. */
  readonly kubeconfig: 'the same' | 'another' | 'none';
  /** It holds the signatures that others read, or there are none for anybody. */
  readonly signed: boolean;
}

const REMARKS: Readonly<Record<number, string>> = { 401: ': anonymous requests are off' };

function seenOf({ status, kubeconfig, signed }: StrangerReading): string {
  if (status !== 200) return `${status}${REMARKS[status] ?? ''}`;
  if (kubeconfig === 'none') return '200, without a kubeconfig';
  const other = kubeconfig === 'another' ? ', with another kubeconfig than others read' : '';
  return `200${other}${signed ? '' : ', without the signatures that others read'}`;
}

/** A stranger is given cluster-info: its kubeconfig, as everybody reads it, and its signatures. */
export const strangerGivenKubeconfig: Check<StrangerReading> = {
  id: 'strangers/given-kubeconfig',
  source: STRANGERS,
  judge: (reading) => [
    demand({
      subject: `${CLUSTER_INFO_NAME}, read without credentials`,
      demanded: 'is given (200), with the kubeconfig and the signatures that are in it',
      seen: seenOf(reading),
      // it is there: who says otherwise hides it
      ok: isBesides({ status: reading.status, body: undefined })
        ? undefined
        : reading.status === 200 && reading.kubeconfig === 'the same' && reading.signed,
    }),
  ],
};
