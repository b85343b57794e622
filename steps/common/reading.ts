/** That reading shows what there is: the twin of every conclusion from what was not found. */
import { isThere } from '../../src/checks/common/presence.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import { NotInDump } from '../../src/targets/errors.js';

/** Objects are there, and nobody to ask for more. */
export const isDump = ({ target: { abilities } }: World): boolean => abilities.requests === undefined;

/** That a dump does not hold it; whatever else is wrong is. */
export function lack(error: unknown): NotInDump {
  if (error instanceof NotInDump) return error;
  throw error;
}

/** What a dump does not hold. */
export function notDumped(error: unknown): undefined {
  lack(error);
}

/**
 * Sees to it that a dump lists all of these kinds, or all of them in each of these namespaces. Throws NotInDump where
 * only some of their objects are there.
 */
export async function wholeLists(
  world: World,
  kinds: readonly Resource[],
  namespaces?: readonly string[],
): Promise<void> {
  if (!isDump(world)) return;
  const scopes = namespaces?.map((namespace) => ({ namespace })) ?? [{}];
  for (const kind of kinds)
    for (const scope of scopes) await world.objects.list(kind, { ...scope, whole: true }, () => undefined);
}

/**
 * Grants that the run's credential sees what every cluster has. One that may not read it proves and disproves nothing.
 * A dump says by itself what it does not hold; that it holds some objects is why there is a target at all.
 */
export async function grantReading(world: World): Promise<void> {
  if (isDump(world)) {
    world.grant(isThere, [{ subject: 'the dump', there: true }], { demanded: 'holds objects' });
    return;
  }
  const seen = await world.shared(`reading of ${world.target.name}`, async () => {
    const { status } = await world.admin.ask({ path: `/api/v1/namespaces/${KUBE_SYSTEM}` });
    return status === 403 ? 'forbidden' : status === 200;
  });
  if (seen === 'forbidden') return;
  const subject = `${resources.namespaces.kind} ${KUBE_SYSTEM}`;
  world.grant(isThere, [{ subject, there: seen }], { demanded: 'is seen by the credential of this run' });
}
