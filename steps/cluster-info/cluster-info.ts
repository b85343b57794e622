/** Sentences about what cluster-info publishes, and to whom. */

import {
  type Address,
  authorityOf,
  CLUSTER_INFO_NAME,
  clusterEntries,
  judgeAddress,
  judgeAuthority,
  judgeClusterEntry,
  judgeClusterOnly,
  judgeKeys,
  judgeKubeconfig,
  judgeNoCredentials,
  judgeNotInsecure,
  namesHost,
  publishedBy,
} from '../../src/checks/cluster-info.js';
import { judgeBinding, judgeBindingsOf, judgeRole } from '../../src/checks/rbac.js';
import {
  CLUSTER_INFO,
  GROUP_UNAUTHENTICATED,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import type { Binding, ConfigMap, Role } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { Verdict } from '../../src/model/evidence.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { knownExtras } from '../../src/run/known-extras.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { permissionsOf } from '../common/permission-tables.js';
import { forEach, named } from '../common/tokens.js';
import { clusterInfo } from './signatures.js';

type Fields = Parameters<typeof judgeClusterOnly>[0];

Then('kube-public holds the ConfigMap {string}', async function (this: World, name: string) {
  const found = await this.objects.get(resources.configMaps, name, KUBE_PUBLIC);
  const there = found !== undefined && named(this, found, name) === found;
  this.expect({
    object: `ConfigMap ${KUBE_PUBLIC}/${name}`,
    demanded: 'exists',
    seen: there ? 'it does' : 'it does not',
    ok: there,
  });
});

Given('the ConfigMap cluster-info', async function (this: World) {
  this.keep('cluster-info', await clusterInfo(this));
});

const read = (world: World): ConfigMap => world.kept<ConfigMap>('cluster-info');

Then('it publishes a kubeconfig', function (this: World) {
  this.judge(judgeKubeconfig(publishedBy(read(this))));
});

/** What the sentences below are about; unreadable text is judged by the sentence above. */
function kubeconfig(world: World): Fields {
  const published = publishedBy(read(world));
  return 'kubeconfig' in published
    ? published.kubeconfig
    : world.skip('nothing', `cluster-info publishes no kubeconfig: ${published.unreadable}`);
}

const SENTENCES: Readonly<Record<string, (kubeconfig: Fields) => Verdict>> = {
  'its kubeconfig has clusters, and neither users nor contexts': judgeClusterOnly,
  'its kubeconfig holds no credential': judgeNoCredentials,
  'its kubeconfig has a cluster': judgeClusterEntry,
  'its cluster carries the certificate of the cluster CA': judgeAuthority,
  'its cluster does not switch off the verification of TLS': judgeNotInsecure,
};
for (const [sentence, judge] of Object.entries(SENTENCES)) {
  Then(sentence, function (this: World) {
    this.judge(judge(kubeconfig(this)));
  });
}

Then('it holds a kubeconfig and signatures, and nothing else', function (this: World) {
  this.judge(judgeKeys(read(this)));
});

/** The entry that joining machines use: the one without a name, else the first. */
function entryOf(world: World): ReturnType<typeof clusterEntries>[number] {
  const entries = clusterEntries(kubeconfig(world));
  return (
    entries.find(({ name }) => name === '') ?? entries[0] ?? world.skip('nothing', 'cluster-info publishes no cluster')
  );
}

Then('who trusts only its CA can speak to the API server', async function (this: World) {
  const pem = authorityOf(entryOf(this));
  if (pem === undefined) return this.skip('nothing', 'cluster-info publishes no CA');
  const answer = await this.ability('tls').trusts(pem);
  this.expect({
    object: CLUSTER_INFO_NAME,
    demanded: 'publishes the CA of the API server',
    seen: answer.ok ? `a TLS handshake with ${this.target.facts.server} succeeds` : answer.reason,
    ok: answer.ok,
  });
});

Then('its server is an https address that other machines can reach', function (this: World) {
  const { evidence, address } = judgeAddress(entryOf(this), this.target.facts.server);
  this.expect(evidence);
  this.keep('address', address);
});

/** Whether a handshake that trusts only this CA succeeds there; undefined where nothing could be reached. */
async function reached(world: World, pem: string, url: string): Promise<{ readonly ok: boolean } | undefined> {
  try {
    return await world.ability('tls').trusts(pem, url);
  } catch {
    return undefined;
  }
}

Then("the API server's certificate names that host", async function (this: World) {
  const address = this.kept<Address>('address');
  const [leaf] = await this.ability('tls').presented();
  const object = `the certificate of ${this.target.facts.server}`;
  const demanded = `names ${address.host}`;
  if (leaf !== undefined && namesHost(leaf, address.host))
    return this.expect({ object, demanded, seen: 'it does', ok: true });
  // The address of the kubeconfig may be another door than joinproof's, with a certificate of its own.
  const pem = authorityOf(entryOf(this));
  const there = pem === undefined ? undefined : await reached(this, pem, address.url);
  if (there?.ok === true)
    return this.expect({ object: `the certificate of ${address.url}`, demanded, seen: 'it does', ok: true });
  // That door is no proxy's where the published CA vouches for it: then the API server has this certificate for everybody.
  const own = there === undefined && pem !== undefined ? await reached(this, pem, this.target.facts.server) : undefined;
  if (there === undefined && own?.ok !== true)
    return this.skip('nothing', `${address.url} cannot be reached from here, and ${object} does not name it`);
  this.expect({ object, demanded, seen: 'it does not', ok: false });
});

// Strangers.

When('a stranger reads cluster-info', async function (this: World) {
  this.keep(
    'answer',
    await this.as({ kind: 'anonymous' }).ask({
      path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO }),
    }),
  );
});

