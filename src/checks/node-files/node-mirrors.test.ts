import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Finding } from '../../model/finding.js';
import { twinsOf } from '../common/twins.testing.js';
import { type MirrorSeen, mirrorSeen, podParts, runsAsWritten, runsNothingElse } from './node-mirrors.js';
import { at, broken } from './node-seen.testing.js';

const container = (more: Fields = {}): Fields => ({
  name: 'a',
  image: 'r/a:v1',
  command: ['a', '--x=1', '--y=2'],
  volumeMounts: [{ name: 'k', mountPath: '/k', readOnly: true }],
  ...more,
});
const pod = (more: Fields = {}, spec: Fields = {}): Fields => ({
  kind: 'Pod',
  metadata: { name: 'a', namespace: 'kube-system' },
  spec: {
    containers: [container(more)],
    hostNetwork: true,
    volumes: [{ name: 'k', hostPath: { path: '/k' } }],
    ...spec,
  },
});
const manifest = (content: Fields = pod(), name = 'a') =>
  at(`/etc/kubernetes/manifests/${name}.yaml`, { kind: 'manifest', pod: content, flags: {} });
const mirror = (content: Fields = pod(), name = 'a-n'): MirrorSeen => ({
  namespace: 'kube-system',
  name,
  source: 'file',
  parts: podParts(content),
});
const unmet = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ result }) => result === 'unmet').map(({ demanded }) => demanded);

const written = (content: Fields, pods: readonly MirrorSeen[]): readonly string[] =>
  unmet(runsAsWritten.judge({ manifests: [manifest(content)], pods }, { node: 'n' }));

describe('a manifest', () => {
  it('runs as it is written, with what API servers add', () => {
    const shown = pod(
      {
        command: ['a', '--y=2', '--x=1'],
        securityContext: {},
        terminationMessagePath: '/dev/termination-log',
        volumeMounts: [
          { name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
          { name: 'k', mountPath: '/k', readOnly: true },
        ],
      },
      {
        hostPID: false,
        securityContext: {},
        nodeName: 'n',
        volumes: [{ name: 'k', hostPath: { path: '/k', type: '' } }],
      },
    );
    assert.deepEqual(written(pod(), [mirror(shown)]), []);
  });

  it('differs in one part', () => {
    const path = '/etc/kubernetes/manifests/a.yaml';
    const cases: readonly (readonly [Fields, string])[] = [
      [pod({ command: ['a', '--x=1', '--y=3'] }), 'its flags are'],
      [pod({ command: ['a', '--x=1'] }), 'its flags are'],
      [pod({ command: ['b', '--x=1', '--y=2'] }), 'its program is'],
      [pod({ image: 'r/a:v2' }), 'its images are'],
      [pod({ env: [{ name: 'A', value: 'b' }] }), 'its environment is'],
      [pod({ volumeMounts: [] }), 'its volumes are'],
      ...[{ hostNetwork: false }, { hostPID: true }, { hostIPC: true }, { securityContext: { runAsUser: 7 } }].map(
        (rights) => [pod({}, rights), 'its rights are'] as const,
      ),
      [pod({ securityContext: { privileged: true } }), 'its rights are'],
    ];
    for (const [shown, part] of cases) assert.deepEqual(written(pod(), [mirror(shown)]), [`${part} as ${path} says`]);
  });

  it('does not run, or nothing is known of static Pods', () => {
    for (const name of ['other-n', ...twinsOf('a-n')])
      assert.deepEqual(written(pod(), [mirror(pod(), name)]), ['it runs as Pod kube-system/a-n'], name);
    for (const namespace of twinsOf('kube-system'))
      assert.deepEqual(written(pod(), [{ ...mirror(), namespace }]), ['it runs as Pod kube-system/a-n'], namespace);
    assert.deepEqual(runsAsWritten.judge({ manifests: [manifest()], pods: [] }, { node: 'n' }), []);
  });
});

describe('a static Pod', () => {
  const others = (pods: readonly MirrorSeen[], isTold = false) =>
    runsNothingElse.judge({ manifests: [manifest()], pods }, { node: 'n', isTold }).map(({ result }) => result);

  it('has a manifest, or comes from where the kubelet is told', () => {
    assert.deepEqual(others([mirror()]), ['met']);
    assert.deepEqual(others([{ ...mirror(pod(), 'b-n'), source: 'http' }], true), ['met']);
  });

  it('is hidden', () => {
    assert.deepEqual(others([mirror(), mirror(pod(), 'b-n')]), ['met', 'unmet']);
    for (const name of twinsOf('a-n')) assert.deepEqual(others([mirror(pod(), name)]), ['unmet'], name);
    assert.deepEqual(others([{ ...mirror(pod(), 'b-n'), source: 'http' }]), ['unmet']);
  });

  it('may be that of a manifest that cannot be read', () => {
    const manifests = [broken('/etc/kubernetes/manifests/b.yaml')];
    const [finding] = runsNothingElse.judge({ manifests, pods: [mirror()] }, { node: 'n', isTold: false });
    assert.equal(finding?.result, 'unclear');
  });

  it('is told from other Pods', () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' };
    const shown: KubeObject = { ...pod(), metadata: { name: 'a-n', namespace: 'kube-system', annotations } };
    assert.deepEqual(mirrorSeen(shown), mirror());
    assert.equal(mirrorSeen({ ...pod(), metadata: {} }), undefined);
  });
});
