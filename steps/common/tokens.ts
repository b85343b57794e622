/**
 * What the steps of the first two chapters share: tokens of the scenario's own, logging in with them, and asking again until something is so.
 * A token of ours has random halves, says what made it and dies by itself; whatever a rule is about is the only thing odd in it.
 */

import { type Heard, judgeLogin, whoAmI } from '../../src/checks/login.js';
import { writeRfc3339, writeWithOffset } from '../../src/checks/rfc3339.js';
import {
  KUBE_SYSTEM,
  TOKEN_KEYS,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
} from '../../src/kubernetes/names.js';
import type { KubeObject, Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { DataTable } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Identity } from '../../src/targets/types.js';

/** How long a token of ours lives if nobody deletes it. Milliseconds, like everything here. */
const LIFE = 30 * 60_000;
/** An API server or a controller learns of a change by its watch. */
export const SOON = 10_000;
/** The documents set no limit to controllers; this is joinproof's. */
export const IN_TIME = 30_000;
/** A success is answered from memory for 10 s; the rest is for slow watches. Source: pkg/kubeapiserver/options/authentication.go. */
export const FORGOTTEN = 12_000;
/** Label by which joinproof knows what it has made. */
export const OURS = 'joinproof.io/run';

/** As World.eventually. */
export const eventually = <T>(
  world: World,
  within: number,
  look: () => Promise<T | undefined>,
  every = 100,
): Promise<T | undefined> => world.eventually(within, look, every);

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
}

/** One thing in which a Secret differs: a data key, or its name, namespace, type, finalizer or immutability. undefined: it is left out. */
export type Alterations = Readonly<Record<string, string | undefined>>;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const NO_DATA = ['name', 'namespace', 'type', 'finalizer', 'immutable'];

/** Makes the Secret of a token that logs in and signs nothing, but for what is said otherwise. */
export async function makeToken(world: World, label: string, alterations: Alterations = {}): Promise<Made> {
  world.need('writes');
  const [id, otherId, half] = [world.random(6), world.random(6), world.random(16)];
  const fill = (value: string | undefined): string | undefined =>
    value?.replaceAll('<id>', id).replaceAll('<secret>', half).replaceAll('<other id>', otherId);
  const plain: Record<string, string | undefined> = {
    [TOKEN_KEYS.id]: id,
    [TOKEN_KEYS.secret]: half,
    [TOKEN_KEYS.description]: 'made by joinproof',
    [TOKEN_KEYS.expiration]: writeRfc3339(world.now() + LIFE),
    [USAGE_AUTHENTICATION]: 'true',
    ...Object.fromEntries(Object.entries(alterations).map(([key, value]) => [key, fill(value)])),
  };
  const data = Object.entries(plain).flatMap(([key, value]) =>
    value === undefined || NO_DATA.includes(key) ? [] : [[key, base64(value)] as const],
  );
  const name = plain.name ?? `${TOKEN_SECRET_PREFIX}${id}`;
  const namespace = plain.namespace ?? KUBE_SYSTEM;
  const secret = plain[TOKEN_KEYS.secret] ?? '';
  for (const value of [half, secret]) if (value !== '') world.secret(value);
  await world.writes.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace,
      labels: { [OURS]: 'scenario' },
      ...(plain.finalizer === undefined ? {} : { finalizers: [plain.finalizer] }),
    },
    type: plain.type ?? TOKEN_SECRET_TYPE,
    ...(plain.immutable === 'true' ? { immutable: true } : {}),
    data: Object.fromEntries(data),
  });
  const named = name.startsWith(TOKEN_SECRET_PREFIX) ? name.slice(TOKEN_SECRET_PREFIX.length) : id;
  const tokens = [...new Set([named, plain[TOKEN_KEYS.id] ?? '', id])]
    .filter((part) => part !== '')
    .map((part) => `${part}.${secret}`);
  return {
    label: `the token ${id}${label === '' ? '' : ` (${label})`}`,
    id,
    half: secret,
    token: `${id}.${secret}`,
    tokens,
    name,
    namespace,
  };
}

