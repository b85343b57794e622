import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { demand, type Finding } from '../model/finding.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { likens, type Waiver } from '../model/waiver.js';
import { report } from '../report/testing-report.js';
import { configured } from './configuration.js';
import { differences, isWorse } from './diff.js';
import { conforms } from './schemas.js';
import { UsageError } from './usage-error.js';
import { baselineOf, evidenceFor, waive } from './waivers.js';

const unmet = (subject: string): Finding => demand({ subject, demanded: 'is sound', seen: 'it is not', ok: false });

/** A failed rule of one scenario that found these unmet. */
const failed = (id: string, subjects: readonly string[], more = 0): RuleResult => {
  const [pattern] = report.rules;
  const [scenario] = pattern?.scenarios ?? [];
  assert.ok(pattern && scenario);
  const reason = { kind: 'unmet', text: 'x' } as const;
  const judgement = {
    check: 'toys/sound',
    observation: 'o1',
    findings: subjects.map(unmet),
    ...(more === 0 ? {} : { more: { met: 0, unmet: more, unclear: 0 } }),
  };
  const one = { ...scenario, id: `${id}/s`, verdict: 'failed', reason, judgements: [judgement] } as const;
  return { ...pattern, id, verdict: 'failed', reason, scenarios: [one] };
};
const passed = (id: string): RuleResult => ({ ...(report.rules[0] as RuleResult), id });
const told = (rules: readonly RuleResult[]): Report => ({ ...report, rules });
const waiver = (changed: Partial<Waiver> = {}): Waiver => ({
  rule: 'TOY-01',
  subject: 'Secret a/b',
  owner: 'ops',
  reason: 'until the move',
  expires: '2026-11-21',
  ...changed,
});
const waived = (rules: readonly RuleResult[], waivers: readonly Waiver[]) => waive(told(rules), { waivers });

describe('wildcards', () => {
  it('stand for any text, and for none', () => {
    for (const [pattern, text] of [
      ['a', 'a'],
      ['*', ''],
      ['*', 'a b'],
      ['a*', 'a'],
      ['*b', 'ab'],
      ['a*c*e', 'abcde'],
      ['a**b', 'ab'],
      ['*ab*ab', 'abab'],
    ] as const)
      assert.ok(likens(pattern, text), `${pattern} ${text}`);
    for (const [pattern, text] of [
      ['a', 'ab'],
      ['a*a', 'a'],
      ['*ab*ab', 'ab'],
      ['a*c*e', 'aec'],
      ['', 'a'],
      ['a.c', 'abc'],
    ] as const)
      assert.ok(!likens(pattern, text), `${pattern} ${text}`);
    assert.ok(!likens(`${'*a'.repeat(5_000)}b`, 'a'.repeat(500_000)));
  });
});

