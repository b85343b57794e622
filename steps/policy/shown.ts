/** Sentences of the policy about what others get hold of: ways to join, keys and tokens where they should not be. */

import { LeakHunt, READ_BY_OTHERS } from '../../src/checks/bootstrap-tokens/leaks.js';
import { type CopyTold, copiesAlike } from '../../src/checks/cluster-info/cluster-info-copies.js';
import { JWKS, pinsOfJwks } from '../../src/checks/node-files/node-authorities.js';
import {
  type JoinTold,
  joinsDescribedIn,
  joinsDescribedWell,
  joinsToldWell,
} from '../../src/checks/policy/join-commands.js';
import { type MountsSeen, noControllers, noJoiningSecrets, noMachineKeys } from '../../src/checks/policy/pod-mounts.js';
import {
  noAuthorityKept,
  noKeysDescribed,
  noKeysShown,
  type ShownBy,
  shownBySecret,
} from '../../src/checks/policy/shown-keys.js';
import { lookForCopies, noCopies } from '../../src/checks/policy/token-copies.js';
import { publishedServer } from '../../src/checks/told/published-server.js';
import { record, records, text } from '../../src/kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM, TOKEN_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { grantReading, isDump, notDumped } from '../common/reading.js';
import { atRest, checkFound, LOOKED_AT, leakHunt, MAKES_PODS, noticed, searchedBySome } from '../common/searched.js';
import { shownByDescriptions, tokensOfKubeSystem } from '../common/token-secrets.js';

const READS = { needs: ['objects'] } as const;

interface ConfigMaps {
  readonly told: readonly JoinTold[];
  readonly shown: readonly ShownBy[];
  readonly copies: readonly CopyTold[];
  readonly seen: number;
}
const CONFIG_MAPS = slot<ConfigMaps>('the ConfigMaps of the cluster');

Given('every ConfigMap of the cluster', READS, async function (this: World) {
  const kept = await atRest(this, 'configMaps');
  const { joins: told, seen } = await noticed(this, [resources.configMaps]);
  const shown = kept.flatMap((one) => one.shown ?? []);
  this.put(CONFIG_MAPS, { told, shown, copies: kept.flatMap(({ copy }) => copy ?? []), seen });
});

Then('each way to join that one tells is safe', function (this: World) {
  const { told, seen } = this.get(CONFIG_MAPS);
  this.check(joinsToldWell, { told, seen });
});

Then('none holds a private key or a credential of the cluster', function (this: World) {
  const { shown, seen } = this.get(CONFIG_MAPS);
  this.check(noKeysShown, { shown, seen }, { now: this.now() });
});

Then('each that tells of this cluster tells what cluster-info does', async function (this: World) {
  const { copies, seen } = this.get(CONFIG_MAPS);
  const info = await this.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
  this.check(copiesAlike, { told: copies, seen }, publishedServer(info));
});

const OTHERS = READ_BY_OTHERS.filter((kind) => kind !== resources.configMaps);

Then('each way to join that another object tells is safe', READS, async function (this: World) {
  await grantReading(this);
  const { joins: told, seen, why } = await noticed(this, OTHERS, await searchedBySome(this));
  checkFound(this, joinsToldWell, { told, seen, of: 'other objects' }, why);
});

Then(
  'no annotation, variable or command holds a private key or a credential of the cluster',
  READS,
  async function (this: World) {
    await grantReading(this);
    const { shown, seen, why } = await noticed(this, READ_BY_OTHERS, await searchedBySome(this));
    checkFound(this, noKeysShown, { shown, seen, of: 'other objects' }, why, { now: this.now() });
  },
);

Then('each way to join that a token is described by is safe', READS, async function (this: World) {
  await grantReading(this);
  this.check(joinsDescribedWell, joinsDescribedIn(await tokensOfKubeSystem(this)));
});

Then('no token is described by a private key or a credential of the cluster', READS, async function (this: World) {
  await grantReading(this);
  this.check(noKeysDescribed, await shownByDescriptions(this), { now: this.now() });
});

interface Secrets {
  readonly hunt: LeakHunt;
  readonly shown: readonly ShownBy[];
  readonly seen: number;
  /** Beyond kube-system. */
  readonly others: number;
}

