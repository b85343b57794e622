import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { listensAtItsAddress, signingFlags } from '../node-files/node-flags.js';
import { pod } from '../node-files/node-seen.testing.js';
import { machineApart } from '../node-files/node-subnets.js';

describe('the address of a machine', () => {
  it('is that of no Pod and of no service', () => {
    const told = (address: string, flags: Readonly<Record<string, string>>): string =>
      resultsOf(machineApart, [pod('kube-controller-manager', flags)], { address }).join();
    const pods = { 'cluster-cidr': '10.244.0.0/16,fd00::/56', 'service-cluster-ip-range': '10.96.0.0/12' };
    assert.equal(told('192.0.2.10', pods), 'met');
    assert.equal(told('10.244.3.1', pods), 'unmet');
    assert.equal(told('10.100.0.1', pods), 'unmet');
    assert.equal(told('10.244.3.1', {}), 'met');
    assert.equal(told('', pods), '');
    assert.equal(told('fd00::1', pods), '');
  });
  it('is where its API server listens', () => {
    const told = (flags: Readonly<Record<string, string>>): string =>
      resultsOf(listensAtItsAddress, [pod('kube-apiserver', flags)], undefined).join();
    const own = { 'advertise-address': '192.0.2.10' };
    for (const bind of ['0.0.0.0', '::', '192.0.2.10', '']) assert.equal(told({ ...own, 'bind-address': bind }), 'met');
    assert.equal(told({ ...own, 'bind-address': '192.0.2.77' }), 'unmet');
    assert.equal(told({ 'bind-address': '192.0.2.77' }), 'met');
    assert.equal(told({ 'advertise-address': '2001:db8:0:0::1', 'bind-address': '2001:db8::1' }), 'met');
  });
});

describe('what certificates are signed with', () => {
  const flag = 'cluster-signing-cert-file';
  const each = ['kubelet-serving', 'kubelet-client', 'kube-apiserver-client', 'legacy-unknown'].map(
    (signer) => `cluster-signing-${signer}-cert-file`,
  );
  const told = Object.fromEntries(each.map((name) => [name, '/a']));
  it('is said by one flag, or by those of all signers in its place', () => {
    assert.deepEqual(signingFlags({}, flag), [flag]);
    assert.deepEqual(signingFlags(told, flag), each);
    assert.deepEqual(signingFlags({ ...told, [flag]: '' }, flag), [flag]);
    assert.deepEqual(signingFlags({ ...told, [each[0] ?? '']: '' }, flag), [flag]);
  });
});
