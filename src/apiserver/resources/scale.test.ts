/** The scale of a workload, as `kubectl scale` and an autoscaler see it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, APPLY, causesOf, fixture, JSON_PATCH, MERGE } from '../serving/fixture.js';
import { definitions } from './index.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SCALE = `${DEPLOYMENTS}/d/scale`;

function deployed(selector: object = { matchLabels: { a: 'b' } }) {
  const { ask } = fixture({ definitions: definitions() });
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { json } = ask('POST', DEPLOYMENTS, {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } },
    spec: { replicas: 3, selector, template },
  });
  const scale = (replicas: number | undefined, metadata: object = {}): object => ({
    ...{ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd', ...metadata }, spec: { replicas } },
  });
  const stored = (): unknown => {
    const { metadata, spec } = ask('GET', `${DEPLOYMENTS}/d`).json;
    return [spec?.replicas, metadata?.generation];
  };
  return { ask, json, scale, stored };
}

describe('a scale', () => {
  it('shows the replicas of its Deployment, and which Pods they are', () => {
    const { ask, json } = deployed();
    const { metadata, ...rest } = ask('GET', SCALE).json;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = json.metadata ?? assert.fail();
    assert.deepEqual(metadata, { name, namespace, uid, resourceVersion, creationTimestamp });
    assert.deepEqual(rest, {
      ...{ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 3 } },
      status: { replicas: 0, selector: 'a=b' },
    });
    assert.deepEqual(deployed({}).ask('GET', SCALE).json.status, { replicas: 0 });
    const missing = ask('GET', `${DEPLOYMENTS}/none/scale`);
    assert.deepEqual([missing.code, missing.json.message], [404, 'deployments.apps "none" not found']);
  });
  it('that is put changes the Deployment, down to nothing', () => {
    const { ask, scale, stored } = deployed();
    assert.deepEqual(ask('PUT', SCALE, scale(5)).json.spec, { replicas: 5 });
    assert.deepEqual(stored(), [5, 2]);
    assert.equal(ask('PUT', SCALE, scale(5)).code, 200);
    assert.deepEqual(stored(), [5, 2]);
    assert.deepEqual(ask('PUT', SCALE, scale(0)).json.spec, {});
    assert.deepEqual(stored(), [0, 3]);
    ask('PUT', SCALE, { metadata: { name: 'd' }, spec: { replicas: 2 } });
    assert.deepEqual(stored(), [2, 4]);
    assert.deepEqual(ask('PUT', SCALE, scale(undefined)).json.spec, {});
    assert.deepEqual(ask('PUT', `${SCALE}?dryRun=All`, scale(9)).json.spec, { replicas: 9 });
    assert.deepEqual(stored(), [0, 5]);
  });
  it('is patched as itself', () => {
    const { ask, stored } = deployed();
    const patched = (patch: unknown, type: Readonly<Record<string, string>>): Answer =>
      ask('PATCH', SCALE, patch, type);
    assert.deepEqual(patched({ spec: { replicas: 4 } }, MERGE).json.spec, { replicas: 4 });
    assert.deepEqual(patched([{ op: 'replace', path: '/spec/replicas', value: 6 }], JSON_PATCH).json.spec, {
      replicas: 6,
    });
    assert.deepEqual(stored(), [6, 3]);
    const rejected = patched([{ op: 'test', path: '/spec/replicas', value: 1 }], JSON_PATCH);
    assert.deepEqual([rejected.code, rejected.json.reason], [422, 'Invalid']);
    assert.equal(patched('{', MERGE).code, 400);
    assert.deepEqual(patched({ spec: { replicas: 0 } }, MERGE).json.spec, {});
    const none = ask('PATCH', `${DEPLOYMENTS}/none/scale`, { spec: { replicas: 1 } }, MERGE);
    assert.equal(none.code, 404);
    assert.equal(
      ask('PATCH', `${SCALE}?fieldManager=m&force=true`, 'spec: {replicas: 7}', APPLY).json.spec?.replicas,
      7,
    );
  });
  it('is refused where it is less than nothing, of another Deployment, or out of date', () => {
    const { ask, json, scale, stored } = deployed();
    assert.deepEqual(causesOf(ask('PUT', SCALE, scale(-1))), [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ]);
    const said = (metadata: object, replicas = 1): unknown => {
      const answer = ask('PUT', SCALE, scale(replicas, metadata));
      return answer.code === 200 ? 200 : [answer.code, answer.json.message];
    };
    assert.deepEqual(said({ uid: 'u' }), [
      409,
      `Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID in precondition: u, UID in object meta: ${String(json.metadata?.uid)}`,
    ]);
    const { uid, resourceVersion } = json.metadata ?? assert.fail();
    assert.equal(said({ uid, resourceVersion }), 200);
    const stale = [
      409,
      'Operation cannot be fulfilled on deployments.apps "d": the object has been modified; please apply your changes to the latest version and try again',
    ];
    assert.deepEqual(said({ resourceVersion }), stale);
    assert.deepEqual(said({ resourceVersion }, 2), stale);
    assert.deepEqual(stored(), [1, 2]);
  });
});
