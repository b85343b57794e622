/**
 * SARIF 2.1.0, with the fields that code scanning asks for. Places are those of the rule in the features: a cluster has
 * no files. What could not be judged is a notification of the tool, never a result that looks met.
 */
import type { Invocation, Log, PhysicalLocation, ReportingDescriptor, Result } from 'sarif';
import { fingerprintOf } from '../model/fingerprint.js';
import { visible, visibleJson } from '../model/foreign.js';
import type { Report, RuleResult } from '../model/report.js';
import { documentNames } from './documents.js';
import { endedAt, findingText, heldTo, isUnmet, moreOf, objectOf, repairer, type Told, toldOf } from './told.js';

const LEVEL = { MUST: 'error', SHOULD: 'warning', MAY: 'note' } as const;
/** As text, 0.1 to 10.0: above 9 critical, from 7 high, from 4 medium. */
const SEVERITY = { MUST: '8.0', SHOULD: '5.0', MAY: '2.0' } as const;
/** Characters of a description that consumers take. */
const LONGEST = 1_024;
/** Results of one run that consumers take. */
const MOST_RESULTS = 5_000;

const short = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

export function toSarif(report: Report): string {
  const told = report.rules.filter((rule) => isUnmet(rule) || rule.verdict === 'waived').flatMap(toldOf);
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            semanticVersion: report.tool.version,
            rules: report.rules.map(descriptor),
          },
        },
        automationDetails: { id: `joinproof/${report.target.kind}/` },
        invocations: [invocation(report)],
        results: told.slice(0, MOST_RESULTS).map((one) => result(one, report.rules.indexOf(one.rule))),
        columnKind: 'utf16CodeUnits',
        properties: {
          target: report.target.name,
          profile: heldTo(report),
          kubernetesVersion: report.target.version ?? 'unknown',
          ...(told.length > MOST_RESULTS ? { resultsLeftOut: told.length - MOST_RESULTS } : {}),
        },
      },
    ],
  };
  return `${visibleJson(JSON.stringify(log, undefined, 2))}\n`;
}

function descriptor({ id, title, level, chapter, why, repair, sources, place }: RuleResult): ReportingDescriptor {
  const who = repairer({ repair });
  const from = documentNames(sources);
  return {
    id,
    name: id.replace(/[^A-Za-z0-9]/g, ''),
    shortDescription: { text: short(title) },
    fullDescription: { text: short(`${title}. ${why}`) },
    help: {
      text: `Why: ${why}\n${who}: ${repair.text}\nSource: ${from}; features/${place}`,
      markdown: `**Why:** ${why}\n\n**${who}:** ${repair.text}\n\n**Source:** ${from}; \`features/${place}\``,
    },
    defaultConfiguration: { level: LEVEL[level] },
    properties: { tags: ['security', 'kubernetes', chapter], precision: 'high', 'security-severity': SEVERITY[level] },
  };
}

function result(told: Told, ruleIndex: number): Result {
  const { rule, scenario, finding } = told;
  const object = objectOf(finding.subject);
  const print = fingerprintOf(scenario.id, finding);
  const more = moreOf(rule).unmet;
  return {
    ruleId: rule.id,
    ruleIndex,
    level: rule.verdict === 'advised' ? 'note' : LEVEL[rule.level],
    kind: 'fail',
    message: { text: visible(findingText(finding)) },
    locations: [
      {
        physicalLocation: placeOf(rule),
        logicalLocations: [
          {
            fullyQualifiedName: visible(finding.subject),
            ...(object === undefined ? {} : { name: object.name }),
            kind: object === undefined ? 'subject' : 'resource',
          },
        ],
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${print.slice(0, 16)}:1`, 'joinproof/v1': print },
    ...(rule.verdict === 'waived'
      ? { suppressions: [{ kind: 'external', justification: visible(rule.reason?.text ?? '') }] }
      : {}),
    properties: { scenario: scenario.id, ...(more > 0 ? { moreLikeThis: more } : {}) },
  };
}

/** "authorization/1-roles-and-bindings.feature:8" */
function placeOf({ place }: RuleResult): PhysicalLocation {
  const [, file = place, line = '1'] = /^(.*):(\d+)$/.exec(place) ?? [];
  const startLine = Math.max(1, Number(line));
  return {
    artifactLocation: { uri: encodeURI(`features/${file}`) },
    region: { startLine, startColumn: 1, endLine: startLine, endColumn: 2 },
  };
}

function invocation(report: Report): Invocation {
  const notes = report.rules.filter(({ verdict }) => verdict === 'error' || verdict === 'skipped');
  return {
    executionSuccessful: report.summary.exitCode !== 3,
    exitCode: report.summary.exitCode,
    startTimeUtc: report.startedAt,
    endTimeUtc: endedAt(report),
    toolExecutionNotifications: notes.map(({ id, verdict, reason }) => ({
      associatedRule: { id },
      level: verdict === 'error' ? 'error' : 'note',
      message: { text: visible(`${id} ${verdict === 'error' ? 'not judged' : 'skipped'}: ${reason?.text ?? ''}`) },
    })),
  };
}
