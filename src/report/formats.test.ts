import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { HtmlValidate } from 'html-validate';
import { Parser } from 'tap-parser';
import { visibleLines } from '../model/foreign.js';
import { redacted } from '../model/redacted.js';
import type { Report } from '../model/report.js';
import { FORMATS, type Format, writerOf } from './formats.js';
import type { FeatureTexts } from './messages.js';
import { report } from './testing-report.js';

const FEATURE = `Feature: Toys
  @TOY-04 @MUST
  Rule: A toy is sound
    Scenario: s
      Given a toy
      Then it is sound
      And it is round
`;
const features: FeatureTexts = {
  texts: new Map([['toys/a.feature', FEATURE]]),
  places: new Map([['TOY-04/s', 'toys/a.feature:4']]),
};
const written = async (format: Format, given: Report = report): Promise<string> =>
  (await writerOf(format))(given, async () => features);

const FAKE =
  '\n234 rules: 234 passed; conformant (1.0 s)\n\u001b[2J\u202e\u200b]]>-->*/`</script><script>alert(1)</script>\'"{}|';
/** The same report, with a hostile text wherever one of a target can stand. */
const hostile: Report = {
  ...report,
  target: { ...report.target, name: `a${FAKE}`, server: `https://b${FAKE}`, version: `v1.36.0${FAKE}` },
  rules: report.rules.map((rule) => ({
    ...rule,
    reason: rule.reason === null ? null : { ...rule.reason, text: FAKE },
    scenarios: rule.scenarios.map((scenario) => ({
      ...scenario,
      reason: scenario.reason === null ? null : { ...scenario.reason, text: FAKE },
      judgements: scenario.judgements.map((judgement) => ({
        ...judgement,
        findings: judgement.findings.map((finding) => ({ ...finding, subject: FAKE, demanded: FAKE, seen: FAKE })),
      })),
    })),
  })),
};

function validatorOf(name: string) {
  const ajv = new Ajv({ allErrors: true, unicodeRegExp: true, strictTypes: false });
  addFormats.default(ajv);
  const file = new URL(`../../../schemas/formats/${name}.schema.json`, import.meta.url);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
}

describe('every format', () => {
  for (const format of FORMATS) {
    it(`${format}: shows nothing of a target that acts on a terminal, or begins a line of its own`, async () => {
      const text = await written(format, hostile);
      assert.equal(visibleLines(text), text);
      assert.ok(!text.split('\n').some((line) => line.trimStart().startsWith('234 rules')), text);
    });

    it(`${format}: is the same for the same report`, async () => {
      assert.equal(await written(format), await written(format));
    });

    it(`${format}: takes a report without rules that failed`, async () => {
      const rules = report.rules.filter(({ verdict }) => verdict === 'passed');
      assert.ok((await written(format, { ...report, rules })).length > 0);
    });
  }
});

describe('a secret that the redaction knows', () => {
  for (const format of FORMATS)
    it(`is in no ${format}`, async () => {
      const secret = 'f395accd246ae52d';
      const told = JSON.parse(JSON.stringify(hostile).replaceAll('conformant (1.0 s)', secret)) as Report;
      const shown = redacted(told, (text) => text.replaceAll(secret, '[redacted]'));
      assert.ok(!(await written(format, shown)).includes(secret));
    });
});

for (const [format, schema] of [
  ['sarif', 'sarif'],
  ['openreports', 'openreports'],
  ['policyreports', 'openreports'],
  ['oscal', 'oscal'],
] as const)
  describe(`the ${format} report`, () => {
    const valid = validatorOf(schema);
    for (const [name, given] of [
      ['a report', report],
      ['a hostile one', hostile],
    ] as const)
      it(`is valid for ${name}`, async () => {
        const value: unknown = JSON.parse(await written(format, given));
        assert.ok(valid(value), JSON.stringify(valid.errors, undefined, 1));
      });
  });

