import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRelease } from '../../kubeadm/release.js';
import { controlPlaneDecisions } from './control-planes.js';

describe('what a machine decides that joins as a control plane', () => {
  const { marks, mustBeWell, isWell, ownKeyAlgorithm, ownKubeconfigs, ownManifests } = controlPlaneDecisions;
  const ROLE = 'node-role.kubernetes.io/control-plane';
  const usual = { key: ROLE, effect: 'NoSchedule' };

  it('is how its Node is marked: with its own taints, then with those that are there', () => {
    const other = { key: 'a', effect: 'NoSchedule' };
    for (const [own, there, taints] of [
      [undefined, [], [usual]],
      [undefined, [other], [usual, other]],
      [undefined, [usual, other], [usual, other]],
      [undefined, [{ ...usual, value: 'b' }], [usual]],
      [undefined, [{ ...usual, effect: 'NoExecute' }], [usual, { ...usual, effect: 'NoExecute' }]],
      [[], [other], [other]],
      [[other], [usual], [other, usual]],
    ] as const)
      assert.deepEqual(marks(own, there).taints, taints);
    assert.deepEqual(marks(undefined, []).labels, {
      [ROLE]: '',
      'node.kubernetes.io/exclude-from-external-load-balancers': '',
    });
  });

  it('is who must be well, and where that is asked, since 1.33', () => {
    const places = (release: string): readonly string[] =>
      mustBeWell(7443, parseRelease(release)).map(({ component, port, path }) => `${component} ${port} ${path}`);
    assert.deepEqual(places('1.33'), [
      'kube-apiserver 7443 /livez',
      'kube-controller-manager 10257 /healthz',
      'kube-scheduler 10259 /livez',
    ]);
    assert.deepEqual(places('1.32'), []);
    assert.deepEqual([200, 201, 500, undefined].map(isWell), [true, false, false, false]);
  });

  it('is what it makes for itself', () => {
    assert.equal(ownKeyAlgorithm('RSA-3072'), 'RSA-3072');
    assert.deepEqual(ownKubeconfigs(), ['admin', 'controller-manager', 'scheduler']);
    assert.deepEqual(ownManifests(), ['apiserver', 'controller-manager', 'scheduler']);
  });
});
