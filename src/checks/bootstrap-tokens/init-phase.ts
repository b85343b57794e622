/**
 * What a phase of `kubeadm init` leaves when it runs a second time.
 * Source: 000, init is run again after a failure; cmd/kubeadm/app/util/apiclient/idempotency.go.
 */
import { TOKEN_KEYS, USAGE_AUTHENTICATION, USAGE_SIGNING } from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { control, demand } from '../../model/finding.js';
import { CLUSTER_INFO_NAME, type TextKept } from '../cluster-info/cluster-info.js';
import { decoded } from './token-secrets.js';

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

/** What has become of a token of the first run. */
export interface KeptToken {
  readonly id: string;
  /** How many Secrets hold its id after the second run. */
  readonly times: number;
  /** Each of them with the same secret half and usages, in the same groups. */
  readonly same: boolean;
}

const KEPT = [TOKEN_KEYS.secret, TOKEN_KEYS.groups, USAGE_AUTHENTICATION, USAGE_SIGNING];

/** Reader: the joining tokens of the first run among those of the second. */
export const readKept = (before: readonly Secret[], after: readonly Secret[]): KeptToken[] =>
  before.map((secret) => {
    const id = decoded(secret, TOKEN_KEYS.id);
    const found = after.filter((other) => decoded(other, TOKEN_KEYS.id) === id);
    const same = found.every((other) => KEPT.every((key) => decoded(other, key) === decoded(secret, key)));
    return { id, times: found.length, same };
  });

/** Every token of the first run is there, once and unchanged. */
export const tokensThereOnce: Check<readonly KeptToken[]> = {
  id: 'init-phase/tokens',
  source: SECOND_RUN,
  judge: (kept) => [
    control({
      subject: 'the first run of the bootstrap-token phase',
      demanded: 'leaves a joining token',
      seen: kept.map(({ id }) => id).join(', ') || 'none',
      ok: kept.length > 0,
    }),
    ...kept.map(({ id, times, same }) =>
      demand({
        subject: `the joining token ${id}`,
        demanded: 'is there once after a second run, as it was',
        seen: `${times} times${same ? '' : ', with other values'}`,
        ok: times === 1 && same,
      }),
    ),
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