/** What an answer is judged by, in one request; TokenReview where the server is too old to say it by itself. */
export async function login(world: World, identity: Identity): Promise<Heard> {
  const answer = await world.as(identity).ask({
    method: 'POST',
    path: pathOf(resources.selfSubjectReviews),
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  });
  if (answer.status !== 404 || identity.kind !== 'token') return answer;
  const review = await world.admin.ask({
    method: 'POST',
    path: pathOf(resources.tokenReviews),
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: identity.token } },
  });
  const status = (review.body as { status?: { authenticated?: boolean; user?: unknown } } | undefined)?.status;
  return status?.authenticated === true
    ? { status: 201, body: { status: { userInfo: status.user } } }
    : { status: 401, body: { kind: 'Status', reason: 'Unauthorized' } };
}

export const bearer = (made: Pick<Made, 'token'>): Identity => ({ kind: 'token', token: made.token });

export const clientOf = (world: World, made: Pick<Made, 'token'>): Asker => world.as(bearer(made));

/** The answer to a login, asked again until it is good or the time is over: a new Secret is not known at once. */
export async function loginSoon(
  world: World,
  made: Pick<Made, 'token'>,
  good: (heard: Heard) => boolean = (heard) => whoAmI(heard) !== undefined,
): Promise<Heard> {
  let last: Heard = { status: 0, body: undefined };
  await eventually(world, SOON, async () => {
    last = await login(world, bearer(made));
    return good(last) ? true : undefined;
  });
  return last;
}

/** The positive control of every refusal: a token like the others, but good. Once it logs in, whatever was made before it is known, too. */
export async function controlLogin(world: World, made: Made): Promise<void> {
  world.control(judgeLogin(made.label, await loginSoon(world, made)));
}

/**
 * A value as tables write it: in quotation marks where blanks matter (Gherkin itself reads \\n), (absent), (empty), or a time: "1 hour ago", "in 30 minutes",
 * "in 1 hour, written at +09:00". Everything else is taken as it stands.
 */
export function valueIn(text: string, now: number): string | undefined {
  if (text === '(absent)') return undefined;
  if (text === '(empty)') return '';
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const [, ahead, count, unit, ago, offset] =
    /^(in )?(\d+) (second|minute|hour|day|year)s?( ago)?(?:, written at ([+-]\d\d):00)?$/.exec(text) ?? [];
  if (count === undefined || unit === undefined || (ahead === undefined) === (ago === undefined)) return text;
  const length = { second: 1, minute: 60, hour: 3600, day: 86_400, year: 31_557_600 }[unit] ?? 0;
  const at = now + (ago === undefined ? 1 : -1) * Number(count) * length * 1000;
  return offset === undefined ? writeRfc3339(at) : writeWithOffset(at, Number(offset));
}

/** Rows "key, value": one Secret with all of them. */
export function alterationsIn(world: World, table: DataTable): Alterations {
  const now = world.now();
  return Object.fromEntries(table.raw().map(([key = '', value = '']) => [key, valueIn(value, now)]));
}

/** Rows with a header of keys: a Secret a row. Column "what" names it. */
export function rowsOfAlterations(
  world: World,
  table: DataTable,
): { readonly label: string; readonly alterations: Alterations }[] {
  const now = world.now();
  return table.hashes().map(({ what, ...row }) => {
    const cells = Object.entries(row).filter(([, value]) => value !== '');
    return {
      label: what ?? cells.map(([key, value]) => `${key} ${value}`).join(', '),
      alterations: Object.fromEntries(cells.map(([key, value]) => [key, valueIn(value, now)])),
    };
  });
}

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

/**
 * The same for each, in order. Over a network side by side; with a target in our own process one after another, since there every further
 * connection costs more than it saves.
 */
export async function forEach<T, R>(world: World, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  if (!world.holds('inProcess')) return Promise.all(items.map(work));
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
