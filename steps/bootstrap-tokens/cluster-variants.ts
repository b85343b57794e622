/** Sentences about the switches of the control plane, and clusters of our own that have others. */

import { loginTaken } from '../../src/checks/authenticators/login.js';
import {
  compareMadeUp,
  givenTokenKept,
  idOf,
  madeAnew,
  openTokenFilledIn,
  readGivenToken,
  tokenForEver,
  tokenLife,
  withId,
} from '../../src/checks/bootstrap-tokens/default-token.js';
import {
  kubeconfigUnchanged,
  readKept,
  secondRunSucceeds,
  tokensThereOnce,
} from '../../src/checks/bootstrap-tokens/init-phase.js';
import { readTokenSecrets } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import { tokenForm } from '../../src/checks/bootstrap-tokens/tokens-at-rest.js';
import { textDigest } from '../../src/checks/cluster-info/cluster-info-reader.js';
import { signedFor } from '../../src/checks/cluster-info/jws.js';
import { isDeleted } from '../../src/checks/common/presence.js';
import {
  controllerNamed,
  flagOf,
  type OptionalController,
  switchedOn,
} from '../../src/checks/written/control-plane-flags.js';
import { KUBE_SYSTEM, TOKEN_KEYS, TOKEN_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Switches, Target } from '../../src/targets/types.js';
import { clusterInfo, signedSoon, signingToken } from '../cluster-info/signatures.js';
import { published } from '../common/flags.js';
import { valueIn } from '../common/tables.js';
import { loginSoon, makeToken } from '../common/tokens.js';
import { IN_TIME } from '../common/waiting.js';
import { goneWithin } from './cleaner.js';
import { initTokens, tokenSecrets } from './token-secrets.js';

Then(
  'bootstrap token authentication is on, by its flag where that is published and by a login elsewhere',
  async function (this: World) {
    const flags = flagOf(await published(this, 'kube-apiserver'), 'enable-bootstrap-token-auth');
    if (flags.length > 0) this.check(switchedOn, flags);
    else this.check(loginTaken, [await loginSoon(this, await makeToken(this, ''))]);
  },
);

/** True where its flag is published, and has been judged. */
async function judgedByFlags(world: World, controller: OptionalController): Promise<boolean> {
  const flags = flagOf(await published(world, 'kube-controller-manager'), 'controllers');
  world.check(controllerNamed, flags, { controller });
  return flags.length > 0;
}

const CONTROLLERS = { needs: ['controllers'] } as const;

Then(
  'the token cleaner is on, by its flag where that is published and by what it does elsewhere',
  CONTROLLERS,
  async function (this: World) {
    if (await judgedByFlags(this, 'tokencleaner')) return;
    const made = await makeToken(this, 'expired', { [TOKEN_KEYS.expiration]: valueIn('1 hour ago', this.now()) });
    this.check(isDeleted, [await goneWithin(this, made, IN_TIME)], { demanded: 'is deleted by a cleaner' });
  },
);

Then(
  'the bootstrap signer is on, by its flag where that is published and by what it does elsewhere',
  CONTROLLERS,
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
  const variants = world.ability('variants');
  return world.shared(`twin: ${name}`, async () => {
    const given = `${world.random(6)}.${world.random(16)}`;
    world.secret(given.slice(7));
    return { given, twin: await variants.open(switches(given)) };
  });
}

/**
 * Without token logins, without a signer, without the key of the CA: one twin for all that shows what is missing then.
 */
export const switchedOff = async (world: World): Promise<Target> =>
  (await twinOf(world, 'switched off', () => ({ bootstrapTokenAuth: false, bootstrapSigner: false, externalCa: true })))
    .twin;

/** One whose clock may be moved by hours and days. Its init was given a token that never ends. */
export const movedFar = (world: World): Promise<Twin> =>
  twinOf(world, 'moved far', (token) => ({ tokens: [{ token, ttlSeconds: 0 }] }));

/** Longer than a CA of kubeadm lives. */
const TWENTY_YEARS = 20 * 365 * 86_400;

/** Nobody deletes expired tokens; init was given one token and made up another; certificates are signed for long. */
export const withoutCleaner = (world: World): Promise<Twin> =>
  twinOf(world, 'no cleaner', (token) => ({
    tokenCleaner: false,
    tokens: [{ token, ttlSeconds: GIVEN_TTL }, {}],
    signingSeconds: TWENTY_YEARS,
  }));

