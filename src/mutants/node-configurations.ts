import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { added, all, flag, KUBERNETES, mounted, onDisk } from './node-disk.js';
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
const ANONYMOUS = (...paths: readonly string[]): string =>
  `${ISSUERS}anonymous: { enabled: true, conditions: [${paths.map((path) => `{ path: ${path} }`).join(', ')}] }\n`;
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

/** A policy a line, beside Node and RBAC. */
const byAttributes = (kind: string, ...specs: readonly object[]): DiskEdit =>
  all(
    flag(API, 'authorization-mode', 'Node,RBAC,ABAC'),
    configured(
      'authorization-policy-file',
      specs
        .map((spec) => JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind, spec }))
        .join('\n'),
    ),
  );
const ALL_THERE_IS = { namespace: '*', resource: '*', apiGroup: '*' };

const ENCRYPTION = 'encryption-provider-config';
const KMS = '- kms: { apiVersion: v2, name: vault, endpoint: "unix:///run/kms/vault.sock" }';
const SCHEDULER = 'kube-scheduler';
const scheduled = (...lines: readonly string[]): string =>
  ['apiVersion: kubescheduler.config.k8s.io/v1', 'kind: KubeSchedulerConfiguration', ...lines, ''].join('\n');
const ITS_KUBECONFIG = `clientConnection: { kubeconfig: ${KUBERNETES}/scheduler.conf }`;
/** The scheduler has what its file says, and no flag for it; its folder is mounted. */
const byFile = (text: string): DiskEdit =>
  all(
    flag(SCHEDULER, 'config', `${KUBERNETES}/scheduler/config.yaml`),
    flag(SCHEDULER, 'kubeconfig', undefined),
    flag(SCHEDULER, 'leader-elect', undefined),
    added(`${KUBERNETES}/scheduler/config.yaml`, text, 0o600),
    mounted(SCHEDULER, `${KUBERNETES}/scheduler`),
  );
const [AUDIT, ADMISSION] = ['audit-policy-file', 'admission-control-config-file'] as const;

