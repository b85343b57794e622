/**
 * API Priority and Fairness as joining machines meet it: the FlowSchema that each of their requests falls under, and
 * whether the priority level behind it has a seat for them.
 * Source: apiserver, pkg/util/flowcontrol/{rule.go,apf_controller.go}; pkg/apis/flowcontrol/v1/defaults.go.
 */
import { record, records, text, texts } from '../../kubernetes/json.js';
import {
  CLUSTER_INFO,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_SERVICE_ACCOUNTS,
  GROUP_UNAUTHENTICATED,
  KUBE_PUBLIC,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { Begun, type Value } from './cel.js';
import { JOINING } from './joining-requests.js';

/** A FlowSchema, in the order in which the API server goes by them. */
export interface FlowSeen {
  /** "FlowSchema a" */
  readonly subject: string;
  readonly level: string;
  /** Of the level: `none`, where no request is ever served; `exempt`, where nothing is limited. */
  readonly seats: 'none' | 'some' | 'exempt';
  /** What falls under it of what is done for joining machines: "create nodes". */
  readonly joining: readonly string[];
  /** Groups that anybody is in, which ask under it for more than probes. */
  readonly anybody: readonly string[];
}

interface Asked {
  readonly what: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly user: Value;
  readonly groups: readonly Value[];
}

/** A kubelet patches its status; a client of Kubernetes writes what it has read. */
const VERBS: Readonly<Record<string, string>> = { 'UPDATE nodes/status': 'patch' };

const ASKED: readonly Asked[] = [
  {
    what: `get ${CLUSTER_INFO}`,
    verb: 'get',
    group: '',
    resource: 'configmaps',
    namespace: KUBE_PUBLIC,
    user: USER_ANONYMOUS,
    groups: [GROUP_UNAUTHENTICATED],
  },
  ...JOINING.map(({ operation, group, resource, namespace, user }): Asked => {
    const verb = VERBS[`${operation} ${resource}`] ?? operation.toLowerCase();
    const { username, groups } = user;
    return {
      what: `${verb} ${resource}`,
      verb,
      group,
      resource,
      namespace,
      user: username ?? '',
      groups: Array.isArray(groups) ? groups : [],
    };
  }),
];

/** A group of which the beginning is known: tokens have one of those that begin so. */
const isGroup = (one: Value, wanted: string): boolean =>
  one === wanted || (one instanceof Begun && wanted.startsWith(one.beginning));

/** Of users whose names are known, and of groups. */
function isSubject({ user, groups }: Asked, subject: Readonly<Record<string, unknown>>): boolean {
  const name = text(record(subject[subject.kind === 'User' ? 'user' : 'group']).name);
  if (subject.kind === 'User') return name === '*' || name === user;
  if (subject.kind === 'Group') return name === '*' || groups.some((one) => isGroup(one, name));
  const { namespace, name: account } = record(subject.serviceAccount);
  const prefix = `system:serviceaccount:${text(namespace)}:`;
  return typeof user === 'string' && (account === '*' ? user.startsWith(prefix) : user === `${prefix}${text(account)}`);
}

const has = (given: unknown, wanted: string): boolean => texts(given).some((one) => one === '*' || one === wanted);

const isAsked = (asked: Asked, { subjects, resourceRules }: Readonly<Record<string, unknown>>): boolean =>
  records(subjects).some((subject) => isSubject(asked, subject)) &&
  records(resourceRules).some(
    ({ verbs, apiGroups, resources, namespaces, clusterScope }) =>
      has(verbs, asked.verb) &&
      has(apiGroups, asked.group) &&
      has(resources, asked.resource) &&
      (asked.namespace === '' ? clusterScope === true : has(namespaces, asked.namespace)),
  );

/** Every Pod is one of the third, and a token that many machines have seen is one of the last. */
const ANYBODY = [GROUP_UNAUTHENTICATED, GROUP_AUTHENTICATED, GROUP_SERVICE_ACCOUNTS, GROUP_BOOTSTRAPPERS];
const isAnybody = (group: string): boolean =>
  group === '*' || ANYBODY.includes(group) || group.startsWith(`${GROUP_BOOTSTRAPPERS}:`);
const PROBES = ['/healthz', '/livez', '/readyz'];

/** Of one rule of a FlowSchema. */
function anybodyOf({
  subjects,
  resourceRules,
  nonResourceRules,
}: Readonly<Record<string, unknown>>): readonly string[] {
  const asksMore =
    records(resourceRules).length > 0 ||
    records(nonResourceRules).some(({ nonResourceURLs }) =>
      texts(nonResourceURLs).some((url) => !PROBES.includes(url)),
    );
  if (!asksMore) return [];
  return records(subjects).flatMap(({ kind, user, group }) => {
    const name = text(record(kind === 'User' ? user : group).name);
    if (kind === 'User') return name === '*' || name === USER_ANONYMOUS ? [name] : [];
    return kind === 'Group' && isAnybody(name) ? [name] : [];
  });
}

/** What is not said is 30 shares. A level without a share has no seats but those that it may borrow. */
function seatsOf({ spec }: KubeObject): FlowSeen['seats'] {
  const { type, limited } = record(spec);
  if (type === 'Exempt') return 'exempt';
  const { nominalConcurrencyShares, borrowingLimitPercent } = record(limited);
  return nominalConcurrencyShares === 0 && typeof borrowingLimitPercent === 'number' ? 'none' : 'some';
}

const precedenceOf = ({ spec }: KubeObject): number => {
  const { matchingPrecedence } = record(spec);
  return typeof matchingPrecedence === 'number' ? matchingPrecedence : 1000;
};
const nameOf = ({ metadata: { name = '' } }: KubeObject): string => name;

/** Reader. A FlowSchema whose level is not there is passed over. */
export function readFlow(schemas: readonly KubeObject[], levels: readonly KubeObject[]): readonly FlowSeen[] {
  const seats = new Map(levels.map((level) => [nameOf(level), seatsOf(level)]));
  const waiting = new Set(ASKED);
  return [...schemas]
    .sort((a, b) => precedenceOf(a) - precedenceOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1))
    .flatMap((schema) => {
      const { priorityLevelConfiguration, rules } = record(schema.spec);
      const level = text(record(priorityLevelConfiguration).name);
      const found = seats.get(level);
      if (found === undefined) return [];
      const joining = [...waiting].filter((asked) => records(rules).some((rule) => isAsked(asked, rule)));
      for (const asked of joining) waiting.delete(asked);
      return [
        {
          subject: `FlowSchema ${nameOf(schema)}`,
          level,
          seats: found,
          joining: [...new Set(joining.map(({ what }) => what))],
          anybody: [...new Set(records(rules).flatMap(anybodyOf))],
        },
      ];
    });
}

