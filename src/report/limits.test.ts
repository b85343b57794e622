/** Where a format shows so much and counts the rest: what is as much is shown whole, what is one more is not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demand } from '../model/finding.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { toConsole } from './console.js';
import { diffText } from './diff-text.js';
import { toHtml } from './html.js';
import { toJunit } from './junit.js';
import { toMarkdown } from './markdown.js';
import { toOpenReports } from './open-reports.js';
import { toOscal } from './oscal.js';
import { toSarif } from './sarif.js';
import { toTap } from './tap.js';
import { report } from './testing-report.js';

const failed = report.rules.find(({ verdict }) => verdict === 'failed') as RuleResult;
const [scenario] = failed.scenarios as readonly [ScenarioResult];
const found = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    demand({ subject: `Node n${at}`, demanded: 'is a toy', seen: 'none', ok: false }),
  );
const judged = (count: number, counted = 0) => [
  {
    ...{ check: 'toys/sound', observation: 'o1', findings: found(count) },
    ...(counted === 0 ? {} : { more: { met: 5, unmet: counted, unclear: 0 } }),
  },
];
/** A report of one failed rule with so many findings, and so many that are counted only. */
const withFound = (count: number, counted = 0): Report => ({
  ...report,
  rules: [{ ...failed, scenarios: [{ ...scenario, judgements: judged(count, counted) }] }],
});
const withRule = (change: Partial<RuleResult>): Report => ({ ...report, rules: [{ ...failed, ...change }] });
const usual = (given: Report): string => toConsole(given, { colour: false });
const count = (text: string, what: string): number => text.split(what).length - 1;

describe('findings that are counted only', () => {
  it('are told from one on, and not where there are none', () => {
    const of = (given: Report) => ({
      junit: /and (\d+) more like these/.exec(toJunit(given))?.[1],
      tap: /^ {2}more: (\d+)$/m.exec(toTap(given))?.[1],
      html: /And (\d+) findings more/.exec(toHtml(given))?.[1],
      markdown: /- and (\d+) more/.exec(toMarkdown(given))?.[1],
      oscal: /"findings-left-out",\s+"value": "(\d+)"/.exec(toOscal(given))?.[1],
      sarif: /"moreLikeThis": (\d+)/.exec(toSarif(given))?.[1],
    });
    const all = (number: string | undefined) => ({
      ...{ junit: number, tap: number, html: number },
      ...{ markdown: number, oscal: number, sarif: number },
    });
    assert.deepEqual(of(withFound(2)), all(undefined));
    assert.deepEqual(of(withFound(2, 1)), all('1'));
    assert.deepEqual(of(withFound(2, 7)), all('7'));
  });

  it('are told also where none of their kind is shown: what is unclear counts with what is unmet', () => {
    const more = { met: 0, unmet: 0, unclear: 1 };
    const given = withRule({ scenarios: [{ ...scenario, judgements: [{ ...judged(1)[0], more }] as never }] });
    assert.match(toJunit(given), /and 1 more like these/);
    assert.match(toHtml(given), /And 1 findings more/);
    assert.match(toTap(given), /^ {2}more: 1$/m);
  });
});

describe('findings of another scenario than those that decided', () => {
  it('are not counted with what is told of a rule, and stay with their own', () => {
    const more = { met: 0, unmet: 3, unclear: 0 };
    const failing = {
      ...scenario,
      name: 'failing',
      verdict: 'failed' as const,
      judgements: [{ ...judged(1)[0], more }],
    };
    const deciding = { ...scenario, name: 'deciding', verdict: 'error' as const, judgements: judged(2) };
    const given = withRule({ verdict: 'error', scenarios: [failing, deciding] as never });
    assert.doesNotMatch(toMarkdown(given), /and \d+ more/);
    assert.doesNotMatch(toTap(given), /^ {2}more:/m);
    assert.doesNotMatch(toOscal(given), /findings-left-out/);
    assert.match(toJunit(given), /failing: failed[^<]*and 3 more like these[^<]*deciding: error/);
    assert.match(toHtml(given), /And 3 findings more that are counted only/);
  });
});

