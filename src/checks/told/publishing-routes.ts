/**
 * What leads from beyond the cluster to Services: an Ingress, and routes of the Gateway API.
 * Source: k8s.io/api, networking/v1 Ingress; gateway-api, apis/v1 HTTPRoute, GRPCRoute, TLSRoute, TCPRoute.
 */
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';

export interface Route {
  /** "Ingress default/api" */
  readonly subject: string;
  /** "default/kubernetes", each once. */
  readonly services: readonly string[];
  /** TLS ends there: it reads along what is sent, and who asks shows no certificate. */
  readonly reads: boolean;
}

const GATEWAY = 'gateway.networking.k8s.io';
const ROUTES: Readonly<Record<string, boolean>> = {
  HTTPRoute: true,
  GRPCRoute: true,
  TLSRoute: false,
  TCPRoute: false,
  UDPRoute: false,
};

/** Whether a kind is one of these, wherever it is served. */
export const isRoute = ({ group, kind }: { readonly group: string; readonly kind: string }): boolean =>
  (group === 'networking.k8s.io' && kind === 'Ingress') || (group === GATEWAY && ROUTES[kind] !== undefined);

/** Controllers call it as they like: "nginx.ingress.kubernetes.io/ssl-passthrough", "ingress.kubernetes.io/ssl-passthrough". */
const passesThrough = ({ annotations }: KubeObject['metadata']): boolean =>
  Object.entries(record(annotations)).some(
    ([key, value]) => /passthrough|passTLS/i.test(key) && !/^(?:false|0|)$/.test(text(value)),
  );

const namesOf = (namespace: string, backends: readonly Fields[]): readonly string[] =>
  backends.flatMap(({ name, namespace: own, kind }) =>
    text(name) === '' || !['', 'Service'].includes(text(kind)) ? [] : [`${text(own) || namespace}/${text(name)}`],
  );

function ofIngress({ defaultBackend, rules }: Fields): readonly Fields[] {
  const paths = records(rules).flatMap(({ http }) => records(record(http).paths));
  return [defaultBackend, ...paths.map(({ backend }) => backend)].flatMap((backend) => {
    const { service } = record(backend);
    return isRecord(service) ? [{ name: service.name }] : [];
  });
}

/** Reader; undefined of what leads nowhere. */
export function readRoute(object: KubeObject, kind: string): Route | undefined {
  const { name = '', namespace = '' } = object.metadata;
  const spec = record(object.spec);
  const backends =
    kind === 'Ingress' ? ofIngress(spec) : records(spec.rules).flatMap(({ backendRefs }) => records(backendRefs));
  const services = [...new Set(namesOf(namespace, backends))];
  if (services.length === 0) return undefined;
  const reads = kind === 'Ingress' ? !passesThrough(object.metadata) : ROUTES[kind] === true;
  return { subject: `${kind} ${namespace}/${name}`, services, reads };
}
