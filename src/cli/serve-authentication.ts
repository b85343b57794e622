/** What the arguments of joinproof serve say of authenticators. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../run/usage-error.js';
import type { AuthenticationFlags } from '../targets/reference.js';

/** As commander parses them. */
export interface AuthenticationOptions {
  readonly tokenAuthFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountIssuer?: readonly string[];
  readonly apiAudiences?: string;
  readonly serviceAccountLookup?: string;
  readonly anonymousAuth?: string;
  readonly enableBootstrapTokenAuth?: string;
  readonly oidcIssuerUrl?: string;
}

/** What a reference is told of them. */
interface Told {
  readonly authentication: AuthenticationFlags;
  readonly anonymousAuth: boolean;
  readonly bootstrapTokenAuth: boolean;
}

function textOf(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${flag} ${file} cannot be read (${code}). Give a file that you may read.`);
  }
}

/** Source: pkg/kubeapiserver/options/authentication.go Validate. */
function checkIssuer(issuer: string): string {
  if (issuer !== '' && (!issuer.includes(':') || URL.canParse(issuer))) return issuer;
  throw new UsageError(
    `--service-account-issuer "${issuer}" is no issuer. Give a URL, for example https://issuer.example, or a name ` +
      'without a colon.',
  );
}

/** Throws UsageError for a file that cannot be read, an issuer that is none, and for --oidc-*. */
export function authenticationOf(options: AuthenticationOptions): Told {
  if (options.oidcIssuerUrl !== undefined)
    throw new UsageError(
      '--oidc-issuer-url is refused: the reference asks no identity provider. Give static tokens with --token-auth-file.',
    );
  const { tokenAuthFile, serviceAccountKeyFile, serviceAccountIssuer, apiAudiences, serviceAccountLookup } = options;
  const given = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
    value === undefined ? {} : ({ [name]: value } as Record<K, V>);
  return {
    anonymousAuth: options.anonymousAuth !== 'false',
    bootstrapTokenAuth: options.enableBootstrapTokenAuth !== 'false',
    authentication: {
      ...given('tokenAuthFile', tokenAuthFile === undefined ? undefined : textOf('--token-auth-file', tokenAuthFile)),
      ...given(
        'serviceAccountKeyFiles',
        serviceAccountKeyFile?.map((file) => textOf('--service-account-key-file', file)),
      ),
      ...given('serviceAccountIssuers', serviceAccountIssuer?.map(checkIssuer)),
      ...given('apiAudiences', apiAudiences?.split(',')),
      ...given(
        'serviceAccountLookup',
        serviceAccountLookup === undefined ? undefined : serviceAccountLookup === 'true',
      ),
    },
  };
}
