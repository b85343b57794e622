import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Fields, isRecord } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import {
  ADMISSION,
  AUTHENTICATION,
  AUTHORIZATION,
  ENCRYPTION,
  POD_SECURITY,
  SCHEDULER,
} from './configuration-shapes.js';
import { oddFields, type Shape } from './field-shapes.js';

/** Every field that upstream's types.go have, with a value of its type; what is between {} holds whatever it wants. */
const WHOLE: Readonly<Record<string, readonly [shape: Shape, yaml: string]>> = {
  AuthenticationConfiguration: [
    AUTHENTICATION,
    `
apiVersion: a
kind: a
jwt:
- issuer: { url: a, discoveryURL: a, certificateAuthority: a, audienceMatchPolicy: a, egressSelectorType: a, audiences: [a] }
  claimValidationRules: [{ claim: a, requiredValue: a, expression: a, message: a }]
  claimMappings:
    username: { claim: a, prefix: a, expression: a }
    groups: { claim: a, prefix: a, expression: a }
    uid: { claim: a, expression: a }
    extra: [{ key: a, valueExpression: a }]
  userValidationRules: [{ expression: a, message: a }]
anonymous: { enabled: true, conditions: [{ path: a }] }
`,
  ],
  AuthorizationConfiguration: [
    AUTHORIZATION,
    `
apiVersion: a
kind: a
authorizers:
- type: a
  name: a
  webhook:
    authorizedTTL: a
    cacheAuthorizedRequests: true
    unauthorizedTTL: a
    cacheUnauthorizedRequests: true
    timeout: a
    subjectAccessReviewVersion: a
    matchConditionSubjectAccessReviewVersion: a
    failurePolicy: a
    connectionInfo: { type: a, kubeConfigFile: a }
    matchConditions: [{ expression: a }]
`,
  ],
  EncryptionConfiguration: [
    ENCRYPTION,
    `
apiVersion: a
kind: a
resources:
- resources: [a]
  providers:
  - aesgcm: { keys: [{ name: a, secret: a }] }
  - aescbc: { keys: [{ name: a, secret: a }] }
  - secretbox: { keys: [{ name: a, secret: a }] }
  - identity: {}
  - kms: { apiVersion: a, name: a, cachesize: 1, endpoint: a, timeout: a }
`,
  ],
  AdmissionConfiguration: [
    ADMISSION,
    'apiVersion: a\nkind: a\nplugins: [{ name: a, path: a, configuration: { free: { a: 1 } } }]\n',
  ],
  PodSecurityConfiguration: [
    POD_SECURITY,
    `
apiVersion: a
kind: a
defaults: { enforce: a, enforce-version: a, audit: a, audit-version: a, warn: a, warn-version: a }
exemptions: { usernames: [a], namespaces: [a], runtimeClasses: [a] }
`,
  ],
  KubeSchedulerConfiguration: [
    SCHEDULER,
    `
apiVersion: a
kind: a
parallelism: 1
leaderElection:
  { leaderElect: true, leaseDuration: a, renewDeadline: a, retryPeriod: a, resourceLock: a, resourceName: a, resourceNamespace: a }
clientConnection: { kubeconfig: a, acceptContentTypes: a, contentType: a, qps: 0.5, burst: 1 }
enableProfiling: true
enableContentionProfiling: true
percentageOfNodesToScore: 1
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 1
delayCacheUntilActive: true
profiles:
- schedulerName: a
  percentageOfNodesToScore: 1
  plugins:
    preEnqueue: { enabled: [{ name: a, weight: 1 }], disabled: [{ name: a, weight: 1 }] }
    queueSort: { enabled: [{ name: a }] }
    preFilter: { enabled: [{ name: a }] }
    filter: { enabled: [{ name: a }] }
    postFilter: { enabled: [{ name: a }] }
    preScore: { enabled: [{ name: a }] }
    score: { enabled: [{ name: a }] }
    reserve: { enabled: [{ name: a }] }
    permit: { enabled: [{ name: a }] }
    preBind: { enabled: [{ name: a }] }
    bind: { enabled: [{ name: a }] }
    postBind: { enabled: [{ name: a }] }
    multiPoint: { enabled: [{ name: a }] }
    placementGenerate: { enabled: [{ name: a }] }
    placementScore: { enabled: [{ name: a }] }
  pluginConfig: [{ name: a, args: { free: { a: 1 } } }]
extenders:
- urlPrefix: a
  filterVerb: a
  preemptVerb: a
  prioritizeVerb: a
  weight: 1
  bindVerb: a
  enableHTTPS: true
  tlsConfig: { insecure: true, serverName: a, certFile: a, keyFile: a, caFile: a, certData: a, keyData: a, caData: a }
  httpTimeout: a
  nodeCacheCapable: true
  managedResources: [{ name: a, ignoredByScheduler: true }]
  ignorable: true
`,
  ],
};

