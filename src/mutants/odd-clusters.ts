/** Sound clusters that are odd while they are judged: by other runs, and by what is switched off. */

import { record, records } from '../kubernetes/json.js';
import { DECOY_KUBECONFIG, EXPIRES_ANNOTATION, MADE_BY, NO_IMAGE, RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { bindCluster, group } from './arrange.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const marks = () => ({
  labels: { [RUN_LABEL]: 'other0run0' },
  annotations: { [EXPIRES_ANNOTATION]: new Date(Date.now() + 1_800_000).toISOString() },
});

/** What another run of joinproof has made, and has not removed yet. */
function leaveRun(reference: Reference): void {
  const { api } = reference;
  addToken(
    reference,
    { 'token-id': '0ther0', description: MADE_BY, 'auth-extra-groups': 'system:bootstrappers:jp-0ther0' },
    { name: 'bootstrap-token-0ther0', ...marks() },
  );
  // As scenarios make tokens that break the rules.
  addToken(
    reference,
    { 'token-id': '0ther1', description: MADE_BY, 'token-secret': 'short', expiration: undefined },
    { name: 'bootstrap-token-0ther1', ...marks() },
  );
  bindCluster(reference, 'jp-0ther2', 'system:node-bootstrapper', group('system:bootstrappers:jp-0ther0'));
  const bound = api.get(resources.clusterRoleBindings, undefined, 'jp-0ther2');
  if (bound !== undefined)
    api.update(resources.clusterRoleBindings, { ...bound, metadata: { ...bound.metadata, ...marks() } });
  api.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'jp-other3', namespace: 'kube-public', ...marks() },
    data: { kubeconfig: DECOY_KUBECONFIG },
  });
  api.create(resources.nodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'jp-0ther4', ...marks() },
    spec: {},
  });
  api.create(resources.pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'jp-0ther5', namespace: 'default', ...marks() },
    spec: { nodeName: 'jp-0ther4', containers: [{ name: 'a', image: NO_IMAGE }] },
  });
}

const failure = (code: number, reason: string, message: string) => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
});

/** Source: staging/src/k8s.io/pod-security-admission/policy, checks of level "restricted". */
const isRestricted = (container: Readonly<Record<string, unknown>>): boolean => {
  const { allowPrivilegeEscalation, capabilities, runAsNonRoot, seccompProfile } = record(container.securityContext);
  return (
    allowPrivilegeEscalation === false &&
    JSON.stringify(record(capabilities).drop) === '["ALL"]' &&
    runAsNonRoot === true &&
    record(seccompProfile).type === 'RuntimeDefault'
  );
};

export const mutants: readonly Mutant[] = [
  {
    name: 'harmless-other-run',
    defect: 'another run is under way, and its objects are there',
    killedBy: [],
    arrange: leaveRun,
  },
  {
    name: 'harmless-nobody-says-who',
    defect: 'bearers find no SelfSubjectReview, though the release has it: 404',
    killedBy: [],
    gateway: {
      before: ({ path, user }) =>
        path.endsWith('/selfsubjectreviews') && user.startsWith('system:bootstrap:')
          ? failure(404, 'NotFound', 'the server could not find the requested resource')
          : undefined,
    },
  },
  {
    name: 'harmless-restricted-pods',
    defect: 'Pods are let in that keep to the standard "restricted", and no others',
    killedBy: [],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        const { containers, initContainers } = record(record(body).spec);
        const isMade = method === 'POST' && status === 201 && path.endsWith('/pods');
        return isMade && ![...records(containers), ...records(initContainers)].every(isRestricted)
          ? failure(403, 'Forbidden', 'violates PodSecurity "restricted:latest"')
          : undefined;
      },
    },
  },
];
