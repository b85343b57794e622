/**
 * The time of a server, where its Date header says another than this machine's clock: something on the way may write
 * that header, so the server's own writing is looked at.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { resources } from '../kubernetes/resources.js';
import { dryRunOf } from './dry-runs.js';
import { UnexpectedAnswer } from './errors.js';
import type { HttpTarget } from './http-target.js';
import { aheadBy } from './server-clock.js';

/** A Lease that is held was renewed within this time. */
const RENEWED_MS = 60_000;

/** Milliseconds since the epoch at the server, as near as can be seen; undefined: nothing but Date shows it. */
export async function serverTime(target: HttpTarget, mayWrite: boolean): Promise<number | undefined> {
  try {
    return mayWrite ? await timeOfCreation(target) : await timeOfLease(target);
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return undefined;
    throw error;
  }
}

/** What a server stamps on an object, in whole seconds; a dry run does. */
async function timeOfCreation({ admin }: HttpTarget): Promise<number | undefined> {
  const sentAt = Date.now();
  const { metadata } = await dryRunOf(admin, `jp-dry-${sentAt.toString(36)}`);
  const way = { sentAt, heardAt: Date.now() };
  const time = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(time) ? undefined : way.heardAt + aheadBy(time, way);
}

/**
 * The controller manager writes when it has renewed its Lease: where that was just now by this machine's clock, the
 * clock is right.
 */
async function timeOfLease({ admin }: HttpTarget): Promise<number | undefined> {
  const lease = await admin.get(resources.leases, 'kube-controller-manager', KUBE_SYSTEM);
  const spec = lease?.spec as { readonly renewTime?: unknown } | undefined;
  const renewed = typeof spec?.renewTime === 'string' ? Date.parse(spec.renewTime) : Number.NaN;
  return Math.abs(Date.now() - renewed) < RENEWED_MS ? Date.now() : undefined;
}
