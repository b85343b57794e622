/** Sentences about the switches of the control plane, and clusters of our own that have others. */

import {
  type CommandLine,
  judgeControllers,
  judgeTokenFlag,
  type OptionalController,
} from '../../src/checks/control-plane-flags.js';
import { defaultTokens, judgeLife } from '../../src/checks/default-token.js';
import { signedFor } from '../../src/checks/jws.js';
import { loginRefused, loginTaken } from '../../src/checks/login.js';
import { decoded, judgeTokenForm } from '../../src/checks/token-secrets.js';
import { KUBE_SYSTEM, TOKEN_KEYS } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Switches, Target } from '../../src/targets/types.js';
import { clusterInfo, signedSoon, signingToken } from '../cluster-info/signatures.js';
import { published } from '../common/flags.js';
import { valueIn } from '../common/tables.js';
import { grantLogin, loginOf, loginSoon, makeToken, secretOf } from '../common/tokens.js';
import { IN_TIME } from '../common/waiting.js';
import { tokenSecrets } from './token-secrets.js';

const commandLinesOf = (world: World, component: string): Promise<CommandLine[]> => published(world, component);

Then(
  'bootstrap token authentication is on, by its flag where that is published and by a login elsewhere',
  async function (this: World) {
    const lines = await commandLinesOf(this, 'kube-apiserver');
    if (lines.length > 0) return this.judge(judgeTokenFlag(lines));
    const made = await makeToken(this, '');
    this.check(loginTaken, [await loginSoon(this, made)]);
  },
);

/** True where the flags have been judged. */
async function judgedByFlags(world: World, controller: OptionalController): Promise<boolean> {
  const lines = await commandLinesOf(world, 'kube-controller-manager');
  if (lines.length > 0) world.judge(judgeControllers(lines, controller));
  return lines.length > 0;
}

Then(
  'the token cleaner is on, by its flag where that is published and by what it does elsewhere',
  async function (this: World) {
    if (await judgedByFlags(this, 'tokencleaner')) return;
    const made = await makeToken(this, 'expired', {
      [TOKEN_KEYS.expiration]: valueIn('1 hour ago', this.now()),
    });
    const gone = await this.eventually(
      IN_TIME,
      async () => ((await secretOf(this, made)) === undefined ? true : undefined),
      250,
    );
    this.expect({
      object: `Secret ${made.namespace}/${made.name}, expired`,
      demanded: 'is deleted by a cleaner',
      seen: gone ? 'it is gone' : 'it stays',
      ok: gone === true,
    });
  },
);

Then(
  'the bootstrap signer is on, by its flag where that is published and by what it does elsewhere',
  async function (this: World) {
    if (await judgedByFlags(this, 'bootstrapsigner')) return;
    const made = await signingToken(this, '');
    this.check(signedFor, await signedSoon(this, made));
  },
);

export interface Twin {
  /** The token that its init was given, where it was given one. */
  readonly given: string;
  readonly twin: Target;
}

/** A twin is dear, so the scenarios of one run share it, by what is different in it. */
export function twinOf(world: World, name: string, switches: (given: string) => Switches): Promise<Twin> {
  world.need('variants');
  return world.shared(`twin: ${name}`, async () => {
    const given = `${world.random(6)}.${world.random(16)}`;
    world.secret(given.slice(7));
    return { given, twin: await world.ability('variants').open(switches(given)) };
  });
}

/** Without token logins, without a signer, without the key of the CA: one twin for all that shows what is missing then. */
export const switchedOff = async (world: World): Promise<Target> =>
  (await twinOf(world, 'switched off', () => ({ bootstrapTokenAuth: false, bootstrapSigner: false, externalCa: true })))
    .twin;

/** Nobody deletes expired tokens; init was given one token and made up another. */
export const withoutCleaner = (world: World): Promise<Twin> =>
  twinOf(world, 'no cleaner', (token) => ({ tokenCleaner: false, tokens: [{ token, ttlSeconds: GIVEN_TTL }, {}] }));

/** Two hours, as --token-ttl or the ttl of a configuration says. */
export const GIVEN_TTL = 7200;

Given('a cluster of ours without a token cleaner', async function (this: World) {
  const { twin, given } = await withoutCleaner(this);
  this.keep('given token', given);
  this.moveTo(twin);
});

Given(
  'a cluster of ours, set up with one token that was given and one that was left open',
  async function (this: World) {
    const { twin, given } = await withoutCleaner(this);
    this.keep('given token', given);
    this.moveTo(twin);
  },
);

Given('a cluster of ours without bootstrap token authentication and without a signer', async function (this: World) {
  this.moveTo(await switchedOff(this));
});

Given('a bootstrap token that logs in where such tokens are on', async function (this: World) {
  await grantLogin(this, await makeToken(this, 'the same, where the flag is on'));
});

