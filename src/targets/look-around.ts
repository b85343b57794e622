/**
 * Looks what a cluster can do. Nothing here writes, but for one ConfigMap where writing is allowed and nothing else
 * shows whether controllers run.
 */
import { isRecord, record, records, texts } from '../kubernetes/json.js';
import { GROUP_UNAUTHENTICATED, KUBE_SYSTEM, USER_ANONYMOUS } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { NO_OWNER } from '../kubernetes/own-objects.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { TargetUnreachable, UnexpectedAnswer } from './errors.js';
import type { Found, HttpTarget } from './http-target.js';
import { kubeadmSigns } from './kubeadm-signs.js';
import { pause } from './pause.js';

/**
 * A holder renews its Lease every 2 s; after this many it is gone. Source: kube-controller-manager
 * --leader-elect-lease-duration 15s.
 */
const LEASE_FRESH_MS = 60_000;
/** A Lease is waited for so many seconds at most, whatever it says, and somewhat longer than it lasts. */
const MOST_LEASE = 30;
const WITH_RETRIES = 1.3;
/** The garbage collector takes a dangling object within a second or two. */
const COLLECTED_MS = 12_000;

type Known = true | string;

interface Looking {
  /** Why nothing may be written; undefined: it may. */
  readonly readOnly: string | undefined;
  readonly version: Found['version'];
  readonly signal: AbortSignal;
}

export async function lookAround(target: HttpTarget, options: Looking): Promise<Omit<Found, 'version'>> {
  const [anonymous, { controllers, absent }, reviews, { kubeadm, signs }] = await Promise.all([
    anonymousShows(target),
    controllersRun(target, options),
    reviewsAllowed(target),
    setUpByKubeadm(target, options.version),
  ]);
  const foreign = 'the cluster is not ours: joinproof neither disturbs what others made nor hands out rights';
  return {
    facts: {
      anonymous,
      controllers,
      kubeadm,
      fresh: foreign,
      ours: foreign,
      inProcess: 'the target is another process',
    },
    absent: absent ? ['controllers'] : [],
    signs,
    lacks: {
      ...(options.readOnly === undefined ? {} : { writes: options.readOnly }),
      ...(reviews === true ? {} : { reviews }),
    },
  };
}

/** What strangers may nowhere read. */
const HIDDEN = { path: pathOf(resources.secrets, { namespace: KUBE_SYSTEM }), query: { limit: '1' } };

/**
 * By behaviour: something between us and the API server (a proxy, a platform's gateway) may add a credential of its
 * own, which only shows in whom the server takes us for, or in what we may. A server without anonymous authentication
 * says 401, which is an answer.
 */
async function anonymousShows(target: HttpTarget): Promise<Known> {
  const added = 'something before the API server adds a credential of its own';
  try {
    const answer = await target.as({ kind: 'anonymous' }).ask(HIDDEN);
    const message = isRecord(answer.body) ? answer.body.message : undefined;
    const user = typeof message === 'string' ? /User "([^"]*)"/.exec(message)?.[1] : undefined;
    if (answer.status === 403 && user !== undefined && user !== USER_ANONYMOUS)
      return `a request without credentials is taken for ${target.redactor.redact(user)}: ${added}`;
    if (answer.status === 200 && (await strangersMay(target)) === false)
      return `a request without credentials reads Secrets, which ${USER_ANONYMOUS} may not: ${added}`;
    return true;
  } catch (error) {
    if (error instanceof TargetUnreachable && error.why !== 'aborted')
      return `a request without credentials gets no answer: ${error.message}`;
    throw error;
  }
}

/** Whether RBAC and its like let strangers read those Secrets; undefined where nobody says. */
async function strangersMay(target: HttpTarget): Promise<unknown> {
  const { body } = await target.admin.ask({
    method: 'POST',
    path: pathOf(resources.subjectAccessReviews),
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user: USER_ANONYMOUS,
        groups: [GROUP_UNAUTHENTICATED],
        resourceAttributes: { namespace: KUBE_SYSTEM, verb: 'list', version: 'v1', resource: 'secrets' },
      },
    },
  });
  return isRecord(body) && isRecord(body.status) ? body.status.allowed : undefined;
}

async function reviewsAllowed(target: HttpTarget): Promise<Known> {
  const may = async (attributes: Readonly<Record<string, string>>): Promise<boolean> => {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: attributes },
    };
    const answer = await target.admin.ask({ method: 'POST', path: pathOf(resources.selfSubjectAccessReviews), body });
    return (answer.body as { status?: { allowed?: unknown } } | undefined)?.status?.allowed === true;
  };
  if (await may({ verb: 'create', group: 'authorization.k8s.io', resource: 'subjectaccessreviews' })) return true;
  const [users, groups] = await Promise.all([
    may({ verb: 'impersonate', resource: 'users' }),
    may({ verb: 'impersonate', resource: 'groups' }),
  ]);
  return (users && groups) || 'the credential may neither create SubjectAccessReviews nor impersonate';
}

