/**
 * Who serves the groups of the API by which machines join: the API server itself, and nobody in its place.
 * Source: kube-aggregator, pkg/apiserver/handler_proxy.go; pkg/controllers/autoregister.
 */
import { isRecord, record, text } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { refusal } from '../model/finding.js';

export interface ApiServiceSeen {
  /** "v1.certificates.k8s.io" */
  readonly name: string;
  /** "kube-system/certificates"; '' where the API server serves it. */
  readonly service: string;
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

/** Reader. */
export const readApiServices = (services: readonly KubeObject[]): readonly ApiServiceSeen[] =>
  services.map(({ metadata: { name = '' }, spec }) => {
    const { service } = record(spec);
    return {
      name,
      service: isRecord(service) ? `${text(service.namespace)}/${text(service.name)}` : '',
    };
  });

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
