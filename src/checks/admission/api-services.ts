/**
 * Who serves the groups of the API by which machines join: the API server itself, and nobody in its place.
 * Source: kube-aggregator, pkg/apiserver/handler_proxy.go; pkg/controllers/autoregister.
 */
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';

export interface ApiServiceSeen {
  /** "v1.certificates.k8s.io" */
  readonly name: string;
  /** "kube-system/certificates"; '' where the API server serves it. */
  readonly service: string;
  /** Since when it is not available, in milliseconds since the epoch; null: it is. */
  readonly downSince: number | null;
  /** Why. */
  readonly reason: string;
}

/** Without these no machine joins, no controller works for it, or nobody knows whom to let in. */
const GROUPS = [
  '',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
];
const JOINING = GROUPS.map((group) => `v1.${group}`);

/** An APIService is named for its version and its group. */
const groupOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** All that API servers since 1.22 serve by themselves. Source: kubernetes, staging/src/k8s.io/api; pkg/controlplane. */
const BUILT_IN =
  ' admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io ' +
  'authorization.k8s.io autoscaling batch certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io ' +
  'extensions flowcontrol.apiserver.k8s.io internal.apiserver.k8s.io networking.k8s.io node.k8s.io policy ' +
  'rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io storagemigration.k8s.io';

/**
 * Whether these APIServices, all that a cluster has, show that no definition adds a kind to it: the group of each would
 * be registered beside those that the API server has by itself.
 */
export function isWithoutDefinitions(services: readonly KubeObject[] | undefined): boolean {
  const own = (services ?? []).filter(({ spec }) => !isRecord(record(spec).service));
  const names = own.map(({ metadata: { name = '' } }) => name);
  const areAll = JOINING.every((name) => names.includes(name));
  return areAll && names.every((name) => BUILT_IN.split(' ').includes(groupOf(name)));
}

/** Reader. */
export const readApiServices = (services: readonly KubeObject[]): readonly ApiServiceSeen[] =>
  services.map(({ metadata: { name = '' }, spec, status }) => {
    const { service } = record(spec);
    return {
      name,
      service: isRecord(service) ? `${text(service.namespace)}/${text(service.name)}` : '',
      ...downIn(record(status)),
    };
  });

function downIn({ conditions }: Fields): Pick<ApiServiceSeen, 'downSince' | 'reason'> {
  const { status, reason, lastTransitionTime } = record(records(conditions).find(({ type }) => type === 'Available'));
  const since = Date.parse(text(lastTransitionTime));
  return { downSince: status === 'False' && !Number.isNaN(since) ? since : null, reason: text(reason) };
}

/** What has taken a group over hears tokens and credentials of all who ask, and answers as it likes. */
export const servedByItself: Check<readonly ApiServiceSeen[]> = {
  id: 'api-services/own',
  source: 'kube-aggregator, pkg/apiserver/handler_proxy.go; pkg/controllers/autoregister',
  judge: (services) => {
    // whatever its version: clients take the one that a group prefers, and write to it what they write to the own one
    const others = services.filter(({ name, service }) => GROUPS.includes(groupOf(name)) && service !== '');
    // an API server that lists its own lists all of them
    const isListed = services.some(({ name }) => name === JOINING[0]);
    const missing = isListed ? JOINING.filter((name) => !services.some((one) => one.name === name)) : [];
    const demanded = 'is served by the API server itself';
    if (others.length + missing.length === 0)
      return [refusal({ subject: 'the API that machines join by', demanded, seen: 'by nobody else', ok: true })];
    return [
      ...others.map(({ name, service }) =>
        refusal({ subject: `APIService ${name}`, demanded, seen: `by Service ${service}`, ok: false }),
      ),
      ...missing.map((name) =>
        refusal({ subject: `APIService ${name}`, demanded, seen: 'it is not registered', ok: false }),
      ),
    ];
  },
};

/** What is deployed anew is back sooner. */
const DOWN = 10 * 60_000;

interface Around {
  /** All Services: "kube-system/metrics-server". */
  readonly services: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Discovery names a group whose server is gone: no namespace is deleted then, and clients that ask for all of it wait. */
export const othersServe: Check<readonly ApiServiceSeen[], Around> = {
  id: 'api-services/others',
  source: 'kube-aggregator, pkg/controllers/status/remote/remote_available_controller.go; pkg/controller/namespace',
  nothing: 'the API server serves all of the API itself',
  judge: (all, { services, now }) => {
    const others = all.filter(({ service }) => service !== '');
    const demanded = 'is served by somebody who is there';
    const odd = others.flatMap(({ name, service, downSince, reason }) => {
      const isDown = downSince !== null && now - downSince > DOWN;
      if (services.includes(service) && !isDown) return [];
      const seen = services.includes(service)
        ? `Service ${service} does not serve it (${reason.slice(0, 60)})`
        : `there is no Service ${service}`;
      return [demand({ subject: `APIService ${name}`, demanded, seen, ok: false })];
    });
    if (odd.length > 0 || others.length === 0) return odd;
    return [demand({ subject: 'what others serve of the API', demanded, seen: `each of ${others.length}`, ok: true })];
  },
};
