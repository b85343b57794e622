/**
 * CertificateSubjectRestriction: nobody asks the client signer for system:masters.
 * Source: plugin/pkg/admission/certificates/subjectrestriction/admission.go.
 */

import type { AdmissionPlugin } from '../../apiserver/access.js';
import { notAdmitted } from '../../apiserver/machinery/errors.js';
import { SIGNER_APISERVER_CLIENT } from '../../kubernetes/names.js';
import { parseSpecRequest, viewRequest } from '../certificates/view.js';
import type { Decisions } from '../decisions.js';
import { concernsRequests } from './signer-rights.js';

export const certificateSubjectRestriction = (decisions: Decisions): AdmissionPlugin => ({
  name: 'CertificateSubjectRestriction',
  validate(attributes) {
    const { object } = attributes;
    if (!concernsRequests(attributes, 'CREATE', '') || object === undefined) return;
    const { signerName, request } = viewRequest(object).spec;
    if (signerName !== SIGNER_APISERVER_CLIENT) return;
    const parsed = parseSpecRequest(request ?? '');
    if ('parseError' in parsed) throw notAdmitted(attributes, `failed to parse CSR: ${parsed.parseError}`);
    if (!decisions.subjectIsRestricted(signerName, parsed.organizations)) return;
    throw notAdmitted(attributes, `use of ${SIGNER_APISERVER_CLIENT} signer with system:masters group is not allowed`);
  },
});
