/** What a joining client makes of a server, honest or lying, told by what it asks, shows, leaves and ends with. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { CA } from './joined-files.js';
import {
  type Attempts,
  DISCOVERY,
  each,
  eachDeed,
  endOf,
  endsWithError,
  failed,
  isRequestTaken,
  listed,
  OWN_WAYS,
  ofKubeadm,
  shows,
  unlessStarved,
} from './joining-attempts.js';
import { type Attempt, ITS_TOKEN, isPreflight, type Seen } from './joining-client-reader.js';

const isCertified = (one: Seen): boolean => isRequestTaken(one) && one.as === ITS_TOKEN;
const wordsOf = ({ words }: Attempt): string => (words === '' ? '' : `, saying "${words.slice(0, 300)}"`);
const OWN_WORDS = 'the client has words of its own: it does not speak as kubeadm does';

/** It was given a certificate for its token, and says that all went well. */
export const clientJoins: Check<Attempts> = {
  id: 'joining-client/joins',
  source: '002, kubeadm join; cmd/kubeadm/app/cmd/join.go',
  judge: each((attempt) => {
    const certified = attempt.seen.some(isCertified);
    return demand({
      subject: attempt.subject,
      demanded: 'the client joins: it asks for a certificate with its token, and ends with 0',
      seen: `${endOf(attempt)}${certified ? '' : ', without such a request'}${wordsOf(attempt)}`,
      ok: attempt.exit === 0 && certified,
    });
  }),
};

/** The same of clients that take what kubeadm and client-go take. */
export const kubeadmJoins: Check<Attempts> = {
  id: 'joining-client/kubeadm-joins',
  source: 'client-go, rest/url_utils.go DefaultServerURL; cmd/kubeadm/app/discovery/token/token.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientJoins.judge),
};

/** Milliseconds that a failed ConfigMap is asked for again. Source: util/apiclient/idempotency.go GetConfigMapWithShortRetry. */
const ASKED_AGAIN = 350;
/** The shortest time between two things that it asks: whose calls take long asks nothing twice in it. */
const paceOf = ({ seen }: Attempt): number =>
  Math.min(...seen.slice(1).map(({ first }, index) => first - (seen[index]?.last ?? 0)));

/** The same of clients whose calls are quick enough for asking again. */
export const quickClientJoins: Check<Attempts> = {
  id: 'joining-client/joins-quickly',
  source: 'cmd/kubeadm/app/util/apiclient/idempotency.go GetConfigMapWithShortRetry',
  nothing: 'its calls take longer than kubeadm asks again for',
  judge: (attempts) =>
    clientJoins.judge(
      attempts.filter((attempt) => paceOf(attempt) < ASKED_AGAIN / 2),
      undefined,
    ),
};

/** Why these do not all join, of the first that does not; undefined: they do, or nobody knows. */
export function whyNotJoined(attempts: Attempts): string | undefined {
  const unmet = clientJoins.judge(attempts, undefined).find(({ result }) => result === 'unmet');
  return unmet === undefined ? undefined : `it does not join ${unmet.subject}: ${unmet.seen}`;
}

/** Whoever looks at cluster-info need not be one: that everybody may. */
const isOne = ({ exit, seen }: Attempt): boolean => exit !== null && seen.some(({ as }) => as.startsWith(ITS_TOKEN));
export const showsOne = (attempts: Attempts): boolean => attempts.some(isOne);

/** Before one of these servers it does what only joining clients do, whatever becomes of it. */
export const clientIsOne: Check<Attempts> = {
  id: 'joining-client/is-one',
  source: '002, kubeadm join; 002, shared token discovery',
  judge: (attempts) => {
    const one = attempts.find(isOne);
    const seen = attempts.map((attempt) => `${endOf(attempt)}, without showing it${wordsOf(attempt)}`);
    return [
      demand({
        subject: one?.subject ?? listed(attempts.map(({ subject }) => subject)),
        demanded: 'a joining client: it shows its token, and ends by itself',
        seen: one === undefined ? listed(seen) : endOf(one),
        ok: one !== undefined,
      }),
    ];
  },
};

/** A CA that it may believe it may keep as well, which is no secret; kubeadm asks the server first. */
const mayKeep = ({ isBelievable, speaksKubeadm }: Attempt, path: string): boolean =>
  isBelievable === true && !speaksKubeadm && path === CA;

