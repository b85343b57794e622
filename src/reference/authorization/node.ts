/**
 * The Node authorizer: asks the decision for the resource and answers with its reason. Source:
 * plugin/pkg/auth/authorizer/node/node_authorizer.go Authorize.
 */

import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import type { NodeAnswer, NodeQuestion } from '../decisions/nodes.js';
import type { Decisions } from '../decisions.js';
import { nodeRules } from './bootstrap-policy.js';
import type { NodeGraph, Vertex } from './node-graph.js';
import { ruleAllows } from './rbac.js';

const NO_OPINION: AuthorizationDecision = { decision: 'no-opinion', reason: '' };

export function createNodeAuthorizer(graph: NodeGraph, decisions: Decisions, minor: number): Authorizer {
  const rules = decisions.nodeStaticRules(nodeRules(minor));

  const judge = (node: string, attributes: AuthorizationAttributes): NodeAnswer | undefined => {
    const ask = (vertex: Vertex): NodeQuestion => ({
      node,
      attributes,
      minor,
      related: () => graph.leadsTo(node, vertex, attributes.namespace, attributes.name),
    });
    switch (`${attributes.group}/${attributes.resource}`) {
      case '/secrets':
        return decisions.nodeOnSecret(ask('secret'));
      case '/configmaps':
        return decisions.nodeOnConfigMap(ask('configmap'));
      case '/persistentvolumeclaims':
        return attributes.subresource === 'status'
          ? decisions.nodeOnClaimStatus(ask('pvc'))
          : decisions.nodeOnVolume(ask('pvc'));
      case '/persistentvolumes':
        return decisions.nodeOnVolume(ask('pv'));
      case 'resource.k8s.io/resourceclaims':
        return decisions.nodeOnVolume(ask('resourceclaim'));
      case 'storage.k8s.io/volumeattachments':
        return decisions.nodeOnVolume(ask('volumeattachment'));
      case '/serviceaccounts':
        return decisions.nodeOnServiceAccount(ask('serviceaccount'));
      case 'coordination.k8s.io/leases':
        return decisions.nodeOnLease(ask('pod'));
      case 'storage.k8s.io/csinodes':
        return decisions.nodeOnCsiNode(ask('pod'));
      case 'resource.k8s.io/resourceslices':
        return decisions.nodeOnResourceSlice(ask('resourceslice'));
      case 'certificates.k8s.io/podcertificaterequests':
        return '';
      case '/nodes':
        return decisions.nodeReadsOnlyItsOwn(minor) ? decisions.nodeOnNode(ask('pod')) : undefined;
      case '/pods':
        return decisions.nodeReadsOnlyItsOwn(minor) ? decisions.nodeOnPod(ask('pod')) : undefined;
      default:
        return undefined;
    }
  };

  return {
    authorize(attributes) {
      const node = decisions.nodeOf(attributes.user);
      if (node === undefined) return NO_OPINION;
      if (node === '')
        return { decision: 'no-opinion', reason: `unknown node for user ${goQuote(attributes.user.username)}` };
      const answer = attributes.isResourceRequest ? judge(node, attributes) : undefined;
      if (answer === true) return { decision: 'allow', reason: '' };
      if (answer !== undefined) return { decision: 'no-opinion', reason: answer };
      return rules.some((rule) => ruleAllows(rule, attributes, decisions))
        ? { decision: 'allow', reason: '' }
        : NO_OPINION;
    },
  };
}
