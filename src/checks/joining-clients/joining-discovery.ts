/**
 * How a joining client finds out whom to believe: when it looks, over what, how long, and whom it shows a credential.
 */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  type Attempts,
  DISCOVERY,
  each,
  eachDeed,
  endOf,
  endsWithError,
  failed,
  inTime,
  isLook,
  listed,
  OWN_WAYS,
  ofKubeadm,
  shows,
  timesOf,
  unlessStarved,
} from './joining-attempts.js';
import { type Attempt, NOBODY } from './joining-client-reader.js';

const looksIn = (attempt: Attempt): number => timesOf(attempt, isLook);

/**
 * Between two attempts kubeadm lets five seconds pass; who gives up earlier than that before the end is not patient.
 */
const PAUSE = 5_000;

/** It tries again and again until its discovery timeout, then ends with an error. */
export const clientKeepsAsking: Check<Attempts> = {
  id: 'joining-discovery/keeps-asking',
  source: `${DISCOVERY}/token/token.go getClusterInfo`,
  judge: each((attempt) => {
    const { seen, milliseconds, timeout, subject } = attempt;
    const tries = timesOf(attempt, () => true);
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
  id: 'joining-discovery/kubeadm-keeps-asking',
  source: 'cmd/kubeadm/app/discovery/file/file.go ValidateConfigInfo',
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientKeepsAsking.judge),
};

/** The same beside a discovery file, of who looks at cluster-info there and does not go on without. */
export const clientKeepsAskingByFile: Check<Attempts> = {
  id: 'joining-discovery/keeps-asking-by-file',
  source: 'cmd/kubeadm/app/discovery/file/file.go ValidateConfigInfo',
  nothing: 'the client does without cluster-info where it has a discovery file',
  judge: (attempts) =>
    clientKeepsAsking.judge(
      attempts.filter((attempt) => attempt.speaksKubeadm || (failed(attempt) && attempt.seen.some(isLook))),
      undefined,
    ),
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
  id: 'joining-discovery/ends-in-time',
  source: `${DISCOVERY}/token/token.go; util/kubeconfig ToClientSet, ten seconds a call`,
  judge: each((attempt, { calls }) => {
    const { subject, timeout } = attempt;
    const most = timeout === null ? undefined : timeout + (calls ? CALL : 0);
    return demand({
      subject,
      demanded: `the client ends with an error${most === undefined ? '' : ` within ${most / 1000} s`}`,
      seen: endOf(attempt),
      ok: failed(attempt) && (most === undefined || inTime(lastsOf(attempt) - most - slackOf(attempt), attempt)),
    });
  }),
};

/** The same of clients that read what kubeadm reads. */
export const kubeadmEndsInTime: Check<Attempts> = {
  id: 'joining-discovery/kubeadm-ends-in-time',
  source: 'cmd/kubeadm/app/util/config/cluster.go FetchInitConfigurationFromCluster',
  nothing: OWN_WAYS,
  judge: ofKubeadm((attempts) => clientEndsInTime.judge(attempts, { calls: false })),
};

/** What everybody may ask of an API server: its version, and how it is. */
const isOfVersion = (what: string): boolean => /\/(version|healthz|livez|readyz)$/.test(what);

/** A discovery file, from wherever it was told. */
const isFile = (what: string): boolean => /^GET \/[^/]+\.conf$/.test(what);

/** Whatever comes first is asked as nobody. */
export const clientBeginsAsNobody: Check<Attempts> = {
  id: 'joining-discovery/begins-as-nobody',
  source: DISCOVERY,
  judge: each((attempt) => {
    const first = attempt.seen.find(
      ({ answered, what, as }) => answered !== null && !((isOfVersion(what) || isFile(what)) && as === NOBODY),
    );
    return demand({
      subject: attempt.subject,
      demanded: 'the first request but for the version and a discovery file is for cluster-info, without a credential',
      seen: first === undefined ? 'there is none' : `${first.what} as ${first.as}`,
      ok: first !== undefined && isLook(first) && first.as === NOBODY,
    });
  }),
};

/** It speaks TLS on every connection. */
export const clientSpeaksTls: Check<Attempts> = {
  id: 'joining-discovery/speaks-tls',
  source: '001, ignoring TLS errors; 000, the kubeconfig to the endpoint',
  judge: eachDeed((attempt) => {
    const { subject, seen } = attempt;
    const plain = seen.filter(({ what }) => /^plain request|without TLS/.test(what)).map(({ what }) => what);
    const finding = demand({
      subject,
      demanded: 'every connection of the client begins with a TLS handshake',
      seen: seen.length === 0 ? 'there is no connection' : listed(plain) || 'each does',
      ok: seen.length > 0 && plain.length === 0,
    });
    return seen.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** So many looks at cluster-info in all, the first of them at once. */
export const clientLooks: Check<Attempts, { readonly times: number }> = {
  id: 'joining-discovery/looks',
  source: `${DISCOVERY}/token/token.go getClusterInfo, cancel on success`,
  judge: each((attempt, { times }) => {
    const at = attempt.seen.find(isLook)?.first;
    const looks = looksIn(attempt);
    // Who compares with a verified copy without pins, too, does more than kubeadm, and nothing in vain.
    const most = attempt.speaksKubeadm ? times : Math.max(times, 2);
    const when = at === undefined ? 'never' : `first after ${at / 1000} s`;
    return demand({
      subject: attempt.subject,
      demanded: `the client looks at cluster-info at once, and ${times === 1 ? 'once' : `${times} times`} in all`,
      seen: `${looks} times, ${when}`,
      ok: looks >= times && looks <= most && at !== undefined && inTime(at - beginningOf(attempt), attempt),
    });
  }),
};

/** The same of clients that read nothing again that does not fit; others may wait for what does. */
export const kubeadmLooks: Check<Attempts, { readonly times: number }> = {
  id: 'joining-discovery/kubeadm-looks',
  source: `${DISCOVERY}/token/token.go retrieveValidatedConfigInfo`,
  nothing: OWN_WAYS,
  judge: ofKubeadm(clientLooks.judge),
};

/** So many looks at cluster-info at least, before any credential is shown. */
export const clientLooksFirst: Check<Attempts, { readonly times: number }> = {
  id: 'joining-discovery/looks-first',
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
  id: 'joining-discovery/reads-no-more',
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
  id: 'joining-discovery/stops',
  source: `${DISCOVERY}/token/token.go retrieveValidatedConfigInfo`,
  judge: each((attempt) => {
    const believed = attempt.seen.filter(({ what }) => what === 'certificate refused').length;
    return refusal({
      subject: attempt.subject,
      demanded: 'no connection is tried that believes the CA of this server',
      seen: believed === 0 ? endOf(attempt) : `${believed} connections that the client broke off`,
      ok: believed === 0 && endsWithError(attempt),
    });
  }),
};

/** A credential is shown to nobody but the server whose certificate is right, and never before discovery is over. */
export const clientShowsToTheRight: Check<Attempts> = {
  id: 'joining-discovery/shows-to-the-right',
  source: '000, CreateWithToken with the CA data; 001, the flow',
  judge: each(({ subject, seen, speaksKubeadm }) => {
    const wrong = seen.filter((one) => shows(one) && one.certificate !== 'good');
    const last = seen.findLastIndex(isLook);
    const early = seen.findIndex(shows);
    // Who has read it twice has discovered; a later look of a client of its own ways is no discovery.
    const read = timesOf({ seen: seen.slice(0, Math.max(early, 0)) }, (one) => isLook(one) && one.answered === 200);
    const isOver = !speaksKubeadm && read > 1;
    const before = early >= 0 && early <= last && !isOver ? ['it shows one before discovery is over'] : [];
    const told = [...wrong.map(({ what, certificate }) => `${what}, certificate ${certificate || 'none'}`), ...before];
    return refusal({
      subject,
      demanded: 'a credential is shown only over TLS verified with the discovered CA, and only after discovery',
      seen: listed(told) || (early < 0 ? 'none is shown' : 'so it is'),
      ok: told.length === 0,
    });
  }),
};

/** Nobody knows yet who hears it. */
export const clientLooksUnnamed: Check<Attempts> = {
  id: 'joining-discovery/looks-unnamed',
  source: `${DISCOVERY}/token/token.go; client-go, rest/config.go DefaultKubernetesUserAgent`,
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const looks = seen.filter(isLook);
    const named = looks.filter(({ isNamed }) => isNamed === true).length;
    const finding = demand({
      subject,
      demanded: 'no look at cluster-info tells what the machine is called',
      seen: looks.length === 0 ? 'it never looks' : named === 0 ? 'none does' : `${named} of ${looks.length} do`,
      ok: looks.length > 0 && named === 0,
    });
    return looks.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** What was downloaded is kept. */
export const fileDownloadedOnce: Check<Attempts> = {
  id: 'joining-discovery/file-downloaded-once',
  source: `${DISCOVERY}/https/https.go RetrieveValidatedConfigInfo`,
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed((attempt: Attempt) => {
      const { subject } = attempt;
      const times = timesOf(attempt, ({ what, answered }) => /^GET \/[^/]+\.conf$/.test(what) && answered === 200);
      const finding = demand({
        subject,
        demanded: 'the discovery file is downloaded once',
        seen: times === 0 ? 'it is not' : `${times} times`,
        ok: times === 1,
      });
      return times === 0 ? unlessStarved(finding, attempt) : finding;
    }),
  ),
};
