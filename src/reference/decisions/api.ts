/** Judgement calls of the API machinery: what a mutant may want to change about the server's manners. */
import type { AuthorizationDecision } from '../../apiserver/access.js';
import type { Tried } from '../../apiserver/machinery/machinery.js';

export const apiDecisions = {
  /**
   * The sentence of every 401: the cause stays in the server's log. Source: apiserver,
   * pkg/endpoints/filters/authentication.go, responsewriters Unauthorized.
   */
  unauthorizedMessage: (_cause: string): string => 'Unauthorized',

  /**
   * Whether the decision of the authorizer lets a request through. No opinion is a refusal. Source: apiserver,
   * pkg/endpoints/filters/authorization.go WithAuthorization.
   */
  isAllowed: (decision: AuthorizationDecision['decision']): boolean => decision === 'allow',

  /**
   * Whether a write or a deletion that names a version or a UID is about the object that is stored. Source: apiserver,
   * pkg/registry/generic/registry/store.go Update; pkg/registry/rest/delete.go BeforeDelete.
   */
  namesWhatIsThere: (named: string, stored: string | undefined): boolean => named === stored,

  /** Whether what is only tried is stored. Source: apiserver, pkg/registry/generic/registry/dryrun.go. */
  dryRunsAreStored: (_what: Tried): boolean => false,

  /** The version after which a watch tells what happens, of the one that it names. Source: apiserver, pkg/storage/cacher. */
  watchBegins: (named: number): number => named,

  /**
   * What a watch tells of a change, by whether what it is of was watched before, and is after; undefined: nothing.
   * Source: apiserver, pkg/storage/cacher/cache_watcher.go convertToWatchEvent.
   */
  watchTells: (before: boolean, after: boolean): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined => {
    if (after) return before ? 'MODIFIED' : 'ADDED';
    return before ? 'DELETED' : undefined;
  },

  /** Whether a watch tells of a deletion, by whether what was deleted was watched last. Source: as of watchTells. */
  watchTellsDeletion: (before: boolean): boolean => before,

  /**
   * Whether a watch begins with what is there that says so, or names no version, or any, which is 0. Source:
   * k8s.io/apimachinery, pkg/apis/meta/v1/types.go ListOptions.
   */
  watchBeginsWithWhatIs: (due: boolean): boolean => due,

  /** Whether a watch of a namespace, or of all where it is undefined, is told of what is in another one. */
  watchReaches: (namespace: string | undefined, own: string | undefined): boolean =>
    namespace === undefined || own === namespace,

  /** Whether a watch that was to begin with what is there says where that ends. Source: KEP-3157. */
  watchSaysWhereItBegins: (): boolean => true,

  /** The version of what is there when a watch begins: its own. Source: apiserver, pkg/storage/cacher/watch_cache_interval.go. */
  versionOfFound: (own: string | undefined): string | undefined => own,

  /** The version of what a watch loses: that of the change, not its last one. Source: cache_watcher.go getMutableObject. */
  versionOfLost: (_last: string | undefined, ofChange: string): string | undefined => ofChange,

  /** The version of what is deleted: that of the deletion, not its last one. Source: cacher, etcd3/watcher.go transform. */
  versionOfDeleted: (_last: string | undefined, ofDeletion: string): string | undefined => ofDeletion,

  /** Largest body that is read, in bytes. Source: apiserver, pkg/server/config.go MaxRequestBodyBytes. */
  bodyLimit: (): number => 3 * 1024 * 1024,
};
