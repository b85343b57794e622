export const authorizationDecisions = {};
