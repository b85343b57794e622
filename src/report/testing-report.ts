/** A report for tests: one rule of each verdict, with texts that writers must not stumble over. */
import { demand } from '../model/finding.js';
import { type Report, type RuleResult, SCHEMA_VERSION } from '../model/report.js';
import type { Reason, VerdictKind } from '../model/verdict.js';

export const NASTY = 'a <b> & "c" \u0001\u001b[31m ]]> \ud800 end';

const ruleOf = (id: string, verdict: VerdictKind): RuleResult => {
  const reason: Reason | null = verdict === 'passed' ? null : { kind: 'unmet', text: `${verdict} because of ${NASTY}` };
  const findings = [
    demand({ subject: `Secret ${id}`, demanded: 'a <sound> id', seen: NASTY, ok: verdict === 'passed' }),
  ];
  const judgements = [{ check: 'toys/sound', observation: 'o1', findings }];
  return {
    id,
    level: 'MUST',
    chapter: 'toys',
    title: `rule ${id}`,
    why: 'toys break.',
    repair: { for: 'operator', text: 'mend it.' },
    place: 'toys/a.feature:3',
    verdict,
    reason,
    sources: ['001'],
    seconds: 0.5,
    sentences: [{ id, documents: ['001'], statement: 'A toy is sound.' }],
    errata: [{ id: 'TRAP-01', trap: 'A toy is said to be sound.', today: 'It may break.' }],
    scenarios: [{ id: `${id}/s`, name: 's', verdict, reason, ended: null, seconds: 0.5, judgements }],
  };
};

export const report: Report = {
  schemaVersion: SCHEMA_VERSION,
  tool: { name: 'joinproof', version: '0.1.0', node: 'v20.19.0' },
  target: {
    kind: 'cluster',
    name: 'https://10.0.0.1:6443 (context a)',
    server: 'https://10.0.0.1:6443',
    version: 'v1.36.0',
    abilities: ['objects'],
    facts: ['anonymous'],
  },
  profile: { level: null, chapters: [], rules: [], tags: null },
  startedAt: '2026-11-21T10:00:00.000Z',
  seconds: 1.25,
  summary: { rules: 6, scenarios: 6, passed: 1, waived: 1, skipped: 1, advised: 1, failed: 1, error: 1, exitCode: 1 },
  rules: [
    ruleOf('TOY-01', 'passed'),
    ruleOf('TOY-02', 'waived'),
    ruleOf('TOY-03', 'skipped'),
    ruleOf('TOY-04', 'failed'),
    ruleOf('TOY-05', 'error'),
    { ...ruleOf('TOY-06', 'advised'), advice: true },
  ],
  observations: { o1: { toys: 1 } },
};
