/** Webhooks that stand between joining machines and the cluster. */
import { record, records } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { finds } from './arrange.js';
import type { Mutant } from './types.js';

interface Hook {
  readonly group: string;
  readonly asked: string;
  readonly operations?: readonly string[];
  readonly url?: string;
  readonly fields?: object;
}

/** A webhook whose Service is not there, or that is reached by a URL. */
const hook = (name: string, { group, asked, operations = ['CREATE'], url, fields = {} }: Hook): object => ({
  name: `${name}.example.com`,
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: url === undefined ? { service: { namespace: 'default', name: 'gone' } } : { url },
  rules: [{ apiGroups: [group], apiVersions: ['v1'], operations, resources: [asked] }],
  ...fields,
});

const configuration = ({ kind }: Resource, name: string, ...webhooks: readonly object[]): KubeObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  webhooks,
});

const { mutatingWebhookConfigurations: mutating, validatingWebhookConfigurations: validating } = resources;
const asks = (name: string, defect: string, rule: string, resource: Resource, given: Hook): Mutant =>
  finds(name, defect, [rule], ({ api }) => void api.create(resource, configuration(resource, name, hook(name, given))));

const CERTIFICATES = 'certificates.k8s.io';
const AWAY = 'https://hooks.example.com/tokens';

const DOWN = {
  conditions: [
    { type: 'Available', status: 'False', reason: 'MissingEndpoints', lastTransitionTime: '2020-01-01T00:00:00Z' },
  ],
};

const addService = ({ api }: Reference, name: string): void =>
  void api.create(resources.services, {
    apiVersion: 'v1',
    kind: resources.services.kind,
    metadata: { name, namespace: 'default' },
    spec: { ports: [{ port: 443, protocol: 'TCP' }] },
  });

function addApiService({ api }: Reference, group: string, version = 'v1'): void {
  const { kind } = resources.apiServices;
  api.create(resources.apiServices, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind,
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'other' },
    },
  });
}

