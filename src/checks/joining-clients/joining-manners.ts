/** How a joining client asks and speaks, whatever becomes of its join. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  type Attempts,
  each,
  eachDeed,
  endOf,
  endsWithError,
  failed,
  inTime,
  listed,
  OWN_WAYS,
  ofKubeadm,
  timesOf,
  unlessStarved,
} from './joining-attempts.js';
import { type Attempt, ITS_TOKEN, NODE, REQUESTS, tellsSecrets } from './joining-client-reader.js';

/** What it says holds no token, neither that of discovery nor that of TLS bootstrap, and no certificate key. */
export const clientKeepsItsToken: Check<Attempts> = {
  id: 'joining-manners/keeps-its-token',
  source: '001, only trusted parties know the secret; cmd/kubeadm/app/discovery/discovery.go',
  judge: eachDeed(({ subject, said, words }: Attempt) => {
    const telling = [...said, words].filter(tellsSecrets).length;
    return demand({
      subject,
      demanded: 'nothing that the client says holds its token, its certificate key or a private key',
      seen: telling === 0 ? `none of ${said.length} lines does` : `${telling} lines do`,
      ok: telling === 0,
    });
  }),
};

/** Addresses are kept in logs, and objects are read by others. */
export const clientShowsInItsHeader: Check<Attempts> = {
  id: 'joining-manners/shows-in-its-header',
  source: '001, authentication: Authorization: Bearer; RFC 6750, 2.1 and 5.3',
  judge: eachDeed(({ subject, seen }: Attempt) => {
    const others = seen.filter(({ strays }) => strays === true).map(({ what }) => what);
    return demand({
      subject,
      demanded: 'no request holds a token, but in its header Authorization, or a certificate key',
      seen: listed(others) || 'none does',
      ok: others.length === 0,
    });
  }),
};

/** Once it is a node it may ask for the same again, as that. */
export const clientFirstAsks: Check<Attempts, { readonly what: string; readonly as: string }> = {
  id: 'joining-manners/first-asks',
  source: 'cmd/kubeadm/app/util/config/common.go, node name; cmd/kubeadm/app/cmd/phases/join/kubelet.go',
  judge: eachDeed((attempt: Attempt, { what, as }) => {
    const { subject, seen } = attempt;
    const first = seen.find((one) => one.what === what);
    const finding = demand({
      subject,
      demanded: `the client first asks ${what} as ${as}`,
      seen: first === undefined ? 'it does not ask for it' : `as ${first.as}`,
      ok: first?.as === as,
    });
    return first === undefined ? unlessStarved(finding, attempt) : finding;
  }),
};

const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
/** The longest life that a signer gives where nobody asks for one. Source: controller manager, --cluster-signing-duration. */
const YEAR = 366 * 24 * 60 * 60;
/** Seconds that an API server takes at least. Source: pkg/apis/certificates/validation ValidateCertificateSigningRequest. */
const SHORTEST = 600;
/** Source: pkg/apis/certificates/helpers.go kubeletClientRequiredUsages. */
const NEEDED_USAGES = ['client auth', 'digital signature'];
const NODE_USAGES = ['client auth', 'digital signature', 'key encipherment'];

