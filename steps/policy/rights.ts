/** Sentences of the policy about rights, and about what others read. */
import { type JoinTold, joinsToldWell } from '../../src/checks/join-commands.js';
import { heldByKnown, nodeRolesNamed, noStaticToken, readNodeRoles } from '../../src/checks/rights-policy.js';
import {
  KUBE_SYSTEM,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { POLICY } from '../common/policy.js';
import { grantReading } from '../common/reading.js';
import { atRest, countAtRest } from '../common/searched.js';

const READS = { needs: ['objects'] } as const;
const GROUP = 'certificates.k8s.io';

const everywhere = (verb: string, resource: string, name = '*') =>
  ({ kind: 'resource', verb, group: GROUP, resource, namespace: '*', name }) as const;

const judged = (world: World, verb: string, resource: string, known: readonly string[], name?: string): void => {
  world.check(heldByKnown, world.get(POLICY), { permission: everywhere(verb, resource, name), known });
};

/** Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go certificate-controller. */
const CONTROLLER = 'ServiceAccount kube-system/certificate-controller';

Then('nobody is approved for serving by a right of his own', function (this: World) {
  judged(this, 'create', 'certificatesigningrequests/selfnodeserver', []);
});

Then('nobody approves for kubelets and clients but whom the policy names', function (this: World) {
  const known = [CONTROLLER, ...this.profile.parameters.approvers];
  for (const signer of [SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING, SIGNER_APISERVER_CLIENT])
    judged(this, 'approve', 'signers', known, signer);
});

Then('nobody gets his first certificate without a human but whom the policy names', function (this: World) {
  judged(this, 'create', 'certificatesigningrequests/nodeclient', this.profile.parameters.joiners);
});

Then('no binding is for the user of a token file', function (this: World) {
  this.check(noStaticToken, this.get(POLICY));
});

Then('aws-auth, where it is there, makes each node under a name of its own', async function (this: World) {
  await grantReading(this);
  const found = await this.objects.get<ConfigMap>(resources.configMaps, 'aws-auth', KUBE_SYSTEM);
  this.check(nodeRolesNamed, { roles: readNodeRoles(found) ?? null });
});

const CONFIG_MAPS = slot<{ readonly told: readonly JoinTold[]; readonly seen: number }>(
  'the ConfigMaps of the cluster',
);

Given('every ConfigMap of the cluster', READS, async function (this: World) {
  const told = (await atRest(this, 'configMaps')).flat();
  this.put(CONFIG_MAPS, { told, seen: await countAtRest(this, 'configMaps') });
});

Then('each way to join that one tells is safe', function (this: World) {
  this.check(joinsToldWell, this.get(CONFIG_MAPS));
});
