/** Sentences about certificates as programs take them, and about who issued them. */
import { type IssuedSeen, type Seen, seenAt } from '../../src/checks/node-files/node-files.js';
import {
  issuerIdentified,
  ownSerials,
  signsTokens,
  takenByGo,
  withinLimits,
} from '../../src/checks/node-files/node-keys.js';
import { goesOn, userGoesOn } from '../../src/checks/node-files/node-renewed.js';
import { userWithinAuthority } from '../../src/checks/node-files/node-soundness.js';
import { believedByName, pairsByName, shownByName } from '../../src/checks/node-files/shown-by-name.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { authoritiesOn, manifests, NODE, one, seen, withCertificate } from './disk.js';

const there = (world: World, table: DataTable): readonly Seen[] =>
  seen(world, ...column(table)).filter(({ file }) => file !== null);

Then('programs of Kubernetes take these certificates:', async function (this: World, table: DataTable) {
  this.check(takenByGo, there(this, table));
});

Then('tokens can be signed with these:', async function (this: World, table: DataTable) {
  this.check(signsTokens, there(this, table));
});

const issuedOf = (world: World, ca: string, table: DataTable): readonly IssuedSeen[] =>
  there(world, table).map((leaf) => ({ leaf, issuer: one(world, ca) }));

Then(
  'these name the key of {string} as that of their issuer:',
  async function (this: World, ca: string, table: DataTable) {
    this.check(issuerIdentified, issuedOf(this, ca, table));
  },
);

Then('these are for what {string} may sign:', async function (this: World, ca: string, table: DataTable) {
  this.check(withinLimits, issuedOf(this, ca, table));
});

Then('the API server shows certificates of servers by name', async function (this: World) {
  const node = this.get(NODE);
  const authorities = authoritiesOn(this, 'etcd/ca.crt', 'front-proxy-ca.crt');
  const [api] = manifests(this, 'kube-apiserver');
  const pairs = pairsByName(api?.file?.held).map(({ holder, key, names }) => ({
    names,
    holder: seenAt(node, holder),
    key: seenAt(node, key),
  }));
  this.check(shownByName, pairs, { authorities });
  this.check(believedByName, pairs, { own: authoritiesOn(this) });
});

for (const [those, what] of [
  ['authorities', 'authority'],
  ['certificates', 'leaf'],
] as const)
  Then(`none of these ${those} has almost ended:`, async function (this: World, table: DataTable) {
    this.check(goesOn, there(this, table), { now: this.get(NODE).now, what });
  });

Then('the certificate of none of these kubeconfigs has almost ended:', async function (this: World, table: DataTable) {
  const all = column(table).map((name) => withCertificate(this, name));
  this.check(
    userGoesOn,
    all.filter(({ config: { file } }) => file !== null),
    { now: this.get(NODE).now },
  );
});

Then(
  'the certificate of none of these kubeconfigs outlives {string}:',
  async function (this: World, ca: string, table: DataTable) {
    const all = column(table).map((name) => withCertificate(this, name));
    this.check(
      userWithinAuthority,
      all.filter(({ config: { file } }) => file !== null),
      { issuer: one(this, ca) },
    );
  },
);

Then('no two of these have one number:', async function (this: World, table: DataTable) {
  this.check(ownSerials, there(this, table));
});
