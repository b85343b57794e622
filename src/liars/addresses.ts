/** Ports at which kubelets of the cluster say how they are, and those do that are told another one. */
export const HEALTHZ = 10_248;
export const HEALTHZ_ELSEWHERE = 10_348;

/** At which port a kubelet is told to say how it is; 0: at none. */
export const healthzOf = (kubelet: string | undefined): number =>
  kubelet === 'silent' ? 0 : kubelet === 'elsewhere' ? HEALTHZ_ELSEWHERE : HEALTHZ;
/** At which port it says that it is well; undefined: at none. */
export const wellAt = (kubelet: string | undefined): number | undefined =>
  kubelet === 'unhealthy' ? undefined : healthzOf(kubelet) || undefined;

/** Where a control plane that joins is to serve: at the usual port, or at what it is told. */
export const ownEndpoint = (
  told: { readonly advertiseAddress?: string; readonly bindPort?: number } | undefined,
): { readonly advertiseAddress: string; readonly bindPort: number } => ({
  advertiseAddress: told?.advertiseAddress ?? '192.0.2.20',
  bindPort: told?.bindPort ?? 6443,
});
/** "host:port" of that. */
export function ownHost(told: Parameters<typeof ownEndpoint>[0]): string {
  const { advertiseAddress, bindPort } = ownEndpoint(told);
  return `${advertiseAddress.includes(':') ? `[${advertiseAddress}]` : advertiseAddress}:${bindPort}`;
}
/** Of a machine of IPv6. */
export const ADDRESS_OF_IPV6 = 'fd00:20::20';
/** The port of an API server that is told to listen at another one. */
export const OTHER_PORT = 7443;
