/** A report for tests: one rule of each verdict, with texts that writers must not stumble over. */
import type { Advice, Report, ReportVerdict, RuleResult } from '../model/report.js';

export const NASTY = 'a <b> & "c" \u0001\u001b[31m ]]> \ud800 end';

const ruleOf = (id: string, verdict: ReportVerdict): RuleResult => {
  const reason = verdict === 'passed' ? null : `${verdict} because of ${NASTY}`;
  const evidence = [{ object: `Secret ${id}`, demanded: 'a <sound> id', seen: NASTY, ok: verdict === 'passed' }];
  return {
    id,
    level: 'MUST',
    chapter: 'toys',
    title: `rule ${id}`,
    verdict,
    reason,
    sources: ['001'],
    scenarios: [{ name: 's', verdict, reason, evidence }],
  };
};

export const report: Report = {
  schemaVersion: '1.0.0',
  tool: { name: 'joinproof', version: '0.1.0', node: 'v20.19.0' },
  target: {
    kind: 'cluster',
    name: 'https://10.0.0.1:6443 (context a)',
    server: 'https://10.0.0.1:6443',
    version: 'v1.36.0',
    capabilities: ['anonymous'],
  },
  profile: { level: null, chapters: [], rules: [], tags: null },
  startedAt: '2026-11-21T10:00:00.000Z',
  seconds: 1.25,
  summary: { rules: 5, scenarios: 5, passed: 1, waived: 1, skipped: 1, failed: 1, error: 1, exitCode: 1 },
  rules: [
    ruleOf('TOY-01', 'passed'),
    ruleOf('TOY-02', 'waived'),
    ruleOf('TOY-03', 'skipped'),
    ruleOf('TOY-04', 'failed'),
    ruleOf('TOY-05', 'error'),
  ],
};

export const advice: ReadonlyMap<string, Advice> = new Map(
  report.rules.map(({ id }) => [id, { why: 'toys break.', repair: 'mend it.', place: 'toys/a.feature:3' }]),
);
