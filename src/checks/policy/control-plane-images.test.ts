import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { sentenceOf } from '../../model/finding.js';
import { imagesFit, imagesSayVersions, readImagesNamed, readImagesRun } from './control-plane-images.js';

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

it('is told with its Pod, its version and those of the API servers', () => {
  const images = run('a/kube-proxy:v1.36.12-eks-1', 'a/kube-apiserver:v1.37.0-rc.1', 'a/other:v1.36.0');
  assert.deepEqual(
    images.map(({ program, version, minor }) => `${program} ${version} ${minor}`),
    ['kube-proxy v1.36.12-eks-1 36', 'kube-apiserver v1.37.0-rc.1 37'],
  );
  assert.deepEqual(imagesFit.judge(images, { minor: 36 }).map(sentenceOf), [
    'Pod kube-system/p: is no newer than the API server, and not too old for it; seen: kube-proxy v1.36.12-eks-1, and API servers of 1.37',
  ]);
});

it('is asked of what names no namespace, and of what makes Pods', () => {
  const template = { spec: { containers: [{ image: 'a/kube-proxy:v1.36.0' }] } };
  const made = readImagesRun(
    { metadata: { name: 'p', namespace: 'a' }, spec: { template } } as KubeObject,
    'DaemonSet',
  );
  assert.deepEqual(
    made.map(({ subject }) => subject),
    ['DaemonSet a/p'],
  );
});

it('an image of the control plane says which version it is', () => {
  const pod = (...images: readonly string[]) =>
    ({
      metadata: { namespace: 'kube-system', name: 'p' },
      spec: { containers: images.map((image) => ({ image })) },
    }) as KubeObject;
  const said = (...images: readonly string[]): readonly string[] =>
    imagesSayVersions.judge(readImagesNamed(pod(...images), 'Pod'), undefined).map(sentenceOf);
  assert.deepEqual(
    said('a/etcd:3.6.6-0', 'r:5000/etcd:v1', 'etcd@sha256:00', 'a/etcd:latest@sha256:00', 'a:latest-1'),
    ['the control plane: has an image of one version; seen: each of 5 containers'],
  );
  for (const image of ['a/etcd', 'r:5000/etcd', 'a/etcd:latest', 'etcd:'])
    assert.deepEqual(said('a/etcd:1', image), [`Pod kube-system/p: has an image of one version; seen: ${image}`]);
  assert.deepEqual(said(''), ['Pod kube-system/p: has an image of one version; seen: none']);
  assert.deepEqual(said(), []);
});
