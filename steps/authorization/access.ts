/** Sentences about access: put to the API server as a review, or as the real request sent as a dry run. */

import {
  accessAllowed,
  accessDenied,
  doesSomething,
  holdsSomething,
  requestAllowed,
  requestForbidden,
  type Tried,
} from '../../src/checks/authorization/access.js';
import {
  type Access,
  type Asked,
  access,
  accessText,
  questionOf,
  reviewOf,
} from '../../src/checks/authorization/access-questions.js';
import { listedWithin, readListed } from '../../src/checks/authorization/listed-rights.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import {
  accountGroups,
  accountUser,
  CLUSTER_INFO,
  GROUP_AUTHENTICATED,
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  NODE_USER_PREFIX,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { bootstrapHolders, JOINING } from '../common/bootstrap-groups.js';
import { forEach } from '../common/each.js';
import { ownAccessReview } from '../common/login.js';
import { accessesOf, documentedOf, nameHere } from '../common/permission-tables.js';
import { extrasOf } from '../common/policy.js';
import { grantReading } from '../common/reading.js';
import { clientOf, sharedJoiningToken, TOKEN } from '../common/tokens.js';
import { attempts, rulesReview } from './attempts.js';

const REVIEWS = { needs: ['reviews'] } as const;
const OF_KUBEADM = { needs: ['reviews', 'kubeadm'] } as const;

interface Reviewed extends Asked {
  /** "a bootstrap token in system:bootstrappers:worker" */
  readonly who: string;
}

const joining: Reviewed = { who: 'a joining token', ...JOINING };
const node: Reviewed = {
  who: 'a node',
  user: `${NODE_USER_PREFIX}jp-node`,
  groups: [GROUP_NODES, GROUP_AUTHENTICATED],
};
const stranger: Reviewed = { who: 'a stranger', user: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] };

/** A controller of kube-controller-manager, which acts as the ServiceAccount of its name. */
const controller = (name: string): Reviewed => ({
  who: `the controller ${name}`,
  user: accountUser({ namespace: KUBE_SYSTEM, name }),
  groups: [...accountGroups({ namespace: KUBE_SYSTEM }), GROUP_AUTHENTICATED],
});

/** What the API server says of each. */
const reviews = (world: World, holder: Reviewed, wanted: readonly Access[]): Promise<Answered[]> =>
  forEach(world, wanted, async (item) => ({
    subject: `${accessText(item)}, as ${holder.who}`,
    answer: seenIn(await world.ability('reviews').review(reviewOf(item, holder))),
  }));

/** What RBAC's defaults give to everybody who has logged in, and kubeadm to joining machines. */
const HARMLESS = [
  access('create', 'certificatesigningrequests.certificates.k8s.io'),
  access('create', 'selfsubjectaccessreviews.authorization.k8s.io'),
  access('get', '/api'),
  access('get', '/version'),
];
/** What the Node authorizer gives to nodes. */
const OF_NODES = [
  access('create', 'nodes'),
  access('patch', 'nodes/status', '', 'jp-node'),
  access('update', 'leases.coordination.k8s.io', 'kube-node-lease', 'jp-node'),
];
/** What RBAC's defaults and kubeadm give to strangers. */
const PUBLIC = [
  access('get', 'configmaps', KUBE_PUBLIC, CLUSTER_INFO),
  access('get', '/version'),
  access('get', '/livez'),
];

/** Grants that what is refused to these holders is refused to them, and not everything. */
async function grantHolding(
  world: World,
  holders: readonly Reviewed[],
  harmless: readonly Access[] = HARMLESS,
): Promise<void> {
  const tried = await forEach(world, holders, (holder) =>
    world.shared(
      `what ${holder.user} in ${holder.groups.join()} may at least do in ${world.target.name}`,
      async (): Promise<Tried> => ({ subject: holder.who, answers: await reviews(world, holder, harmless) }),
    ),
  );
  world.grant(holdsSomething, tried);
}

/**
 * How the requests of a rule are put to the API server: as reviews of holders, or as the requests of a token's
 * bearer.
 */
type Way = { readonly kind: 'reviews'; readonly holders: readonly Reviewed[] } | { readonly kind: 'requests' };
const WAY = slot<Way>('a way to ask the API server');

Given('every bootstrap group of the cluster, in reviews', REVIEWS, async function (this: World) {
  const found = await this.shared(`bootstrap groups of ${this.target.name}`, () => bootstrapHolders(this));
  const holders = found.map((holder) => ({
    ...holder,
    who: `a bootstrap token in ${holder.groups.slice(1, -1).join(', ')}`,
  }));
  this.put(WAY, { kind: 'reviews', holders });
  await grantReading(this);
  await grantHolding(this, holders);
});

/** A token that may join, whose bearer does something harmless first. */
async function grantDoing(world: World): Promise<void> {
  const { id, label } = world.get(TOKEN);
  const client = clientOf(world, world.get(TOKEN));
  const tried = await world.shared(
    `what the bearer of ${id} may at least do`,
    async (): Promise<Tried> => ({
      subject: label,
      answers: await attempts(world, client, [
        {
          subject: 'create selfsubjectaccessreviews',
          question: ownAccessReview({ verb: 'get', resource: 'nodes' }),
        },
        { subject: 'get /api', question: { path: '/api' } },
        { subject: 'get configmaps kubelet-config', question: kubeletConfig(world) },
      ]),
    }),
  );
  world.grant(doesSomething, [tried]);
}

