/** What a gateway says in the place of the API server. */
import type { Said } from './types.js';

/** A Status that tells of a failure. */
export const failure = (code: number, reason: string, message: string): Said => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code },
});
