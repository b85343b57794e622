/** Nothing is made in a namespace that is not there or is ending, and three namespaces stay. Source: apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go. */
import { KUBE_PUBLIC, KUBE_SYSTEM } from '../../kubernetes/names.js';
import { forbidden, notFound } from '../api/errors.js';
import { type AdmissionPlugin, ApiError, type Store } from '../types.js';

const NAMESPACES = { group: '', resource: 'namespaces' };
const IMMORTAL: readonly string[] = ['default', KUBE_SYSTEM, KUBE_PUBLIC];

export const namespaceLifecycle = (store: Store): AdmissionPlugin => ({
  name: 'NamespaceLifecycle',
  mutate({ operation, group, resource, subresource, namespace, name }) {
    const isNamespace = group === '' && resource === 'namespaces';
    if (isNamespace) {
      if (operation === 'DELETE' && subresource === '' && IMMORTAL.includes(name)) throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
      return undefined;
    }
    // A review asks about a namespace and makes nothing in it.
    if (namespace === '' || operation === 'CONNECT' || (group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews')) return undefined;
    const found = store.get(NAMESPACES, undefined, namespace);
    if (found === undefined) throw notFound(NAMESPACES, namespace);
    const { phase } = (found.status ?? {}) as { readonly phase?: string };
    if (operation !== 'CREATE' || phase !== 'Terminating') return undefined;
    const refusal = forbidden({ group, resource }, name, `unable to create new content in namespace ${namespace} because it is being terminated`);
    const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
    throw new ApiError(refusal.code, refusal.reason, refusal.message, { ...refusal.details, causes: [cause] }, refusal.headers);
  },
});
