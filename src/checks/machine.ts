/** What a joining machine got and did, as it tells it. */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import { type Heard, shownAnswer } from './answers.js';

/** How asking for a certificate ended. */
export interface Ended {
  /** "the machine jp-0123" */
  readonly subject: string;
  /** "issued", "waiting", "denied", "failed", "deleted", "refused", "unable", "had" */
  readonly kind: string;
  /** What the server answered, where it took no request; else ''. */
  readonly answer: string;
}

export const readEnded = (subject: string, outcome: { readonly kind: string; readonly answer?: Heard }): Ended => ({
  subject,
  kind: outcome.kind,
  answer: outcome.answer === undefined ? '' : shownAnswer(outcome.answer),
});

/** Its request was taken, approved and signed. */
export const machineIssued: Check<readonly Ended[], { readonly demanded: string }> = {
  id: 'machine/issued',
  source: '000 and 004, TLS bootstrapping; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: (machines, { demanded }) =>
    machines.map(({ subject, kind, answer }) => {
      const seen = kind === 'issued' ? 'it does' : `its request is ${answer === '' ? kind : `answered with ${answer}`}`;
      return demand({ subject, demanded, seen, ok: kind === 'issued' });
    }),
};

/** Its steps, in their order. */
export const machineSteps: Check<
  { readonly subject: string; readonly steps: readonly string[] },
  { readonly steps: readonly string[] }
> = {
  id: 'machine/steps',
  source: '000 and 004, the bootstrap in its order; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  judge: ({ subject, steps }, wanted) => [
    demand({
      subject,
      demanded: wanted.steps.join('; '),
      seen: steps.join('; ') || 'nothing',
      ok: steps.join() === wanted.steps.join(),
    }),
  ],
};

/** A request came later than another one of the same machine. */
export const machineLater: Check<{ readonly subject: string; readonly first: string; readonly created: string }> = {
  id: 'machine/later',
  source: '004, the serving certificate comes after the client certificate',
  judge: ({ subject, first, created }) => {
    const age = (Date.parse(created) - Date.parse(first)) / 1000;
    return [
      demand({
        subject,
        demanded: "comes after the node's first request",
        seen: `${age} s later`,
        ok: Number.isNaN(age) ? undefined : age >= 0,
      }),
    ];
  },
};
