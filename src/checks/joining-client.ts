/** What a joining client makes of a server, honest or lying, told by what it asks, shows, leaves and ends with. */
import type { Check } from '../model/check.js';
import { demand, type Finding, refusal } from '../model/finding.js';
import { type Attempt, ITS_TOKEN, NOBODY, REQUESTS, type Seen } from './joining-client-reader.js';

const DISCOVERY = '002, shared token discovery; cmd/kubeadm/app/discovery';
const CLUSTER_INFO = 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info';

export type Attempts = readonly Attempt[];

/** Any prefix that the endpoint may have stands before the path. */
const isLook = ({ what }: Seen): boolean =>
  what.startsWith('GET /') && what.endsWith(CLUSTER_INFO.slice('GET '.length));
const looksIn = ({ seen }: Attempt): number => seen.filter(isLook).reduce((sum, { times }) => sum + times, 0);
const isCertified = ({ what, as, answered }: Seen): boolean =>
  what === REQUESTS && as === ITS_TOKEN && answered === 201;
const shows = ({ as }: Seen): boolean => as !== NOBODY;

export const endOf = ({ exit, milliseconds }: Attempt): string =>
  exit === null ? 'it had to be ended' : `it ends with ${exit} after ${Math.round(milliseconds / 100) / 10} s`;
const wordsOf = ({ words }: Attempt): string => (words === '' ? '' : `, saying "${words.slice(0, 300)}"`);
const listed = (all: readonly string[]): string => [...new Set(all)].slice(0, 5).join(', ');

/** One finding for each client before a server. */
export const each =
  <P = undefined>(look: (attempt: Attempt, parameters: P) => Finding): Check<Attempts, P>['judge'] =>
  (attempts, parameters) =>
    attempts.map((attempt) => look(attempt, parameters));

/** Of clients that do as kubeadm does, and speak like it. */
export const ofKubeadm =
  <P>(judge: Check<Attempts, P>['judge']): Check<Attempts, P>['judge'] =>
  (attempts, parameters) =>
    judge(
      attempts.filter(({ speaksKubeadm }) => speaksKubeadm),
      parameters,
    );
export const OWN_WAYS = 'the client has ways of its own: it does not speak as kubeadm does';
const OWN_WORDS = 'the client has words of its own: it does not speak as kubeadm does';

export const failed = ({ exit }: Attempt): boolean => exit !== null && exit !== 0;

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

/** Before an honest server it does what only joining clients do, whatever becomes of it. */
export const clientIsOne: Check<Attempts> = {
  id: 'joining-client/is-one',
  source: '002, kubeadm join; 002, shared token discovery',
  judge: each((attempt) => {
    const asks = attempt.seen.some((one) => isLook(one) || shows(one));
    return demand({
      subject: attempt.subject,
      demanded: 'a joining client: it asks for cluster-info, or with its token, and ends by itself',
      seen: `${endOf(attempt)}${asks ? '' : ', without asking for either'}${wordsOf(attempt)}`,
      ok: attempt.exit !== null && asks,
    });
  }),
};

/** What it ought not to have done before it believes a server. */
function trustIn(attempt: Attempt): readonly string[] {
  const shown = attempt.seen.filter(shows).map(({ as, what }) => `it asks ${what} as ${as}`);
  const left = attempt.left.map((path) => `it leaves ${path}`);
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
      ok: failed(attempt) && trusted.length === 0,
    });
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
      ok: failed(attempt) && asked.length === 0 && attempt.left.length === 0,
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
      ok: failed(attempt) && kept.length === 0,
    });
  }),
};

/** The same of clients that need what kubeadm needs of a cluster. */
export const kubeadmFails: Check<Attempts> = {
  id: 'joining-client/kubeadm-fails',
  source: 'cmd/kubeadm/app/util/config/cluster.go FetchInitConfigurationFromCluster',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientFails.judge),
};

/** Between two attempts kubeadm lets five seconds pass; who gives up earlier than that before the end is not patient. */
const PAUSE = 5_000;

/** It tries again and again until its discovery timeout, then ends with an error. */
export const clientKeepsAsking: Check<Attempts> = {
  id: 'joining-client/keeps-asking',
  source: `${DISCOVERY}/token/token.go getClusterInfo`,
  judge: each((attempt) => {
    const { seen, milliseconds, timeout, subject } = attempt;
    const tries = seen.reduce((sum, { times }) => sum + times, 0);
    const isPatient = tries >= 2 && milliseconds >= (timeout ?? 0) - PAUSE;
    return demand({
      subject,
      demanded: 'the client asks again and again until its time is over, and ends with an error',
      seen: `${endOf(attempt)}, after ${tries} tries${timeout === null ? '' : ` of at most ${timeout / 1000} s`}`,
      ok: failed(attempt) && isPatient && !seen.some(shows),
    });
  }),
};

