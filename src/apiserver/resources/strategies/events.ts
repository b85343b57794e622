/**
 * Events, one kind in two groups. What may not change of them is taken as it comes. Source:
 * pkg/registry/core/event/strategy.go.
 */
import { isRecord, record, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { invalid } from '../../machinery/errors.js';
import { invalidValue, required } from '../../machinery/field-errors.js';
import { byteLength, labelKey, pathSegmentName } from '../../machinery/name-rules.js';
import type { FieldError } from '../../resource-definition.js';
import { type Behaviour, type Behaviours, onlyLabels } from '../behaviour.js';

/**
 * An event lies in the namespace of what it tells of, in default where that has none. Source:
 * pkg/apis/core/validation/events.go.
 */
function involvedNamespace(event: KubeObject, involved: string): FieldError[] {
  const { namespace = '' } = event.metadata;
  const isNew = text(event.eventTime) !== '';
  const homes = ['', 'default', ...(isNew ? ['kube-system'] : [])];
  return (involved === '' ? homes.includes(namespace) : isNew || involved === namespace)
    ? []
    : [invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')];
}

/** What events that have a time of their own must say, by the names of a group's fields. */
function saysEnough(event: KubeObject, controller: string, message: unknown): FieldError[] {
  if (text(event.eventTime) === '') return [];
  const long = (field: string, value: unknown, limit: number): FieldError[] =>
    byteLength(text(value)) > limit ? [invalidValue(field, '', `can have at most ${limit} characters`)] : [];
  const said = (field: string): FieldError[] => [
    ...(text(event[field]) === '' ? [required(field)] : []),
    ...long(field, event[field], 128),
  ];
  const by = text(event[controller]);
  return [
    ...(by === '' ? [required(controller)] : []),
    ...labelKey(by).map((why) => invalidValue(controller, by, why)),
    ...said('reportingInstance'),
    ...said('action'),
    ...said('reason'),
    ...long('message', message, 1024),
  ];
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 0;

function validateSeries(event: KubeObject): FieldError[] {
  if (!isRecord(event.series)) return [];
  const { count, lastObservedTime } = event.series;
  return [
    ...(typeof count === 'number' && count >= 2 ? [] : [invalidValue('series.count', '', 'should be at least 2')]),
    ...(isGiven(lastObservedTime) ? [] : [required('series.lastObservedTime')]),
  ];
}

/** What the newer group alone demands of an event that is made. */
function validateNew(event: KubeObject): FieldError[] {
  const unset = (field: string, value: unknown): FieldError[] =>
    isGiven(value) ? [invalidValue(field, '', 'needs to be unset')] : [];
  const type = text(event.type);
  const source = record(event.deprecatedSource);
  return [
    ...validateSeries(event),
    ...(isGiven(event.eventTime) ? [] : [required('eventTime')]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', event.deprecatedFirstTimestamp),
    ...unset('lastTimestamp', event.deprecatedLastTimestamp),
    ...unset('count', event.deprecatedCount),
    ...unset('source', text(source.component) + text(source.host)),
  ];
}

/** The kind that both groups are in storage is named, by its fields. @throws ApiError 422 */
function refuse(event: KubeObject, errors: readonly FieldError[]): FieldError[] {
  if (errors.length > 0) throw invalid({ group: '', kind: 'Event' }, event.metadata.name ?? '', errors);
  return [];
}

const validateOld = (event: KubeObject): FieldError[] => [
  ...involvedNamespace(event, text(record(event.involvedObject).namespace)),
  ...saysEnough(event, 'reportingComponent', event.message),
];
const validateEither = (event: KubeObject): FieldError[] => [
  ...involvedNamespace(event, text(record(event.regarding).namespace)),
  ...saysEnough(event, 'reportingController', event.note),
];

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
    validate: validateOld,
  }),
  'events.events.k8s.io': () => ({
    ...selecting('regarding', 'reportingController'),
    metadataOnUpdate: 'update',
    validate: (event) => refuse(event, [...validateEither(event), ...validateNew(event)]),
    validateUpdate: (event) => refuse(event, validateEither(event)),
  }),
};
