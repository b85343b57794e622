/**
 * Cucumber Messages, one JSON object a line: what tools for Gherkin read. Holds the features of all rules that were
 * judged, and how each step of each scenario ended.
 */
import { generateMessages } from '@cucumber/gherkin';
import type {
  Envelope,
  Pickle,
  SourceMediaType,
  TestStepResult,
  TestStepResultStatus,
  Timestamp,
} from '@cucumber/messages';
import { visible, visibleJson } from '../model/foreign.js';
import type { Report, ScenarioResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { findingText } from './told.js';

/** The features that a report is of. */
export interface FeatureTexts {
  /** Text of each file, by its path below the folder of features. */
  readonly texts: ReadonlyMap<string, string>;
  /** "file:line" of each scenario, by its id. */
  readonly places: ReadonlyMap<string, string>;
}

const GHERKIN = 'text/x.cucumber.gherkin+plain' as SourceMediaType.TEXT_X_CUCUMBER_GHERKIN_PLAIN;
const STATUS = {
  passed: 'PASSED',
  waived: 'SKIPPED',
  skipped: 'SKIPPED',
  advised: 'SKIPPED',
  failed: 'FAILED',
  error: 'FAILED',
} as const satisfies Record<VerdictKind, string>;

const PROTOCOL = '32.3.1';

const timestamp = (milliseconds: number): Timestamp => ({
  seconds: Math.floor(milliseconds / 1000),
  nanos: Math.round(milliseconds % 1000) * 1_000_000,
});

export function toMessages(report: Report, { texts, places }: FeatureTexts): string {
  let next = 0;
  const newId = (): string => String(next++);
  const started = Date.parse(report.startedAt);
  const run = newId();
  const sources = [...texts].flatMap(([file, text]) =>
    generateMessages(text, `features/${file}`, GHERKIN, {
      includeSource: true,
      includeGherkinDocument: true,
      includePickles: true,
      newId,
    }),
  );
  const pickles = new Map(
    sources.flatMap(({ pickle }) =>
      pickle === undefined ? [] : [[`${pickle.uri.slice('features/'.length)}:${pickle.location?.line}`, pickle]],
    ),
  );
  let at = started;
  const cases = report.rules.flatMap(({ scenarios }) =>
    scenarios.flatMap((scenario) => {
      const pickle = pickles.get(places.get(scenario.id) ?? '');
      // A report may be of other features than these.
      if (pickle === undefined) return [];
      const from = at;
      at += scenario.seconds * 1000;
      return testCase({ scenario, pickle, run, from, to: at }, newId);
    }),
  );
  const envelopes: readonly Envelope[] = [
    { meta: metaOf(report) },
    ...sources,
    { testRunStarted: { id: run, timestamp: timestamp(started) } },
    ...cases.filter(({ testCase: definition }) => definition !== undefined),
    ...cases.filter(({ testCase: definition }) => definition === undefined),
    {
      testRunFinished: {
        testRunStartedId: run,
        success: report.summary.exitCode === 0,
        timestamp: timestamp(Math.max(at, started + report.seconds * 1000)),
      },
    },
  ];
  return envelopes.map((envelope) => `${visibleJson(JSON.stringify(envelope))}\n`).join('');
}

const metaOf = ({ tool, target }: Report) => ({
  protocolVersion: PROTOCOL,
  implementation: { name: 'joinproof', version: tool.version },
  runtime: { name: 'node.js', version: tool.node },
  // The machine is none of a report's business: what was judged stands here.
  os: { name: visible(target.name), version: target.version ?? 'unknown' },
  cpu: { name: 'unknown' },
});

interface Played {
  readonly scenario: ScenarioResult;
  readonly pickle: Pickle;
  readonly run: string;
  readonly from: number;
  readonly to: number;
}

function testCase({ scenario, pickle, run, from, to }: Played, newId: () => string): readonly Envelope[] {
  const id = newId();
  const start = newId();
  const steps = pickle.steps.map((step) => ({ id: newId(), pickleStepId: step.id, stepDefinitionIds: [] }));
  const results = resultsOf(scenario, steps.length);
  const duration = to - from;
  return [
    { testCase: { id, pickleId: pickle.id, testRunStartedId: run, testSteps: steps } },
    { testCaseStarted: { id: start, testCaseId: id, attempt: 0, timestamp: timestamp(from) } },
    ...steps.flatMap((step, index): readonly Envelope[] => {
      const decisive = index === results.decisive;
      const result: TestStepResult = {
        status: results.statuses[index] as TestStepResultStatus,
        duration: decisive ? timestamp(duration) : timestamp(0),
        ...(decisive && results.message !== undefined ? { message: results.message } : {}),
      };
      const [before, after] =
        index < results.decisive ? [from, from] : index > results.decisive ? [to, to] : [from, to];
      return [
        { testStepStarted: { testCaseStartedId: start, testStepId: step.id, timestamp: timestamp(before) } },
        {
          testStepFinished: {
            testCaseStartedId: start,
            testStepId: step.id,
            testStepResult: result,
            timestamp: timestamp(after),
          },
        },
      ];
    }),
    { testCaseFinished: { testCaseStartedId: start, willBeRetried: false, timestamp: timestamp(to) } },
  ];
}

/** The last step that was played decides; those before it passed, those behind it were left out. */
function resultsOf({ verdict, reason, played, judgements }: ScenarioResult, count: number) {
  const decisive = Math.min(Math.max((played ?? count) - 1, 0), count - 1);
  const statuses = Array.from({ length: count }, (_, index) =>
    index < decisive ? 'PASSED' : index === decisive ? STATUS[verdict] : verdict === 'passed' ? 'PASSED' : 'SKIPPED',
  );
  if (verdict === 'passed') return { decisive, statuses };
  const findings = judgements.flatMap((judgement) => judgement.findings).filter(({ result }) => result !== 'met');
  const lines = findings.map((finding) => visible(findingText(finding)));
  const said = visible(`${verdict === 'error' ? 'not judged' : verdict}: ${reason?.text ?? ''}`);
  return { decisive, statuses, message: [said, ...lines].join('\n') };
}