/** Two hours, as --token-ttl or the ttl of a configuration says. */
export const GIVEN_TTL = 7200;

/** The token, "id.secret", that the init of a variant was given. */
const GIVEN = slot<string>('a token that init was given');

const VARIANT = { needs: ['variants'], waits: true } as const;

async function moveToInitialised(world: World): Promise<void> {
  const { twin, given } = await withoutCleaner(world);
  world.put(GIVEN, given);
  world.moveTo(twin);
}

Given('a cluster of ours without a token cleaner', VARIANT, async function (this: World) {
  await moveToInitialised(this);
});

Given(
  'a cluster of ours, set up with one token that was given and one that was left open',
  { ...VARIANT, needs: ['variants', 'kubeadm'] },
  async function (this: World) {
    await moveToInitialised(this);
  },
);

Given(
  'a cluster of ours without bootstrap token authentication and without a signer',
  VARIANT,
  async function (this: World) {
    this.moveTo(await switchedOff(this));
  },
);

Given(
  'a cluster of ours, set up with a token that was given and a ttl of 0',
  { ...VARIANT, needs: ['variants', 'kubeadm'] },
  async function (this: World) {
    const { twin, given } = await movedFar(this);
    this.put(GIVEN, given);
    this.moveTo(twin);
  },
);

Then('the given token is there, unchanged', async function (this: World) {
  this.check(givenTokenKept, readGivenToken(await tokenSecrets(this), this.get(GIVEN)));
});

/** kubeadm's stand-in for kubeadm-certs says what it is, and so does what people make. */
Then('there are exactly two joining tokens, and one is new', async function (this: World) {
  const tokens = readTokenSecrets(await initTokens(this));
  this.check(openTokenFilledIn, tokens, { given: idOf(this.get(GIVEN)) });
  this.check(tokenForm, tokens);
});

Then('the given token lives 2 hours', async function (this: World) {
  const secrets = withId(await tokenSecrets(this), idOf(this.get(GIVEN)));
  this.check(tokenLife, readTokenSecrets(secrets), { seconds: GIVEN_TTL });
});

Then('the given token never ends', async function (this: World) {
  const secrets = withId(await tokenSecrets(this), idOf(this.get(GIVEN)));
  this.check(tokenForEver, readTokenSecrets(secrets));
});

/** The first cluster: the target of the run. */
Then('no token that init made up is a token of the first cluster', async function (this: World) {
  const first = this.main.abilities.objects ?? this.skip('ability', this.main.why('objects'));
  const before = await first.list<Secret>(resources.secrets, {
    namespace: KUBE_SYSTEM,
    fieldSelector: `type=${TOKEN_SECRET_TYPE}`,
  });
  this.check(madeAnew, compareMadeUp(await initTokens(this), before, this.get(GIVEN)));
});

/** What the first run of the phase has left, and what the second one said. */
interface SecondRun {
  readonly failure: string | null;
  readonly tokens: readonly Secret[];
  readonly kubeconfig: string | null;
}
const SECOND_RUN = slot<SecondRun>('a second run of the bootstrap-token phase');

const kubeconfigOf = async (world: World): Promise<string | null> => textDigest(await clusterInfo(world));

When(
  'the bootstrap-token phase of init runs a second time',
  { needs: ['kubeadm'], exclusive: 'second-run' },
  async function (this: World) {
    const init = this.ability('init');
    const [tokens, kubeconfig] = [await initTokens(this), await kubeconfigOf(this)];
    const failure = await init.repeatBootstrapToken().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    this.put(SECOND_RUN, { failure, tokens, kubeconfig });
  },
);

Then('the second run succeeds', function (this: World) {
  const { failure } = this.get(SECOND_RUN);
  this.check(secondRunSucceeds, { failure });
});

Then('every token of the first run is there once', async function (this: World) {
  this.check(tokensThereOnce, readKept(this.get(SECOND_RUN).tokens, await initTokens(this)));
});

Then('cluster-info publishes the same kubeconfig as before', async function (this: World) {
  const { kubeconfig: before } = this.get(SECOND_RUN);
  this.check(kubeconfigUnchanged, { before, after: await kubeconfigOf(this) });
});
