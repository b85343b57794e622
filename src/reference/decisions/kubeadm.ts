export const kubeadmDecisions = {};
