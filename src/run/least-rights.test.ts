/** Who has just what joinproof rbac prints sees what an administrator sees; a rule that reads more is noticed here. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { record, text } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { openConnection } from '../targets/cluster.js';
import { bearerCredential, type Connection, type Credential, fixedCredential } from '../targets/connection.js';
import { type Reference, startReference } from '../targets/reference.js';
import { judge } from './judge.js';
import { neededRights } from './needed-rights.js';
import { packageProfile } from './profiles.js';
import { rolesOf } from './rights.js';

const held = { profile: packageProfile('kubeadm'), chosen: 'given', signs: [] } as const;
const signal = AbortSignal.timeout(120_000);
const account = { namespace: 'kube-public', name: 'joinproof' };

function create({ api }: Reference, resource: Resource, object: object): void {
  const { group, version, kind } = resource;
  api.create(resource, { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object } as KubeObject);
}

/** What leads a rule to look elsewhere, and what the reference has none of. */
function fill(reference: Reference): void {
  const nodes = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nodes'] }];
  create(reference, resources.namespaces, { metadata: { name: 'hooks' } });
  create(reference, resources.services, {
    metadata: { name: 'hook', namespace: 'hooks' },
    spec: { ports: [{ port: 443 }], selector: { app: 'hook' } },
  });
  for (const resource of [resources.mutatingWebhookConfigurations, resources.validatingWebhookConfigurations])
    create(reference, resource, {
      metadata: { name: 'hook' },
      webhooks: [
        {
          name: 'hook.example.com',
          clientConfig: { service: { namespace: 'hooks', name: 'hook' } },
          rules: nodes,
          failurePolicy: 'Ignore',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 1,
        },
      ],
    });
  for (const kind of ['ConfigMap', 'Secret']) {
    const name = kind.toLowerCase();
    create(reference, resources.validatingAdmissionPolicies, {
      metadata: { name },
      spec: {
        failurePolicy: 'Ignore',
        paramKind: { apiVersion: 'v1', kind },
        matchConstraints: { resourceRules: nodes },
        validations: [{ expression: 'true' }],
      },
    });
    for (const chosen of [{ name: 'hook' }, { selector: {} }])
      create(reference, resources.validatingAdmissionPolicyBindings, {
        metadata: { name: `${name}-${Object.keys(chosen)}` },
        spec: {
          policyName: name,
          validationActions: ['Warn'],
          paramRef: { ...chosen, namespace: 'hooks', parameterNotFoundAction: 'Allow' },
        },
      });
  }
  create(reference, resources.apiServices, {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'hooks', name: 'hook' },
    },
  });
}

interface Audit {
  readonly verdicts: readonly string[];
  /** What the API server refused it, or was to change. */
  readonly amiss: readonly string[];
}

/** A read-only run with this credential, through an API server that writes down what it should not have been asked. */
async function audit({ url: server, caPem, handle }: Reference, credential: Credential): Promise<Audit> {
  const amiss: string[] = [];
  const carried = await credential.current(signal);
  const connection: Connection = {
    server,
    name: 'audited',
    caPem,
    insecure: false,
    credential,
    handle: (request: Parameters<typeof handle>[0]) => {
      const { method, url, headers } = request;
      const answer = handle(request);
      const own = headers.authorization?.[0] === carried.authorization;
      const asks = method === 'GET' || /reviews(?:\?|$)/.test(url);
      if (own && (('code' in answer && answer.code === 403) || !asks)) amiss.push(`${method} ${url}`);
      return answer;
    },
  };
  const target = await openConnection(connection, { signal });
  try {
    const { report } = await judge({ target, selection: {}, held, signal, sentences: 'not passed' });
    return { verdicts: report.rules.map(({ id, verdict }) => `${id} ${verdict}`), amiss };
  } finally {
    await target.close();
  }
}

it('a ServiceAccount with the printed rights gets the verdicts of an administrator, and is denied nothing', async () => {
  const reference = await startReference({ withNode: true });
  try {
    fill(reference);
    const { api } = reference;
    create(reference, resources.serviceAccounts, { metadata: account });
    const rights = await neededRights({ selection: {}, held, allowWrites: false, signal });
    for (const object of rolesOf(rights, { name: 'joinproof', account })) {
      const resource = Object.values(resources).find(({ kind }) => kind === record(object).kind);
      assert.ok(resource);
      api.create(resource, object as KubeObject);
    }
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: account, spec: {} };
    const asked = { subresource: 'token', parent: account.name };
    const token = text(record(api.create(resources.serviceAccounts, request, asked).status).token);
    await reference.settle();
    const { certificate, key } = reference.admin;
    const administrator = await audit(reference, fixedCredential({ certificate: { certificate, key } }));
    const least = await audit(reference, bearerCredential(token));
    // of who reads what lets machines join an account is told by others, and not by itself
    const own = 'P-138';
    const others = ({ verdicts }: Audit): readonly string[] => verdicts.filter((one) => !one.startsWith(`${own} `));
    assert.deepEqual(others(least), others(administrator));
    assert.ok(administrator.verdicts.includes(`${own} advised`));
    assert.ok(least.verdicts.includes(`${own} passed`));
    assert.deepEqual(least.amiss, []);
    assert.ok(least.verdicts.filter((verdict) => verdict.endsWith(' passed')).length > 150);
  } finally {
    await reference.close();
  }
});
