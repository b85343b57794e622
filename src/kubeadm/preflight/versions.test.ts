import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CGROUPS } from './versions.js';

// Source: k8s.io/system-validators, validators/cgroup_validator_linux.go; types_unix.go CgroupSpec, CgroupV2Spec.
it('cgroups are looked for by name, those of the second version without accounting', () => {
  assert.deepEqual(CGROUPS[1].required, ['cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids']);
  assert.deepEqual(CGROUPS[2].required, ['cpu', 'cpuset', 'devices', 'freezer', 'memory', 'pids']);
  assert.deepEqual(
    [CGROUPS[1].optional, CGROUPS[2].optional],
    [
      ['hugetlb', 'blkio'],
      ['hugetlb', 'io'],
    ],
  );
});
