/**
 * Bodies in: bytes of a media type to a typed object of a kind, with upstream's complaints. `decodeBody` is the one
 * place that knows media types. Source: apiserver, pkg/endpoints/handlers/create.go, negotiation/negotiate.go;
 * apimachinery, pkg/runtime/serializer/json/json.go; handlers/rest.go transformDecodeError.
 */
import { isRecord } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { JsonSyntaxError, parseJson } from '../go/json.js';
import { goQuote } from '../go/text.js';
import { goPackage, jsonType } from '../go/type-name.js';
import { YamlError } from '../go/yaml.js';
import { readYamlBody } from '../go/yaml-aside.js';
import { decodeProtobuf, ProtobufError } from '../protobuf/index.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ApiError } from '../types.js';
import { badRequest, unsupportedMediaType } from './errors.js';
import { apiVersion as versionOf } from './machinery.js';
import type { FieldValidation } from './options.js';
import { TypeMismatch, typed } from './typed.js';

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;
const SCHEME = 'pkg/api/legacyscheme/scheme.go:30';
const VERSION_KIND =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

export interface DecodedBody {
  readonly value: unknown;
  readonly duplicates: readonly string[];
  /** Numbers written as fractions or with an exponent, by path. */
  readonly floats?: ReadonlyMap<string, string>;
}

/** Why a body could not be read, before anything is known of its kind. */
export class BodyError extends Error {}

/** Parameters as Go reads them, a last semicolon included. Source: Go, mime ParseMediaType. */
const PARAMETERS = /^(?:\s*;\s*[!#$%&'*+.^_`|~\w-]+=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[^"\\\r\n]|\\.)*"))*\s*(?:;\s*)?$/;

/** The first part of a Content-Type, lower-case; undefined where it is no media type, or one with bad parameters. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '') return 'application/json';
  const [first = ''] = contentType.split(';');
  const type = first.trim().toLowerCase();
  return /^[^\s/]+\/[^\s/]+$/.test(type) && PARAMETERS.test(contentType.slice(first.length)) ? type : undefined;
}

/** YAML is turned into JSON first, which sorts keys: what is wrong is found in that order. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inKeyOrder(inner)]));
}

/**
 * Bytes to values.
 * @throws BodyError where the bytes are not of that format; ApiError 415 for a media type that is not read
 */
export function decodeBody(mediaType: string | undefined, bytes: Buffer): DecodedBody {
  switch (mediaType) {
    case 'application/json': {
      try {
        return parseJson(bytes.toString('utf8'));
      } catch (error) {
        if (error instanceof JsonSyntaxError)
          throw new BodyError(`couldn't get version/kind; json parse error: ${error.message}`);
        throw error;
      }
    }
    case 'application/yaml': {
      try {
        const { value, duplicates } = readYamlBody(bytes);
        return { value: inKeyOrder(value), duplicates: duplicates.map(({ path }) => path) };
      } catch (error) {
        if (error instanceof YamlError) throw new BodyError(error.message);
        throw error;
      }
    }
    case 'application/vnd.kubernetes.protobuf': {
      try {
        return { value: decodeProtobuf(bytes), duplicates: [] };
      } catch (error) {
        if (error instanceof ProtobufError) throw new BodyError(error.message);
        throw error;
      }
    }
    default:
      throw unsupportedMediaType(BODY_TYPES);
  }
}

/**
 * The start of a body for a message: as text where it looks like JSON, else in hex. Source: handlers/rest.go
 * summarizeData.
 */
function summarize(bytes: Buffer, limit = 30): string {
  if (bytes.length === 0) return '<empty>';
  const cut = bytes.subarray(0, limit);
  const more = bytes.length > limit ? ' ...' : '';
  return `${bytes[0] === 0x7b ? cut.toString('utf8') : cut.toString('hex')}${more}`;
}

const unrecognised = (kind: string, why: string, bytes: Buffer): ApiError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(bytes)})`);

/** Why a body is nothing that could have a kind. */
export const noObject = (value: unknown): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(value)} into Go ` +
  `value of type ${VERSION_KIND}`;

