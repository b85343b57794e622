export const apiDecisions = {};
