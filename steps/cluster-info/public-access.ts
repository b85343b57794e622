/** Sentences about who may read cluster-info without credentials, and what gave it to them. */

import { boundOnlyTo } from '../../src/checks/authorization/privileges.js';
import { bindingRefers, bindsStrangers, roleExactly } from '../../src/checks/authorization/rbac.js';
import type { Named } from '../../src/checks/authorization/rbac-policy.js';
import { textDigest } from '../../src/checks/cluster-info/cluster-info-reader.js';
import { isSignedAlike } from '../../src/checks/cluster-info/jws-reader.js';
import { type StrangerReading, strangerGivenKubeconfig } from '../../src/checks/cluster-info/strangers.js';
import { CLUSTER_INFO, KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { permissionsOf } from '../common/permission-tables.js';
import { extrasOf, readPolicy } from '../common/policy.js';
import { settled } from '../common/soon.js';
import { STRANGERS } from '../common/strangers.js';
import { clusterInfo } from './signatures.js';

const READING = slot<StrangerReading>('what a stranger was answered');

/** What a stranger is given, held against what the run's own credential reads. */
async function readAsStranger(world: World): Promise<StrangerReading> {
  const path = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO });
  const answer = await world.as({ kind: 'anonymous' }).ask({ path });
  const given = (answer.body ?? {}) as ConfigMap;
  const own = await clusterInfo(world);
  const [there, mine] = [textDigest(given), textDigest(own)];
  return {
    status: answer.status,
    kubeconfig: there === null ? 'none' : there === mine ? 'the same' : 'another',
    signed: isSignedAlike(given, own),
  };
}

/** Somebody may be writing it between the two readings. */
When('a stranger reads cluster-info', STRANGERS, async function (this: World) {
  const judged = { check: strangerGivenKubeconfig, parameters: undefined };
  this.put(READING, await settled(this, judged, await readAsStranger(this), () => readAsStranger(this)));
});

Then('the stranger gets the kubeconfig', function (this: World) {
  this.check(strangerGivenKubeconfig, this.get(READING));
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
  const policy = await readPolicy(this);
  this.check(boundOnlyTo, policy, { sort: 'strangers', roles, extras: extrasOf(this), clusterWide: true });
});
