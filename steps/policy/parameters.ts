/** Parameters that bindings of admission policies refer to, as far as the run's credential may read them. */
import { NAMESPACES_OF_JOINING } from '../../src/checks/admission/joining-requests.js';
import type { ParametersByBinding, ParametersSeen } from '../../src/checks/admission/policy-parameters.js';
import { isRecord, record, records, text } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import { NotInDump, UnexpectedAnswer } from '../../src/targets/errors.js';
import { isDump } from '../common/reading.js';

/** undefined: nobody says; null: nobody serves it. */
async function resourceOf(world: World, paramKind: unknown): Promise<Resource | null | undefined> {
  const { apiVersion, kind } = record(paramKind);
  const parts = text(apiVersion).split('/');
  const version = parts.pop() ?? '';
  const group = parts.pop() ?? '';
  // a dump does not say what is served, but for what every cluster serves
  if (isDump(world)) return apiVersion === 'v1' && kind === 'ConfigMap' ? resources.configMaps : undefined;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const { status, body } = await world.admin.ask({ path });
  if (status === 404) return null;
  if (status !== 200) return undefined;
  const found = records(record(body).resources).find((one) => one.kind === kind && !text(one.name).includes('/'));
  return found === undefined
    ? null
    : { group, version, resource: text(found.name), kind: text(kind), namespaced: found.namespaced === true };
}

/**
 * What may not be read is not known. Secrets are not read for the sake of this: that would be a right to every Secret of
 * whatever namespace a binding names.
 */
async function objectsOf(
  { objects }: World,
  resource: Resource,
  paramRef: Readonly<Record<string, unknown>>,
): Promise<readonly KubeObject[] | undefined> {
  if (resource.group === '' && resource.resource === 'secrets') return undefined;
  const { name, namespace } = paramRef;
  const spaces = text(namespace) === '' ? NAMESPACES_OF_JOINING : [text(namespace)];
  const inEach = async (space: string | undefined): Promise<readonly KubeObject[]> => {
    const at = space === undefined ? {} : { namespace: space };
    if (text(name) === '') return objects.list(resource, at);
    const found = await objects.get(resource, text(name), space);
    return found === undefined ? [] : [found];
  };
  try {
    return (await Promise.all((resource.namespaced ? spaces : [undefined]).map(inEach))).flat();
  } catch (error) {
    if (error instanceof NotInDump || (error instanceof UnexpectedAnswer && error.code === 403)) return undefined;
    throw error;
  }
}

/** Of the bindings whose policies ask for parameters. */
export async function parametersOf(
  world: World,
  policies: readonly KubeObject[],
  bindings: readonly KubeObject[],
): Promise<ParametersByBinding> {
  const kinds = new Map(policies.map(({ metadata, spec }) => [metadata.name, record(spec).paramKind]));
  const seen: Record<string, ParametersSeen> = {};
  for (const { metadata, spec } of bindings) {
    const { policyName, paramRef } = record(spec);
    const paramKind = kinds.get(text(policyName));
    if (!isRecord(paramKind)) continue;
    const resource = await resourceOf(world, paramKind);
    if (resource === undefined) continue;
    const objects = resource === null || !isRecord(paramRef) ? undefined : await objectsOf(world, resource, paramRef);
    seen[metadata.name ?? ''] = {
      served: resource !== null,
      namespaced: resource?.namespaced === true,
      ...(objects === undefined ? {} : { objects }),
    };
  }
  return seen;
}
