/** Joining clients that believe more where they are told something else as well. */
import { createHmac } from 'node:crypto';
import type { AnotherClient } from '../joining/another.js';
import type { JoinConfiguration } from '../joining/configuration.js';
import type { Files } from '../joining/ports.js';
import { type Fields, isRecord, record, text } from '../kubernetes/json.js';
import { SIGNATURE_KEY_PREFIX } from '../kubernetes/names.js';
import type { Wire, WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { type Decided, isLook, textOf } from './joining-hooks.js';

/** Decides otherwise in such joins. */
export const deciding = (is: Is, decided: Decided): AnotherClient => ({
  decidesFor: (told) => (is(told) ? decided : {}),
});
/** Reads otherwise what it is told, where it is told this as well. */
export const reading = (is: Is, change: (told: JoinConfiguration) => JoinConfiguration): AnotherClient => ({
  configuration: (told) => (is(told) ? change(told) : told),
});
/** Waits so many times as long as it is told. */
export const times = (is: Is, which: keyof JoinConfiguration['timeouts'], factor: number): AnotherClient =>
  reading(is, (told) => ({ ...told, timeouts: { ...told.timeouts, [which]: factor * told.timeouts[which] } }));

type Token = NonNullable<JoinConfiguration['discovery']['bootstrapToken']>;
const readingToken = (is: Is, change: (token: Token) => Token): AnotherClient =>
  reading(is, (told) => {
    const { bootstrapToken } = told.discovery;
    return bootstrapToken === undefined
      ? told
      : { ...told, discovery: { ...told.discovery, bootstrapToken: change(bootstrapToken) } };
  });
/** Reads other pins than it is told. */
export const readingPins = (is: Is, pins: (told: readonly string[]) => readonly string[]): AnotherClient =>
  readingToken(is, (token) => ({ ...token, caCertHashes: pins(token.caCertHashes) }));
/** What a machine is told of pins is passed over where it is told this as well. */
export const renouncingWhere = (is: Is): AnotherClient =>
  readingToken(is, (token) => ({ ...token, caCertHashes: [], unsafeSkipCAVerification: true }));

function mapIn(answer: WireAnswer): Fields {
  try {
    return record(JSON.parse(textOf(answer)));
  } catch {
    return {};
  }
}

/** cluster-info as it would be with the right signature for this token, which then counts for whatever came. */
function rightlySigned(answer: WireAnswer, token: string): WireAnswer {
  const [id = '', secret = ''] = token.split('.');
  const map = mapIn(answer);
  const { data } = map;
  if (!isRecord(data) || answer.kind !== 'answer') return answer;
  const encoded = (written: string): string => Buffer.from(written).toString('base64url');
  const header = encoded(JSON.stringify({ alg: 'HS256', kid: id }));
  const signed = `${header}.${encoded(text(data.kubeconfig))}`;
  const signature = `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  const body = { ...map, data: { ...data, [`${SIGNATURE_KEY_PREFIX}${id}`]: signature } };
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** One join: what it was told, and what it remembers. */
export interface Join {
  told: JoinConfiguration | undefined;
  rotates: boolean;
  isOver: boolean;
}
/** What it does otherwise. */
export interface Otherwise {
  readonly exchange?: (question: WireQuestion, wire: Wire, join: Join) => Promise<WireAnswer>;
  readonly write?: (disk: Files, path: string, text: string, mode: number, join: Join) => void;
  readonly remove?: (disk: Files, path: string, join: Join) => void;
}

/** Does otherwise in such joins. They run side by side: a wire is made just before its join is told, and has its disk. */
export function where(is: (join: Join) => boolean, { exchange, write, remove }: Otherwise): AnotherClient {
  let latest: Join = { told: undefined, rotates: true, isOver: false };
  return {
    wire: (wire) => {
      const own: Join = { told: undefined, rotates: true, isOver: false };
      latest = own;
      return {
        exchange: (question) =>
          exchange !== undefined && is(own) ? exchange(question, wire, own) : wire.exchange(question),
      };
    },
    files: (files) => {
      const own = latest;
      return {
        exists: (path) => files.exists(path),
        read: (path) => files.read(path),
        link: (path, target) => files.link(path, target),
        write: (path, text, mode) => {
          if (path.endsWith('/kubelet/config.yaml')) own.rotates = text.includes('rotateCertificates: true');
          if (write !== undefined && is(own)) write(files, path, text, mode, own);
          else files.write(path, text, mode);
        },
        remove: (path) => (remove !== undefined && is(own) ? remove(files, path, own) : files.remove(path)),
      };
    },
    configuration: (told) => {
      latest.told = told;
      return told;
    },
  };
}
export const asBearer = ({ headers }: WireQuestion): boolean => headers.authorization !== undefined;
/** Asked of whoever answers. */
export const unverified = (is: (question: WireQuestion) => boolean): Otherwise => ({
  exchange: (question, wire) => wire.exchange(is(question) ? { ...question, trust: 'anybody' } : question),
});

export type Is = (told: JoinConfiguration) => boolean;
/** Ways of joining, and what a machine is told with them. */
export const WAYS = {
  unsafe: ({ discovery }) => discovery.bootstrapToken?.unsafeSkipCAVerification === true,
  file: ({ discovery: { file } }) => file !== undefined && !/^https?:/.test(file.kubeConfigPath),
  https: ({ discovery: { file } }) => file?.kubeConfigPath.startsWith('https:') === true,
  cp: ({ controlPlane }) => controlPlane !== undefined,
  // Flags cannot say how long is waited for the API server.
  cli: ({ timeouts }) => timeouts.kubernetesAPICall === 60_000,
  dotted: ({ nodeRegistration }) => nodeRegistration.name.includes('.'),
} as const satisfies Readonly<Record<string, Is>>;

export const both =
  (...all: readonly Is[]): Is =>
  (told) =>
    all.every((is) => is(told));
export const byToken: Is = ({ discovery }) => discovery.bootstrapToken !== undefined;
/** Control planes, by how they find their cluster or what they are called. */
export const PLANES = {
  byFile: (told) => WAYS.cp(told) && !byToken(told),
  unsafe: both(WAYS.cp, WAYS.unsafe),
  dotted: both(WAYS.cp, WAYS.dotted),
} as const satisfies Readonly<Record<string, Is>>;

/** For `where`: joins that are told such things. */
export const inJoins =
  (is: Is) =>
  ({ told }: Join): boolean =>
    told !== undefined && is(told);

/** Whatever cluster-info comes is signed as it should be. */
export const believingWhere = (is: Is): AnotherClient =>
  where(inJoins(is), {
    exchange: async (question, wire, join) => {
      const answer = await wire.exchange(question);
      const token = join.told?.discovery.bootstrapToken?.token;
      return token !== undefined && isLook(question) ? rightlySigned(answer, token) : answer;
    },
  });

/** The same of servers that are shown the token. */
export const believingAllWhere = (is: Is): AnotherClient => where(inJoins(is), unverified(asBearer));
