/** Every judgement call of kubeadm, as small documented functions that default to what upstream does. */
import { objectDecisions } from './objects.js';
import { restartDecisions } from './restart.js';
import { tokenDecisions } from './tokens.js';

export const kubeadmDecisions = { ...tokenDecisions, ...objectDecisions, ...restartDecisions };
export type KubeadmDecisions = typeof kubeadmDecisions;