export const mutants: readonly Mutant[] = [
  onDisk(
    'audit-that-is-cut-off',
    'the audit policy ends within a rule',
    ['P-214'],
    configured(AUDIT, POLICY.slice(0, -6)),
  ),
  onDisk(
    'kms-behind-no-mount',
    'who encrypts is asked at a socket that no volume holds',
    ['P-214'],
    configured(ENCRYPTION, encryption(KMS, '- identity: {}')),
  ),
  onDisk(
    'authorizers-by-flag-and-by-file',
    'authorizers are named by a flag beside their file',
    ['P-196'],
    configured('authorization-config', AUTHORIZERS),
  ),
  onDisk(
    'authorizers-with-a-field-of-nobody',
    'an authorizer has a field that the API server does not know',
    ['P-214'],
    all(
      configured('authorization-config', AUTHORIZERS.replace('name: node', 'name: node, webhok: {}')),
      flag(API, 'authorization-mode', undefined),
    ),
  ),
  onDisk(
    'attributes-of-everybody',
    'a policy of ABAC lets in whoever has logged in',
    ['P-214'],
    byAttributes('Policy', { group: 'system:authenticated', ...ALL_THERE_IS }),
  ),
  onDisk(
    'attributes-of-no-policy',
    'a file of ABAC holds something else',
    ['P-214'],
    byAttributes('Rule', { user: 'alice', ...ALL_THERE_IS }),
  ),
  {
    ...onDisk(
      'attributes-of-one',
      'a policy of ABAC lets one user read Pods, and strangers its discovery',
      [],
      byAttributes(
        'Policy',
        { user: 'alice', namespace: '*', resource: 'pods', readonly: true },
        { group: 'system:unauthenticated', readonly: true, nonResourcePath: '*' },
      ),
    ),
    name: 'harmless-node-attributes-of-one',
  },
  onDisk(
    'scheduler-of-others',
    'the file of the scheduler has no profile for Pods that name none',
    ['P-300'],
    byFile(scheduled(ITS_KUBECONFIG, 'profiles: [{ schedulerName: other }]')),
  ),
  onDisk(
    'scheduler-without-a-leader',
    'the file of the scheduler turns its election off',
    ['MANI-009'],
    byFile(scheduled(ITS_KUBECONFIG, 'leaderElection: { leaderElect: false }')),
  ),
  {
    ...onDisk(
      'scheduler-by-file',
      'the scheduler is told by a file what flags say otherwise',
      [],
      byFile(scheduled(ITS_KUBECONFIG, 'leaderElection: { leaseDuration: 30s }', 'profiles: [{}]')),
    ),
    name: 'harmless-node-scheduler-by-file',
  },
  {
    ...onDisk(
      'encrypted-elsewhere',
      'who encrypts Secrets is asked at a socket that is mounted',
      [],
      all(configured(ENCRYPTION, encryption(KMS, '- identity: {}')), mounted(API, '/run/kms', false)),
    ),
    name: 'harmless-node-encrypted-elsewhere',
  },
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
  onDisk(
    'authorizer-without-its-file',
    'the API server asks a webhook that no file names',
    ['P-196'],
    flag(API, 'authorization-mode', 'Node,RBAC,Webhook'),
  ),
  onDisk(
    'gate-without-a-value',
    'a feature gate is neither on nor off',
    ['P-196'],
    flag(API, 'feature-gates', 'AllBeta'),
  ),
  onDisk(
    'probes-without-a-credential',
    'nobody is let in without a credential, not even the kubelet',
    ['P-242', 'P-550'],
    flag(API, 'anonymous-auth', 'false'),
  ),
  onDisk(
    'probes-of-other-paths',
    'of requests without a credential only others than the probes are let in',
    ['P-242', 'P-550'],
    configured('authentication-config', ANONYMOUS('/healthz')),
  ),
  onDisk(
    'strangers-see-health-alone',
    'of requests without a credential only the probes are let in',
    ['P-550'],
    configured('authentication-config', ANONYMOUS('/livez', '/readyz')),
  ),
  onDisk(
    'issuer-without-a-prefix',
    'names of an issuer come without a prefix',
    ['P-214'],
    configured('authentication-config', ISSUERS.replace(', prefix: "issuer:"', '')),
  ),
  onDisk(
    'issuers-by-flag-and-by-file',
    'an issuer is named by flags beside the file of issuers',
    ['P-196'],
    all(
      configured('authentication-config', ISSUERS),
      flag(API, 'oidc-issuer-url', 'https://other.example'),
      flag(API, 'oidc-client-id', 'a'),
    ),
  ),
  onDisk(
    'audit-of-no-stage',
    'the audit policy leaves out a stage that is none',
    ['P-214'],
    configured(AUDIT, `${POLICY}omitStages: [Nothing]\n`),
  ),
  onDisk(
    'audit-of-none',
    'a rule of None stands above all others',
    ['P-243'],
    all(
      configured(AUDIT, POLICY.replace('{ level: Metadata }', '{ level: None }, { level: Metadata }')),
      flag(API, 'audit-log-path', '-'),
    ),
  ),
  onDisk(
    'audit-of-bodies',
    'what is asked and answered is recorded, of Secrets as well',
    ['P-260'],
    all(
      configured(AUDIT, POLICY.replace('{ level: Metadata }', '{ level: RequestResponse }')),
      flag(API, 'audit-log-path', '-'),
    ),
  ),
  onDisk('audit-to-nowhere', 'what the audit policy records goes nowhere', ['P-243'], configured(AUDIT, POLICY)),
  {
    ...onDisk(
      'configured-closely',
      'probes and joins alone come without a credential, and of what is asked a little is not recorded',
      [],
      all(
        configured(
          'authentication-config',
          ANONYMOUS('/livez', '/readyz', '/api/v1/namespaces/kube-public/configmaps/cluster-info'),
        ),
        configured(
          AUDIT,
          POLICY.replace(
            '{ level: Metadata }',
            [
              '{ level: None, verbs: [watch] }',
              '{ level: Metadata, resources: [{ group: "", resources: [secrets, serviceaccounts/token] }] }',
              '{ level: Metadata, resources: [{ group: authentication.k8s.io }] }, { level: RequestResponse }',
              '{ level: None }',
            ].join(', '),
          ),
        ),
        flag(API, 'audit-log-path', '-'),
      ),
    ),
    name: 'harmless-node-configured-closely',
  },
  {
    ...onDisk(
      'configurations',
      'the API server is configured by files',
      [],
      all(
        configured(ENCRYPTION, encryption(AESCBC, '- identity: {}')),
        configured(AUDIT, POLICY, 0o644),
        flag(API, 'audit-log-path', '-'),
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
