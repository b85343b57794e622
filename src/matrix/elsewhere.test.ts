import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { featuresFolder } from '../run/package-root.js';
import { play } from './job.js';
import { needsOf } from './needs.js';

describe('the reference where less of it is seen', () => {
  it('is judged as far as that goes', async () => {
    const { verdicts, elsewhere = {} } = await play({
      kind: 'elsewhere',
      name: 'a dump',
      rules: ['SEC-002', 'AUTH-023'],
    });
    assert.deepEqual(verdicts, { 'AUTH-023': 'skipped', 'SEC-002': 'passed' });
    assert.match(elsewhere['AUTH-023']?.[0] ?? '', /^a dump: skipped \(ability [0-9a-f]{8}\), asks 0 /);
    assert.match(elsewhere['SEC-002']?.[0] ?? '', /^a dump: passed, asks 0 [0-9a-f]{8}, is given [1-9]/);
  });
  it('is asked nothing that would have to be known of it', async () => {
    const { verdicts } = await play({ kind: 'elsewhere', name: 'not by kubeadm', rules: ['RBAC-004'] });
    assert.deepEqual(verdicts, { 'RBAC-004': 'skipped' });
  });
  it('is nowhere else', async () => {
    await assert.rejects(play({ kind: 'elsewhere', name: 'nowhere', rules: [] }), /There is no place "nowhere"/);
  });
});

it('what scenarios need is said of each of them', async () => {
  const { 'AUTH-023': lines = [] } = await needsOf(['AUTH-023'], { features: featuresFolder });
  assert.ok(lines.length > 0);
  for (const line of lines) assert.match(line, /^needs: [a-z0-9-]+: .*requests/);
});
