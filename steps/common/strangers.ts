/**
 * Strangers: those who show no credential. What they try is harmless where it succeeds: it reads, or is a dry run. Dry
 * runs are writes to whoever keeps a log of them, so they wait for the permission to write.
 */

import {
  administratorLetThrough,
  nobodyMay,
  type StrangerAnswer,
  strangersAreOff,
  strangersLetIn,
  strangersRefused,
} from '../../src/checks/cluster-info/strangers.js';
import { messageOf } from '../../src/checks/common/answers.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM, TOKEN_SECRET_PREFIX } from '../../src/kubernetes/names.js';
import { pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Identity, Question } from '../../src/targets/types.js';
import { forEach } from './each.js';
import { tokensOfKubeSystem } from './token-secrets.js';
import { DRY, triedPatch } from './trials.js';

/** Sentences that ask without credentials need a server that hears such requests as such. */
export const STRANGERS = { needs: ['requests', 'anonymous'] } as const;

/** What is to be read: one object, or all of a kind in a namespace or ('') everywhere. */
const path = (resource: Resource, namespace = '', name = ''): Question => ({
  path: pathOf(resource, { ...(namespace === '' ? {} : { namespace }), ...(name === '' ? {} : { name }) }),
});
const PUBLIC_MAPS = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC });
const PUBLIC_MAP = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO });
const REQUESTS = pathOf(resources.certificateSigningRequests);
const ABSENT = 'jp-absent';

const map = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: KUBE_PUBLIC },
  data: { kubeconfig: 'kind: Config\n' },
});

/** What is a stranger's by default; cluster-info comes first. */
const THEIRS: Readonly<Record<string, Question>> = {
  'read cluster-info': { path: PUBLIC_MAP },
  'GET /version': { path: '/version' },
  'GET /livez': { path: '/livez' },
};

/** What must be nobody's who is not known: looking. */
const LOOKS: Readonly<Record<string, Question>> = {
  'list the ConfigMaps of kube-public': { path: PUBLIC_MAPS },
  'list them by the name cluster-info': {
    path: PUBLIC_MAPS,
    query: { fieldSelector: `metadata.name=${CLUSTER_INFO}` },
  },
  'watch the ConfigMaps of kube-public': { path: PUBLIC_MAPS, query: { watch: '1', timeoutSeconds: '1' } },
  'read another ConfigMap of kube-public': path(resources.configMaps, KUBE_PUBLIC, 'another'),
  'read the ConfigMap kubeadm-config': path(resources.configMaps, KUBE_SYSTEM, 'kubeadm-config'),
  'read the ConfigMap kube-root-ca.crt': path(resources.configMaps, KUBE_PUBLIC, 'kube-root-ca.crt'),
  'read the Secret kubeadm-certs': path(resources.secrets, KUBE_SYSTEM, 'kubeadm-certs'),
  'list the Secrets of kube-system': path(resources.secrets, KUBE_SYSTEM),
  'list all Secrets': path(resources.secrets),
  'list the ConfigMaps of kube-system': path(resources.configMaps, KUBE_SYSTEM),
  'list all ConfigMaps': path(resources.configMaps),
  'read a Node': path(resources.nodes, '', 'jp-node'),
  'list the Nodes': path(resources.nodes),
  'read the log of a Pod': { path: `${pathOf(resources.pods, { namespace: KUBE_SYSTEM, name: 'jp-pod' })}/log` },
  'list the Pods': path(resources.pods),
  'watch all Pods': { path: pathOf(resources.pods), query: { watch: '1', timeoutSeconds: '1' } },
  'list the ServiceAccounts': path(resources.serviceAccounts),
  'list the ClusterRoleBindings': path(resources.clusterRoleBindings),
  'list the namespaces': path(resources.namespaces),
  'list the certificate requests': { path: REQUESTS, query: { limit: '1' } },
  'watch the certificate requests': { path: REQUESTS, query: { watch: '1', timeoutSeconds: '1' } },
  'read a certificate request': { path: `${REQUESTS}/${ABSENT}` },
};

/** The same, of an object that a cluster may lack. */
const FOUND: Readonly<Record<string, (world: World) => Promise<Question>>> = {
  'read the Secret of a bootstrap token': async (world) => {
    const [token] = await tokensOfKubeSystem(world);
    return path(resources.secrets, KUBE_SYSTEM, token?.metadata.name ?? `${TOKEN_SECRET_PREFIX}abcdef`);
  },
};

