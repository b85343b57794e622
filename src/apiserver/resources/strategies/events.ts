/**
 * Events, one kind in two groups: events.k8s.io is a view with stricter rules. Source: pkg/apis/core/validation/events.go, pkg/registry/core/event/strategy.go,
 * pkg/apis/{core,events}/v1/conversion.go.
 */
import { isDeepStrictEqual } from 'node:util';
import { count, type Fields, isRecord, record, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { IMMUTABLE, invalidEach, invalidValue, required } from '../../machinery/field-errors.js';
import { validateCommonMetadata } from '../../machinery/metadata-validation.js';
import { byteLength, dnsSubdomain, labelKey, pathSegmentName } from '../../machinery/name-rules.js';
import type { FieldError } from '../../types.js';
import { type Behaviour, type Behaviours, onlyLabels } from '../behaviour.js';

/** The fields of an event by the names of core/v1, whichever group it came in. */
function fieldsOf(event: KubeObject): Fields {
  if (event.apiVersion !== 'events.k8s.io/v1') return event;
  return {
    ...event,
    involvedObject: event.regarding,
    message: event.note,
    reportingComponent: event.reportingController,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
  };
}

const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

function validateForBoth(event: KubeObject, controllerField: string): FieldError[] {
  const fields = fieldsOf(event);
  const namespace = event.metadata.namespace ?? '';
  const involved = text(record(fields.involvedObject).namespace);
  const errors: FieldError[] = [];
  const mismatch = (): void => {
    errors.push(invalidValue('involvedObject.namespace', involved, 'does not match event.namespace'));
  };
  if (text(fields.eventTime) === '') {
    if (involved === '' ? namespace !== '' && namespace !== 'default' : namespace !== involved) mismatch();
  } else {
    if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') mismatch();
    const controller = text(fields.reportingComponent);
    if (controller === '') errors.push(required(controllerField));
    errors.push(...invalidEach(controllerField, controller, labelKey(controller)));
    for (const [field, limit] of Object.entries(LIMITS)) {
      const value = text(fields[field]);
      if (value === '' && field !== 'message') errors.push(required(field));
      if (byteLength(value) > limit) errors.push(invalidValue(field, '', `can have at most ${limit} characters`));
    }
  }
  return [...errors, ...invalidEach('namespace', namespace, dnsSubdomain(namespace))];
}

function validateSeries(event: KubeObject): FieldError[] {
  if (!isRecord(event.series)) return [];
  return [
    ...(count(event.series.count) < 2 ? [invalidValue('series.count', '', 'should be at least 2')] : []),
    ...(text(event.series.lastObservedTime) === '' ? [required('series.lastObservedTime')] : []),
  ];
}

const UNSET = 'needs to be unset';
function validateStrictly(event: KubeObject): FieldError[] {
  const fields = fieldsOf(event);
  const source = record(fields.source);
  const errors = [...validateForBoth(event, 'reportingController'), ...validateSeries(event)];
  if (text(fields.eventTime) === '') errors.push(required('eventTime'));
  const type = text(fields.type);
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalidValue('type', '', `has invalid value: ${type}`));
  if (text(fields.firstTimestamp) !== '') errors.push(invalidValue('firstTimestamp', '', UNSET));
  if (text(fields.lastTimestamp) !== '') errors.push(invalidValue('lastTimestamp', '', UNSET));
  if (count(fields.count) !== 0) errors.push(invalidValue('count', '', UNSET));
  if (text(source.component) !== '' || text(source.host) !== '') errors.push(invalidValue('source', '', UNSET));
  return errors;
}

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
] as const;

function validateStrictChange(event: KubeObject, old: KubeObject): FieldError[] {
  const [fields, before] = [fieldsOf(event), fieldsOf(old)];
  return [
    ...validateForBoth(event, 'reportingController'),
    ...(isDeepStrictEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...FIXED.filter((field) => !isDeepStrictEqual(fields[field] ?? null, before[field] ?? null)).map((field) =>
      invalidValue(field === 'reportingComponent' ? 'reportingController' : field, fields[field] ?? '', IMMUTABLE),
    ),
  ];
}

const involved =
  (field: string) =>
  (event: KubeObject): string =>
    text(record(fieldsOf(event).involvedObject)[field]);

const component = (event: KubeObject): string => {
  const fields = fieldsOf(event);
  return text(record(fields.source).component) || text(fields.reportingComponent);
};

const selectors = (
  subject: 'involvedObject' | 'regarding',
  controller: string,
): Readonly<Record<string, (event: KubeObject) => string>> => ({
  ...Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((field) => [
      `${subject}.${field}`,
      involved(field),
    ]),
  ),
  reason: (event) => text(event.reason),
  [controller]: (event) => text(fieldsOf(event).reportingComponent),
  ...(subject === 'involvedObject' ? { source: component } : {}),
  type: (event) => text(event.type),
});

const coreSelectors = selectors('involvedObject', 'reportingComponent');
const eventsSelectors = selectors('regarding', 'reportingController');
const META_LABELS = ['metadata.namespace', 'metadata.name'] as const;

const coreEvents = (): Behaviour => ({
  // The kind itself does not look at metadata: only what all kinds share is asked.
  validateName: pathSegmentName,
  metadataOnUpdate: 'common',
  validate: (event) => {
    const errors = validateForBoth(event, 'reportingComponent');
    return errors.length > 0 ? errors : validateCommonMetadata(event, true);
  },
  validateUpdate: (event) => validateForBoth(event, 'reportingComponent'),
  fieldSelectors: coreSelectors,
  refuseFieldLabel: onlyLabels(...Object.keys(coreSelectors), ...META_LABELS),
});

const events = (): Behaviour => ({
  metadataOnUpdate: 'update',
  validate: validateStrictly,
  validateUpdate: validateStrictChange,
  fieldSelectors: eventsSelectors,
  refuseFieldLabel: onlyLabels(...Object.keys(eventsSelectors), ...META_LABELS),
});

export const eventBehaviours: Behaviours = { events: coreEvents, 'events.events.k8s.io': events };
