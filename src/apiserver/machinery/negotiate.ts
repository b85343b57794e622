/** What a client wants to read. Source: go-restful's check of Accept; apiserver, pkg/endpoints/handlers/negotiation/negotiate.go. */
import { ApiError } from '../types.js';
import { notAcceptable } from './errors.js';

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const PRODUCES = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
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

export interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/** Clauses of an Accept header, best first, equal ones in the order they stand. */
export function acceptClauses(accept: string): Clause[] {
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
  return clauses.sort((a, b) => b.quality - a.quality);
}

/** The router's own check, which knows no wildcards but a full one. @throws 406 */
function routed(accept: string, streams: boolean): void {
  if (accept === '') return;
  const produced = streams ? [...PRODUCES, ...STREAMS] : PRODUCES;
  const wanted = accept.split(',').map((part) => (part.split(';')[0] ?? '').trim());
  if (wanted.some((type) => type === '*/*' || produced.includes(type))) return;
  const { code, reason, message } = notAcceptable(
    `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
  );
  throw new ApiError(code, reason, message, {});
}

function transformOf(parameters: Clause['parameters']): Output['as'] | 'refused' | undefined {
  if (parameters.as === undefined) return undefined;
  const kind = parameters.as;
  if (kind !== 'Table' && kind !== 'PartialObjectMetadata' && kind !== 'PartialObjectMetadataList') return 'refused';
  const version = parameters.v ?? '';
  if ((parameters.g ?? '') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return 'refused';
  return { kind, version };
}

/** The first clause that can be served; undefined where none can. Source: negotiate.go NegotiateMediaTypeOptions, handlers/rest.go AllowsMediaTypeTransform. */
export function choose(accept: string, pretty: boolean): Output | undefined {
  if (accept === '') return { mediaType: JSON_TYPE, pretty };
  for (const clause of acceptClauses(accept)) {
    const all = clause.type === '*' || (clause.type === 'application' && clause.subtype === '*');
    const mediaType =
      all || (clause.type === 'application' && clause.subtype === 'json')
        ? JSON_TYPE
        : clause.type === 'application' && clause.subtype === 'yaml'
          ? YAML_TYPE
          : clause.type === 'application' && clause.subtype === 'vnd.kubernetes.protobuf'
            ? PROTOBUF_TYPE
            : undefined;
    if (mediaType === undefined) continue;
    const as = transformOf(clause.parameters);
    if (as === 'refused' || (as?.kind === 'Table' && mediaType === PROTOBUF_TYPE)) continue;
    const wantsPretty = clause.parameters.pretty === '1' || clause.parameters.pretty === 'true';
    return { mediaType, pretty: pretty || wantsPretty, ...(as === undefined ? {} : { as }) };
  }
  return undefined;
}

/**
 * @param streams the route can watch, too: its list of representations is longer
 * @throws 406
 */
export function negotiate(accept: string, streams: boolean, pretty: boolean): Output {
  routed(accept, streams);
  const output = choose(accept, pretty);
  if (output === undefined) throw notAcceptable(`only the following media types are accepted: ${PRODUCES.join(', ')}`);
  return output;
}

/** How an error is written: as asked, or in JSON where that cannot be. */
export const errorOutput = (accept: string, pretty: boolean): Output => {
  const output = choose(accept, pretty) ?? { mediaType: JSON_TYPE, pretty };
  return { mediaType: output.mediaType, pretty: output.pretty };
};

/** Browsers and curl get readable JSON. Source: negotiation isPrettyPrint. */
export const wantsPretty = (query: URLSearchParams, userAgent: string): boolean => {
  const given = query.get('pretty');
  if (given !== null) return given !== 'false' && given !== '0';
  return /^(curl|Wget|Mozilla\/)/.test(userAgent);
};