/** Subject, signer and usages of each request for a certificate. */
export const clientAsksAsNode: Check<Attempts> = {
  id: 'joining-manners/asks-as-node',
  source: '000, CSR user format; pkg/kubelet/certificate/bootstrap/bootstrap.go requestNodeCertificate',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen, node = NODE } = attempt;
    const own = `O=system:nodes, CN=system:node:${node}`;
    const asked = seen.flatMap(({ request }) => request ?? []);
    const other = asked.filter(
      (one) =>
        one.subject !== own ||
        one.signer !== NODE_SIGNER ||
        one.names !== undefined ||
        one.besides !== undefined ||
        (one.seconds ?? SHORTEST) > YEAR ||
        (one.seconds ?? SHORTEST) < SHORTEST ||
        NEEDED_USAGES.some((usage) => !one.usages.includes(usage)) ||
        one.usages.some((usage) => !NODE_USAGES.includes(usage)),
    );
    const told = other.map(({ subject: name, signer, usages, names = [], besides = [], seconds }) =>
      [
        `${[name, ...names].join(', ')}, of ${signer || 'no signer'}, for ${usages.join(', ')}`,
        ...(seconds === undefined ? [] : [`for ${seconds} s`]),
        ...besides.map((field) => `with ${field}`),
      ].join(', '),
    );
    const finding = demand({
      subject,
      demanded: 'a certificate is asked for the node, of the signer of kubelets, for client auth alone',
      seen: asked.length === 0 ? 'no request can be read' : told.join('; ') || 'it is',
      ok: asked.length > 0 && other.length === 0,
    });
    return other.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Nothing is tried with what can be seen to be wrong: it ends long before its time is over. */
export const clientEndsAtOnce: Check<Attempts> = {
  id: 'joining-manners/ends-at-once',
  source: 'cmd/kubeadm/app/apis/kubeadm/validation/validation.go ValidateDiscoveryTokenAPIServer',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((attempt) =>
      refusal({
        subject: attempt.subject,
        demanded: 'the client ends with an error before its time is over, and asks nobody anything',
        seen: endOf(attempt),
        ok: attempt.seen.length === 0 && attempt.milliseconds < (attempt.timeout ?? Infinity) && endsWithError(attempt),
      }),
    ),
  ),
};

const NODE_LOOK = /^GET \/api\/v1\/nodes\/[^/]+$/;
/** What a busy machine may take longer. */
const SLACK = 5_000;

/** What a wait may be shorter, in milliseconds: the server began before the client. */
const EARLY = 2_000;

/** A program may be started late, and nobody knows when it begins to wait; one that runs here loses no time. */
function isTooLong(waited: number, told: number, attempt: Attempt): boolean {
  const most = attempt.starts === undefined ? told + SLACK : Math.max(1.75 * told, told + SLACK);
  return inTime(waited - most, attempt) === false;
}

/** Of a wait for a certificate that never comes; of one that is a little long nobody knows whose fault that is. */
export const clientEndsItsWait: Check<Attempts> = {
  id: 'joining-manners/ends-its-wait',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go waitForTLSBootstrappedClient, timeouts.tlsBootstrap',
  nothing: OWN_WAYS,
  judge: ofKubeadm((attempts) =>
    attempts.flatMap((attempt) => {
      const { waits, seen, milliseconds, subject } = attempt;
      if (waits === undefined) return [];
      const asked = seen.find(({ what }) => what === REQUESTS)?.first;
      const waited = milliseconds - (asked ?? 0);
      // Of whom nobody knows when he began to wait, only that it was after all else that he asked: after the look for its
      // Node, since its kubelet asks by itself, and late where the machine is busy.
      const before = seen.filter(({ first }) => first <= (asked ?? 0));
      const since = (before.findLast(({ what }) => NODE_LOOK.test(what)) ?? before.at(-2))?.last ?? 0;
      const isShort = milliseconds - since < waits - EARLY;
      const isLong = waited > waits + SLACK;
      const isOver = isTooLong(waited, waits, attempt);
      const told = asked === undefined ? ', without a request' : `, ${Math.round(waited / 1000)} s after its request`;
      const ok = failed(attempt) && asked !== undefined && !isShort && !isOver;
      const finding = demand({
        subject,
        demanded: `the client waits ${waits / 1000} s for its certificate, and ends with an error`,
        seen: `${endOf(attempt)}${told}`,
        ok: ok && isLong ? undefined : ok,
      });
      return asked === undefined ? unlessStarved(finding, attempt) : finding;
    }),
  ),
};

