/** What the plug-ins that guard certificate requests share. Source: pkg/certauthorization/certauthorization.go. */

import type { AdmissionAttributes, Authorizer } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import { notAdmitted } from '../../apiserver/machinery/errors.js';
import { CSR_GROUP, CSRS } from '../certificates/view.js';
import type { Decisions } from '../decisions.js';

/** Whether a write is one of certificate requests, by operation and subresource. */
export const concernsRequests = (
  attributes: AdmissionAttributes,
  operation: AdmissionAttributes['operation'],
  subresource: string,
): boolean =>
  attributes.operation === operation &&
  attributes.subresource === subresource &&
  attributes.resource === CSRS.resource &&
  attributes.group === CSRS.group;

/**
 * Throws 403 where the writer may not `verb` for a signer: any one of the names that are decided is enough. An
 * authorizer's error counts as no.
 */
export function demandSignerRight(
  attributes: AdmissionAttributes,
  verb: 'approve' | 'sign',
  signerName: string,
  { decisions, authorizer }: { readonly decisions: Decisions; readonly authorizer: Authorizer },
): void {
  const allowed = decisions.signerRightNames(signerName).some(
    (name) =>
      authorizer.authorize({
        user: attributes.user,
        verb,
        name,
        group: CSR_GROUP,
        version: '*',
        resource: 'signers',
        subresource: '',
        namespace: '',
        path: '',
        isResourceRequest: true,
      }).decision === 'allow',
  );
  if (!allowed)
    throw notAdmitted(attributes, `user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`);
}
