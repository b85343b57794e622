/**
 * A gateway that drops the query of a request turns a dry run into the deed. Before anything foreign is tried as a dry
 * run, one is made of something that is ours.
 */
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import type { HttpClient } from './client.js';
import { CannotTry, UnexpectedAnswer } from './errors.js';

/** What a server answers to the dry run of a ConfigMap of ours. Throws UnexpectedAnswer where it refuses it. */
export function dryRunOf(admin: HttpClient, name: string): Promise<ConfigMap> {
  const object: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: KUBE_SYSTEM } };
  return admin.create(resources.configMaps, object, { dryRun: 'All' });
}

/**
 * Throws CannotTry where the dry run was carried out, or could not be made. What it makes is on record for the
 * clean-up.
 */
export async function demandDryRuns(admin: HttpClient, run: string): Promise<void> {
  const name = `jp-dry-${run}`;
  try {
    await dryRunOf(admin, name);
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error;
    throw new CannotTry(`whether dry runs change nothing cannot be seen (${error.message})`);
  }
  if ((await admin.get(resources.configMaps, name, KUBE_SYSTEM)) !== undefined)
    throw new CannotTry('dry runs are carried out: what stands before the API server drops the query dryRun=All');
}
