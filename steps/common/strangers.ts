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
} from '../../src/checks/strangers.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Identity, Question } from '../../src/targets/types.js';
import { forEach } from './each.js';

/** Sentences that ask without credentials need a server that hears such requests as such. */
export const STRANGERS = { needs: ['requests', 'anonymous'] } as const;

const PUBLIC_MAPS = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC });
const PUBLIC_MAP = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO });
const REQUESTS = pathOf(resources.certificateSigningRequests);

const dry = { dryRun: 'All' };
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
  'read another ConfigMap of kube-public': {
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: 'another' }),
  },
  'read the ConfigMap kubeadm-config': {
    path: pathOf(resources.configMaps, { namespace: KUBE_SYSTEM, name: 'kubeadm-config' }),
  },
  'read the Secret kubeadm-certs': {
    path: pathOf(resources.secrets, { namespace: KUBE_SYSTEM, name: 'kubeadm-certs' }),
  },
  'list all Secrets': { path: pathOf(resources.secrets) },
  'list all ConfigMaps': { path: pathOf(resources.configMaps) },
  'list the Nodes': { path: pathOf(resources.nodes) },
  'list the Pods': { path: pathOf(resources.pods) },
  'list the certificate requests': { path: REQUESTS, query: { limit: '1' } },
};

/** The same: changing. */
const CHANGES: Readonly<Record<string, Question>> = {
  'create a ConfigMap in kube-public': { method: 'POST', path: PUBLIC_MAPS, query: dry, body: map('jp-stranger') },
  'replace cluster-info': { method: 'PUT', path: PUBLIC_MAP, query: dry, body: map(CLUSTER_INFO) },
  'patch cluster-info': {
    method: 'PATCH',
    path: PUBLIC_MAP,
    query: dry,
    body: { metadata: { labels: { 'joinproof.io/stranger': 'true' } } },
    contentType: 'application/merge-patch+json',
  },
  'delete cluster-info': { method: 'DELETE', path: PUBLIC_MAP, query: dry },
  'delete every ConfigMap of kube-public': { method: 'DELETE', path: PUBLIC_MAPS, query: dry },
  'ask for a certificate': { method: 'POST', path: REQUESTS, query: dry, body: {} },
};

const tried = async (
  world: World,
  [what, question]: readonly [string, Question],
  who: Identity = { kind: 'anonymous' },
): Promise<StrangerAnswer> => {
  const { status } = await world.as(who).ask(question);
  return { tried: what, status };
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

const refusedTo = async (world: World, attempts: readonly (readonly [string, Question])[]): Promise<boolean> =>
  world.check(strangersRefused, await forEach(world, attempts, (attempt) => tried(world, attempt)));

Then('a stranger is refused to:', STRANGERS, async function (this: World, table: DataTable) {
  await refusedTo(this, attemptsIn(this, table, LOOKS));
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
