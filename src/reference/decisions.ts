/**
 * Every judgement call of the reference, as small documented functions that default to what upstream does. Reading them
 * is reading the specification; a mutant (src/mutants/) replaces one of them. Each group lives beside the others in
 * decisions/, written by its subject. A decision is a pure function of its arguments: no store, no clock, no I/O. What
 * needs those passes values in.
 */
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import { admissionDecisions } from './decisions/admission.js';
import { aggregationDecisions } from './decisions/aggregation.js';
import { apiDecisions } from './decisions/api.js';
import { authenticationDecisions } from './decisions/authentication.js';
import { authorizationDecisions } from './decisions/authorization.js';
import { certificateApprovalDecisions } from './decisions/certificate-approval.js';
import { certificateRequestDecisions } from './decisions/certificate-requests.js';
import { certificateSigningDecisions } from './decisions/certificate-signing.js';
import { clientCertificateDecisions } from './decisions/client-certificates.js';
import { clusterInfoDecisions } from './decisions/cluster-info.js';
import { controlPlaneDecisions } from './decisions/control-plane.js';
import { controllerDecisions } from './decisions/controllers.js';
import { impersonationDecisions } from './decisions/impersonation.js';
import { nodeRestrictionDecisions } from './decisions/node-restriction.js';
import { nodeDecisions } from './decisions/nodes.js';
import { passwordFileDecisions } from './decisions/password-file.js';
import { podDecisions } from './decisions/pods.js';
import { serviceAccountTokenDecisions } from './decisions/service-account-tokens.js';
import { tokenFileDecisions } from './decisions/token-file.js';
import { tokenRequestDecisions } from './decisions/token-requests.js';
import { tokenDecisions } from './decisions/tokens.js';

/** What upstream does. */
export const upstream = {
  ...tokenDecisions,
  ...authenticationDecisions,
  ...clientCertificateDecisions,
  ...passwordFileDecisions,
  ...tokenFileDecisions,
  ...serviceAccountTokenDecisions,
  ...tokenRequestDecisions,
  ...impersonationDecisions,
  ...controllerDecisions,
  ...authorizationDecisions,
  ...nodeDecisions,
  ...nodeRestrictionDecisions,
  ...podDecisions,
  ...certificateRequestDecisions,
  ...certificateApprovalDecisions,
  ...certificateSigningDecisions,
  ...clusterInfoDecisions,
  ...controlPlaneDecisions,
  ...kubeadmDecisions,
  ...admissionDecisions,
  ...aggregationDecisions,
  ...apiDecisions,
};

export type Decisions = typeof upstream;
export type DecisionName = keyof Decisions;

/** Upstream with some decisions replaced: what a mutant or a variant is. */
export const decide = (replaced: Partial<Decisions> = {}): Decisions => ({ ...upstream, ...replaced });
