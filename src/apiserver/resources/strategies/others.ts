/** What little the remaining kinds need in code. Source: the defaults.go and strategy.go of core, apiextensions and resource. */
import { record, records, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { rfc3339 } from '../../clock.js';
import type { Behaviours } from '../behaviour.js';
import { spec, status, withDefaults, withFields } from '../read.js';

/** Names of a CustomResourceDefinition that follow from the others. Source: apiextensions-apiserver, pkg/apis/apiextensions/v1/defaults.go. */
function definitionDefaults(definition: KubeObject): KubeObject {
  const own = spec(definition);
  const names = record(own.names);
  const kind = text(names.kind);
  return withFields(definition, {
    spec: {
      ...own,
      names: withDefaults(names, { singular: kind.toLowerCase(), listKind: kind === '' ? '' : `${kind}List` }),
      conversion: withDefaults(record(own.conversion), { strategy: 'None' }),
    },
  });
}

const storedVersions = (definition: KubeObject): readonly string[] =>
  records(spec(definition).versions)
    .filter((version) => version.storage === true)
    .map((version) => text(version.name));

export const otherBehaviours: Behaviours = {
  persistentvolumes: () => ({
    prepareForCreate: (volume, context) =>
      withFields(volume, { status: { phase: 'Pending', lastPhaseTransitionTime: rfc3339(context.clock.now()) } }),
  }),
  persistentvolumeclaims: () => ({
    prepareForCreate: (claim) => withFields(claim, { status: { phase: 'Pending' } }),
  }),
  'customresourcedefinitions.apiextensions.k8s.io': () => ({
    default: definitionDefaults,
    prepareForCreate: (definition) =>
      withFields(definition, { status: { ...status(definition), storedVersions: storedVersions(definition) } }),
  }),
  'resourceslices.resource.k8s.io': () => ({
    fieldSelectors: {
      'spec.nodeName': (slice) => text(spec(slice).nodeName),
      'spec.driver': (slice) => text(spec(slice).driver),
    },
    refuseFieldLabel: (label) =>
      ['metadata.name', 'spec.nodeName', 'spec.driver'].includes(label)
        ? undefined
        : `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
  }),
};
