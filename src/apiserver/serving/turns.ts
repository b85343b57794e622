/**
 * Where changes are kept on a disk, requests that come in one turn of the event loop are kept by one write: what they
 * read and change is answered when that is done. Where it fails, each of them is done again by itself, so that one
 * change that cannot be kept takes no other with it.
 */
import { mayWait, NotYetRead, readAside } from '../go/yaml-aside.js';
import type { Answered, ApiRequest, ApiResponse } from '../machinery/http.js';
import type { Machinery } from '../machinery/machinery.js';

export type Serve = (request: ApiRequest, reply: (answer: Answered) => void) => void;

type Outcome = ApiResponse | NotYetRead;
type Reply = (outcome: Outcome) => void;
type Try = (request: ApiRequest, reply: Reply) => void;

/** What answers requests, and how a request is refused whose changes could not be kept. */
export interface Handler {
  handle(request: ApiRequest): Outcome;
  refuse(request: ApiRequest, error: unknown): ApiResponse;
}

/** Answers when the body of the request can be read without others waiting for it, and when others have answered. */
function patiently(attempt: Try): Serve {
  const serve: Serve = (request, reply) =>
    attempt(request, (outcome) => {
      if (outcome instanceof NotYetRead) void readAside(outcome).then(() => serve(request, reply));
      else if (outcome.kind === 'later') void outcome.answer.then(reply);
      else reply(outcome);
    });
  return (request, reply) => {
    mayWait(request.body);
    serve(request, reply);
  };
}

export const inTurns = (handler: Handler, store: Machinery['store']): Serve => patiently(turns(handler, store));

function turns(handler: Handler, store: Machinery['store']): Try {
  let waiting: { readonly request: ApiRequest; readonly reply: Reply }[] = [];
  const alone = (request: ApiRequest): Outcome => {
    try {
      return store.together(() => handler.handle(request));
    } catch (error) {
      return handler.refuse(request, error);
    }
  };
  const work = (): void => {
    const turn = waiting;
    waiting = [];
    let answers: readonly Outcome[] | undefined;
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
