/**
 * Answers out: JSON text kept per stored object, tables, partial objects, YAML, gzip. Source: apiserver,
 * pkg/endpoints/handlers/response.go, responsewriters/writers.go.
 */
import { gzipSync } from 'node:zlib';
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import { goQuote } from '../go/text.js';
import { goPackage } from '../go/type-name.js';
import { writeYaml } from '../go/yaml-write.js';
import { encodeProtobuf } from '../protobuf/index.js';
import type { ResourceDefinition } from '../resource-definition.js';
import type { ApiError } from '../types.js';
import { badRequest, notAcceptable, statusOf } from './errors.js';
import { type ApiResponse, type Headers, warningHeader } from './http.js';
import { apiVersion } from './machinery.js';
import { JSON_TYPE, type Output, PROTOBUF_TYPE, YAML_TYPE } from './negotiate.js';

const texts = new WeakMap<object, string>();

/** JSON as Go's encoder writes it: what HTML and JavaScript would take for their own is escaped. */
const goJson = (text: string): string =>
  text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
/** JSON of one value, as Go writes it. */
export const jsonOf = (value: unknown): string => goJson(JSON.stringify(value));

/** JSON of an object without kind and apiVersion, as list items are; remembered for frozen (stored) objects. */
function itemText(object: KubeObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  const text = jsonOf(rest);
  if (Object.isFrozen(object)) texts.set(object, text);
  return text;
}

/** The first two fields of an object as JSON. */
const typeText = (kind: string, version: string): string =>
  `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(version)}`;

/** JSON of an object with its type, in parts: the second is shared by all who ask for the object. */
function objectParts(
  object: KubeObject,
  definition: Pick<ResourceDefinition, 'group' | 'version' | 'kind'>,
): readonly [string, string] {
  const type = typeText(object.kind ?? definition.kind, object.apiVersion ?? apiVersion(definition));
  return [`{${type},`, itemText(object).slice(1)];
}

/** JSON text (compact) to a body of the negotiated form. */
function render(code: number, text: string, output: Output, headers: Headers = {}): ApiResponse {
  const answer = (mediaType: string, body: string | Buffer): ApiResponse => ({
    kind: 'full',
    code,
    headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-cache, private', ...headers },
    body,
  });
  if (output.mediaType === YAML_TYPE) return answer(YAML_TYPE, writeYaml(JSON.parse(text)));
  // What has no message stays JSON, which clients tell by its media type.
  const message = output.mediaType === PROTOBUF_TYPE ? encodeProtobuf(JSON.parse(text) as object) : undefined;
  if (message !== undefined) return answer(PROTOBUF_TYPE, message);
  return answer(JSON_TYPE, output.pretty ? goJson(JSON.stringify(JSON.parse(text), undefined, 2)) : `${text}\n`);
}

export const renderValue = (code: number, value: unknown, output: Output, headers: Headers = {}): ApiResponse =>
  render(code, jsonOf(value), output, headers);

/** Source: responsewriters/writers.go ErrorNegotiated. */
function refusalHeaders({ details: { retryAfterSeconds } = {} }: ApiError): Headers {
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
  };
}

export function renderError(error: ApiError, output: Output, more: Headers = {}): ApiResponse {
  const status = {
    ...statusOf(error),
    ...('continueToken' in error ? { metadata: { continue: error.continueToken } } : {}),
  };
  return renderValue(error.code, status, output, { ...refusalHeaders(error), ...more });
}

/** Characters of all warnings, and of one where all together are more. */
const MOST_WARNED = 4096;
const LONGEST_OF_MANY = 256;

/**
 * One header per distinct warning; where they are too long together, each is cut, and the last ones are left out.
 * Source: apiserver, pkg/endpoints/filters/warning.go AddWarning.
 */
export function warningHeaders(warnings: readonly string[]): Headers {
  if (warnings.length === 0) return {};
  // What holds a control character is not sent at all.
  const all = [...new Set(warnings)].filter((text) => !/\p{Cc}/u.test(text)).map((text) => [...text]);
  const cut = (text: readonly string[]): readonly string[] => text.slice(0, LONGEST_OF_MANY);
  let written: (readonly string[])[] = [];
  let total = 0;
  let cutting = false;
  for (const [index, text] of all.entries()) {
    if (!cutting && total + text.length > MOST_WARNED) {
      // It and what was written before are written anew.
      cutting = true;
      written = all.slice(0, index + 1).map(cut);
      total = written.reduce((sum, { length }) => sum + length, 0);
    } else {
      if (cutting && total >= MOST_WARNED) break;
      written.push(cutting ? cut(text) : text);
      total += written.at(-1)?.length ?? 0;
    }
  }
  return written.length === 0 ? {} : { Warning: written.map((text) => warningHeader(text.join(''))) };
}