Then('the stranger gets the kubeconfig', function (this: World) {
  const { status, body } = this.kept<{ status: number; body: unknown }>('answer');
  const data = (body as ConfigMap | undefined)?.data;
  this.expect({
    object: `${CLUSTER_INFO_NAME}, read without credentials`,
    demanded: 'is given (200), with a kubeconfig',
    seen: `${status}${status === 401 ? ': anonymous requests are off' : status === 200 && data?.kubeconfig === undefined ? ', without a kubeconfig' : ''}`,
    ok: status === 200 && data?.kubeconfig !== undefined,
  });
});

Given('a stranger can read cluster-info', async function (this: World) {
  // That it is there is seen as administrator: a server that refuses everything refuses strangers as well, and proves nothing.
  await clusterInfo(this);
  const { status } = await this.as({ kind: 'anonymous' }).ask({
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO }),
  });
  // A cluster that lets no stranger in at all refuses the rest as well; whether it should is judged elsewhere.
  this.expect({
    object: `${CLUSTER_INFO_NAME}, read without credentials`,
    demanded: 'is answered',
    seen: String(status),
    ok: [200, 401, 403].includes(status),
  });
});

const dry = { dryRun: 'All' };
const MAP = { namespace: KUBE_PUBLIC, name: CLUSTER_INFO };
const body = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: KUBE_PUBLIC },
  data: { kubeconfig: 'kind: Config\n' },
});
const ATTEMPTS: Readonly<Record<string, Question>> = {
  'list the ConfigMaps of kube-public': { path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC }) },
  'list them by the name cluster-info': {
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC }),
    query: { fieldSelector: `metadata.name=${CLUSTER_INFO}` },
  },
  'watch the ConfigMaps of kube-public': {
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC }),
    query: { watch: '1', timeoutSeconds: '1' },
  },
  'create a ConfigMap in kube-public': {
    method: 'POST',
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC }),
    query: dry,
    body: body('jp-stranger'),
  },
  'replace cluster-info': {
    method: 'PUT',
    path: pathOf(resources.configMaps, MAP),
    query: dry,
    body: body(CLUSTER_INFO),
  },
  'patch cluster-info': {
    method: 'PATCH',
    path: pathOf(resources.configMaps, MAP),
    query: dry,
    body: { metadata: { labels: { 'joinproof.io/stranger': 'true' } } },
    contentType: 'application/merge-patch+json',
  },
  'delete cluster-info': { method: 'DELETE', path: pathOf(resources.configMaps, MAP), query: dry },
  'delete every ConfigMap of kube-public': {
    method: 'DELETE',
    path: pathOf(resources.configMaps, { namespace: KUBE_PUBLIC }),
    query: dry,
  },
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
};

