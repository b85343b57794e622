/** Sentences about client certificates that are shown to the API server: good ones, forged ones, beside a token. */

import { heardIn, loginRefused } from '../../src/checks/authenticators/login.js';
import { heardAs } from '../../src/checks/kubelet-certificates/credentials.js';
import { BOOTSTRAP_USER_PREFIX, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { forgedPair } from '../../src/run/forging.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { NODE } from '../common/joined.js';
import { joiningToken, TOKEN } from '../common/tokens.js';

/** What a forger has: the certificate that the node's clients show, and its key. */
function forged(world: World, how: string): Extract<Identity, { kind: 'certificate' }> {
  const { kubelet, pair } = world.get(NODE);
  const commonName = `${NODE_USER_PREFIX}${kubelet.nodeName}`;
  const made = forgedPair(how, { ...pair, commonName, now: world.now() });
  if (made === undefined) return world.unknown(`the steps know no certificate "${how}"`);
  world.secret(made.key);
  return { kind: 'certificate', ...made };
}

Then('a certificate is refused as unauthorized:', async function (this: World, table: DataTable) {
  const rows = table.raw().map(([how = '']) => how);
  const logins = await forEach(this, rows, async (how) => ({
    subject: `GET /api, with a certificate ${how}`,
    heard: heardIn(await this.as(forged(this, how)).ask({ path: '/api' })),
  }));
  this.check(loginRefused, logins);
});

Given('a bootstrap token that logs in as well', async function (this: World) {
  this.put(TOKEN, await joiningToken(this));
});

const HOW = 'of another CA that comes along with it';

/** What is shown together, by the words of the features: a certificate, and a token beside it. */
const TOGETHER: Readonly<Record<string, (world: World) => Identity>> = {
  'its certificate and the token': (world) => ({ ...own(world), token: world.get(TOKEN).token }),
  'its certificate and a token that nobody knows': (world) => ({ ...own(world), token: nobodys(world) }),
  'a forged certificate and the token': (world) => ({ ...forged(world, HOW), token: world.get(TOKEN).token }),
};

const own = (world: World) => ({ kind: 'certificate', ...world.get(NODE).pair }) as const;

function nobodys(world: World): string {
  const token = `${world.random(6)}.${world.random(16)}`;
  world.secret(token.slice(7));
  return token;
}

/** Nobody but an administrator may list all Secrets: the refusal names who asked. */
Then('a request is told to be of:', async function (this: World, table: DataTable) {
  const users: Readonly<Record<string, string>> = {
    'the node': `${NODE_USER_PREFIX}${this.get(NODE).kubelet.nodeName}`,
    'the bearer of the token': `${BOOTSTRAP_USER_PREFIX}${this.get(TOKEN).id}`,
  };
  const heard = await forEach(this, table.hashes(), async ({ whose = '', 'it shows': what = '' }) => {
    const identity = TOGETHER[what]?.(this) ?? this.unknown(`the steps know nobody who shows ${what}`);
    const answer = await this.as(identity).ask({ path: pathOf(resources.secrets), query: { limit: '1' } });
    const username = users[whose] ?? this.unknown(`the steps know no user "${whose}"`);
    return { subject: `list secrets, with ${what}`, heard: heardIn(answer), username };
  });
  this.check(heardAs, heard);
});
