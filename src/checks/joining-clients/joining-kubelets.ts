/**
 * What the kubelet of a joining client does with its requests and once it has its certificate.
 * Source: pkg/kubelet/certificate/bootstrap/bootstrap.go; pkg/kubelet/kubelet_node_status.go; client-go,
 * util/certificate/certificate_manager.go.
 */
import { TAINT_UNINITIALIZED } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  type Attempts,
  each,
  eachDeed,
  inTime,
  isRequestTaken,
  listed,
  staysFor,
  timesOf,
  unlessStarved,
} from './joining-attempts.js';
import {
  type Attempt,
  ITS_CERTIFICATE,
  ITS_TOKEN,
  NODE,
  REGISTERING,
  REQUESTS,
  type Seen,
} from './joining-client-reader.js';

/** One name that follows from the key, however often it is asked for. */
export const clientKeepsItsName: Check<Attempts> = {
  id: 'joining-kubelets/keeps-its-name',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go requestNodeCertificate, digestedName',
  judge: each(({ subject, seen }) => {
    const asked = seen.filter(({ what, as }) => what === REQUESTS && as === ITS_TOKEN);
    const names = [...new Set(asked.map(({ request }) => request?.called ?? 'one that the API server chooses'))];
    const keys = new Set(asked.map(({ key }) => key));
    return demand({
      subject,
      demanded: 'whatever is asked for again is asked for the same key, by the same name',
      seen: asked.length === 0 ? 'nothing is asked for' : `${keys.size} keys, by ${listed(names)}`,
      ok: keys.size === 1 && names.length === 1,
    });
  }),
};

export const nodeRegistered: Check<Attempts> = {
  id: 'joining-kubelets/node-registered',
  source: 'pkg/kubelet/kubelet_node_status.go registerWithAPIServer',
  judge: (attempts) => {
    const registering = ({ seen }: Attempts[number]): readonly Seen[] =>
      seen.filter(({ what, as }) => what === REGISTERING && as === ITS_CERTIFICATE);
    const isThere = each((attempt) => {
      const answers = registering(attempt).map(({ answered }) => String(answered));
      return demand({
        subject: attempt.subject,
        demanded: 'the kubelet registers its Node until that is there',
        seen: answers.length === 0 ? 'it never does' : `it is answered ${listed(answers)}`,
        ok: answers.includes('201'),
      });
    });
    const isPlain = each((attempt) => {
      const taints = registering(attempt).flatMap(({ marks }) => marks?.taints ?? []);
      const odd = taints.filter((taint) => !taint.startsWith(`${TAINT_UNINITIALIZED}:`));
      return demand({
        subject: attempt.subject,
        demanded: 'it registers no taint that the machine was not told',
        seen: listed(odd) || 'none',
        ok: odd.length === 0,
      });
    });
    return [...isThere(attempts, undefined), ...isPlain(attempts, undefined)];
  },
};

/** Milliseconds between two tries; upstream's first pause is of a tenth of a second, and each is twice the one before. */
const BETWEEN = 50;

/** Of what was not registered; a Node that is there is registered no more. */
export const nodeRegisteredAfterPauses: Check<Attempts> = {
  id: 'joining-kubelets/node-registered-after-pauses',
  source: 'pkg/kubelet/kubelet_node_status.go registerWithAPIServer',
  nothing: 'no kubelet registers a Node more than once',
  judge: (attempts) =>
    attempts.flatMap(({ subject, seen }) => {
      const made = seen.filter(({ what, as }) => what === REGISTERING && as === ITS_CERTIFICATE);
      const pauses = made.flatMap(({ first, last, times }, index) => [
        ...(index === 0 ? [] : [first - (made[index - 1]?.last ?? 0)]),
        ...(times === 1 ? [] : [(last - first) / (times - 1)]),
      ]);
      if (pauses.length === 0) return [];
      const short = pauses.filter((pause) => pause < BETWEEN).length;
      return refusal({
        subject,
        demanded: 'a moment passes before a Node is registered once more',
        seen: short === 0 ? 'it does' : `none does, ${short} times`,
        ok: short === 0,
      });
    }),
};

/** So often a Node is registered at most that is there already, also by a kubelet that was started once more. */
const THERE = 4;

/** Before servers that have its Node, and show it. */
export const nodeThereTaken: Check<Attempts> = {
  id: 'joining-kubelets/node-there-taken',
  source: 'pkg/kubelet/kubelet_node_status.go tryRegisterWithAPIServer, apierrors.IsAlreadyExists',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen, exit, node = NODE } = attempt;
    const own = seen.filter(({ as }) => as === ITS_CERTIFICATE);
    const isFound = own.some(({ what }) => what === REGISTERING || what === `GET /api/v1/nodes/${node}`);
    const times = timesOf({ seen: own }, ({ what }) => what === REGISTERING);
    const finding = demand({
      subject,
      demanded: `a Node that is there already is registered ${THERE} times at most, and its kubelet stays`,
      seen: isFound ? `${times} times; it ends with ${exit ?? 'nothing'}` : 'nobody asks for it as itself',
      ok: isFound && times <= THERE && exit === 0,
    });
    return times <= THERE ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Labels of Kubernetes that a kubelet gives its Node. Source: pkg/kubelet/apis/well_known_labels.go. */
