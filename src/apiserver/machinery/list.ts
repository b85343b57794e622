/**
 * Lists: selectors, pages, versions. Source: apiserver, pkg/endpoints/handlers/get.go ListResource,
 * pkg/storage/etcd3/store.go GetList, pkg/storage/continue.go.
 */
import { text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { goQuote, parseUint } from '../go/text.js';
import type { FieldError, ResourceDefinition } from '../resource-definition.js';
import { ApiError } from '../types.js';
import { hasFeature } from '../versions.js';
import type { ListMeta } from './encode.js';
import { badRequest, invalid, plainError } from './errors.js';
import { forbiddenField, notSupported } from './field-errors.js';
import { type FieldRequirement, parseFieldSelector } from './field-selector.js';
import { type LabelRequirement, matchesLabels, parseLabelSelector } from './label-selector.js';
import { groupResource, type Machinery, type Target } from './machinery.js';
import { int64, truthy } from './query.js';

export interface Selection {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
}

export interface ListOptions {
  readonly selection: Selection;
  readonly watch: boolean;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly match: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** 410 of a list that can go on inconsistently. */
class ExpiredList extends ApiError {
  constructor(
    message: string,
    readonly continueToken: string,
  ) {
    super(410, 'Expired', message);
  }
}

/** Field labels that a kind knows. */
function checkFields(requirements: readonly FieldRequirement[], definition: ResourceDefinition): void {
  for (const { field } of requirements) {
    if (definition.refuseFieldLabel !== undefined) {
      const refusal = definition.refuseFieldLabel(field);
      if (refusal !== undefined) throw badRequest(refusal);
      continue;
    }
    if (field === 'metadata.name' || field === 'metadata.namespace' || Object.hasOwn(definition.fieldSelectors, field))
      continue;
    throw badRequest(`${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
  }
}

/** @throws ApiError 400, 422 */
export function listOptions(
  query: URLSearchParams,
  definition: ResourceDefinition,
  minor: number,
  watch: boolean,
): ListOptions {
  // In the order of the fields: of several that are no numbers the first is told.
  const timeoutSeconds = int64(query, 'timeoutSeconds');
  const limit = int64(query, 'limit');
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  if ('error' in labels) throw badRequest(labels.error);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  if ('error' in fields) throw badRequest(fields.error);
  const given: ListOptions = {
    selection: { labels: labels.requirements, fields: fields.requirements },
    watch: watch || truthy(query.get('watch')),
    limit: limit ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    match: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: query.has('sendInitialEvents') ? truthy(query.get('sendInitialEvents')) : undefined,
    bookmarks: truthy(query.get('allowWatchBookmarks')),
    timeoutSeconds,
  };
  const watchList = hasFeature('watchList', minor);
  const options = truthy(query.get('watch')) && watchList ? withInitialEvents(given) : given;
  // The path of old that always watches is looked at as a list, unless its query says watch, too.
  const errors = truthy(query.get('watch')) ? watchErrors(options, watchList) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  checkFields(fields.requirements, definition);
  return options;
}

/**
 * A watch from no version or from 0 is sent what is there, and told when that is all. Source: apimachinery,
 * pkg/apis/meta/internalversion/defaults.go SetListOptionsDefaults.
 */
function withInitialEvents(options: ListOptions): ListOptions {
  const { sendInitialEvents, match, resourceVersion } = options;
  const asked = sendInitialEvents !== undefined || match !== '';
  return asked || (resourceVersion !== '' && resourceVersion !== '0')
    ? options
    : { ...options, sendInitialEvents: true, match: 'NotOlderThan' };
}

/** Source: apimachinery, pkg/apis/meta/internalversion/validation/validation.go. */
function listErrors({ match, resourceVersion, continue: token, sendInitialEvents }: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const at = 'resourceVersionMatch';
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbiddenField(at, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token !== '') errors.push(forbiddenField(at, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(at, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(forbiddenField(at, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors(
  { match, resourceVersion, continue: token, sendInitialEvents }: ListOptions,
  watchList: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbiddenField(at, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (sendInitialEvents !== undefined && !watchList)
    errors.push(
      forbiddenField(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    );
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(
        forbiddenField(at, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    if (match !== 'NotOlderThan') errors.push(notSupported(at, match, ['NotOlderThan']));
  }
  // A watch from the newest or any version has both by default. Source: internalversion/defaults.go.
  const byDefault = watchList && sendInitialEvents === undefined && (resourceVersion === '' || resourceVersion === '0');
  if (token !== '' && (match !== '' || byDefault))
    errors.push(forbiddenField(at, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/** Whether an object is selected. */
export function selects(selection: Selection, definition: ResourceDefinition, object: KubeObject): boolean {
  if (selection.labels.length > 0 && !matchesLabels(selection.labels, object.metadata.labels)) return false;
  for (const { field, operator, value } of selection.fields) {
    const own =
      field === 'metadata.name'
        ? (object.metadata.name ?? '')
        : field === 'metadata.namespace'
          ? (object.metadata.namespace ?? '')
          : (definition.fieldSelectors[field]?.(object) ?? '');
    if ((own === value) !== (operator === '=')) return false;
  }
  return true;
}

const keyOf = (object: KubeObject, target: Target): string =>
  target.definition.namespaced && target.namespace === ''
    ? `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
    : (object.metadata.name ?? '');

const encodeToken = (revision: number, lastKey: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${lastKey}\u0000` })).toString('base64url');

function decodeToken(token: string): { readonly rv: number; readonly start: string } {
  const refuse = (why: string): never => {
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  };
  const fault = /[^A-Za-z0-9_-]/.exec(token);
  if (fault !== null) refuse(`illegal base64 data at input byte ${fault.index}`);
  if (token.length % 4 === 1) refuse(`illegal base64 data at input byte ${token.length - 1}`);
  const bytes = Buffer.from(token, 'base64url');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    refuse(
      bytes.length === 0
        ? 'unexpected end of JSON input'
        : `invalid character '${goQuote(String.fromCharCode(bytes[0] ?? 0)).slice(1, -1)}' looking for ` +
            'beginning of value',
    );
  }
  const { v, rv, start } = (typeof value === 'object' && value !== null ? value : {}) as {
    v?: unknown;
    rv?: unknown;
    start?: unknown;
  };
  if (v !== 'meta.k8s.io/v1') refuse(`server does not recognize this encoded version ${text(v)}`);
  if (rv === 0 || typeof rv !== 'number')
    return refuse('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') return refuse('encoded start key empty (version meta.k8s.io/v1)');
  return { rv, start };
}

/** `cached`: it was looked for in a cache, which may have it later; storage has not. */
export const tooLargeVersion = (wanted: string, current: number, cached: boolean): ApiError =>
  new ApiError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...(cached ? { retryAfterSeconds: 1 } : {}),
  });

/**
 * Whether a list of some version is looked for in a cache: none stands before events, and what is one object by its name
 * has no snapshots. Source: apiserver, pkg/storage/cacher/delegator.go.
 */
const isCached = ({ definition }: Target, options: ListOptions): boolean =>
  definition.resource !== 'events' &&
  !(
    isExact(options) &&
    options.selection.fields.some(({ field, operator }) => field === 'metadata.name' && operator === '=')
  );

/** It is looked at alone, and nothing comes after it. Source: apiserver, pkg/registry/generic/registry/store.go ListPredicate. */
const namesOne = ({ definition, namespace }: Target, { selection }: ListOptions): boolean =>
  !(definition.namespaced && namespace === '') &&
  selection.fields.some(({ field, operator }) => field === 'metadata.name' && operator === '=');

/** Whether what there was at just that version is asked for. A page is of one version where nobody says otherwise. */
const isExact = ({ match, limit }: ListOptions): boolean => match === 'Exact' || (limit > 0 && match === '');

const TOO_OLD_LIST =
  'The provided continue parameter is too old to display a consistent list result. You can start a new ' +
  'list without the continue parameter, or use the continue token in this response to retrieve the ' +
  'remainder of the results. Continuing with the provided token results in an inconsistent list - ' +
  'objects that were created, modified, or deleted between the time the first chunk was returned and ' +
  'now may show up in the list.';

/** @throws ApiError 400, 410, 504 */
export function list(
  machinery: Machinery,
  target: Target,
  options: ListOptions,
): { readonly items: readonly KubeObject[]; readonly meta: ListMeta } {
  const { store } = machinery;
  const resource = groupResource(target.definition);
  const namespace = target.definition.namespaced && target.namespace !== '' ? target.namespace : undefined;
  let revision = store.revision;
  let all: readonly KubeObject[];
  let start = '';
  let { limit } = options;
  if (options.continue !== '') {
    const token = decodeToken(options.continue);
    if (options.resourceVersion !== '' && options.resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    start = token.start;
    if (token.rv > 0) {
      const then = store.listAt(resource, namespace, token.rv);
      if (then === undefined) throw new ExpiredList(TOO_OLD_LIST, encodeToken(-1, start.slice(0, -1)));
      all = then;
      revision = token.rv;
    } else all = store.list(resource, namespace);
  } else {
    all = store.list(resource, namespace);
    const given = parseUint(options.resourceVersion === '' ? '0' : options.resourceVersion);
    if ('error' in given) {
      const why = `resourceVersion: Invalid value: ${goQuote(options.resourceVersion)}: ${given.error}`;
      // No cache stands before events, nor before exactly one version.
      const isStored = resource.resource === 'events' || isExact(options);
      const refused = isStored || hasFeature('badVersionIsRefused', machinery.version.minor);
      throw refused ? badRequest(`invalid resource version: ${why}`) : plainError(why);
    }
    if (given.value > store.revision) {
      if (options.match === 'Exact' && !hasFeature('futureListsAreTooLarge', machinery.version.minor))
        throw plainError('etcdserver: mvcc: required revision is a future revision');
      throw tooLargeVersion(given.printed, store.revision, isCached(target, options));
    }
    if (options.resourceVersion === '0') limit = 0;
    else if (options.match === 'Exact' || (given.value > 0 && isExact(options))) {
      const then = store.listAt(resource, namespace, given.value);
      if (then === undefined)
        throw new ApiError(410, 'Expired', 'The resourceVersion for the provided list is too old.');
      all = then;
      revision = given.value;
    }
  }
  const { selection } = options;
  const unselective = selection.labels.length === 0 && selection.fields.length === 0;
  if (unselective && limit <= 0 && start === '') return { items: all, meta: { resourceVersion: String(revision) } };
  const items: KubeObject[] = [];
  let remaining = 0;
  for (const object of all) {
    if (start !== '' && keyOf(object, target) < start) continue;
    // Whatever follows a full page is more of the list; nobody looks whether it is selected.
    if (limit > 0 && items.length === limit) remaining += 1;
    else if (unselective || selects(selection, target.definition, object)) items.push(object);
  }
  const last = items.at(-1);
  if (remaining === 0 || last === undefined || namesOne(target, options))
    return { items, meta: { resourceVersion: String(revision) } };
  return {
    items,
    meta: {
      resourceVersion: String(revision),
      continue: encodeToken(revision, keyOf(last, target)),
      ...(unselective ? { remainingItemCount: remaining } : {}),
    },
  };
}
