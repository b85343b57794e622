/** Versions of the images that each minor deploys. Source: cmd/kubeadm/app/constants/constants.go. */

/** Source: CoreDNSVersion. */
const COREDNS: Readonly<Record<number, string>> = {
  22: 'v1.8.4',
  23: 'v1.8.6',
  24: 'v1.8.6',
  25: 'v1.9.3',
  26: 'v1.9.3',
  27: 'v1.10.1',
  28: 'v1.10.1',
  29: 'v1.11.1',
  30: 'v1.11.1',
  31: 'v1.11.3',
  32: 'v1.11.3',
  33: 'v1.12.0',
  34: 'v1.12.1',
  35: 'v1.13.1',
  36: 'v1.14.2',
};

/** Source: DefaultEtcdVersion. */
const ETCD: Readonly<Record<number, string>> = {
  25: '3.5.6-0',
  26: '3.5.10-0',
  27: '3.5.12-0',
  28: '3.5.15-0',
  29: '3.5.16-0',
  30: '3.5.15-0',
  31: '3.5.24-0',
  32: '3.5.24-0',
  33: '3.5.24-0',
  34: '3.6.5-0',
  35: '3.6.6-0',
  36: '3.6.8-0',
};

/** Of minors that are older than all that are known, the oldest. */
const versionAt = (table: Readonly<Record<number, string>>, minor: number): string =>
  table[minor] ?? Object.values(table)[0] ?? '';

export const corednsVersion = ({ minor }: { readonly minor: number }): string => versionAt(COREDNS, minor);
export const etcdVersion = ({ minor }: { readonly minor: number }): string => versionAt(ETCD, minor);

/** Source: PauseVersion. */
const PAUSE: Readonly<Record<number, string>> = {
  22: '3.5',
  23: '3.6',
  24: '3.7',
  25: '3.8',
  26: '3.9',
  27: '3.9',
  28: '3.9',
  29: '3.9',
  30: '3.9',
  31: '3.10',
  32: '3.10',
  33: '3.10',
  34: '3.10.1',
};

/** The image that holds a Pod's namespaces, as kubelets were told it up to 1.34. */
export const pauseVersion = ({ minor }: { readonly minor: number }): string => versionAt(PAUSE, minor);