/** The server knows the Secret once a controller or a reader does; a refusal is looked at twice, with a while between. */
Then('the same kind of token is refused there', async function (this: World) {
  const made = await makeToken(this, '');
  await this.sleep(1000);
  this.check(loginRefused, [await loginOf(this, made)]);
});

/** The tokens that init has made there. kubeadm's stand-in for kubeadm-certs says what it is, and so does what people make. */
const joiningTokens = async (world: World): Promise<Secret[]> => defaultTokens(await tokenSecrets(world), true);

Then('the given token is there, unchanged', async function (this: World) {
  const [id = '', half = ''] = this.kept<string>('given token').split('.');
  const secret = (await tokenSecrets(this)).find((candidate) => decoded(candidate, TOKEN_KEYS.id) === id);
  const same =
    secret !== undefined &&
    decoded(secret, TOKEN_KEYS.secret) === half &&
    secret.metadata.name === `bootstrap-token-${id}`;
  this.expect({
    object: `Secret ${KUBE_SYSTEM}/bootstrap-token-${id}`,
    demanded: 'holds the token that init was given',
    seen: secret === undefined ? 'it does not exist' : same ? 'it does' : 'it holds another',
    ok: same,
  });
});

Then('there are exactly two joining tokens, and one is new', async function (this: World) {
  const tokens = await joiningTokens(this);
  const [given = ''] = this.kept<string>('given token').split('.');
  const ids = tokens.map((secret) => decoded(secret, TOKEN_KEYS.id));
  const ok = tokens.length === 2 && ids.some((id) => id !== given && id !== '');
  this.expect({
    object: 'the joining tokens after init',
    demanded: 'two: the given one, and one that init has made up',
    seen: `${tokens.length}: ${ids.join(', ')}`,
    ok,
  });
  this.judge(judgeTokenForm(tokens));
});

Then('the given token lives 2 hours', async function (this: World) {
  const [id = ''] = this.kept<string>('given token').split('.');
  this.judge(
    judgeLife(
      (await tokenSecrets(this)).filter((secret) => decoded(secret, TOKEN_KEYS.id) === id),
      GIVEN_TTL,
    ),
  );
});

Then('no token that init made up there is a token of the first cluster', async function (this: World) {
  const token = (secret: Secret): string => `${decoded(secret, TOKEN_KEYS.id)}.${decoded(secret, TOKEN_KEYS.secret)}`;
  const there = await joiningTokens(this);
  const first = this.main.abilities.objects ?? this.unknown('the target shows no objects');
  const here = (
    await first.list<Secret>(resources.secrets, {
      namespace: KUBE_SYSTEM,
      fieldSelector: 'type=bootstrap.kubernetes.io/token',
    })
  ).map(token);
  const made = there.filter((secret) => token(secret) !== this.kept<string>('given token'));
  if (made.length === 0) return this.unknown('init made up no token');
  for (const secret of made)
    this.expect({
      object: `the token ${decoded(secret, TOKEN_KEYS.id)} of a second init`,
      demanded: 'is another than those of the first',
      seen: here.includes(token(secret)) ? 'the same' : 'another',
      ok: !here.includes(token(secret)),
    });
});

interface Rerun {
  readonly failure: string | undefined;
  readonly ids: readonly string[];
  readonly kubeconfig: string | undefined;
}

const idsOf = async (world: World): Promise<string[]> =>
  (await joiningTokens(world)).map((secret) => decoded(secret, TOKEN_KEYS.id)).sort();

When('the bootstrap-token phase of init runs there a second time', async function (this: World) {
  const init = this.ability('init');
  const ids = await idsOf(this);
  const kubeconfig = (await clusterInfo(this)).data?.kubeconfig;
  let failure: string | undefined;
  try {
    await init.repeatBootstrapToken();
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  this.keep<Rerun>('rerun', { failure, ids, kubeconfig });
});

Then('it succeeds', function (this: World) {
  const { failure } = this.kept<Rerun>('rerun');
  this.expect({
    object: 'the second run of the bootstrap-token phase',
    demanded: 'succeeds',
    seen: failure ?? 'it does',
    ok: failure === undefined,
  });
});

Then('every token of the first run is there once', async function (this: World) {
  const [before, after] = [this.kept<Rerun>('rerun').ids, await idsOf(this)];
  const ok = before.length > 0 && before.every((id) => after.filter((other) => other === id).length === 1);
  this.expect({
    object: 'the joining tokens',
    demanded: `still hold ${before.join(', ')}`,
    seen: after.join(', ') || 'none',
    ok,
  });
});

Then('cluster-info publishes the same kubeconfig as before', async function (this: World) {
  const same = (await clusterInfo(this)).data?.kubeconfig === this.kept<Rerun>('rerun').kubeconfig;
  this.expect({
    object: 'ConfigMap kube-public/cluster-info',
    demanded: 'publishes the same text after a second run',
    seen: same ? 'it does' : 'another text',
    ok: same,
  });
});
