/** What a joining machine got and did, as it tells it. */
import { record, records, text } from '../../kubernetes/json.js';
import type { CertificateSigningRequest, KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { type Heard, isBesides, shownAnswer } from '../common/answers.js';

/** How asking for a certificate ended. */
export interface Ended {
  /** "the machine jp-0123" */
  readonly subject: string;
  /** "issued", "waiting", "denied", "failed", "deleted", "refused", "unable", "had" */
  readonly kind: string;
  /** What the server answered, where it took no request; else ''. */
  readonly answer: string;
  /** That answer says nothing of whether the machine may join. */
  readonly besides: boolean;
}

export const readEnded = (subject: string, outcome: { readonly kind: string; readonly answer?: Heard }): Ended => ({
  subject,
  kind: outcome.kind,
  answer: outcome.answer === undefined || outcome.kind === 'deleted' ? '' : shownAnswer(outcome.answer),
  besides: outcome.answer !== undefined && isBesides(outcome.answer),
});

/** Its request was taken, approved and signed. */
export const machineIssued: Check<readonly Ended[], { readonly demanded: string }> = {
  id: 'machine/issued',
  source: '000 and 004, TLS bootstrapping; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: (machines, { demanded }) =>
    machines.map(({ subject, kind, answer, besides }) => {
      const seen = kind === 'issued' ? 'it does' : `its request is ${answer === '' ? kind : `answered with ${answer}`}`;
      return demand({ subject, demanded, seen, ok: besides ? undefined : kind === 'issued' });
    }),
};

/** What the cluster shows of a machine's way, step by step. */
export interface Way {
  /** "the machine jp-0123" */
  readonly subject: string;
  /** In the order that they have to have. */
  readonly moments: readonly {
    /** "its request was made" */
    readonly what: string;
    /** RFC 3339; '' where nothing shows it. */
    readonly at: string;
  }[];
}

/** Read from what is stored: the request of its first certificate, and its Node. */
export const readWay = (
  subject: string,
  request: CertificateSigningRequest | undefined,
  node: KubeObject | undefined,
): Way => {
  const approval = (request?.status?.conditions ?? []).find(({ type }) => type === 'Approved');
  return {
    subject,
    moments: [
      { what: 'its request was made', at: request?.metadata.creationTimestamp ?? '' },
      { what: 'its request was approved', at: approval?.lastUpdateTime ?? '' },
      { what: 'its Node was made', at: node?.metadata.creationTimestamp ?? '' },
    ],
  };
};

/** Several API servers write the times down, each by its own clock. Milliseconds. */
const CLOCKS = 10_000;

/** No step before the one that gives what it needs. */
export const machineOrder: Check<Way> = {
  id: 'machine/order',
  source: '000 and 004, the bootstrap in its order; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: ({ subject, moments }) =>
    moments.slice(1).map(({ what, at }, index) => {
      const before = moments[index] ?? { what: '', at: '' };
      const late = Date.parse(at) - Date.parse(before.at);
      return demand({
        subject,
        demanded: `${what} after ${before.what}`,
        seen: `at ${at || 'no time'}, after ${before.at || 'no time'}`,
        ok: Number.isNaN(late) ? undefined : late >= -CLOCKS,
      });
    }),
};

/** The reason that a Node's condition Ready gives; '' where it gives none. */
export const readyReason = (node: KubeObject | undefined): string =>
  text(records(record(node?.status).conditions).find(({ type }) => type === 'Ready')?.reason);

/** The phase of a Pod; '' where it has none. */
export const phaseOf = (pod: KubeObject | undefined): string => text(record(pod?.status).phase);
