/**
 * Kinds that CustomResourceDefinitions add to a cluster, as they are listed.
 * Source: apiextensions.k8s.io/v1 CustomResourceDefinitionSpec.
 */
import { record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Resource } from '../../kubernetes/resources.js';

/** Cluster API keeps tokens of its machines in objects of its own; each ends with its machine. */
const OF_MACHINES = /(?:^|\.)cluster\.x-k8s\.io$/;

/** Reader of a definition; undefined of one that nothing is to be looked for in, or that nobody serves. */
export function readCustomKind(definition: KubeObject): Resource | undefined {
  const { group, names, scope, versions } = record(definition.spec);
  const { plural, kind } = record(names);
  const served = records(versions).filter((one) => one.served === true);
  const { name } = served.find(({ storage }) => storage === true) ?? served[0] ?? {};
  if (text(name) === '' || text(plural) === '' || OF_MACHINES.test(text(group))) return undefined;
  return {
    group: text(group),
    version: text(name),
    resource: text(plural),
    kind: text(kind),
    namespaced: scope === 'Namespaced',
  };
}