describe('a waiver', () => {
  it('waives a rule all of whose unmet demands it covers, with who answers for it', () => {
    const { rules, waivers, summary } = waived([failed('TOY-01', ['Secret a/b']), passed('TOY-02')], [waiver()]);
    assert.equal(rules[0]?.verdict, 'waived');
    assert.equal(rules[0]?.reason?.text, 'waived until 2026-11-21 by ops: until the move');
    assert.deepEqual(
      waivers?.map(({ state, findings }) => [state, findings]),
      [['used', 1]],
    );
    assert.equal(summary.exitCode, 0);
  });

  it('waives nothing where another object is unmet, or findings are counted only', () => {
    assert.equal(waived([failed('TOY-01', ['Secret a/b', 'Secret a/c'])], [waiver()]).rules[0]?.verdict, 'failed');
    assert.equal(waived([failed('TOY-01', ['Secret a/b'], 3)], [waiver()]).rules[0]?.verdict, 'failed');
    assert.equal(waived([failed('TOY-01', ['Secret a/b'], 3)], [waiver({ subject: '*' })]).rules[0]?.verdict, 'waived');
    assert.equal(waived([failed('TOY-02', ['Secret a/b'])], [waiver()]).rules[0]?.verdict, 'failed');
  });

  it('leaves what could not be judged as it is, also beside what it covers', () => {
    const rule = failed('TOY-01', ['Secret a/b']);
    const [scenario] = rule.scenarios;
    assert.ok(scenario);
    // an attempt that ended had found the same before
    const ended = {
      ...scenario,
      id: 'TOY-01/t',
      verdict: 'error',
      reason: { kind: 'target', text: 'closed' },
    } as const;
    const both = waived([{ ...rule, scenarios: [scenario, ended] }], [waiver()]).rules[0];
    assert.deepEqual(
      both?.scenarios.map(({ verdict }) => verdict),
      ['waived', 'error'],
    );
    assert.equal(both?.verdict, 'error');
  });

  it('holds on its last day and not on the next', () => {
    const [rule] = [failed('TOY-01', ['Secret a/b'])];
    const on = (day: string) => waive({ ...told([rule]), startedAt: `${day}T23:59:59.000Z` }, { waivers: [waiver()] });
    assert.equal(on('2026-11-21').rules[0]?.verdict, 'waived');
    const late = on('2026-11-22');
    assert.equal(late.rules[0]?.verdict, 'failed');
    assert.deepEqual(
      late.waivers?.map(({ state, findings }) => [state, findings]),
      [['expired', 1]],
    );
  });

  it('ends with its day, to the millisecond', () => {
    const rules = [failed('TOY-01', ['Secret a/b'], 3)];
    const at = (startedAt: string, subject: string) =>
      waive({ ...told(rules), startedAt }, { waivers: [waiver({ subject })] }).rules[0]?.verdict;
    assert.equal(at('2026-11-21T23:59:59.999Z', '*'), 'waived');
    assert.equal(at('2026-11-22T00:00:00.000Z', '*'), 'failed');
    // on the first moment after it what is counted only is covered no more, though what is told may be
    const rest = waive(
      { ...told(rules), startedAt: '2026-11-22T00:00:00.000Z' },
      { waivers: [waiver({ subject: '*' }), waiver({ expires: '2026-11-22' })] },
    );
    assert.equal(rest.rules[0]?.verdict, 'failed');
    const one = { ...told([failed('TOY-01', ['Secret a/b'])]), startedAt: '2026-11-22T00:00:00.000Z' };
    const { rules: late, waivers } = waive(one, { waivers: [waiver()] });
    assert.deepEqual([late[0]?.verdict, waivers?.[0]?.state], ['failed', 'expired']);
  });

  it('is one of several: each is counted, and the first that still holds answers', () => {
    const all = [
      waiver({ expires: '2026-11-20', owner: 'gone' }),
      waiver({ subject: 'Secret *' }),
      waiver({ subject: '*', owner: 'others' }),
      waiver({ rule: 'TOY-02', subject: '*', owner: 'strangers' }),
    ];
    const { rules, waivers } = waived([failed('TOY-01', ['Secret a/b', 'Secret a/c'])], all);
    assert.equal(rules[0]?.reason?.text, 'waived until 2026-11-21 by ops: until the move');
    assert.deepEqual(
      waivers?.map(({ state, findings }) => `${state} ${findings}`),
      ['expired 1', 'used 2', 'used 2', 'unused 0'],
    );
  });

  it('covers what is counted only where it is for every subject of that rule, and holds', () => {
    const verdict = (...waivers: readonly Waiver[]) =>
      waived([failed('TOY-01', ['Secret a/b'], 3)], [waiver(), ...waivers]).rules[0]?.verdict;
    assert.equal(verdict(waiver({ subject: '*', rule: 'TOY-02' })), 'failed');
    assert.equal(verdict(waiver({ subject: '*', expires: '2026-11-20' })), 'failed');
    assert.equal(verdict(waiver({ subject: '*', rule: 'TOY-*' })), 'waived');
    // what stands beside it was told in full
    const [rule] = [failed('TOY-01', ['Secret a/b'], 3)];
    const [told] = failed('TOY-01', ['Secret a/b']).scenarios;
    const scenarios = rule.scenarios.map((scenario) => ({
      ...scenario,
      judgements: [...(told?.judgements ?? []), ...scenario.judgements],
    }));
    assert.equal(waived([{ ...rule, scenarios }], [waiver()]).rules[0]?.verdict, 'failed');
    assert.equal(waived([failed('TOY-01', [], 3)], [waiver({ subject: '*' })]).rules[0]?.verdict, 'failed');
  });

  it('is named once where several answer', () => {
    const rules = [failed('TOY-01', ['Secret a/b', 'Secret a/b', 'Secret a/c'])];
    const { reason } = waived(rules, [waiver(), waiver({ subject: 'Secret a/c', owner: 'dev' })]).rules[0] ?? {};
    assert.equal(
      reason?.text,
      'waived until 2026-11-21 by ops: until the move; waived until 2026-11-21 by dev: until the move',
    );
  });

  it('waives advice as well, and leaves a report without waivers as it is', () => {
    const [rule] = [failed('TOY-01', ['Secret a/b'])];
    const advised = { ...rule, verdict: 'advised' as const };
    const scenarios = rule.scenarios.map((scenario) => ({ ...scenario, verdict: 'advised' as const }));
    assert.equal(waived([{ ...advised, scenarios }], [waiver()]).rules[0]?.verdict, 'waived');
    const whole = told([rule]);
    assert.equal(waive(whole, { waivers: [] }), whole);
    const baseline = baselineOf(whole);
    assert.deepEqual(
      [waive(whole, { waivers: [], baseline }).baseline, 'waivers' in waive(whole, { waivers: [], baseline })],
      [baseline, false],
    );
    assert.ok(!('baseline' in waived([rule], [waiver()])));
  });

  it('wants all findings in full', () => {
    const baseline = baselineOf(told([]));
    assert.equal(evidenceFor({ waivers: [] }, undefined), undefined);
    assert.equal(evidenceFor({ waivers: [] }, 'examples'), 'examples');
    assert.equal(evidenceFor({ waivers: [waiver()] }, 'examples'), 'full');
    assert.equal(evidenceFor({ waivers: [], baseline }, undefined), 'full');
  });

  it('never covers what could not be judged, and is told where it covers nothing', () => {
    const error = { ...failed('TOY-01', ['Secret a/b']), verdict: 'error' as const };
    const { rules, waivers } = waived([error], [waiver({ rule: '*', subject: '*' })]);
    assert.equal(rules[0]?.verdict, 'error');
    assert.equal(waivers?.[0]?.state, 'unused');
  });

  it('is told where other scenarios of the rule could not be looked at', () => {
    const rule = failed('TOY-01', ['Secret a/b']);
    const unseen = rule.scenarios.map((scenario): ScenarioResult => {
      const reason = { kind: 'ability', text: 'nobody answers' } as const;
      return { ...scenario, id: 'TOY-01/t', verdict: 'skipped', reason, judgements: [] };
    });
    const { rules, summary } = waived([{ ...rule, scenarios: [...rule.scenarios, ...unseen] }], [waiver()]);
    assert.equal(rules[0]?.verdict, 'waived');
    assert.match(rules[0]?.reason?.text ?? '', /^1 of 2 scenarios waived: waived until 2026-11-21 by ops/);
    assert.equal(summary.exitCode, 0);
  });

  it('makes a report that is as the schema says', () => {
    const rules = [failed('TOY-01', ['Secret a/b']), passed('TOY-02')];
    const whole = waive(told(rules), { waivers: [waiver()], baseline: baselineOf(told(rules)) });
    assert.deepEqual(conforms('report', JSON.parse(JSON.stringify(whole))), []);
  });
});

