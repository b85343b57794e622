/** CSINodes: what a kubelet says of its storage drivers. Source: pkg/apis/storage/validation/validation.go. */
import { isDeepStrictEqual } from 'node:util';
import { count, type Fields, record, records, text, texts } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import {
  at,
  child,
  duplicate,
  IMMUTABLE,
  invalidEach,
  invalidValue,
  NEGATIVE,
  required,
  tooLong,
} from '../../machinery/field-errors.js';
import { byteLength, dnsSubdomain, labelKey } from '../../machinery/name-rules.js';
import type { FieldError } from '../../resource-definition.js';
import type { Behaviour } from '../behaviour.js';
import { spec } from '../read.js';

const LONGEST_NAME = 63;
const LONGEST_NODE_ID = 256;

const driversOf = (node: KubeObject): readonly Fields[] => records(spec(node).drivers);

function faultsOfName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  return [
    ...(byteLength(name) > LONGEST_NAME ? [tooLong(field, LONGEST_NAME)] : []),
    ...invalidEach(field, name, dnsSubdomain(name.toLowerCase())),
  ];
}

function faultsOfNodeId(nodeID: string, field: string): FieldError[] {
  if (nodeID === '') return [required(field)];
  const isLong = byteLength(nodeID) > LONGEST_NODE_ID;
  return isLong ? [invalidValue(field, nodeID, `must be ${LONGEST_NODE_ID} characters or less`)] : [];
}

const validate = (node: KubeObject): FieldError[] => {
  const drivers = driversOf(node);
  return drivers.flatMap(({ name, nodeID, allocatable, topologyKeys }, index) => {
    const path = at('spec.drivers', index);
    const amount = record(allocatable).count;
    const isAgain = drivers.findIndex((one) => text(one.name) === text(name)) < index;
    return [
      ...faultsOfName(text(name), child(path, 'name')),
      ...faultsOfNodeId(text(nodeID), child(path, 'nodeID')),
      ...(count(amount) < 0 ? [invalidValue(child(path, 'allocatable.count'), amount, NEGATIVE)] : []),
      ...(isAgain ? [duplicate(child(path, 'name'), text(name))] : []),
      ...texts(topologyKeys).flatMap((key, nth, all) => [
        ...(key === '' ? [required(path)] : []),
        ...(all.indexOf(key) < nth ? [duplicate(path, key)] : []),
        ...invalidEach(path, key, labelKey(key)),
      ]),
    ];
  });
};

/** What of a driver stays, in the order in which Go prints it. */
const kept = ({ name, nodeID, topologyKeys }: Fields): Fields => ({
  Name: text(name),
  NodeID: text(nodeID),
  TopologyKeys: topologyKeys === undefined ? null : texts(topologyKeys),
  Allocatable: null,
});

const changed = (node: KubeObject, old: KubeObject): FieldError[] =>
  driversOf(old).flatMap((before) =>
    driversOf(node).flatMap((after) =>
      text(before.name) !== text(after.name) || isDeepStrictEqual(kept(before), kept(after))
        ? []
        : [invalidValue('spec.drivers', kept(after), IMMUTABLE)],
    ),
  );

export const csiNodes = (): Behaviour => ({
  metadataOnUpdate: 'create',
  validate,
  validateChange: changed,
});
