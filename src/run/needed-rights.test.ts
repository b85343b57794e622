import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OWN_KINDS, RUN_LABEL } from '../kubernetes/own-objects.js';
import { openReference } from '../targets/reference.js';
import type { Exchange } from '../targets/types.js';
import { judge } from './judge.js';
import { asCluster, neededRights } from './needed-rights.js';
import { packageProfile } from './profiles.js';
import type { Right } from './rights.js';
import { seededBytes } from './seeded.js';
import type { Selection } from './select.js';

const held = { profile: packageProfile('kubeadm'), chosen: 'given', signs: [] } as const;
const rights = (selection: Selection, allowWrites = false): Promise<readonly Right[]> =>
  neededRights({ selection, held, allowWrites, signal: AbortSignal.timeout(60_000) });
const found = (all: readonly Right[], resource: string, namespace?: string): Right | undefined =>
  all.find((right) => right.resource === resource && right.namespace === namespace && right.names === undefined);

describe('the rights that rules take', () => {
  it('are those of the chosen rules, and no more', async () => {
    const all = await rights({ rules: ['SEC-002'] });
    assert.deepEqual(found(all, 'secrets', 'kube-system')?.verbs, ['list']);
    for (const resource of ['secrets', 'clusterroles', 'certificatesigningrequests'])
      assert.equal(found(all, resource), undefined, resource);
    const lease = all.find(({ resource }) => resource === 'leases');
    assert.deepEqual(
      [lease?.verbs, lease?.names, lease?.namespace],
      [['get'], ['kube-controller-manager'], 'kube-system'],
    );
  });

  it('are also those to which an object leads that the reference has none of', async () => {
    const all = await rights({ rules: ['P-170'] });
    assert.deepEqual(found(all, 'validatingwebhookconfigurations')?.verbs, ['list']);
    assert.deepEqual(found(all, 'services')?.verbs, ['get']);
    assert.deepEqual(found(all, 'endpointslices')?.verbs, ['list']);
    assert.equal(found(all, 'endpointslices')?.group, 'discovery.k8s.io');
  });

  it('change nothing without --allow-writes, whatever is chosen', async () => {
    const all = await rights({ chapters: ['authorization', 'policy'] });
    for (const { verbs, resource } of all)
      if (resource !== 'subjectaccessreviews')
        assert.ok(
          verbs.every((verb) => ['get', 'list'].includes(verb)),
          resource,
        );
  });

  it('are also to decide, to bind and to remove where writing is allowed', async () => {
    const all = await rights({ rules: ['CSR-015', 'RBAC-016', 'CSR-012'] }, true);
    assert.ok(found(all, 'certificatesigningrequests')?.verbs.includes('deletecollection'));
    assert.ok(found(all, 'signers')?.verbs.includes('approve'));
    assert.equal(found(all, 'subjectaccessreviews')?.verbs.join(), 'create');
  });

  it('are to make nothing that a sweep would not know, whatever is chosen', async () => {
    const known = new Set(OWN_KINDS.map(({ resource }) => resource.resource));
    const made = (await rights({}, true)).filter(({ verbs }) => verbs.includes('create'));
    assert.ok(made.some(({ resource }) => resource === 'secrets'));
    // what is asked, and what is given for an object that is there
    const asks = ({ resource = '' }: Right): boolean => resource.endsWith('reviews') || resource.includes('/');
    assert.deepEqual(
      made.filter((right) => !asks(right) && !known.has(right.resource ?? '')).map(({ resource }) => resource),
      [],
    );
    const bound = (await rights({}, true)).filter(({ verbs }) => verbs.includes('bind'));
    assert.deepEqual(
      bound.map(({ names }) => names),
      [['system:node-bootstrapper']],
    );
  });

  it('are had on a cluster where each object that is made is marked, so that a sweep knows it', async () => {
    const signal = AbortSignal.timeout(60_000);
    const reference = await openReference({ signal, reference: { random: seededBytes('reference') } });
    let count = 0;
    const unmarked: string[] = [];
    const exchange = ({ as, method, path, status, requestBody = '' }: Exchange): void => {
      const isMade = as === 'admin' && method === 'POST' && status === 201;
      if (!isMade || /dryRun=|reviews(?:[?]|$)|[/](?:token|binding)(?:[?]|$)/.test(path)) return;
      count += 1;
      if (!requestBody.includes(RUN_LABEL)) unmarked.push(`${path} ${requestBody.slice(0, 200)}`);
    };
    try {
      const target = asCluster(reference, true, { exchange, question: () => {} });
      await judge({ target, selection: {}, held, signal, sentences: 'not passed' });
    } finally {
      await reference.close();
    }
    assert.deepEqual(unmarked, []);
    assert.ok(count > 100, `${count}`);
  });

  it('are also to remove what machines make for the run, and to ask as somebody else', async () => {
    const all = await rights({ rules: ['NODE-006', 'P-75', 'AUTH-024'] }, true);
    for (const verb of ['delete', 'deletecollection']) assert.ok(found(all, 'nodes')?.verbs.includes(verb), verb);
    assert.deepEqual(found(all, 'users')?.verbs, ['impersonate']);
    const accounts = all.filter(({ resource }) => resource === 'serviceaccounts');
    assert.deepEqual(
      accounts.filter(({ verbs }) => verbs.includes('impersonate')).map(({ namespace, names }) => [namespace, names]),
      [['kube-system', ['certificate-controller']]],
    );
  });
});
