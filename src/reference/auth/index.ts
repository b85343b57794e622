/** What puts a server together of authentication and authorization; single functions are taken from their own files. */
export { reviewDefinitions } from './access-reviews.js';
export { createAuthenticator } from './authenticator.js';
export { createAuthorizer } from './authorizer.js';
export { reconcileBootstrapPolicy } from './bootstrap-policy.js';
export { escalationHooks } from './escalation.js';
export { nodeRestriction } from './node-restriction.js';
export { serviceAccountAdmission } from './service-account-admission.js';
export { createServiceAccountTokens } from './service-account-tokens.js';
export { requestToken } from './token-requests.js';
