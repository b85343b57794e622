/**
 * Everything that is wrong with what a machine is told, in kubeadm's words, without the value where it may be a secret.
 * Source: cmd/kubeadm/app/apis/kubeadm/validation/validation.go.
 */
import { SUBDOMAIN } from '../kubeadm/init/validation.js';
import { ipBytes } from '../pki/ip.js';
import type { JoinConfiguration, TokenDiscovery } from './configuration.js';
import type { JoiningDecisions } from './decisions/index.js';

const NO_PINS =
  'using token-based discovery without caCertHashes can be unsafe. Set unsafeSkipCAVerification as true in your ' +
  'kubeadm config file or pass --discovery-token-unsafe-skip-ca-verification flag to continue';
const NO_FILE = 'not a valid HTTPS URL or a file on disk';

/** What a judgement of a configuration needs besides. */
export interface Judging {
  readonly decisions: JoiningDecisions;
  readonly nodeName: string;
  /** Whether a file is there. */
  exists(path: string): boolean;
}

const invalid = (field: string, value: string, why: string): string =>
  `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`;
const secretInvalid = (field: string, why: string): string => `${field}: Invalid value: ${why}`;

/** Why a text is no host:port; undefined where it is one. Source: Go net SplitHostPort. */
function addressProblem(address: string): string | undefined {
  const named = address === '' ? '' : `address ${address}: `;
  const inBrackets = /^\[[^\]]*\](.*)$/.exec(address);
  const rest = inBrackets?.[1] ?? address;
  if (!rest.includes(':')) return `${named}missing port in address`;
  if (inBrackets === null && rest.split(':').length > 2) return `${named}too many colons in address`;
  if (inBrackets !== null && !/^:[^:]*$/.test(rest)) return `${named}missing port in address`;
  return undefined;
}

const tokenProblems = (field: string, token: string, { decisions }: Judging): readonly string[] =>
  decisions.readToken(token) === undefined ? [secretInvalid(field, 'the bootstrap token is invalid')] : [];

function tokenDiscoveryProblems(given: TokenDiscovery, judging: Judging): readonly string[] {
  const { token, apiServerEndpoint, caCertHashes, unsafeSkipCAVerification } = given;
  const at = 'discovery.bootstrapToken';
  const address = addressProblem(apiServerEndpoint);
  return [
    ...(apiServerEndpoint === '' ? [`${at}: Required value: APIServerEndpoint is not set`] : []),
    ...(judging.decisions.demandsPins(caCertHashes, unsafeSkipCAVerification)
      ? [invalid(`${at}.caCertHashes`, '', NO_PINS)]
      : []),
    ...tokenProblems(`${at}.token`, token, judging),
    ...(address === undefined ? [] : [invalid(`${at}.apiServerEndpoint`, apiServerEndpoint, address)]),
  ];
}

function fileProblems(path: string, { decisions, exists }: Judging): readonly string[] {
  const field = 'discovery.file.kubeConfigPath';
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(path)?.[1]?.toLowerCase();
  if (scheme === undefined) return exists(path) ? [] : [invalid(field, path, NO_FILE)];
  return decisions.takesDiscoveryScheme(scheme)
    ? []
    : [invalid(field, path, 'if a URL is used, the scheme must be https')];
}

function controlPlaneProblems({ controlPlane }: JoinConfiguration, { decisions }: Judging): readonly string[] {
  if (controlPlane === undefined) return [];
  const { advertiseAddress, bindPort, certificateKey } = controlPlane;
  const at = 'controlPlane';
  const problem = decisions.certificateKeyProblem(certificateKey);
  return [
    ...(ipBytes(advertiseAddress) === undefined
      ? [invalid(`${at}.localAPIEndpoint`, advertiseAddress, 'ip address is not valid')]
      : []),
    ...(Number.isInteger(bindPort) && bindPort > 0 && bindPort < 65_536
      ? []
      : [invalid(`${at}.localAPIEndpoint`, String(bindPort), 'port number is not valid')]),
    ...(problem === undefined ? [] : [secretInvalid(`${at}.certificateKey`, problem)]),
  ];
}

/** Sentences; none where nothing is wrong. */
export function problemsOf(configuration: JoinConfiguration, judging: Judging): readonly string[] {
  const { bootstrapToken, file, tlsBootstrapToken } = configuration.discovery;
  const tls = bootstrapToken !== undefined || (file !== undefined && tlsBootstrapToken !== '');
  return [
    ...(bootstrapToken === undefined && file === undefined
      ? [invalid('discovery', '', 'bootstrapToken or file must be set')]
      : []),
    ...(bootstrapToken !== undefined && file !== undefined
      ? [invalid('discovery', '', 'bootstrapToken and file cannot both be set')]
      : []),
    ...(bootstrapToken === undefined ? [] : tokenDiscoveryProblems(bootstrapToken, judging)),
    ...(tls ? tokenProblems('discovery.tlsBootstrapToken', tlsBootstrapToken, judging) : []),
    ...(file === undefined ? [] : fileProblems(file.kubeConfigPath, judging)),
    ...(judging.decisions.isNodeName(judging.nodeName)
      ? []
      : [invalid('nodeRegistration.name', judging.nodeName, SUBDOMAIN)]),
    ...controlPlaneProblems(configuration, judging),
  ];
}
