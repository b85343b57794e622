/** Each kind of job, played by a rule or two. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../model/report.js';
import { isOfDisk, type Mutant } from '../mutants/types.js';
import { isBroken } from './broken.js';
import { collectMutants } from './collect.js';
import { rulesIn } from './disks.js';
import { OF_SOMEBODY } from './elsewhere.js';
import { type Job, type Played, play } from './job.js';
import { MINIATURES } from './miniatures.js';
import { NEEDS } from './needs.js';

const RULE = 'LIM-001';
const all = await collectMutants();
const one = (isSo: (mutant: Mutant) => boolean): Mutant => {
  const found = all.find(isSo);
  assert.ok(found !== undefined);
  return found;
};
/** Kinds of what is told beside verdicts. */
const told = ({ asked, given, elsewhere, refusal }: Played): readonly string[] =>
  Object.entries({ asked, given, elsewhere, refusal }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
const of = (kind: 'baseline' | 'mutant' | 'paralysed' | 'elsewhere', name: string, ...rules: readonly string[]) =>
  play({ kind, name, rules });

describe('a job', () => {
  it('shows what rules ask, are given and look at on the unchanged reference, which meets them', async () => {
    const heard: Report[] = [];
    const job: Job = { kind: 'baseline', name: 'the unchanged reference', rules: [RULE] };
    const played = await play(job, {}, (report) => heard.push(report));
    assert.deepEqual(played.job, job);
    assert.deepEqual(played.verdicts, { [RULE]: 'passed' });
    assert.deepEqual(told(played), ['asked', 'given']);
    assert.ok((played.asked?.[RULE] ?? []).length > 0 && (played.given?.[RULE] ?? []).length > 0);
    assert.ok(played.rows.all.length > 0);
    assert.deepEqual([played.rows.unmet, played.replayedOtherwise, played.heldBack], [[], [], []]);
    assert.deepEqual(played.refusing, [RULE]);
    assert.deepEqual(
      heard.map(({ rules }) => rules.map(({ id, verdict }) => [id, verdict])),
      [[[RULE, 'passed']]],
    );
  });

  it('shows of a mutant what it breaks alone', async () => {
    const { name } = one((mutant) => mutant.killedBy.includes(RULE) && !isOfDisk(mutant) && !isBroken(mutant));
    const played = await of('mutant', name, RULE);
    assert.deepEqual(played.verdicts, { [RULE]: 'failed' });
    assert.ok(played.rows.unmet.length > 0);
    assert.deepEqual([played.rows.all, told(played)], [[], []]);
  });

  it('tells what checks are given where disks and clusters at rest are broken', async () => {
    const disk = one((mutant) => isOfDisk(mutant) && rulesIn('node-files/', mutant.killedBy).length > 0);
    const policy = one((mutant) => isBroken(mutant) && !isOfDisk(mutant) && mutant.options === undefined);
    for (const { name, killedBy } of [disk, policy]) {
      const [rule = ''] = killedBy;
      const played = await of('mutant', name, rule);
      assert.deepEqual([played.verdicts[rule], told(played)], ['failed', ['given']], name);
    }
  });

  it('plays several harmless variants at once', async () => {
    const members = all
      .filter(({ killedBy, arrange, apart }) => killedBy.length === 0 && arrange !== undefined && apart !== true)
      .slice(0, 2)
      .map(({ name }) => name);
    const played = await play({ kind: 'group', name: 'g', members, rules: [RULE] });
    assert.deepEqual(played.verdicts, { [RULE]: 'passed' });
  });

  it('holds back a cluster in which somebody may do nothing', async () => {
    const played = await of('paralysed', 'tokens forbidden everything', RULE);
    assert.deepEqual(played.heldBack, [RULE]);
    assert.notEqual(played.verdicts[RULE], 'passed');
    assert.deepEqual([played.rows.all, told(played)], [[], []]);
  });

  it('puts a gateway before a cluster, and takes it away', async () => {
    assert.equal((await of('paralysed', 'nothing is written here', RULE)).verdicts[RULE], 'error');
    assert.equal((await of('baseline', 'the unchanged reference', RULE)).verdicts[RULE], 'passed');
  });

  it('plays a reference with other flags', async () => {
    assert.equal((await of('paralysed', 'no token logs in', RULE)).verdicts[RULE], 'error');
  });

  it('judges a joining client without a cluster', async () => {
    const played = await of('paralysed', 'a client that crashes', RULE);
    assert.deepEqual(played.verdicts, { [RULE]: 'skipped' });
  });

  it('tells how rules fare elsewhere, and what they need', async () => {
    const played = await of('elsewhere', OF_SOMEBODY, RULE);
    assert.deepEqual(told(played), ['elsewhere']);
    const needs = await of('elsewhere', NEEDS, RULE);
    assert.deepEqual([needs.verdicts, Object.keys(needs.elsewhere ?? {})], [{}, [RULE]]);
    assert.ok((needs.elsewhere?.[RULE] ?? []).length > 0);
  });

  it('runs the suite on what is no cluster, and tells that joinproof refuses it', async () => {
    const [name] = MINIATURES;
    assert.ok(name !== undefined);
    const played = await play({ kind: 'miniature', name });
    assert.deepEqual(told(played), ['refusal']);
    assert.ok(!Object.values(played.verdicts).includes('passed'));
    assert.ok(Object.values(played.verdicts).includes('error'));
  });

  it('is refused where nobody has its name', async () => {
    await assert.rejects(of('mutant', 'nobody', RULE), /There is no mutant "nobody"\./);
    await assert.rejects(of('paralysed', 'nobody', RULE), /There is no paralysed variant "nobody"\./);
  });
});
