/** What the phases of kubeadm init know of the cluster that they set up. */

/** "v1.36.1" taken apart. */
export interface Release {
  readonly text: string;
  readonly minor: number;
  readonly patch: number;
}

export interface InitFacts {
  readonly release: Release;
  /** URL of the API server as admin.conf names it, "https://127.0.0.1:6443". */
  readonly server: string;
  /** host:port of `server`; kubeadm calls it controlPlaneEndpoint. */
  readonly endpoint: string;
  /** PEM of the cluster's CA. */
  readonly caPem: string;
  readonly keyAlgorithm: 'RSA-2048' | 'ECDSA-P256';
  readonly nodeName: string;
  /** Where the API server says that it can be reached, and on which port it listens. */
  readonly advertiseAddress: string;
  readonly bindPort: number;
}

export const SERVICE_SUBNET = '10.96.0.0/12';
/** The first and the tenth address of the service subnet. */
export const API_SERVICE_IP = '10.96.0.1';
export const DNS_SERVICE_IP = '10.96.0.10';
export const CLUSTER_DOMAIN = 'cluster.local';
export const CLUSTER_NAME = 'kubernetes';
export const IMAGE_REPOSITORY = 'registry.k8s.io';
export const CERTIFICATES_DIR = '/etc/kubernetes/pki';

/** The releases that the reference plays: what changed within them is known, and nothing before. */
export const OLDEST_MINOR = 25;
export const NEWEST_MINOR = 36;
export const NEWEST_RELEASE = 'v1.36.1';

/** A release that the reference plays. Throws a sentence for what is no version or out of range; "1.33" is "v1.33.0". */
export function parseRelease(text: string): Release {
  const parts = /^v?1\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(text);
  const minor = Number(parts?.[1]);
  if (parts === null || minor < OLDEST_MINOR || minor > NEWEST_MINOR)
    throw new RangeError(
      `"${text}" is no Kubernetes version that the reference plays. Give one from v1.${OLDEST_MINOR} to v1.${NEWEST_MINOR}, for example ${NEWEST_RELEASE}.`,
    );
  const patch = Number(parts[2] ?? 0);
  return { text: `v1.${minor}.${patch}`, minor, patch };
}

/** True from that release on; `backports` names the patch of older minors that has it too. */
export function since(
  release: Release,
  minor: number,
  patch = 0,
  backports: Readonly<Record<number, number>> = {},
): boolean {
  if (release.minor !== minor) {
    const backported = backports[release.minor];
    return release.minor > minor || (backported !== undefined && release.patch >= backported);
  }
  return release.patch >= patch;
}
