/** The profiles of the package: each is a file of features/profiles. Sorted. */
export const PROFILES = [
  'cluster-api',
  'eks',
  'gke',
  'k0s',
  'k3s',
  'kubeadm',
  'openshift',
  'plain',
  'rke2',
  'strict',
  'talos',
] as const;

export const isProfile = (name: string): boolean => (PROFILES as readonly string[]).includes(name);
