/**
 * Watches: what was, what happens, bookmarks, and when it ends. Source: apiserver, pkg/endpoints/handlers/watch.go,
 * pkg/storage/cacher.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import { goQuote, parseUint } from '../go/text.js';
import { encodeWatchEvent } from '../protobuf/index.js';
import { ApiError, type StoreEvent } from '../types.js';
import { hasFeature } from '../versions.js';
import { blank } from './blank.js';
import { type Encoding, eventText, includeOf, jsonOf } from './encode.js';
import { notAcceptable, plainError, statusOf } from './errors.js';
import type { ApiResponse, Sink } from './http.js';
import { type ListOptions, selects } from './list.js';
import { apiVersion, groupResource, type Machinery, type Target } from './machinery.js';
import { JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE } from './negotiate.js';

const BOOKMARK_EVERY = 60_000;
const SHORTEST_DEFAULT = 1800;

/** Feeds every watch from one subscription to the store. */
export class WatchHub {
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly open = new Set<() => void>();
  constructor(machinery: Pick<Machinery, 'store'>) {
    machinery.store.subscribe((event) => {
      for (const listener of this.listeners.get(`${event.resource.group}/${event.resource.resource}`) ?? []) listener();
    });
  }
  listen(key: string, listener: () => void, end: () => void): () => void {
    const set = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, set);
    set.add(listener);
    this.open.add(end);
    return () => {
      set.delete(listener);
      this.open.delete(end);
    };
  }
  /** Ends all open watches, as a server does that goes down. */
  close(): void {
    for (const end of [...this.open]) end();
  }
}

/** Characters or bytes that are written at once: what a client does not read is kept no further than that. */
const PIECE = 16 * 1024;

/** A text that many watches share is cut, never copied; pairs of UTF-16 stay together. */
function* jsonPieces(parts: readonly string[]): Generator<string> {
  if (parts.reduce((sum, { length }) => sum + length, 0) <= PIECE) {
    yield parts.join('');
    return;
  }
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const last = part.charCodeAt(at + PIECE - 1);
      const end = last >= 0xd800 && last < 0xdc00 ? at + PIECE + 1 : at + PIECE;
      yield part.slice(at, end);
      at = end;
    }
  }
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Ends at the first thing that there is to tell, without a word. */
function* untold<T>(story: Iterable<T | undefined>): Generator<undefined, void> {
  for (const piece of story) {
    if (piece !== undefined) return;
    yield undefined;
  }
}

/** What is watched, and in which form it is told. */
interface Watched {
  readonly target: Target;
  readonly options: ListOptions;
  readonly encoding: Encoding;
}

/**
 * @throws ApiError 500 where the resourceVersion is no number, 400 for a Table with rows of nothing known, 406 for a form
 * that has no stream
 */
