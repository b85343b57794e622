/**
 * The three validating plug-ins that guard certificate requests: CertificateApproval, CertificateSigning, CertificateSubjectRestriction.
 * Source: plugin/pkg/admission/certificates/{approval,signing,subjectrestriction}/admission.go, pkg/certauthorization/certauthorization.go.
 */
import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../apiserver/go/text.js';
import { forbidden } from '../../apiserver/machinery/errors.js';
import type { AdmissionAttributes, AdmissionPlugin, Authorizer } from '../../apiserver/types.js';
import { SIGNER_APISERVER_CLIENT } from '../../kubernetes/names.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { CSR_GROUP, CSRS, certificateOf, conditionsOf, parseSpecRequest, viewRequest } from './view.js';

const concerns = (
  attributes: AdmissionAttributes,
  operation: AdmissionAttributes['operation'],
  subresource: string,
): boolean =>
  attributes.operation === operation &&
  attributes.subresource === subresource &&
  attributes.resource === CSRS.resource &&
  attributes.group === CSRS.group;

/** Whether a user may `verb` for a signer: any one of the names that the decision gives is enough. An authorizer's error counts as no. */
function mayActForSigner(
  decisions: Decisions,
  authorizer: Authorizer,
  user: UserInfo,
  verb: 'approve' | 'sign',
  signerName: string,
): boolean {
  return decisions.signerRightNames(signerName).some((name) => {
    const asked = {
      user,
      verb,
      name,
      group: CSR_GROUP,
      version: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      path: '',
      isResourceRequest: true,
    };
    return authorizer.authorize(asked).decision === 'allow';
  });
}

const signerOf = (object: KubeObject): string => viewRequest(object).spec.signerName;

/** In the order in which upstream runs them. They validate only, so their place among mutating plug-ins does not matter. */
export function certificateAdmission(decisions: Decisions, authorizer: Authorizer): readonly AdmissionPlugin[] {
  return [
    {
      name: 'CertificateApproval',
      validate(attributes) {
        const { old } = attributes;
        if (!concerns(attributes, 'UPDATE', 'approval') || old === undefined) return;
        const signer = signerOf(old);
        if (
          !decisions.approvalNeedsSignerRight(signer) ||
          mayActForSigner(decisions, authorizer, attributes.user, 'approve', signer)
        )
          return;
        throw forbidden(
          CSRS,
          attributes.name,
          `user not permitted to approve requests with signerName ${goQuote(signer)}`,
        );
      },
    },
    {
      name: 'CertificateSigning',
      validate(attributes) {
        const { object, old } = attributes;
        if (!concerns(attributes, 'UPDATE', 'status') || old === undefined || object === undefined) return;
        const certificate = certificateOf(object) !== certificateOf(old);
        const conditions = !isDeepStrictEqual(conditionsOf(object), conditionsOf(old));
        if (!certificate && !conditions) return;
        const signer = signerOf(old);
        if (
          !decisions.signingNeedsSignerRight({ certificate, conditions }) ||
          mayActForSigner(decisions, authorizer, attributes.user, 'sign', signer)
        )
          return;
        throw forbidden(
          CSRS,
          attributes.name,
          `user not permitted to sign requests with signerName ${goQuote(signer)}`,
        );
      },
    },
    {
      name: 'CertificateSubjectRestriction',
      validate(attributes) {
        const { object } = attributes;
        if (!concerns(attributes, 'CREATE', '') || object === undefined) return;
        const { signerName, request } = viewRequest(object).spec;
        if (signerName !== SIGNER_APISERVER_CLIENT) return;
        const parsed = parseSpecRequest(request ?? '');
        if ('parseError' in parsed) throw forbidden(CSRS, attributes.name, `failed to parse CSR: ${parsed.parseError}`);
        if (!decisions.subjectIsRestricted(signerName, parsed.organizations)) return;
        throw forbidden(
          CSRS,
          attributes.name,
          `use of ${SIGNER_APISERVER_CLIENT} signer with system:masters group is not allowed`,
        );
      },
    },
  ];
}
