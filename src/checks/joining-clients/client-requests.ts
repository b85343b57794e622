/** What a joining client asks for, by whatever it shows: what joining needs, no more of it, and no sooner than told. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import {
  type Attempts,
  DISCOVERY,
  eachDeed,
  isLook,
  isRequestTaken,
  listed,
  OWN_WAYS,
  ofKubeadm,
  shows,
  timesOf,
  unlessStarved,
} from './joining-attempts.js';
import { type Attempt, ITS_CERTIFICATE, ITS_TOKEN, NODE, REQUESTS, type Seen } from './joining-client-reader.js';

/** What any API server tells everybody: its version, how it is, and what it serves. */
const OF_EVERYBODY =
  /^(?:GET|HEAD|OPTIONS) \/(?:version|openapi\/.*|(?:healthz|livez|readyz)(?:\/.*)?|api(?:\/v1)?|apis(?:\/[^/]+){0,2})\/?$/;
/** A discovery file, from wherever it was told. */
const FILE = /^(?:GET|HEAD) \/[^/]+\.conf$/;
const READS = /^(?:GET|HEAD|OPTIONS) /;
const CERTIFICATES = '/apis/certificates\\.k8s\\.io/v1/certificatesigningrequests';
/** What a token of bootstrap is for. Source: cmd/kubeadm/app/phases/bootstraptoken/node; cmd/phases/join. */
const OF_TOKENS = [
  /^(?:GET|HEAD) \/api\/v1\/namespaces\/kube-system\/configmaps\/(?:kubeadm-config|kube-proxy|kubelet-config(?:-1\.\d+)?)$/,
  /^(?:GET|HEAD) \/api\/v1\/namespaces\/kube-system\/secrets\/kubeadm-certs$/,
  new RegExp(`^(?:GET|HEAD) ${CERTIFICATES}(?:/[^/]+)?$`),
];
/** Of whoever joins by himself: his request, and what he asks of his own rights. */
const OF_WHOEVER_JOINS = [
  new RegExp(`^POST ${CERTIFICATES}$`),
  /^POST \/apis\/auth\w+\.k8s\.io\/v1\w*\/selfsubject\w+$/,
];

/** "GET /version as nobody" */
const saidOf = ({ what, as }: Seen): string => `${what} as ${as}`;
const pathOf = (what: string): string => what.replace(/^\S+ /, '');
const isAsked = ({ answered }: Seen): boolean => answered !== null;
const nodePath = ({ node = NODE }: Attempt): string => `/api/v1/nodes/${node}`;
const isOwnNode = (what: string, attempt: Attempt): boolean =>
  /^(?:GET|HEAD) /.test(what) && pathOf(what) === nodePath(attempt);

/** Who may do what is nothing to a node. Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy NodeRules. */
const OF_ADMINISTRATORS = /^\S+ \/apis\/(?:rbac\.authorization|admissionregistration)\.k8s\.io\/[^/]+\/./;
const OF_RESOURCES = /^\S+ \/apis?\//;
const OF_A_NODE = /^\S+ \/api\/v1\/nodes\/[^/]+$/;

/** Whether somebody who joins has a use for it, by what he shows. */
function isNeeded(one: Seen, attempt: Attempt): boolean {
  const { what, as } = one;
  if (isLook(one) || OF_EVERYBODY.test(what) || FILE.test(what)) return true;
  if (as === ITS_CERTIFICATE)
    return (
      OF_RESOURCES.test(what) &&
      one.isUnselected !== true &&
      !OF_ADMINISTRATORS.test(what) &&
      (!OF_A_NODE.test(what) || isOwnNode(what, attempt))
    );
  if (!as.startsWith(ITS_TOKEN)) return false;
  return [...OF_TOKENS, ...OF_WHOEVER_JOINS].some((known) => known.test(what)) || isOwnNode(what, attempt);
}

/** A node reads what it runs, and chooses that by fields; before it is one there is little to read. */
export const clientReadsWhatItNeeds: Check<Attempts> = {
  id: 'client-requests/reads',
  source:
    'cmd/kubeadm/app/cmd/phases/join; cmd/kubeadm/app/phases/bootstraptoken/node; pkg/kubelet/certificate/bootstrap',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const others = seen.filter((one) => isAsked(one) && READS.test(one.what) && !isNeeded(one, attempt)).map(saidOf);
    return refusal({
      subject,
      demanded: 'the client reads nothing that joining does not need',
      seen: listed(others) || 'so it is',
      ok: others.length === 0,
    });
  }),
};

