import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cgroupsIn, kernelOptionsOff } from './system.js';

describe('control groups that are mounted', () => {
  const cases: readonly (readonly [string, string, boolean, unknown])[] = [
    ['version 2', 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0', false, { mountPoint: '/sys/fs/cgroup', version: 2 }],
    ['version 1', 'tmpfs /sys/fs/cgroup tmpfs rw 0 0', true, { mountPoint: '/sys/fs/cgroup', version: 1 }],
    ['elsewhere', 'a /b cgroup rw 0 0\nc /d cgroup2 rw 0 0', false, { mountPoint: '/d', version: 2 }],
    ['elsewhere, version 1', 'a /b cgroup rw 0 0\nc /d cgroup rw 0 0', false, { mountPoint: '/b', version: 1 }],
    ['nowhere', 'proc /proc proc rw 0 0', false, undefined],
  ];
  for (const [what, mounts, hasMemory, expected] of cases)
    it(what, () => assert.deepEqual(cgroupsIn(mounts, hasMemory), expected));
});

describe('options of the kernel', () => {
  it('are on, built in or as modules, or go by another name', () => {
    const text =
      'CONFIG_INET=y\nCONFIG_EXT4_FS=m\nCONFIG_IP_NF_TARGET_REDIRECT=m\n# CONFIG_MEMCG is not set\nCONFIG_NET_NS=n\n';
    const wanted = ['INET', 'EXT4_FS', 'NETFILTER_XT_TARGET_REDIRECT', 'MEMCG', 'NET_NS'];
    assert.deepEqual(kernelOptionsOff(text, wanted), ['CONFIG_MEMCG', 'CONFIG_NET_NS']);
  });
});
