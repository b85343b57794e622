/**
 * Which authenticators an API server has, by its flags, beside those that have a switch of their own.
 * Source: pkg/kubeapiserver/options/authentication.go; apiserver, pkg/server/options/authentication.go.
 */

/** What --requestheader-… says: whose clients may speak for others, and in which headers. */
export interface RequestHeaderFlags {
  /** --requestheader-client-ca-file: PEM; default: the CA that kubeadm makes for front proxies. */
  readonly clientCa?: string;
  /** --requestheader-allowed-names; none: every client of that CA. */
  readonly allowedNames?: readonly string[];
  readonly usernameHeaders?: readonly string[];
  /** --requestheader-uid-headers, which kubeadm does not write; since 1.33. */
  readonly uidHeaders?: readonly string[];
  readonly groupHeaders?: readonly string[];
  readonly extraHeadersPrefix?: readonly string[];
}

/** Texts of files, and values. Everything undefined: as kubeadm does it. */
export interface AuthenticationFlags {
  /** --client-ca-file: PEM; false: none is given. */
  readonly clientCa?: string | false;
  /** --basic-auth-file, which API servers had until 1.18. */
  readonly basicAuthFile?: string;
  /** --token-auth-file */
  readonly tokenAuthFile?: string;
  /** --authentication-config: YAML of an AuthenticationConfiguration. */
  readonly authenticationConfig?: string;
  /** --service-account-key-file, each; default: the key that signs. */
  readonly serviceAccountKeyFiles?: readonly string[];
  /** --service-account-issuer: the first one signs, all are accepted. */
  readonly serviceAccountIssuers?: readonly string[];
  /** --api-audiences; default: the issuers. */
  readonly apiAudiences?: readonly string[];
  /** --service-account-lookup; default: on. */
  readonly serviceAccountLookup?: boolean;
  /** false: no proxy is trusted. */
  readonly requestHeader?: RequestHeaderFlags | false;
}

/** Flags of a command line, by name; several values: the flag stands once for each; undefined: it is left out. */
export type AuthenticationArguments = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What stands in a folder beside the files of kubeadm: its names, each with its text. */
export function authenticationFiles({
  clientCa,
  basicAuthFile,
  tokenAuthFile,
  authenticationConfig,
  serviceAccountKeyFiles,
  requestHeader,
}: AuthenticationFlags): Readonly<Record<string, string>> {
  const proxies = requestHeader === false ? undefined : requestHeader?.clientCa;
  const written = (file: string, text: string | false | undefined): Readonly<Record<string, string>> =>
    text === undefined || text === false ? {} : { [file]: text };
  return {
    ...written('client-ca.crt', clientCa),
    ...written('passwords.csv', basicAuthFile),
    ...written('tokens.csv', tokenAuthFile),
    ...written('authentication.yaml', authenticationConfig),
    ...written('requestheader-ca.crt', proxies),
    ...Object.fromEntries((serviceAccountKeyFiles ?? []).map((text, at) => [`service-accounts-${at}.pub`, text])),
  };
}

/** Names of the flags about front proxies. */
const PROXY_FLAGS = ['allowed-names', 'client-ca-file', 'extra-headers-prefix', 'group-headers', 'username-headers'];

const given = (name: string, value: string | readonly string[] | undefined): AuthenticationArguments =>
  value === undefined ? {} : { [name]: value };

function proxyArguments(said: RequestHeaderFlags | false): AuthenticationArguments {
  if (said === false) return Object.fromEntries(PROXY_FLAGS.map((name) => [`requestheader-${name}`, undefined]));
  const { allowedNames, usernameHeaders, uidHeaders, groupHeaders, extraHeadersPrefix } = said;
  return {
    // Without a name every client of that CA is allowed: the flag is left out.
    ...(allowedNames?.length === 0
      ? { 'requestheader-allowed-names': undefined }
      : given('requestheader-allowed-names', allowedNames?.join())),
    ...given('requestheader-username-headers', usernameHeaders?.join()),
    ...given('requestheader-uid-headers', uidHeaders?.join()),
    ...given('requestheader-group-headers', groupHeaders?.join()),
    ...given('requestheader-extra-headers-prefix', extraHeadersPrefix?.join()),
  };
}

/** What the flags are called on a command line whose files lie in `folder`. */
export function authenticationArguments(flags: AuthenticationFlags, folder: string): AuthenticationArguments {
  const { apiAudiences, serviceAccountIssuers, serviceAccountLookup, requestHeader = {} } = flags;
  const at = (file: string): string => `${folder}/${file}`;
  const files = Object.keys(authenticationFiles(flags));
  const file = (name: string, written: string): AuthenticationArguments =>
    files.includes(written) ? { [name]: at(written) } : {};
  return {
    ...(flags.clientCa === false ? { 'client-ca-file': undefined } : file('client-ca-file', 'client-ca.crt')),
    ...file('basic-auth-file', 'passwords.csv'),
    ...file('token-auth-file', 'tokens.csv'),
    ...file('authentication-config', 'authentication.yaml'),
    ...given(
      'service-account-key-file',
      flags.serviceAccountKeyFiles?.map((_, index) => at(`service-accounts-${index}.pub`)),
    ),
    ...given('service-account-issuer', serviceAccountIssuers),
    ...given('api-audiences', apiAudiences?.join()),
    ...given('service-account-lookup', serviceAccountLookup === undefined ? undefined : String(serviceAccountLookup)),
    ...file('requestheader-client-ca-file', 'requestheader-ca.crt'),
    ...proxyArguments(requestHeader),
  };
}
