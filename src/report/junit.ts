/**
 * JUnit XML for continuous integration: a suite for each chapter, a case for each rule. There is no official schema;
 * this is the part that every consumer reads: at most one of failure, error, skipped in a case, and key facts in its
 * text.
 */
import { summed } from '../model/finding.js';
import { visible } from '../model/foreign.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import { chaptersOf, heldTo, isUnmet } from './told.js';

/** For text and attributes. What is visible is also what XML 1.0 can hold. */
const attribute = (text: string): string =>
  visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const lines = (text: string): string => text.split('\n').map(attribute).join('\n');

const ELEMENT = {
  failed: 'failure',
  error: 'error',
  skipped: 'skipped',
  waived: 'skipped',
  advised: 'skipped',
} as const;

export function toJunit(report: Report): string {
  const chapters = chaptersOf(report);
  const suites = chapters.map((chapter) =>
    suite(
      report,
      chapter,
      report.rules.filter((rule) => rule.chapter === chapter),
    ),
  );
  const root = `<testsuites name="joinproof" ${counts(report.rules)} time="${report.seconds}" timestamp="${attribute(report.startedAt)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${[root, ...suites, '</testsuites>'].join('\n')}\n`;
}

function counts(rules: readonly RuleResult[]): string {
  const number = (...kinds: readonly string[]): number => rules.filter(({ verdict }) => kinds.includes(verdict)).length;
  return `tests="${rules.length}" failures="${number('failed')}" errors="${number('error')}" skipped="${number('skipped', 'waived', 'advised')}"`;
}

function suite(report: Report, chapter: string, rules: readonly RuleResult[]): string {
  const facts = {
    target: report.target.name,
    version: report.target.version ?? 'unknown',
    profile: heldTo(report),
    tool: `joinproof ${report.tool.version}`,
  };
  const properties = Object.entries(facts).map(
    ([name, value]) => `      <property name="${name}" value="${attribute(value)}"/>`,
  );
  return [
    `  <testsuite name="${attribute(chapter)}" ${counts(rules)} timestamp="${attribute(report.startedAt)}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...rules.map(testcase),
    '  </testsuite>',
  ].join('\n');
}

function testcase(rule: RuleResult): string {
  const head = `    <testcase name="${attribute(`${rule.id} ${rule.title}`)}" classname="${attribute(`${rule.chapter}.${rule.level}`)}" time="${rule.seconds}"`;
  if (rule.verdict === 'passed') return `${head}/>`;
  const element = ELEMENT[rule.verdict];
  const reason = rule.reason?.text ?? '';
  const message = rule.verdict === 'waived' || rule.verdict === 'advised' ? `${rule.verdict}: ${reason}` : reason;
  const findings = rule.scenarios.filter(({ verdict }) => verdict !== 'passed').map(told);
  const body = [...findings, ...(isUnmet(rule) ? [advised(rule)] : [])].join('\n');
  return `${head}>\n      <${element} message="${attribute(message)}" type="${rule.verdict}">${body}</${element}>\n    </testcase>`;
}

/** What a person needs beside the findings, as in the console. */
const advised = ({ why, repair, place }: RuleResult): string =>
  [
    `matters: ${lines(why)}`,
    `${repair.for === 'maker' ? 'for the maker' : 'repair'}: ${lines(repair.text)}`,
    `source: features/${attribute(place)}`,
  ].join('\n');

const told = ({ name, verdict, reason, judgements }: ScenarioResult): string => {
  const { unmet, unclear } = summed(judgements.map(({ more }) => more));
  return [
    attribute(`${name}: ${verdict}: ${reason?.text ?? ''}`),
    ...judgements
      .flatMap(({ findings }) => findings)
      .filter(({ result }) => result !== 'met')
      .map(
        ({ subject, demanded, seen }) =>
          `  ${attribute(subject)}\n    demanded: ${attribute(demanded)}\n    seen: ${attribute(seen)}`,
      ),
    ...(unmet + unclear > 0 ? [`  and ${unmet + unclear} more like these`] : []),
  ].join('\n');
};
