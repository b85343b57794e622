/** What a node may do, question by question, in the words of node_authorizer.go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthorizationAttributes } from '../../apiserver/access.js';
import { type NodeAnswer, type NodeQuestion, nodeDecisions } from './nodes.js';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'impersonate'];

type Asked = Partial<AuthorizationAttributes>;
const question = (asked: Asked, related = true, minor = 36): NodeQuestion => ({
  node: 'n1',
  attributes: {
    user: { username: 'system:node:n1', groups: ['system:nodes'] },
    ...{ verb: 'get', isResourceRequest: true, path: '', group: '', version: 'v1', resource: 'x', subresource: '' },
    ...{ namespace: 'ns', name: 'a', ...asked },
  },
  related: () => related,
  minor,
});

/** The answer to each verb; what all others get is under "". */
function each(
  decide: (question: NodeQuestion) => NodeAnswer,
  answers: Readonly<Record<string, NodeAnswer>>,
  asked: Asked = {},
  [related, minor]: readonly [related?: boolean, minor?: number] = [],
): void {
  for (const verb of VERBS) {
    const expected = answers[verb] ?? answers[''];
    assert.deepEqual(
      decide(question({ verb, ...asked }, related, minor)),
      expected,
      `${verb} ${JSON.stringify(asked)}`,
    );
  }
}
const all = (verbs: string, answer: NodeAnswer): Readonly<Record<string, NodeAnswer>> =>
  Object.fromEntries(verbs.split(' ').map((verb) => [verb, answer]));
const STRANGE = "no relationship found between node 'n1' and this object";
const NAMELESS = 'No Object name found';
const ONLY_MY_PODS = [{ field: 'spec.nodeName', operator: '=' as const, value: 'n1' }];
const UNLIKE = [
  { ...ONLY_MY_PODS[0], value: 'n2' },
  { ...ONLY_MY_PODS[0], operator: '!=' },
  { ...ONLY_MY_PODS[0], field: 'metadata.name' },
] as NonNullable<AuthorizationAttributes['fieldRequirements']>;