/** The same of clients that have no use for a discovery file without cluster-info, as kubeadm has none. */
export const kubeadmKeepsAsking: Check<Attempts> = {
  id: 'joining-client/kubeadm-keeps-asking',
  source: 'cmd/kubeadm/app/discovery/file/file.go ValidateConfigInfo',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientKeepsAsking.judge),
};

/** One call to an API server has ten seconds, which the end of the whole does not cut. */
const CALL = 10_000;
/** What counts as at once, of a program too, which may take a while to begin. */
const LITTLE = 1_000;
const LITTLE_OF_PROGRAM = 2_000;
const SLOW_START = 3_000;
const slackOf = ({ starts }: Attempt): number =>
  starts === undefined ? LITTLE : LITTLE_OF_PROGRAM + Math.min(starts, SLOW_START);
/** Before it looks: a busy machine may be slow to start a program, but who lets a pause pass first is told from it. */
const beginningOf = ({ starts }: Attempt): number => (starts === undefined ? LITTLE : PAUSE - 500);
/** The time of a program, which has to be started, runs from when it first asks. */
const lastsOf = ({ milliseconds, seen, starts }: Attempt): number =>
  starts === undefined ? milliseconds : milliseconds - (seen[0]?.first ?? 0);

/** With `calls` the server answers late or never, so that the last call may last longer. */
export const clientEndsInTime: Check<Attempts, { readonly calls: boolean }> = {
  id: 'joining-client/ends-in-time',
  source: `${DISCOVERY}/token/token.go; util/kubeconfig ToClientSet, ten seconds a call`,
  judge: each((attempt, { calls }) => {
    const { subject, timeout } = attempt;
    const most = timeout === null ? undefined : timeout + (calls ? CALL : 0);
    return demand({
      subject,
      demanded: `the client ends with an error${most === undefined ? '' : ` within ${most / 1000} s`}`,
      seen: endOf(attempt),
      ok: failed(attempt) && (most === undefined || lastsOf(attempt) <= most + slackOf(attempt)),
    });
  }),
};

/** What everybody may ask of an API server. */
const isOfVersion = (what: string): boolean => what.endsWith('/version');

/** Whatever comes first is asked as nobody. */
export const clientBeginsAsNobody: Check<Attempts> = {
  id: 'joining-client/begins-as-nobody',
  source: DISCOVERY,
  judge: each((attempt) => {
    const first = attempt.seen.find(
      ({ answered, what, as }) => answered !== null && !(isOfVersion(what) && as === NOBODY),
    );
    return demand({
      subject: attempt.subject,
      demanded: 'the first request but for the version is for cluster-info, without a credential',
      seen: first === undefined ? 'there is none' : `${first.what} as ${first.as}`,
      ok: first !== undefined && isLook(first) && first.as === NOBODY,
    });
  }),
};

/** It speaks TLS on every connection. */
export const clientSpeaksTls: Check<Attempts> = {
  id: 'joining-client/speaks-tls',
  source: '001, ignoring TLS errors; 000, the kubeconfig to the endpoint',
  judge: each(({ subject, seen }) => {
    const plain = seen.filter(({ what }) => /^plain request|without TLS/.test(what)).map(({ what }) => what);
    return demand({
      subject,
      demanded: 'every connection of the client begins with a TLS handshake',
      seen: seen.length === 0 ? 'there is no connection' : listed(plain) || 'each does',
      ok: seen.length > 0 && plain.length === 0,
    });
  }),
};

/** So many looks at cluster-info in all, the first of them at once. */
export const clientLooks: Check<Attempts, { readonly times: number }> = {
  id: 'joining-client/looks',
  source: `${DISCOVERY}/token/token.go getClusterInfo, cancel on success`,
  judge: each((attempt, { times }) => {
    const at = attempt.seen.find(isLook)?.first;
    const looks = looksIn(attempt);
    const when = at === undefined ? 'never' : `first after ${at / 1000} s`;
    return demand({
      subject: attempt.subject,
      demanded: `the client looks at cluster-info at once, and ${times === 1 ? 'once' : `${times} times`} in all`,
      seen: `${looks} times, ${when}`,
      ok: looks === times && at !== undefined && at <= beginningOf(attempt),
    });
  }),
};

