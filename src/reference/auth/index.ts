/** What other rooms of the reference use of authentication and authorization. */
export { type ReviewOptions, reviewDefinitions } from './access-reviews.js';
export { type AuthenticatorOptions, createAuthenticator } from './authenticator.js';
export { type AuthorizerOptions, createAuthorizer, type ServerAuthorizer } from './authorizer.js';
export { bootstrapPolicy, type PolicyObject, reconcileBootstrapPolicy } from './bootstrap-policy.js';
export { type EscalationHooks, escalationHooks } from './escalation.js';
export { type ImpersonationRequest, impersonate, type WantedUser, wantedUser } from './impersonation.js';
export { type NodeRestrictionOptions, nodeRestriction } from './node-restriction.js';
export { serviceAccountAdmission } from './service-account-admission.js';
export { createServiceAccountTokens, type ServiceAccountTokenOptions, type ServiceAccountTokens } from './service-account-tokens.js';
export { requestToken } from './token-requests.js';
