/**
 * Secrets and ConfigMaps. Source: pkg/apis/core/validation/validation.go ValidateSecret, ValidateConfigMap;
 * pkg/registry/core/{secret,configmap}/strategy.go.
 */
import { isDeepStrictEqual } from 'node:util';
import { text, textMap } from '../../../kubernetes/json.js';
import { ACCOUNT_NAME_ANNOTATION, ACCOUNT_SECRET_TYPE } from '../../../kubernetes/names.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { base64Length } from '../../go/base64.js';
import { JsonSyntaxError, parseJson } from '../../go/json.js';
import { jsonType } from '../../go/type-name.js';
import {
  at,
  forbiddenField,
  IMMUTABLE,
  invalidEach,
  invalidValue,
  required,
  tooLong,
} from '../../machinery/field-errors.js';
import { byteLength, configKey } from '../../machinery/name-rules.js';
import type { FieldError } from '../../resource-definition.js';
import { type Behaviours, onlyLabels } from '../behaviour.js';
import { withFields } from '../read.js';
import { pairProblem } from './tls-pair.js';

/** Of all values together. */
const MAX_SIZE = 1024 * 1024;
const OPAQUE = 'Opaque';

/**
 * stringData is written into data and forgotten. Source: pkg/apis/core/v1/conversion.go
 * Convert_v1_Secret_To_core_Secret.
 */
function secretDefaults(secret: KubeObject): KubeObject {
  const stringData = Object.entries(textMap(secret.stringData));
  const data = { ...textMap(secret.data) };
  for (const [key, value] of stringData) data[key] = Buffer.from(value).toString('base64');
  return withFields(secret, {
    stringData: undefined,
    data: Object.keys(data).length === 0 ? undefined : data,
    type: text(secret.type) === '' ? OPAQUE : secret.type,
  });
}

/** encoding/json's complaint about bytes that should be a JSON object; undefined where they are one. */
function jsonObjectFault(base64: string): string | undefined {
  try {
    const { value } = parseJson(Buffer.from(base64, 'base64').toString());
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    return `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

function typedSecret(secret: KubeObject, data: Readonly<Record<string, string>>): FieldError[] {
  const demand = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => data[key] === undefined).map((key) => required(at('data', key)));
  const json = (key: string): FieldError[] => {
    const value = data[key];
    if (value === undefined) return [required(at('data', key))];
    const fault = jsonObjectFault(value);
    return fault === undefined ? [] : [invalidValue(at('data', key), '<secret contents redacted>', fault)];
  };
  switch (text(secret.type)) {
    case ACCOUNT_SECRET_TYPE:
      return (secret.metadata.annotations?.[ACCOUNT_NAME_ANNOTATION] ?? '') === ''
        ? [required(at('metadata.annotations', ACCOUNT_NAME_ANNOTATION))]
        : [];
    case 'kubernetes.io/dockercfg':
      return json('.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return json('.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return data.username === undefined && data.password === undefined ? demand('username', 'password') : [];
    case 'kubernetes.io/ssh-auth':
      return (data['ssh-privatekey'] ?? '') === '' ? [required(at('data', 'ssh-privatekey'))] : [];
    case 'kubernetes.io/tls':
      return demand('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function validateSecret(secret: KubeObject): FieldError[] {
  const data = textMap(secret.data);
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...invalidEach(at('data', key), key, configKey(key)));
    size += base64Length(value);
  }
  if (size > MAX_SIZE) errors.push(tooLong('data', MAX_SIZE));
  return [...errors, ...typedSecret(secret, data)];
}

function warningsOfSecret(secret: KubeObject): readonly string[] {
  if (text(secret.type) !== 'kubernetes.io/tls') return [];
  const data = textMap(secret.data);
  const pem = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
  const problem = pairProblem(pem('tls.crt'), pem('tls.key'));
  return problem === undefined ? [] : [problem];
}

const FROZEN = 'field is immutable when `immutable` is set';
/** What an object that was made immutable holds fast. */
function frozen(object: KubeObject, old: KubeObject, fields: readonly string[]): FieldError[] {
  if (old.immutable !== true) return [];
  return [
    ...(object.immutable === true ? [] : [forbiddenField('immutable', FROZEN)]),
    ...fields
      .filter((field) => !isDeepStrictEqual(object[field], old[field]))
      .map((field) => forbiddenField(field, FROZEN)),
  ];
}

function validateConfigMap(map: KubeObject): FieldError[] {
  const data = textMap(map.data);
  const binary = textMap(map.binaryData);
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...invalidEach(at('data', key), key, configKey(key)));
    if (binary[key] !== undefined)
      errors.push(invalidValue(at('data', key), key, 'duplicate of key present in binaryData'));
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    errors.push(...invalidEach(at('binaryData', key), key, configKey(key)));
    size += base64Length(value);
  }
  // The path of the whole object prints as "[]".
  if (size > MAX_SIZE) errors.push(tooLong('[]', MAX_SIZE));
  return errors;
}

export const configBehaviours: Behaviours = {
  secrets: () => ({
    default: secretDefaults,
    // An update that leaves the type out means the old one; by then the default is in place, so only Opaque can stand
    // for "left out".
    validate: validateSecret,
    warnings: warningsOfSecret,
    validateChange: (secret, old) => [
      ...(text(secret.type) === text(old.type) ? [] : [invalidValue('type', text(secret.type), IMMUTABLE)]),
      ...frozen(secret, old, ['data']),
    ],
    fieldSelectors: { type: (secret) => text(secret.type) },
    refuseFieldLabel: onlyLabels('type', 'metadata.namespace', 'metadata.name'),
  }),
  configmaps: () => ({
    validate: validateConfigMap,
    validateChange: (map, old) => frozen(map, old, ['data', 'binaryData']),
  }),
};
