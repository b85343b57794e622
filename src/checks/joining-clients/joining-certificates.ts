/**
 * How a joining client goes about its request for a certificate: what it calls it, which ones it looks at, and for how
 * long.
 * Source: client-go, util/certificate/csr/csr.go RequestCertificate, WaitForCertificate;
 * pkg/kubelet/certificate/bootstrap/bootstrap.go.
 */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import {
  type Attempts,
  eachDeed,
  endOf,
  isRequestTaken,
  listed,
  OWN_WAYS,
  ofKubeadm,
  timesOf,
  unlessStarved,
} from './joining-attempts.js';
import { ALL_REQUESTS, type Attempt, ITS_CERTIFICATE, ITS_TOKEN, REQUESTS } from './joining-client-reader.js';
import type { RequestSeen } from './joining-request-reader.js';

const SOURCE = 'client-go, util/certificate/csr/csr.go';

/** Others are nothing to it, though its token lets it read them. */
export const clientLooksAtItsOwn: Check<Attempts> = {
  id: 'joining-certificates/looks-at-its-own',
  source: `${SOURCE} WaitForCertificate`,
  judge: eachDeed((attempt: Attempt) => {
    const wide = timesOf(attempt, ({ isWide }) => isWide === true);
    return refusal({
      subject: attempt.subject,
      demanded: 'it asks for its own request, and not for all',
      seen: wide === 0 ? 'so it does' : `it asks for all, ${wide} times`,
      ok: wide === 0,
    });
  }),
};

/** A name that does not follow from the key is taken when the machine joins again. */
export const clientNamesApart: Check<Attempts> = {
  id: 'joining-certificates/names-apart',
  source: `${SOURCE} RequestCertificate; bootstrap.go digestedName`,
  judge: (attempts) => {
    const keys = new Map<string, Set<string>>();
    for (const { seen } of attempts)
      for (const { key, request } of seen)
        if (key !== undefined && request?.called !== undefined)
          keys.set(request.called, (keys.get(request.called) ?? new Set()).add(key));
    return attempts.map((attempt): Finding => {
      const { subject, seen } = attempt;
      const asked = seen.flatMap(({ request }) => request ?? []);
      const taken = asked.flatMap(({ called }) =>
        called !== undefined && (keys.get(called)?.size ?? 0) > 1 ? called : [],
      );
      const finding = demand({
        subject,
        demanded: 'its request has a name that follows from its key, or that the API server chooses',
        seen:
          asked.length === 0
            ? 'no request can be read'
            : taken.length === 0
              ? 'so it has'
              : `${taken[0]?.slice(0, 100)} is the name for other keys, too`,
        ok: asked.length > 0 && taken.length === 0,
      });
      return taken.length === 0 ? unlessStarved(finding, attempt) : finding;
    });
  },
};

const LOOK = new RegExp(`^${ALL_REQUESTS}(?:/|$)`);
/** Looks for each request: a refusal is read with one of them, and some list before they watch. */
const ENOUGH = 5;

