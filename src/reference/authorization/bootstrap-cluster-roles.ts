/**
 * Default ClusterRoles of the API server that are no controller's.
 * Facts, as kube-apiserver 1.36 creates them; what differs in earlier minors, from 1.31 on, as upstream records it
 * (testdata).
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go clusterRoles.
 * One text per rule, read by bootstrap-policy.ts: "verbs | groups | resources [| names]" or "verbs @ urls", and ";
 * since N" or "; until N" for minors.
 */
export const CLUSTER_ROLES: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['* | * | *', '* @ *'],
  'system:aggregate-to-admin': [
    'create | authorization.k8s.io | localsubjectaccessreviews',
    'create,delete,deletecollection,get,list,patch,update,watch | rbac.authorization.k8s.io | rolebindings,roles',
  ],
  'system:aggregate-to-edit': [
    'get,list,watch |  | pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy',
    'impersonate |  | serviceaccounts',
    'create,delete,deletecollection,patch,update |  | pods,pods/attach,pods/exec,pods/portforward,pods/proxy',
    'create |  | pods/eviction',
    'create,delete,deletecollection,patch,update |  | configmaps,endpoints,events,persistentvolumeclaims,' +
      'replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy ; ' +
      'until 33',
    'create,delete,deletecollection,patch,update |  | configmaps,events,persistentvolumeclaims,' +
      'replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy ; ' +
      'since 34 until 34',
    'create,delete,deletecollection,patch,update |  | configmaps,persistentvolumeclaims,replicationcontrollers,' +
      'replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy ; since 35',
    'create |  | serviceaccounts/token',
    'create,delete,deletecollection,patch,update | ,events.k8s.io | events ; since 35',
    'create,delete,deletecollection,patch,update | apps | daemonsets,deployments,deployments/rollback,' +
      'deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale',
    'create,delete,deletecollection,patch,update | autoscaling | horizontalpodautoscalers',
    'create,delete,deletecollection,patch,update | batch | cronjobs,jobs',
    'create,delete,deletecollection,patch,update | extensions | daemonsets,deployments,deployments/rollback,' +
      'deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale',
    'create,delete,deletecollection,patch,update | policy | poddisruptionbudgets',
    'create,delete,deletecollection,patch,update | networking.k8s.io | ingresses,networkpolicies',
    'create,delete,deletecollection,get,list,patch,update,watch | coordination.k8s.io | leases',
    'create,delete,deletecollection,patch,update | resource.k8s.io | resourceclaims,resourceclaimtemplates ; since 34',
  ],
  'system:aggregate-to-view': [
    'get,list,watch |  | configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,' +
      'replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status',
    'get,list,watch |  | bindings,events,limitranges,namespaces/status,pods/log,pods/status,' +
      'replicationcontrollers/status,resourcequotas,resourcequotas/status ; until 34',
    'get,list,watch |  | bindings,limitranges,namespaces/status,pods/log,pods/status,' +
      'replicationcontrollers/status,resourcequotas,resourcequotas/status ; since 35',
    'get,list,watch |  | namespaces',
    'get,list,watch | ,events.k8s.io | events ; since 35',
    'get,list,watch | discovery.k8s.io | endpointslices',
    'get,list,watch | apps | controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,' +
      'deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,' +
      'statefulsets/status',
    'get,list,watch | autoscaling | horizontalpodautoscalers,horizontalpodautoscalers/status',
    'get,list,watch | batch | cronjobs,cronjobs/status,jobs,jobs/status',
    'get,list,watch | extensions | daemonsets,daemonsets/status,deployments,deployments/scale,' +
      'deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,' +
      'replicasets/status,replicationcontrollers/scale',
    'get,list,watch | policy | poddisruptionbudgets,poddisruptionbudgets/status',
    'get,list,watch | networking.k8s.io | ingresses,ingresses/status,networkpolicies',
    'get,list,watch | resource.k8s.io | resourceclaims,resourceclaims/status,resourceclaimtemplates ; since 34',
  ],
  'system:auth-delegator': [
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | subjectaccessreviews',
  ],
  'system:basic-user': [
    'create | authorization.k8s.io | selfsubjectaccessreviews,selfsubjectrulesreviews',
    'create | authentication.k8s.io | selfsubjectreviews ; since 28',
  ],
  'system:certificates.k8s.io:certificatesigningrequests:nodeclient': [
    'create | certificates.k8s.io | certificatesigningrequests/nodeclient',
  ],
  'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient': [
    'create | certificates.k8s.io | certificatesigningrequests/selfnodeclient',
  ],
  'system:certificates.k8s.io:kube-apiserver-client-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client',
  ],
  'system:certificates.k8s.io:kube-apiserver-client-kubelet-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/kube-apiserver-client-kubelet',
  ],
  'system:certificates.k8s.io:kubelet-serving-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/kubelet-serving',
  ],
  'system:certificates.k8s.io:legacy-unknown-approver': [
    'approve | certificates.k8s.io | signers | kubernetes.io/legacy-unknown',
  ],
  'system:discovery': [
    'get @ /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
  ],
  'system:heapster': ['get,list,watch |  | events,namespaces,nodes,pods', 'get,list,watch | extensions | deployments'],
  'system:kube-aggregator': ['get,list,watch |  | endpoints,services'],
  'system:kube-controller-manager': [
    'create,patch,update | ,events.k8s.io | events',
    'create | coordination.k8s.io | leases',
    'get,update | coordination.k8s.io | leases | kube-controller-manager',
    'create |  | secrets,serviceaccounts',
    'delete |  | secrets',
    'get |  | configmaps,namespaces,secrets,serviceaccounts',
    'update |  | secrets,serviceaccounts',
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | subjectaccessreviews',
    'list,watch | * | *',
    'create |  | serviceaccounts/token',
  ],
  'system:kube-dns': ['list,watch |  | endpoints,services'],
  'system:kube-scheduler': [
    'create,patch,update | ,events.k8s.io | events',
    'create | coordination.k8s.io | leases',
    'get,list,update,watch | coordination.k8s.io | leases | kube-scheduler',
    'create,delete,deletecollection,get,list,patch,update,watch | coordination.k8s.io | leasecandidates',
    'get,list,watch |  | nodes',
    'delete,get,list,watch |  | pods',
    'create |  | bindings,pods/binding',
    'patch,update |  | pods/status',
    'get,list,watch |  | replicationcontrollers,services',
    'get,list,watch | apps,extensions | replicasets',
    'get,list,watch | apps | statefulsets',
    'get,list,watch | policy | poddisruptionbudgets',
    'get,list,watch |  | persistentvolumeclaims,persistentvolumes',
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | subjectaccessreviews',
    'get,list,watch | storage.k8s.io | csinodes',
    'get,list,watch | storage.k8s.io | volumeattachments',
    'get,list,watch |  | namespaces',
    'get,list,watch | storage.k8s.io | csidrivers',
    'get,list,watch | storage.k8s.io | csistoragecapacities',
    'get,list,watch | resource.k8s.io | deviceclasses ; since 34',
    'get,list,patch,update,watch | resource.k8s.io | resourceclaims ; since 34',
    'get,list,patch,update,watch | resource.k8s.io | resourceclaims/status ; since 34',
    'update |  | pods/finalizers ; since 34',
    'get,list,watch | resource.k8s.io | resourceslices ; since 34',
    'create,delete | resource.k8s.io | resourceclaims ; since 36',
    'patch,update | resource.k8s.io | resourceclaims/binding ; since 36',
  ],
  'system:kubelet-api-admin': [
    'get,list,watch |  | nodes',
    'proxy |  | nodes',
    '* |  | nodes/log,nodes/metrics,nodes/proxy,nodes/stats',
    '* |  | nodes/configz,nodes/healthz,nodes/pods ; since 33',
  ],
  'system:monitoring': [
    'get @ /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* ; until 35',
    'get @ /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz ; since 36',
    'get |  | nodes/metrics ; since 34',
  ],
  'system:node': [
    'create | authentication.k8s.io | tokenreviews',
    'create | authorization.k8s.io | localsubjectaccessreviews,subjectaccessreviews',
    'get,list,watch |  | services',
    'create,get,list,watch |  | nodes',
    'patch,update |  | nodes/status',
    'patch,update |  | nodes',
    'create,patch,update |  | events ; until 34',
    'create,patch,update | ,events.k8s.io | events ; since 35',
    'get,list,watch |  | pods',
    'create,delete |  | pods',
    'patch,update |  | pods/status',
    'create |  | pods/eviction',
    'get,list,watch |  | configmaps,secrets',
    'get |  | persistentvolumeclaims,persistentvolumes',
    'get |  | endpoints',
    'create,get,list,watch | certificates.k8s.io | certificatesigningrequests',
    'create,delete,get,patch,update | coordination.k8s.io | leases',
    'get | storage.k8s.io | volumeattachments',
    'create |  | serviceaccounts/token',
    'get,patch,update |  | persistentvolumeclaims/status',
    'get,list,watch | storage.k8s.io | csidrivers',
    'create,delete,get,patch,update | storage.k8s.io | csinodes',
    'get,list,watch | node.k8s.io | runtimeclasses',
    'get | resource.k8s.io | resourceclaims ; since 34',
    'deletecollection | resource.k8s.io | resourceslices ; since 34',
    'get |  | serviceaccounts ; since 34',
  ],
  'system:node-bootstrapper': ['create,get,list,watch | certificates.k8s.io | certificatesigningrequests'],
  'system:node-problem-detector': [
    'get |  | nodes',
    'patch |  | nodes/status',
    'create,patch,update | ,events.k8s.io | events',
  ],
  'system:node-proxier': [
    'list,watch |  | endpoints,services',
    'get,list,watch |  | nodes',
    'create,patch,update | ,events.k8s.io | events',
    'list,watch | networking.k8s.io | servicecidrs ; since 33',
    'list,watch | discovery.k8s.io | endpointslices',
  ],
  'system:persistent-volume-provisioner': [
    'create,delete,get,list,watch |  | persistentvolumes',
    'get,list,update,watch |  | persistentvolumeclaims',
    'get,list,watch | storage.k8s.io | storageclasses',
    'watch |  | events',
    'create,patch,update | ,events.k8s.io | events',
  ],
  'system:public-info-viewer': ['get @ /healthz /livez /readyz /version /version/'],
  'system:service-account-issuer-discovery': [
    'get @ /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
  ],
  'system:volume-scheduler': [
    'get,list,patch,update,watch |  | persistentvolumes',
    'get,list,watch | storage.k8s.io | storageclasses',
    'get,list,patch,update,watch |  | persistentvolumeclaims',
  ],
};

