import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mixedProblem } from './arguments.js';
import { clusterProblems, initProblems, unreadDuration, unreadToken } from './told-validation.js';

describe('what no phase of files reads', () => {
  it('is a token of the form, of any length of time', () => {
    assert.equal(unreadToken({ bootstrapTokens: [{ token: 'abcdef.0123456789abcdef' }, {}] }), undefined);
    assert.match(unreadToken({ bootstrapTokens: [{ token: 'abcdef.x' }] }) ?? '', /was not of the form/);
    assert.equal(
      unreadDuration({ bootstrapTokens: [{ ttl: '1h30m' }, { ttl: '0' }], timeouts: { a: '5s' } }),
      undefined,
    );
    assert.equal(unreadDuration({ bootstrapTokens: [{ ttl: '24' }] }), 'time: missing unit in duration "24"');
    assert.match(unreadDuration({ timeouts: { a: '1x' } }) ?? '', /invalid duration "1x"/);
  });
  it('is told in kubeadm’s words where it is wrong', () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ bootstrapTokens: [{ usages: ['login', 'authentication'] }] }, /usage string: login/],
      [{ bootstrapTokens: [{ usages: ['signing'] }] }, /token groups cannot be specified/],
      [{ bootstrapTokens: [{ groups: ['system:masters'] }] }, /group "system:masters" is invalid/],
      [{ bootstrapTokens: [{ expires: '2050-01-01T00:00:00Z' }] }, /mutually exclusive/],
      [{ certificateKey: 'ab' }, /certificateKey: .*invalid certificate key size 1,/],
      [{ nodeRegistration: { imagePullPolicy: 'x' } }, /invalid pull policy/],
      [{ nodeRegistration: { kubeletExtraArgs: [{ value: 'x' }] } }, /"index 0": argument has no name/],
    ];
    for (const [init, words] of wrong) assert.match(initProblems({ ...init }).join(), words);
    for (const [cluster, words] of [
      [{ imageRepository: 'https://a' }, /^imageRepository: /],
      [{ dns: { imageRepository: 'a/B' } }, /^dns\.imageRepository: /],
      [{ etcd: { local: { imageRepository: 'a/B' } } }, /^etcd\.local\.imageRepository: /],
      [{ featureGates: { X: true } }, /X is not a valid feature name/],
      [{ scheduler: { extraArgs: [{ name: 'a' }, {}] } }, /scheduler\.extraArgs: .*index 1/],
    ] as const)
      assert.match(clusterProblems(cluster).join(), words);
  });
  it('is silent where nothing is', () => {
    assert.deepEqual(
      initProblems({
        bootstrapTokens: [{ groups: ['system:bootstrappers:a'] }, {}],
        nodeRegistration: { kubeletExtraArgs: { v: '1' } },
      }),
      [],
    );
    assert.deepEqual(
      clusterProblems({ imageRepository: 'a.example:5000/b', featureGates: { PublicKeysECDSA: true } }),
      [],
    );
  });
  it('stands beside few flags', () => {
    assert.equal(mixedProblem(['--skip-phases=addon', '--dry-run', '--node-name=a']), undefined);
    assert.equal(mixedProblem(['--b=1', '--a']), "can not mix '--config' with arguments [a b]");
  });
});
