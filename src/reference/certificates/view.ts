/** A CertificateSigningRequest read from an object of unknown shape: what is missing is empty, as in Go's structs. */

import type { GroupResource } from '../../apiserver/types.js';
import { list, record, text, texts } from '../../kubernetes/json.js';
import type { Condition, KubeObject } from '../../kubernetes/objects.js';
import { createMemory } from '../../kubernetes/remembered.js';
import { PkiError } from '../../pki/asn1-go.js';
import { parseRequestPem, type RequestFacts } from '../../pki/request.js';

export const CSR_GROUP = 'certificates.k8s.io';
export const CSRS: GroupResource = { group: CSR_GROUP, resource: 'certificatesigningrequests' };

export interface RequestSpec {
  /** base64 of PEM; undefined where the field is absent or null. */
  readonly request: string | undefined;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface RequestView {
  readonly name: string;
  readonly created: number | undefined;
  readonly spec: RequestSpec;
  readonly conditions: readonly Condition[];
  /** base64 of PEM; '' where there is none. */
  readonly certificate: string;
}

/** Milliseconds of an RFC 3339 time; undefined for absent, null and Go's zero time. */
export function instant(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) || at === GO_ZERO_TIME ? undefined : at;
}
const GO_ZERO_TIME = Date.parse('0001-01-01T00:00:00Z');

function conditionOf(value: unknown): Condition {
  const { type, status, reason, message, lastUpdateTime, lastTransitionTime } = record(value);
  return {
    type: text(type),
    status: text(status),
    ...(text(reason) === '' ? {} : { reason: text(reason) }),
    ...(text(message) === '' ? {} : { message: text(message) }),
    ...(instant(lastUpdateTime) === undefined ? {} : { lastUpdateTime: text(lastUpdateTime) }),
    ...(instant(lastTransitionTime) === undefined ? {} : { lastTransitionTime: text(lastTransitionTime) }),
  };
}

export const conditionsOf = (object: KubeObject): readonly Condition[] =>
  list(record(object.status).conditions).map(conditionOf);

export const certificateOf = (object: KubeObject): string => text(record(object.status).certificate);

export function viewRequest(object: KubeObject): RequestView {
  const spec = record(object.spec);
  return {
    name: object.metadata.name ?? '',
    created: instant(object.metadata.creationTimestamp),
    spec: {
      request: typeof spec.request === 'string' ? spec.request : undefined,
      signerName: text(spec.signerName),
      usages: texts(spec.usages),
      expirationSeconds: typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : undefined,
      username: text(spec.username),
      uid: text(spec.uid),
      groups: texts(spec.groups),
      extra: Object.fromEntries(Object.entries(record(spec.extra)).map(([key, values]) => [key, texts(values)])),
    },
    conditions: conditionsOf(object),
    certificate: certificateOf(object),
  };
}

export type ParsedRequest = RequestFacts | { readonly parseError: string };

/** The last requests parsed: one request is looked at on creation, by admission, by the approver and by its signer. */
const recent = createMemory<string, ParsedRequest>(64);

/**
 * Parses spec.request (base64 of PEM). Never throws: a refusal is Go's text. `smallRsa`: keys under 1024 bits still
 * verify.
 */
export function parseSpecRequest(request: string, smallRsa = false): ParsedRequest {
  const key = smallRsa ? `small ${request}` : request;
  const known = recent.get(key);
  if (known !== undefined) return known;
  const parsed = parse(request, smallRsa);
  recent.set(key, parsed);
  return parsed;
}

function parse(request: string, smallRsa: boolean): ParsedRequest {
  try {
    return parseRequestPem(Buffer.from(request, 'base64'), { smallRsa });
  } catch (error) {
    if (error instanceof PkiError) return { parseError: error.message };
    throw error;
  }
}
