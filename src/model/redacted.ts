/**
 * A report as it may be shown: what came from outside without secrets and bounded, the model and never its serialised
 * form, so that no structure can be redacted away. What joinproof says by itself (ids, titles, verdicts, sentences)
 * passes as it is.
 */
import type { Finding } from './finding.js';
import { cut, throughout } from './foreign.js';
import type { ExchangeSeen, Judgement, Report, ScenarioResult } from './report.js';
import type { Reason } from './verdict.js';

/** `withoutSecrets`: one text without its secrets. Observations are not cut: they are judged again. */
export function redacted(report: Report, withoutSecrets: (text: string) => string): Report {
  const redact = eachOnce(withoutSecrets);
  const shown = (text: string): string => cut(redact(text));
  const reason = <R extends Reason | null>(given: R): R =>
    given === null ? given : { ...given, text: shown(given.text) };
  const finding = (given: Finding): Finding => {
    const { subject, demanded, seen, note } = given;
    const told = { ...given, subject: shown(subject), demanded: shown(demanded), seen: shown(seen) };
    return note === undefined ? told : { ...told, note: shown(note) };
  };
  const exchange = ({ as, request, status, headers, sent, received }: ExchangeSeen): ExchangeSeen => ({
    as: shown(as),
    request: shown(request),
    status,
    ...(headers === undefined ? {} : { headers: headers.map(shown) }),
    ...(sent === undefined ? {} : { sent: shown(sent) }),
    ...(received === undefined ? {} : { received: shown(received) }),
  });
  const judgement = (given: Judgement): Judgement => ({
    ...given,
    ...(given.parameters === undefined ? {} : { parameters: throughout(given.parameters, redact) }),
    findings: given.findings.map(finding),
    ...(given.exchanges === undefined ? {} : { exchanges: given.exchanges.map(exchange) }),
  });
  const scenario = (given: ScenarioResult): ScenarioResult => ({
    ...given,
    reason: reason(given.reason),
    ended: given.ended === null ? null : { ...given.ended, reason: reason(given.ended.reason) },
    judgements: given.judgements.map(judgement),
  });
  const { name, server, version } = report.target;
  const { ownObjects, left, gate } = report;
  const counted = <C extends { readonly examples: readonly string[] }>(given: C): C => ({
    ...given,
    examples: given.examples.map(shown),
  });
  return {
    ...report,
    ...(left === undefined ? {} : { left: counted(left) }),
    ...(gate === undefined ? {} : { gate: { ...gate, shortfalls: gate.shortfalls.map(shown) } }),
    ...(ownObjects === undefined
      ? {}
      : { ownObjects: { leftOut: counted(ownObjects.leftOut), leftBehind: counted(ownObjects.leftBehind) } }),
    target: {
      ...report.target,
      name: shown(name),
      server: shown(server),
      version: version === null ? null : shown(version),
    },
    rules: report.rules.map((rule) => ({
      ...rule,
      reason: reason(rule.reason),
      scenarios: rule.scenarios.map(scenario),
    })),
    observations: Object.fromEntries(
      Object.entries(report.observations).map(([key, observation]) => [key, throughout(observation, redact)]),
    ),
  };
}

/** Longer texts are hardly ever the same. */
const REPEATED = 200;

/** Names of fields, kinds, users: nearly all texts of a report stand there many times. */
function eachOnce(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > REPEATED) return change(text);
    let changed = known.get(text);
    if (changed === undefined) {
      changed = change(text);
      known.set(text, changed);
    }
    return changed;
  };
}
