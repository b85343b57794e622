/**
 * Every judgement call of the reference, as small documented functions that default to what upstream does. Reading them is reading
 * the specification; a mutant (src/mutants/) replaces one of them. Each group lives beside the others in decisions/, written by its subject.
 * A decision is a pure function of its arguments: no store, no clock, no I/O. What needs those passes values in.
 */
import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import { apiDecisions } from './decisions/api.js';
import { authorizationDecisions } from './decisions/authorization.js';
import { certificateDecisions } from './decisions/certificates.js';
import { clusterInfoDecisions } from './decisions/cluster-info.js';
import { controlPlaneDecisions } from './decisions/control-plane.js';
import { nodeDecisions } from './decisions/nodes.js';
import { tokenDecisions } from './decisions/tokens.js';

/** What upstream does. */
export const upstream = {
  ...tokenDecisions,
  ...clusterInfoDecisions,
  ...certificateDecisions,
  ...authorizationDecisions,
  ...nodeDecisions,
  ...controlPlaneDecisions,
  ...kubeadmDecisions,
  ...apiDecisions,
};

export type Decisions = typeof upstream;

/** Upstream with some decisions replaced: what a mutant or a variant is. */
export const decide = (replaced: Partial<Decisions> = {}): Decisions => ({ ...upstream, ...replaced });