Then('the stranger is refused to:', async function (this: World, table: DataTable) {
  const stranger = this.as({ kind: 'anonymous' });
  const attempts = table
    .raw()
    .map(([what = '']) => ({ what, question: ATTEMPTS[what] ?? this.unknown(`the steps know no attempt "${what}"`) }));
  const answers = await forEach(this, attempts, async ({ what, question }) => ({
    what,
    status: (await stranger.ask(question)).status,
  }));
  for (const { what, status } of answers)
    this.expect({
      object: `a stranger who tries to ${what}`,
      demanded: 'is refused (401 or 403)',
      seen: String(status),
      ok: status === 401 || status === 403,
    });
});

// Who gave it to them.

const PUBLIC_ROLE = 'kubeadm:bootstrap-signer-clusterinfo';

Then('the Role that opens cluster-info grants exactly:', async function (this: World, table: DataTable) {
  const role = await this.objects.get<Role>(resources.roles, PUBLIC_ROLE, KUBE_PUBLIC);
  this.judge(judgeRole(role, `Role ${KUBE_PUBLIC}/${PUBLIC_ROLE}`, permissionsOf(table)));
});

const publicBinding = (world: World): Promise<Binding | undefined> =>
  world.objects.get<Binding>(resources.roleBindings, PUBLIC_ROLE, KUBE_PUBLIC);

Then('the RoleBinding that opens cluster-info refers to that Role', async function (this: World) {
  this.judge(
    judgeBinding(await publicBinding(this), `RoleBinding ${KUBE_PUBLIC}/${PUBLIC_ROLE}`, {
      role: `Role ${PUBLIC_ROLE}`,
    }),
  );
});

Then('it binds strangers, as a user or as a group, and nobody else', async function (this: World) {
  const binding = await publicBinding(this);
  const subjects = (binding?.subjects ?? []).map(({ kind, name }) => `${kind} ${name}`);
  const [user, group] = [`User ${USER_ANONYMOUS}`, `Group ${GROUP_UNAUTHENTICATED}`];
  const ok = subjects.length > 0 && subjects.every((name) => name === user || name === group);
  const note = subjects.includes(group)
    ? 'kubeadm binds the user; the group of document 002 has the same effect'
    : undefined;
  this.expect({
    object: `RoleBinding ${KUBE_PUBLIC}/${PUBLIC_ROLE}`,
    demanded: `binds ${user}`,
    seen: binding === undefined ? 'it does not exist' : `it binds ${subjects.join(', ') || 'nobody'}`,
    ok,
    ...(note === undefined ? {} : { note }),
  });
});

Then('strangers are in no ClusterRoleBinding but those to:', async function (this: World, table: DataTable) {
  const roles = table.raw().map(([role = '']) => role);
  const [clusterRoles, clusterRoleBindings] = await Promise.all([
    this.objects.list<Role>(resources.clusterRoles),
    this.objects.list<Binding>(resources.clusterRoleBindings),
  ]);
  this.judge(
    judgeBindingsOf(
      { clusterRoles, clusterRoleBindings, roles: [], roleBindings: [] },
      ({ kind, name }) =>
        (kind === 'Group' && name === GROUP_UNAUTHENTICATED) || (kind === 'User' && name === USER_ANONYMOUS),
      ({ roleRef }) => roles.includes(roleRef.name),
      knownExtras(),
      'strangers are in no other ClusterRoleBinding',
    ),
  );
});
