/**
 * Whether controllers do their work, by what they have left undone: tokens that are not signed for, requests that are
 * approved and carry nothing, and a Lease that nobody renews.
 * Source: pkg/controller/bootstrap/bootstrapsigner.go; pkg/controller/certificates/signer/signer.go; client-go,
 * tools/leaderelection.
 */
import { USAGE_SIGNING } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';
import { isOfKubernetes, type SeenRequest } from '../kubelet-certificates/seen-requests.js';
import type { LeaseSeen } from './node-leases.js';
import { timeOf } from './token-policy.js';

const MINUTE = 60_000;
/** They work within moments. */
const IN_TIME = 2 * MINUTE;

interface Signed {
  /** Ids that cluster-info has a signature for. */
  readonly ids: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A machine that joins with it waits for a signature that does not come. */
export const tokensSigned: Check<readonly TokenSecret[], Signed> = {
  id: 'controllers-at-rest/tokens-signed',
  source: '001, ConfigMap signing; pkg/controller/bootstrap/bootstrapsigner.go',
  nothing: 'no bootstrap token that is valid is for signing, and has been there for long enough',
  judge: (tokens, { ids, now }) =>
    tokens.flatMap(({ subject, publicId, usages, created, expiration, deleted }) => {
      const end = expiration === '' ? Number.POSITIVE_INFINITY : (timeOf(expiration) ?? 0);
      const isDue = publicId !== '' && usages.includes(USAGE_SIGNING) && deleted === undefined && end > now;
      const since = Date.parse(created);
      if (!isDue || !(now - since > IN_TIME)) return [];
      const ok = ids.includes(publicId);
      const seen = ok ? 'it is' : 'cluster-info has no signature of it';
      return [demand({ subject, demanded: 'is signed for', seen, ok })];
    }),
};

/** What is approved for a signer of the controller manager carries a certificate, or says why it carries none. */
export const requestsIssued: Check<readonly SeenRequest[], { readonly now: number }> = {
  id: 'controllers-at-rest/requests-issued',
  source: '004, the signer signs what is approved; pkg/controller/certificates/signer/signer.go',
  nothing: 'no request that was approved long enough ago is one of the signers of Kubernetes',
  judge: (requests, { now }) =>
    requests.flatMap((request) => {
      const { subject, conditions, created, certificate } = request;
      const approval = conditions.find(({ type }) => type === 'Approved');
      const isOver = conditions.some(({ type }) => type === 'Denied' || type === 'Failed');
      const since = Date.parse(approval?.updated || created);
      if (!isOfKubernetes(request) || approval === undefined || isOver || !(now - since > IN_TIME)) return [];
      const ok = certificate !== undefined;
      const seen = ok ? 'it does' : 'it is approved, and nobody has signed it';
      return [demand({ subject, demanded: 'carries the certificate that was approved', seen, ok })];
    }),
};

/** When somebody else last said that he is alive, in milliseconds since the epoch; null: nobody has. */
interface Others {
  readonly alive: number | null;
}

/** Who leads renews its Lease every two seconds; by how much it may be behind those of others. */
const BEHIND = 5 * MINUTE;

export const controllersLed: Check<readonly LeaseSeen[], Others> = {
  id: 'controllers-at-rest/led',
  source: 'client-go, tools/leaderelection; component-base/config, LeaderElectionConfiguration',
  nothing: 'no Lease says who leads, or nobody else says by one that he is alive',
  judge: (leases, { alive }) =>
    leases.flatMap(({ name, holder, renewed }) => {
      if (Number.isNaN(renewed) || alive === null) return [];
      const ok = holder !== '' && alive - renewed < BEHIND;
      const late = Math.round((alive - renewed) / MINUTE);
      const seen = ok ? 'somebody leads' : holder === '' ? 'nobody holds it' : `nobody for ${late} minutes`;
      return [demand({ subject: `Lease kube-system/${name}`, demanded: 'is held and renewed', seen, ok })];
    }),
};
