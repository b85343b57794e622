import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { RuleResult } from '../model/report.js';
import type { Need } from '../targets/types.js';
import { type Judgement, judge } from './judge.js';
import { distFolder, packageFile } from './package-root.js';
import type { RunThread } from './run-thread.js';
import { seen } from './testing/toy-record.js';
import { toyTarget } from './testing/toy-target.js';

const suite = {
  features: packageFile('src/run/testing/features'),
  steps: [path.join(distFolder, 'src/run/testing/toy-steps.js')],
};

const run = (
  capabilities: readonly Need[],
  selection = {},
  signal = new AbortController().signal,
): Promise<Judgement> => judge({ target: toyTarget(capabilities), selection, signal, suite });

const rule = ({ report }: Judgement, id: string): RuleResult => {
  const found = report.rules.find((candidate) => candidate.id === id);
  assert.ok(found, id);
  return found;
};

for (const [title, capabilities] of [
  ['on a target whose clock can be moved', ['writes', 'clock']],
  ['on a target where waiting takes time', ['writes']],
] as const) {
  describe(`verdicts ${title}`, () => {
    let judged: Judgement;
    before(async () => {
      judged = await run(capabilities);
    });

    it('passes what is as demanded', () => {
      const result = rule(judged, 'TOY-01');
      assert.equal(result.verdict, 'passed');
      assert.equal(result.reason, null);
      assert.deepEqual(result.scenarios[0]?.judgements, [
        {
          check: 'toys/sound',
          observation: 'o1',
          findings: [{ subject: 'toy that is sound', role: 'demand', demanded: 'sound', seen: 'sound', result: 'met' }],
        },
      ]);
    });

    it('fails what is not, each example by itself, and stops at the step that saw it', () => {
      const result = rule(judged, 'TOY-02');
      assert.equal(result.verdict, 'failed');
      assert.deepEqual(
        result.scenarios.map(({ name, verdict, reason }) => [name, verdict, reason?.text]),
        [
          ['a broken toy', 'failed', 'toy that is broken: sound; seen: broken'],
          ['a missing toy', 'failed', 'toy that is missing: sound; seen: missing'],
        ],
      );
    });

    it('tells what could not be found out as an error, in one line', () => {
      const reasons = rule(judged, 'TOY-03').scenarios.map(({ verdict, reason }) => `${verdict}: ${reason?.text}`);
      assert.deepEqual(reasons, [
        'error: joinproof itself failed: TypeError: toys is undefined',
        'error: positive control: toy that is broken: sound; seen: broken',
        'error: https://toy:1 refused the connection.',
      ]);
    });

    it('never takes an undefined or ambiguous step for anything but an error', () => {
      const result = rule(judged, 'TOY-04');
      assert.deepEqual(
        result.scenarios.map(({ verdict }) => verdict),
        ['error', 'error', 'error'],
      );
      assert.match(result.scenarios[0]?.reason?.text ?? '', /no step is defined for "nobody has defined this"/);
      assert.match(result.scenarios[1]?.reason?.text ?? '', /steps are defined for "two definitions of one sentence"/);
    });

    it('skips with the reason: nothing to judge, no ability, another version', () => {
      const result = rule(judged, 'TOY-05');
      assert.equal(result.verdict, 'skipped');
      assert.deepEqual(
        result.scenarios.map(({ reason }) => reason?.text),
        ['there are no toys', 'toys have no variants', 'applies since Kubernetes 1.40; the target is v1.36.0'],
      );
    });

    it('does not let a scenario pass that looked at nothing', () => {
      assert.equal(rule(judged, 'TOY-06').verdict, 'error');
    });

    it('takes the worst scenario for the rule and says how many are that bad', () => {
      const result = rule(judged, 'TOY-07');
      assert.equal(result.verdict, 'skipped');
      assert.equal(result.reason?.text, '1 of 2 scenarios skipped: toys have no variants');
    });

    it('leaves out scenarios of other releases where there are some of this one', () => {
      const result = rule(judged, 'TOY-01');
      assert.equal(result.verdict, 'passed');
      assert.deepEqual(
        result.scenarios.map(({ verdict }) => verdict),
        ['passed', 'skipped'],
      );
    });

    it('plays waiting scenarios', () => {
      assert.equal(rule(judged, 'TOY-08').verdict, 'passed');
    });

    it('counts, and ends with 1 because something failed', () => {
      const { rules: all, passed, failed, error, skipped, exitCode } = judged.report.summary;
      assert.deepEqual(
        { all, passed, failed, error, skipped, exitCode },
        { all: 8, passed: 2, failed: 1, error: 3, skipped: 2, exitCode: 1 },
      );
    });
  });
}

describe('the timeline', () => {
  it('lets waiting scenarios wait side by side, and exclusive ones one after another', async () => {
    Object.assign(seen, { holders: 0, most: 0, waiting: 0, mostWaiting: 0, looked: 0 });
    const { report } = await run(['writes'], { rules: ['TOY-08', 'TOY-01'] });
    assert.equal(report.summary.passed, 2);
    assert.equal(seen.mostWaiting, 3);
    assert.equal(seen.most, 1);
  });

  it('plays nothing that is not selected', async () => {
    Object.assign(seen, { mostWaiting: 0 });
    await run(['writes'], { rules: ['TOY-01'] });
    assert.equal(seen.mostWaiting, 0);
  });

  it('ends at once when the run is aborted, and nothing passes by that', async () => {
    const controller = new AbortController();
    const pending = run(['writes'], { rules: ['TOY-08'] }, controller.signal);
    setTimeout(() => controller.abort(Object.assign(new Error('the run was interrupted'), { name: 'CannotJudge' })), 5);
    const { report } = await pending;
    assert.equal(report.summary.exitCode, 3);
    assert.match(report.rules[0]?.reason?.text ?? '', /the run was interrupted/);
  });
});

