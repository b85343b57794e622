/** Ports at which kubelets of the cluster say how they are, and those do that are told another one. */
export const HEALTHZ = 10_248;
export const HEALTHZ_ELSEWHERE = 10_348;

/** Where a control plane that joins is to serve. */
export const OWN_ENDPOINT = { advertiseAddress: '192.0.2.20', bindPort: 6443 } as const;
/** The port of an API server that is told to listen at another one. */
export const OTHER_PORT = 7443;
