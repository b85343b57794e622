/**
 * Which authenticators an API server has, by its flags, beside those that have a switch of their own.
 * Source: pkg/kubeapiserver/options/authentication.go.
 */

/** Texts of files, and values. Everything undefined: as kubeadm does it. */
export interface AuthenticationFlags {
  /** --token-auth-file */
  readonly tokenAuthFile?: string;
  /** --service-account-key-file, each; default: the key that signs. */
  readonly serviceAccountKeyFiles?: readonly string[];
  /** --service-account-issuer: the first one signs, all are accepted. */
  readonly serviceAccountIssuers?: readonly string[];
  /** --api-audiences; default: the issuers. */
  readonly apiAudiences?: readonly string[];
  /** --service-account-lookup; default: on. */
  readonly serviceAccountLookup?: boolean;
  /** --requestheader-allowed-names; none: every client of that CA. */
  readonly proxyNames?: readonly string[];
}

/** Flags that stand once on a command line; a file among them lies at `tokens`. */
export const argumentsOfAuthentication = (
  { tokenAuthFile, apiAudiences, serviceAccountLookup, proxyNames }: AuthenticationFlags,
  tokens: string,
): Readonly<Record<string, string>> => ({
  ...(tokenAuthFile === undefined ? {} : { 'token-auth-file': tokens }),
  ...(apiAudiences === undefined ? {} : { 'api-audiences': apiAudiences.join() }),
  ...(serviceAccountLookup === undefined ? {} : { 'service-account-lookup': String(serviceAccountLookup) }),
  ...(proxyNames === undefined ? {} : { 'requestheader-allowed-names': proxyNames.join() }),
});
