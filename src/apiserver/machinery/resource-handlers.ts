/** One request about resources, from its route to its answer. Source: apiserver, pkg/endpoints/handlers. */
import { isRecord, record } from '../../kubernetes/json.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import type { RequestInfo } from '../access.js';
import { goQuote, parseUint } from '../go/text.js';
import type { Asked } from '../resource-definition.js';
import { hasFeature, isServed } from '../versions.js';
import { type Acted, type ActingSubresource, act } from './act.js';
import { create } from './create.js';
import { BodyError, decodeBody, decodeObject, mediaTypeOf, noObject } from './decode.js';
import { deletionAnswer, remove } from './delete.js';
import { type Encoding, encodeList, encodeObject } from './encode.js';
import { badRequest, notFound, plainError, routeMediaType, tooLarge } from './errors.js';
import { type ApiRequest, type ApiResponse, header } from './http.js';
import { list, listOptions, tooLargeVersion } from './list.js';
import { groupResource, type Machinery, type Scope, storedObject, type Target } from './machinery.js';
import { negotiate, type Output, routedToObjects, wantsPretty } from './negotiate.js';
import {
  deleteOptions,
  deleteOptionsFromBody,
  deleteOptionsFromQuery,
  type FieldValidation,
  type WriteOptions,
  writeOptions,
} from './options.js';
import { patchObject } from './patch.js';
import { truthy } from './query.js';
import { type Route, type Routes, route } from './routes.js';
import { replace } from './update.js';
import { type WatchHub, watch } from './watch.js';

export interface Call {
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly warnings: string[];
}

const PATCH_TYPES = new Set([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]);

/**
 * The field manager of who names none: the client's program. Source: handlers/create.go managerOrUserAgent,
 * prefixFromUserAgent.
 */
const managerOf = (given: string, userAgent: string): string =>
  given || [...(userAgent.split('/')[0] ?? '')].slice(0, 128).join('') || 'unknown';

/** Source: apimachinery, pkg/util/httpstream/httpstream.go IsUpgradeRequest. */
const askedBy = ({ query, request }: Call): Asked => ({
  query,
  upgrades: (header(request, 'connection') ?? '').toLowerCase().includes('upgrade'),
});

/** Reviews have no table, and of subresources those alone that show the whole, or have one of their own. */
function isTabular({ definition, subresource }: Target): boolean {
  if (subresource === undefined) return definition.answer === undefined;
  return subresource.kind === 'action' ? subresource.table !== undefined : subresource.name === 'status';
}

type ScopeOptions = Pick<WriteOptions, 'dryRun'> & Partial<Pick<WriteOptions, 'fieldManager'>>;

/** What is deleted together is listed in pages, of what there is at one version. */
const ALL = Number.MAX_SAFE_INTEGER;

export class ResourceHandlers {
  constructor(
    private readonly machinery: Machinery,
    private readonly routes: Routes,
    private readonly hub: WatchHub,
  ) {}

  /** @throws ApiError */
  handle(call: Call): ApiResponse {
    const { request, query, info } = call;
    const found = route(this.routes, request.method, info, truthy(query.get('watch')));
    const patchType = header(request, 'content-type') ?? '';
    const connects = found.target.subresource?.kind === 'action' && found.target.subresource.connects === true;
    if (found.action === 'patch' && !connects && !PATCH_TYPES.has((patchType.split(';')[0] ?? '').trim()))
      throw routeMediaType();
    const accept = header(request, 'accept') ?? '';
    // What is passed on may be written in any way.
    if (!connects) routedToObjects(accept, found.action === 'list' || found.action === 'watch');
    const { deprecated } = found.target.definition;
    if (deprecated !== undefined && isServed(deprecated, this.machinery.version.minor))
      call.warnings.push(deprecated.text);
    const output = this.negotiated(call, found, connects ? '' : accept);
    const encoding: Encoding = { definition: found.target.definition, output, query, now: this.machinery.clock.now() };
    if (found.target.subresource?.kind === 'action') return this.act(call, found, found.target.subresource, encoding);
    switch (found.action) {
      case 'get':
        return this.get(call, found.target, encoding);
      case 'list':
      case 'watch':
        return this.list(call, found, encoding);
      case 'create':
        return this.create(call, found.target, encoding);
      case 'update':
        return this.update(call, found.target, encoding);
      case 'patch':
        return this.patch(call, found.target, encoding);
      case 'delete':
        return this.delete(call, found.target, encoding);
      case 'deletecollection':
        return this.deleteCollection(call, found.target, encoding);
    }
  }