const GZIP_FROM = 128 * 1024;
/** Compresses what is large, for who accepts it. Source: responsewriters/writers.go deferredResponseWriter. */
export function compress(response: ApiResponse, acceptEncoding: string): ApiResponse {
  if (response.kind !== 'full') return response;
  const accepted = acceptEncoding.split(',').some((part) => (part.split(';')[0] ?? '').trim() === 'gzip');
  if (!accepted || Buffer.byteLength(response.body) < GZIP_FROM) return response;
  return {
    ...response,
    headers: { ...response.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
    body: gzipSync(response.body, { level: 1 }),
  };
}

export interface ListMeta {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** @throws 400, 406 */
function checkAs(
  as: NonNullable<Output['as']>,
  definition: ResourceDefinition,
  list: boolean,
  query: URLSearchParams,
): string {
  const goName = `*${goPackage(definition.group)}.${definition.kind}${list ? 'List' : ''}`;
  if (as.kind === 'PartialObjectMetadata' && list)
    throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${goName})`);
  if (as.kind === 'PartialObjectMetadataList' && !list)
    throw notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goName})`);
  return as.kind === 'Table' ? includeOf(query) : '';
}

/** What the rows of a Table hold of their objects. @throws 400 */
export function includeOf(query: URLSearchParams): string {
  const include = query.get('includeObject') ?? '';
  if (!['', 'None', 'Metadata', 'Object'].includes(include)) {
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(include)}: must be ` +
        "'Metadata', 'Object', 'None', or empty",
    );
  }
  return include;
}

const partial = (object: KubeObject, version: string): unknown => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata,
});

/** What a Table is made with. */
interface TableForm extends Pick<Encoding, 'definition' | 'now'> {
  readonly as: NonNullable<Output['as']>;
  /** What the rows hold of their objects: the query's includeObject. */
  readonly include: string;
}

/**
 * Kinds without a printer of their own list no rows where others list none. Source: apiserver, pkg/registry/rest/table.go
 * NewDefaultTableConvertor.
 */
const printedByDefault = ({ columns }: ResourceDefinition, objects: readonly KubeObject[]): boolean =>
  objects.length === 0 && columns.some(({ name }) => name === 'Created At');

/** A Table of some objects. `columns` false leaves the definitions out, as later events of a watch do. */
function tableOf(
  objects: readonly KubeObject[],
  { definition, as, include, now }: TableForm,
  metadata: unknown,
  columns = true,
): unknown {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${as.version}`,
    metadata,
    columnDefinitions: columns
      ? definition.columns.map((column) => ({ ...column, format: column.format ?? '' }))
      : null,
    rows: printedByDefault(definition, objects)
      ? null
      : objects.map((object) => ({
          cells: definition.row(object, now),
          object:
            include === 'None'
              ? null
              : include === 'Object'
                ? { kind: definition.kind, apiVersion: apiVersion(definition), ...object }
                : partial(object, as.version),
        })),
  };
}

export interface Encoding {
  readonly definition: ResourceDefinition;
  readonly output: Output;
  readonly query: URLSearchParams;
  /** milliseconds since the epoch, for ages */
  readonly now: number;
}

/** One object, in the form that was negotiated. @throws ApiError */
export function encodeObject(
  code: number,
  object: KubeObject | Status,
  { definition, output, query, now }: Encoding,
  warnings: readonly string[],
): ApiResponse {
  const headers = warningHeaders(warnings);
  if (object.kind === 'Status' && object.apiVersion === 'v1') return renderValue(code, object, output, headers);
  const own = object as KubeObject;
  const { as } = output;
  if (as === undefined || (own.kind !== undefined && own.kind !== definition.kind))
    return render(code, objectParts(own, definition).join(''), output, headers);
  const include = checkAs(as, definition, false, query);
  if (as.kind !== 'Table') return renderValue(code, partial(own, as.version), output, headers);
  return renderValue(
    code,
    tableOf([own], { definition, as, include, now }, { resourceVersion: own.metadata.resourceVersion }),
    output,
    headers,
  );
}

/** A list, in the form that was negotiated. @throws ApiError */
export function encodeList(
  items: readonly KubeObject[],
  meta: ListMeta,
  { definition, output, query, now }: Encoding,
  warnings: readonly string[],
): ApiResponse {
  const headers = warningHeaders(warnings);
  const { as } = output;
  if (as === undefined) {
    const type = typeText(`${definition.kind}List`, apiVersion(definition));
    return render(
      200,
      `{${type},"metadata":${jsonOf(meta)},"items":[${items.map(itemText).join(',')}]}`,
      output,
      headers,
    );
  }
  const include = checkAs(as, definition, true, query);
  if (as.kind === 'Table')
    return renderValue(200, tableOf(items, { definition, as, include, now }, meta), output, headers);
  const list = {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${as.version}`,
    metadata: meta,
    items: items.length === 0 ? null : items.map((item) => partial(item, as.version)),
  };
  return renderValue(200, list, output, headers);
}

/** For watches: the JSON of one event's object, in parts. */
export function eventText(
  object: KubeObject,
  { definition, output, query, now }: Encoding,
  first: boolean,
): readonly string[] {
  const { as } = output;
  if (as === undefined) return objectParts(object, definition);
  if (as.kind !== 'Table') return [jsonOf(partial(object, as.version))];
  const include = includeOf(query);
  const metadata = { resourceVersion: object.metadata.resourceVersion };
  return [jsonOf(tableOf([object], { definition, as, include, now }, metadata, first))];
}
