/**
 * Refusals of the API server, word by word, and the Status that a refusal becomes. Source: apimachinery,
 * pkg/api/errors/errors.go, pkg/util/validation/field/errors.go; apiserver,
 * pkg/endpoints/handlers/responsewriters/{errors,status}.go.
 */
import type { Status } from '../../kubernetes/objects.js';
import type { AdmissionAttributes, AuthorizationAttributes } from '../access.js';
import { goQuote } from '../go/text.js';
import type { FieldError } from '../resource-definition.js';
import { ApiError, type GroupResource } from '../types.js';

type Details = NonNullable<Status['details']>;

/** "resource.group", or the resource alone in the core group. */
export const qualified = (resource: GroupResource): string =>
  resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;

const detailsOf = (resource: GroupResource, name: string, more: Details = {}): Details => ({
  ...(name === '' ? {} : { name }),
  ...(resource.group === '' ? {} : { group: resource.group }),
  ...(resource.resource === '' ? {} : { kind: resource.resource }),
  ...more,
});

export const notFound = (resource: GroupResource, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${qualified(resource)} ${goQuote(name)} not found`, detailsOf(resource, name));

export const alreadyExists = (resource: GroupResource, name: string, prefix = ''): ApiError =>
  new ApiError(
    409,
    'AlreadyExists',
    `${prefix}${qualified(resource)} ${goQuote(name)} already exists`,
    detailsOf(resource, name),
  );

/** All names that generateName tried were taken. */
export const generateNameConflict = (resource: GroupResource, name: string): ApiError =>
  new ApiError(
    409,
    'AlreadyExists',
    `${qualified(resource)} ${goQuote(name)} already exists, the server was not able to generate a ` +
      'unique name for the object',
    detailsOf(resource, name, { retryAfterSeconds: 1 }),
  );

export const conflict = (resource: GroupResource, name: string, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} ${goQuote(name)}: ${why}`,
    detailsOf(resource, name),
  );

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** Why a precondition is not met. Source: apiserver, pkg/storage/interfaces.go Preconditions.Check. */
export const preconditionFailed = (field: 'UID' | 'ResourceVersion', wanted: string, found: string): string =>
  `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;

export const forbidden = (resource: GroupResource, name: string, why: string): ApiError => {
  const what =
    resource.resource === '' && resource.group === ''
      ? 'forbidden'
      : name === ''
        ? `${qualified(resource)} is forbidden`
        : `${qualified(resource)} ${goQuote(name)} is forbidden`;
  return new ApiError(403, 'Forbidden', `${what}: ${why}`, detailsOf(resource, name));
};

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);
export const unauthorized = (message = 'Unauthorized'): ApiError => new ApiError(401, 'Unauthorized', message);
/** An error that upstream did not turn into a status: 500 without reason. */
export const plainError = (message: string): ApiError => new ApiError(500, '', message);
export const internalError = (message: string): ApiError =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
export const notAcceptable = (message: string): ApiError => new ApiError(406, 'NotAcceptable', message);
export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );
export const tooLarge = (limit: number): ApiError =>
  new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** What the server's own dispatch answers for a path or a method that it has no handler for. */
export const noSuchPath = (): ApiError =>
  new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
export const noSuchMethod = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
export const routeMediaType = (): ApiError =>
  new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
/** The patch library's refusal of a JSON patch that does not apply. */
export const patchRejected = (): ApiError =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

const CAUSES = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Duplicate: 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  NotFound: 'FieldValueNotFound',
  InternalError: 'InternalError',
  TypeInvalid: 'FieldValueTypeInvalid',
} as const satisfies Record<FieldError['type'], string>;

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** 422 with its causes; the sentence names each distinct error once. */
class Invalid extends ApiError {
  constructor(
    private readonly kind: GroupKind,
    private readonly object: string,
    private readonly errors: readonly FieldError[],
  ) {
    const texts = [...new Set(errors.map((error) => `${error.field}: ${error.body}`))];
    const sentence = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
    const what = { group: kind.group, resource: kind.kind };
    super(422, 'Invalid', `${qualified(what)} ${goQuote(object)} is invalid: ${sentence}`, {
      ...detailsOf(what, object),
      causes: errors.map((error) => ({ reason: CAUSES[error.type], message: error.body, field: error.field })),
    });
  }

  wordedBy(minor: number): Invalid {
    if (this.errors.every(({ older }) => older === undefined || minor > older.until)) return this;
    const errors = this.errors.map((error) =>
      error.older === undefined || minor > error.older.until ? error : { ...error, body: error.older.body },
    );
    return new Invalid(this.kind, this.object, errors);
  }
}

export const invalid = (kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError =>
  new Invalid(kind, name, errors);

/**
 * Words that stand in many refusals, and how older minors said the same. Source: apimachinery,
 * pkg/api/validate/content/{errors,kube}.go, pkg/api/validation/objectmeta.go ValidateOwnerReference.
 */
const WORDS: readonly { readonly until: number; readonly now: RegExp; readonly before: string }[] = [
  { until: 34, now: /must be no more than (\d{1,9}) bytes/g, before: 'must be no more than $1 characters' },
  { until: 34, now: /a valid label key must consist/g, before: 'a qualified name must consist' },
  {
    until: 33,
    now: /(metadata\.ownerReferences\.(kind|name|uid): Invalid value: ""): must not be empty/g,
    before: '$1: $2 must not be empty',
  },
];

/** The refusal in the words of that minor. */
export function wordedBy(given: ApiError, minor: number): ApiError {
  const error = given instanceof Invalid ? given.wordedBy(minor) : given;
  const older = WORDS.filter(({ until }) => minor <= until);
  if (older.length === 0) return error;
  const say = (text: string): string => older.reduce((said, { now, before }) => said.replace(now, before), text);
  const causes = error.details?.causes?.map(({ message, ...rest }) => {
    // A cause leaves out the field that the sentence names before it.
    const field = `${rest.field ?? ''}: `;
    return message === undefined ? rest : { ...rest, message: say(`${field}${message}`).slice(field.length) };
  });
  const details = causes === undefined ? error.details : { ...error.details, causes };
  return new ApiError(error.code, error.reason, say(error.message), details);
}

/** Go's net/http answers an error that no handler made a Status of: 500 in plain text that names the request's URI. */
export class PlainServerError extends Error {
  /** Source: apiserver, pkg/endpoints/handlers/responsewriters/errors.go InternalError. */
  saidOf(url: string): string {
    return `${escapeHtml(`Internal Server Error: ${goQuote(url)}: ${this.message}`)}\n`;
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** 403 of the authorization filter. Source: responsewriters/errors.go ForbiddenStatusError, forbiddenMessage. */
export function denied(attributes: AuthorizationAttributes, reason: string): ApiError {
  const user = goQuote(attributes.user.username);
  let sentence: string;
  if (!attributes.isResourceRequest)
    sentence = `User ${user} cannot ${attributes.verb} path ${goQuote(attributes.path)}`;
  else {
    const resource =
      attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
    const scope =
      attributes.namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(attributes.namespace)}`;
    sentence =
      `User ${user} cannot ${attributes.verb} resource ${goQuote(resource)} in API group ` +
      `${goQuote(attributes.group)} ${scope}`;
  }
  const why = reason === '' ? escapeHtml(sentence) : `${escapeHtml(sentence)}: ${reason}`;
  return forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, why);
}

/**
 * 403 of an admission plug-in: it speaks of the name of the request, else of the object's, else of what a name is to be
 * made of. Source: apiserver, pkg/admission/errors.go NewForbidden, extractResourceName.
 */
export function notAdmitted({ group, resource, name, object }: AdmissionAttributes, why: string): ApiError {
  const of = name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return forbidden({ group, resource }, of, why);
}

/** The Status object of a refusal. A details object of nothing is printed, as upstream prints its pointer. */
export const statusOf = (error: ApiError): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: error.message,
  ...(error.reason === '' ? {} : { reason: error.reason }),
  ...(error.details === undefined ? {} : { details: error.details }),
  code: error.code,
});
