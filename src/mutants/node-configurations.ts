import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { added, all, flag, KUBERNETES, onDisk } from './node-disk.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KEY = Buffer.alloc(32, 7).toString('base64');
const AESCBC = `- aescbc: { keys: [{ name: one, secret: "${KEY}" }] }`;
const encryption = (...providers: readonly string[]): string =>
  [
    ...['apiVersion: apiserver.config.k8s.io/v1', 'kind: EncryptionConfiguration', 'resources:'],
    ...['- resources: [secrets]', '  providers:', ...providers.map((provider) => `  ${provider}`), ''],
  ].join('\n');
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
/** Node and RBAC, as kubeadm has them by a flag. */
export const AUTHORIZERS = [
  ...['apiVersion: apiserver.config.k8s.io/v1', 'kind: AuthorizationConfiguration', 'authorizers:'],
  ...['- { type: Node, name: node }', '- { type: RBAC, name: rbac }', ''],
].join('\n');
const ISSUERS = [
  ...['apiVersion: apiserver.config.k8s.io/v1', 'kind: AuthenticationConfiguration', 'jwt:'],
  ...['- issuer: { url: "https://issuer.example", audiences: [kubernetes] }'],
  ...['  claimMappings: { username: { claim: sub, prefix: "issuer:" } }', ''],
].join('\n');
const PLUGINS = [
  ...['apiVersion: apiserver.config.k8s.io/v1', 'kind: AdmissionConfiguration', 'plugins:'],
  `- { name: EventRateLimit, path: ${KUBERNETES}/pki/events.yaml }`,
  '- { name: PodSecurity, configuration: { defaults: { enforce: baseline } } }',
  '',
].join('\n');

/** Where the Pod of the API server sees it without a mount of its own. */
const place = (name: string): string => `${KUBERNETES}/pki/${name}.yaml`;
const configured = (name: string, text: string, bits = 0o600): DiskEdit =>
  all(flag(API, name, place(name)), added(place(name), text, bits));

const ENCRYPTION = 'encryption-provider-config';
const [AUDIT, ADMISSION] = ['audit-policy-file', 'admission-control-config-file'] as const;

export const mutants: readonly Mutant[] = [
  onDisk('key-too-short', 'the key of encryption has 31 bytes', ['P-214'], (disk) =>
    configured(ENCRYPTION, encryption(AESCBC.replace(KEY, Buffer.alloc(31).toString('base64'))))(disk),
  ),
  onDisk(
    'audit-of-nothing',
    'the audit policy has no rules',
    ['P-214'],
    configured(AUDIT, POLICY.replace('{ level: Metadata }', '')),
  ),
  onDisk(
    'plugin-without-its-file',
    'a plugin is configured by a file that is not there',
    ['P-214'],
    configured(ADMISSION, PLUGINS),
  ),
  onDisk(
    'secrets-are-written-as-they-are',
    'identity is the first provider',
    ['P-215'],
    configured(ENCRYPTION, encryption('- identity: {}', AESCBC)),
  ),
  {
    ...onDisk(
      'configurations',
      'the API server is configured by files',
      [],
      all(
        configured(ENCRYPTION, encryption(AESCBC, '- identity: {}')),
        configured(AUDIT, POLICY, 0o644),
        configured('authentication-config', ISSUERS),
        configured('authorization-config', AUTHORIZERS),
        flag(API, 'authorization-mode', undefined),
        configured(ADMISSION, PLUGINS),
        added(`${KUBERNETES}/pki/events.yaml`, 'limits: []\n', 0o600),
      ),
    ),
    name: 'harmless-node-configurations',
  },
];
