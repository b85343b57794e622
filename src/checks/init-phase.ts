/**
 * What a phase of `kubeadm init` leaves when it runs a second time.
 * Source: 000, init is run again after a failure; cmd/kubeadm/app/util/apiclient/idempotency.go.
 */
import type { Check } from '../model/check.js';
import { control, demand } from '../model/finding.js';
import { CLUSTER_INFO_NAME, type TextKept } from './cluster-info.js';

const SECOND_RUN = '000, the bootstrap-token phase; cmd/kubeadm/app/util/apiclient/idempotency.go';

/** `failure`: what the phase said, null where it succeeded. */
export const secondRunSucceeds: Check<{ readonly failure: string | null }> = {
  id: 'init-phase/succeeds',
  source: SECOND_RUN,
  judge: ({ failure }) => [
    demand({
      subject: 'the second run of the bootstrap-token phase',
      demanded: 'succeeds',
      seen: failure ?? 'it does',
      ok: failure === null,
    }),
  ],
};

/** Ids of the joining tokens before and after the second run. */
export interface TokensOfTwoRuns {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Every token of the first run is there, once. */
export const tokensThereOnce: Check<TokensOfTwoRuns> = {
  id: 'init-phase/tokens',
  source: SECOND_RUN,
  judge: ({ before, after }) => [
    control({
      subject: 'the first run of the bootstrap-token phase',
      demanded: 'leaves a joining token',
      seen: before.join(', ') || 'none',
      ok: before.length > 0,
    }),
    ...before.map((id) => {
      const times = after.filter((other) => other === id).length;
      return demand({
        subject: `the joining token ${id}`,
        demanded: 'is there once after a second run',
        seen: `${times} times`,
        ok: times === 1,
      });
    }),
  ],
};

/** Of the text that cluster-info publishes, before and after the second run. */
export const kubeconfigUnchanged: Check<TextKept> = {
  id: 'init-phase/kubeconfig',
  source: SECOND_RUN,
  judge: ({ before, after }) => {
    const same = before === after;
    return [
      control({
        subject: CLUSTER_INFO_NAME,
        demanded: 'publishes a kubeconfig after the first run',
        seen: before === null ? 'none' : 'it does',
        ok: before !== null,
      }),
      demand({
        subject: CLUSTER_INFO_NAME,
        demanded: 'publishes the same text after a second run',
        seen: same ? 'it does' : 'another text',
        ok: same,
      }),
    ];
  },
};
