/** That reading shows what there is: the twin of every conclusion from what was not found. */
import { isThere } from '../../src/checks/presence.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';

/**
 * Grants that the run's credential sees what every cluster has. One that may not read it proves and disproves nothing.
 */
export async function grantReading(world: World): Promise<void> {
  const seen = await world.shared(`reading of ${world.target.name}`, async () => {
    const { status } = await world.admin.ask({ path: `/api/v1/namespaces/${KUBE_SYSTEM}` });
    return status === 403 ? 'forbidden' : status === 200;
  });
  if (seen === 'forbidden') return;
  const subject = `${resources.namespaces.kind} ${KUBE_SYSTEM}`;
  world.grant(isThere, [{ subject, there: seen }], { demanded: 'is seen by the credential of this run' });
}
