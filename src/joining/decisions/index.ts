/**
 * Every judgement call of a machine that joins, as small documented functions that default to what upstream does. Time
 * and chance are arguments.
 */
import { callDecisions } from './calls.js';
import { certificateDecisions } from './certificates.js';
import { controlPlaneDecisions } from './control-planes.js';
import { discoveryDecisions } from './discovery.js';
import { etcdDecisions } from './etcd.js';
import { joinDecisions } from './joins.js';
import { kubeconfigDecisions } from './kubeconfigs.js';
import { requestDecisions } from './requests.js';
import { sharedCertificateDecisions } from './shared-certificates.js';
import { signatureDecisions } from './signature.js';
import { startDecisions } from './start.js';
import { validationDecisions } from './validation.js';

export const joiningDecisions = {
  ...callDecisions,
  ...certificateDecisions,
  ...controlPlaneDecisions,
  ...discoveryDecisions,
  ...etcdDecisions,
  ...joinDecisions,
  ...kubeconfigDecisions,
  ...requestDecisions,
  ...sharedCertificateDecisions,
  ...signatureDecisions,
  ...startDecisions,
  ...validationDecisions,
};
export type JoiningDecisions = typeof joiningDecisions;
