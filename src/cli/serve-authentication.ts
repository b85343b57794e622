/** What the arguments of joinproof serve say of authenticators. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../run/usage-error.js';
import { codeOf } from '../targets/error-code.js';
import type { AuthenticationFlags } from '../targets/reference.js';
import { REFUSED_FLAGS } from './refused-flags.js';

/** As commander parses them. */
export interface AuthenticationOptions {
  readonly legacyBasicAuthFile?: string;
  readonly tokenAuthFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly serviceAccountIssuer?: readonly string[];
  readonly apiAudiences?: string;
  readonly serviceAccountLookup?: string;
  readonly anonymousAuth?: string;
  readonly enableBootstrapTokenAuth?: string;
  readonly clientCaFile?: string;
  readonly requestheaderClientCaFile?: string;
  readonly requestheaderAllowedNames?: string;
  readonly requestheaderUsernameHeaders?: string;
  readonly requestheaderUidHeaders?: string;
  readonly requestheaderGroupHeaders?: string;
  readonly requestheaderExtraHeadersPrefix?: string;
  readonly authenticationConfig?: string;
}

/** What a reference is told of them. */
interface Told {
  readonly authentication: AuthenticationFlags;
  /** undefined: not given. */
  readonly anonymousAuth?: boolean;
  readonly bootstrapTokenAuth: boolean;
}

function textOf(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = codeOf(error);
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

/** Throws UsageError for a flag that the reference has not. */
function refuseOthers(options: object): void {
  for (const [flag, why] of Object.entries(REFUSED_FLAGS)) {
    if (!(flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) in options)) continue;
    throw new UsageError(`--${flag} is refused: ${why}`);
  }
}

/** A list as upstream's flags write it; '' is none. */
const listOf = (value: string): readonly string[] => (value === '' ? [] : value.split(','));

/** Throws UsageError for a file that cannot be read, an issuer that is none, and for what the reference has not. */
export function authenticationOf(options: AuthenticationOptions): Told {
  refuseOthers(options);
  const { tokenAuthFile, serviceAccountKeyFile, serviceAccountIssuer, apiAudiences, serviceAccountLookup } = options;
  const given = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
    value === undefined ? {} : ({ [name]: value } as Record<K, V>);
  const file = <K extends string>(name: K, flag: string, path: string | undefined): Partial<Record<K, string>> =>
    given(name, path === undefined ? undefined : textOf(flag, path));
  const names = <K extends string>(name: K, value: string | undefined): Partial<Record<K, readonly string[]>> =>
    given(name, value === undefined ? undefined : listOf(value));
  return {
    ...given('anonymousAuth', options.anonymousAuth === undefined ? undefined : options.anonymousAuth === 'true'),
    bootstrapTokenAuth: options.enableBootstrapTokenAuth !== 'false',
    authentication: {
      ...file('basicAuthFile', '--legacy-basic-auth-file', options.legacyBasicAuthFile),
      ...file('tokenAuthFile', '--token-auth-file', tokenAuthFile),
      ...file('authenticationConfig', '--authentication-config', options.authenticationConfig),
      ...file('clientCa', '--client-ca-file', options.clientCaFile),
      requestHeader: {
        ...file('clientCa', '--requestheader-client-ca-file', options.requestheaderClientCaFile),
        ...names('allowedNames', options.requestheaderAllowedNames),
        ...names('usernameHeaders', options.requestheaderUsernameHeaders),
        ...names('uidHeaders', options.requestheaderUidHeaders),
        ...names('groupHeaders', options.requestheaderGroupHeaders),
        ...names('extraHeadersPrefix', options.requestheaderExtraHeadersPrefix),
      },
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