async function setUpByKubeadm(
  target: HttpTarget,
  version: Found['version'],
): Promise<{ readonly kubeadm: Known; readonly signs: readonly string[] }> {
  let unread = '';
  const signs = await kubeadmSigns(version, async ({ resource, name, namespace }) => {
    const found = await reading(() => target.admin.get(resource, name, namespace));
    if (typeof found === 'string') unread ||= `${resource.kind} ${name} cannot be read (${found})`;
    return found !== undefined && typeof found !== 'string';
  });
  if (signs.length > 0) return { kubeadm: true, signs };
  const none = 'kube-system has no ConfigMap kubeadm-config, nor is there what else kubeadm leaves';
  return { kubeadm: unread === '' ? `${none}: kubeadm did not set the cluster up` : unread, signs };
}

/** The value, or why it may not be had; other errors pass. */
async function reading<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return error.message;
    throw error;
  }
}

/**
 * In this order: the Lease of the leader election (fresh, or renewed while we wait: yes; stale: no, unless a Pod shows
 * that nobody is elected), the mirror Pod (single-node clusters without election), and where neither shows anything and
 * writing is allowed, behaviour: an object whose owner does not exist is collected. Where nothing can be seen the
 * answer is no, with that reason: rules that would wait for controllers are skipped rather than failed.
 */
async function controllersRun(
  target: HttpTarget,
  options: Looking,
): Promise<{ readonly controllers: Known /** Known not to run. */; readonly absent: boolean }> {
  const lease = await leaseOf(target);
  const renewed = leaseAge(target, lease);
  if (renewed !== undefined && renewed < LEASE_FRESH_MS) return RUN;
  const pods = await reading(() =>
    target.admin.list(resources.pods, { namespace: KUBE_SYSTEM, labelSelector: 'component=kube-controller-manager' }),
  );
  const ready = typeof pods === 'string' ? [] : pods.filter(isReady);
  if (renewed === undefined ? ready.length > 0 : ready.some(isUnelected)) return RUN;
  if (renewed !== undefined) {
    if (await isTakenSoon(target, lease, options.signal)) return RUN;
    const ago = `${Math.round(renewed / 1000)} s ago`;
    return { controllers: `kube-controller-manager does not run: its Lease was last renewed ${ago}`, absent: true };
  }
  if (options.readOnly === undefined) {
    const collected = await collectsGarbage(target, options.signal);
    if (collected === true) return RUN;
    if (collected === false)
      return { controllers: 'no controller acts: an object without an owner was not collected', absent: true };
  }
  const unseen = 'whether kube-controller-manager runs cannot be seen: kube-system shows neither its Lease nor its Pod';
  return { controllers: unseen, absent: false };
}
const RUN = { controllers: true, absent: false } as const;

const leaseOf = (target: HttpTarget): Promise<KubeObject | string | undefined> =>
  reading(() => target.admin.get(resources.leases, 'kube-controller-manager', KUBE_SYSTEM));

/**
 * Whether somebody takes the Lease while it would be waited for: who starts anew, on a restored etcd or after the
 * machine has slept, finds that of another and lets it run out.
 */
async function isTakenSoon(target: HttpTarget, lease: KubeObject | string | undefined, signal: AbortSignal) {
  const { leaseDurationSeconds, renewTime } = record(record(lease).spec);
  const seconds = typeof leaseDurationSeconds === 'number' ? Math.min(leaseDurationSeconds, MOST_LEASE) : 0;
  const end = performance.now() + seconds * 1000 * WITH_RETRIES;
  while (seconds > 0 && performance.now() < end) {
    await pause(500, signal);
    if (record(record(await leaseOf(target)).spec).renewTime !== renewTime) return true;
  }
  return false;
}

/** It renews no Lease, so an old one says nothing. */
const isUnelected = ({ spec }: KubeObject): boolean =>
  records(record(spec).containers)
    .flatMap(({ command, args }) => [...texts(command), ...texts(args)])
    .some((word) => /^--leader-elect=(?:false|f|0)$/i.test(word));

function leaseAge(target: HttpTarget, lease: KubeObject | string | undefined): number | undefined {
  if (lease === undefined || typeof lease === 'string') return undefined;
  const spec = lease.spec as { renewTime?: unknown } | undefined;
  const time = typeof spec?.renewTime === 'string' ? Date.parse(spec.renewTime) : Number.NaN;
  return Number.isNaN(time) ? undefined : target.facts.now() - time;
}

const isReady = (pod: KubeObject): boolean => {
  const status = pod.status as { conditions?: readonly { type?: unknown; status?: unknown }[] } | undefined;
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
};

/** undefined: such an object could not be made. */
async function collectsGarbage(target: HttpTarget, signal: AbortSignal): Promise<boolean | undefined> {
  const made = await reading(() =>
    target.admin.create<KubeObject>(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'jp-dangling-', namespace: KUBE_SYSTEM, ownerReferences: [NO_OWNER] },
    }),
  );
  if (typeof made === 'string') return undefined;
  const end = Date.now() + COLLECTED_MS;
  while (Date.now() < end) {
    if ((await target.admin.get(resources.configMaps, made.metadata.name ?? '', KUBE_SYSTEM)) === undefined)
      return true;
    await pause(250, signal);
  }
  return false;
}