export const mutants: readonly Mutant[] = [
  asks('webhook-by-name-gone', 'a webhook is reached by the name of a Service that is gone', 'P-170', validating, {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests',
    url: 'https://gone.default.svc/validate',
  }),
  asks('webhook-that-nobody-believes', 'the certificate of a webhook has no authority', 'P-170', validating, {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests',
    fields: { clientConfig: { url: AWAY, caBundle: Buffer.from('none').toString('base64') } },
  }),
  asks('webhook-of-leases-gone', 'a webhook for Leases has lost its Service', 'P-170', validating, {
    group: 'coordination.k8s.io',
    asked: 'leases',
    operations: ['UPDATE'],
  }),
  asks('webhook-of-account-tokens-gone', 'a webhook for tokens of accounts has lost its Service', 'P-170', mutating, {
    group: '',
    asked: 'serviceaccounts/token',
  }),
  asks(
    'webhook-with-conditions-gone',
    'one with a condition that tokens meet has lost its Service',
    'P-170',
    validating,
    {
      group: CERTIFICATES,
      asked: 'certificatesigningrequests',
      fields: { matchConditions: [{ name: 'a', expression: "'system:bootstrappers' in request.userInfo.groups" }] },
    },
  ),
  asks('webhook-that-approves', 'a webhook may change approvals', 'P-285', mutating, {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests/approval',
    operations: ['UPDATE'],
    fields: { failurePolicy: 'Ignore' },
  }),
  asks('webhook-of-a-team-changes-nodes', 'a webhook of a team may change Nodes', 'P-273', mutating, {
    group: '',
    asked: 'nodes',
    operations: ['*'],
    fields: { failurePolicy: 'Ignore' },
  }),
  asks('webhook-of-a-team-changes-status', 'a webhook of a team may change the status of Nodes', 'P-273', mutating, {
    group: '',
    asked: 'nodes/*',
    operations: ['UPDATE'],
    fields: { failurePolicy: 'Ignore' },
  }),
  asks(
    'webhook-of-a-team-sees-tokens',
    'a webhook of a team is sent the tokens that are written',
    'P-273',
    validating,
    {
      group: '',
      asked: 'secrets',
      fields: { failurePolicy: 'Ignore' },
    },
  ),
  asks('webhook-of-a-team-changes-bindings', 'a webhook of a team may change bindings', 'P-273', mutating, {
    group: 'rbac.authorization.k8s.io',
    asked: 'clusterrolebindings',
    fields: { failurePolicy: 'Ignore' },
  }),
  asks('webhook-of-a-team-changes-reviews', 'a webhook of a team may change reviews of tokens', 'P-273', mutating, {
    group: 'authentication.k8s.io',
    asked: 'tokenreviews',
    fields: { failurePolicy: 'Ignore' },
  }),
  asks('webhook-of-a-team-changes-cluster-info', 'a webhook of a team may change cluster-info', 'P-273', mutating, {
    group: '',
    asked: 'configmaps',
    operations: ['UPDATE'],
    fields: {
      failurePolicy: 'Ignore',
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-public' } },
    },
  }),
  finds('tokens-sent-by-a-name', 'tokens are sent to a Service that is but a name beyond', ['P-171'], ({ api }) => {
    api.create(resources.services, {
      apiVersion: 'v1',
      kind: resources.services.kind,
      metadata: { name: 'gone', namespace: 'default' },
      spec: { type: 'ExternalName', externalName: 'hooks.example.com', ports: [{ port: 443 }] },
    });
    const given = { group: '', asked: 'secrets', fields: { failurePolicy: 'Ignore' } };
    api.create(validating, configuration(validating, 'beyond', hook('beyond', given)));
  }),
  finds('certificates-elsewhere', 'a Service has taken over certificates', ['P-177'], (reference) =>
    addApiService(reference, 'certificates.k8s.io'),
  ),
  finds(
    'certificates-of-another-version-elsewhere',
    'a Service has added a version to certificates',
    ['P-177'],
    (reference) => addApiService(reference, 'certificates.k8s.io', 'v1beta9'),
  ),
  finds('reviews-elsewhere', 'a Service has taken over reviews of access', ['P-177'], (reference) =>
    addApiService(reference, 'authorization.k8s.io'),
  ),
  {
    name: 'harmless-api-service',
    defect: 'metrics are served by a Service',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      addApiService(reference, 'metrics.example.com');
      addService(reference, 'other');
    },
  },
  finds('metrics-of-nobody', 'a Service that is gone serves metrics', ['P-320'], (reference) =>
    addApiService(reference, 'metrics.example.com'),
  ),
  {
    ...finds('metrics-down', 'the server of metrics is down since long', ['P-320'], (reference) => {
      addService(reference, 'other');
      addApiService(reference, 'metrics.example.com');
    }),
    gateway: {
      after: ({ method, path }, { status, body }) =>
        method === 'GET' && status === 200 && path.endsWith('/apiservices')
          ? {
              status,
              body: { ...record(body), items: records(record(body).items).map((one) => ({ ...one, status: DOWN })) },
            }
          : undefined,
    },
  },
  asks('webhook-of-requests-gone', 'a webhook for requests has lost its Service', 'P-170', validating, {
    group: CERTIFICATES,
    asked: 'certificatesigningrequests',
  }),
  asks('webhook-of-approvals-gone', 'a webhook for all of certificates has lost its Service', 'P-170', mutating, {
    group: CERTIFICATES,
    asked: '*/*',
    operations: ['UPDATE'],
  }),
  asks('webhook-of-nodes-gone', 'a webhook for everything has lost its Service', 'P-170', mutating, {
    group: '*',
    asked: '*',
    operations: ['*'],
    // it picks namespaces, of which Nodes have none
    fields: { namespaceSelector: { matchLabels: { guarded: 'yes' } } },
  }),
  asks('webhook-of-pods-gone', 'a webhook for all Pods has lost its Service', 'P-170', mutating, {
    group: '',
    asked: 'pods',
  }),
  asks('webhook-of-tokens-gone', 'a webhook for Secrets that go has lost its Service', 'P-170', validating, {
    group: '',
    asked: 'secrets',
    operations: ['DELETE'],
  }),
  asks('webhook-of-configurations-gone', 'a webhook for ConfigMaps of kube-system is gone', 'P-170', validating, {
    group: '',
    asked: 'configmaps',
    operations: ['UPDATE'],
    fields: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
  }),
  asks('webhook-of-node-status-gone', 'a webhook for the status of Nodes has lost its Service', 'P-170', validating, {
    group: '',
    asked: '*/status',
    operations: ['UPDATE'],
  }),
  asks('webhook-is-sent-tokens', 'a webhook beyond the cluster is sent all Secrets', 'P-171', validating, {
    group: '',
    asked: 'secrets',
    url: AWAY,
    fields: { failurePolicy: 'Ignore' },
  }),
  asks('webhook-is-sent-changed-tokens', 'one is sent what is changed in kube-system', 'P-171', mutating, {
    group: '*',
    asked: '*',
    operations: ['UPDATE'],
    url: 'https://192.0.2.7:8443/',
    fields: {
      failurePolicy: 'Ignore',
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['kube-system'] }],
      },
    },
  }),
  {
    name: 'harmless-webhooks',
    defect: 'webhooks as operators install them',
    killedBy: [],
    strict: true,
    arrange: ({ api }) => {
      const requests = { group: CERTIFICATES, asked: 'certificatesigningrequests' };
      const secrets = { group: '', asked: 'secrets', operations: ['*'] };
      const ignored = { failurePolicy: 'Ignore' };
      const spared = {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }],
      };
      api.create(
        validating,
        configuration(
          validating,
          'policies',
          hook('passes-over', { ...requests, fields: ignored }),
          hook('conditions', { ...requests, fields: { matchConditions: [{ name: 'a', expression: 'false' }] } }),
          hook('labelled', { ...requests, fields: { objectSelector: { matchLabels: { a: 'b' } } } }),
          hook('marked', {
            ...requests,
            fields: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          }),
          hook('own-namespaces', { ...secrets, url: AWAY, fields: { namespaceSelector: spared } }),
          hook('on-the-machine', { ...secrets, url: 'https://127.0.0.1:9443/x' }),
          hook('in-the-cluster', { ...secrets, url: 'https://policy.kyverno.svc:443/validate', fields: ignored }),
          hook('deletions', { ...secrets, operations: ['DELETE'], url: AWAY }),
          hook('pods', { group: '', asked: 'pods', fields: { namespaceSelector: spared } }),
          hook('sidecars', {
            group: '',
            asked: 'pods',
            fields: { objectSelector: { matchLabels: { 'sidecar.example.com/inject': 'yes' } } },
          }),
          hook('other-scope', {
            ...requests,
            fields: {
              rules: [
                {
                  apiGroups: [CERTIFICATES],
                  apiVersions: ['*'],
                  operations: ['*'],
                  resources: ['certificatesigningrequests'],
                  scope: 'Namespaced',
                },
              ],
            },
          }),
        ),
      );
      const installed = { service: { namespace: 'koordinator-system', name: 'manager' } };
      api.create(
        mutating,
        configuration(
          mutating,
          'installed',
          hook('nodes', { group: '', asked: 'nodes', fields: { ...ignored, clientConfig: installed } }),
          hook('own-secrets', { ...secrets, fields: { ...ignored, namespaceSelector: spared } }),
        ),
      );
      const named = { service: { namespace: 'default', name: 'kubernetes' } };
      api.create(
        mutating,
        configuration(mutating, 'there', hook('there', { group: '*', asked: '*', fields: { clientConfig: named } })),
      );
    },
  },
];
