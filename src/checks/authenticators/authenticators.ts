/**
 * Which authenticators an API server has: by the flags that its Pods publish, and by what it answers to who asks.
 * Source: pkg/kubeapiserver/options/authentication.go ToAuthenticationConfig; pkg/controlplane/controller/
 * clusterauthenticationtrust; 003, NewAuthenticator.
 */
import { record, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import type { AuthenticatorKnown } from '../../model/report.js';
import { type CommandLine, isSwitchedOn } from '../written/control-plane-flags.js';

/** In the order in which upstream builds them. */
export const AUTHENTICATORS = [
  'front proxies',
  'client certificates',
  'static tokens',
  'service accounts',
  'bootstrap tokens',
  'identity providers',
  'a webhook',
  'strangers',
] as const;
export type Authenticator = (typeof AUTHENTICATORS)[number];
export const isAuthenticator = (name: string): name is Authenticator =>
  (AUTHENTICATORS as readonly string[]).includes(name);

export type State = AuthenticatorKnown['state'];
type Said = Pick<AuthenticatorKnown, 'state' | 'by'>;

/** What flags say of one, and what answers say. Plain JSON. */
export interface AuthenticatorSeen {
  readonly authenticator: Authenticator;
  readonly flags: Said;
  readonly asked: Said;
}

/** What was answered to who asked. */
export interface Asked {
  /** What is answered to who shows nothing, by path; none where it could not be asked. */
  readonly nothing: readonly { readonly path: string; readonly status: number }[];
  /** Data of the ConfigMap extension-apiserver-authentication; null where it cannot be read. */
  readonly trust: unknown;
  /** What /.well-known/openid-configuration names; '' for nobody. */
  readonly issuer: string;
}

type Flags = CommandLine['flags'];
const given = (flags: Flags, ...names: readonly string[]): boolean =>
  names.some((name) => (flags.get(name) ?? '') !== '');
const onWhere = (on: boolean): State => (on ? 'on' : 'off');

/** Source: pkg/kubeapiserver/options/authentication.go ApplyAuthorization, which shuts strangers out. */
const allowsAlways = (flags: Flags): boolean =>
  !given(flags, 'authorization-config') &&
  (flags.get('authorization-mode') ?? 'AlwaysAllow').split(',').includes('AlwaysAllow');

/** A file of structured configuration may name identity providers, and where strangers are heard. */
const STRUCTURED = 'authentication-config';

/** The flags that each goes by, the first for what is said of it; and what they say. */
const BY_FLAGS: Readonly<Record<Authenticator, readonly [readonly string[], (flags: Flags) => State]>> = {
  'front proxies': [['requestheader-client-ca-file'], (flags) => onWhere(given(flags, 'requestheader-client-ca-file'))],
  'client certificates': [['client-ca-file'], (flags) => onWhere(given(flags, 'client-ca-file'))],
  'static tokens': [['token-auth-file'], (flags) => onWhere(given(flags, 'token-auth-file'))],
  'service accounts': [
    ['service-account-key-file', 'service-account-signing-endpoint'],
    (flags) => onWhere(given(flags, 'service-account-key-file', 'service-account-signing-endpoint')),
  ],
  'bootstrap tokens': [
    ['enable-bootstrap-token-auth'],
    (flags) => onWhere(isSwitchedOn(flags.get('enable-bootstrap-token-auth'))),
  ],
  'identity providers': [
    ['oidc-issuer-url', STRUCTURED],
    (flags) => (given(flags, STRUCTURED) ? 'unknown' : onWhere(given(flags, 'oidc-issuer-url'))),
  ],
  'a webhook': [
    ['authentication-token-webhook-config-file'],
    (flags) => onWhere(given(flags, 'authentication-token-webhook-config-file')),
  ],
  strangers: [
    ['anonymous-auth', STRUCTURED],
    (flags) => {
      if (given(flags, STRUCTURED)) return 'unknown';
      return onWhere(isSwitchedOn(flags.get('anonymous-auth') ?? 'true') && !allowsAlways(flags));
    },
  ],
};

/** A command that a shell starts, or none of kube-apiserver's, names not even what it cannot start without. */
const isOfApiServer = ({ flags }: CommandLine): boolean => given(flags, 'etcd-servers');

/** How it is said that a flag is as it is. */
function saidOf(authenticator: Authenticator, state: State, of: string): string {
  const [[flag = '', other]] = BY_FLAGS[authenticator];
  if (state === 'unknown') return `${of} name --${STRUCTURED}, and what that file says is not published`;
  if (authenticator === 'strangers')
    return state === 'on' ? `${of} leave --${flag} on` : `${of} shut strangers out, by --${flag} or by AlwaysAllow`;
  if (authenticator === 'bootstrap tokens') return `${of} ${state === 'on' ? 'switch' : 'do not switch'} --${flag} on`;
  if (state === 'off') return `${of} name no --${flag}`;
  return other === undefined ? `${of} name --${flag}` : `${of} name --${flag}, or --${other}`;
}

function byFlags(authenticator: Authenticator, lines: readonly CommandLine[]): Said {
  const [, stateOf] = BY_FLAGS[authenticator];
  const own = lines.filter(isOfApiServer).map(({ pod, flags }) => ({ pod, state: stateOf(flags) }));
  const [first] = own;
  if (first === undefined) return { state: 'unknown', by: 'no Pod of kube-system shows the flags of kube-apiserver' };
  const unlike = own.find(({ state }) => state !== first.state);
  if (unlike !== undefined) return { state: 'some', by: `the flags of ${first.pod} and of ${unlike.pod} differ in it` };
  return { state: first.state, by: saidOf(authenticator, first.state, "the API server's flags") };
}

const UNASKED: Said = { state: 'unknown', by: 'without a credential of its own nobody can ask for it' };
const TRUST = 'ConfigMap kube-system/extension-apiserver-authentication';

/** By the ConfigMap in which API servers publish whom they trust. */
function byTrust(trust: unknown, key: string): Said {
  if (trust === null) return { state: 'unknown', by: `${TRUST} cannot be read` };
  const on = text(record(trust)[key]) !== '';
  return { state: onWhere(on), by: `${TRUST} has ${on ? '' : 'no '}${key}` };
}

function strangersAsked(nothing: Asked['nothing']): Said {
  if (nothing.length === 0) return { state: 'unknown', by: 'nobody can ask as a stranger' };
  const refused = nothing.filter(({ status }) => status === 401).map(({ path }) => path);
  if (refused.length === 0) return { state: 'on', by: 'a request without a credential is heard' };
  if (refused.length === nothing.length)
    return { state: 'off', by: 'a request without a credential is refused with 401' };
  return { state: 'some', by: `a request without a credential is refused at ${refused.join(' and ')} alone` };
}

function byAsking(authenticator: Authenticator, { nothing, trust, issuer }: Asked): Said {
  switch (authenticator) {
    case 'strangers':
      return strangersAsked(nothing);
    case 'front proxies':
      return byTrust(trust, 'requestheader-client-ca-file');
    case 'client certificates':
      return byTrust(trust, 'client-ca-file');
    case 'service accounts':
      return issuer === ''
        ? { state: 'unknown', by: 'the API server tells nobody who issues tokens of service accounts' }
        : { state: 'on', by: 'the API server tells who issues tokens of service accounts' };
    default:
      return UNASKED;
  }
}

/** Reader: of each authenticator what is known. */
export const readAuthenticators = (lines: readonly CommandLine[], asked: Asked): AuthenticatorSeen[] =>
  AUTHENTICATORS.map((authenticator) => ({
    authenticator,
    flags: byFlags(authenticator, lines),
    asked: byAsking(authenticator, asked),
  }));

/** What is known of one: by its flags where they say it, else by asking. */
export function knownOf(seen: readonly AuthenticatorSeen[], authenticator: Authenticator): Said {
  const one = seen.find((each) => each.authenticator === authenticator);
  if (one === undefined) return UNASKED;
  const { flags, asked } = one;
  if (flags.state !== 'unknown') return flags;
  return asked.state === 'unknown' ? { state: 'unknown', by: `${flags.by}, and ${asked.by}` } : asked;
}

/** Of all of them, where an observation is one of them. */
export const knownIn = (seen: readonly AuthenticatorSeen[]): AuthenticatorKnown[] =>
  seen.map(({ authenticator }) => ({ authenticator, ...knownOf(seen, authenticator) }));

/**
 * Strangers are heard where flags say so: whom else an API server believes takes a credential to find out. What a file
 * of configuration says is not published.
 */
export const heardAsFlagsSay: Check<readonly AuthenticatorSeen[]> = {
  id: 'authenticators/as-flags-say',
  source: '003, NewAuthenticator: one for each parameter that is given; pkg/kubeapiserver/authenticator/config.go',
  judge: (seen) =>
    seen
      .filter(({ authenticator }) => authenticator === 'strangers')
      .filter(({ flags, asked }) => (flags.state === 'on' || flags.state === 'off') && asked.state !== 'unknown')
      .map(({ authenticator, flags, asked }) =>
        demand({
          subject: authenticator,
          demanded: `are ${flags.state === 'off' ? 'refused' : 'heard'}: ${flags.by}`,
          seen: asked.by,
          ok: flags.state === asked.state,
        }),
      ),
};
