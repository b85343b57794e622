/** Names that are not a node's own, by the words of the features. */
import type { World } from '../../src/run/world.js';

export const OTHERS: Readonly<Record<string, (own: string, random: string) => string>> = {
  'another node': (_own, random) => `jp-${random}`,
  'a node whose name begins with its own': (own) => `${own}x`,
  'a node whose name its own begins with': (own) => own.slice(0, -1),
  'a node whose name ends with its own': (own) => `x${own}`,
  'its own name in capitals': (own) => own.toUpperCase(),
};

/** `own`: the name of the node that asks. */
export const otherName = (world: World, whom: string, own: string): string =>
  OTHERS[whom]?.(own, world.random(10)) ?? world.unknown(`the steps know no node that is "${whom}"`);
