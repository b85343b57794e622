/** Sentences about access: put to the API server as a review, or as the real request sent as a dry run. */

import {
  type Access,
  access,
  judgeForbidden,
  judgeReview,
  questionOf,
  reviewed,
  reviewOf,
} from '../../src/checks/access.js';
import { tokensWithGroups } from '../../src/checks/token-groups.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  KUBE_SYSTEM,
  NODE_USER_PREFIX,
  SIGNER_APISERVER_CLIENT,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
  TOKEN_SECRET_TYPE,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import { clientOf, TOKEN } from '../common/tokens.js';

interface Holder {
  readonly user: string;
  readonly groups: readonly string[];
}

const accesses = (table: DataTable): Access[] =>
  table.hashes().map((row) => access(row.verb ?? '', row.what ?? '', row.where ?? '', row.name ?? ''));

/** Puts every access to the API server as a review of that holder; an answer that is none ends the scenario as error. */
async function review(
  world: World,
  holder: Holder,
  wanted: readonly Access[],
  demand: 'allowed' | 'denied',
  who: string,
): Promise<void> {
  for (const item of wanted) {
    const answer = await world.admin.ask({
      method: 'POST',
      path: pathOf(resources.subjectAccessReviews),
      body: reviewOf(item, holder),
    });
    const opinion = reviewed(answer);
    if ('unclear' in opinion) return world.unknown(opinion.unclear);
    world.expect(judgeReview(item, who, opinion.allowed, demand, opinion.reason));
  }
}

/** Sends every access as that client; each has to be forbidden. */
export async function forbidden(world: World, client: Asker, wanted: readonly Access[], who: string): Promise<void> {
  for (const item of wanted) {
    const judged = judgeForbidden(item, who, await client.ask(questionOf(item)));
    if ('unclear' in judged) return world.unknown(judged.unclear);
    world.expect(judged);
  }
}

/** Every set of groups that a bearer of a token of this cluster can have; kubeadm's default among them. */
async function bootstrapHolders(world: World): Promise<Holder[]> {
  const secrets = await world.objects.list<Secret>(resources.secrets, {
    namespace: KUBE_SYSTEM,
    fieldSelector: `type=${TOKEN_SECRET_TYPE}`,
  });
  const sets = new Set([
    GROUP_DEFAULT_NODE_TOKEN,
    ...tokensWithGroups(secrets).map((token) => [...token.groups].sort().join(',')),
  ]);
  return [...sets].sort().map((groups) => ({
    user: `${BOOTSTRAP_USER_PREFIX}abcdef`,
    groups: [GROUP_BOOTSTRAPPERS, ...groups.split(','), GROUP_AUTHENTICATED],
  }));
}

async function noTokenMay(world: World, wanted: readonly Access[]): Promise<void> {
  for (const holder of await bootstrapHolders(world))
    await review(world, holder, wanted, 'denied', `a bootstrap token in ${holder.groups.slice(1, -1).join(', ')}`);
}

const joining: Holder = {
  user: `${BOOTSTRAP_USER_PREFIX}abcdef`,
  groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED],
};
const node: Holder = { user: `${NODE_USER_PREFIX}jp-node`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] };

Given('these requests:', function (this: World, table: DataTable) {
  this.keep('requests', accesses(table));
});

Then('no bootstrap token of the cluster is allowed any of them', async function (this: World) {
  await noTokenMay(this, this.kept<Access[]>('requests'));
});

/** The last is how a role names them all; the admission plug-ins ask for it too. Source: plugin/pkg/admission/certificates/util.go IsAuthorizedForSignerName. */
const KUBERNETES_SIGNERS = [SIGNER_APISERVER_CLIENT, SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING, 'kubernetes.io/*'];

Then(
  /^no bootstrap token of the cluster may (approve|sign) for the signers of Kubernetes$/,
  async function (this: World, verb: string) {
    await noTokenMay(
      this,
      KUBERNETES_SIGNERS.map((signer) => access(verb, 'signers.certificates.k8s.io', '', signer)),
    );
  },
);

Then('joining tokens are allowed to:', async function (this: World, table: DataTable) {
  await review(this, joining, accesses(table), 'allowed', 'a joining token');
});

