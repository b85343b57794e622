/** The clean-up's and the sweep's hands: the admin's client without guards, under a signal of their own. */

import { isRecord, record, text } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { OWN_FINALIZERS, runOf } from '../kubernetes/own-objects.js';
import { pathOf, type Resource } from '../kubernetes/resources.js';
import type { HttpClient } from './client.js';
import { UnexpectedAnswer } from './errors.js';
import { type BodyReader, listPages } from './list-pages.js';
import type { Answer, Question } from './types.js';

/** One object, as a path needs it. */
export interface Place {
  readonly resource: Resource;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Objects of one kind, in one namespace or in all, that a label selects. */
export interface Selected {
  readonly resource: Resource;
  readonly namespace?: string | undefined;
  readonly selector: string;
}

export interface Found {
  /** Those that carry the label of a run. */
  readonly items: readonly KubeObject[];
  /** How many came beside them: the server, or what stands before it, does not select. */
  readonly others: number;
  /** Of the whole list: what a deletion in bulk goes by. */
  readonly resourceVersion: string;
}

/** Each of them throws on every answer that is not expected, and where none comes. */
export interface JournalAccess {
  /** A kind that is not served has none. */
  find(selected: Selected): Promise<Found>;
  read(place: Place): Promise<KubeObject | undefined>;
  /** The object of this uid only; that it is gone, or another one now, is success. */
  remove(place: Place, uid: string): Promise<void>;
  /** Does a deletion heed its query? Tried on one of our own: deleted for a trial it has to stay. */
  heedsQuery(place: Place, uid: string): Promise<boolean>;
  /** Exactly what a list of this version holds, and nothing that came to it since. */
  removeAll(selected: Selected, resourceVersion: string): Promise<void>;
  /** Takes joinproof's own finalizers away, as long as nothing else of the object has changed. */
  release(place: Place, object: KubeObject): Promise<void>;
}

/** An answer that does not come within this time is asked for again. */
const ANSWER_MS = 20_000;

const deletion = (more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'DeleteOptions',
  gracePeriodSeconds: 0,
  ...more,
});

export function accessFor(admin: HttpClient, signal: AbortSignal): JournalAccess {
  const ask = (question: Question, expected: readonly number[], read?: BodyReader): Promise<Answer> =>
    admin.raw({ timeoutMs: ANSWER_MS, ...question }, signal, expected, read);
  return {
    async find({ resource, namespace, selector }) {
      const path = pathOf(resource, { namespace });
      let resourceVersion = '';
      let others = 0;
      try {
        const items = await listPages({
          path,
          ask: (page, read) => ask({ path, query: { labelSelector: selector, ...page } }, [200, 410], read),
          object: ({ status, body }) => {
            if (!isRecord(body)) throw new UnexpectedAnswer('GET', path, status, undefined, 'no list of objects');
            resourceVersion ||= text(record(body.metadata).resourceVersion);
            return body as unknown as KubeObject;
          },
          keep: (item) => {
            if (runOf(item) !== undefined && item.metadata.uid !== undefined) return item;
            others += 1;
            return undefined;
          },
        });
        return { items, others, resourceVersion };
      } catch (error) {
        if (error instanceof UnexpectedAnswer && error.code === 404) return { items: [], others, resourceVersion };
        throw error;
      }
    },
    async read(place) {
      const { status, body } = await ask({ path: pathOf(place.resource, place) }, [200, 404]);
      return status === 404 || !isRecord(body) || !isRecord(body.metadata) ? undefined : (body as KubeObject);
    },
    async remove(place, uid) {
      const body = deletion({ preconditions: { uid } });
      await ask({ method: 'DELETE', path: pathOf(place.resource, place), body }, [200, 202, 404, 409]);
    },
    async heedsQuery(place, uid) {
      const path = pathOf(place.resource, place);
      // Without a body: where there is one the server goes by that alone.
      await ask({ method: 'DELETE', path, query: { dryRun: 'All' } }, [200, 202]);
      const still = (await this.read(place))?.metadata;
      return still?.uid === uid && still.deletionTimestamp === undefined;
    },
    async removeAll({ resource, namespace, selector }, resourceVersion) {
      const query = { labelSelector: selector, resourceVersion, resourceVersionMatch: 'Exact' };
      await ask({ method: 'DELETE', path: pathOf(resource, { namespace }), query, body: deletion() }, [200, 202]);
    },
    async release(place, { metadata }) {
      const { uid, resourceVersion } = metadata;
      const kept = (metadata.finalizers ?? []).filter((finalizer) => !finalizer.startsWith(OWN_FINALIZERS));
      const body = { metadata: { uid, resourceVersion, finalizers: kept.length === 0 ? null : kept } };
      const contentType = 'application/merge-patch+json';
      await ask({ method: 'PATCH', path: pathOf(place.resource, place), body, contentType }, [200, 404, 409]);
    },
  };
}
