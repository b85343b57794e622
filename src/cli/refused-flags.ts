/** Flags that an API server knows, or has known, and the reference refuses with a sentence. */

const TOKENS = 'Give static tokens with --token-auth-file.';
const provider = `the reference asks no identity provider. ${TOKENS}`;

/** Why, and what to give instead, by flag. */
export const REFUSED_FLAGS: Readonly<Record<string, string>> = {
  'oidc-issuer-url': provider,
  'oidc-client-id': provider,
  'oidc-ca-file': provider,
  'oidc-username-claim': provider,
  'oidc-username-prefix': provider,
  'oidc-groups-claim': provider,
  'oidc-groups-prefix': provider,
  'oidc-required-claim': provider,
  'oidc-signing-algs': provider,
  'basic-auth-file':
    'basic authentication left Kubernetes in 1.19. Give --legacy-basic-auth-file to have it as until 1.18, or static ' +
    'tokens with --token-auth-file.',
  'authentication-token-webhook-config-file': `the reference asks no webhook about tokens. ${TOKENS}`,
};
