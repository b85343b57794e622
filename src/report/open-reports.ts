/**
 * Reports as objects of a cluster: OpenReports (openreports.io/v1alpha1) or PolicyReports (wgpolicyk8s.io/v1alpha2).
 * What is found in objects of a namespace stands in a report of that namespace, everything else in one of the cluster;
 * the whole is a List that kubectl applies.
 */
import { createHash } from 'node:crypto';
import { visible, visibleJson } from '../model/foreign.js';
import type { Report, RuleResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { findingText, heldTo, isUnmet, type NamedObject, objectOf, type Told, toldOf } from './told.js';

interface Flavour {
  readonly apiVersion: string;
  readonly inNamespace: string;
  readonly ofCluster: string;
  /** Fields of the object that only this one has. */
  readonly head: Readonly<Record<string, unknown>>;
}

const OPEN_REPORTS: Flavour = {
  apiVersion: 'openreports.io/v1alpha1',
  inNamespace: 'Report',
  ofCluster: 'ClusterReport',
  head: { source: 'joinproof' },
};
const POLICY_REPORTS: Flavour = {
  apiVersion: 'wgpolicyk8s.io/v1alpha2',
  inNamespace: 'PolicyReport',
  ofCluster: 'ClusterPolicyReport',
  head: {},
};

export const toOpenReports = (report: Report): string => listOf(report, OPEN_REPORTS);
export const toPolicyReports = (report: Report): string => listOf(report, POLICY_REPORTS);

const RESULTS = {
  passed: 'pass',
  waived: 'warn',
  skipped: 'skip',
  advised: 'warn',
  failed: 'fail',
  error: 'error',
} as const;
type Outcome = (typeof RESULTS)[VerdictKind];
const SEVERITY = { MUST: 'high', SHOULD: 'medium', MAY: 'low' } as const;
/** Objects named by one entry, and characters of its message: an object of the API has 1.5 MB at most. */
const MOST_OBJECTS = 50;
const LONGEST = 1_000;

const API_VERSIONS: Readonly<Record<string, string>> = {
  Secret: 'v1',
  ConfigMap: 'v1',
  Node: 'v1',
  Pod: 'v1',
  Role: 'rbac.authorization.k8s.io/v1',
  RoleBinding: 'rbac.authorization.k8s.io/v1',
  ClusterRole: 'rbac.authorization.k8s.io/v1',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/v1',
  CertificateSigningRequest: 'certificates.k8s.io/v1',
};

interface Entry {
  readonly result: Outcome;
  readonly [field: string]: unknown;
}

function listOf(report: Report, flavour: Flavour): string {
  const name = `joinproof-${createHash('sha256').update(report.target.server).digest('hex').slice(0, 10)}`;
  const failed = report.rules.filter(isUnmet).flatMap(toldOf);
  const namespaces = [...new Set(failed.flatMap(({ finding }) => objectOf(finding.subject)?.namespace ?? []))].sort();
  const inNamespaces = namespaces.map((namespace) => {
    const found = failed.filter(({ finding }) => objectOf(finding.subject)?.namespace === namespace);
    return object({ flavour, name, report, namespace, entries: byRule(found).map((told) => entryOf(report, told)) });
  });
  const ofCluster = object({ flavour, name, report, entries: report.rules.map((rule) => wholeEntry(report, rule)) });
  const list = { apiVersion: 'v1', kind: 'List', items: [ofCluster, ...inNamespaces] };
  return `${visibleJson(JSON.stringify(list, undefined, 2))}\n`;
}

const byRule = (told: readonly Told[]): readonly (readonly Told[])[] =>
  [...new Set(told.map(({ rule }) => rule))].map((rule) => told.filter((one) => one.rule === rule));

interface Parts {
  readonly flavour: Flavour;
  readonly name: string;
  readonly report: Report;
  readonly entries: readonly Entry[];
  readonly namespace?: string;
}

function object({ flavour, name, report, entries, namespace }: Parts) {
  const count = (result: Outcome): number => entries.filter((entry) => entry.result === result).length;
  return {
    apiVersion: flavour.apiVersion,
    kind: namespace === undefined ? flavour.ofCluster : flavour.inNamespace,
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'joinproof' },
      annotations: {
        'joinproof.io/target': visible(report.target.name),
        'joinproof.io/kubernetes-version': visible(report.target.version ?? 'unknown'),
        'joinproof.io/profile': visible(heldTo(report)),
        'joinproof.io/tool-version': report.tool.version,
      },
    },
    ...flavour.head,
    summary: {
      pass: count('pass'),
      fail: count('fail'),
      warn: count('warn'),
      error: count('error'),
      skip: count('skip'),
    },
    results: entries,
  };
}

/** Of a rule as a whole, for the cluster. */
function wholeEntry(report: Report, rule: RuleResult): Entry {
  const told = isUnmet(rule) ? toldOf(rule) : [];
  // What lies in a namespace is told there.
  const objects = told.flatMap(({ finding }) => objectOf(finding.subject) ?? []);
  return entry(report, rule, {
    message: rule.reason?.text ?? rule.title,
    objects: objects.filter(({ namespace }) => namespace === undefined),
  });
}

/** Of one rule, for one namespace: never empty. */
function entryOf(report: Report, told: readonly Told[]): Entry {
  const [{ rule, finding } = unreachable()] = told;
  return entry(report, rule, {
    message: findingText(finding),
    objects: told.flatMap((one) => objectOf(one.finding.subject) ?? []),
  });
}

const unreachable = (): never => {
  throw new Error('a group of findings is empty');
};

function entry(
  report: Report,
  rule: RuleResult,
  { message, objects }: { readonly message: string; readonly objects: readonly NamedObject[] },
): Entry {
  const shown = visible(message);
  const unique = [...new Map(objects.map((one) => [JSON.stringify(one), one])).values()];
  return {
    source: 'joinproof',
    policy: rule.chapter,
    rule: rule.id,
    category: rule.chapter,
    severity: SEVERITY[rule.level],
    scored: rule.level !== 'MAY' && rule.verdict !== 'waived' && rule.verdict !== 'advised',
    result: RESULTS[rule.verdict],
    message: shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST - 1)}…`,
    timestamp: { seconds: Math.floor(Date.parse(report.startedAt) / 1000), nanos: 0 },
    ...(unique.length === 0 ? {} : { resources: unique.slice(0, MOST_OBJECTS).map(reference) }),
    properties: { title: rule.title, level: rule.level, repair: rule.repair.text, place: `features/${rule.place}` },
  };
}

const reference = ({ kind, namespace, name }: NamedObject) => ({
  apiVersion: API_VERSIONS[kind],
  kind,
  namespace,
  name,
});