describe('SARIF', () => {
  it('has a result for each unmet finding, and a notification for what was not judged', async () => {
    const { runs } = JSON.parse(await written('sarif'));
    const [{ results, invocations }] = runs;
    assert.deepEqual(
      results.map(({ ruleId }: { readonly ruleId: string }) => ruleId),
      ['TOY-02', 'TOY-04', 'TOY-06'],
    );
    // advice is a note, and hides nothing
    assert.deepEqual([results[2].level, results[2].suppressions], ['note', undefined]);
    assert.equal(results[0].suppressions.length, 1);
    assert.equal(results[1].suppressions, undefined);
    assert.deepEqual(
      invocations[0].toolExecutionNotifications.map((one: { readonly level: string }) => one.level),
      ['note', 'error'],
    );
  });

  it('was carried out unless something could not be judged', async () => {
    for (const [exitCode, carriedOut] of [
      [0, true],
      [1, true],
      [3, false],
    ] as const) {
      const { runs } = JSON.parse(await written('sarif', { ...report, summary: { ...report.summary, exitCode } }));
      const [{ exitCode: code, executionSuccessful }] = runs[0].invocations;
      assert.deepEqual([code, executionSuccessful], [exitCode, carriedOut]);
    }
  });

  it('knows a finding again, whatever joinproof called its own objects and whatever was seen', async () => {
    const named = (name: string, seen: string): Report => ({
      ...report,
      rules: report.rules.map((rule) => ({
        ...rule,
        scenarios: rule.scenarios.map((scenario) => ({
          ...scenario,
          judgements: scenario.judgements.map((judgement) => ({
            ...judgement,
            findings: judgement.findings.map((finding) => ({
              ...finding,
              subject: `Secret kube-system/${name}`,
              seen,
            })),
          })),
        })),
      })),
    });
    const prints = async (given: Report): Promise<readonly string[]> =>
      JSON.parse(await written('sarif', given)).runs[0].results.map(
        ({ partialFingerprints }: { readonly partialFingerprints: Readonly<Record<string, string>> }) =>
          partialFingerprints['joinproof/v1'],
      );
    assert.deepEqual(await prints(named('jp-1a2b', 'this')), await prints(named('jp-3c4d', 'that')));
    assert.notDeepEqual(
      await prints(named('bootstrap-token-aaaaaa', 'this')),
      await prints(named('bootstrap-token-bbbbbb', 'this')),
    );
  });
});

describe('TAP', () => {
  for (const [name, given] of [
    ['a report', report],
    ['a hostile one', hostile],
  ] as const)
    it(`is read by a TAP parser in strict mode: ${name}`, async () => {
      const text = `pragma +strict\n${await written('tap', given)}`.replace(/^(pragma.*)\n(TAP.*)\n/, '$2\n$1\n');
      const failures: unknown[] = [];
      const parser = new Parser({ strict: true }, () => {});
      parser.on('fail', (fail: unknown) => failures.push(fail));
      const points: { readonly ok: boolean; readonly skip?: unknown; readonly todo?: unknown }[] = [];
      parser.on('assert', (point) => points.push(point));
      parser.end(text);
      assert.equal(parser.results?.failures.filter(({ tapError }) => tapError).length, 0);
      assert.deepEqual(
        points.map(({ ok, skip, todo }) => [ok, Boolean(skip), Boolean(todo)]),
        [
          [true, false, false],
          [false, false, true],
          [true, true, false],
          [false, false, false],
          [false, false, false],
          [false, false, true],
        ],
      );
    });
});

describe('Cucumber Messages', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const valid = ajv.compile(createRequire(import.meta.url)('@cucumber/messages/schema') as object);
  const envelopes = async (given: Report) =>
    (await written('messages', given))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('are what their schema says', async () => {
    for (const envelope of [...(await envelopes(report)), ...(await envelopes(hostile))])
      assert.ok(valid(envelope), JSON.stringify([envelope, valid.errors]));
  });

  it('say of each step how it ended', async () => {
    const statuses = async (played: number): Promise<readonly string[]> =>
      (
        await envelopes({
          ...report,
          rules: report.rules.map((rule) => ({
            ...rule,
            scenarios: rule.scenarios.map((scenario) => ({ ...scenario, played })),
          })),
        })
      ).flatMap(({ testStepFinished }) => testStepFinished?.testStepResult.status ?? []);
    assert.deepEqual(await statuses(2), ['PASSED', 'FAILED', 'SKIPPED']);
    assert.deepEqual(await statuses(0), ['FAILED', 'SKIPPED', 'SKIPPED']);
  });
});

