/**
 * CertificateSigning: who writes /status needs the right to sign for the signer. Source:
 * plugin/pkg/admission/certificates/signing/admission.go.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AdmissionPlugin, Authorizer } from '../../apiserver/access.js';
import { viewRequest } from '../certificates/view.js';
import type { Decisions } from '../decisions.js';
import { concernsRequests, demandSignerRight } from './signer-rights.js';

export const certificateSigning = (decisions: Decisions, authorizer: Authorizer): AdmissionPlugin => ({
  name: 'CertificateSigning',
  validate(attributes) {
    const { object, old } = attributes;
    if (!concernsRequests(attributes, 'UPDATE', 'status') || old === undefined || object === undefined) return;
    const [now, before] = [viewRequest(object), viewRequest(old)];
    const certificate = now.certificate !== before.certificate;
    const conditions = !isDeepStrictEqual(now.conditions, before.conditions);
    if (decisions.signingNeedsSignerRight({ certificate, conditions }))
      demandSignerRight(attributes, 'sign', before.spec.signerName, { decisions, authorizer });
  },
});
