/**
 * Files that configure an API server: why it does not start with one, and what one gives up. Nothing of a key is told.
 * Source: apiserver pkg/apis/apiserver/validation, pkg/audit/policy/reader.go, pkg/admission/config.go.
 */
import { type Fields, isRecord, record, records, text, texts } from '../kubernetes/json.js';
import { anonymousIn, oddAudit, oddAuthentication, recordsNothing } from './api-policies.js';
import { recordedBodies } from './audit-bodies.js';
import { currentContext } from './current-context.js';

/** Bytes that a key may have. */
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  aescbc: [16, 24, 32],
  aesgcm: [16, 24, 32],
  secretbox: [32],
};
const PROVIDERS = [...Object.keys(LENGTHS), 'identity', 'kms'];

/** As Go's standard encoding takes it, which passes over line breaks. */
const isBase64 = (value: string): boolean => value.length % 4 === 0 && /^[A-Za-z\d+/]+={0,2}$/.test(value);

function oddKey(name: string, key: Fields): readonly string[] {
  const secret = text(key.secret).replaceAll(/[\r\n]/g, '');
  if (text(key.name) === '') return [`a key of ${name} has no name`];
  if (!isBase64(secret)) return [`a key of ${name} is not in base64`];
  const bytes = Buffer.from(secret, 'base64').length;
  return LENGTHS[name]?.includes(bytes) === false ? [`a key of ${name} has ${bytes} bytes`] : [];
}

function oddProvider(provider: Fields): readonly string[] {
  const names = Object.keys(provider);
  const [name = ''] = names;
  if (names.length !== 1 || !PROVIDERS.includes(name))
    return [`the provider ${names.join(', ').slice(0, 60) || 'of nothing'}`];
  const own = record(provider[name]);
  if (name === 'kms')
    return text(own.endpoint).startsWith('unix:') ? [] : ['the endpoint of kms is no socket of the machine'];
  if (name === 'identity') return [];
  const keys = records(own.keys);
  return keys.length === 0 ? [`${name} has no key`] : keys.flatMap((key) => oddKey(name, key));
}

const oddEncryption = ({ resources }: Fields): readonly string[] => {
  const all = records(resources);
  return [
    ...(all.length === 0 ? ['it names no resources'] : []),
    ...all.flatMap((one) => [
      ...(texts(one.resources).length === 0 ? ['it names no resources'] : []),
      ...(records(one.providers).length === 0 ? ['it names no provider'] : records(one.providers).flatMap(oddProvider)),
    ]),
  ];
};

const MODES = ['Node', 'RBAC', 'Webhook', 'ABAC', 'AlwaysDeny'];
function oddAuthorizers({ authorizers }: Fields): readonly string[] {
  const all = records(authorizers);
  const types = all.map(({ type }) => text(type));
  const names = all.map(({ name }) => text(name));
  const webhooks = all.filter(({ type }) => type === 'Webhook').map(({ webhook }) => record(webhook));
  return [
    ...['Node', 'RBAC'].flatMap((type) => (types.includes(type) ? [] : [`no authorizer ${type}`])),
    ...types.flatMap((type) => (MODES.includes(type) ? [] : [`the authorizer ${type.slice(0, 40)}`])),
    ...(types.some((type, at) => type !== 'Webhook' && types.indexOf(type) !== at) ? ['an authorizer twice'] : []),
    ...(names.some((name, at) => name === '' || names.indexOf(name) !== at)
      ? ['authorizers without names of their own']
      : []),
    ...webhooks.flatMap((webhook) =>
      ['timeout', 'failurePolicy', 'subjectAccessReviewVersion', 'connectionInfo'].flatMap((name) =>
        webhook[name] ? [] : [`a webhook without ${name}`],
      ),
    ),
  ];
}

