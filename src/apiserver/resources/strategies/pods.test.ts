/** What becomes of Pods that are asked for, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixture } from '../../serving/fixture.js';
import { definitions } from '../index.js';

const PODS = '/api/v1/namespaces/default/pods';
const asked = () => {
  const { ask } = fixture({ definitions: definitions() });
  ask('POST', PODS, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  return ask;
};

describe('a Pod that is evicted', () => {
  const evict = (ask: ReturnType<typeof asked>, pod: string, named = pod, query = ''): readonly unknown[] => {
    const sent = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: named } };
    const { code, json } = ask('POST', `${PODS}/${pod}/eviction${query}`, sent);
    return [code, json.message ?? json.status];
  };
  it('is there no more', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p'), [201, 'Success']);
    assert.equal(ask('GET', `${PODS}/p`).code, 404);
  });
  it('stays where the eviction is only tried', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p', 'p', '?dryRun=All'), [201, 'Success']);
    assert.equal(ask('GET', `${PODS}/p`).code, 200);
  });
  it('is the one of the path, and there', () => {
    const ask = asked();
    assert.deepEqual(evict(ask, 'p', 'q'), [400, 'name in URL does not match name in Eviction object']);
    assert.deepEqual(evict(ask, 'q'), [404, 'pods "q" not found']);
    assert.equal(ask('GET', `${PODS}/p`).code, 200);
  });
});