/** Read once a run, whoever looks at them; bootstrap tokens of kube-system apart. */
const secretsOf = (world: World): Promise<Secrets> =>
  world.shared(`Secrets of ${world.target.name}`, async () => {
    const hunt = new LeakHunt(await leakHunt(world));
    // of most of them nothing is kept
    const keep = world.theirs<ShownBy | typeof LOOKED_AT>(resources.secrets, (object) => {
      lookForCopies(hunt, object);
      return shownBySecret(object) ?? LOOKED_AT;
    });
    const [others, own] = await Promise.all([
      world.objects.list(resources.secrets, { fieldSelector: `metadata.namespace!=${KUBE_SYSTEM}` }, keep),
      world.objects.list(
        resources.secrets,
        { namespace: KUBE_SYSTEM, fieldSelector: `type!=${TOKEN_SECRET_TYPE}` },
        keep,
      ),
    ]);
    return {
      hunt,
      shown: [...others, ...own].filter((one) => one !== LOOKED_AT),
      others: others.length,
      seen: others.length + own.length,
    };
  });

/** Of the cluster's own tokens alone. */
Then('no Secret of another namespace holds a token of the cluster', READS, async function (this: World) {
  await grantReading(this);
  const { hunt, others } = await secretsOf(this);
  this.check(noCopies, hunt.search(others));
});

const CLIENTS = 'extension-apiserver-authentication';

/** Pins of the keys that verify tokens of service accounts; none where the API server shows them to nobody, or nobody asks it. */
async function accountKeys(world: World): Promise<readonly string[]> {
  if (isDump(world)) return [];
  const { status, body } = await world.admin.ask({ path: '/openid/v1/jwks', headers: JWKS });
  return status === 200 ? pinsOfJwks(body) : [];
}

/** Names of the Secrets that accounts of kube-system list as theirs, where some Secret is kept for one. */
async function listedByAccounts(world: World, shown: readonly ShownBy[]): Promise<readonly string[] | undefined> {
  if (shown.every(({ kept }) => kept === undefined)) return undefined;
  const lists = await world.objects
    .list(resources.serviceAccounts, { namespace: KUBE_SYSTEM, whole: true }, (account) =>
      records(record(account).secrets).map(({ name }) => text(name)),
    )
    .catch(notDumped);
  return lists?.flat();
}

Then('no Secret holds a key of an authority or of an administrator', READS, async function (this: World) {
  await grantReading(this);
  const { shown, seen } = await secretsOf(this);
  const [info, clients, accounts] = await Promise.all([
    this.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC),
    this.objects.get<ConfigMap>(resources.configMaps, CLIENTS, KUBE_SYSTEM),
    accountKeys(this),
  ]);
  const authorities = [
    publishedServer(info).authorities,
    clients?.data?.['client-ca-file'] ?? '',
    clients?.data?.['requestheader-client-ca-file'] ?? '',
  ].join('\n');
  const listed = await listedByAccounts(this, shown);
  const kept = listed === undefined ? {} : { listed };
  this.check(noAuthorityKept, { shown, seen }, { authorities, accounts, now: this.now(), ...kept });
});

interface Pods {
  readonly mounts: readonly MountsSeen[];
  readonly seen: number;
}
const PODS = slot<Pods & { readonly why: unknown }>('the Pods of the cluster, and what makes them');

Given('the Pods of the cluster, and what makes them', READS, async function (this: World) {
  await grantReading(this);
  const { mounts, seen, why } = await noticed(this, [resources.pods], [...MAKES_PODS, resources.persistentVolumes]);
  this.put(PODS, { mounts, seen, why });
});

function checkPods(world: World, check: Check<Pods>): void {
  const { why, ...pods } = world.get(PODS);
  checkFound(world, check, pods, why);
}

Then('none is given a Secret that lets machines join', function (this: World) {
  checkPods(this, noJoiningSecrets);
});

Then('none beyond kube-system is given keys or the container runtime of its machine', function (this: World) {
  checkPods(this, noMachineKeys);
});

Then('none runs as a controller of the control plane', function (this: World) {
  checkPods(this, noControllers);
});
