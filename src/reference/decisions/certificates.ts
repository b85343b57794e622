export const certificateDecisions = {};
