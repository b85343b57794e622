/** Sentences about files, certificates and keys on a node's disk. */
import { isLeftBehind } from '../../src/checks/node-files/left-at.js';
import {
  authority,
  commonName,
  different,
  filesAbsent,
  filesThere,
  issuedBy,
  kubeletClientGroup,
  madeForNoMore,
  pairs,
  pairsThere,
  publicOnly,
  type Seen,
  usableFor,
  validNow,
} from '../../src/checks/node-files/node-files.js';
import { altNames, isNamed, wantedNames } from '../../src/checks/node-files/node-names.js';
import {
  closed,
  kubeconfigsClosed,
  noSecretsBelow,
  owned,
  unwritable,
} from '../../src/checks/node-files/node-owners.js';
import { narrow, noGroupOfTheSystem, ownKeys, withinAuthority } from '../../src/checks/node-files/node-soundness.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { NODE, one, seen } from './disk.js';

Then('these files are there:', async function (this: World, table: DataTable) {
  this.check(filesThere, seen(this, ...column(table)));
});

Then('none of these files is there:', async function (this: World, table: DataTable) {
  this.check(filesAbsent, seen(this, ...column(table)));
});

Then('a worker has none of these files:', async function (this: World, table: DataTable) {
  this.check(filesAbsent, this.get(NODE).role === 'worker' ? seen(this, ...column(table)) : []);
});

Then('{string} holds an authority', async function (this: World, name: string) {
  this.check(authority, seen(this, name));
});

Then('{string} is valid now', async function (this: World, name: string) {
  this.check(validNow, seen(this, name), { now: this.get(NODE).now });
});

Then('{string} is the key of {string}', async function (this: World, key: string, holder: string) {
  this.check(pairs, [{ holder: one(this, holder), key: one(this, key) }]);
});

Then('{string} is issued by {string}', async function (this: World, leaf: string, issuer: string) {
  this.check(issuedBy, [{ leaf: one(this, leaf), issuer: one(this, issuer) }]);
});

Then('{string} may be used for {string}', async function (this: World, name: string, usages: string) {
  this.check(usableFor, seen(this, name), { usages: usages.split(', ') });
});

Then('these are for no more than they are made for:', async function (this: World, table: DataTable) {
  const made = table.raw().map(([name = '', usages = '']) => ({ seen: one(this, name), usages: usages.split(' ') }));
  this.check(
    madeForNoMore,
    made.filter(({ seen: { file } }) => file !== null),
  );
});

Then('{string} is issued for {string}', async function (this: World, name: string, what: string) {
  if (!isNamed(what)) this.unknown(`nobody knows what "${what}" is`);
  this.check(altNames, seen(this, name), { names: wantedNames(this.get(NODE), what) });
});

Then('the common name of {string} is {string}', async function (this: World, name: string, wanted: string) {
  this.check(commonName, seen(this, name), { wanted });
});

Then('the group of {string} is one that kubeadm gives', async function (this: World, name: string) {
  this.check(kubeletClientGroup, seen(this, name), { minor: this.get(NODE).minor });
});

Then('{string} and {string} are different authorities', async function (this: World, name: string, other: string) {
  this.check(different, seen(this, name, other));
});

/** What others leave is theirs. */
function secretsOn(world: World): readonly string[] {
  const { disk, pki } = world.get(NODE);
  return Object.values(disk).flatMap(({ path, isSecret }) => (isSecret && !isLeftBehind(path, pki) ? [path] : []));
}

Then('only their owner may read what holds a key or a token', async function (this: World) {
  const { owners } = this.get(NODE);
  this.check(closed, seen(this, ...secretsOn(this)), { isRootless: (owners ?? []).length > 1 });
});

/** Those that kubeadm and kubelet write. */
const KUBECONFIGS = ['admin', 'super-admin', 'kubelet', 'bootstrap-kubelet', 'controller-manager', 'scheduler'].map(
  (name) => `/etc/kubernetes/${name}.conf`,
);

Then('the kubeconfigs of components are for their owners', async function (this: World) {
  this.check(kubeconfigsClosed, seen(this, ...KUBECONFIGS));
});

/** What programs of the node obey or believe. */
const OBEYED =
  /^\/etc\/kubernetes(?:\/manifests(?:\/.*)?|\/[^/]*)?$|\.(?:crt|pub)$|^\/var\/lib\/kubelet\/[^/]+$|^\/etc\/(?:default|sysconfig)\/kubelet$/;

/** Of what holds no secret what others obey or believe. */
function obeyedOn(world: World): readonly string[] {
  const { disk, pki } = world.get(NODE);
  return Object.values(disk).flatMap(({ path, isSecret, held }) =>
    !isSecret && (path === pki || OBEYED.test(path) || held.kind === 'configuration') ? [path] : [],
  );
}

Then('only their owner may write what others obey or believe', async function (this: World) {
  this.check(unwritable, seen(this, ...obeyedOn(this)));
});

Then('what holds a key or a token, and what others obey or believe, belongs to root', async function (this: World) {
  const paths = [...secretsOn(this), ...obeyedOn(this)];
  this.check(owned, seen(this, ...paths), { known: this.get(NODE).owners });
});

Then('{string} is for hosts that it names, and not for any', async function (this: World, name: string) {
  this.check(narrow, seen(this, name));
});

Then('no key is left below {string}', async function (this: World, folder: string) {
  this.check(noSecretsBelow, secretsOn(this), { folder });
});

Then('{string} holds a public key alone', async function (this: World, name: string) {
  this.check(publicOnly, seen(this, name));
});

Then('{string} and {string} have different keys', async function (this: World, name: string, other: string) {
  this.check(different, seen(this, name, other));
});

Then('{string} is there where {string} is', async function (this: World, name: string, other: string) {
  this.check(filesThere, one(this, other).file === null ? [] : seen(this, name));
});

Then('{string} is the key of {string}, where it is there', async function (this: World, key: string, holder: string) {
  const there = [{ holder: one(this, holder), key: one(this, key) }].filter(({ key: { file } }) => file !== null);
  this.check(pairs, there);
});

Then('{string} does not outlive {string}', async function (this: World, leaf: string, issuer: string) {
  this.check(withinAuthority, [{ leaf: one(this, leaf), issuer: one(this, issuer) }]);
});

Then('these are in no group of the system:', async function (this: World, table: DataTable) {
  this.check(noGroupOfTheSystem, there(this, table));
});

Then('none of these has the key of an authority:', async function (this: World, table: DataTable) {
  const authorities = seen(this, 'ca.crt', 'front-proxy-ca.crt', 'etcd/ca.crt').filter(({ file }) => file !== null);
  this.check(ownKeys, { authorities, others: there(this, table) });
});

/** Of a table those that are there. */
const there = (world: World, table: DataTable): readonly Seen[] =>
  seen(world, ...column(table)).filter(({ file }) => file !== null);

Then(
  '{string} is the key of {string}, where one of both is there',
  async function (this: World, ...[key, holder]: [string, string]) {
    this.check(pairsThere, [{ holder: one(this, holder), key: one(this, key) }]);
  },
);
