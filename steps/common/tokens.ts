/**
 * Tokens of the scenario's own, and logging in with them. A token of ours has random halves, says what made it and dies
 * by itself; whatever a rule is about is the only thing odd in it.
 */

import { type Login, loginTaken, whoAmI } from '../../src/checks/authenticators/login.js';
import { requestAllowed } from '../../src/checks/authorization/access.js';
import type { Heard } from '../../src/checks/common/answers.js';
import { writeRfc3339 } from '../../src/checks/common/rfc3339.js';
import { base64 } from '../../src/kubernetes/json.js';
import {
  GROUP_DEFAULT_NODE_TOKEN,
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
} from '../../src/kubernetes/names.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { MADE_BY } from '../../src/kubernetes/own-objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Identity } from '../../src/targets/types.js';
import { login } from './login.js';
import type { Alterations } from './tables.js';
import { SOON } from './waiting.js';

/**
 * How long a token of ours lives if nobody deletes it, in milliseconds; where the clock is moved by hours, longer than
 * all moves.
 */
const LIFE = 30 * 60_000;
const LIFE_ON_A_MOVED_CLOCK = 30 * 86_400_000;

/** A token that the scenario has made. */
export interface Made {
  /** What is special about it, for the evidence. */
  readonly label: string;
  readonly id: string;
  readonly half: string;
  readonly token: string;
  /** Every token that its Secret may be mistaken for: by its name, by its token-id. */
  readonly tokens: readonly string[];
  /** Of its Secret. */
  readonly name: string;
  readonly namespace: string;
  /** Its expiration, milliseconds since the epoch; NaN where that is no time, or missing. */
  readonly until: number;
}

/** "it": the token that the sentences of a scenario are about. */
export const TOKEN = slot<Made>('a bootstrap token');
/** "them", "the others": those beside it. */
export const TOKENS = slot<readonly Made[]>('several bootstrap tokens');
/** A second one, of other rights or another time. */
export const OTHER_TOKEN = slot<Made>('another bootstrap token');

/** Of digits alone an id would be the same in capitals. */
function newId(world: World): string {
  const id = world.random(6);
  return /[a-z]/.test(id) ? id : newId(world);
}

/** One that looks like a number. */
function idOfDigits(world: World): string {
  const digits = world.random(200).replace(/^[^1-9]*|[a-z]/g, '');
  return digits.length < 6 ? idOfDigits(world) : digits.slice(0, 6);
}

const NO_DATA = ['id', 'name', 'namespace', 'type', 'finalizer', 'immutable'];
/** What a header can carry as it is. */
const VISIBLE = /^[!-~]+$/;

/** A token whose Secret has not been made. */
interface Draft {
  readonly made: Made;
  readonly secret: Secret;
}

/** The Secret of a token that logs in and signs nothing, but for what is said otherwise. Nothing is made. */
export function draftToken(world: World, label: string, alterations: Alterations = {}): Draft {
  const id = alterations.id === 'of digits' ? idOfDigits(world) : newId(world);
  const [otherId, half] = [newId(world), world.random(16)];
  const fill = (value: string | undefined): string | undefined =>
    value
      ?.replaceAll('<id>', id)
      .replaceAll('<ID>', id.toUpperCase())
      .replaceAll('<secret>', half)
      .replaceAll('<SECRET>', half.toUpperCase())
      .replaceAll('<other id>', otherId);
  // A token that does not say what made it is known by its short life.
  const short = world.target.abilities.clock === undefined || TOKEN_KEYS.description in alterations;
  const plain: Record<string, string | undefined> = {
    [TOKEN_KEYS.id]: id,
    [TOKEN_KEYS.secret]: half,
    [TOKEN_KEYS.description]: MADE_BY,
    [TOKEN_KEYS.expiration]: writeRfc3339(world.now() + (short ? LIFE : LIFE_ON_A_MOVED_CLOCK)),
    [USAGE_AUTHENTICATION]: 'true',
    ...Object.fromEntries(Object.entries(alterations).map(([key, value]) => [key, fill(value)])),
  };
  const data = Object.entries(plain).flatMap(([key, value]) =>
    value === undefined || NO_DATA.includes(key) ? [] : [[key, base64(value)] as const],
  );
  const name = plain.name ?? `${TOKEN_SECRET_PREFIX}${id}`;
  const namespace = plain.namespace ?? KUBE_SYSTEM;
  const stored = plain[TOKEN_KEYS.secret] ?? '';
  for (const value of [half, stored]) if (value !== '') world.secret(value);
  const named = name.startsWith(TOKEN_SECRET_PREFIX) ? name.slice(TOKEN_SECRET_PREFIX.length) : id;
  const ids = [...new Set([named, plain[TOKEN_KEYS.id] ?? '', id])].filter((part) => part !== '');
  const halves = [...new Set([stored, half])];
  const made: Made = {
    label: `the token ${id}${label === '' ? '' : ` (${label})`}`,
    id,
    half: stored,
    token: `${id}.${stored}`,
    tokens: ids.flatMap((one) => halves.map((other) => `${one}.${other}`)).filter((token) => VISIBLE.test(token)),
    name,
    namespace,
    until: Date.parse(plain[TOKEN_KEYS.expiration] ?? ''),
  };
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      ...(plain.finalizer === undefined ? {} : { finalizers: [plain.finalizer] }),
    },
    type: plain.type ?? TOKEN_SECRET_TYPE,
    ...(plain.immutable === 'true' ? { immutable: true } : {}),
    data: Object.fromEntries(data),
  };
  return { made, secret };
}

