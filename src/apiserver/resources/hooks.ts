/** What resources need of other rooms: passed in, so that this room knows neither keys nor rules of authorization. */
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import type { StrategyContext } from '../resource-definition.js';

export interface ResourceHooks {
  /**
   * Before a Role or ClusterRole is written (`old`: as stored, on an update). Throws ApiError (403) where the user
   * would hand out more than they hold and may not escalate. Source:
   * pkg/registry/rbac/{role,clusterrole}/policybased/storage.go.
   */
  readonly confirmRoleWrite?: (role: KubeObject, old: KubeObject | undefined, context: StrategyContext) => void;
  /**
   * The same for RoleBindings and ClusterRoleBindings (verb bind). Source:
   * pkg/registry/rbac/{rolebinding,clusterrolebinding}/policybased/storage.go.
   */
  readonly confirmBindingWrite?: (binding: KubeObject, old: KubeObject | undefined, context: StrategyContext) => void;
  /**
   * serviceaccounts/token: the TokenRequest with its status (token, expirationTimestamp) filled in, code 201; throws
   * ApiError where it is refused. The ServiceAccount exists. Source:
   * pkg/registry/core/serviceaccount/storage/token.go. Absent: 404 as of a server that has no issuer.
   */
  readonly requestToken?: (
    serviceAccount: KubeObject,
    request: KubeObject,
    context: StrategyContext,
  ) => { readonly code: number; readonly object: KubeObject | Status };
  /** API groups that a User or Group of a binding may have. Default: RBAC's. */
  readonly subjectGroups?: () => readonly string[];
  /** Whether a binding may be pointed to another role. Default: no. */
  readonly roleRefMayChange?: () => boolean;
}
