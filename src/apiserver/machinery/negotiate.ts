/**
 * What a client wants to read. Source: go-restful's check of Accept; apiserver,
 * pkg/endpoints/handlers/negotiation/negotiate.go.
 */
import { ApiError } from '../types.js';
import { notAcceptable, routeMediaType } from './errors.js';

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const PRODUCES = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] as const;
const STREAMS = [`${JSON_TYPE};stream=watch`, `${PROTOBUF_TYPE};stream=watch`];

export interface Output {
  readonly mediaType: typeof JSON_TYPE | typeof YAML_TYPE | typeof PROTOBUF_TYPE;
  readonly pretty: boolean;
  /** a kind of meta.k8s.io that the answer is turned into */
  readonly as?: {
    readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
    readonly version: 'v1' | 'v1beta1';
  };
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/** Whether a clause's range takes that media type. */
const names = ({ type, subtype }: Clause, mediaType: string): boolean =>
  type === '*' || mediaType === `${type}/${subtype === '*' ? mediaType.slice(mediaType.indexOf('/') + 1) : subtype}`;

/** How closely a range names a type: fully, but for the subtype, not at all. */
const closeness = ({ type, subtype }: Clause): number => (type === '*' ? 0 : subtype === '*' ? 1 : 2);

/**
 * Clauses of an Accept header, best first, then the closest, equal ones in the order they stand. Source:
 * munnerz/goautoneg, accept.go Less.
 */
function acceptClauses(accept: string): Clause[] {
  const clauses: Clause[] = [];
  for (const part of accept.split(',')) {
    const [range = '', ...rest] = part.split(';').map((piece) => piece.trim());
    const [type = '', subtype = ''] = range.split('/');
    if (type === '' && subtype === '') continue;
    const parameters: Record<string, string> = {};
    for (const piece of rest) {
      const at = piece.indexOf('=');
      if (at > 0) parameters[piece.slice(0, at).trim()] = piece.slice(at + 1).trim();
    }
    const quality = parameters.q === undefined ? 1 : Number(parameters.q);
    clauses.push({
      type,
      subtype: type === '*' && subtype === '' ? '*' : subtype,
      parameters,
      quality: Number.isNaN(quality) ? 1 : quality,
    });
  }
  return clauses.sort((a, b) => b.quality - a.quality || closeness(b) - closeness(a));
}

/** Those of a header, without their parameters, as the router reads them. */
const mediaTypesIn = (header: string): readonly string[] =>
  header.split(',').map((part) => (part.split(';')[0] ?? '').trim());

/**
 * The router's own check, which knows no wildcards but a full one.
 *
 * @param produced the media types that its route has
 * @throws 406
 */
export function routed(accept: string, produced: readonly string[] = PRODUCES): void {
  if (accept === '') return;
  const wanted = mediaTypesIn(accept);
  if (wanted.some((type) => type === '*/*' || produced.includes(type))) return;
  const { code, reason, message } = notAcceptable(
    `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
  );
  throw new ApiError(code, reason, message, {});
}

/**
 * The router's check of what a request says that it carries, also of one without a body: whole names only, and no
 * wildcards. Source: emicklei/go-restful, route.go matchesContentType.
 *
 * @param contentType the header
 * @param consumed the media types that the route reads
 * @throws 415
 */
export function consumes(contentType: string, consumed: readonly string[] = PRODUCES): void {
  if (contentType === '') return;
  if (!mediaTypesIn(contentType).some((type) => consumed.includes(type))) throw routeMediaType();
}

/** The kind that a clause wants an answer turned into. */
interface Wanted {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What an endpoint can turn its answer into: the form, undefined where it cannot. */
type Transform<T> = (wanted: Wanted, mediaType: Output['mediaType']) => T | undefined;

interface Chosen<T> {
  readonly mediaType: Output['mediaType'];
  readonly pretty: boolean;
  /** undefined: as it is */
  readonly as: T | undefined;
}

const wantedBy = ({ as: kind, g: group, v: version }: Clause['parameters']): Wanted | undefined =>
  kind === undefined && group === undefined && version === undefined
    ? undefined
    : { group: group ?? '', version: version ?? '', kind: kind ?? '' };

/**
 * The first clause that can be served; undefined where none can. Source: negotiate.go NegotiateMediaTypeOptions,
 * acceptMediaTypeOptions.
 *
 * @param transform undefined of what can only be given as it is
 * @param untransformed whether it is given as it is, too
 */
function choose<T>(accept: string, transform?: Transform<T>, untransformed = true): Chosen<T> | undefined {
  if (accept === '') return untransformed ? { mediaType: JSON_TYPE, pretty: false, as: undefined } : undefined;
  for (const clause of acceptClauses(accept)) {
    const { parameters } = clause;
    const streaming = parameters.stream ?? '';
    if ((streaming !== '' && streaming !== 'watch') || (parameters.sv ?? '') !== '') continue;
    const wanted = wantedBy(parameters);
    if (wanted === undefined && !untransformed) continue;
    for (const mediaType of PRODUCES) {
      if (!names(clause, mediaType) || (streaming !== '' && mediaType === YAML_TYPE)) continue;
      const as = wanted === undefined ? undefined : transform?.(wanted, mediaType);
      if (wanted === undefined || as !== undefined) return { mediaType, pretty: parameters.pretty === '1', as };
    }
  }
  return undefined;
}

/** Source: handlers/rest.go AllowsMediaTypeTransform. */
function ofObjects({ group, version, kind }: Wanted, mediaType: Output['mediaType']): Output['as'] {
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  if (kind === 'Table' && mediaType === PROTOBUF_TYPE) return undefined;
  return kind === 'Table' || kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList'
    ? { kind, version }
    : undefined;
}

const nothingToServe = (): ApiError =>
  notAcceptable(`only the following media types are accepted: ${PRODUCES.join(', ')}`);

export interface Writing {
  readonly pretty: boolean;
  /** What is answered can be shown as a table. Source: apiserver, pkg/endpoints/installer.go TableConvertor. */
  readonly tabular: boolean;
}

/**
 * The router's check on the way to objects.
 *
 * @param streams the route can watch, too: its list of representations is longer
 * @throws 406
 */
export const routedToObjects = (accept: string, streams: boolean): void =>
  routed(accept, streams ? [...PRODUCES, ...STREAMS] : PRODUCES);

/** How objects are written. @throws 406 */
export function negotiate(accept: string, { pretty, tabular }: Writing): Output {
  const chosen = choose(accept, (wanted, mediaType) =>
    wanted.kind === 'Table' && !tabular ? undefined : ofObjects(wanted, mediaType),
  );
  if (chosen === undefined) throw nothingToServe();
  const { mediaType, as } = chosen;
  return { mediaType, pretty: pretty || chosen.pretty, ...(as === undefined ? {} : { as }) };
}

/** Of an answer that nothing else can be made of; undefined where it cannot be written as asked. */
function plainly(accept: string, pretty: boolean): Output | undefined {
  const chosen = choose<never>(accept);
  return chosen && { mediaType: chosen.mediaType, pretty: pretty || chosen.pretty };
}

/** How an answer is written that nothing else can be made of. @throws 406 */
export function negotiatePlain(accept: string, pretty: boolean): Output {
  const output = plainly(accept, pretty);
  if (output === undefined) throw nothingToServe();
  return output;
}

/** The aggregated form of discovery that a client asks for; undefined where it asks for none that is known. */
export function negotiateAggregated<V extends string>(
  accept: string,
  known: readonly V[],
): { readonly mediaType: Output['mediaType']; readonly version: V } | undefined {
  const chosen = choose(
    accept,
    ({ group, version, kind }) =>
      group === 'apidiscovery.k8s.io' && kind === 'APIGroupDiscoveryList'
        ? known.find((candidate) => candidate === version)
        : undefined,
    false,
  );
  return chosen?.as === undefined ? undefined : { mediaType: chosen.mediaType, version: chosen.as };
}

/** How an error is written: as asked, or in readable JSON where that cannot be. Source: responsewriters WriteRawJSON. */
export const errorOutput = (accept: string, pretty: boolean): Output =>
  plainly(accept, pretty) ?? { mediaType: JSON_TYPE, pretty: true };

/**
 * The form of an answer outside of Kubernetes' own machinery that a client reads, of those that there are; undefined:
 * none of them.
 */
export function readable<T extends string>(accept: string, mediaTypes: readonly T[]): T | undefined {
  if (accept === '') return mediaTypes[0];
  return acceptClauses(accept)
    .map((clause) => mediaTypes.find((mediaType) => names(clause, mediaType)))
    .find((mediaType) => mediaType !== undefined);
}

const TRUE: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];

/** Browsers and curl get readable JSON. Source: negotiation isPrettyPrint. */
export const wantsPretty = (query: URLSearchParams, userAgent: string): boolean => {
  const given = query.get('pretty') ?? '';
  return given === '' ? /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent) : TRUE.includes(given);
};
