/**
 * Judges values by the JSON Schemas of schemas/: the objects that checks judge, and every file that joinproof itself
 * reads. Ajv is loaded, and a schema compiled, when the first value is put to it, once a process: loading costs more
 * than many runs of the rest. It is loaded with `require`, since checks answer at once.
 */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { record } from '../kubernetes/json.js';

const require = createRequire(import.meta.url);

/** <name>.schema.json in schemas/. */
export const SCHEMAS = [
  'candidates',
  'certificate-signing-request',
  'chapters',
  'client',
  'cluster-info',
  'configuration',
  'documents',
  'known-extras',
  'parameters',
  'profile',
  'report',
  'sentences',
  'token-secret',
  'traps',
] as const;
type SchemaFile = (typeof SCHEMAS)[number];
/** Schemas that refer to others, by "<name>.schema.json". */
const REFERRED: Partial<Record<SchemaFile, readonly SchemaFile[]>> = {
  configuration: ['parameters'],
  profile: ['parameters', 'known-extras'],
};
/** "cluster-info": the whole schema; "cluster-info/nobody": one of its definitions. */
export type SchemaName = SchemaFile | `${SchemaFile}/${string}`;

/** Formats of Kubernetes that no standard names. */
const FORMATS = {
  /**
   * As Go decodes it: with ends of lines anywhere. Without a repeated group, which overflows the stack on megabytes.
   * Source: encoding/base64.
   */
  base64: (text: string): boolean => {
    const joined = text.replace(/[\r\n]+/g, '');
    return joined.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(joined);
  },
  /** A domain and a path. Source: pkg/apis/certificates/validation/validation.go ValidateSignerName. */
  'signer-name': /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+\/[A-Za-z0-9][A-Za-z0-9._:-]*$/,
} as const;

let ajv: Ajv | undefined;
const compiled = new Map<SchemaName, ValidateFunction>();

function compilerOf(): Ajv {
  if (ajv === undefined) {
    const loaded = require('ajv') as typeof import('ajv');
    // The schemas are ours, and a test holds them to the meta-schema: what is spared here is half of the time.
    ajv = new loaded.Ajv({
      allErrors: true,
      verbose: true,
      meta: false,
      validateSchema: false,
      strict: false,
      code: { optimize: false },
      formats: FORMATS,
    });
  }
  return ajv;
}

const isFile = (name: string): name is SchemaFile => SCHEMAS.some((known) => known === name);

/** Formats are a module of their own, and few schemas name one. */
function withFormats(compiler: Ajv): void {
  if (compiler.formats['date-time'] !== undefined) return;
  const formats = require('ajv-formats') as typeof import('ajv-formats');
  formats.default(compiler);
}

function schemaOf(file: SchemaFile): Readonly<Record<string, unknown>> {
  const {
    $id: _id,
    $schema: _schema,
    ...schema
  } = require(`../../../schemas/${file}.schema.json`) as Readonly<Record<string, unknown>>;
  return schema;
}

function validatorOf(name: SchemaName): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const [file = '', definition] = name.split('/');
  if (!isFile(file)) throw new Error(`No schema is named "${file}". There are: ${SCHEMAS.join(', ')}.`);
  const compiler = compilerOf();
  // asking for the schema itself would compile it
  if (compiler.schemas[file] === undefined) {
    if (file === 'report') withFormats(compiler);
    for (const other of REFERRED[file] ?? [])
      if (compiler.schemas[`${other}.schema.json`] === undefined)
        compiler.addSchema(schemaOf(other), `${other}.schema.json`);
    compiler.addSchema(schemaOf(file), file);
  }
  const validate = compiler.getSchema(definition === undefined ? file : `${file}#/definitions/${definition}`);
  if (validate === undefined) throw new Error(`The schema "${file}" has no definition "${definition}".`);
  compiled.set(name, validate);
  return validate;
}

/** "/clusters/0/cluster" as "clusters[0].cluster" */
const placeOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, part) => (/^\d+$/.test(part) ? `${at}[${part}]` : at === '' ? part : `${at}.${part}`), '');

const list = (values: unknown): string =>
  (Array.isArray(values) ? values : [values]).map((value) => JSON.stringify(value)).join(' or ');

/** So many allowed values are not told one by one, nor so many names. */
const MANY = 8;
const MANY_NAMES = 12;

/** ": it may have a, b"; '' where there are too many to be told. */
function offered(properties: unknown): string {
  const names = Object.keys(record(properties));
  return names.length === 0 || names.length > MANY_NAMES ? '' : `: it may have ${names.join(', ')}`;
}

/** One problem in words. Never the value: it may be a secret. */
function problemOf({ keyword, instancePath, params, message, parentSchema }: ErrorObject): string {
  const place = placeOf(instancePath) || 'it';
  switch (keyword) {
    case 'required':
      return `${place} has no ${params.missingProperty}`;
    case 'additionalProperties':
      return `${place} has ${params.additionalProperty}, which is not known${offered(parentSchema?.properties)}`;
    case 'type':
      return `${place} is no ${list(params.type).replaceAll('"', '')}`;
    case 'const':
      return `${place} is not ${list(params.allowedValue)}`;
    case 'format':
      return `${place} is no ${params.format}`;
    case 'enum':
      if (params.allowedValues.length > MANY) return `${place} is none of ${params.allowedValues.length} known values`;
      return `${place} is not ${list(params.allowedValues)}`;
    case 'contains':
      return `${place} holds nothing of the kind that is wanted`;
    default:
      return `${place} ${message ?? `does not fit (${keyword})`}`;
  }
}

/**
 * What is wrong with a value, each in one clause, sorted; empty where it conforms. Throws where there is no such
 * schema.
 */
export function conforms(name: SchemaName, value: unknown): readonly string[] {
  const validate = validatorOf(name);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // what each entry lacks is nobody's fault where one of them would do
  const inside = errors.filter(({ keyword }) => keyword === 'contains').map(({ schemaPath }) => `${schemaPath}/`);
  const own = errors.filter(({ schemaPath }) => !inside.some((path) => schemaPath.startsWith(path)));
  return [...new Set(own.map(problemOf))].sort();
}

/** Is it of the type that the schema describes? Throws as `conforms` does. */
export const isConforming = <T>(name: SchemaName, value: unknown): value is T => validatorOf(name)(value);

/**
 * A value of a file, as the type that its schema describes. Throws an Error that names the file and every place that
 * does not conform.
 */
export function conforming<T>(name: SchemaName, value: unknown, file: string): T {
  if (isConforming<T>(name, value)) return value;
  throw new Error(`${file} is not as its schema demands: ${conforms(name, value).join('; ')}`);
}
