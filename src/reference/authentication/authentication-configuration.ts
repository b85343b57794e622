/**
 * What --authentication-config says of strangers. Source: pkg/kubeapiserver/options/authentication.go
 * ToAuthenticationConfig, apiserver, pkg/apis/apiserver/validation/validation.go ValidateAuthenticationConfiguration.
 */
import { firstLine } from '../../kubernetes/first-line.js';
import { type Fields, isRecord, list } from '../../kubernetes/json.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { CannotStart } from '../host-addresses.js';

/** Gate StructuredAuthenticationConfiguration. */
const FILE: Span = { since: 30 };
/** Gate AnonymousAuthConfigurableEndpoints. */
const ANONYMOUS: Span = { since: 32 };
const VERSIONS: Readonly<Record<string, Span>> = {
  'apiserver.config.k8s.io/v1alpha1': { since: 29 },
  'apiserver.config.k8s.io/v1beta1': { since: 30 },
  'apiserver.config.k8s.io/v1': { since: 34 },
};

const refused = (why: string): CannotStart => new CannotStart(`--authentication-config ${why}`);

function objectIn(text: string): Fields {
  let read: unknown;
  try {
    read = parseYaml(text);
  } catch (error) {
    throw refused(`is no YAML: ${firstLine(error)}`);
  }
  if (isRecord(read)) return read;
  throw refused('holds no object. Give one of the kind AuthenticationConfiguration.');
}

/** Upstream reads strictly: a field that it does not know is an error. */
function knownFields(object: Fields, known: readonly string[], where: string): void {
  const unknown = Object.keys(object).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw refused(`has the unknown field "${where}${unknown}". Give ${known.join(', ')} alone.`);
}

/** `said`: --anonymous-auth; undefined: it is not given. A list: the paths at which strangers are heard. */
export function anonymousAccess(
  said: boolean | readonly string[] | undefined,
  file: string | undefined,
  minor: number,
): boolean | readonly string[] {
  const configured = file === undefined ? undefined : anonymousIn(file, minor);
  if (configured === undefined) return said ?? true;
  if (said === undefined) return configured;
  throw refused(
    'configures anonymous, so --anonymous-auth must not be given as well: ' +
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file.',
  );
}

/** undefined where the file says nothing of strangers. Throws CannotStart. */
function anonymousIn(text: string, minor: number): boolean | readonly string[] | undefined {
  if (!inSpan(minor, FILE)) throw refused(`is read since 1.${FILE.since}. Leave it out, or play a newer version.`);
  const object = objectIn(text);
  const { apiVersion, kind, jwt, anonymous } = object;
  const versions = Object.keys(VERSIONS).filter((version) => inSpan(minor, VERSIONS[version] ?? {}));
  if (kind !== 'AuthenticationConfiguration' || typeof apiVersion !== 'string' || !versions.includes(apiVersion))
    throw refused(`must hold kind AuthenticationConfiguration of ${versions.join(' or ')}.`);
  knownFields(object, ['apiVersion', 'kind', 'jwt', 'anonymous'], '');
  if (list(jwt).length > 0)
    throw refused(
      'names identity providers (jwt): the reference asks none. Give static tokens with --token-auth-file.',
    );
  if (anonymous === undefined || anonymous === null) return undefined;
  if (!inSpan(minor, ANONYMOUS))
    throw refused(
      'configures anonymous, which needs the feature gate AnonymousAuthConfigurableEndpoints (on since 1.32).',
    );
  if (!isRecord(anonymous)) throw refused('says of anonymous what is no object. Give enabled and conditions.');
  knownFields(anonymous, ['enabled', 'conditions'], 'anonymous.');
  const { enabled = false, conditions } = anonymous;
  if (typeof enabled !== 'boolean') throw refused('must say of anonymous.enabled true or false.');
  const paths = list(conditions).map(pathIn);
  if (!enabled && paths.length > 0) throw refused('has anonymous.conditions, so anonymous.enabled must be true.');
  return enabled && paths.length > 0 ? paths : enabled;
}

function pathIn(condition: unknown): string {
  if (!isRecord(condition) || typeof (condition.path ?? '') !== 'string')
    throw refused('must give each of anonymous.conditions a path, for example path: /livez.');
  knownFields(condition, ['path'], 'anonymous.conditions.');
  return String(condition.path ?? '');
}