const kubeletConfig = (world: World) => ({
  path: pathOf(resources.configMaps, { namespace: KUBE_SYSTEM, name: nameHere(world, 'kubelet-config') }),
});

Given(
  'a bootstrap token that may join, in real requests',
  { needs: ['writes', 'requests'] },
  async function (this: World) {
    this.put(TOKEN, await sharedJoiningToken(this));
    this.put(WAY, { kind: 'requests' });
    await grantReading(this);
    await grantDoing(this);
  },
);

Then('none of these is allowed:', async function (this: World, table: DataTable) {
  const wanted = accessesOf(this, table);
  const way = this.get(WAY);
  if (way.kind === 'requests') return void this.check(requestForbidden, await inEarnest(this, wanted));
  const answers = await forEach(this, way.holders, (holder) => reviews(this, holder, wanted));
  this.check(accessDenied, answers.flat());
});

const inEarnest = (world: World, wanted: readonly Access[]) =>
  attempts(
    world,
    clientOf(world, world.get(TOKEN)),
    wanted.map((item) => ({
      subject: `${accessText(item)}, as a joining token`,
      question: questionOf(item),
    })),
  );

Then('its bearer is forbidden to read its own Secret', async function (this: World) {
  const own = access('get', 'secrets', KUBE_SYSTEM, `bootstrap-token-${this.get(TOKEN).id}`);
  this.check(requestForbidden, await inEarnest(this, [own]));
});

Then('joining tokens are allowed to:', OF_KUBEADM, async function (this: World, table: DataTable) {
  this.check(accessAllowed, await reviews(this, joining, accessesOf(this, table)));
});

Then('nodes are allowed to:', REVIEWS, async function (this: World, table: DataTable) {
  this.check(accessAllowed, await reviews(this, node, accessesOf(this, table)));
});

Then('nodes that joined with kubeadm are allowed to:', OF_KUBEADM, async function (this: World, table: DataTable) {
  this.check(accessAllowed, await reviews(this, node, accessesOf(this, table)));
});

Then(
  'the controller {string} is allowed to:',
  OF_KUBEADM,
  async function (this: World, name: string, table: DataTable) {
    this.check(accessAllowed, await reviews(this, controller(name), accessesOf(this, table)));
  },
);

Then('nodes are not allowed to:', REVIEWS, async function (this: World, table: DataTable) {
  await grantHolding(this, [node], OF_NODES);
  this.check(accessDenied, await reviews(this, node, accessesOf(this, table)));
});

Given('nodes are allowed something', REVIEWS, async function (this: World) {
  await grantHolding(this, [node], OF_NODES);
});

Then('strangers are not allowed to:', REVIEWS, async function (this: World, table: DataTable) {
  await grantHolding(this, [stranger], PUBLIC);
  this.check(accessDenied, await reviews(this, stranger, accessesOf(this, table)));
});

Then('a user whom nobody knows is not allowed to:', REVIEWS, async function (this: World, table: DataTable) {
  const nobody = {
    who: 'a user whom nobody knows',
    user: `jp-${this.random(12)}`,
    groups: [GROUP_AUTHENTICATED],
  };
  await grantHolding(this, [nobody]);
  this.check(accessDenied, await reviews(this, nobody, accessesOf(this, table)));
});

Then(
  'the user {string} in the group {string} is not allowed to:',
  REVIEWS,
  async function (this: World, user: string, group: string, table: DataTable) {
    const holder = {
      who: `the user ${user} in the group ${group}`,
      user,
      groups: [group, GROUP_AUTHENTICATED],
    };
    await grantHolding(this, [holder]);
    this.check(accessDenied, await reviews(this, holder, accessesOf(this, table)));
  },
);

const SYSTEM_NAMESPACES = [KUBE_SYSTEM, KUBE_PUBLIC, 'default', 'kube-node-lease'];

Then('the API server lists no permissions of its bearer but:', async function (this: World, table: DataTable) {
  const client = clientOf(this, this.get(TOKEN));
  const listed = await forEach(this, SYSTEM_NAMESPACES, async (namespace) =>
    readListed(
      { subject: `the rights of a joining token in ${namespace}`, namespace },
      await client.ask(rulesReview(namespace)),
    ),
  );
  this.check(listedWithin, listed, {
    documented: documentedOf(this, table).map(({ permission }) => permission),
    extras: extrasOf(this),
    groups: JOINING.groups.map((group) => `Group ${group}`),
  });
});

Then(
  'its bearer is told that there is no Node of a name that none has',
  { needs: ['kubeadm'] },
  async function (this: World) {
    const question = { path: pathOf(resources.nodes, { name: `jp-${this.random(12)}` }) };
    const subject = 'get nodes of a new name, as a joining token';
    const answers = await attempts(this, clientOf(this, this.get(TOKEN)), [{ subject, question }]);
    this.check(requestAllowed, answers, { statuses: [404] });
  },
);

Then(
  'its bearer reads the ConfigMap {string} in {string}',
  { needs: ['kubeadm'] },
  async function (this: World, name: string, namespace: string) {
    const here = nameHere(this, name);
    const subject = `ConfigMap ${namespace}/${here}, as a joining token`;
    const question = { path: pathOf(resources.configMaps, { namespace, name: here }) };
    const answers = await attempts(this, clientOf(this, this.get(TOKEN)), [{ subject, question }]);
    this.check(requestAllowed, answers, { statuses: [200] });
  },
);
