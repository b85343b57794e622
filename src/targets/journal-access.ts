/** The journal's and the sweep's hands: the admin's client without guards, under a signal of their own. */
import type { KubeObject } from '../kubernetes/objects.js';
import { pathOf, type Resource } from '../kubernetes/resources.js';
import type { HttpClient } from './client.js';
import type { JournalAccess } from './journal.js';

export function accessFor(admin: HttpClient, signal: AbortSignal): JournalAccess {
  return {
    async read(place) {
      const answer = await admin.raw({ path: pathOf(place.resource, place) }, signal, [200, 404]);
      return answer.status === 404 ? undefined : (answer.body as KubeObject);
    },
    async find(resource: Resource, labelSelector: string) {
      const found: KubeObject[] = [];
      let next = '';
      do {
        const query = { labelSelector, limit: '500', ...(next === '' ? {} : { continue: next }) };
        const answer = await admin.raw({ path: pathOf(resource), query }, signal, [200, 404]);
        const page = (answer.body ?? {}) as { items?: KubeObject[] | null; metadata?: { continue?: string } };
        if (answer.status === 200) found.push(...(page.items ?? []));
        next = page.metadata?.continue ?? '';
      } while (next !== '');
      return found;
    },
    async remove(place, uid) {
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        ...(uid === undefined ? {} : { preconditions: { uid } }),
        gracePeriodSeconds: 0,
      };
      // 409: something else bears the name by now, which is not ours to delete.
      await admin.raw({ method: 'DELETE', path: pathOf(place.resource, place), body }, signal, [
        200,
        202,
        404,
        ...(uid === undefined ? [] : [409]),
      ]);
    },
    async change(place, patch, subresource) {
      const path = pathOf(place.resource, { ...place, ...(subresource === undefined ? {} : { subresource }) });
      await admin.raw(
        { method: 'PATCH', path, body: patch, contentType: 'application/merge-patch+json' },
        signal,
        [200, 404],
      );
    },
    async add(resource, object) {
      await admin.raw(
        { method: 'POST', path: pathOf(resource, { namespace: object.metadata.namespace }), body: object },
        signal,
        [200, 201],
      );
    },
  };
}