  /** @throws 406, or what is told before it */
  private negotiated({ request, query }: Call, { target, action }: Route, accept: string): Output {
    const pretty = wantsPretty(query, header(request, 'user-agent') ?? '');
    try {
      return negotiate(accept, { pretty, tabular: isTabular(target) });
    } catch (error) {
      const { minor } = this.machinery.version;
      const lists = action === 'list' || action === 'watch';
      if (lists && !hasFeature('listsAreNegotiatedFirst', minor))
        listOptions(query, target.definition, minor, action === 'watch');
      throw error;
    }
  }

  private get({ query, warnings }: Call, target: Target, encoding: Encoding): ApiResponse {
    if (query.has('export') && truthy(query.get('export')))
      throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    // A name that cannot be is told before a version that cannot be.
    const object = storedObject({ machinery: this.machinery, target });
    const version = query.get('resourceVersion') ?? '';
    if (version !== '') {
      const parsed = parseUint(version);
      if ('error' in parsed) {
        const why = `resourceVersion: Invalid value: ${goQuote(version)}: ${parsed.error}`;
        // No cache stands before events: their storage says it, which names it a bad request.
        throw target.definition.resource === 'events'
          ? badRequest(`invalid resource version: ${why}`)
          : plainError(why);
      }
      if (parsed.value > this.machinery.store.revision)
        throw tooLargeVersion(parsed.printed, this.machinery.store.revision, target.definition.resource !== 'events');
    }
    if (object === undefined)
      throw notFound({ ...groupResource(target.definition), ...target.definition.missingAs }, target.name);
    return encodeObject(200, object, encoding, warnings);
  }

  private list({ query, warnings }: Call, { target, action }: Route, encoding: Encoding): ApiResponse {
    const forWatch = action === 'watch';
    const one = target.name === '' ? undefined : new URLSearchParams(query);
    one?.set('fieldSelector', `metadata.name=${target.name}`);
    const options = listOptions(one ?? query, target.definition, this.machinery.version.minor, forWatch);
    if (options.watch) return watch(this.machinery, this.hub, { target: { ...target, name: '' }, options, encoding });
    const { items, meta } = list(this.machinery, target, options);
    return encodeList(items, meta, encoding, warnings);
  }

  private body({ request }: Call): Buffer {
    if (request.bodyTooLarge === true) throw tooLarge(this.machinery.manners.bodyLimit());
    return request.body;
  }

  private scope(call: Call, target: Target, { dryRun, fieldManager = '' }: ScopeOptions): Scope {
    const manager = managerOf(fieldManager, header(call.request, 'user-agent') ?? '');
    return {
      machinery: this.machinery,
      target,
      caller: { user: call.user, warnings: call.warnings, dryRun, manager },
    };
  }

  private decode(call: Call, { definition }: Target, validation: FieldValidation): KubeObject {
    return decodeObject(header(call.request, 'content-type'), this.body(call), {
      expected: definition,
      definition,
      kinds: this.routes,
      validation,
      warnings: call.warnings,
    });
  }

  private create(call: Call, target: Target, encoding: Encoding): ApiResponse {
    this.checkMediaType(call);
    const options = writeOptions(call.query, 'CreateOptions');
    const object = this.decode(call, target, options.fieldValidation);
    const answer = create(this.scope(call, target, options), object);
    return encodeObject(answer.code, answer.object, encoding, call.warnings);
  }

  /**
   * An unknown media type is refused before the body is looked at: before the options of a creation, after those of an
   * update. Source: handlers/create.go, update.go.
   */
  private checkMediaType(call: Call): void {
    const type = mediaTypeOf(header(call.request, 'content-type'));
    if (type !== 'application/json' && type !== 'application/yaml' && type !== 'application/vnd.kubernetes.protobuf')
      decodeBody(type, Buffer.alloc(0));
  }