/** Of a kubelet that is never well: since the last request before it, which is the look for its Node. */
export const clientEndsItsHealthWait: Check<Attempts> = {
  id: 'joining-manners/ends-its-health-wait',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go, timeouts.kubeletHealthCheck; util/apiclient WaitForKubelet',
  nothing: OWN_WAYS,
  judge: ofKubeadm((attempts) =>
    attempts.flatMap((attempt) => {
      const { health, seen, milliseconds, subject } = attempt;
      if (health === undefined) return [];
      const started = seen.findIndex(({ what }) => what === REQUESTS);
      const before = started < 0 ? seen : seen.slice(0, started);
      // A kubelet that bootstraps asks with the same token, beside objects, and late where the machine is busy.
      const since = before.findLast(({ as, what }) => as === ITS_TOKEN && what.startsWith('GET /api/'))?.last ?? 0;
      const waited = milliseconds - since;
      const ok = failed(attempt) && waited >= health - EARLY && !isTooLong(waited, health, attempt);
      const finding = demand({
        subject,
        demanded: `the client waits ${health / 1000} s for a kubelet that is well, and ends with an error`,
        seen: `${endOf(attempt)}, ${Math.round(waited / 1000)} s after it had what it asks the cluster for`,
        ok: ok && waited > health + SLACK ? undefined : ok,
      });
      return started < 0 ? unlessStarved(finding, attempt) : finding;
    }),
  ),
};

/** Something to read, however it is asked for. */
const READS = /^(GET|HEAD|OPTIONS) /;

/** It changes nothing in the cluster, and says that all would go well. */
export const clientOnlyReads: Check<Attempts> = {
  id: 'joining-manners/only-reads',
  source: '002, --dry-run; cmd/kubeadm/app/util/apiclient/dryrun.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((attempt) => {
      const writes = attempt.seen.flatMap(({ what, answered }) =>
        answered !== null && !READS.test(what) ? [what] : [],
      );
      return refusal({
        subject: attempt.subject,
        demanded: 'the client only reads, and ends with 0',
        seen: `${endOf(attempt)}${writes.length === 0 ? '' : `; it asks ${[...new Set(writes)].join(', ')}`}`,
        ok: writes.length === 0 && (attempt.exit === 0 || (attempt.isStarved === true ? undefined : false)),
      });
    }),
  ),
};

/** What is written for whoever joins, by himself: his request, and what he asks of his own rights. */
const ITS_OWN =
  /^POST \/apis\/(?:certificates\.k8s\.io\/v1\w*\/certificatesigningrequests|auth\w+\.k8s\.io\/v1\w*\/selfsubject\w+)$/;

/** With its token; the Node and its Lease are written with the certificate. */
export const clientWritesItsOwn: Check<Attempts> = {
  id: 'joining-manners/writes-its-own',
  source: 'cmd/kubeadm/app/cmd/phases/join; pkg/kubelet/certificate/bootstrap',
  judge: each(({ subject, seen }) => {
    const writes = seen.flatMap(({ what, as, answered }) =>
      answered !== null && as.startsWith(ITS_TOKEN) && !READS.test(what) && !ITS_OWN.test(what) ? [what] : [],
    );
    return refusal({
      subject,
      demanded: 'the client writes nothing with its token but its request for a certificate',
      seen: writes.length === 0 ? 'so it is' : `it asks ${[...new Set(writes)].join(', ')}`,
      ok: writes.length === 0,
    });
  }),
};

/** Looks a second, on the whole, that are still no assault. */
const MOST_A_SECOND = 4;
/** Looks at once that a client may need: a request is repeated on a connection that was lost. */
const AT_ONCE = 10;

/** How often an attempt has looked, and whether that is no assault. */
function lookedOf(attempt: Attempt) {
  const looks = timesOf(attempt, () => true);
  const seconds = attempt.milliseconds / 1000;
  return {
    looks,
    told: {
      subject: attempt.subject,
      demanded: `the client looks again ${MOST_A_SECOND} times a second at most`,
      seen: `${looks} looks in ${Math.round(seconds)} s`,
      ok: looks <= AT_ONCE + seconds * MOST_A_SECOND,
    },
  };
}