/** What a body says that it is; what it leaves out is ''. */
interface KindSaid {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Kind and version of a body, however their fields are capitalised; a text says why they cannot be told. Source:
 * apimachinery, pkg/runtime/serializer/json/meta.go SimpleMetaFactory.
 */
export function kindOf(value: Readonly<Record<string, unknown>>): KindSaid | string {
  const said = { apiVersion: '', kind: '' };
  for (const [name, given] of Object.entries(value)) {
    const field = (['apiVersion', 'kind'] as const).find((one) => one.toLowerCase() === name.toLowerCase());
    if (field === undefined || given === null) continue;
    if (typeof given !== 'string')
      return (
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonType(given)} into Go struct field ` +
        `.${field} of type string`
      );
    // An empty group before the version is the core group, and a lone slash says nothing.
    said[field] = field === 'apiVersion' && /^\/[^/]*$/.test(given) ? given.slice(1) : given;
  }
  const isOdd = said.apiVersion.split('/').length > 2;
  return isOdd ? `unexpected GroupVersion string: ${said.apiVersion}` : said;
}

/** What a decoder knows of other kinds. */
export interface Kinds {
  /** by "apiVersion/kind" */
  readonly byKind: ReadonlyMap<string, ResourceDefinition>;
}

/** What a body is decoded into, and how strictly. */
export interface Decoding {
  readonly expected: Expected;
  readonly definition: ResourceDefinition;
  readonly kinds: Kinds;
  readonly validation: FieldValidation;
  /** Receives what is wrong with the body but not refused. */
  readonly warnings: string[];
}

export interface Expected {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const handled = (kind: string, version: string, expected: Expected, why: string): ApiError =>
  badRequest(`${kind} in version ${goQuote(version)} cannot be handled as a ${expected.kind}: ${why}`);

/** Versions that the server can still read but does not serve. Source: pkg/apis, each group's install/install.go. */
const RETIRED: Readonly<Record<string, readonly string[]>> = {
  apps: ['v1beta1', 'v1beta2'],
  'authentication.k8s.io': ['v1alpha1', 'v1beta1'],
  'authorization.k8s.io': ['v1beta1'],
  batch: ['v1beta1'],
  'certificates.k8s.io': ['v1alpha1', 'v1beta1'],
  'coordination.k8s.io': ['v1beta1'],
  'discovery.k8s.io': ['v1beta1'],
  'events.k8s.io': ['v1beta1'],
  'networking.k8s.io': ['v1beta1'],
  policy: ['v1beta1'],
  'rbac.authorization.k8s.io': ['v1alpha1', 'v1beta1'],
  'storage.k8s.io': ['v1alpha1', 'v1beta1'],
};

/** Kinds of the group that such a version did not have. */
const NEVER_IN: Readonly<Record<string, readonly string[]>> = {
  'apps/v1beta1': ['DaemonSet', 'ReplicaSet'],
  'authentication.k8s.io/v1alpha1': ['TokenReview'],
  'batch/v1beta1': ['Job'],
  'certificates.k8s.io/v1alpha1': ['CertificateSigningRequest'],
  'networking.k8s.io/v1beta1': ['NetworkPolicy'],
  'storage.k8s.io/v1alpha1': ['StorageClass', 'CSINode', 'CSIDriver'],
};

/** Kinds that every API version knows beside its own. */
export const META_KINDS: ReadonlySet<string> = new Set([
  'DeleteOptions',
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'ListOptions',
  'GetOptions',
  'WatchEvent',
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'List',
]);
/** Of these, what only v1 of the core group knows. */
const OF_CORE = 'List';

/** A kind of which the server knows, also a list of them. */
function kindFrom({ byKind }: Kinds, apiVersion: string, kind: string): Pick<ResourceDefinition, 'schema'> | undefined {
  const known = byKind.get(`${apiVersion}/${kind}`);
  const item = kind.endsWith('List') ? byKind.get(`${apiVersion}/${kind.slice(0, -'List'.length)}`) : undefined;
  if (known !== undefined || item === undefined) return known;
  const properties: ResourceDefinition['schema']['properties'] = {
    ...{ kind: { type: 'string' }, apiVersion: { type: 'string' }, metadata: { type: 'any' } },
    items: { type: 'array', items: item.schema },
  };
  return { schema: { type: 'object', properties } };
}

/**
 * A typed object of the expected kind from what a body held.
 * @param bytes for messages only
 * @throws ApiError 400
 */
export function toObject(
  decoded: DecodedBody,
  bytes: Buffer,
  { expected, definition, kinds, validation, warnings }: Decoding,
): KubeObject {
  const value = decoded.value === null ? {} : decoded.value;
  if (!isRecord(value)) {
    throw unrecognised(expected.kind, noObject(value), bytes);
  }
  const said = kindOf(value);
  if (typeof said === 'string') throw unrecognised(expected.kind, said, bytes);
  const expectedVersion = versionOf(expected);
  const apiVersion = said.apiVersion || expectedVersion;
  const kind = said.kind || expected.kind;
  const version = apiVersion.split('/').at(-1) ?? '';
  const same = apiVersion === expectedVersion && kind === expected.kind;
  const isRetired =
    kind === expected.kind &&
    apiVersion !== expectedVersion &&
    RETIRED[expected.group]?.includes(version) === true &&
    NEVER_IN[apiVersion]?.includes(kind) !== true &&
    apiVersion.startsWith(`${expected.group}/`);
  const other = same || isRetired ? definition : kindFrom(kinds, apiVersion, kind);
  if (!same && other === undefined) {
    if (META_KINDS.has(kind) && (apiVersion === 'v1' || (apiVersion === expectedVersion && kind !== OF_CORE))) {
      const { items } = value;
      if (kind === 'List' && items !== undefined && items !== null && !Array.isArray(items))
        throw handled(
          kind,
          version,
          expected,
          `json: cannot unmarshal ${jsonType(items)} into Go struct field List.items of type []runtime.RawExtension`,
        );
      throw handled(
        kind,
        version,
        expected,
        `converting (${version}.${kind}) to (${goPackage(expected.group)}.${expected.kind}): unknown conversion`,
      );
    }
    throw handled(
      kind,
      version,
      expected,
      `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "${SCHEME}"`,
    );
  }
  const problems: string[] = [];
  let object: Record<string, unknown>;
  try {
    object = typed(value, (other ?? definition).schema, kind, {
      problems,
      duplicates: new Set(decoded.duplicates),
      ...(decoded.floats === undefined ? {} : { floats: decoded.floats }),
    });
  } catch (error) {
    if (error instanceof TypeMismatch) throw handled(kind, version, expected, error.message);
    throw error;
  }
  if (!same) {
    if (kind === expected.kind)
      throw badRequest(
        `the API version in the data (${apiVersion}) does not match the expected API version (${expectedVersion})`,
      );
    throw handled(
      kind,
      version,
      expected,
      `converting (${version}.${kind}) to (${goPackage(expected.group)}.${expected.kind}): unknown conversion`,
    );
  }
  if (problems.length > 0 && validation === 'Strict')
    throw handled(kind, version, expected, `strict decoding error: ${problems.join(', ')}`);
  if (validation === 'Warn') warnings.push(...problems);
  const made: KubeObject = {
    ...object,
    kind: expected.kind,
    apiVersion: expectedVersion,
    metadata: (object.metadata as KubeObject['metadata'] | undefined) ?? {},
  };
  return definition.strategy.default?.(made) ?? made;
}

/** The whole way of a POST or PUT body. @throws ApiError */
export function decodeObject(contentType: string | undefined, bytes: Buffer, into: Decoding): KubeObject {
  let decoded: DecodedBody;
  try {
    decoded = decodeBody(mediaTypeOf(contentType), bytes);
  } catch (error) {
    if (error instanceof BodyError) throw unrecognised(into.expected.kind, error.message, bytes);
    throw error;
  }
  return toObject(decoded, bytes, into);
}
