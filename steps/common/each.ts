/** Several things of a scenario, done alike. */
import type { World } from '../../src/run/world.js';

/**
 * The same for each, in order. Over a network side by side; with a target in our own process one after another, since
 * there every further connection costs more than it saves. Of several that fail the first in their order is thrown,
 * whichever was quicker.
 */
export async function forEach<T, R>(world: World, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  if (!world.holds('inProcess')) {
    const settled = await Promise.allSettled(items.map(work));
    return settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  }
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
