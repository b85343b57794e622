/** Decisions about certificate requests at rest: who was approved by whom, in which order, and when. */
import { BOOTSTRAP_USER_PREFIX, GROUP_BOOTSTRAPPERS, SIGNER_KUBELET_CLIENT } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isOfKubernetes, type SeenCondition, type SeenRequest } from './seen-requests.js';

type Requests = readonly SeenRequest[];

const types = ({ conditions }: SeenRequest): string[] => conditions.map(({ type }) => type);
const listed = (texts: readonly string[]): string => texts.join(', ') || 'no condition';

/** What carries a certificate was approved; the API itself does not tie them. */
export const decidedBeforeIssued: Check<Requests> = {
  id: 'decided-requests/before-issued',
  source: '004, the certificate is issued once approved; pkg/apis/certificates/validation/validation.go',
  nothing: 'the cluster holds no certificate that was issued for a request',
  judge: (requests) =>
    requests
      .filter(({ certificate }) => certificate !== undefined)
      .map((request) =>
        demand({
          subject: request.subject,
          demanded: 'was approved, and neither denied nor failed, as it carries a certificate',
          seen: listed(types(request)),
          ok:
            types(request).includes('Approved') && !['Denied', 'Failed'].some((type) => types(request).includes(type)),
        }),
      ),
};

/** Of a kind there is one decision, and not its opposite beside it. */
export const decidedOnce: Check<Requests> = {
  id: 'decided-requests/once',
  source: 'pkg/apis/certificates/validation/validation.go validateConditions',
  nothing: 'the cluster holds no request that was decided',
  judge: (requests) =>
    requests
      .filter(({ conditions }) => conditions.length > 0)
      .map((request) => {
        const decided = types(request);
        const both = decided.includes('Approved') && decided.includes('Denied');
        return demand({
          subject: request.subject,
          demanded: 'was decided once',
          seen: listed(decided),
          ok: !both && new Set(decided).size === decided.length,
        });
      }),
};

/** Clocks of two machines may be so far apart, milliseconds. */
const SKEW = 5 * 60_000;

const isTimely = ({ updated }: SeenCondition, created: number, now: number): boolean => {
  const at = Date.parse(updated);
  return !(at < created - SKEW || at > now + SKEW);
};

/** `now`: milliseconds since the epoch. A condition that tells no time is not looked at. */
export const decidedInTime: Check<Requests, { readonly now: number }> = {
  id: 'decided-requests/in-time',
  source: 'pkg/controller/certificates/cleaner/cleaner.go, which counts from these times',
  nothing: 'the cluster holds no request that was decided',
  judge: (requests, { now }) =>
    requests.flatMap(({ subject, created, conditions }) =>
      conditions.map((condition) =>
        demand({
          subject: `${condition.type} of ${subject}`,
          demanded: 'was set after the request was made, and before now',
          seen: condition.updated || 'no time',
          ok: Number.isNaN(Date.parse(created)) ? undefined : isTimely(condition, Date.parse(created), now),
        }),
      ),
    ),
};

const automatic = (requests: Requests): Requests =>
  requests.filter(
    ({ signer, conditions }) =>
      signer === SIGNER_KUBELET_CLIENT &&
      conditions.some(({ type, reason }) => type === 'Approved' && reason === 'AutoApproved'),
  );

/** What was approved automatically was asked for by a bootstrap identity, or by the node that it names. */
export const decidedForJoining: Check<Requests> = {
  id: 'decided-requests/for-joining',
  source: '002, automatic approval; pkg/controller/certificates/approver/sarapprove.go',
  nothing: 'the cluster holds no request of a kubelet that was approved automatically',
  judge: (requests) =>
    automatic(requests).map(({ subject, username, groups, asked }) => {
      const name = 'unreadable' in asked ? undefined : asked.commonName;
      const joins = username.startsWith(BOOTSTRAP_USER_PREFIX) || groups.includes(GROUP_BOOTSTRAPPERS);
      return demand({
        subject,
        demanded: 'was made by a bootstrap identity or the node itself, as it was approved automatically',
        seen: `made by ${username}`,
        ok: joins || username === name,
      });
    }),
};

const CONTROLLER_MANAGER = 'kube-controller-manager';

const writtenBy = (request: SeenRequest, what: string, writers: readonly string[]): readonly Finding[] =>
  writers.length === 0
    ? []
    : [
        demand({
          subject: request.subject,
          demanded: `has its ${what} of ${CONTROLLER_MANAGER}`,
          seen: writers.join(', '),
          ok: writers.length === 1 && writers[0] === CONTROLLER_MANAGER,
        }),
      ];

/** An approval that calls itself automatic is the controller manager's, as the API server has noted it. */
export const decidedByController: Check<Requests> = {
  id: 'decided-requests/by-controller',
  source: '002, csrapproving approves; apiserver, pkg/endpoints/handlers/create.go managerOrUserAgent',
  nothing: 'the cluster holds no request of a kubelet that was approved automatically',
  judge: (requests) => automatic(requests).flatMap((request) => writtenBy(request, 'approval', request.approvers)),
};

/** What a kubelet was issued is of the controller manager's making. */
export const issuedByController: Check<Requests> = {
  id: 'decided-requests/issued-by-controller',
  source: '002 and 004, csrsigning signs; apiserver, pkg/endpoints/handlers/create.go managerOrUserAgent',
  nothing: 'the cluster holds no certificate that a signer of Kubernetes has issued',
  judge: (requests) =>
    requests
      .filter((request) => request.certificate !== undefined && isOfKubernetes(request))
      .flatMap((request) => writtenBy(request, 'certificate', request.issuers)),
};
