import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import { imagesFit, readImagesRun } from './control-plane-images.js';

const run = (...images: readonly string[]) =>
  readImagesRun(
    {
      metadata: { namespace: 'kube-system', name: 'p' },
      spec: { containers: images.map((image) => ({ image })) },
    } as KubeObject,
    'Pod',
  );
const results = (minor: number, ...images: readonly string[]): readonly string[] =>
  imagesFit.judge(run(...images), { minor }).map(({ result }) => result);

it('the version of an image is its tag', () => {
  assert.deepEqual(
    run('r.example.com:5000/a/kube-proxy:v1.36.0@sha256:00').map(({ program, version }) => [program, version]),
    [['kube-proxy', 'v1.36.0']],
  );
  for (const image of ['a/kube-proxy', 'a/kube-proxy:latest', 'a/kube-proxy@sha256:00', 'a/etcd:3.6.0', ''])
    assert.deepEqual(run(image), [], image);
});

it('what asks the API server is neither ahead of it nor far behind', () => {
  for (const image of ['a/kube-scheduler:v1.36.2', 'a/kube-controller-manager:v1.35.0', 'a/kube-proxy:v1.33.1'])
    assert.deepEqual(results(36, image), ['met'], image);
  for (const image of ['a/kube-scheduler:v1.37.0', 'a/kube-controller-manager:v1.34.9', 'a/kube-proxy:v1.32.1'])
    assert.deepEqual(results(36, image), ['unmet'], image);
  // while they are upgraded, one after the other
  assert.deepEqual(results(36, 'a/kube-apiserver:v1.37.0', 'a/kube-scheduler:v1.37.0'), ['met']);
  assert.deepEqual(results(37, 'a/kube-apiserver:v1.36.0', 'a/kube-scheduler:v1.36.0'), ['met']);
  assert.deepEqual(results(36), []);
});