const OF_KUBELETS =
  /^(?:beta\.)?kubernetes\.io\/(?:hostname|os|arch|instance-type)$|^node\.kubernetes\.io\/(?:instance-type|windows-build)$|^(?:topology|failure-domain\.beta)\.kubernetes\.io\/(?:zone|region)$/;
const OF_KUBERNETES = /(?:^|\.)(?:kubernetes|k8s)\.io\//;
const HOST_NAME = 'kubernetes.io/hostname';

/** What is odd in a Node as it is registered. */
function oddIn({ marks }: Seen, name: string): readonly string[] {
  const labels = (marks?.labels ?? []).map((label) => label.split('='));
  return [
    ...(marks?.besides ?? []),
    ...labels.flatMap(([key = '', value = '']) => [
      ...(OF_KUBERNETES.test(key) && !OF_KUBELETS.test(key) ? [`the label ${key}`] : []),
      ...(key === HOST_NAME && value !== name ? [`the label ${key} of ${value || 'nothing'}`] : []),
    ]),
  ];
}

/** So often a Node is registered whose kubelet was started once more: it is there then, and not made anew. */
const REGISTERED = 2;

/** What others say of a Node it leaves to them. */
export const nodeRegisteredAsItself: Check<Attempts> = {
  id: 'joining-kubelets/node-registered-as-itself',
  source: 'pkg/kubelet/kubelet_node_status.go initialNode; plugin/pkg/admission/noderestriction',
  nothing: 'no kubelet registers a Node that can be read',
  judge: (attempts) =>
    attempts.flatMap((attempt) => {
      const { subject, seen, node = NODE } = attempt;
      const own = [REGISTERING, `PATCH /api/v1/nodes/${node}`];
      const made = seen.filter(({ what, as, marks }) => own.includes(what) && as === ITS_CERTIFICATE && marks);
      const times = timesOf({ seen: made }, ({ what, answered }) => what === REGISTERING && answered === 201);
      const again = times > REGISTERED ? [`it is registered ${times} times`] : [];
      const odd = [...made.flatMap((one) => oddIn(one, node)), ...again];
      if (made.length === 0) return [];
      return demand({
        subject,
        demanded: 'the Node has its own name from its kubelet, and nothing that others say of it',
        seen: listed(odd) || 'so it is',
        ok: odd.length === 0,
      });
    }),
};

/** A certificate begins so many milliseconds before it is asked for. Source: signer.go, backdate. */
const BACKDATE = 5 * 60_000;
/** Between 70 and 90 percent of a life. Source: certificate_manager.go jitteryDuration. */
const EARLIEST = 0.7;
const LATEST = 0.9;
/** Certificates begin at whole seconds: as much earlier than they are asked for. */
const WHOLE_SECOND = 1_000;
/** Who renews in a way of his own may be more careful. */
const EARLIEST_OF_OTHERS = 0.3;

export const certificateRenewed: Check<Attempts> = {
  id: 'joining-kubelets/certificate-renewed',
  source: 'client-go, util/certificate/certificate_manager.go nextRotationDeadline',
  judge: each((attempt) => {
    const { subject, seen, life = 0, milliseconds, speaksKubeadm } = attempt;
    const earliest = speaksKubeadm ? EARLIEST : EARLIEST_OF_OTHERS;
    const issued = seen.filter(isRequestTaken);
    const whole = life + BACKDATE;
    const due = (after: Seen, part: number): number => after.first - BACKDATE + whole * part;
    const [, second] = issued;
    // A renewal is in time by its first try: one that is refused is tried again some while later.
    const lives = issued.map((one) => ({
      one,
      tried: seen.slice(seen.indexOf(one) + 1).find(({ what }) => what === REQUESTS),
    }));
    const wrong = lives.filter(({ one, tried }) => {
      const late = (tried?.first ?? milliseconds) - due(one, LATEST);
      return (
        inTime(late, attempt) === false || (tried !== undefined && tried.first < due(one, earliest) - WHOLE_SECOND)
      );
    });
    const shares = lives.flatMap(({ one, tried }) =>
      tried === undefined ? [] : [`${Math.round(((tried.first - one.first + BACKDATE) / whole) * 100)} %`],
    );
    const isIts = issued.slice(1).every(({ as }) => as === ITS_CERTIFICATE);
    return demand({
      subject,
      demanded: 'each certificate is renewed with itself after 70 to 90 percent of its life',
      seen: second === undefined ? 'none is' : `after ${listed(shares)}${isIts ? '' : ', with something else'}`,
      ok: second !== undefined && isIts && wrong.length === 0,
    });
  }),
};