/** Before servers that refuse each request. Whoever asks anew may look anew. */
export const clientLeavesRefused: Check<Attempts> = {
  id: 'joining-certificates/leaves-refused',
  source: `${SOURCE} WaitForCertificate: a denial is an error`,
  judge: eachDeed((attempt: Attempt) => {
    const made = timesOf(attempt, ({ what }) => what === REQUESTS);
    const looks = timesOf(attempt, ({ what }) => LOOK.test(what));
    const finding = demand({
      subject: attempt.subject,
      demanded: `it looks at most ${ENOUGH} times at a request that was refused`,
      seen: made === 0 ? 'it makes no request' : `${looks} looks at ${made}`,
      ok: made > 0 && looks <= ENOUGH * made,
    });
    return made === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** What is odd in a request for a certificate; undefined: nothing is. */
type Odd = (request: RequestSeen) => string | undefined;

const ofRequests =
  (demanded: string, odd: Odd) =>
  (attempt: Attempt): Finding => {
    const asked = attempt.seen.flatMap(({ request }) => request ?? []);
    const told = asked.flatMap((one) => odd(one) ?? []);
    const finding = demand({
      subject: attempt.subject,
      demanded,
      seen: asked.length === 0 ? 'no request can be read' : listed(told) || 'so it is',
      ok: asked.length > 0 && told.length === 0,
    });
    return told.length === 0 ? unlessStarved(finding, attempt) : finding;
  };

/** A kubelet has no word for it; other clients may. */
export const clientLeavesItsLife: Check<Attempts> = {
  id: 'joining-certificates/leaves-its-life',
  source: `${SOURCE} RequestCertificate, requestedDuration; bootstrap.go requestNodeCertificate`,
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed(
      ofRequests('how long the certificate lives is left to its signer', ({ seconds }) =>
        seconds === undefined ? undefined : `it is asked for ${seconds} s`,
      ),
    ),
  ),
};

/** Whoever reads requests, or joins, reads that as well. */
export const clientWritesNothingOnIt: Check<Attempts> = {
  id: 'joining-certificates/writes-nothing-on-it',
  source: `${SOURCE} RequestCertificate; client-go, util/cert/csr.go MakeCSRFromTemplate`,
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed(
      ofRequests('a request is its PEM, with nothing around it and nothing written on it', ({ frills }) =>
        frills?.join(', '),
      ),
    ),
  ),
};

/** Keys of elliptic curves sign; nothing can be enciphered with them. */
export const clientAsksWhatItsKeyCan: Check<Attempts> = {
  id: 'joining-certificates/asks-what-its-key-can',
  source: 'RFC 8813, 3; pkg/kubelet/certificate/kubelet.go DefaultKubeletClientGetUsages',
  judge: eachDeed(
    ofRequests('a certificate is asked for uses that its key has', ({ rsaBits, usages }) =>
      rsaBits === undefined && usages.includes('key encipherment')
        ? 'key encipherment, by a key that only signs'
        : undefined,
    ),
  ),
};

/** What it was last given is what it shows; before servers that sign each request that they take. */
export const clientRenewsWithItsLatest: Check<Attempts> = {
  id: 'joining-certificates/renews-with-its-latest',
  source: 'pkg/kubelet/certificate/transport.go UpdateTransport: a new certificate closes all connections',
  judge: eachDeed((attempt: Attempt) => {
    let latest: string | undefined;
    let [renewals, old] = [0, 0];
    for (const { what, as, answered, key, shown } of attempt.seen) {
      if (what !== REQUESTS) continue;
      if (as === ITS_CERTIFICATE) renewals += 1;
      if (as === ITS_CERTIFICATE && shown !== latest) old += 1;
      if (answered === 201) latest = key;
    }
    const finding = demand({
      subject: attempt.subject,
      demanded: 'each certificate is asked for with the one that it was given last',
      seen: renewals === 0 ? 'none is asked for with another' : `${old} of ${renewals} are asked for with an older one`,
      ok: renewals > 0 && old === 0,
    });
    return renewals === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** What is asked with a token of a kubelet while it has no certificate: for one, and what has become of that. */
const FOR_ONE = new RegExp(`^(?:POST|GET) ${REQUESTS.replace('POST ', '')}(?:/|$)`);

/** Before servers that sign at once. Whoever is no kubeadm may read his configuration while he waits. */
export const clientPutsItsTokenAway: Check<Attempts> = {
  id: 'joining-certificates/puts-its-token-away',
  source:
    'client-go, util/certificate/certificate_manager.go getClientset; pkg/kubelet/certificate/bootstrap LoadClientConfig',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen, speaksKubeadm } = attempt;
    const asked = seen.findIndex((one) => isRequestTaken(one) && one.as === ITS_TOKEN);
    const certified = seen.findIndex(({ as }, at) => at > asked && as === ITS_CERTIFICATE);
    const late = seen.filter(({ what, as }, at) => {
      const isNode = certified >= 0 && at > certified;
      return as.startsWith(ITS_TOKEN) && (isNode || (speaksKubeadm && at > asked && !FOR_ONE.test(what)));
    });
    const finding = demand({
      subject,
      demanded: 'once there is a certificate nothing is asked with the token',
      seen: asked < 0 ? 'no request for a certificate is taken' : listed(late.map(({ what }) => what)) || 'nothing is',
      ok: asked >= 0 && late.length === 0,
    });
    return asked < 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Of a machine that has a certificate which has not ended. */
export const clientAsksForNoOther: Check<Attempts> = {
  id: 'joining-certificates/asks-for-no-other',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientConfig, isClientConfigStillValid',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed((attempt: Attempt) => {
      const made = timesOf(attempt, ({ what, as }) => what === REQUESTS && as === ITS_TOKEN);
      return refusal({
        subject: attempt.subject,
        demanded: 'it asks for no certificate with its token, and ends with 0',
        seen: `it asks ${made} times; ${endOf(attempt)}`,
        ok: made === 0 && (attempt.exit === 0 || (attempt.isStarved === true ? undefined : false)),
      });
    }),
  ),
};