/** What it ought not to have done before it believes a server. */
function trustIn(attempt: Attempt): readonly string[] {
  const shown = attempt.seen.filter(shows).map(({ as, what }) => `it asks ${what} as ${as}`);
  const left = attempt.left.filter((path) => !mayKeep(attempt, path)).map((path) => `it leaves ${path}`);
  return [...shown, ...left];
}

/** It ends by itself with an error, and has trusted the server with nothing. */
export const clientRefuses: Check<Attempts> = {
  id: 'joining-client/refuses',
  source: DISCOVERY,
  judge: each((attempt) => {
    const trusted = trustIn(attempt);
    return refusal({
      subject: attempt.subject,
      demanded: 'is not trusted: the client ends with an error, shows no credential and leaves no file',
      seen: [endOf(attempt), listed(trusted)].filter((part) => part !== '').join('; '),
      ok: trusted.length === 0 && endsWithError(attempt),
    });
  }),
};

/** It asks the server that cluster-info, or its file, names; the endpoint is for finding that out. */
export const clientAsksNamed: Check<Attempts> = {
  id: 'joining-client/asks-named',
  source: 'cmd/kubeadm/app/discovery/discovery.go For; 002, shared token discovery',
  judge: eachDeed((attempt: Attempt) => {
    const asked = attempt.seen.filter(({ as }) => as.startsWith(ITS_TOKEN));
    const others = asked.filter(({ elsewhere }) => elsewhere === true).map(({ what }) => what);
    const finding = demand({
      subject: attempt.subject,
      demanded: 'the client shows its token to the server that the validated cluster-info names, by that name',
      seen:
        asked.length === 0 ? 'it shows it to nobody' : others.length === 0 ? 'it does' : `not with ${listed(others)}`,
      ok: asked.length > 0 && others.length === 0,
    });
    return asked.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** The same of clients that compare signatures as kubeadm does: as texts. */
export const kubeadmRefuses: Check<Attempts> = {
  id: 'joining-client/kubeadm-refuses',
  source: 'cluster-bootstrap, token/jws/jws.go DetachedTokenIsValid',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientRefuses.judge),
};

/** It ends with an error before it asks anybody anything. */
export const clientAsksNobody: Check<Attempts> = {
  id: 'joining-client/asks-nobody',
  source: 'cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  judge: each((attempt) => {
    const asked = attempt.seen.map(({ what }) => what);
    return refusal({
      subject: attempt.subject,
      demanded: 'the client ends with an error before it asks anybody anything',
      seen: `${endOf(attempt)}${asked.length === 0 ? '' : `; it asks ${listed(asked)}`}`,
      ok: asked.length === 0 && attempt.left.length === 0 && endsWithError(attempt),
    });
  }),
};

/** The same of clients that check the machine as kubeadm does. */
export const kubeadmAsksNobody: Check<Attempts> = {
  id: 'joining-client/kubeadm-asks-nobody',
  source: 'cmd/kubeadm/app/preflight/checks.go RunJoinNodeChecks',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientAsksNobody.judge),
};

/** The pair that a kubelet takes for its own; one that does not fit may lie beside it under its date. */
const PAIR = /\/kubelet-client(?!-\d)[^/]*\.pem$/;

/** It ends with an error, and keeps no certificate. */
export const clientFails: Check<Attempts> = {
  id: 'joining-client/fails',
  source: '002, kubeadm join; cmd/kubeadm/app/cmd/join.go',
  judge: each((attempt) => {
    const kept = attempt.left.filter((path) => PAIR.test(path));
    return refusal({
      subject: attempt.subject,
      demanded: 'the client does not join: it ends with an error, and keeps no certificate',
      seen: [endOf(attempt), listed(kept)].filter((part) => part !== '').join('; '),
      ok: kept.length === 0 && endsWithError(attempt),
    });
  }),
};

/** It ends with an error, whatever it keeps. */
export const clientEnds: Check<Attempts> = {
  id: 'joining-client/ends',
  source: '002, kubeadm join; cmd/kubeadm/app/cmd/join.go',
  judge: each((attempt) =>
    refusal({
      subject: attempt.subject,
      demanded: 'the client does not join: it ends with an error',
      seen: endOf(attempt),
      ok: endsWithError(attempt),
    }),
  ),
};

/** The same of clients that need what kubeadm needs of a cluster. */
export const kubeadmFails: Check<Attempts> = {
  id: 'joining-client/kubeadm-fails',
  source: 'cmd/kubeadm/app/util/config/cluster.go FetchInitConfigurationFromCluster',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientFails.judge),
};

