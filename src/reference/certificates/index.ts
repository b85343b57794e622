/**
 * Certificate requests in the reference: what a start-up composes.
 *
 * - `certificateSigningRequests(decisions, minor)`: the ResourceDefinition, with /approval and /status.
 * - `certificateAdmission(decisions, authorizer)`: three validating plug-ins; they belong behind NodeRestriction.
 * - `csrApprover(context, { minor })`, `csrSigners(context, { authorityFor, minor, longestLifetime })`, `csrCleaner(context, { minor })`: the controllers csrapproving,
 *   csrsigning and csrcleaner. They write as `context.as('certificate-controller')`, so system:controller:certificate-controller must be bound.
 */
export { certificateAdmission } from './admission.js';
export { csrApprover } from './approver.js';
export { csrCleaner } from './cleaner.js';
export { certificateSigningRequests } from './definition.js';
export { csrSigners } from './signers.js';