const STANDARDS = ['', 'privileged', 'baseline', 'restricted'];
function oddAdmission({ plugins }: Fields): readonly string[] {
  return records(plugins).flatMap(({ name, path, configuration }) => {
    const own = record(configuration);
    const defaults = record(own.defaults);
    const levels = ['enforce', 'audit', 'warn'].map((mode) => text(defaults[mode]));
    const odd = name === 'PodSecurity' ? levels.filter((level) => !STANDARDS.includes(level)) : [];
    return [
      ...(text(name) === '' ? ['a plugin without a name'] : []),
      ...(text(path) !== '' && isRecord(configuration) ? [`${text(name)} with a file and a configuration`] : []),
      ...odd.map((level) => `the level ${level.slice(0, 40)} of PodSecurity`),
    ];
  });
}

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

interface Known {
  readonly kind: string;
  readonly group: RegExp;
  readonly odd: (fields: Fields) => readonly string[];
}
const OF_GROUP = /^apiserver\.config\.k8s\.io\/v1(?:(?:alpha|beta)\d)?$/;

/** By the flag that names it. */
const KNOWN: Readonly<Record<string, Known>> = {
  'encryption-provider-config': { kind: 'EncryptionConfiguration', group: OF_GROUP, odd: oddEncryption },
  'audit-policy-file': { kind: 'Policy', group: /^audit\.k8s\.io\/v1$/, odd: oddAudit },
  'authentication-config': {
    kind: 'AuthenticationConfiguration',
    group: OF_GROUP,
    odd: oddAuthentication,
  },
  'authorization-config': { kind: 'AuthorizationConfiguration', group: OF_GROUP, odd: oddAuthorizers },
  'admission-control-config-file': {
    kind: 'AdmissionConfiguration',
    group: /^apiserver\.(?:config\.)?k8s\.io\/v1(?:alpha1)?$/,
    odd: oddAdmission,
  },
  'authentication-token-webhook-config-file': WEBHOOK,
  'authorization-webhook-config-file': WEBHOOK,
  'audit-webhook-config-file': WEBHOOK,
};
/** Flags that name such a file. */
export const CONFIGURING: readonly string[] = Object.keys(KNOWN);

const OF_ALL = ['secrets', '*.', '*.*', '*'];
/** Secrets are written as they are, though encryption is configured. */
const opensSecrets = ({ resources }: Fields): boolean => {
  const one = records(resources).find((each) => texts(each.resources).some((name) => OF_ALL.includes(name)));
  return one === undefined || Object.keys(records(one.providers)[0] ?? {}).includes('identity');
};

/** What a file says that one of these flags names. */
export interface ConfigurationSaid {
  /** Why it is refused. */
  readonly odd: readonly string[];
  /** Secrets stay readable. */
  readonly isOpen: boolean;
  /** Files that it names. */
  readonly names: readonly string[];
  /** Nothing is recorded by it. */
  readonly isSilent?: true;
  /** What bears credentials of which it records bodies. */
  readonly bodies?: readonly string[];
  /** Paths that are let in without a credential, where it says that. */
  readonly anonymous?: readonly string[] | 'all';
}

export function configurationSeen(flag: string, fields: Fields): ConfigurationSaid {
  const known = KNOWN[flag];
  if (known === undefined) return { odd: [], isOpen: false, names: [] };
  const isKind = fields.kind === known.kind && known.group.test(text(fields.apiVersion));
  const paths = records(fields.plugins).map(({ path }) => text(path));
  const bodies = flag === 'audit-policy-file' ? recordedBodies(fields) : [];
  const anonymous = flag === 'authentication-config' ? anonymousIn(fields) : undefined;
  return {
    odd: isKind ? known.odd(fields) : [`it is no ${known.kind} of a version that is read`],
    isOpen: flag === 'encryption-provider-config' && opensSecrets(fields),
    names: paths.filter((path) => path.startsWith('/')),
    ...(flag === 'audit-policy-file' && recordsNothing(fields) ? { isSilent: true as const } : {}),
    ...(bodies.length === 0 ? {} : { bodies }),
    ...(anonymous === undefined ? {} : { anonymous }),
  };
}
