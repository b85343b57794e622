export const nodeDecisions = {};
