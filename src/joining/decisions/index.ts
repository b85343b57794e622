/**
 * Every judgement call of a machine that joins, as small documented functions that default to what upstream does. Time
 * and chance are arguments.
 */
import { certificateDecisions } from './certificates.js';
import { requestDecisions } from './requests.js';
import { startDecisions } from './start.js';

export const joiningDecisions = { ...certificateDecisions, ...requestDecisions, ...startDecisions };
export type JoiningDecisions = typeof joiningDecisions;
