export const tokenDecisions = {};
