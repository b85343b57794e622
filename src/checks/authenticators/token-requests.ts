/**
 * What a token of a service account says that was asked for by a TokenRequest: its end, for whom it is, and what it
 * goes with.
 * Source: pkg/registry/core/serviceaccount/storage/token.go Create; pkg/serviceaccount/claims.go Claims.
 */
import { isRecord, list, record, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { extraOf, type Login, OF_CREDENTIALS, whoAmI } from './login.js';

/** An object that a token is bound to. */
export interface BoundTo {
  readonly kind: 'pod' | 'secret' | 'node';
  readonly name: string;
  readonly uid: string;
}

/** What was asked for. */
export interface TokenAsked {
  /** undefined: nothing is said of it, which is an hour. */
  readonly seconds?: number;
  /** Longer lives that are as good: a Pod's own token may be given for a year. */
  readonly orSeconds?: number;
  /** undefined: nobody is named, which is the API server. */
  readonly audiences?: readonly string[];
  readonly boundTo?: BoundTo;
}

/** Claims of a token, decoded, and when the answer says that it ends. */
export interface TokenGiven {
  readonly subject: string;
  readonly asked: TokenAsked;
  readonly claims: Readonly<Record<string, unknown>> | null;
  /** RFC 3339. */
  readonly expires: string;
  /** What was asked for, as the answer has it. */
  readonly told: Readonly<Record<string, unknown>>;
}

const HOUR = 3600;
const KINDS = ['pod', 'secret', 'node'] as const;
const sorted = (all: readonly unknown[]): string => JSON.stringify(all.map(String).sort());

const audiencesOf = ({ aud }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  typeof aud === 'string' ? [aud] : list(aud);

function bindingOf(claims: Readonly<Record<string, unknown>>): string {
  const own = record(claims['kubernetes.io']);
  // the node of a Pod stands beside it
  const bound = KINDS.filter((kind) => isRecord(own[kind]) && (kind !== 'node' || !isRecord(own.pod)));
  const shown = bound.map((kind) => `${kind} ${text(record(own[kind]).name)} ${text(record(own[kind]).uid)}`);
  return shown.join(', ') || 'nothing';
}

/** An answer that leaves out what was asked for says of the token what is not so. */
const toldOf = ({ audiences, expirationSeconds, boundObjectRef }: Readonly<Record<string, unknown>>): string => {
  const { kind, name } = record(boundObjectRef);
  const bound = isRecord(boundObjectRef) ? `${text(kind).toLowerCase()} ${text(name)}` : 'nothing';
  return `for ${sorted(list(audiences))}, for ${String(expirationSeconds)} seconds, with ${bound}`;
};

function judged({ subject, asked, claims, expires, told: answered }: TokenGiven): Finding[] {
  const { seconds = HOUR, orSeconds, audiences, boundTo } = asked;
  const told = claims ?? {};
  const { exp, iat, nbf } = told;
  const life = Number(exp) - Number(iat);
  const lives = [seconds, ...(orSeconds === undefined ? [] : [orSeconds])];
  // a server may have an upper bound, of an hour at least
  const isBounded = life < seconds && life >= HOUR;
  const own = audiencesOf(told);
  const wanted = boundTo === undefined ? 'nothing' : `${boundTo.kind} ${boundTo.name} ${boundTo.uid}`;
  const ends = Date.parse(expires) / 1000 - Number(iat);
  const expirationSeconds = Math.min(seconds, Number.isFinite(life) ? life : seconds);
  const granted = toldOf({ audiences: own, expirationSeconds, boundObjectRef: boundTo });
  return [
    demand({
      subject,
      demanded: `is good for ${seconds} seconds`,
      seen: claims === null ? 'it is no JWT' : `it is for ${life}`,
      ok: lives.includes(life) || isBounded,
    }),
    demand({
      subject,
      demanded: 'is good from when it is made',
      seen: nbf === undefined ? 'it does not say' : `it is, ${Number(nbf) - Number(iat)} seconds later`,
      ok: nbf === undefined || nbf === iat,
    }),
    demand({
      subject,
      demanded: 'is said to end when it was asked for to end',
      seen: `it is said to, ${ends} seconds after it was made`,
      ok: Math.abs(ends - Math.min(seconds, life)) <= 1,
    }),
    demand({
      subject,
      demanded: audiences === undefined ? 'is for the API server' : `is for ${sorted(audiences)}`,
      seen: `it is for ${sorted(own)}`,
      ok: audiences === undefined ? own.length > 0 : sorted(own) === sorted(audiences),
    }),
    demand({
      subject,
      demanded: `goes with ${wanted}`,
      seen: `it goes with ${bindingOf(told)}`,
      ok: bindingOf(told) === wanted,
    }),
    demand({
      subject,
      demanded: `is said to be ${granted}`,
      seen: `it is said to be ${toldOf(answered)}`,
      ok: toldOf(answered) === granted,
    }),
  ];
}

export const tokenIsAsAsked: Check<readonly TokenGiven[]> = {
  id: 'token-requests/as-asked',
  source: 'pkg/registry/core/serviceaccount/storage/token.go Create; pkg/serviceaccount/claims.go Claims',
  judge: (tokens) => tokens.flatMap(judged),
};

/** A login with a token that is bound to a Pod or a Node. */
export interface LoginOfPod extends Login {
  /** undefined: to none. */
  readonly pod?: Pick<BoundTo, 'name' | 'uid'>;
  /** The Node, of the Pod or itself; undefined: none. */
  readonly node?: Pick<BoundTo, 'name' | 'uid'>;
  /** Id of the token; '' where it has none. */
  readonly jti: string;
}

/** Policies go by what is told of the bearer: the Pod, its Node, and the token. */
export const loginTellsPod: Check<readonly LoginOfPod[]> = {
  id: 'token-requests/tells-pod',
  source: 'apiserver, pkg/authentication/serviceaccount/util.go ServiceAccountInfo.UserInfo',
  judge: (logins) =>
    logins.flatMap(({ subject, heard, pod, node, jti }) => {
      const extra = extraOf(heard);
      const isKnown = whoAmI(heard) !== undefined;
      const look = (key: string, wanted: string | undefined): Finding => {
        const seen = JSON.stringify(extra[OF_CREDENTIALS + key] ?? null);
        const ok = seen === JSON.stringify(wanted === undefined ? null : [wanted]);
        const demanded = wanted === undefined ? `is told without ${key}` : `is told with ${key} ${wanted}`;
        return demand({ subject, demanded, seen: `${key}: ${seen}`, ok: isKnown ? ok : undefined });
      };
      return [
        look('pod-name', pod?.name),
        look('pod-uid', pod?.uid),
        look('node-name', node?.name),
        look('node-uid', node?.uid),
        look('credential-id', jti === '' ? undefined : `JTI=${jti}`),
      ];
    }),
};
