/** PATCH in its four forms. Source: apiserver, pkg/endpoints/handlers/patch.go. */
import { isRecord, record } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { jsonPatch, mergePatch, PatchFailed, patchedText, type Seen } from '../../kubernetes/patch-json.js';
import { JsonSyntaxError, type ParsedJson, parseJson } from '../go/json.js';
import { goQuote, goValue } from '../go/text.js';
import { jsonType } from '../go/type-name.js';
import { YamlError, type YamlRead } from '../go/yaml.js';
import { readYamlBody } from '../go/yaml-aside.js';
import type { FieldError } from '../resource-definition.js';
import { ApiError } from '../types.js';
import { apply } from './apply.js';
import { authorizeCreate } from './authorize.js';
import { createObject, inNamespace } from './create.js';
import { kindOf, noObject } from './decode.js';
import { jsonOf } from './encode.js';
import { badRequest, conflict, invalid, notFound, patchRejected } from './errors.js';
import { invalidValue } from './field-errors.js';
import { apiVersion, groupResource, type Scope, storedObject, type Target } from './machinery.js';
import { trackUpdate } from './managed-fields.js';
import { completeSchema, OBJECT_META } from './object-meta.js';
import type { FieldValidation, WriteOptions } from './options.js';
import { strategicMerge } from './patch-strategic.js';
import { TypeMismatch, typed } from './typed.js';
import { unstructuredFault } from './unstructured.js';
import { change, checkName, type Updated } from './update.js';

export const APPLY = 'application/apply-patch+yaml';
const MOST_OPERATIONS = 10_000;
const OPERATION_FIELDS = new Set(['op', 'path', 'from', 'value']);

const patchError = (error: FieldError): ApiError => {
  const refusal = invalid({ group: '', kind: '' }, '', [error]);
  return refusal;
};

function parse(
  body: Buffer,
  prefix: string,
  refusal = (why: string): ApiError => badRequest(`${prefix}${why}`),
): ParsedJson {
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refusal(error.message);
    throw error;
  }
}

interface Patched {
  readonly value: Record<string, unknown>;
  /** strict faults of the patch itself */
  readonly problems: readonly string[];
  /** how the refused value is shown */
  readonly shown: () => string;
  /** converted from maps, not decoded from text */
  readonly converted?: true;
}

const META_ORDER = Object.keys(OBJECT_META.properties ?? {});

/** The stored object in the order in which Go prints it. */
function inGoOrder(live: KubeObject): KubeObject {
  const { kind, apiVersion: version, metadata, ...rest } = live;
  const fields = Object.entries(metadata).sort(([a], [b]) => META_ORDER.indexOf(a) - META_ORDER.indexOf(b));
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(version === undefined ? {} : { apiVersion: version }),
    metadata: Object.fromEntries(fields),
    ...rest,
  };
}

/** A patched document, decoded from the text that it is printed as. */
function printed(patched: unknown, seen: Seen): Pick<Patched, 'value' | 'shown'> {
  const shown = patchedText(patched, seen);
  return { value: record(JSON.parse(shown)), shown: () => shown };
}

/** How a patch is read before it is applied: checked field by field, or by the library that applies it alone. */
interface Reading {
  readonly prefix: string;
  readonly list: string;
  readonly operation: string;
}
const CHECKED: Reading = {
  prefix: 'error decoding patch: ',
  list: '[]handlers.jsonPatchOp',
  operation: 'handlers.jsonPatchOp',
};
const UNCHECKED: Reading = { prefix: '', list: 'jsonpatch.Patch', operation: 'jsonpatch.Operation' };

const notOfType = (prefix: string, value: unknown, type: string): ApiError =>
  badRequest(`${prefix}json: cannot unmarshal ${jsonType(value)} into Go ${type}`);