describe('a node', () => {
  const { nodeOf } = nodeDecisions;
  it('is whom its name and its group say', () => {
    const user = (username: string, ...groups: string[]) => nodeOf({ username, groups });
    assert.equal(user('system:node:a', 'x', 'system:nodes'), 'a');
    assert.equal(user('system:node:', 'system:nodes'), '');
    assert.equal(user('system:node:a'), undefined);
    assert.equal(user('system:node', 'system:nodes'), undefined);
    assert.equal(user('x:system:node:a', 'system:nodes'), undefined);
    assert.equal(user('system:node:a', 'system:node'), undefined);
  });

  it('reads the Secrets and ConfigMaps that are its own', () => {
    for (const decide of [nodeDecisions.nodeOnSecret, nodeDecisions.nodeOnConfigMap]) {
      const others = { '': 'can only read resources of this type' };
      each(decide, { ...others, ...all('get list watch', true) });
      each(decide, { ...others, ...all('get list watch', STRANGE) }, {}, [false]);
      each(decide, { ...others, ...all('get list watch', NAMELESS) }, { name: '' });
      each(decide, { ...others, ...all('get list watch', 'cannot read subresource') }, { subresource: 's' });
      const lost = 'can only read namespaced object of this type';
      each(decide, { ...others, ...all('get list watch', lost) }, { namespace: '' });
    }
  });

  it('gets the volumes that are its own, and tells of claims', () => {
    const others = { '': 'can only get individual resources of this type' };
    each(nodeDecisions.nodeOnVolume, { ...others, get: true });
    each(nodeDecisions.nodeOnVolume, { ...others, get: true }, { namespace: '' });
    each(nodeDecisions.nodeOnVolume, { ...others, get: STRANGE }, {}, [false]);
    each(nodeDecisions.nodeOnVolume, { ...others, get: NAMELESS }, { name: '' });
    each(nodeDecisions.nodeOnVolume, { ...others, get: 'cannot get subresource' }, { subresource: 'status' });
    const refused = { '': 'can only get/update/patch this type' };
    each(nodeDecisions.nodeOnClaimStatus, { ...refused, ...all('update patch', true) });
    each(nodeDecisions.nodeOnClaimStatus, { ...refused, ...all('update patch', STRANGE) }, {}, [false]);
  });

  it('asks for tokens of accounts that its pods have, and from 1.34 reads those', () => {
    const decide = nodeDecisions.nodeOnServiceAccount;
    const others = { '': 'can only create tokens for individual service accounts' };
    const token = { subresource: 'token' };
    each(decide, { ...others, create: true }, token);
    each(decide, { ...others, create: STRANGE }, token, [false]);
    each(decide, others, { ...token, name: '' });
    const whole = { ...others, create: 'can only create token subresource of serviceaccount' };
    each(decide, { ...whole, get: true }, {}, [true, 34]);
    each(decide, { ...whole, get: STRANGE }, {}, [false, 34]);
    each(decide, { ...whole, get: 'not allowed to get service accounts' }, {}, [true, 33]);
    each(decide, whole, {}, [true, 32]);
  });

  it('has a Lease, a CSINode and ResourceSlices', () => {
    const own = 'get update patch delete';
    const lease = { '': 'can only get, create, update, patch, or delete a node lease' };
    const leases = { namespace: 'kube-node-lease' };
    each(nodeDecisions.nodeOnLease, { ...lease, ...all(`${own} create`, true) }, { ...leases, name: 'n1' });
    const another = 'can only access node lease with the same name as the requesting node';
    each(nodeDecisions.nodeOnLease, { ...lease, ...all(own, another), create: true }, leases);
    const elsewhere = 'can only access leases in the "kube-node-lease" system namespace';
    each(nodeDecisions.nodeOnLease, { ...lease, ...all(`${own} create`, elsewhere) }, { name: 'n1' });

    const csi = { '': 'can only get, create, update, patch, or delete a CSINode' };
    each(nodeDecisions.nodeOnCsiNode, { ...csi, ...all(`${own} create`, true) }, { name: 'n1' });
    const other = 'can only access CSINode with the same name as the requesting node';
    each(nodeDecisions.nodeOnCsiNode, { ...csi, ...all(own, other), create: true });
    const below = 'cannot authorize CSINode subresources';
    each(nodeDecisions.nodeOnCsiNode, { ...csi, ...all(`${own} create`, below) }, { name: 'n1', subresource: 's' });

    const decide = nodeDecisions.nodeOnResourceSlice;
    const many = 'watch list deletecollection';
    const known = 'get, watch, list, create, update, patch, delete, deletecollection';
    const unknown = { '': `only the following verbs are allowed for a ResourceSlice: ${known}` };
    const unselected = 'can only list/watch/deletecollection resourceslices with nodeName field selector';
    each(decide, { ...unknown, create: true, ...all(own, true), ...all(many, unselected) });
    each(decide, { ...unknown, create: true, ...all(own, STRANGE), ...all(many, unselected) }, {}, [false]);
    each(decide, { ...unknown, create: true, ...all(own, true), ...all(many, true) }, {}, [true, 31]);
    each(decide, { '': 'cannot authorize ResourceSlice subresources' }, { subresource: 's' });
    const mine = { fieldRequirements: ONLY_MY_PODS };
    each(decide, { ...unknown, create: true, ...all(own, true), ...all(many, true) }, mine);
    for (const one of UNLIKE)
      each(
        decide,
        { ...unknown, create: true, ...all(own, true), ...all(many, unselected) },
        { fieldRequirements: [one] },
      );
  });

  it('reads itself, and its pods', () => {
    const written = all('create update patch', true);
    const read = 'get list watch';
    each(nodeDecisions.nodeOnNode, { '': '', ...written, ...all(read, true) }, { name: 'n1' });
    const other = "node 'n1' cannot read 'a', only its own Node object";
    each(nodeDecisions.nodeOnNode, { '': '', ...written, ...all(read, other) });
    const every = "node 'n1' cannot read all nodes, only its own Node object";
    each(nodeDecisions.nodeOnNode, { '': '', ...written, ...all(read, every) }, { name: '' });
    each(nodeDecisions.nodeOnNode, { '': '', ...all('update patch', true) }, { name: 'n1', subresource: 'status' });
    each(nodeDecisions.nodeOnNode, { '': '' }, { name: 'n1', subresource: 'x' });

    const decide = nodeDecisions.nodeOnPod;
    const made = all('create delete', true);
    each(decide, { '': '', ...made, ...all(read, true) });
    each(decide, { '': '', ...made, ...all(read, STRANGE) }, {}, [false]);
    const unselected = 'can only list/watch pods with spec.nodeName field selector';
    each(decide, { '': '', ...made, get: NAMELESS, ...all('list watch', unselected) }, { name: '' });
    const mine = { name: '', fieldRequirements: ONLY_MY_PODS };
    each(decide, { '': '', ...made, get: NAMELESS, ...all('list watch', true) }, mine);
    for (const one of UNLIKE) {
      const asked = { name: '', fieldRequirements: [one] };
      each(decide, { '': '', ...made, get: NAMELESS, ...all('list watch', unselected) }, asked);
    }
    each(decide, { '': '', ...all('update patch', true) }, { subresource: 'status' });
    each(decide, { '': '', create: true }, { subresource: 'eviction' });
    each(decide, { '': '' }, { subresource: 'x' });
    assert.deepEqual([31, 32].map(nodeDecisions.nodeReadsOnlyItsOwn), [false, true]);
  });
});
