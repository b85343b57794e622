/**
 * CertificateApproval: who writes /approval needs the right to approve for the signer. Source:
 * plugin/pkg/admission/certificates/approval/admission.go.
 */
import type { AdmissionPlugin, Authorizer } from '../../apiserver/access.js';
import { viewRequest } from '../certificates/view.js';
import type { Decisions } from '../decisions.js';
import { concernsRequests, demandSignerRight } from './signer-rights.js';

export const certificateApproval = (decisions: Decisions, authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateApproval',
  validate(attributes) {
    const { old } = attributes;
    if (!concernsRequests(attributes, 'UPDATE', 'approval') || old === undefined) return;
    const { signerName } = viewRequest(old).spec;
    if (decisions.approvalNeedsSignerRight(signerName))
      demandSignerRight(attributes, 'approve', signerName, { decisions, authorizer });
  },
});
