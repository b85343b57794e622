/**
 * What an extension API server is sent of who asks.
 * Source: 003, the handler with authenticators; apiserver, pkg/endpoints/filters/{authentication,impersonation}.go;
 * client-go, transport/round_trippers.go SetAuthProxyHeaders.
 */
import { record } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import type { Heard } from '../common/answers.js';

/** Names in lower case, and values, in their order. */
export type SentHeaders = readonly (readonly [name: string, value: string])[];

/** A request that an API server has handed on. */
export interface HandedOn {
  /** "a bootstrap token" */
  readonly subject: string;
  readonly status: number;
  /** Headers that the extension API server was sent; undefined: the answer is not its own. */
  readonly sent: SentHeaders | undefined;
  readonly username: string;
  readonly uid: string;
  /** All of them. */
  readonly groups: readonly string[];
  /** What else is known of him: values by key. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** Names of headers, in lower case, that the asker sent to say who he is. */
  readonly named: readonly string[];
  /** Parts of his credential, of eight characters or more. */
  readonly secrets: readonly string[];
}

/** Reader: headers in the answer of an extension API server that repeats them. */
export function sentIn({ status, body }: Heard): Pick<HandedOn, 'status' | 'sent'> {
  const { sent } = record(body);
  if (status !== 200 || !Array.isArray(sent)) return { status, sent: undefined };
  const pairs = sent.flatMap((pair: unknown) =>
    Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string'
      ? [[pair[0].toLowerCase(), pair[1]] as const]
      : [],
  );
  return { status, sent: pairs };
}

const USER = 'x-remote-user';
const UID = 'x-remote-uid';
const GROUP = 'x-remote-group';
const EXTRA = 'x-remote-extra-';
/** By these an API server says who asks; that is a demand of its own. */
const TOLD: ReadonlySet<string> = new Set([USER, UID, GROUP]);

const sorted = (texts: readonly string[]): string => JSON.stringify([...texts].sort());

const valuesOf = (sent: SentHeaders, name: string): string[] =>
  sent.flatMap(([header, value]) => (header === name ? [value] : []));

function asked({ subject, status, sent, username, uid, groups }: HandedOn): Finding {
  const demanded = `the extension API server is told that ${JSON.stringify(username)} asks, in ${JSON.stringify(groups)}`;
  if (sent === undefined) return demand({ subject, demanded, seen: `${status}`, ok: undefined });
  const [users, uids, theirs] = [valuesOf(sent, USER), valuesOf(sent, UID), valuesOf(sent, GROUP)];
  const seen =
    users.length === 0
      ? 'it is told nobody'
      : `it is told ${JSON.stringify(users)}, in ${JSON.stringify(theirs)}${uids.length === 0 ? '' : `, of the UID ${JSON.stringify(uids)}`}`;
  const ok =
    sorted(users) === sorted([username]) && sorted(theirs) === sorted(groups) && uids.every((one) => one === uid);
  return demand({ subject, demanded, seen, ok });
}

function kept({ subject, status, sent, named, secrets }: HandedOn): Finding {
  const demanded = 'the extension API server is sent no credential';
  if (sent === undefined) return refusal({ subject, demanded, seen: `${status}`, ok: undefined });
  const passed = sent.filter(
    ([name, value]) =>
      (!TOLD.has(name) && (name === 'authorization' || named.includes(name))) ||
      secrets.some((secret) => value.includes(secret)),
  );
  const names = [...new Set(passed.map(([name]) => name))].sort();
  const seen = names.length === 0 ? 'none is sent' : `it is sent what the asker sent as ${names.join(', ')}`;
  return refusal({ subject, demanded, seen, ok: names.length === 0 });
}

/** Who asks is told, and nothing by which somebody else could ask as the same. */
export const handedOnWithout: Check<readonly HandedOn[]> = {
  id: 'extension-requests/handed-on',
  source: '003, the handler with authenticators; apiserver, pkg/endpoints/filters/authentication.go withAuthentication',
  judge: (requests) => requests.flatMap((request) => [asked(request), kept(request)]),
};

/** A key of extra as headers carry it: in small letters, and what is no sign of a name escaped. */
const keyOf = (header: string): string => {
  const key = header.slice(EXTRA.length);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
};
const pairsOf = (extra: readonly (readonly [key: string, value: string])[]): string =>
  JSON.stringify(extra.map(([key, value]) => `${key.toLowerCase()}=${value}`).sort());

/** What is known of who asks beside name and groups is told as it is, and nothing else. */
export const handedOnWhole: Check<readonly HandedOn[], { readonly uid: boolean }> = {
  id: 'extension-requests/handed-on-whole',
  source: 'client-go, transport/round_trippers.go SetAuthProxyHeaders',
  judge: (requests, parameters) =>
    requests.flatMap(({ subject, status, sent, uid, extra }) => {
      const known = pairsOf(Object.entries(extra).flatMap(([key, values]) => values.map((one) => [key, one] as const)));
      const demanded = `the extension API server is told of who asks, besides, ${known}`;
      const ofUid = `the extension API server is told the UID ${JSON.stringify(uid)}`;
      if (sent === undefined) return [demand({ subject, demanded, seen: `${status}`, ok: undefined })];
      const told = pairsOf(
        sent.flatMap(([header, value]) => (header.startsWith(EXTRA) ? [[keyOf(header), value] as const] : [])),
      );
      const uids = valuesOf(sent, UID);
      return [
        demand({ subject, demanded, seen: `it is told ${told}`, ok: told === known }),
        ...(parameters.uid
          ? [
              demand({
                subject,
                demanded: ofUid,
                seen: `it is told ${JSON.stringify(uids)}`,
                ok: sorted(uids) === sorted(uid === '' ? [] : [uid]),
              }),
            ]
          : []),
      ];
    }),
};