describe('a baseline', () => {
  const before = told([failed('TOY-01', ['Secret a/b', 'jp-1 of mine'])]);
  const after = (subjects: readonly string[]): Report =>
    waive(told([failed('TOY-01', subjects)]), { waivers: [], baseline: baselineOf(before) });

  it('lets pass what it has, and fails what is new', () => {
    assert.equal(after(['Secret a/b']).rules[0]?.verdict, 'waived');
    assert.equal(after(['jp-2 of mine']).rules[0]?.verdict, 'waived');
    assert.equal(after(['Secret a/b', 'Secret a/c']).rules[0]?.verdict, 'failed');
    assert.equal(after(['Secret a/b']).rules[0]?.reason?.text, `known since the baseline of ${before.startedAt}`);
  });

  it('has what every scenario of every rule found, sorted, and leaves the rest to waivers', () => {
    const rule = failed('TOY-01', ['a', 'b']);
    const second = rule.scenarios.map((scenario) => ({ ...scenario, id: 'TOY-01/t' }));
    const whole = told([{ ...rule, scenarios: [...rule.scenarios, ...second] }, failed('TOY-02', ['a', 'a'])]);
    const { known } = baselineOf(whole);
    assert.deepEqual([known.length, known], [5, [...known].sort()]);
    const verdicts = (waivers: readonly Waiver[], baseline = baselineOf(told([]))) =>
      waive(whole, { waivers, baseline }).rules.map(({ verdict }) => verdict);
    assert.deepEqual(verdicts([], baselineOf(whole)), ['waived', 'waived']);
    assert.deepEqual(verdicts([waiver({ rule: 'TOY-02', subject: 'a' })]), ['failed', 'waived']);
  });
});