/** What a node writes of itself, and kubeadm of the Node of a control plane. */
const OF_NODES = [
  /^POST \/apis\/coordination\.k8s\.io\/v1\/namespaces\/kube-node-lease\/leases$/,
  /^(?:POST|PUT|PATCH) \/api\/v1\/namespaces\/[^/]+\/events(?:\/[^/]+)?$/,
  /^(?:POST|PUT|PATCH) \/apis\/events\.k8s\.io\/v1\/namespaces\/[^/]+\/events(?:\/[^/]+)?$/,
  /^(?:POST|PUT|PATCH) \/apis\/storage\.k8s\.io\/v1\/csinodes(?:\/[^/]+)?$/,
  /^(?:POST|PUT|PATCH|DELETE) \/apis\/resource\.k8s\.io\/v1\w*\/resourceslices(?:\/[^/]+)?$/,
  /^(?:POST|PUT|PATCH|DELETE) \/api\/v1\/namespaces\/[^/]+\/pods(?:\/[^/]+(?:\/status)?)?$/,
  /^POST \/api\/v1\/namespaces\/[^/]+\/serviceaccounts\/[^/]+\/token$/,
  /^POST \/apis\/auth\w+\.k8s\.io\/v1\w*\/\w+reviews$/,
  new RegExp(`^POST ${CERTIFICATES}$`),
];
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const isOfOwnNode = (what: string, attempt: Attempt): boolean =>
  what === 'POST /api/v1/nodes' ||
  (/^(?:PUT|PATCH) /.test(what) &&
    [nodePath(attempt), `${nodePath(attempt)}/status`, `${LEASES}/${attempt.node ?? NODE}`].includes(pathOf(what)));

function isOwnDeed({ what, as, ofAnother }: Seen, attempt: Attempt): boolean {
  if (ofAnother === true) return false;
  if (as === ITS_CERTIFICATE) return isOfOwnNode(what, attempt) || OF_NODES.some((known) => known.test(what));
  return as.startsWith(ITS_TOKEN) && OF_WHOEVER_JOINS.some((known) => known.test(what));
}

export const clientWritesWhatItNeeds: Check<Attempts> = {
  id: 'client-requests/writes',
  source: 'cmd/kubeadm/app/cmd/phases/join; plugin/pkg/admission/noderestriction; pkg/kubelet/certificate/bootstrap',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const others = seen.filter((one) => isAsked(one) && !READS.test(one.what) && !isOwnDeed(one, attempt)).map(saidOf);
    return refusal({
      subject,
      demanded: 'the client writes its request, and what is of its own Node, and nothing else',
      seen: listed(others) || 'so it is',
      ok: others.length === 0,
    });
  }),
};

