/** Flags that an API server knows, or has known, and the reference refuses with a sentence. */

const PROVIDER = 'the reference asks no identity provider';

/** Why, by flag. */
export const REFUSED_FLAGS: Readonly<Record<string, string>> = {
  'oidc-issuer-url': PROVIDER,
  'oidc-client-id': PROVIDER,
  'oidc-ca-file': PROVIDER,
  'oidc-username-claim': PROVIDER,
  'oidc-username-prefix': PROVIDER,
  'oidc-groups-claim': PROVIDER,
  'oidc-groups-prefix': PROVIDER,
  'oidc-required-claim': PROVIDER,
  'oidc-signing-algs': PROVIDER,
  'basic-auth-file': 'basic authentication left Kubernetes in 1.19, and no version is played that is so old',
  'authentication-token-webhook-config-file': 'the reference asks no webhook about tokens',
};