/** Without a seat a request is refused with 429, or waits until its time is up. */
export const flowServesJoining: Check<readonly FlowSeen[]> = {
  id: 'flow-control/serves-joining',
  source: 'apiserver, pkg/util/flowcontrol/apf_controller.go finishQueueSetReconfigsLocked',
  nothing: 'the API server limits nobody by FlowSchemas',
  judge: (schemas) =>
    schemas
      .filter(({ joining }) => joining.length > 0)
      .map(({ subject, level, seats, joining }) =>
        refusal({
          subject,
          demanded: 'leads what joining machines ask for to a priority level that has seats',
          seen: `"${joining.join('", "')}" to ${level}, which has ${seats === 'none' ? 'no seats, and borrows none' : 'some'}`,
          ok: seats !== 'none',
        }),
      ),
};

/** Who is limited by nothing takes the time of everybody else. */
export const flowLimitsAnybody: Check<readonly FlowSeen[]> = {
  id: 'flow-control/limits-anybody',
  source: 'apiserver, pkg/apis/flowcontrol/bootstrap/default.go: exempt is for system:masters, and for probes',
  nothing: 'the API server limits nobody by FlowSchemas',
  judge: (schemas) =>
    schemas
      .filter(({ seats }) => seats === 'exempt')
      .map(({ subject, anybody }) =>
        refusal({
          subject,
          demanded: 'exempts nobody who may be anybody, but for probes of health',
          seen: anybody.length === 0 ? 'it exempts no such group' : `it exempts ${anybody.join(', ')}`,
          ok: anybody.length === 0,
        }),
      ),
};
