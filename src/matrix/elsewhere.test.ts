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
  it('is judged once for each kind that a rule reads, and is not given', async () => {
    const { elsewhere = {} } = await play({ kind: 'elsewhere', name: 'only read', rules: ['SEC-002', 'PATH-001'] });
    const ways = ['its lists fail', 'its lists are forbidden', 'a dump lacks it'];
    const [whole = '', ...each] = elsewhere['SEC-002'] ?? [];
    assert.match(whole, /^only read: passed, asks 0 /);
    assert.deepEqual(
      each.map((line) => line.replace(/, [0-9a-f]{8}$/, '')),
      ways.map((way) => `only read: ${way}: 0 of 1 passed`),
    );
    assert.equal(elsewhere['PATH-001']?.length, 1);
  });
  it('is judged once for each status that a rule sees, and is answered otherwise', async () => {
    const { elsewhere = {} } = await play({
      kind: 'elsewhere',
      name: 'of somebody else',
      rules: ['AUTH-023', 'SEC-002'],
    });
    const [whole = '', each = ''] = elsewhere['AUTH-023'] ?? [];
    assert.match(whole, /^of somebody else: passed, asks [1-9]/);
    assert.match(each, /^of somebody else: each status: \d of [1-9]\d* passed, [0-9a-f]{8}$/);
    assert.equal(elsewhere['SEC-002']?.length, 1);
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
