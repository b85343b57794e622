/**
 * Events, one kind in two groups. What else their validation looks into is taken as it comes. Source:
 * pkg/registry/core/event/strategy.go.
 */
import { record, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { invalidValue } from '../../machinery/field-errors.js';
import { pathSegmentName } from '../../machinery/name-rules.js';
import type { FieldError } from '../../resource-definition.js';
import { type Behaviour, type Behaviours, onlyLabels } from '../behaviour.js';

/**
 * An event lies in the namespace of what it tells of, in default where that has none. Source:
 * pkg/apis/core/validation/events.go.
 */
function involvedNamespace(event: KubeObject): FieldError[] {
  const involved = text(record(event.involvedObject).namespace);
  const { namespace = '' } = event.metadata;
  const homes = ['', 'default', ...(text(event.eventTime) === '' ? [] : ['kube-system'])];
  return involved === namespace || (involved === '' && homes.includes(namespace))
    ? []
    : [invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')];
}

const SUBJECT_FIELDS = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const selecting = (subject: string, controller: string): Behaviour => {
  const fieldSelectors: Readonly<Record<string, (event: KubeObject) => string>> = {
    ...Object.fromEntries(
      SUBJECT_FIELDS.map((field) => [
        `${subject}.${field}`,
        (event: KubeObject) => text(record(event[subject])[field]),
      ]),
    ),
    reason: (event) => text(event.reason),
    [controller]: (event) => text(event[controller]),
    type: (event) => text(event.type),
    ...(subject === 'regarding' ? {} : { source: (event) => text(record(event.source).component) }),
  };
  return {
    fieldSelectors,
    refuseFieldLabel: onlyLabels(...Object.keys(fieldSelectors), 'metadata.namespace', 'metadata.name'),
  };
};

export const eventBehaviours: Behaviours = {
  events: () => ({
    ...selecting('involvedObject', 'reportingComponent'),
    // The kind itself does not look at metadata: only what all kinds share is asked.
    validateName: pathSegmentName,
    metadataOnUpdate: 'common',
    validate: involvedNamespace,
  }),
  'events.events.k8s.io': () => ({ ...selecting('regarding', 'reportingController'), metadataOnUpdate: 'update' }),
};