/** Default Roles, by "namespace/name". Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/namespace_policy.go. */
export const NAMESPACE_ROLES: Readonly<Record<string, readonly string[]>> = {
  'kube-public/system:controller:bootstrap-signer': [
    'get,list,watch |  | configmaps',
    'update |  | configmaps | cluster-info',
    'create,patch,update | ,events.k8s.io | events',
  ],
  'kube-system/extension-apiserver-authentication-reader': [
    'get,list,watch |  | configmaps | extension-apiserver-authentication',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': [
    'watch |  | configmaps ; until 34',
    'get,update |  | configmaps | kube-controller-manager ; until 34',
    'create,get,list,update,watch | coordination.k8s.io | leases',
    'create,get,list,update,watch | coordination.k8s.io | leasecandidates',
  ],
  'kube-system/system::leader-locking-kube-scheduler': [
    'watch |  | configmaps ; until 34',
    'get,update |  | configmaps | kube-scheduler ; until 34',
    'create,get,list,update,watch | coordination.k8s.io | leases',
    'create,get,list,update,watch | coordination.k8s.io | leasecandidates',
  ],
  'kube-system/system:controller:bootstrap-signer': ['get,list,watch |  | secrets'],
  'kube-system/system:controller:cloud-provider': ['create,get,list,watch |  | configmaps'],
  'kube-system/system:controller:token-cleaner': [
    'delete,get,list,watch |  | secrets',
    'create,patch,update | ,events.k8s.io | events',
  ],
};
