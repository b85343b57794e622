export const clusterInfoDecisions = {};