/** So many looks at cluster-info at least, before any credential is shown. */
export const clientLooksFirst: Check<Attempts, { readonly times: number }> = {
  id: 'joining-client/looks-first',
  source: `${DISCOVERY}; 002, kubeadm join`,
  judge: each((attempt, { times }) => {
    const { seen, subject } = attempt;
    const shown = seen.findIndex(shows);
    const before = seen
      .slice(0, shown < 0 ? undefined : shown)
      .filter((one) => isLook(one) && one.as === NOBODY && one.answered === 200)
      .reduce((sum, one) => sum + one.times, 0);
    return demand({
      subject,
      demanded: `cluster-info is read ${times === 1 ? 'once' : `${times} times`} at least before a credential is shown`,
      seen: `${before} times${shown < 0 ? '' : `, then ${seen[shown]?.what} as ${seen[shown]?.as}`}`,
      ok: before >= times,
    });
  }),
};

/** So many times at most cluster-info is taken from a server whose certificate is wrong. */
export const clientReadsNoMore: Check<Attempts, { readonly times: number }> = {
  id: 'joining-client/reads-no-more',
  source: `${DISCOVERY}/token/token.go, the second fetch with the CA; discovery/file/file.go`,
  judge: each(({ subject, seen }, { times }) => {
    const read = seen.filter((one) => isLook(one) && one.answered === 200);
    const all = read.reduce((sum, one) => sum + one.times, 0);
    return refusal({
      subject,
      demanded: `cluster-info is taken ${times === 0 ? 'not at all' : 'once at most'} from a server of this certificate`,
      seen: `${all} times`,
      ok: all <= times,
    });
  }),
};

/** Nothing is looked at after what shows that the server is not to be believed. */
export const clientStops: Check<Attempts> = {
  id: 'joining-client/stops',
  source: `${DISCOVERY}/token/token.go retrieveValidatedConfigInfo`,
  judge: each((attempt) => {
    const believed = attempt.seen.filter(({ what }) => what === 'certificate refused').length;
    return refusal({
      subject: attempt.subject,
      demanded: 'no connection is tried that believes the CA of this server',
      seen: believed === 0 ? endOf(attempt) : `${believed} connections that the client broke off`,
      ok: failed(attempt) && believed === 0,
    });
  }),
};

/** A credential is shown to nobody but the server whose certificate is right, and never before discovery is over. */
export const clientShowsToTheRight: Check<Attempts> = {
  id: 'joining-client/shows-to-the-right',
  source: '000, CreateWithToken with the CA data; 001, the flow',
  judge: each(({ subject, seen }) => {
    const wrong = seen.filter((one) => shows(one) && one.certificate !== 'good');
    const last = seen.findLastIndex(isLook);
    const early = seen.findIndex(shows);
    const before = early >= 0 && early <= last ? ['it shows one before discovery is over'] : [];
    const told = [...wrong.map(({ what, certificate }) => `${what}, certificate ${certificate || 'none'}`), ...before];
    return refusal({
      subject,
      demanded: 'a credential is shown only over TLS verified with the discovered CA, and only after discovery',
      seen: listed(told) || (early < 0 ? 'none is shown' : 'so it is'),
      ok: told.length === 0,
    });
  }),
};

/** What it said last, for people. */
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
        ok: failed(attempt) && attempt.words.includes(words),
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

/** Something that is asked as whom, or asked by nobody at all. */
export const clientAsks: Check<Attempts, { readonly what: string; readonly as: string }> = {
  id: 'joining-client/asks',
  source: '002, kubeadm join; 000, the phases of join',
  judge: each(({ subject, seen }, { what, as }) => {
    const asked = seen.filter((one) => one.what === what);
    return demand({
      subject,
      demanded: `the client asks ${what} as ${as}`,
      seen: listed(asked.map((one) => `as ${one.as}`)) || 'it does not ask for it',
      ok: asked.length > 0 && asked.every((one) => one.as === as),
    });
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
      return [
        demand({
          subject,
          demanded: 'a certificate is asked for a key of this join alone',
          seen: own.length === 0 ? 'no key can be read' : listed(own),
          ok: own.length > 0 && own.every((key) => !others.includes(key)),
        }),
        demand({
          subject,
          demanded: 'no private key is sent',
          seen: leaks.length === 0 ? `none in ${seen.length} requests` : listed(leaks.map(({ what }) => what)),
          ok: seen.length > 0 && leaks.length === 0,
        }),
      ];
    }),
};