describe('HTML', () => {
  for (const [name, given] of [
    ['a report', report],
    ['a hostile one', hostile],
  ] as const)
    it(`is valid and asks no network for anything: ${name}`, async () => {
      const text = await written('html', given);
      const checker = new HtmlValidate({
        extends: ['html-validate:recommended', 'html-validate:a11y'],
        rules: { 'long-title': 'off', 'no-trailing-whitespace': 'off', 'doctype-style': 'off', 'void-style': 'off' },
      });
      const { valid, results } = await checker.validateString(text);
      assert.ok(valid, JSON.stringify(results.flatMap(({ messages }) => messages.slice(0, 5))));
      assert.doesNotMatch(text, /(src|href)="(?!#)/);
      assert.equal(text.match(/<script/g)?.length, 1);
    });
});

describe('Prometheus', () => {
  const LABEL = '[a-z_]+="(\\\\[\\\\"n]|[^"\\\\\\n])*"';
  const NUMBER = '-?[0-9.]+(e[+-]?[0-9]+)?';
  const LINE = new RegExp(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\\{${LABEL}(,${LABEL})*\\})? ${NUMBER})$`);
  it('is its text format, each metric in one group', async () => {
    for (const given of [report, hostile]) {
      const lines = (await written('prometheus', given)).trimEnd().split('\n');
      for (const line of lines) assert.match(line, LINE);
      const groups = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/[{ ].*$/, ''));
      const changes = groups.filter((name, index) => name !== groups[index - 1]);
      assert.equal(changes.length, new Set(groups).size);
    }
  });

  it('tells a run that could not judge from one that found something', async () => {
    const text = await written('prometheus', { ...report, summary: { ...report.summary, exitCode: 3 } });
    assert.match(text, /^joinproof_last_run_success 0$/m);
    assert.match(await written('prometheus'), /^joinproof_last_run_success 1$/m);
    assert.match(await written('prometheus'), /^joinproof_findings\{rule="TOY-04",level="MUST",chapter="toys"\} 1$/m);
  });
});

describe('how a step ended', () => {
  it('is told in messages by its verdict: what could not be judged is no success', async () => {
    const text = `Feature: Toys\n${report.rules.map(({ id }) => `Rule: ${id}\nScenario: s\nGiven a toy\n`).join('')}`;
    const places = report.rules.map(({ id }, index) => [`${id}/s`, `toys/b.feature:${index * 3 + 3}`] as const);
    const lines = await (await writerOf('messages'))(report, async () => ({
      texts: new Map([['toys/b.feature', text]]),
      places: new Map(places),
    }));
    const ended = lines
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).testStepFinished?.testStepResult ?? []);
    assert.deepEqual(
      ended.map(({ status, message = '' }) => `${status} ${message.split(':')[0]}`),
      ['PASSED ', 'SKIPPED waived', 'SKIPPED skipped', 'FAILED failed', 'FAILED not judged', 'SKIPPED advised'],
    );
  });
});

describe('labels of Prometheus', () => {
  it('hold backslashes and quotes as the format escapes them', async () => {
    const named: Report = { ...report, target: { ...report.target, name: 'C:\\a "b"' } };
    assert.match(await written('prometheus', named), /\{target="C:\\\\a \\"b\\"",/);
  });
});

describe('Markdown', () => {
  it('has no markup of a target', async () => {
    const text = await written('markdown', hostile);
    // Only inside of code spans.
    assert.doesNotMatch(text.replace(/(`+)[^`](?:.*?[^`])?\1(?!`)/g, ''), /<script|alert/);
  });

  it('is whole up to the length that a summary may have, and says where it ends before that', async () => {
    const long = (why: string): Report => ({
      ...report,
      rules: report.rules.map((rule) => (rule.verdict === 'failed' ? { ...rule, why } : rule)),
    });
    const left = 899_999 - (await written('markdown', long(''))).length;
    const whole = await written('markdown', long('x'.repeat(left)));
    assert.equal(whole.length, 899_999);
    assert.ok(whole.endsWith('</details>\n'));
    const cut = await written('markdown', long('x'.repeat(left + 1)));
    const last = '\n\n_The rest is left out: a summary must not be longer. The JSON report holds all of it._\n';
    assert.ok(cut.endsWith(last));
    // all that stands before the part that is too much, and nothing behind it
    assert.ok(whole.replaceAll(/x{9,}/g, '').startsWith(cut.slice(0, -last.length).replaceAll(/x{9,}/g, '')));
    const first = await written('markdown', long('x'.repeat(1_000_000)));
    assert.ok(first.endsWith(`### Failed${last}`));
    assert.ok(!first.includes('TOY-06'));
  });
});

describe('what Markdown takes for its own', () => {
  it('is text where a report says it', async () => {
    const why = '\\ `a` *b* _c_ {d} [e](f) #g +h !i |j| <k> &amp; ~l~ @m $n$ -o';
    const rules = report.rules.map((rule) => ({ ...rule, why }));
    assert.ok(
      (await written('markdown', { ...report, rules })).includes(
        '\\\\ \\`a\\` \\*b\\* \\_c\\_ \\{d\\} \\[e\\]\\(f\\) \\#g \\+h \\!i \\|j\\| \\<k\\> \\&amp; \\~l\\~ \\@m \\$n\\$ \\-o',
      ),
    );
  });
});

describe('reports of a cluster', () => {
  it('name fifty objects of one rule, for an object of the API has its limit', async () => {
    const rules = report.rules.map((rule) => ({
      ...rule,
      scenarios: rule.scenarios.map((scenario) => ({
        ...scenario,
        judgements: scenario.judgements.map((judgement) => ({
          ...judgement,
          findings: judgement.findings.flatMap((finding) =>
            Array.from({ length: 51 }, (_, index) => ({ ...finding, subject: `Node n${index}` })),
          ),
        })),
      })),
    }));
    for (const format of ['openreports', 'policyreports'] as const) {
      const { items } = JSON.parse(await written(format, { ...report, rules }));
      const named = items[0].results.map(({ resources = [] }: { resources?: readonly unknown[] }) => resources.length);
      assert.deepEqual(new Set(named), new Set([0, 50]));
    }
  });
});

describe('the badge', () => {
  it('counts what passed, of all', async () => {
    assert.match(
      await written('badge', { ...report, summary: { ...report.summary, exitCode: 0 } }),
      /conformant in 2 of 6/,
    );
    assert.match(await written('badge'), /aria-label="join conformance: not conformant"/);
  });
});
