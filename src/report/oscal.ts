/**
 * OSCAL assessment results. A state is satisfied or not satisfied there, nothing else: what was not judged is an
 * observation without a finding, and its control stays among those reviewed. Identifiers are made of names, so that two
 * runs can be compared.
 */
import { visible, visibleJson } from '../model/foreign.js';
import type { Report, RuleResult } from '../model/report.js';
import { documentNames } from './documents.js';
import { conformity, counted, endedAt, findingText, heldTo, targetName, toldOf, unmetCount, uuidOf } from './told.js';

const OSCAL_VERSION = '1.1.2';
/** Findings told in one observation. */
const MOST = 20;

const controlId = ({ id }: RuleResult): string => id.toLowerCase();

export function toOscal(report: Report): string {
  const { target, startedAt, tool } = report;
  const plan = uuidOf('plan', tool.version);
  const ended = endedAt(report);
  const judged = report.rules.filter(({ verdict }) => verdict !== 'skipped' && verdict !== 'error');
  const results = {
    'assessment-results': {
      uuid: uuidOf('results', target.server, startedAt),
      metadata: {
        title: 'How machines join the cluster: conformance',
        'last-modified': ended,
        version: tool.version,
        'oscal-version': OSCAL_VERSION,
      },
      'import-ap': { href: `#${plan}` },
      results: [
        {
          uuid: uuidOf('result', target.server, startedAt),
          title: `joinproof on ${visible(targetName(report))}`,
          description: visible(`${counted(report)}; ${conformity(report)}. Profile: ${heldTo(report)}.`),
          start: startedAt,
          end: ended,
          'reviewed-controls': {
            'control-selections': [
              {
                description: 'The rules that were chosen.',
                'include-controls': report.rules.map((rule) => ({ 'control-id': controlId(rule) })),
              },
            ],
          },
          observations: report.rules.map((rule) => observation(report, rule)),
          ...(judged.length === 0 ? {} : { findings: judged.map((rule) => finding(report, rule)) }),
        },
      ],
      'back-matter': {
        resources: [
          {
            uuid: plan,
            title: 'Assessment plan',
            description: `The rules of joinproof ${tool.version}, each put to the cluster by its scenarios.`,
          },
        ],
      },
    },
  };
  return `${visibleJson(JSON.stringify(results, undefined, 2))}\n`;
}

const observationId = (report: Report, { id }: RuleResult): string => uuidOf('observation', report.target.server, id);

function observation(report: Report, rule: RuleResult) {
  const { id, title, verdict, reason } = rule;
  const told = toldOf(rule);
  const lines = told.slice(0, MOST).map(({ finding: found }) => visible(findingText(found)));
  const left = unmetCount(rule) - lines.length;
  return {
    uuid: observationId(report, rule),
    title: `${id} ${title}`,
    description: [visible(`${verdict}${reason === null ? '' : `: ${reason.text}`}`), ...lines].join('\n'),
    props: [
      { name: 'verdict', value: verdict },
      { name: 'level', value: rule.level },
      ...(left > 0 ? [{ name: 'findings-left-out', value: String(left) }] : []),
    ],
    methods: ['TEST'],
    collected: report.startedAt,
  };
}

function finding(report: Report, rule: RuleResult) {
  const { id, title, verdict, reason, why, repair, sources } = rule;
  const remark =
    verdict === 'waived' ? 'Waived' : verdict === 'advised' ? 'Advice, which the profile does not demand' : '';
  return {
    uuid: uuidOf('finding', report.target.server, id),
    title: `${id} ${title}`,
    description: `${why}\nRepair: ${repair.text}\nSource: ${documentNames(sources)}`,
    target: {
      type: 'objective-id',
      'target-id': controlId(rule),
      status: { state: verdict === 'passed' ? 'satisfied' : 'not-satisfied' },
      ...(remark === '' ? {} : { remarks: visible(`${remark}: ${reason?.text ?? ''}`) }),
    },
    'related-observations': [{ 'observation-uuid': observationId(report, rule) }],
  };
}
