/**
 * The loop that approver and signers share: every request that was added or changed, again with a growing delay after a
 * failure. Source: certificate_controller.go.
 */

import { ApiError, type Controller } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type ControllerContext, createLoop, isResource } from '../controllers/controller.js';
import { CSRS, viewRequest } from './view.js';

export interface RequestLoopOptions {
  readonly name: string;
  readonly context: ControllerContext;
  /** Requests that this loop looks at; the others are not even queued. */
  concerns(object: KubeObject): boolean;
  /** 'done', or 'retry' where upstream's handler returns an error; a refusal by the API is one. */
  handle(object: KubeObject): 'done' | 'retry';
}

export function createRequestLoop({ name, context, concerns, handle }: RequestLoopOptions): Controller {
  const { store, clock, decisions } = context;
  const failures = new Map<string, number>();

  const attempt = (object: KubeObject): 'done' | 'retry' => {
    try {
      return handle(object);
    } catch (error) {
      if (error instanceof ApiError) return 'retry';
      throw error;
    }
  };

  return createLoop({
    name,
    context,
    keysOf: (event) =>
      isResource(event, CSRS) && event.type !== 'DELETED' && concerns(event.object)
        ? [event.object.metadata.name ?? '']
        : [],
    initial: () =>
      store
        .list(CSRS)
        .filter(concerns)
        .map((object) => viewRequest(object).name),
    sync(key, later) {
      const object = store.get(CSRS, undefined, key);
      if (object === undefined || attempt(object) === 'done') {
        failures.delete(key);
        return;
      }
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      later(clock.now() + decisions.approvalRetryDelay(count));
    },
  });
}
