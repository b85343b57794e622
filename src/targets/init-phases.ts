/** kubeadm's init phases for a control plane whose folder has no kubeadm: the bundled library says what to write, and it is written over HTTP. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '../kubernetes/objects.js';
import { ADVERTISED, NODE_NAME } from './control-plane/flags.js';
import type { InitPhases } from './control-plane/start.js';
import { initObjects, NEWEST_MINOR, parseRelease } from './reference.js';
import type { Question } from './types.js';

/** Path of the collection that an object goes to; init writes few kinds. */
const PATHS: Readonly<Record<string, (namespace: string) => string>> = {
  ConfigMap: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  Secret: (namespace) => `/api/v1/namespaces/${namespace}/secrets`,
  ServiceAccount: (namespace) => `/api/v1/namespaces/${namespace}/serviceaccounts`,
  Service: (namespace) => `/api/v1/namespaces/${namespace}/services`,
  Role: (namespace) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`,
  RoleBinding: (namespace) => `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
  ClusterRole: () => '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: () => '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  Deployment: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
  DaemonSet: (namespace) => `/apis/apps/v1/namespaces/${namespace}/daemonsets`,
};

/** A release newer than the library knows is set up as the newest that it does. */
const releaseOf = (version: string): ReturnType<typeof parseRelease> => {
  const minor = Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? NEWEST_MINOR);
  return parseRelease(
    minor > NEWEST_MINOR ? `v1.${NEWEST_MINOR}.0` : `v${version.replace(/^v/, '').replace(/[-+].*$/, '')}`,
  );
};

/** Creates what is not there, replaces what is, as kubeadm's create-or-update does. Throws a sentence where the server takes neither. */
export const initPhases: InitPhases = async (target, { server, folder, version, switches, only }) => {
  const endpoint = server.replace('https://', '');
  const facts = {
    release: releaseOf(version),
    server,
    endpoint,
    caPem: await readFile(join(folder, 'pki', 'ca.crt'), 'utf8'),
    keyAlgorithm: 'RSA-2048' as const,
    nodeName: NODE_NAME,
    advertiseAddress: ADVERTISED,
    bindPort: Number(endpoint.slice(endpoint.lastIndexOf(':') + 1)),
  };
  for (const object of initObjects(facts, switches.tokens ?? [{}], Date.now(), randomBytes, only)) await write(object);

  async function write(object: KubeObject): Promise<void> {
    const collection = PATHS[object.kind ?? '']?.(object.metadata.namespace ?? '');
    if (collection === undefined) throw new Error(`init writes no ${object.kind ?? 'object without a kind'}.`);
    const send = (question: Question) => target.admin.ask({ ...question, body: object });
    const created = await send({ method: 'POST', path: collection });
    const answer =
      created.status === 409
        ? await send({ method: 'PUT', path: `${collection}/${encodeURIComponent(object.metadata.name ?? '')}` })
        : created;
    if (answer.status >= 300)
      throw new Error(
        `${object.kind ?? ''} ${object.metadata.name ?? ''} could not be written: the API server answered ${answer.status}.`,
      );
  }
};
