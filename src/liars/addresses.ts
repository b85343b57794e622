/** Where a control plane that joins is to serve. */
export const OWN_ENDPOINT = { advertiseAddress: '192.0.2.20', bindPort: 6443 } as const;
