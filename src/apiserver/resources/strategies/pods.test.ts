/** What becomes of Pods that are asked for, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixture, MERGE } from '../../serving/fixture.js';
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

describe('the containers of a Pod that is there', () => {
  // Source: pkg/apis/core/validation/validation.go ValidatePodUpdate, validateContainerImages.
  it('change their images, to such as are one word', () => {
    const ask = asked();
    const changed = (containers: readonly object[]): readonly unknown[] => {
      const { code, json } = ask('PATCH', `${PODS}/p?dryRun=All`, { spec: { containers } }, MERGE);
      return [
        code,
        ...(json.details?.causes?.map(({ field, message }) => `${String(field)}: ${String(message)}`) ?? []),
      ];
    };
    const path = 'spec.containers[0].image';
    const blank = (image: string): string =>
      `${path}: Invalid value: ${JSON.stringify(image)}: must not have leading or trailing whitespace`;
    assert.deepEqual(changed([{ name: 'c', image: 'j' }]), [200]);
    for (const image of [' j', 'j ', '\tj', 'j\n']) assert.equal(changed([{ name: 'c', image }])[0], 422, image);
    assert.deepEqual(changed([{ name: 'c', image: ' j' }]).at(-1), blank(' j'));
    assert.deepEqual(changed([{ name: 'c', image: '' }]).at(-1), `${path}: Required value`);
    const number = 'spec.containers: Forbidden: pod updates may not add or remove containers';
    for (const containers of [
      [],
      [
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ],
    ])
      assert.ok(changed(containers).includes(number));
  });
});