  /** A subresource that answers by itself, whatever the method. */
  private act(call: Call, route: Route, subresource: ActingSubresource, encoding: Encoding): ApiResponse {
    const { code, object } =
      subresource.connects === true ? this.connect(call, route, subresource) : this.write(call, route, subresource);
    return encodeObject(
      code,
      object,
      { ...encoding, definition: { ...encoding.definition, ...subresource.answersWith, ...subresource.table } },
      call.warnings,
    );
  }

  /** What is passed on is not looked at. Source: handlers/rest.go ConnectResource. */
  private connect(call: Call, { target }: Route, subresource: ActingSubresource): Acted {
    if (call.query.has('dryRun')) throw badRequest('dryRun is not supported');
    const unread = {
      bytes: Buffer.alloc(0),
      kinds: this.routes,
      validation: 'Ignore',
      asked: askedBy(call),
    } as const;
    return act(this.scope(call, target, { dryRun: false }), subresource, 'get', unread);
  }

  private write(call: Call, { target, action }: Route, subresource: ActingSubresource): Acted {
    const kind = action === 'create' ? 'CreateOptions' : action === 'patch' ? 'PatchOptions' : 'UpdateOptions';
    const contentType = header(call.request, 'content-type');
    if (action === 'create') this.checkMediaType(call);
    const options = writeOptions(call.query, kind, contentType === 'application/apply-patch+yaml');
    if (action === 'update') this.checkMediaType(call);
    const body = {
      bytes: this.body(call),
      kinds: this.routes,
      validation: options.fieldValidation,
      asked: askedBy(call),
      ...(contentType === undefined ? {} : { contentType }),
    };
    return act(this.scope(call, target, options), subresource, action, body);
  }

  private update(call: Call, target: Target, encoding: Encoding): ApiResponse {
    const options = writeOptions(call.query, 'UpdateOptions');
    this.checkMediaType(call);
    const object = this.decode(call, target, options.fieldValidation);
    const { object: stored, created } = replace(this.scope(call, target, options), object);
    return encodeObject(created ? 201 : 200, stored, encoding, call.warnings);
  }

  private patch(call: Call, target: Target, encoding: Encoding): ApiResponse {
    const mediaType = ((header(call.request, 'content-type') ?? '').split(';')[0] ?? '').trim();
    const options = writeOptions(call.query, 'PatchOptions', mediaType === 'application/apply-patch+yaml');
    const scope = this.scope(call, target, options);
    const { object, created } = patchObject(scope, mediaType, this.body(call), options);
    return encodeObject(created ? 201 : 200, object, encoding, call.warnings);
  }

  /** DeleteOptions of the body, or of the query where there is no body. */
  private deleteOptions(call: Call): ReturnType<typeof deleteOptions> {
    const bytes = this.body(call);
    if (bytes.length === 0) return deleteOptions(deleteOptionsFromQuery(call.query));
    this.checkMediaType(call);
    try {
      const { value } = decodeBody(mediaTypeOf(header(call.request, 'content-type')), bytes);
      if (!isRecord(value ?? {})) throw new BodyError(noObject(value));
      return deleteOptions(deleteOptionsFromBody(record(value)));
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      const refused = hasFeature('badOptionsAreRefused', this.machinery.version.minor);
      throw refused ? badRequest(error.message) : plainError(error.message);
    }
  }

  private delete(call: Call, target: Target, encoding: Encoding): ApiResponse {
    const options = this.deleteOptions(call);
    const deleted = remove(this.scope(call, target, { dryRun: options.dryRun }), options);
    // Who asks that dependents go, too, is told where that goes on. Source: handlers/delete.go DeleteResource.
    const accepted = !deleted.gone && options.orphanDependents === false;
    return encodeObject(accepted ? 202 : 200, deletionAnswer(target, deleted), encoding, call.warnings);
  }

  private deleteCollection(call: Call, target: Target, encoding: Encoding): ApiResponse {
    const selection = listOptions(call.query, target.definition, this.machinery.version.minor, false);
    const options = this.deleteOptions(call);
    // Source: apiserver, pkg/registry/generic/registry/store.go DeleteCollection.
    const page = { ...selection, limit: selection.limit > 0 ? selection.limit : ALL };
    const { items, meta } = list(this.machinery, target, page);
    for (const { metadata } of items)
      remove(this.scope(call, { ...target, name: metadata.name ?? '' }, { dryRun: options.dryRun }), options);
    // The answer is the list as it was before.
    return encodeList(items, meta, encoding, call.warnings);
  }
}
