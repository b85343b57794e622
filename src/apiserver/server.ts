/**
 * The bundled API server: definitions, an authenticator, an authorizer and admission plug-ins make an API.
 *
 *   const api = createApi(machinery);
 *   api.clientFor(user).create(...)            // in process: the same authorization, admission and validation
 *   api.handle(request)                        // one request without a transport
 *   const server = await api.listen({ host: '127.0.0.1', port: 0, key, cert });
 *   server.url; await server.close();          // ends open watches, too
 *
 * `authorizer` may be given later where it needs the store first: it is only asked when requests come. The order of a
 * request is upstream's: authentication, impersonation, authorization, decoding, admission, validation, store
 * (apiserver, pkg/server/config.go DefaultBuildHandlerChain).
 */
import type { UserInfo } from '../kubernetes/objects.js';
import { NotYetRead } from './go/yaml-aside.js';
import { clientFor } from './machinery/client.js';
import type { ApiRequest, ApiResponse } from './machinery/http.js';
import type { Machinery } from './machinery/machinery.js';
import { routesOf } from './machinery/routes.js';
import { WatchHub } from './machinery/watch.js';
import { Dispatcher } from './serving/dispatch.js';
import { type Listener, type ListenOptions, listen } from './serving/listen.js';
import { inTurns } from './serving/turns.js';
import type { ApiClient } from './types.js';

export { namespaceLifecycle, taintNodesByCondition } from './machinery/default-admission.js';
export type { ApiRequest, ApiResponse } from './machinery/http.js';
export type { Machinery } from './machinery/machinery.js';
export type { Listener, ListenOptions } from './serving/listen.js';

export interface Api {
  handle(request: ApiRequest): ApiResponse;
  listen(options: ListenOptions): Promise<Listener>;
  /**
   * @param manager field manager of what this client writes; default: kube-controller-manager's way, the user's name
   */
  clientFor(user: UserInfo, manager?: string): ApiClient;
  /** Ends open watches. Listeners are closed by themselves. */
  close(): void;
}

export function createApi(machinery: Machinery): Api {
  const routes = routesOf(machinery.definitions);
  const hub = new WatchHub(machinery);
  const dispatcher = new Dispatcher(machinery, routes, hub);
  const handle = (request: ApiRequest): ApiResponse => {
    const outcome = dispatcher.handle(request);
    // Only bodies that came over a connection may wait.
    if (outcome instanceof NotYetRead) throw outcome;
    return outcome;
  };
  return {
    handle,
    listen: (options) => {
      const serve = inTurns(dispatcher, machinery.store);
      return listen(serve, options, machinery.manners.bodyLimit(), () => hub.close());
    },
    clientFor: (user, manager = user.username) => clientFor(machinery, routes, user, manager),
    close: () => hub.close(),
  };
}
