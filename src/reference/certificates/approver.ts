/**
 * Approves kubelets' requests for client certificates, after asking whether the requester may have one. Source:
 * pkg/controller/certificates/approver/sarapprove.go.
 */

import type { ApiClient, Controller } from '../../apiserver/types.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type { ControllerContext } from '../controllers/controller.js';
import { createRequestLoop } from './request-loop.js';
import { CSR_GROUP, CSRS, parseSpecRequest, viewRequest } from './view.js';

/**
 * What the approver asks: may this user create this subresource of certificatesigningrequests? `version` is '' up to
 * 1.27. Throws ApiError where it cannot be asked.
 */
export type AskAccess = (
  user: UserInfo,
  attributes: { readonly verb: 'create'; readonly subresource: string; readonly version: string },
) => boolean;

/** Asks by a SubjectAccessReview of the API, with the right to ask checked there. */
const askThrough =
  (client: ApiClient): AskAccess =>
  (user, { verb, subresource, version }) => {
    const review = client.create(
      { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: user.username,
          ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
          groups: user.groups,
          ...(user.extra === undefined ? {} : { extra: user.extra }),
          resourceAttributes: {
            group: CSR_GROUP,
            resource: CSRS.resource,
            verb,
            subresource,
            ...(version === '' ? {} : { version }),
          },
        },
      },
    );
    return (
      typeof review.status === 'object' &&
      review.status !== null &&
      'allowed' in review.status &&
      review.status.allowed === true
    );
  };

export interface ApproverOptions {
  /** Minor of the version that is played. */
  readonly minor: number;
  /** Default: a SubjectAccessReview as the controller. */
  readonly ask?: AskAccess;
}

/**
 * certificatesigningrequest-approving-controller (csrapproving). It never denies: what it does not approve stays
 * pending and is looked at again.
 */
export function csrApprover(context: ControllerContext, { minor, ask }: ApproverOptions): Controller {
  const { decisions } = context;
  const client = context.as('certificate-controller');
  const mayCreate = ask ?? askThrough(client);
  return createRequestLoop({
    name: 'certificatesigningrequest-approving-controller',
    context,
    concerns: (object) => {
      const { conditions, certificate } = viewRequest(object);
      return decisions.awaitsApproval(conditions, certificate !== '');
    },
    handle(object: KubeObject) {
      const { spec, conditions, certificate } = viewRequest(object);
      if (!decisions.awaitsApproval(conditions, certificate !== '')) return 'done';
      const request = parseSpecRequest(spec.request ?? '');
      if ('parseError' in request) return 'retry';
      const recorded = { ...spec, request: spec.request ?? '', expirationSeconds: spec.expirationSeconds ?? 0 };
      const rights = decisions.approvalRights(
        spec,
        request.commonName,
        decisions.kubeletClientProblem(request, spec.usages),
      );
      const version = decisions.approvalReviewVersion(minor);
      const user = decisions.approvalReviewUser(recorded);
      const allowed = rights.find((subresource) => mayCreate(user, { verb: 'create', subresource, version }));
      const verdict = decisions.approvalVerdict(allowed);
      if (verdict !== undefined) {
        const status = { conditions: [...conditions, verdict], ...(certificate === '' ? {} : { certificate }) };
        client.update(CSRS, { ...object, status }, { subresource: 'approval' });
        return 'done';
      }
      return rights.length > 0 ? 'retry' : 'done';
    },
  });
}