describe('findings beyond what a format shows', () => {
  for (const [name, most, shown, left] of [
    ['Markdown', 10, (given) => count(toMarkdown(given), '- `Node n'), (given) => /and 1 more/.test(toMarkdown(given))],
    [
      'OSCAL',
      20,
      (given) => count(toOscal(given), 'demanded: is a toy'),
      (given) => /"findings-left-out",\s+"value": "1"/.test(toOscal(given)),
    ],
    ['the console', 5, (given) => count(usual(given), 'object: '), (given) => /and 1 more objects/.test(usual(given))],
  ] as const satisfies readonly (readonly [string, number, (given: Report) => number, (given: Report) => boolean])[])
    it(`are counted in ${name}`, () => {
      assert.deepEqual([shown(withFound(most)), left(withFound(most))], [most, false]);
      assert.deepEqual([shown(withFound(most + 1)), left(withFound(most + 1))], [most, true]);
    });

  it('are counted in what tells two reports apart', () => {
    const changed = (found: ReturnType<typeof demand>[], gone: ReturnType<typeof demand>[]) =>
      diffText(
        [{ change: 'worse', rule: 'A', title: 't', level: 'MUST', before: 'passed', after: 'failed', found, gone }],
        'text',
      );
    assert.doesNotMatch(changed(found(10), found(10)), / more$/m);
    assert.match(changed(found(11), []), /^ {4}\+ … and 1 more$/m);
    assert.match(changed([], found(12)), /^ {4}- … and 2 more$/m);
    assert.equal(count(changed(found(11), found(11)), 'is a toy'), 20);
  });

  it('of one scenario are 200 in HTML', () => {
    assert.equal(count(toHtml(withFound(200)), '<tr class="unmet">'), 200);
    assert.equal(count(toHtml(withFound(201)), '<tr class="unmet">'), 200);
    assert.doesNotMatch(toHtml(withFound(200)), /And \d+ more/);
    assert.match(toHtml(withFound(201)), /<p>And 1 more, which a JSON report tells\.<\/p>/);
  });

  it('are left out of SARIF from 5000 on, which it says', () => {
    const of = (number: number) => JSON.parse(toSarif(withFound(number))).runs[0];
    const [whole, cut] = [of(5_000), of(5_001)];
    assert.deepEqual([whole.results.length, whole.properties.resultsLeftOut], [5_000, undefined]);
    assert.deepEqual([cut.results.length, cut.properties.resultsLeftOut], [5_000, 1]);
  });

  it('of a cluster name each object once, and fifty of them', () => {
    const resources = (given: Report) => JSON.parse(toOpenReports(given)).items[0].results[0].resources;
    assert.equal(resources(withFound(50)).length, 50);
    assert.equal(resources(withFound(51)).length, 50);
    const twice = judged(1).flatMap((one) => [one, one]);
    assert.deepEqual(resources(withRule({ scenarios: [{ ...scenario, judgements: twice }] })), [
      { apiVersion: 'v1', kind: 'Node', name: 'n0' },
    ]);
  });
});

describe('scenarios beyond five of a rule', () => {
  const of = (number: number): string =>
    usual(
      withRule({
        scenarios: Array.from({ length: number }, (_, at) => ({ ...scenario, name: `scenario ${at}` })),
      }),
    );
  it('are counted on the console', () => {
    assert.equal(count(of(5), '  scenario '), 5);
    assert.doesNotMatch(of(5), /more scenarios/);
    assert.equal(count(of(6), '  scenario '), 5);
    assert.match(of(6), /… and 1 more scenarios/);
  });
});

describe('rules of one cause', () => {
  const alike = (number: number): string =>
    usual({
      ...report,
      rules: Array.from({ length: number }, (_, at) => ({ ...failed, id: `TOY-${100 + at}` })),
    });
  it('are named on the console, twelve of them', () => {
    assert.match(alike(13), /alike: +TOY-101 .* TOY-112 ended as this one did/);
    assert.match(alike(14), /alike: +TOY-101 .* TOY-112 and 1 more ended as this one did/);
  });

  it('tell how much more one binding allows', () => {
    const bound = (number: number): string => {
      const findings = found(number).map((one) => ({ ...one, seen: 'RBAC: allowed by RoleBinding "wide" of a Role' }));
      const scenarios = [{ ...scenario, judgements: [{ check: 'a', observation: null, findings }] }];
      return usual({ ...report, rules: ['A', 'B'].map((id) => ({ ...failed, id, scenarios })) });
    };
    assert.doesNotMatch(bound(1), /\(and \d+ more\)/);
    assert.equal(count(bound(2), '(and 1 more)'), 2);
  });
});

describe('texts beyond what a format takes', () => {
  it('are cut in SARIF and in reports of a cluster', () => {
    const short = (title: string): string =>
      JSON.parse(toSarif(withRule({ title }))).runs[0].tool.driver.rules[0].shortDescription.text;
    assert.equal(short('x'.repeat(1_024)), 'x'.repeat(1_024));
    assert.equal(short('x'.repeat(1_025)), `${'x'.repeat(1_023)}…`);
    const message = (text: string): string =>
      JSON.parse(toOpenReports(withRule({ reason: { kind: 'unmet', text } }))).items[0].results[0].message;
    assert.equal(message('x'.repeat(1_000)), 'x'.repeat(1_000));
    assert.equal(message('x'.repeat(1_001)), `${'x'.repeat(999)}…`);
  });
});
