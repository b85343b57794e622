/** Deletes token Secrets whose expiration has come, by its timer. Source: pkg/controller/bootstrap/tokencleaner.go. */
import type { Controller, StoreEvent } from '../../apiserver/types.js';
import { type ControllerContext, createLoop, isResource, SECRETS } from './controller.js';
import { expirationOf, viewSecret } from './secret-view.js';

export function tokenCleaner(context: ControllerContext): Controller {
  const { store, clock, decisions } = context;
  const client = context.as('token-cleaner');
  return createLoop({
    name: 'token-cleaner-controller',
    context,
    keysOf(event: StoreEvent) {
      if (event.type === 'DELETED' || !isResource(event, SECRETS)) return [];
      const view = viewSecret(event.object);
      return decisions.cleanerWatchesSecret(view) ? [`${view.namespace}/${view.name}`] : [];
    },
    initial: () =>
      store
        .list(SECRETS)
        .map(viewSecret)
        .filter((view) => decisions.cleanerWatchesSecret(view))
        .map((view) => `${view.namespace}/${view.name}`),
    sync(key, later, armedFor) {
      const [namespace, name] = key.split('/') as [string, string];
      const secret = store.get(SECRETS, namespace, name);
      if (secret === undefined) return;
      const view = viewSecret(secret);
      const expiration = expirationOf(decisions, view);
      if (decisions.cleanerDeletes(view, expiration, clock.now(), armedFor)) {
        const { uid } = secret.metadata;
        client.delete(SECRETS, namespace, name, uid === undefined ? {} : { uid });
        return;
      }
      const at = decisions.cleanerLooksAgain(expiration, clock.now());
      if (at !== undefined) later(at);
    },
  });
}