const copyOf = (yaml: string): Fields => parseYaml(yaml) as Fields;

interface Place {
  /** "jwt[0].issuer.url" */
  readonly path: string;
  readonly value: unknown;
  readonly put: (value: unknown) => void;
}

/** Every field of a tree that can be changed, at any depth; not those that are free. */
function placesIn(tree: unknown, above = ''): readonly Place[] {
  if (Array.isArray(tree)) return tree.flatMap((item, at) => placesIn(item, `${above}[${at}]`));
  if (!isRecord(tree) || 'free' in tree) return [];
  return Object.entries(tree).flatMap(([name, value]) => {
    const path = above === '' ? name : `${above}.${name}`;
    return [{ path, value, put: (other: unknown) => Object.assign(tree, { [name]: other }) }, ...placesIn(value, path)];
  });
}

/** What is of no type that a field takes: a number is no text, and a text is nothing else. */
const othersOf = (value: unknown): readonly unknown[] =>
  typeof value === 'string'
    ? [1, true, {}, [value]]
    : Array.isArray(value)
      ? ['a', 1, {}, ...(typeof value[0] === 'string' ? [[1]] : [['a']])]
      : [
          'a',
          [value],
          ...(typeof value === 'number' ? [true] : [1]),
          ...(Number.isInteger(value) ? [0.5] : []),
          ...(isRecord(value) ? [] : [{}]),
        ];

for (const [kind, [shape, yaml]] of Object.entries(WHOLE))
  describe(`the fields of ${kind}`, () => {
    it('are those that its program reads', () => {
      assert.deepEqual(oddFields(copyOf(yaml), shape), []);
    });

    it('are each of its own type, or left out', () => {
      const { length } = placesIn(copyOf(yaml));
      for (let at = 0; at < length; at++) {
        const { path, value } = placesIn(copyOf(yaml))[at] as Place;
        const said = (other: unknown): readonly string[] => {
          const tree = copyOf(yaml);
          placesIn(tree)[at]?.put(other);
          return oddFields(tree, shape);
        };
        assert.deepEqual(said(null), [], path);
        for (const other of othersOf(value)) {
          const its = Array.isArray(value) && isRecord(value[0]) && Array.isArray(other) ? `${path}[0]` : path;
          assert.deepEqual(said(other), [`${its} is of another type`], `${path}: ${JSON.stringify(other)}`);
        }
      }
    });

    it('are no others, and are written so', () => {
      const tree = copyOf(yaml);
      assert.deepEqual(oddFields({ ...tree, other: 'a' }, shape), ['other is no field']);
      assert.deepEqual(oddFields({ ...tree, Kind: 'a' }, shape), ['Kind is no field']);
      for (const { path, value, put } of placesIn(tree))
        if (isRecord(value) && !('free' in value)) {
          put({ ...value, other: 'a' });
          assert.deepEqual(oddFields(tree, shape), [`${path}.other is no field`]);
          put(value);
        }
    });
  });
