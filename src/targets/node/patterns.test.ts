import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMeant } from './patterns.js';

describe('what of a disk is meant', () => {
  it('is a place and all below it', () => {
    assert.equal(isMeant('/etc/kubernetes/pki/ca.crt', '/etc/kubernetes'), true);
    assert.equal(isMeant('/etc/kubernetes.old', '/etc/kubernetes'), false);
  });
  it('is a place alone, where it ends so', () => {
    assert.equal(isMeant('/var/lib/kubelet', '/var/lib/kubelet/'), true);
    assert.equal(isMeant('/var/lib/kubelet/pods', '/var/lib/kubelet/'), false);
  });
  it('is any name', () => {
    assert.equal(isMeant('/home/a/.kube/config', '/home/*/.kube/config'), true);
    assert.equal(isMeant('/root/join.yaml', '/root/*.yaml'), true);
    assert.equal(isMeant('/root/joinxyaml', '/root/*.yaml'), false);
    for (const name of ['a.key', 'join', 'join.old'])
      assert.equal(isMeant(`/root/pki/${name}`, '/root/pki|certs/*.key|join*'), true, name);
    assert.equal(isMeant('/root/key/a.key', '/root/pki|certs/*.key|join*'), false);
    assert.equal(isMeant('/root/pki/a.crt', '/root/pki|certs/*.key|join*'), false);
  });
});
