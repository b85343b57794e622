/**
 * Files that configure an API server: why it does not start with one, and what one gives up. Nothing of a key is told.
 * Source: apiserver pkg/apis/apiserver/validation, pkg/audit/policy/reader.go, pkg/admission/config.go.
 */
import { type Fields, record, text } from '../../kubernetes/json.js';
import { isGateOn } from '../node-files/component-values.js';
import { filesOfPlugins, oddAdmission } from './admission-configuration.js';
import { anonymousIn, oddAudit, oddAuthentication, recordsNothing } from './api-policies.js';
import { recordedBodies } from './audit-bodies.js';
import { askedBy, oddAuthorizers } from './authorizer-configuration.js';
import { currentContext } from './current-context.js';
import { oddEncryption, opensSecrets, socketsIn } from './encryption-configuration.js';
import { oddScheduler } from './scheduler-configuration.js';

/** Who decides on requests answers over TLS, and is verified; on the machine itself nobody stands between. */
function oddWebhook(config: Fields): readonly string[] {
  const cluster = record(currentContext(config).cluster);
  const server = text(cluster.server);
  const isLocal = /^http:\/\/(?:127\.|localhost[:/]|\[::1\])/.test(server);
  return [
    ...(server === '' ? ['its context names no server'] : []),
    ...(server.startsWith('https://') || isLocal || server === '' ? [] : ['its server is asked without TLS']),
    ...(cluster['insecure-skip-tls-verify'] === true ? ['nobody verifies its server'] : []),
  ];
}
const WEBHOOK: Known = { kind: 'Config', group: /^v1$/, odd: oddWebhook };

/** Where such a file lies, and the program that reads it. */
export interface ConfiguredBy {
  readonly path: string;
  readonly flags: Readonly<Record<string, string>>;
  /** Of Kubernetes; null where nobody says it. */
  readonly minor: number | null;
}
const NOBODY: ConfiguredBy = { path: '/', flags: {}, minor: null };

interface Known {
  readonly kind: string;
  readonly group: RegExp;
  /** Since which minor "v1" is read; of earlier ones a trial is. */
  readonly since?: number;
  readonly odd: (fields: Fields, by: ConfiguredBy) => readonly string[];
}
const OF_GROUP = /^apiserver\.config\.k8s\.io\/v1(?:alpha1|beta1)?$/;

/** Off by itself since then. Source: apiserver pkg/features/kube_features.go KMSv1. */
const WITHOUT_KMS_V1 = 29;
const isOldKms = ({ flags, minor }: ConfiguredBy): boolean =>
  (minor ?? 0) < WITHOUT_KMS_V1 || isGateOn(flags, 'KMSv1', 'AllAlpha');

/** By the flag that names it. */
const KNOWN: Readonly<Record<string, Known>> = {
  'encryption-provider-config': {
    kind: 'EncryptionConfiguration',
    group: /^apiserver\.config\.k8s\.io\/v1$/,
    odd: (fields, by) => oddEncryption(fields, { isOld: isOldKms(by) }),
  },
  'audit-policy-file': {
    kind: 'Policy',
    group: /^audit\.k8s\.io\/v1$/,
    odd: (fields, { minor }) => oddAudit(fields, minor),
  },
  'authentication-config': {
    kind: 'AuthenticationConfiguration',
    group: OF_GROUP,
    since: 34,
    odd: (fields, { flags }) => oddAuthentication(fields, flags['service-account-issuer']),
  },
  'authorization-config': { kind: 'AuthorizationConfiguration', group: OF_GROUP, since: 32, odd: oddAuthorizers },
  'admission-control-config-file': {
    kind: 'AdmissionConfiguration',
    group: /^apiserver\.(?:config\.)?k8s\.io\/v1(?:alpha1)?$/,
    odd: oddAdmission,
  },
  'authentication-token-webhook-config-file': WEBHOOK,
  'authorization-webhook-config-file': WEBHOOK,
  'audit-webhook-config-file': WEBHOOK,
};
/** Flags of an API server that name such a file. */
export const CONFIGURING: readonly string[] = Object.keys(KNOWN);

/** Since then a scheduler reads v1 alone. */
const WITHOUT_TRIALS = 29;
/** And the one of a scheduler. */
const OF_SCHEDULERS: Readonly<Record<string, Known>> = {
  config: {
    kind: 'KubeSchedulerConfiguration',
    group: /^kubescheduler\.config\.k8s\.io\/v1(?:beta[23])?$/,
    odd: (fields, { minor }) => [
      ...(/\/v1beta/.test(text(fields.apiVersion)) && (minor ?? WITHOUT_TRIALS) >= WITHOUT_TRIALS
        ? ['it is of a version that is gone']
        : []),
      ...oddScheduler(fields),
    ],
  },
};

/** What a file says that one of these flags names. */
export interface ConfigurationSaid {
  /** Why it is refused. */
  readonly odd: readonly string[];
  /** Secrets stay readable. */
  readonly isOpen: boolean;
  /** Files that it names. */
  readonly names: readonly string[];
  /** Sockets at which it asks. */
  readonly sockets?: readonly string[];
  /** Nothing is recorded by it. */
  readonly isSilent?: true;
  /** What bears credentials of which it records bodies. */
  readonly bodies?: readonly string[];
  /** Paths that are let in without a credential, where it says that. */
  readonly anonymous?: readonly string[] | 'all';
}

/** Files that it names for others to read. */
function namedIn(flag: string, fields: Fields, { path }: ConfiguredBy): readonly string[] {
  if (flag === 'admission-control-config-file') return filesOfPlugins(fields, path);
  return flag === 'authorization-config' ? askedBy(fields) : [];
}

/** It is of a kind and version that its program reads. */
function isRead({ kind, group, since }: Known, { kind: own, apiVersion }: Fields, { minor }: ConfiguredBy): boolean {
  const version = text(apiVersion);
  const isTooNew = since !== undefined && minor !== null && minor < since && version.endsWith('/v1');
  return own === kind && group.test(version) && !isTooNew;
}

export function configurationSeen(flag: string, fields: Fields, by: ConfiguredBy = NOBODY): ConfigurationSaid {
  const known = { ...KNOWN, ...OF_SCHEDULERS }[flag];
  if (known === undefined) return { odd: [], isOpen: false, names: [] };
  const bodies = flag === 'audit-policy-file' ? recordedBodies(fields) : [];
  const anonymous = flag === 'authentication-config' ? anonymousIn(fields) : undefined;
  const isEncryption = flag === 'encryption-provider-config';
  const sockets = isEncryption ? socketsIn(fields) : [];
  return {
    odd: isRead(known, fields, by) ? known.odd(fields, by) : [`it is no ${known.kind} of a version that is read`],
    isOpen: isEncryption && opensSecrets(fields),
    names: namedIn(flag, fields, by).filter((path) => path.startsWith('/')),
    ...(sockets.length === 0 ? {} : { sockets }),
    ...(flag === 'audit-policy-file' && recordsNothing(fields) ? { isSilent: true as const } : {}),
    ...(bodies.length === 0 ? {} : { bodies }),
    ...(anonymous === undefined ? {} : { anonymous }),
  };
}

/** What a file says of which nothing is told but why it is refused. */
export const refusedSeen = (odd: readonly string[]): ConfigurationSaid => ({ odd, isOpen: false, names: [] });