/** Source: patch.go jsonPatcher.applyJSPatch; evanphx/json-patch, patch.go. */
function byOperations(live: KubeObject, body: Buffer, validation: FieldValidation): Patched {
  const { prefix, list, operation: type } = validation === 'Ignore' ? UNCHECKED : CHECKED;
  const parsed = parse(body, prefix);
  const { duplicates } = parsed;
  const value = parsed.value ?? [];
  if (!Array.isArray(value)) throw notOfType(prefix, value, `value of type ${list}`);
  const odd: unknown = value.find((operation: unknown) => operation !== null && !isRecord(operation));
  if (odd !== undefined) throw notOfType(prefix, odd, `value of type ${type}`);
  for (const operation of value)
    for (const field of ['op', 'path', 'from']) {
      const given = record(operation)[field] ?? '';
      if (typeof given === 'string') continue;
      if (validation === 'Ignore') throw patchRejected();
      throw notOfType(prefix, given, `struct field jsonPatchOp.${field} of type string`);
    }
  const problems = [
    ...duplicates.map((path) => `json patch duplicate field ${goQuote(path)}`),
    ...value.flatMap((operation: unknown, index) =>
      isRecord(operation)
        ? Object.keys(operation).flatMap((key) =>
            OPERATION_FIELDS.has(key) ? [] : [`json patch unknown field ${goQuote(`[${index}].${key}`)}`],
          )
        : [],
    ),
  ];
  if (value.length > MOST_OPERATIONS) {
    throw new ApiError(
      413,
      'RequestEntityTooLarge',
      `Request entity is too large: The allowed maximum operations in a JSON patch is ${MOST_OPERATIONS}, ` +
        `got ${value.length}`,
    );
  }
  try {
    const seen: Seen = new Set();
    const patched = jsonPatch(inGoOrder(live), value, seen);
    return { ...printed(patched, seen), problems };
  } catch (error) {
    if (error instanceof PatchFailed) throw patchRejected();
    throw error;
  }
}

const badMerge = (): ApiError => badRequest('Invalid JSON Patch');

/** Source: patch.go jsonPatcher.applyJSPatch; evanphx/json-patch, merge.go doMergePatch. */
function byMerge(live: KubeObject, body: Buffer, validation: FieldValidation): Patched {
  const checked = validation !== 'Ignore';
  const { value, duplicates } = parse(body, CHECKED.prefix, checked ? undefined : badMerge);
  if (value === null) throw badMerge();
  if (!isRecord(value)) {
    if (checked) throw notOfType(CHECKED.prefix, value, 'value of type map[string]interface {}');
    if (!Array.isArray(value)) throw badMerge();
    // A list takes the place of the whole, and then is no object.
    throw patchError(invalidValue('patch', jsonOf(value), noObject(value)));
  }
  const seen: Seen = new Set();
  const patched = mergePatch(inGoOrder(live), value, seen);
  return { ...printed(patched, seen), problems: duplicates.map((path) => `duplicate field ${goQuote(path)}`) };
}

function byStrategy(live: KubeObject, body: Buffer, target: Target): Patched {
  const { value: given, duplicates } = parse(body, '');
  const value = given ?? {};
  if (!isRecord(value))
    throw badRequest(`json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`);
  const patched = strategicMerge(completeSchema(target.definition.schema), live, value);
  return {
    value: patched,
    problems: duplicates.map((path) => `duplicate field ${goQuote(path)}`),
    shown: () => goValue(value),
    converted: true,
  };
}

