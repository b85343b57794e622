/**
 * Watches: what was, what happens, bookmarks, and when it ends. Source: apiserver, pkg/endpoints/handlers/watch.go,
 * pkg/storage/cacher.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import { goQuote, parseUint } from '../go/text.js';
import { encodeWatchEvent } from '../protobuf/index.js';
import { ApiError, type StoreEvent } from '../types.js';
import { type Encoding, eventText } from './encode.js';
import { plainError, statusOf } from './errors.js';
import type { ApiResponse, Sink } from './http.js';
import { type ListOptions, selects } from './list.js';
import { apiVersion, groupResource, type Machinery, type Target } from './machinery.js';
import { JSON_TYPE, PROTOBUF_TYPE } from './negotiate.js';

const BOOKMARK_EVERY = 60_000;
const SHORTEST_DEFAULT = 1800;

/** Feeds every watch from one subscription to the store. */
export class WatchHub {
  private readonly listeners = new Map<string, Set<(event: StoreEvent) => void>>();
  private readonly open = new Set<() => void>();
  constructor(machinery: Pick<Machinery, 'store'>) {
    machinery.store.subscribe((event) => {
      for (const listener of this.listeners.get(`${event.resource.group}/${event.resource.resource}`) ?? [])
        listener(event);
    });
  }
  listen(key: string, listener: (event: StoreEvent) => void, end: () => void): () => void {
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

/** What is watched, and in which form it is told. */
interface Watched {
  readonly target: Target;
  readonly options: ListOptions;
  readonly encoding: Encoding;
}

/** @throws ApiError 500 where the resourceVersion is no number */
export function watch(machinery: Machinery, hub: WatchHub, { target, options, encoding }: Watched): ApiResponse {
  const { definition } = target;
  const resource = groupResource(definition);
  const given = parseUint(options.resourceVersion === '' ? '0' : options.resourceVersion);
  if ('error' in given)
    throw plainError(`resourceVersion: Invalid value: ${goQuote(options.resourceVersion)}: ${given.error}`);
  const namespace = definition.namespaced && target.namespace !== '' ? target.namespace : undefined;
  const concerns = (object: KubeObject): boolean =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    selects(options.selection, definition, object);
  const initial = options.sendInitialEvents ?? given.value === 0;

  const inProtobuf = encoding.output.mediaType === PROTOBUF_TYPE;
  const open = (sink: Sink): (() => void) => {
    const tellClient = (type: string, text: string): void =>
      sink.write(
        inProtobuf ? encodeWatchEvent(type, JSON.parse(text) as object) : `{"type":"${type}","object":${text}}\n`,
      );
    let first = true;
    let revision = machinery.store.revision;
    const send = (type: string, object: KubeObject): void => {
      tellClient(type, eventText(object, { ...encoding, now: machinery.clock.now() }, first));
      first = false;
    };
    const bookmark = (annotations?: Readonly<Record<string, string>>): void => {
      const metadata = {
        resourceVersion: String(revision),
        creationTimestamp: null,
        ...(annotations === undefined ? {} : { annotations }),
      };
      const object = { kind: definition.kind, apiVersion: apiVersion(definition), metadata };
      const text =
        encoding.output.as === undefined
          ? JSON.stringify(object)
          : eventText(
              {
                ...object,
                metadata: {
                  resourceVersion: metadata.resourceVersion,
                  ...(annotations === undefined ? {} : { annotations }),
                },
              },
              encoding,
              first,
            );
      tellClient('BOOKMARK', text);
    };
    const tell = (event: StoreEvent): void => {
      revision = event.revision;
      const now = event.type !== 'DELETED' && concerns(event.object);
      const before = event.previous !== undefined && concerns(event.previous);
      if (now) send(before ? 'MODIFIED' : 'ADDED', event.object);
      else if (before && event.type === 'DELETED') send('DELETED', event.object);
      else if (before && event.previous !== undefined) {
        send('DELETED', {
          ...event.previous,
          metadata: { ...event.previous.metadata, resourceVersion: String(event.revision) },
        });
      }
    };
    // Without a version a watch begins now, whether or not it is sent what is there.
    const missed = initial || given.value === 0 ? [] : machinery.store.since(resource, given.value);
    if (missed === undefined) {
      const error = new ApiError(
        410,
        'Expired',
        `too old resource version: ${given.value} (${machinery.store.compacted})`,
      );
      tellClient('ERROR', JSON.stringify(statusOf(error)));
      sink.end();
      return () => undefined;
    }
    if (initial) {
      for (const object of machinery.store.list(resource, namespace)) if (concerns(object)) send('ADDED', object);
      if (options.sendInitialEvents === true && options.bookmarks) bookmark({ 'k8s.io/initial-events-end': 'true' });
    } else for (const event of missed) tell(event);
    const finish = (): void => {
      stop();
      sink.end();
    };
    const unlisten = hub.listen(`${resource.group}/${resource.resource}`, tell, finish);
    const ticker = options.bookmarks
      ? setInterval(() => {
          revision = machinery.store.revision;
          bookmark();
        }, BOOKMARK_EVERY)
      : undefined;
    ticker?.unref();
    const seconds =
      options.timeoutSeconds !== undefined && options.timeoutSeconds > 0 ? options.timeoutSeconds : SHORTEST_DEFAULT;
    const timer = setTimeout(finish, Math.min(seconds * 1000, 2 ** 31 - 1));
    timer.unref();
    const stop = (): void => {
      unlisten();
      clearInterval(ticker);
      clearTimeout(timer);
    };
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
