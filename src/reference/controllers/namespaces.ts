/**
 * What belongs to every namespace, and its end: the ServiceAccount "default", the ConfigMap kube-root-ca.crt, and the
 * emptying of a namespace that is being deleted. Source: pkg/controller/serviceaccount/serviceaccounts_controller.go,
 * pkg/controller/certificates/rootcacertpublisher, pkg/controller/namespace/deletion/namespaced_resources_deleter.go.
 */

import type { Controller, StoreEvent } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import {
  CONFIG_MAPS,
  type ControllerContext,
  createLoop,
  isResource,
  NAMESPACES,
  refusedWith,
  SERVICE_ACCOUNTS,
} from './controller.js';

const ROOT_CA = 'kube-root-ca.crt';
const ROOT_CA_NOTE =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints ' +
  'such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across ' +
  'distributions of Kubernetes clusters.';

const isActive = (namespace: KubeObject | undefined): namespace is KubeObject =>
  namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
const names = (objects: readonly KubeObject[]): string[] => objects.map((object) => object.metadata.name ?? '');

/** Keys: a namespace after it came or changed, and that of an object of the given name after it changed or went. */
const namespaceOrMember = (
  event: StoreEvent,
  member: { readonly group: string; readonly resource: string },
  name: string,
): string[] => {
  if (isResource(event, NAMESPACES)) return event.type === 'DELETED' ? [] : names([event.object]);
  return isResource(event, member) && event.object.metadata.name === name
    ? [event.object.metadata.namespace ?? '']
    : [];
};

/** Every namespace has a ServiceAccount "default"; a deleted one comes back. */
export function serviceAccounts(context: ControllerContext): Controller {
  const { store } = context;
  const client = context.as('service-account-controller');
  return createLoop({
    name: 'serviceaccount-controller',
    context,
    keysOf: (event) => namespaceOrMember(event, SERVICE_ACCOUNTS, 'default'),
    initial: () => names(store.list(NAMESPACES)),
    sync(namespace) {
      if (
        !isActive(store.get(NAMESPACES, undefined, namespace)) ||
        store.get(SERVICE_ACCOUNTS, namespace, 'default') !== undefined
      )
        return;
      client.create(SERVICE_ACCOUNTS, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace },
      });
    },
  });
}

/**
 * Every namespace has the cluster's CA in kube-root-ca.crt; what differs is put right. `caPem` is what --root-ca-file
 * holds.
 */
export function rootCaPublisher(context: ControllerContext, caPem: string): Controller {
  const { store, decisions } = context;
  const client = context.as('root-ca-cert-publisher');
  return createLoop({
    name: 'root-ca-certificate-publisher-controller',
    context,
    keysOf: (event) => namespaceOrMember(event, CONFIG_MAPS, ROOT_CA),
    initial: () => names(store.list(NAMESPACES)),
    sync(namespace) {
      if (!isActive(store.get(NAMESPACES, undefined, namespace))) return;
      const wanted = { 'ca.crt': caPem };
      const existing = store.get(CONFIG_MAPS, namespace, ROOT_CA);
      if (existing === undefined) {
        const metadata = { name: ROOT_CA, namespace, annotations: { 'kubernetes.io/description': ROOT_CA_NOTE } };
        client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: wanted });
        return;
      }
      const data = existing.data as Readonly<Record<string, string>> | undefined;
      if (
        data !== undefined &&
        decisions.rootsAreAsMade(data, caPem) &&
        existing.metadata.annotations?.['kubernetes.io/description'] === ROOT_CA_NOTE
      )
        return;
      const metadata = {
        ...existing.metadata,
        annotations: { ...existing.metadata.annotations, 'kubernetes.io/description': ROOT_CA_NOTE },
      };
      client.update(CONFIG_MAPS, { ...existing, metadata, data: wanted });
    },
  });
}

/** Milliseconds. Source: pkg/controller/namespace/namespace_controller.go namespaceDeletionGracePeriod. */
const DELETION_GRACE = 5000;

/**
 * Empties a namespace that is being deleted, some seconds later, when all who serve it have seen it; when nothing is
 * left in it, its finalizer goes and with it the namespace.
 */
export function namespaceDeletion(context: ControllerContext): Controller {
  const { clock, store } = context;
  const client = context.as('namespace-controller');
  const inside = context.served.filter((resource) => resource.namespaced);
  const deletedAt = (name: string): string | undefined =>
    store.get(NAMESPACES, undefined, name)?.metadata.deletionTimestamp;
  const isTerminating = (name: string): boolean => deletedAt(name) !== undefined;
  return createLoop({
    name: 'namespace-controller',
    context,
    keysOf(event) {
      if (isResource(event, NAMESPACES))
        return event.type !== 'DELETED' && event.object.metadata.deletionTimestamp !== undefined
          ? names([event.object])
          : [];
      const namespace = event.object.metadata.namespace;
      return event.type === 'DELETED' && namespace !== undefined && isTerminating(namespace) ? [namespace] : [];
    },
    initial: () => names(store.list(NAMESPACES)).filter(isTerminating),
    sync(name, later): void {
      const deleted = deletedAt(name);
      if (deleted === undefined) return;
      const due = Date.parse(deleted) + DELETION_GRACE;
      if (clock.now() < due) {
        later(due);
        return;
      }
      for (const resource of inside) {
        for (const object of store.list(resource, name)) {
          if (object.metadata.deletionTimestamp !== undefined) continue;
          try {
            client.delete(resource, name, object.metadata.name ?? '');
          } catch (error) {
            if (!refusedWith(error, 404, 405)) throw error;
          }
        }
      }
      if (inside.some((resource) => store.list(resource, name).length > 0)) return;
      const namespace = store.get(NAMESPACES, undefined, name);
      const spec = namespace?.spec as { readonly finalizers?: readonly string[] } | undefined;
      if (namespace === undefined || !spec?.finalizers?.includes('kubernetes')) return;
      const finalizers = spec.finalizers.filter((finalizer) => finalizer !== 'kubernetes');
      client.update(NAMESPACES, { ...namespace, spec: { ...spec, finalizers } }, { subresource: 'finalize' });
    },
  });
}
