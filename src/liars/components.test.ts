import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { componentAt, HEALTH, PlayedComponents, startsPods } from './components.js';

const lie = { name: 'x', server: 'y', right: 'joins' } as const;
const played = (sick?: 'kube-scheduler'): PlayedComponents =>
  new PlayedComponents({ ...lie, components: sick === undefined ? {} : { sick } }, () => 7);

describe('components that are played', () => {
  it('are known by their ports', () => {
    assert.deepEqual([10_257, 10_259, 10_258, 6443].map(componentAt), [
      'kube-controller-manager',
      'kube-scheduler',
      undefined,
      undefined,
    ]);
  });

  it('are well at the second look each, and never where they are sick', () => {
    const components = played('kube-scheduler');
    const looks = (['kube-scheduler', 'kube-apiserver', 'kube-scheduler', 'kube-apiserver'] as const).map((one) =>
      components.answer(one, '/livez'),
    );
    assert.deepEqual(looks, [503, 403, 500, 200]);
    assert.deepEqual(
      [1, 2].map(() => components.answer('kube-controller-manager', '/healthz')),
      [404, 200],
    );
    assert.deepEqual(components.calls[3], { component: 'kube-apiserver', at: 7, isWell: true });
    assert.deepEqual(components.calls[0], { component: 'kube-scheduler', at: 7, isWell: false });
  });

  it('say how they are at three paths, and nothing elsewhere', () => {
    const components = played();
    components.answer('kube-scheduler', '/livez');
    const asked = ['/healthz', '/livez', '/readyz', '/version', '/livez/etcd', '/x/livez', '/'];
    assert.deepEqual(
      asked.map((path) => components.answer('kube-scheduler', path)),
      [200, 200, 200, 404, 404, 404, 404],
    );
    assert.deepEqual(
      asked.map((path) => HEALTH.test(path)),
      [true, true, true, false, false, false, false],
    );
    assert.equal(components.calls.at(-1)?.isWell, false);
  });

  it('are started where there is a Node, or where they are told of', () => {
    assert.deepEqual([lie, { ...lie, hasNode: true as const }, { ...lie, components: {} }].map(startsPods), [
      false,
      true,
      true,
    ]);
  });
});
