/**
 * Where changes are kept on a disk, requests that come in one turn of the event loop are kept by one write: what they
 * read and change is answered when that is done. Where it fails, each of them is done again by itself, so that one
 * change that cannot be kept takes no other with it.
 */
import type { ApiRequest, ApiResponse } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';

export type Reply = (answer: ApiResponse) => void;
export type Serve = (request: ApiRequest, reply: Reply) => void;

/** What answers requests, and how a request is refused whose changes could not be kept. */
export interface Handler {
  handle(request: ApiRequest): ApiResponse;
  refuse(request: ApiRequest, error: unknown): ApiResponse;
}

export function inTurns(handler: Handler, store: Machinery['store']): Serve {
  let waiting: { readonly request: ApiRequest; readonly reply: Reply }[] = [];
  const alone = (request: ApiRequest): ApiResponse => {
    try {
      return store.together(() => handler.handle(request));
    } catch (error) {
      return handler.refuse(request, error);
    }
  };
  const work = (): void => {
    const turn = waiting;
    waiting = [];
    let answers: readonly ApiResponse[] | undefined;
    try {
      answers = store.together(() => turn.map(({ request }) => handler.handle(request)));
    } catch {
      // Not kept: whose change it is shows when they are done one by one.
    }
    for (const [index, { request, reply }] of turn.entries()) reply(answers?.[index] ?? alone(request));
  };
  return (request, reply) => {
    if (!store.isKept) {
      reply(handler.handle(request));
      return;
    }
    if (waiting.length === 0) setImmediate(work);
    waiting.push({ request, reply });
  };
}
