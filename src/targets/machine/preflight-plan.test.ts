import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { planOf } from './preflight-plan.js';

const beside = { hostName: 'machine', warn: () => {} };
const newest = parseRelease(NEWEST_RELEASE);
const earlier = `1.${newest.minor - 1}`;
const cluster = (version: string): string =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v${version}.0\n`;

describe('kubeadm that looks at a machine', () => {
  const minorOf = (content: string | undefined, kubernetesVersion?: string): number =>
    planOf('init', content, kubernetesVersion === undefined ? beside : { ...beside, kubernetesVersion }).release.minor;

  it('is of the version that it is said to be, else of that of the cluster, else the newest', () => {
    assert.equal(minorOf(undefined), newest.minor);
    assert.equal(minorOf(cluster(earlier)), newest.minor - 1);
    assert.equal(minorOf(cluster(earlier), NEWEST_RELEASE), newest.minor);
    assert.equal(minorOf(undefined, earlier), newest.minor - 1);
  });

  it('sets no cluster up that is more than a minor older', () => {
    assert.throws(
      () => planOf('init', cluster(`1.${newest.minor - 2}`), { ...beside, kubernetesVersion: NEWEST_RELEASE }),
      {
        message: /only supports deploying clusters with the control plane version >= 1\./,
      },
    );
  });
});