describe('two reports', () => {
  const changes = (before: readonly RuleResult[], after: readonly RuleResult[]) =>
    differences(told(before), told(after)).map(({ change, rule, found, gone }) => [
      change,
      rule,
      found.length,
      gone.length,
    ]);

  it('differ by verdicts, findings and rules', () => {
    assert.deepEqual(
      changes(
        [
          failed('TOY-01', ['a']),
          passed('TOY-02'),
          failed('TOY-03', ['a', 'b']),
          failed('TOY-04', ['a']),
          passed('TOY-05'),
        ],
        [passed('TOY-01'), failed('TOY-02', ['a']), failed('TOY-03', ['a']), failed('TOY-04', ['b']), passed('TOY-06')],
      ),
      [
        ['worse', 'TOY-02', 1, 0],
        ['worse', 'TOY-04', 1, 1],
        ['better', 'TOY-01', 0, 1],
        ['better', 'TOY-03', 0, 1],
        ['appeared', 'TOY-06', 0, 0],
        ['went', 'TOY-05', 0, 0],
      ],
    );
    assert.deepEqual(changes([failed('TOY-01', ['a'])], [failed('TOY-01', ['a'])]), []);
  });

  it('are worse where a failure is not looked for any more, and where a new rule fails', () => {
    const skipped = { ...passed('TOY-01'), verdict: 'skipped' as const };
    assert.ok(isWorse(differences(told([failed('TOY-01', ['a'])]), told([skipped]))));
    assert.ok(isWorse(differences(told([passed('TOY-01')]), told([skipped]))));
    assert.ok(isWorse(differences(told([]), told([failed('TOY-01', ['a'])]))));
    assert.ok(!isWorse(differences(told([failed('TOY-01', ['a'])]), told([passed('TOY-01')]))));
  });
});

describe('a configuration', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-configuration-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'given.yaml');
  const read = async (text: string, options: Parameters<typeof configured>[0] = {}) => {
    writeFileSync(file, text);
    return configured(options, file);
  };

  it('gives what the command line does not, with files from its own folder on', async () => {
    const { options, waivers } = await read(
      `target: { kubeconfig: admin.conf, allowWrites: true }
rules: { chapters: [authorization], level: MUST }
gate: { failOn: MAY, require: [controllers], maxSkipped: 3 }
outputs: { json: out/a.json, junit: "-" }
timeout: 60
waivers:
  - { rule: LIM-*, subject: "*", owner: ops, reason: the move, expires: 2027-01-31 }
`,
      { level: 'SHOULD', rule: [], out: [] },
    );
    assert.deepEqual(options, {
      kubeconfig: path.join(folder, 'admin.conf'),
      allowWrites: true,
      chapter: ['authorization'],
      level: 'SHOULD',
      failOn: 'MAY',
      require: ['controllers'],
      maxSkipped: '3',
      out: [`json=${path.join(folder, 'out/a.json')}`, 'junit=-'],
      timeout: '60',
    });
    assert.equal(waivers[0]?.expires, '2027-01-31');
  });

  it('gives no part of its target where the command line names one: writing is allowed for that one only', async () => {
    const { options } = await read('target: { kubeconfig: admin.conf, allowWrites: true }', { controlPlane: '/bin' });
    assert.deepEqual(options, { controlPlane: '/bin' });
  });

  it('is found in the folder of the run and above it, unless it is not wanted', async () => {
    const below = path.join(folder, 'a', 'b');
    mkdirSync(below, { recursive: true });
    writeFileSync(path.join(folder, 'joinproof.yaml'), 'rules: { level: MUST }');
    const before = process.cwd();
    try {
      process.chdir(below);
      assert.equal((await configured({}, undefined)).options.level, 'MUST');
      assert.deepEqual(await configured({}, false), { options: {}, waivers: [], parameters: {}, file: undefined });
    } finally {
      process.chdir(before);
    }
  });

  it('is refused in one sentence that says what is wrong', async () => {
    for (const [text, why] of [
      ['waivers: [{ rule: LIM-003, subject: "*", owner: ops, reason: x }]', /waivers\[0\] has no expires/],
      ['waivers: [{ rule: LIM-003, subject: "*", reason: x, expires: 2027-01-31 }]', /waivers\[0\] has no owner/],
      ['waivers: [{ rule: LIM-003, subject: "*", owner: " ", reason: x, expires: 2027-01-31 }]', /waivers\[0\].owner/],
      ['waivers: [{ rule: LIM-003, subject: "*", owner: o, reason: x, expires: 2027-02-30 }]', /which is no day/],
      ['waivers: [{ rule: LIM-003, subject: "*", owner: o, reason: x, expires: never }]', /waivers\[0\].expires/],
      ['parameters: { tokenHours: 0 }', /parameters.tokenHours must be >= 1/],
      ['parameters: { tokenHours: "long" }', /parameters.tokenHours is no integer/],
      ['parameters: { tokenDays: 1 }', /parameters has tokenDays, which is not known/],
      ['targets: {}', /targets, which is not known/],
      ['a: [', /is no YAML/],
      ['- a', /it is no object/],
      [
        `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]`,
        /aliases are broken or too many/,
      ],
      ['a: *nowhere', /no YAML|aliases/],
    ] as const)
      await assert.rejects(read(text), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, why);
        return true;
      });
    await assert.rejects(configured({}, path.join(folder, 'absent.yaml')), /cannot be read \(ENOENT\)/);
    assert.deepEqual((await read('')).options, {});
  });
});
