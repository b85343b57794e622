/** All admission plug-ins of the reference, in the order that is decided. */

import type { AdmissionPlugin, Authorizer } from '../../apiserver/access.js';
import { podAdmission } from '../../apiserver/resources/index.js';
import { namespaceLifecycle, taintNodesByCondition } from '../../apiserver/server.js';
import type { RandomBytes, Store } from '../../apiserver/types.js';
import type { Decisions } from '../decisions.js';
import { certificateApproval } from './certificate-approval.js';
import { certificateSigning } from './certificate-signing.js';
import { certificateSubjectRestriction } from './certificate-subject-restriction.js';
import { nodeRestriction } from './node-restriction.js';
import { serviceAccountAdmission } from './service-account.js';

export interface AdmissionOptions {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly authorizer: Authorizer;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

export function admissionPlugins(options: AdmissionOptions): readonly AdmissionPlugin[] {
  const { store, authorizer, decisions } = options;
  const all = [
    namespaceLifecycle(store),
    serviceAccountAdmission(options),
    nodeRestriction(options),
    taintNodesByCondition,
    ...podAdmission(store),
    certificateApproval(decisions, authorizer),
    certificateSigning(decisions, authorizer),
    certificateSubjectRestriction(decisions),
  ];
  return decisions.admissionPlugins().flatMap((name) => all.find((plugin) => plugin.name === name) ?? []);
}
