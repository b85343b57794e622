/**
 * A gateway that drops the query of a request turns a dry run into the deed. Before anything foreign is tried as a dry
 * run, one is made of something that is ours.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { HttpClient } from './client.js';
import { CannotTry, UnexpectedAnswer } from './errors.js';

/**
 * Throws CannotTry where the dry run was carried out, or could not be made. What it makes is on record for the
 * clean-up.
 */
export async function demandDryRuns(admin: HttpClient, run: string): Promise<void> {
  const name = `jp-dry-${run}`;
  const object: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: KUBE_SYSTEM },
  };
  try {
    await admin.create(resources.configMaps, object, { dryRun: 'All' });
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    throw new CannotTry(`whether dry runs change nothing cannot be seen (${error.message})`);
  }
  if ((await admin.get(resources.configMaps, name, KUBE_SYSTEM)) !== undefined)
    throw new CannotTry('dry runs are carried out: what stands before the API server drops the query dryRun=All');
}