/** Why it ends, for people. */
export const clientSays: Check<Attempts, { readonly words: string }> = {
  id: 'joining-client/says',
  source: 'cmd/kubeadm/app/discovery/discovery.go For; cmd/kubeadm/app/discovery/token/token.go',
  nothing: OWN_WORDS,
  judge: ofKubeadm(
    each((attempt, { words }) =>
      demand({
        subject: attempt.subject,
        demanded: `the client ends with an error and says "${words}"`,
        seen: `${endOf(attempt)}${wordsOf(attempt)}`,
        ok:
          failed(attempt) && [attempt.words, ...attempt.said.filter(isPreflight)].some((line) => line.includes(words)),
      }),
    ),
  ),
};

/** A line that it says on the way. */
export const clientTells: Check<Attempts, { readonly words: string }> = {
  id: 'joining-client/tells',
  source: 'cmd/kubeadm/app/phases/kubelet/kubelet.go TryStartKubelet',
  nothing: OWN_WORDS,
  judge: ofKubeadm(
    each(({ subject, said }, { words }) => {
      const found = said.some((line) => line.toLowerCase().includes(words.toLowerCase()));
      const seen = found ? 'it does' : `it says ${said.length} other lines`;
      return demand({ subject, demanded: `the client says "${words}"`, seen, ok: found });
    }),
  ),
};

/** What it says is read by whoever looks no further. */
export const clientDoesNotTell: Check<Attempts, { readonly words: string }> = {
  id: 'joining-client/does-not-tell',
  source: 'cmd/kubeadm/app/cmd/join.go, joinWorkerNodeDoneMsg',
  nothing: OWN_WORDS,
  judge: ofKubeadm(
    each(({ subject, said, words: last }, { words }) => {
      const telling = [...said, last].filter((line) => line.toLowerCase().includes(words.toLowerCase())).length;
      return refusal({
        subject,
        demanded: `the client does not say "${words}"`,
        seen: telling === 0 ? 'it does not' : `it does, ${telling} times`,
        ok: telling === 0,
      });
    }),
  ),
};

/** Something that is asked as whom, or asked by nobody at all. */
export const clientAsks: Check<Attempts, { readonly what: string; readonly as: string }> = {
  id: 'joining-client/asks',
  source: '002, kubeadm join; 000, the phases of join',
  judge: eachDeed((attempt: Attempt, { what, as }) => {
    const { subject, seen } = attempt;
    const asked = seen.filter((one) => one.what === what);
    const finding = demand({
      subject,
      demanded: `the client asks ${what} as ${as}`,
      seen: listed(asked.map((one) => `as ${one.as}`)) || 'it does not ask for it',
      ok: asked.length > 0 && asked.every((one) => one.as === as),
    });
    return asked.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};
export const clientDoesNotAsk: Check<Attempts, { readonly what: string }> = {
  id: 'joining-client/does-not-ask',
  source: '000, runControlPlanePrepareDownloadCertsPhaseLocal',
  judge: each(({ subject, seen }, { what }) => {
    const asked = seen.filter((one) => one.what === what);
    return refusal({
      subject,
      demanded: `the client does not ask ${what}`,
      seen: asked.length === 0 ? 'it does not' : `it does, as ${listed(asked.map(({ as }) => as))}`,
      ok: asked.length === 0,
    });
  }),
};

/** Keys that certificates were asked for: each of its own, and none of them sent. */
export const clientKeepsItsKey: Check<Attempts> = {
  id: 'joining-client/keeps-its-key',
  source: '004, the key is made on the node; RFC 2986',
  judge: (attempts) =>
    attempts.flatMap((attempt, index) => {
      const { subject, seen } = attempt;
      const own = seen.flatMap(({ key }) => key ?? []);
      const others = attempts.flatMap((other, at) => (at === index ? [] : other.seen.flatMap(({ key }) => key ?? [])));
      const leaks = seen.filter((one) => one.leaks === true);
      const ofThis = demand({
        subject,
        demanded: 'a certificate is asked for a key of this join alone',
        seen: own.length === 0 ? 'no key can be read' : listed(own),
        ok: own.length > 0 && own.every((key) => !others.includes(key)),
      });
      return [
        ...(attempts.length > 1 ? [ofThis] : []),
        demand({
          subject,
          demanded: 'no private key is sent',
          seen: leaks.length === 0 ? `none in ${seen.length} requests` : listed(leaks.map(({ what }) => what)),
          ok: seen.length > 0 && leaks.length === 0,
        }),
      ];
    }),
};