/** Kind and version decide what the text is decoded as. @throws 400, 422 */
function checkType({ value, shown }: Patched, { definition, name }: Target): void {
  const { kind, apiVersion: version } = value;
  const own = apiVersion(definition);
  if (kind === definition.kind && version === own) return;
  const said = kindOf(value);
  if (typeof said === 'string') throw patchError(invalidValue('patch', shown(), said));
  const given = (one: unknown): boolean => one !== undefined && one !== null;
  // Without a version an object of the internal one is made, which has nothing in it yet. A kind that is missing is
  // taken for granted.
  if (!given(version) || version === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (version === own && (!given(kind) || kind === '')) return;
  const why =
    `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(version))} in scheme ` +
    '"pkg/api/legacyscheme/scheme.go:30"';
  throw patchError(invalidValue('patch', shown(), why));
}

/** The patched values as an object of the kind. @throws 422 about the patch */
function typedPatched(patched: Patched, { target, caller }: Scope, options: WriteOptions): KubeObject {
  const { definition } = target;
  const problems: string[] = [...patched.problems];
  let object: Record<string, unknown>;
  const fault = patched.converted ? unstructuredFault(patched.value, definition.schema) : undefined;
  if (fault !== undefined) throw patchError(invalidValue('patch', patched.shown(), fault));
  if (!patched.converted) checkType(patched, target);
  try {
    object = typed(patched.value, definition.schema, definition.kind, { problems, duplicates: new Set() });
  } catch (error) {
    if (error instanceof TypeMismatch) throw patchError(invalidValue('patch', patched.shown(), error.message));
    throw error;
  }
  if (problems.length > 0 && options.fieldValidation === 'Strict')
    throw patchError(invalidValue('patch', patched.shown(), `strict decoding error: ${problems.join(', ')}`));
  if (options.fieldValidation === 'Warn') for (const problem of problems) caller.warnings.push(problem);
  return finish(object, target);
}

function finish(object: Record<string, unknown>, { definition }: Target): KubeObject {
  const made: KubeObject = {
    ...object,
    kind: definition.kind,
    apiVersion: apiVersion(definition),
    metadata: (object.metadata as KubeObject['metadata'] | null | undefined) ?? {},
  };
  return definition.strategy.default?.(made) ?? made;
}

function applyConfig(scope: Scope, live: KubeObject | undefined, body: Buffer, options: WriteOptions): Updated {
  const { target, caller } = scope;
  let decoded: YamlRead;
  try {
    decoded = readYamlBody(body);
  } catch (error) {
    if (error instanceof YamlError)
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw error;
  }
  const config = decoded.value ?? {};
  if (!isRecord(config))
    throw badRequest(
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ' +
        `${jsonType(config)} into Go value of type map[string]interface {}`,
    );
  const meta = record(config.metadata);
  if (live === undefined && target.subresource !== undefined)
    throw notFound(groupResource(target.definition), target.name);
  if (live === undefined && typeof meta.uid === 'string' && meta.uid !== '') {
    throw conflict(
      groupResource(target.definition),
      target.name,
      `uid mismatch: the provided object specified uid ${meta.uid}, and no existing object was found`,
    );
  }
  const merged = apply(scope, live, config, options.force);
  if (decoded.duplicates.length > 0 && options.fieldValidation !== 'Ignore') {
    const faults = decoded.duplicates.map(({ line, key }) => `line ${line}: key ${goQuote(key)} already set in map`);
    if (options.fieldValidation === 'Strict')
      throw badRequest(
        'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal ' +
          `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
      );
    for (const fault of faults) caller.warnings.push(fault);
  }
  const problems: string[] = [];
  const object = finish(
    typed(merged, target.definition.schema, target.definition.kind, { problems, duplicates: new Set() }),
    target,
  );
  const placed = checkName(inNamespace(object, target), target);
  if (live !== undefined) return { object: change(scope, live, placed, 'patch'), created: false };
  authorizeCreate(scope);
  return { object: createObject(scope, placed, 'apply'), created: true };
}

/** @param mediaType one of the four, already checked by the router */
export function patchObject(scope: Scope, mediaType: string, body: Buffer, options: WriteOptions): Updated {
  const { target } = scope;
  const live = storedObject(scope);
  if (mediaType === APPLY) return applyConfig(scope, live, body, options);
  if (live === undefined) throw notFound(groupResource(target.definition), target.name);
  const patched =
    mediaType === 'application/json-patch+json'
      ? byOperations(live, body, options.fieldValidation)
      : mediaType === 'application/merge-patch+json'
        ? byMerge(live, body, options.fieldValidation)
        : byStrategy(live, body, target);
  const object = typedPatched(patched, scope, options);
  const placed = checkName(inNamespace(object, target), target);
  return { object: change(scope, live, trackUpdate(scope, live, placed), 'patch'), created: false };
}