export function watch(machinery: Machinery, hub: WatchHub, { target, options, encoding }: Watched): ApiResponse {
  const { definition } = target;
  const resource = groupResource(definition);
  if (encoding.output.as?.kind === 'Table') includeOf(encoding.query);
  const given = parseUint(options.resourceVersion === '' ? '0' : options.resourceVersion);
  if ('error' in given)
    throw plainError(`resourceVersion: Invalid value: ${goQuote(options.resourceVersion)}: ${given.error}`);
  if (encoding.output.mediaType === YAML_TYPE)
    throw notAcceptable(
      'only the following media types are accepted: application/json;stream=watch, ' +
        'application/vnd.kubernetes.protobuf;stream=watch',
    );
  const { value: from } = given;
  const namespace = definition.namespaced && target.namespace !== '' ? target.namespace : undefined;
  const concerns = (object: KubeObject): boolean =>
    machinery.manners.watchReaches(namespace, object.metadata.namespace) &&
    selects(options.selection, definition, object);
  const initial = machinery.manners.watchBeginsWithWhatIs(options.sendInitialEvents ?? from === 0);

  const inProtobuf = encoding.output.mediaType === PROTOBUF_TYPE;
  const piecesOf = (type: string, parts: readonly string[]): Iterable<string | Buffer> =>
    inProtobuf
      ? slices(encodeWatchEvent(type, JSON.parse(parts.join('')) as object))
      : jsonPieces([`{"type":"${type}","object":`, ...parts, '}\n']);

  const open = (sink: Sink): (() => void) => {
    const { store } = machinery;
    /** What has been told is of this revision. */
    let revision = store.revision;
    let first = true;
    let bookmarkIsDue = false;
    let isOver = false;
    const eventOf = (type: string, object: KubeObject): Iterable<string | Buffer> => {
      const parts = eventText(object, { ...encoding, now: machinery.clock.now() }, first);
      first = false;
      return piecesOf(type, parts);
    };
    const bookmark = (annotations?: Readonly<Record<string, string>>): Iterable<string | Buffer> => {
      const metadata = {
        resourceVersion: String(revision),
        ...(annotations === undefined ? {} : { annotations }),
      };
      const object = { ...blank(definition), kind: definition.kind, apiVersion: apiVersion(definition), metadata };
      if (encoding.output.as !== undefined) return piecesOf('BOOKMARK', eventText(object, encoding, first));
      const made = hasFeature('unsetTimesAreLeftOut', machinery.version.minor) ? {} : { creationTimestamp: null };
      return piecesOf('BOOKMARK', [jsonOf({ ...object, metadata: { ...metadata, ...made } })]);
    };
    /** An object with the version that it is told with, at this revision. */
    const versioned = (
      object: KubeObject,
      manner: 'versionOfFound' | 'versionOfLost' | 'versionOfDeleted',
      at: number,
    ): KubeObject => {
      const { resourceVersion: last, ...metadata } = object.metadata;
      const told = machinery.manners[manner](last, String(at));
      return { ...object, metadata: told === undefined ? metadata : { ...metadata, resourceVersion: told } };
    };
    /** What was there before an event. */
    const lost = (event: StoreEvent, manner: 'versionOfLost' | 'versionOfDeleted'): KubeObject =>
      versioned(event.previous ?? event.object, manner, event.revision);
    const change = (event: StoreEvent): Iterable<string | Buffer> => {
      const now = event.type !== 'DELETED' && concerns(event.object);
      const before = event.previous !== undefined && concerns(event.previous);
      if (event.type === 'DELETED') {
        const isTold = machinery.manners.watchTellsDeletion(before);
        return isTold ? eventOf('DELETED', lost(event, 'versionOfDeleted')) : [];
      }
      const type = machinery.manners.watchTells(before, now);
      if (type === undefined) return [];
      if (type !== 'DELETED' || event.previous === undefined) return eventOf(type, event.object);
      return eventOf('DELETED', lost(event, 'versionOfLost'));
    };
    /** Everything that this watch tells, piece by piece; undefined where it has to wait for something to happen. */
    function* story(): Generator<string | Buffer | undefined, void> {
      // Without a version a watch begins now, whether or not it is sent what is there.
      if (initial) {
        for (const object of store.list(resource, namespace))
          if (concerns(object)) yield* eventOf('ADDED', versioned(object, 'versionOfFound', revision));
        if (options.sendInitialEvents === true && options.bookmarks && machinery.manners.watchSaysWhereItBegins())
          yield* bookmark({ 'k8s.io/initial-events-end': 'true' });
      } else if (from !== 0) revision = Math.min(machinery.manners.watchBegins(from), revision);
      if (store.since(resource, revision) === undefined && !initial) {
        const message = `too old resource version: ${from} (${store.compacted(resource)})`;
        yield* piecesOf('ERROR', [jsonOf(statusOf(new ApiError(410, 'Expired', message)))]);
        return;
      }
      for (;;) {
        const missed = store.since(resource, revision);
        // Too slow: what it has not been told is forgotten. It ends without a word, as upstream's watches do.
        if (missed === undefined) return;
        for (const event of missed) {
          yield* change(event);
          revision = event.revision;
        }
        if (missed.length > 0) continue;
        if (bookmarkIsDue) {
          revision = Math.max(revision, store.revision);
          bookmarkIsDue = false;
          yield* bookmark();
        }
        yield undefined;
      }
    }
    // One event is no list: the first that cannot be turned into one ends the watch.
    const telling = encoding.output.as?.kind === 'PartialObjectMetadataList' ? untold(story()) : story();
    let isFull = false;
    const stop = (): void => {
      isOver = true;
      unlisten();
      clearInterval(ticker);
      clearTimeout(timer);
      forget();
    };
    const finish = (): void => {
      if (isOver) return;
      stop();
      sink.end();
    };
    const tell = (): void => {
      while (!isFull && !isOver) {
        const next = telling.next();
        if (next.done === true) finish();
        else if (next.value === undefined) return;
        else isFull = !sink.write(next.value);
      }
    };
    const unlisten = hub.listen(`${resource.group}/${resource.resource}`, tell, finish);
    const ticker = options.bookmarks
      ? setInterval(() => {
          bookmarkIsDue = true;
          tell();
        }, BOOKMARK_EVERY)
      : undefined;
    ticker?.unref();
    // Zero is none, and what is less is over before it begins. Source: pkg/endpoints/handlers/get.go ListResource.
    const seconds = options.timeoutSeconds || SHORTEST_DEFAULT;
    const milliseconds = Math.max(0, Math.min(seconds * 1000, 2 ** 31 - 1));
    const timer = setTimeout(finish, milliseconds);
    timer.unref();
    // Where time is moved, whoever watches need not wait for it.
    const forget = machinery.clock.at(machinery.clock.now() + milliseconds, finish);
    sink.onDrain(() => {
      isFull = false;
      tell();
    });
    if (milliseconds > 0) tell();
    else finish();
    return stop;
  };
  return {
    kind: 'stream',
    code: 200,
    headers: {
      'Content-Type': inProtobuf ? `${PROTOBUF_TYPE};stream=watch` : JSON_TYPE,
      'Cache-Control': 'no-cache, private',
    },
    open,
  };
}
