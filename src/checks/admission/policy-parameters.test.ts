import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { UNKNOWN } from './cel.js';
import { JOINING } from './joining-requests.js';
import { type ParametersSeen, parametersFor } from './policy-parameters.js';

const KIND = { apiVersion: 'own.example/v1', kind: 'Limit' };
const [NODES, LEASES] = ['nodes', 'leases'].map((name) => {
  const asked = JOINING.find(({ resource }) => resource === name);
  assert.ok(asked);
  return asked;
}) as [(typeof JOINING)[0], (typeof JOINING)[0]];
const object = (name: string, namespace?: string, labels?: Readonly<Record<string, string>>): KubeObject => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(labels === undefined ? {} : { labels }) },
});
const seen = (...objects: readonly KubeObject[]): ParametersSeen => ({ served: true, namespaced: true, objects });
const cluster = (...objects: readonly KubeObject[]): ParametersSeen => ({ ...seen(...objects), namespaced: false });
const handed = (paramRef: unknown, given: ParametersSeen | undefined, asked = NODES, paramKind: unknown = KIND) => {
  const found = parametersFor({ paramKind, paramRef, seen: given }, asked);
  return typeof found === 'string'
    ? found
    : found.map((one) => (one === null ? 'null' : one === UNKNOWN ? 'unknown' : JSON.stringify(one)));
};
const named = (...all: readonly KubeObject[]) => all.map((one) => JSON.stringify(one));

describe('parameters that a binding hands to its policy', () => {
  it('are none where the policy or the binding names none', () => {
    assert.deepEqual(handed({ name: 'a' }, seen(object('a', 'd')), NODES, null), ['null']);
    assert.deepEqual(handed({ name: 'a' }, { served: false, namespaced: true }, NODES, 'text'), ['null']);
    assert.deepEqual(handed(undefined, seen(object('a', 'd'))), ['null']);
  });

  it('are not known where nobody has seen them', () => {
    assert.deepEqual(handed({ name: 'a', namespace: 'd' }, undefined), ['unknown']);
    assert.deepEqual(handed({ name: 'a', namespace: 'd' }, { served: true, namespaced: true }), ['unknown']);
  });

  it('are looked for in the namespace that is named, else in that of the request', () => {
    const [own, other] = [object('a', 'd'), object('a', 'kube-node-lease')];
    assert.deepEqual(handed({ name: 'a', namespace: 'd' }, seen(own, other), LEASES), named(own));
    assert.deepEqual(handed({ name: 'a' }, seen(own, other), LEASES), named(other));
    assert.match(`${handed({ name: 'a' }, seen(own, other), NODES)}`, /namespace of what has none/);
    assert.deepEqual(handed({ name: 'a', namespace: 'd' }, cluster(object('a')), LEASES), named(object('a')));
  });

  it('are those of the name, or those that a selector picks', () => {
    const [a, b, c] = [object('a', 'd', { x: 'y' }), object('b', 'd', { x: 'y' }), object('c', 'd')];
    const all = seen(a, b, c);
    assert.deepEqual(handed({ name: 'b', namespace: 'd' }, all), named(b));
    assert.deepEqual(handed({ namespace: 'd', selector: { matchLabels: { x: 'y' } } }, all), named(a, b));
    assert.deepEqual(handed({ namespace: 'd', selector: {} }, all), named(a, b, c));
    assert.deepEqual(handed({ name: '', namespace: 'd', selector: { matchLabels: { x: 'z' } } }, all), []);
  });

  it('are missed where the binding denies without them', () => {
    const deny = { namespace: 'd', parameterNotFoundAction: 'Deny' };
    assert.equal(handed({ ...deny, name: 'a' }, seen()), 'there is no Limit d/a');
    assert.equal(handed(deny, seen()), 'there is no Limit d/*');
    assert.equal(handed({ ...deny, name: 'a' }, cluster()), 'there is no Limit a');
    assert.deepEqual(handed({ ...deny, name: 'a', parameterNotFoundAction: 'Allow' }, seen()), []);
    assert.deepEqual(handed({ ...deny, name: 'a' }, seen(object('a', 'd'))), named(object('a', 'd')));
    const none = { served: false, namespaced: true };
    assert.equal(handed(undefined, none), 'the API server serves no own.example/v1 Limit');
  });

  it('are JSON, of which what is none is not known', () => {
    const data = { a: [1, 'b', true, false, null, { c: 2 }], d: { e: undefined } };
    const [found] = parametersFor(
      { paramKind: KIND, paramRef: { name: 'a' }, seen: cluster({ ...object('a'), data } as unknown as KubeObject) },
      NODES,
    );
    const { data: read } = found as unknown as { data: { a: unknown; d: { e: unknown } } };
    assert.deepEqual(read.a, data.a);
    assert.equal(read.d.e, UNKNOWN);
  });
});