/** Makes the Secret of a token that logs in and signs nothing, but for what is said otherwise. */
export async function makeToken(world: World, label: string, alterations: Alterations = {}): Promise<Made> {
  const { writes } = world;
  const { made, secret } = draftToken(world, label, alterations);
  await writes.create<Secret>(resources.secrets, secret);
  return made;
}

export const bearer = (made: Pick<Made, 'token'>): Identity => ({ kind: 'token', token: made.token });

export const clientOf = (world: World, made: Pick<Made, 'token'>): Asker => world.as(bearer(made));

/** A login with a token, once. */
export const loginOf = async (world: World, made: Made): Promise<Login> => ({
  subject: made.label,
  heard: await login(world, bearer(made)),
});

/** Clocks of two machines may be so far apart without being told apart, milliseconds. */
export const CLOCKS = 2_500;

/** Where the clock is moved nobody's clock differs, and nothing takes time. */
export const isClockMoved = (world: World): boolean => world.target.abilities.clock !== undefined;

/** Its own time is over, or cannot be told from that. */
const isOver = (world: World, { until }: Made): boolean => world.now() > until - (isClockMoved(world) ? 0 : CLOCKS);

/** Ends a scenario that its token's own time has overtaken: it is played again with a longer one. */
export function demandInTime(world: World, made: Made): void {
  if (!isOver(world, made)) return;
  const { patience } = world;
  const waited = patience === 1 ? '' : `, which was made ${patience} times as long as on a quick target`;
  world.trouble(
    `${made.label} had expired before it was seen: joinproof or the target is too slow for its life${waited}`,
  );
}

/**
 * A login, asked again until it is good or the time is over: a new Secret is not known at once. What is answered when
 * the token's own time is over says nothing of the time before, which matters where everything is slow.
 */
export async function loginSoon(
  world: World,
  made: Made,
  good: (heard: Heard) => boolean = (heard) => whoAmI(heard) !== undefined,
): Promise<Login> {
  let last: Login | undefined;
  await world.eventually(SOON, async () => {
    const seen = await loginOf(world, made);
    const isGood = good(seen.heard);
    const late = isOver(world, made);
    if (isGood || !late) last = seen;
    return isGood || late ? true : undefined;
  });
  if (last === undefined) demandInTime(world, made);
  return last ?? world.unknown(`${made.label} was not looked at`);
}

/**
 * The positive control of every refusal: a token like the others, but good. Once it logs in, whatever was made before
 * it is known, too.
 */
export async function grantLogin(world: World, made: Made): Promise<boolean> {
  return world.grant(loginTaken, [await loginSoon(world, made)]);
}

/** A token of kubeadm's group (or `groups`), proven to log in before anything is concluded from a refusal. */
export async function joiningToken(world: World, groups: string = GROUP_DEFAULT_NODE_TOKEN): Promise<Made> {
  const made = await makeToken(world, '', { [TOKEN_KEYS.groups]: groups });
  await grantLogin(world, made);
  return made;
}

/** The same, made once: nobody changes it, so the scenarios of one cluster share it. */
export const sharedJoiningToken = (world: World): Promise<Made> =>
  world.shared(`a joining token of ${world.target.name}`, () => joiningToken(world));

/** The positive control of what it is forbidden: who may do nothing at all is forbidden everything. */
export async function grantSomething(world: World, made: Made): Promise<void> {
  const { status } = await clientOf(world, made).ask({ path: '/api' });
  world.grant(requestAllowed, [{ subject: `${made.label}, GET /api`, answer: { status, body: null } }], {});
}

/**
 * A refusal (403) of a joining token's request says nothing where kubeadm did not set the cluster up: machines may join
 * it in another way.
 */
export function joinsWithTokens(world: World, status: number): void {
  if (status !== 403 || world.holds('kubeadm')) return;
  world.skip(
    'fact',
    'kubeadm has not set this cluster up, and RBAC lets no joining token ask for a certificate: machines do not join it with tokens',
  );
}

/** Deletes the Secret of a token of ours. */
export const deleteToken = (world: World, { name, namespace }: Made): Promise<void> =>
  world.writes.delete(resources.secrets, name, namespace);

/** The Secret of a token as it is now; undefined where it is gone. */
export async function secretOf(world: World, made: Pick<Made, 'name' | 'namespace'>): Promise<Secret | undefined> {
  const found = await world.objects.get<Secret>(resources.secrets, made.name, made.namespace);
  return found === undefined ? undefined : named(world, found, made.name);
}

/** Something that answers 200 to everything is no API server, and shows nothing. */
export function named<T extends KubeObject>(world: World, found: T, name: string): T {
  return found.metadata?.name === name ? found : world.unknown(`the answer to a GET of "${name}" is another object`);
}

/** Sets data keys of a token of ours; undefined takes one away. */
export async function changeToken(world: World, made: Made, values: Alterations): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value === undefined ? null : base64(value)]),
  );
  await world.writes.patch(resources.secrets, made.name, made.namespace, { data });
}

/** The same while the token lives: what is changed when its own time is over says nothing of a change in time. */
export async function changeInTime(world: World, made: Made, values: Alterations): Promise<void> {
  demandInTime(world, made);
  try {
    await changeToken(world, made, values);
  } finally {
    // a cleaner may have been quicker, or have begun meanwhile
    demandInTime(world, made);
  }
}
