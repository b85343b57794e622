/**
 * Fields of the files that configure an API server and a scheduler. Both read strictly: a field of another name ends them.
 * Source: apiserver pkg/apis/apiserver/v1, kube-scheduler config/v1 types.go (1.31, 1.33, 1.36), codecs with EnableStrict.
 */
import { kinds, type Shape } from './field-shapes.js';

const OF_ALL: Shape = kinds('text', 'apiVersion kind');
const EXPRESSION: Shape = kinds('text', 'expression message');
const CLAIM: Shape = kinds('text', 'claim expression prefix');

export const AUTHENTICATION: Shape = {
  ...OF_ALL,
  jwt: [
    {
      issuer: {
        ...kinds('text', 'url discoveryURL certificateAuthority audienceMatchPolicy egressSelectorType'),
        audiences: 'texts',
      },
      claimValidationRules: [{ ...EXPRESSION, ...kinds('text', 'claim requiredValue') }],
      claimMappings: {
        username: CLAIM,
        groups: CLAIM,
        uid: kinds('text', 'claim expression'),
        extra: [kinds('text', 'key valueExpression')],
      },
      userValidationRules: [EXPRESSION],
    },
  ],
  anonymous: { enabled: 'switch', conditions: [{ path: 'text' }] },
};

export const AUTHORIZATION: Shape = {
  ...OF_ALL,
  authorizers: [
    {
      ...kinds('text', 'type name'),
      webhook: {
        ...kinds('text', 'authorizedTTL unauthorizedTTL timeout subjectAccessReviewVersion failurePolicy'),
        ...kinds('switch', 'cacheAuthorizedRequests cacheUnauthorizedRequests'),
        matchConditionSubjectAccessReviewVersion: 'text',
        connectionInfo: kinds('text', 'type kubeConfigFile'),
        matchConditions: [{ expression: 'text' }],
      },
    },
  ],
};

const KEYS: Shape = { keys: [kinds('text', 'name secret')] };
export const ENCRYPTION: Shape = {
  ...OF_ALL,
  resources: [
    {
      resources: 'texts',
      providers: [
        {
          aesgcm: KEYS,
          aescbc: KEYS,
          secretbox: KEYS,
          identity: {},
          kms: { ...kinds('text', 'apiVersion name endpoint timeout'), cachesize: 'number' },
        },
      ],
    },
  ],
};

/** What a plugin is told is its own. */
export const ADMISSION: Shape = {
  ...OF_ALL,
  plugins: [{ ...kinds('text', 'name path'), configuration: 'fields' }],
};

export const POD_SECURITY: Shape = {
  ...OF_ALL,
  defaults: kinds('text', 'enforce enforce-version audit audit-version warn warn-version'),
  exemptions: kinds('texts', 'usernames namespaces runtimeClasses'),
};

const PLUGINS: Shape = {
  enabled: [{ name: 'text', weight: 'number' }],
  disabled: [{ name: 'text', weight: 'number' }],
};
const POINTS =
  'preEnqueue queueSort preFilter filter postFilter preScore score reserve permit preBind bind postBind multiPoint ' +
  'placementGenerate placementScore';

export const SCHEDULER: Shape = {
  ...OF_ALL,
  ...kinds('number', 'parallelism percentageOfNodesToScore podInitialBackoffSeconds podMaxBackoffSeconds'),
  ...kinds('switch', 'enableProfiling enableContentionProfiling delayCacheUntilActive'),
  leaderElection: {
    ...kinds('text', 'leaseDuration renewDeadline retryPeriod resourceLock resourceName resourceNamespace'),
    leaderElect: 'switch',
  },
  clientConnection: {
    ...kinds('text', 'kubeconfig acceptContentTypes contentType'),
    qps: 'quotient',
    burst: 'number',
  },
  profiles: [
    {
      schedulerName: 'text',
      percentageOfNodesToScore: 'number',
      plugins: Object.fromEntries(POINTS.split(' ').map((point) => [point, PLUGINS] as const)),
      pluginConfig: [{ name: 'text', args: 'fields' }],
    },
  ],
  extenders: [
    {
      ...kinds('text', 'urlPrefix filterVerb preemptVerb prioritizeVerb bindVerb httpTimeout'),
      ...kinds('switch', 'enableHTTPS nodeCacheCapable ignorable'),
      weight: 'number',
      tlsConfig: {
        ...kinds('text', 'serverName certFile keyFile caFile certData keyData caData'),
        insecure: 'switch',
      },
      managedResources: [{ name: 'text', ignoredByScheduler: 'switch' }],
    },
  ],
};