describe('a run that was given up before it began', () => {
  const why = Object.assign(new Error('the run was interrupted'), { name: 'CannotJudge' });
  it('loads no steps, and leaves an error of every scenario', async () => {
    const rules = ['TOY-01', 'TOY-08'];
    const { report, outcomes } = await judge({
      target: toyTarget(['writes']),
      selection: { rules },
      signal: AbortSignal.abort(why),
      suite: { ...suite, steps: [path.join(distFolder, 'src/run/testing/no-such-steps.js')] },
    });
    assert.equal(report.summary.exitCode, 3);
    assert.deepEqual(
      report.rules.map(({ id, verdict }) => [id, verdict]),
      rules.map((id) => [id, 'error']),
    );
    assert.equal(outcomes.size, report.summary.scenarios);
    for (const { verdict } of outcomes.values())
      if (verdict.kind === 'passed') assert.fail('nobody has played it');
      else assert.match(verdict.reason.text, /the run was interrupted/);
  });

  it('plays nothing where that happens while the steps are loaded', async () => {
    Object.assign(seen, { mostWaiting: 0 });
    const controller = new AbortController();
    const pending = run(['writes'], { rules: ['TOY-08'] }, controller.signal);
    controller.abort(why);
    const { report } = await pending;
    assert.deepEqual([report.summary.error, report.summary.exitCode, seen.mostWaiting], [1, 3, 0]);
  });
});

describe('a run whose target is gone', () => {
  it('ends with that as the cause of every scenario, though nobody has interrupted it', async () => {
    const why = Object.assign(new Error('kube-apiserver has ended with 1'), { name: 'TargetUnreachable' });
    const { report } = await judge({
      target: { ...toyTarget(['writes']), gone: AbortSignal.abort(why) },
      selection: { rules: ['TOY-01', 'TOY-08'] },
      signal: new AbortController().signal,
      suite,
    });
    assert.equal(report.summary.exitCode, 3);
    for (const { verdict, reason } of report.rules)
      assert.deepEqual([verdict, reason?.kind, reason?.text], ['error', 'target', why.message]);
  });
});

describe('how far a run is', () => {
  it('is told after each scenario, played or not, with its rule', async () => {
    const told: string[] = [];
    const { outcomes } = await judge({
      target: toyTarget(['writes']),
      selection: { rules: ['TOY-04', 'TOY-05'] },
      signal: new AbortController().signal,
      suite,
      onProgress: (done, total, id) => told.push(`${done}/${total} ${id}`),
    });
    const ids = told.map((line) => line.split(' ')[1] ?? '');
    assert.deepEqual(
      told,
      ids.map((id, at) => `${at + 1}/${outcomes.size} ${id}`),
    );
    assert.equal(told.length, outcomes.size);
    assert.deepEqual([...new Set(ids)].sort(), ['TOY-04', 'TOY-05']);
  });
});

describe('the report of a run', () => {
  it('is what schemas/report.schema.json says, sorted by id', async () => {
    const { report } = await run(['writes', 'clock']);
    const ajv = new Ajv({ allErrors: true });
    formats.default(ajv);
    const schema: object = JSON.parse(readFileSync(packageFile('schemas/report.schema.json'), 'utf8'));
    assert.ok(ajv.validate(schema, JSON.parse(JSON.stringify(report))), JSON.stringify(ajv.errors));
    const ids = report.rules.map(({ id }) => id);
    assert.deepEqual(ids, [...ids].sort());
  });

  it('holds each scenario that was chosen, also one that nobody has played, as an error', async () => {
    const whole = await run(['writes'], { rules: ['TOY-01', 'TOY-02', 'TOY-08'] });
    const ids = (judged: Judgement) => judged.report.rules.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
    const chosen = [...whole.outcomes.keys()];
    assert.equal(ids(whole).length, chosen.length);
    for (const lost of chosen) {
      const thread = {
        plays: new Set([lost]),
        outcomes: async () => ({ outcomes: new Map(), learned: undefined }),
      } as unknown as RunThread;
      const target = toyTarget(['writes']);
      const signal = new AbortController().signal;
      const left = await judge({
        target,
        selection: { rules: ['TOY-01', 'TOY-02', 'TOY-08'] },
        signal,
        suite,
        threads: [thread],
      });
      assert.deepEqual(ids(left), ids(whole));
      const errors = left.report.rules.flatMap(({ scenarios }) =>
        scenarios.filter(({ verdict }) => verdict === 'error'),
      );
      assert.deepEqual(
        errors.map(({ reason }) => reason?.text),
        ['the scenario was not executed'],
      );
      assert.equal(left.report.summary.scenarios, chosen.length);
      assert.notEqual(left.report.summary.exitCode, 0);
    }
  });

  it('is the same bytes for the same target, but for times', async () => {
    const bytes = async (): Promise<string> =>
      JSON.stringify({ ...(await run(['writes', 'clock'])).report, startedAt: '' }, (key, value) =>
        key === 'seconds' ? 0 : value,
      );
    assert.equal(await bytes(), await bytes());
  });
});

describe('exit codes', () => {
  const cases = [
    ['TOY-01', 0],
    ['TOY-02', 1],
    ['TOY-03', 3],
    ['TOY-05', 3],
  ] as const;
  for (const [id, code] of cases) {
    it(`${id} alone ends with ${code}`, async () => {
      assert.equal((await run(['writes', 'clock'], { rules: [id] })).report.summary.exitCode, code);
    });
  }
});
