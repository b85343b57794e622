/** Sentences about who may read cluster-info without credentials, and what gave it to them. */

import { CLUSTER_INFO_NAME } from '../../src/checks/cluster-info.js';
import { boundOnlyTo } from '../../src/checks/privileges.js';
import { bindingRefers, bindsStrangers, roleExactly } from '../../src/checks/rbac.js';
import type { Named } from '../../src/checks/rbac-policy.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { knownExtras } from '../../src/run/known-extras.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { permissionsOf } from '../common/permission-tables.js';
import { readPolicy } from '../common/policy.js';
import { clusterInfo } from './signatures.js';

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

const PUBLIC_ROLE = 'kubeadm:bootstrap-signer-clusterinfo';
const ROLE: Named = { kind: 'Role', name: PUBLIC_ROLE, namespace: KUBE_PUBLIC };
const BINDING: Named = { kind: 'RoleBinding', name: PUBLIC_ROLE, namespace: KUBE_PUBLIC };
const OF_KUBEADM = { needs: ['objects', 'kubeadm'] } as const;

Then('the Role that opens cluster-info grants exactly:', OF_KUBEADM, async function (this: World, table: DataTable) {
  this.check(roleExactly, await readPolicy(this), { role: ROLE, permissions: permissionsOf(this, table) });
});

Then('the RoleBinding that opens cluster-info refers to that Role', OF_KUBEADM, async function (this: World) {
  this.check(bindingRefers, await readPolicy(this), { binding: BINDING, role: `Role ${PUBLIC_ROLE}` });
});

Then('it binds strangers, as a user or as a group, and nobody else', OF_KUBEADM, async function (this: World) {
  this.check(bindsStrangers, await readPolicy(this), { binding: BINDING });
});

Then('strangers are in no ClusterRoleBinding but those to:', async function (this: World, table: DataTable) {
  const roles = table.raw().map(([role = '']) => `ClusterRole ${role}`);
  const extras = await knownExtras();
  this.check(boundOnlyTo, await readPolicy(this), { sort: 'strangers', roles, extras, clusterWide: true });
});