/** A token of discovery, or of a file, has done its work when the cluster is found. */
export const clientShowsOneToken: Check<Attempts> = {
  id: 'client-requests/one-token',
  source: `${DISCOVERY}/discovery.go For; 002, token-based TLS bootstrap`,
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const since = seen.slice(seen.findLastIndex(isLook) + 1);
    const shown = since.filter((one) => isAsked(one) && shows(one) && one.as !== ITS_CERTIFICATE);
    const others = shown.filter(({ as }) => as !== ITS_TOKEN).map(saidOf);
    const finding = demand({
      subject,
      demanded: 'what follows discovery is asked with the token of TLS bootstrap alone',
      seen: listed(others) || (shown.length === 0 ? 'nothing is asked with a token' : 'it is'),
      ok: shown.length > 0 && others.length === 0,
    });
    return shown.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Headers by which a proxy names a user or his address, and what a server has asked to be told again. */
export const clientSpeaksForItself: Check<Attempts> = {
  id: 'client-requests/speaks-for-itself',
  source: 'apiserver, authentication/request/headerrequest; endpoints/filters/impersonation.go; RFC 6265, 4.2',
  judge: eachDeed(({ subject, seen }: Attempt) => {
    const others = seen.flatMap(({ what, claims = [] }) => claims.map((name) => `${name} with ${what}`));
    return demand({
      subject,
      demanded: 'no request has a header that speaks for somebody else, or a cookie',
      seen: seen.length === 0 ? 'it asks nobody' : listed(others) || 'none has',
      ok: seen.length > 0 && others.length === 0,
    });
  }),
};

/** Bits below which a key of RSA is none that lasts. Source: NIST SP 800-57 part 1, 5.6.1. */
const SMALLEST = 2048;

export const clientMakesStrongKeys: Check<Attempts> = {
  id: 'client-requests/strong-keys',
  source: 'client-go, util/keyutil/key.go MakeEllipticPrivateKeyPEM; NIST SP 800-57 part 1, 5.6.1; RFC 2986, 4.2',
  judge: eachDeed((attempt: Attempt) => {
    const asked = attempt.seen.flatMap(({ request }) => request ?? []);
    const weak = asked.flatMap(({ rsaBits = SMALLEST, unsigned }) => [
      ...(rsaBits < SMALLEST ? [`RSA of ${rsaBits} bits`] : []),
      ...(unsigned === true ? ['its key has not signed it, or with SHA-1'] : []),
    ]);
    const finding = demand({
      subject: attempt.subject,
      demanded: 'a certificate is asked for a key that nobody can compute, and that has signed the request',
      seen: asked.length === 0 ? 'no request can be read' : listed(weak) || 'it is',
      ok: asked.length > 0 && weak.length === 0,
    });
    return weak.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Requests that may be made at once, and a second: a kubelet that ends is started again by its service each second. */
const AT_ONCE = 10;

export const clientAsksForFew: Check<Attempts> = {
  id: 'client-requests/few',
  source: 'client-go, util/certificate/certificate_manager.go, backoff of rotateCerts; csr/csr.go WaitForCertificate',
  judge: eachDeed(({ subject, seen, milliseconds }: Attempt) => {
    const made = timesOf({ seen }, ({ what }) => what === REQUESTS);
    const seconds = milliseconds / 1000;
    return refusal({
      subject,
      demanded: 'the client makes a request for a certificate each second at most',
      seen: `${made} requests in ${Math.round(seconds)} s`,
      ok: made <= AT_ONCE + seconds,
    });
  }),
};

/** Of a kubelet that was started once more. */
const FEW = 2;

/** Before a server that signs at once. */
export const clientAsksOnce: Check<Attempts> = {
  id: 'client-requests/once',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go requestNodeCertificate',
  judge: eachDeed((attempt: Attempt) => {
    const isMade = ({ what, as }: Seen): boolean => what === REQUESTS && as === ITS_TOKEN;
    const made = timesOf(attempt, isMade);
    // What was taken need not be asked for again; who is started once more has another key.
    const keys = attempt.seen.filter((one) => isMade(one) && isRequestTaken(one));
    const again = timesOf({ seen: keys }, () => true) - new Set(keys.map(({ key }) => key)).size;
    const finding = demand({
      subject: attempt.subject,
      demanded: `the client makes one request for a certificate, or ${FEW}, of a key of its own each`,
      seen: `${made} requests${again === 0 ? '' : `, ${again} of them for a key that was asked for already`}`,
      ok: made >= 1 && made <= FEW && again === 0,
    });
    return unlessStarved(finding, attempt);
  }),
};

/** Certificates in the time of one: whoever renews does so after seven tenths of it, and once more where that fails. */
const MOST_IN_A_LIFE = 2;

/** Before servers that sign each request, be it late: what waits is waited for, and not made again. */
export const clientAsksForNoMore: Check<Attempts> = {
  id: 'client-requests/no-more',
  source: 'client-go, util/certificate/certificate_manager.go rotateCerts, certificateWaitTimeout',
  nothing: 'nobody knows how long its certificates live',
  judge: (attempts) =>
    attempts.flatMap((attempt) => {
      const { subject, seen, life, milliseconds } = attempt;
      if (life === undefined) return [];
      const made = timesOf({ seen }, ({ what }) => what === REQUESTS);
      const most = FEW + Math.ceil((milliseconds * MOST_IN_A_LIFE) / life);
      const finding = demand({
        subject,
        demanded: `certificates are asked for ${MOST_IN_A_LIFE} times at most in the life of one`,
        seen: `${made} requests in ${Math.round((milliseconds / life) * 10) / 10} lives`,
        ok: made >= 1 && made <= most,
      });
      return made === 0 ? unlessStarved(finding, attempt) : finding;
    }),
};

/** Milliseconds that a kubelet lets pass at least before it asks anew; upstream's first pause is of two seconds. */
const BETWEEN = 1_000;

/** What went wrong a moment ago goes wrong again, and two at a time are one too many. */
export const clientPausesBetweenRequests: Check<Attempts> = {
  id: 'client-requests/pauses-between',
  source: 'client-go, util/certificate/certificate_manager.go, backoff of rotateCerts; rest/with_retry.go',
  judge: eachDeed((attempt: Attempt) => {
    const made = attempt.seen.filter((one) => one.what === REQUESTS && isAsked(one));
    const pauses = made.flatMap(({ first, last, times }, index) => [
      ...(index === 0 ? [] : [first - (made[index - 1]?.last ?? 0)]),
      ...(times === 1 ? [] : [(last - first) / (times - 1)]),
    ]);
    const short = pauses.filter((pause) => pause < BETWEEN).length;
    const finding = demand({
      subject: attempt.subject,
      demanded: `a second passes at least between two requests for certificates`,
      seen: made.length === 0 ? 'no request is made' : short === 0 ? 'it does' : `less, ${short} times`,
      ok: made.length > 0 && short === 0,
    });
    return made.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Looks of somebody in the time after which he is told to come again: a call that begins anew has not been told yet. */
const MOST_TOLD = 1.5;
const FIRST = 3;

/** He looks at all, and so often a second at most behind the first looks. */
function looksInTime(attempt: Attempt, demanded: string, most: number): Finding {
  const looks = timesOf(attempt, isLook);
  const seconds = attempt.milliseconds / 1000;
  const finding = demand({
    subject: attempt.subject,
    demanded,
    seen: `${looks} looks in ${Math.round(seconds)} s`,
    ok: looks >= 1 && looks <= FIRST + most * seconds,
  });
  return looks === 0 ? unlessStarved(finding, attempt) : finding;
}

/** Before a server that says after how many seconds to come again. */
export const clientComesAsTold: Check<Attempts, { readonly seconds: number }> = {
  id: 'client-requests/comes-as-told',
  source: 'client-go, rest/with_retry.go retryAfterSeconds; RFC 9110, 10.2.3; RFC 6585, 4',
  judge: eachDeed((attempt: Attempt, { seconds }) => {
    const demanded = `who is told to come again after ${seconds} s looks ${MOST_TOLD} times in them at most`;
    return looksInTime(attempt, demanded, MOST_TOLD / seconds);
  }),
};

/** Looks a second of somebody whose connections are broken off: upstream's one, and those of its last second. */
const MOST_BROKEN = 1.5;

/** Before a server that breaks each connection off. */
export const clientTriesAfterAMoment: Check<Attempts> = {
  id: 'client-requests/tries-after-a-moment',
  source: 'client-go, rest/with_retry.go checkWait, IsNextRetry; rest/request.go maxRetries',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed((attempt: Attempt) => looksInTime(attempt, 'who is broken off tries again after a second', MOST_BROKEN)),
  ),
};

/** What is followed of one redirect to itself: libraries end after 10 to 50. */
const FOLLOWED = 60;

export const clientLeavesCircles: Check<Attempts> = {
  id: 'client-requests/leaves-circles',
  source: 'Go net/http, client.go defaultCheckRedirect; RFC 9110, 15.4',
  judge: eachDeed((attempt: Attempt) => {
    const looks = timesOf(attempt, isLook);
    const seconds = attempt.milliseconds / 1000;
    const finding = demand({
      subject: attempt.subject,
      demanded: `a redirect to itself is followed ${FOLLOWED} times a second at most`,
      seen: `${looks} looks in ${Math.round(seconds)} s`,
      ok: looks >= 1 && looks <= FOLLOWED * (1 + seconds),
    });
    return looks === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};
