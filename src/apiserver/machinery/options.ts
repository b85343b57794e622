/**
 * The options of a write: from query and body, checked. Source: apimachinery,
 * pkg/apis/meta/v1/validation/validation.go; apiserver, pkg/endpoints/handlers/delete.go.
 */

import { goQuote } from '../go/text.js';
import type { FieldError, FieldSchema } from '../resource-definition.js';
import { BodyError, kindOf, META_KINDS } from './decode.js';
import { invalid } from './errors.js';
import { forbiddenField, invalidValue, notSupported } from './field-errors.js';
import { validateFieldManager } from './metadata-validation.js';
import { int64, truthy } from './query.js';
import { TypeMismatch, typed } from './typed.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** '' where none was given */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** server-side apply only */
  readonly force: boolean;
}

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

const dryRunErrors = (values: readonly unknown[]): FieldError[] =>
  values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];

const reject = (kind: string, errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
};

/** @throws 422 about CreateOptions, UpdateOptions or PatchOptions */
export function writeOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  apply = false,
): WriteOptions {
  const manager = query.get('fieldManager') ?? '';
  const dryRun = query.getAll('dryRun');
  const validation = query.get('fieldValidation') ?? '';
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (apply && manager === '')
      errors.push({ type: 'Required', field: 'fieldManager', body: 'Required value: is required for apply patch' });
    if (!apply && query.has('force')) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  }
  if (manager !== '') errors.push(...validateFieldManager(manager, 'fieldManager'));
  errors.push(...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation))
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  reject(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: manager,
    fieldValidation: validation === '' ? 'Warn' : (validation as FieldValidation),
    force: truthy(query.get('force')),
  };
}

/**
 * Options of a delete from the query; a body replaces them. Source: apimachinery, pkg/apis/meta/v1/conversion.go
 * Convert_url_Values_To_v1_DeleteOptions.
 */
export function deleteOptionsFromQuery(query: URLSearchParams): Record<string, unknown> {
  const grace = int64(query, 'gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const dryRun = query.getAll('dryRun');
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  const preconditions = { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
  return {
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(query.has('orphanDependents') ? { orphanDependents: truthy(query.get('orphanDependents')) } : {}),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}

const INTEGER: FieldSchema = { type: 'integer', format: 'int64' };
const DELETE_OPTIONS: FieldSchema = {
  type: 'object',
  properties: {
    gracePeriodSeconds: { ...INTEGER, presence: 'pointer' },
    preconditions: {
      type: 'object',
      goType: 'v1.Preconditions',
      properties: {
        uid: { type: 'string', presence: 'pointer' },
        resourceVersion: { type: 'string', presence: 'pointer' },
      },
    },
    orphanDependents: { type: 'boolean', presence: 'pointer' },
    propagationPolicy: { type: 'string', presence: 'pointer' },
    dryRun: { type: 'array', items: { type: 'string' } },
    ignoreStoreReadErrorWithClusterBreakingPotential: { type: 'boolean' },
  },
};

/** DeleteOptions of a decoded body. @throws BodyError for another kind or a wrong type */
export function deleteOptionsFromBody(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const said = kindOf(value);
  if (typeof said === 'string') throw new BodyError(said);
  const kind = said.kind || 'DeleteOptions';
  const version = said.apiVersion || 'meta.k8s.io/v1';
  if (kind !== 'DeleteOptions') {
    const isKnown = META_KINDS.has(kind) && /^(?:meta\.k8s\.io\/)?v1$/.test(version);
    throw new BodyError(
      isKnown
        ? `converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`
        : `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme ` +
            '"pkg/apis/meta/internalversion/scheme/register.go:27"',
    );
  }
  // They are no object: metadata mean nothing to them, whatever is there.
  const { metadata: _, ...told } = value;
  try {
    return typed(told, DELETE_OPTIONS, 'DeleteOptions', { problems: [], duplicates: new Set() });
  } catch (error) {
    if (error instanceof TypeMismatch) throw new BodyError(error.message);
    throw error;
  }
}

/** @throws 422 about DeleteOptions */
export function deleteOptions(raw: Readonly<Record<string, unknown>>): DeleteOptions {
  const errors: FieldError[] = [];
  const policy = raw.propagationPolicy;
  if (raw.orphanDependents !== undefined && policy !== undefined) {
    errors.push(
      invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && policy !== 'Foreground' && policy !== 'Background' && policy !== 'Orphan') {
    errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  const dryRun = Array.isArray(raw.dryRun) ? raw.dryRun : [];
  errors.push(...dryRunErrors(dryRun));
  reject('DeleteOptions', errors);
  const conditions = raw.preconditions;
  return {
    dryRun: dryRun.length > 0,
    ...(typeof raw.gracePeriodSeconds === 'number' ? { gracePeriodSeconds: raw.gracePeriodSeconds } : {}),
    ...(typeof policy === 'string' ? { propagationPolicy: policy } : {}),
    ...(typeof raw.orphanDependents === 'boolean' ? { orphanDependents: raw.orphanDependents } : {}),
    ...(typeof conditions === 'object' && conditions !== null
      ? { preconditions: conditions as { uid?: string; resourceVersion?: string } }
      : {}),
  };
}