Then('nodes are allowed to:', async function (this: World, table: DataTable) {
  await review(this, node, accesses(table), 'allowed', 'a node');
});

Then('strangers are not allowed to:', async function (this: World, table: DataTable) {
  await review(
    this,
    { user: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] },
    accesses(table),
    'denied',
    'a stranger',
  );
});

Then('a user whom nobody knows is not allowed to:', async function (this: World, table: DataTable) {
  await review(
    this,
    { user: `jp-${this.random(12)}`, groups: [GROUP_AUTHENTICATED] },
    accesses(table),
    'denied',
    'a user whom nobody knows',
  );
});

const bearer = (world: World): Asker => clientOf(world, world.get(TOKEN));

Then('its bearer is forbidden each of them', async function (this: World) {
  await forbidden(this, bearer(this), this.kept<Access[]>('requests'), 'a joining token');
});

Then('its bearer is forbidden to read its own Secret', async function (this: World) {
  await forbidden(
    this,
    bearer(this),
    [access('get', 'secrets', KUBE_SYSTEM, `bootstrap-token-${this.get(TOKEN).id}`)],
    'a joining token',
  );
});

When('its bearer asks for a Node that does not exist', async function (this: World) {
  this.keep('answer', await bearer(this).ask({ path: pathOf(resources.nodes, { name: `jp-${this.random(12)}` }) }));
});

Then('the answer is that there is none, and not that it is forbidden', function (this: World) {
  const { status } = this.kept<{ status: number }>('answer');
  this.expect({
    object: 'get nodes, as a joining token',
    demanded: '404: there is no such Node',
    seen: String(status),
    ok: status === 404,
  });
});

Then(
  'its bearer reads the ConfigMap {string} in {string}',
  async function (this: World, name: string, namespace: string) {
    const { status } = await bearer(this).ask({ path: pathOf(resources.configMaps, { namespace, name }) });
    this.expect({
      object: `ConfigMap ${namespace}/${name}, as a joining token`,
      demanded: 'is readable (200)',
      seen: String(status),
      ok: status === 200,
    });
  },
);

/** What the features call whom, as impersonation headers. Source: apiserver, pkg/endpoints/filters/impersonation. */
const CLAIMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the user system:admin': { 'Impersonate-User': 'system:admin' },
  'the user system:admin in the group system:masters': {
    'Impersonate-User': 'system:admin',
    'Impersonate-Group': 'system:masters',
  },
  'the service account kube-system/default': { 'Impersonate-User': 'system:serviceaccount:kube-system:default' },
  'the node jp-absent': { 'Impersonate-User': `${NODE_USER_PREFIX}jp-absent`, 'Impersonate-Group': GROUP_NODES },
  'nobody in the group system:masters': { 'Impersonate-Group': 'system:masters' },
};

Then('its bearer is refused when it claims to be {}', async function (this: World, who: string) {
  const headers = CLAIMS[who];
  if (headers === undefined) return this.unknown(`the steps know no claim "${who}"`);
  const { status } = await bearer(this).ask({ path: '/version', headers });
  // without a user name: 400 since 1.36, 500 before, for everybody; with one: 403
  const refused = headers['Impersonate-User'] === undefined ? [400, 403, 500] : [403];
  this.expect({
    object: `a joining token that claims to be ${who}`,
    demanded: `is refused (${refused.join(' or ')})`,
    seen: String(status),
    ok: refused.includes(status),
  });
});

Then(/^a stranger is refused to (create|list) certificate requests$/, async function (this: World, verb: string) {
  const stranger = this.as({ kind: 'anonymous' });
  const question = questionOf(access(verb, 'certificatesigningrequests.certificates.k8s.io', '', ''));
  const { status } = await stranger.ask(question);
  this.expect({
    object: `${verb} certificate requests, as a stranger`,
    demanded: 'is refused (401 or 403)',
    seen: String(status),
    ok: status === 401 || status === 403,
  });
});

Then('the API server is reached over TLS', function (this: World) {
  const tls = this.target.facts.server.startsWith('https://');
  this.expect({
    object: this.target.facts.server,
    demanded: 'an https address',
    seen: tls ? 'https' : 'no https',
    ok: tls,
  });
});
