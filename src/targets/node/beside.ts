/** The disk of a node, beside the cluster that it is a node of. */
import type { NodeFiles } from '../types.js';

/** How a report calls the disk. */
export const diskName = (given: string): string => `the disk of a node, ${given}`;

/** Throws ConfigurationError, TargetUnreachable. */
export const openBeside = async (given: string): Promise<{ readonly name: string; readonly files: NodeFiles }> => ({
  name: diskName(given),
  files: await (await import('./open.js')).openDisk(given),
});