/** The same: changing. */
export const CHANGES: Readonly<Record<string, Question>> = {
  'create a ConfigMap in kube-public': { method: 'POST', path: PUBLIC_MAPS, query: DRY, body: map('jp-stranger') },
  'replace cluster-info': { method: 'PUT', path: PUBLIC_MAP, query: DRY, body: map(CLUSTER_INFO) },
  'patch cluster-info': triedPatch(PUBLIC_MAP, 'merge', { metadata: { labels: { 'joinproof.io/stranger': 'true' } } }),
  'delete cluster-info': { method: 'DELETE', path: PUBLIC_MAP, query: DRY },
  'delete every ConfigMap of kube-public': { method: 'DELETE', path: PUBLIC_MAPS, query: DRY },
  'ask for a certificate': { method: 'POST', path: REQUESTS, query: DRY, body: {} },
  'change a certificate request': triedPatch(`${REQUESTS}/${ABSENT}`, 'merge', {}),
  'approve a certificate request': { method: 'PUT', path: `${REQUESTS}/${ABSENT}/approval`, query: DRY, body: {} },
  'issue a certificate': { method: 'PUT', path: `${REQUESTS}/${ABSENT}/status`, query: DRY, body: {} },
  'delete a certificate request': { method: 'DELETE', path: `${REQUESTS}/${ABSENT}`, query: DRY },
};

const tried = async (
  world: World,
  [what, question]: readonly [string, Question],
  who: Identity = { kind: 'anonymous' },
): Promise<StrangerAnswer> => {
  const { status, body } = await world.as(who).ask(question);
  return { tried: what, status, message: messageOf(body) };
};

const attemptsIn = (
  world: World,
  table: DataTable,
  known: Readonly<Record<string, Question>>,
): readonly (readonly [string, Question])[] =>
  table.raw().map(([what = '']) => [what, known[what] ?? world.unknown(`the steps know no attempt "${what}"`)]);

/**
 * That strangers are refused says nothing where they are let in nowhere. A server that hears nobody without credentials
 * (401) is left out: whether it should is judged elsewhere.
 */
Given('strangers are let in by the API server', STRANGERS, async function (this: World) {
  const answers = await this.shared(`what strangers get of ${this.target.name}`, () =>
    forEach(this, Object.entries(THEIRS), (attempt) => tried(this, attempt)),
  );
  const off = strangersAreOff(answers);
  if (off !== undefined) this.skip('fact', off);
  this.grant(strangersLetIn, answers);
});

const looksIn = (world: World, table: DataTable): Promise<readonly (readonly [string, Question])[]> =>
  Promise.all(
    table.raw().map(async ([what = '']): Promise<readonly [string, Question]> => {
      const question = LOOKS[what] ?? (await FOUND[what]?.(world));
      return [what, question ?? world.unknown(`the steps know no attempt "${what}"`)];
    }),
  );

const refusedTo = async (world: World, attempts: readonly (readonly [string, Question])[]): Promise<boolean> =>
  world.check(strangersRefused, await forEach(world, attempts, (attempt) => tried(world, attempt)));

Then('a stranger is refused to:', STRANGERS, async function (this: World, table: DataTable) {
  await refusedTo(this, await looksIn(this, table));
});

Then(
  'a stranger is refused who tries to:',
  { needs: [...STRANGERS.needs, 'writes'] },
  async function (this: World, table: DataTable) {
    await refusedTo(this, attemptsIn(this, table, CHANGES));
  },
);

/**
 * The twin of what strangers may not change: where nobody may, their refusal says nothing. It comes after what is
 * demanded, so that a stranger who may change something is told in any case.
 */
Then(
  'an administrator is let through who tries to:',
  { needs: ['writes'] },
  async function (this: World, table: DataTable) {
    const attempts = attemptsIn(this, table, CHANGES);
    const answers = await forEach(this, attempts, (attempt) => tried(this, attempt, { kind: 'admin' }));
    const nobody = nobodyMay(answers);
    if (nobody !== undefined) this.skip('ability', nobody);
    this.grant(administratorLetThrough, answers);
  },
);