/** Before servers that it stays at for two lives, each of which begins when a certificate is issued. */
export const certificateRenewedBeforeItsEnd: Check<Attempts> = {
  id: 'joining-kubelets/certificate-renewed-before-its-end',
  source: 'client-go, util/certificate/certificate_manager.go nextRotationDeadline, rotateCerts',
  nothing: 'nobody knows how long its certificates live',
  judge: (attempts) =>
    attempts.flatMap((attempt) => {
      const { subject, seen, life, milliseconds } = attempt;
      if (life === undefined) return [];
      const made = seen.filter(isRequestTaken);
      const late = made.flatMap(({ first, as, shown }) => {
        const own = made.find(({ key }) => key !== undefined && key === shown);
        return as === ITS_CERTIFICATE && own !== undefined ? first - own.first - life : [];
      });
      const ends = milliseconds - (made.at(-1)?.first ?? 0) - life;
      const others = made.slice(1).filter(({ as }) => as !== ITS_CERTIFICATE).length;
      const stays = staysFor(attempt, life);
      const isLate = [...late, ends].some((one) => inTime(one, attempt) === false);
      const renewed = `${made.length - 1} are${isLate ? ', too late' : ''}${others === 0 ? '' : ', with something else'}`;
      const finding = demand({
        subject,
        demanded: 'while it stays another certificate is asked for before each one ends, with that',
        seen: made.length < 2 ? 'none is' : stays ? renewed : 'it does not stay',
        ok: made.length > 1 && others === 0 && stays && !isLate,
      });
      return made.length < 2 ? unlessStarved(finding, attempt) : finding;
    }),
};

/** Whether what was asked for by a request is shown later. */
const isShown = (request: Seen | undefined, seen: readonly Seen[]): boolean =>
  request?.key !== undefined && seen.some(({ shown }) => shown === request.key);

/** Before servers that refuse the first renewal: that one, and another. */
const RENEWALS = 2;

export const certificateAskedForAgain: Check<Attempts> = {
  id: 'joining-kubelets/certificate-asked-for-again',
  source: 'client-go, util/certificate/certificate_manager.go rotateCerts, backoff',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const first = seen.findIndex(isRequestTaken);
    const later = { seen: first < 0 ? [] : seen.slice(first + 1).filter(({ what }) => what === REQUESTS) };
    const own = timesOf(later, ({ as }) => as === ITS_CERTIFICATE);
    const others = timesOf(later, () => true) - own;
    const [refused, ...more] = later.seen;
    // What was never taken may be sent once more as it was.
    const isResent = refused?.answered !== 201 && more.some((one) => isRequestTaken(one) && one.key === refused?.key);
    const isUsed = !isResent && isShown(refused, seen);
    const finding = demand({
      subject,
      demanded: 'after a renewal that is refused another one is asked for, with the certificate',
      seen: `${own} renewals are asked for${others === 0 ? '' : `, and ${others} with something else`}${isUsed ? ', and what was refused is used' : ''}`,
      ok: own >= RENEWALS && others === 0 && !isUsed,
    });
    return own < RENEWALS ? unlessStarved(finding, attempt) : finding;
  }),
};

/** A certificate comes with a request that nobody has approved: what signs it may be anybody. */
export const unapprovedUnused: Check<Attempts> = {
  id: 'joining-kubelets/unapproved-unused',
  source: 'client-go, util/certificate/csr/csr.go WaitForCertificate',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const [, second] = seen.filter(isRequestTaken);
    const isUsed = isShown(second, seen);
    const told = { subject, demanded: 'a certificate of a renewal that nobody has approved is not shown' };
    return second === undefined
      ? unlessStarved(demand({ ...told, seen: 'none is renewed', ok: false }), attempt)
      : refusal({ ...told, seen: isUsed ? 'it is shown' : 'it is not', ok: !isUsed });
  }),
};

export const certificateRenewedAnew: Check<Attempts> = {
  id: 'joining-kubelets/certificate-renewed-anew',
  source: 'client-go, util/certificate/certificate_manager.go rotateCerts, generateCSR',
  judge: each(({ subject, seen }) => {
    const keys = seen.filter(isRequestTaken).flatMap(({ key }) => key ?? []);
    const others = new Set(keys).size;
    return demand({
      subject,
      demanded: 'each certificate is of another key',
      seen: keys.length < 2 ? 'none is renewed' : `${keys.length} certificates, ${others} keys`,
      ok: keys.length > 1 && others === keys.length,
    });
  }),
};