/** It lets time pass between its looks at a server that has nothing for it. */
export const clientPauses: Check<Attempts> = {
  id: 'joining-manners/pauses',
  source: 'cmd/kubeadm/app/constants/constants.go DiscoveryRetryInterval',
  judge: eachDeed((attempt: Attempt) => {
    const { looks, told } = lookedOf(attempt);
    return looks < 2 ? unlessStarved(demand({ ...told, ok: false }), attempt) : demand(told);
  }),
};

/** The same of who may look once and end. */
export const clientPausesWhereItLooksAgain: Check<Attempts> = {
  id: 'joining-manners/pauses-where-it-looks-again',
  source: clientPauses.source,
  judge: eachDeed((attempt: Attempt) => refusal(lookedOf(attempt).told)),
};

const LOOKS_AT_REQUESTS = /^GET \/apis\/certificates\.k8s\.io\/v1\w*\/certificatesigningrequests(?:[/?]|$)/;
/** Looks a second at a request that waits: kubelets watch it, and are told at once. */
const MOST_AT_REQUESTS = 5;

/** It lets time pass between its looks at a request that nobody signs. */
export const clientPausesAtRequests: Check<Attempts> = {
  id: 'joining-manners/pauses-at-requests',
  source: 'client-go, util/certificate/csr/csr.go WaitForCertificate',
  nothing: 'no client has looked at a request for a certificate',
  judge: each((attempt: Attempt) => {
    const looks = timesOf(attempt, ({ what }) => LOOKS_AT_REQUESTS.test(what));
    const seconds = attempt.milliseconds / 1000;
    return demand({
      subject: attempt.subject,
      demanded: `the client looks at its request ${MOST_AT_REQUESTS} times a second at most`,
      seen: `${looks} looks in ${Math.round(seconds)} s`,
      ok: looks <= AT_ONCE + seconds * MOST_AT_REQUESTS,
    });
  }),
};

/** It lets time pass before it asks again for what it was refused. */
export const clientPausesWhereRefused: Check<Attempts> = {
  id: 'joining-manners/pauses-where-refused',
  source: 'cmd/kubeadm/app/util/apiclient/idempotency.go GetConfigMapWithShortRetry',
  judge: each((attempt: Attempt) => {
    const refused = new Set(attempt.seen.flatMap(({ what, answered }) => (Number(answered) >= 400 ? [what] : [])));
    const counted = [...refused].map((what) => ({ what, looks: timesOf(attempt, (one) => one.what === what) }));
    const [most] = counted.sort((a, b) => b.looks - a.looks);
    const seconds = attempt.milliseconds / 1000;
    return demand({
      subject: attempt.subject,
      demanded: `the client asks again for what it was refused ${MOST_A_SECOND} times a second at most`,
      seen:
        most === undefined ? 'it is refused nothing' : `${most.looks} times ${most.what} in ${Math.round(seconds)} s`,
      ok: (most?.looks ?? 0) <= AT_ONCE + seconds * MOST_A_SECOND,
    });
  }),
};

/** Milliseconds between two looks of kubeadm, and what they may be shorter. Source: constants.go DiscoveryRetryInterval. */
const INTERVAL = 5_000;
const SHORTER = 1_000;

/** The same of clients that wait for cluster-info as kubeadm does. */
export const kubeadmPauses: Check<Attempts> = {
  id: 'joining-manners/kubeadm-pauses',
  source: 'cmd/kubeadm/app/discovery/file/file.go ValidateConfigInfo; discovery/token/token.go getClusterInfo',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    eachDeed((attempt: Attempt) => {
      const looks = timesOf(attempt, ({ answered }) => answered !== null);
      const most = 2 + Math.floor(attempt.milliseconds / (INTERVAL - SHORTER));
      const finding = demand({
        subject: attempt.subject,
        demanded: `the client looks again after ${INTERVAL / 1000} s`,
        seen: `${looks} looks in ${Math.round(attempt.milliseconds / 1000)} s`,
        ok: looks >= 2 && looks <= most,
      });
      return looks < 2 ? unlessStarved(finding, attempt) : finding;
    }),
  ),
};
