Feature: What a node may do

  A node's certificate names it: CN system:node:<name>, O system:nodes. The Node authorizer grants what concerns its own Pods, and
  the admission plug-in NodeRestriction keeps its writes to its own objects.

  @NODE-001 @MUST
  Rule: A node reads the Pods bound to it and writes their status

    Why: without it no Pod ever leaves Pending.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: its own Pods
      Given two nodes with certificates of their own
      And a Pod that is bound to the first node
      Then the first node lists the Pods bound to it
      And the first node may:
        | watch its Pods               |
        | report the status of its Pod |
        | evict its Pod                |
        | delete its Pod               |

    @since:1.32
    Scenario: the Pods of others
      Given two nodes with certificates of their own
      And a Pod that is bound to the first node
      Then the first node lists the Pods bound to it
      And the first node is refused who tries to:
        | list the Pods of the other Node |
        | list all Pods                   |
        | watch all Pods                  |

  @NODE-002 @MUST
  Rule: A node reports its own status

    Why: a Node that nobody reports turns NotReady after 40 seconds.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC; see that the certificate's CN is
    system:node:<name> and its O is system:nodes.

    Scenario: its Node and its Lease
      Given two nodes with certificates of their own
      Then the first node registers itself
      And the first node may report its own status
      And the first node may renew its own Lease

    Scenario: the rest of what is its own
      Given two nodes with certificates of their own
      Then the first node registers itself
      And the first node may:
        | read its own Node                                  |
        | annotate its own Node                              |
        | label its own Node kubelet.kubernetes.io/joinproof |
        | read its own Lease                                 |
        | change its own Lease                               |
        | make its own CSINode                               |
        | read its own CSINode                               |
        | change its own CSINode                             |

  @NODE-003 @MUST
  Rule: A node creates Events

    Why: they are how people learn what a kubelet did.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: an Event
      Given two nodes with certificates of their own
      Then the first node may create an Event

    Scenario: what else a kubelet asks the cluster
      Then nodes are allowed to:
        | verb                     | what                                                  | where   |
        | create                   | tokenreviews.authentication.k8s.io                    |         |
        | create                   | subjectaccessreviews.authorization.k8s.io             |         |
        | get, list, watch         | services                                              |         |
        | get, list, watch         | csidrivers.storage.k8s.io, runtimeclasses.node.k8s.io |         |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io        |         |
        | create, update, patch    | events                                                | default |

  @NODE-006 @MUST
  Rule: A node is limited to its own objects

    Why: one compromised node must not take others down or over.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and --enable-admission-plugins=NodeRestriction.

    Background:
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim

    Scenario: another Node
      Given the first node is let through who tries to:
        | annotate its own Node |
      Then the first node is refused who tries to:
        | report the status of the other Node            |
        | change the other Node                          |
        | replace the other Node                         |
        | delete the other Node                          |
        | register a Node of another name                |
        | register a Node whose name begins with its own |
        | delete its own Node                            |
        | delete every Node                              |

    Scenario: what goes with another Node
      Given the first node is let through who tries to:
        | make its own Lease   |
        | make its own CSINode |
      Then the first node is refused who tries to:
        | make the Lease of the other Node                          |
        | make the Lease of a Node whose name begins with its own   |
        | read the Lease of a Node whose name begins with its own   |
        | make the CSINode of a Node whose name begins with its own |
        | make its Lease in another namespace                       |
        | read its Lease in another namespace                       |
        | change its Lease in another namespace                     |
        | read the Lease of the other Node                          |
        | change the Lease of the other Node                        |
        | replace the Lease of the other Node                       |
        | delete the Lease of the other Node                        |
        | list the Leases of all Nodes                              |
        | make the CSINode of the other Node                        |
        | read the CSINode of the other Node                        |
        | change the CSINode of the other Node                      |
        | delete the CSINode of the other Node                      |

    @since:1.34
    Scenario: the devices of another Node
      Then the first node is refused who tries to:
        | publish devices of the other Node |
        | list the devices of all Nodes     |
        | read devices of the other Node    |
        | change devices of the other Node  |
        | delete devices of the other Node  |

    Scenario: the Pods of another Node
      Given the first node is let through who tries to:
        | delete its Pod               |
        | evict its Pod                |
        | report the status of its Pod |
      Then the first node is refused who tries to:
        | delete the Pod of the other Node                          |
        | evict the Pod of the other Node                           |
        | evict the Pod of the other Node under the name of its own |
        | report the status of the Pod of the other Node            |
        | change the Pod of the other Node                          |

    Scenario: a label that keeps workloads apart
      Given the first node is let through who tries to:
        | label its own Node node.kubernetes.io/joinproof |
      Then the first node is refused who tries to:
        | label its own Node node-restriction.kubernetes.io/tier |

  @NODE-007 @MUST
  Rule: A node certificate gives no administrator's rights

    Why: there are as many node certificates as machines.
    Repair: delete the binding that is named.

    Scenario: all that RBAC gives to nodes, whoever gave it
      Given the roles and bindings of the cluster
      Then a node holds no permissions but these:
        | verbs                    | what                                                          | because                             |
        | create                   | certificatesigningrequests.certificates.k8s.io/selfnodeclient | renewals are approved               |
        | get                      | configmaps named kubelet-config in kube-system                | configures the kubelet              |
        | get                      | configmaps named kubeadm-config in kube-system                | upgrades                            |
        | create                   | selfsubjectaccessreviews.authorization.k8s.io                 | every authenticated user may        |
        | create                   | selfsubjectrulesreviews.authorization.k8s.io                  | every authenticated user may        |
        | create                   | selfsubjectreviews.authentication.k8s.io                      | every authenticated user may        |
        | get                      | /api, /api/*, /apis, /apis/*, /openapi, /openapi/*            | every authenticated user may        |
        | get                      | /healthz, /livez, /readyz, /version, /version/                | every authenticated user may        |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io                | the Node authorizer gives it anyhow |
        | get, list, watch         | services                                                      | the Node authorizer gives it anyhow |
        | get, list, watch         | csidrivers.storage.k8s.io                                     | the Node authorizer gives it anyhow |
        | get, list, watch         | runtimeclasses.node.k8s.io                                    | the Node authorizer gives it anyhow |

    Scenario: the real requests
      Given two nodes that may report their own status
      Then the first node is forbidden to:
        | verb                  | what                                                                                                           | where       | name           |
        | list, watch           | secrets                                                                                                        |             |                |
        | list, watch           | secrets                                                                                                        | kube-system |                |
        | create                | secrets                                                                                                        | kube-system |                |
        | update, patch, delete | secrets                                                                                                        | kube-system | jp-absent      |
        | update, patch, delete | configmaps                                                                                                     | kube-system | kubelet-config |
        | create                | clusterrolebindings.rbac.authorization.k8s.io, clusterroles.rbac.authorization.k8s.io                          |             |                |
        | create                | rolebindings.rbac.authorization.k8s.io, roles.rbac.authorization.k8s.io                                        | kube-system |                |
        | update, patch, delete | clusterrolebindings.rbac.authorization.k8s.io, clusterroles.rbac.authorization.k8s.io                          |             | jp-absent      |
        | delete                | nodes                                                                                                          |             | jp-absent      |
        | update, patch, delete | certificatesigningrequests.certificates.k8s.io                                                                 |             | jp-absent      |
        | update, patch         | certificatesigningrequests.certificates.k8s.io/approval, certificatesigningrequests.certificates.k8s.io/status |             | jp-absent      |
        | get, create           | nodes/proxy                                                                                                    |             | jp-absent      |
        | get, create           | pods/exec, pods/attach, pods/portforward                                                                       | kube-system | jp-absent      |
        | create                | deployments.apps, daemonsets.apps                                                                              | kube-system |                |
        | create                | mutatingwebhookconfigurations.admissionregistration.k8s.io                                                     |             |                |
        | create                | serviceaccounts                                                                                                | kube-system |                |

    Scenario: the API server's opinion
      Then nodes are not allowed to:
        | verb                    | what                                                      | where                | name                                        |
        | *, list, create, delete | *.*                                                       |                      |                                             |
        | *                       | secrets, configmaps, pods                                 | kube-system          |                                             |
        | *                       | nodes, certificatesigningrequests.certificates.k8s.io     |                      |                                             |
        | list, deletecollection  | secrets, configmaps                                       | kube-system, default |                                             |
        | bind, escalate          | clusterroles.rbac.authorization.k8s.io                    |                      | cluster-admin                               |
        | impersonate             | users, groups, serviceaccounts                            |                      |                                             |
        | approve, sign, attest   | signers.certificates.k8s.io                               |                      | kubernetes.io/kube-apiserver-client-kubelet |
        | approve, sign, attest   | signers.certificates.k8s.io                               |                      | kubernetes.io/kubelet-serving               |
        | create                  | certificatesigningrequests.certificates.k8s.io/nodeclient |                      |                                             |
        | create                  | serviceaccounts/token                                     | kube-system          | clusterrole-aggregation-controller          |
        | get                     | pods/log                                                  | kube-system          | jp-absent                                   |
        | update, patch           | pods/ephemeralcontainers, pods/resize                     | kube-system          | jp-absent                                   |
        | list, watch             | namespaces, serviceaccounts, events                       |                      |                                             |
        | list, watch             | persistentvolumes, persistentvolumeclaims                 |                      |                                             |
        | delete                  | events                                                    | default              | jp-absent                                   |
        | deletecollection        | events, pods, nodes                                       |                      |                                             |
        | deletecollection        | certificatesigningrequests.certificates.k8s.io            |                      |                                             |
        | get                     | /metrics, /logs/, /debug/pprof/                           |                      |                                             |

  @P-451 @MUST
  Rule: A node reads what kubeadm configures it by

    Why: "kubeadm upgrade node" downloads both with the certificate of the kubelet; where only tokens may read them,
    machines join, and none of them is ever upgraded.
    Repair: run "kubeadm init phase upload-config all"; both RoleBindings name the bootstrap group and system:nodes.

    Scenario: roles and bindings
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let the group "system:nodes":
        | verbs | what                                           |
        | get   | configmaps named kubelet-config in kube-system |
        | get   | configmaps named kubeadm-config in kube-system |

  @P-385 @SHOULD @since:1.32
  Rule: The Node authorizer gives a node what kubelets need of each kind of objects, and nothing else

    Why: what it lacks stops kubelets one by one, and what it gives beyond is given to every machine that has joined.
    Repair, for makers: for each kind the verbs of NodeRules, and of what is subdivided by Pods those of the graph.

    Scenario: every kind of the API
      Then the Node authorizer lets nodes do with each of these just that:
        | verbs                              | what                                                                        | where           | name      |
        | create                             | tokenreviews.authentication.k8s.io                                          |                 |           |
        | create                             | subjectaccessreviews.authorization.k8s.io                                   |                 |           |
        | create                             | localsubjectaccessreviews.authorization.k8s.io                              | default         |           |
        | get, list, watch                   | services                                                                    | default         | jp-absent |
        | get, list, watch                   | csidrivers.storage.k8s.io, runtimeclasses.node.k8s.io                       |                 | jp-absent |
        | create, get, list, watch           | certificatesigningrequests.certificates.k8s.io                              |                 | jp-absent |
        | create, update, patch              | events                                                                      | default         | jp-absent |
        | get                                | endpoints                                                                   | default         | jp-absent |
        | get, create, update, patch         | nodes                                                                       |                 | jp-node   |
        | create, update, patch              | nodes                                                                       |                 | jp-absent |
        | update, patch                      | nodes/status                                                                |                 | jp-node   |
        | create, delete                     | pods                                                                        | default         | jp-absent |
        | update, patch                      | pods/status                                                                 | default         | jp-absent |
        | create                             | pods/eviction                                                               | default         | jp-absent |
        | get, create, update, patch, delete | leases.coordination.k8s.io                                                  | kube-node-lease | jp-node   |
        | create                             | leases.coordination.k8s.io                                                  | kube-node-lease | jp-absent |
        | get, create, update, patch, delete | csinodes.storage.k8s.io                                                     |                 | jp-node   |
        | create                             | csinodes.storage.k8s.io                                                     |                 | jp-absent |
        | nothing                            | secrets, configmaps, persistentvolumeclaims, serviceaccounts                | default         | jp-absent |
        | nothing                            | persistentvolumeclaims/status, serviceaccounts/token                        | default         | jp-absent |
        | nothing                            | pods/log, pods/exec, pods/attach, pods/portforward, pods/proxy              | default         | jp-absent |
        | nothing                            | pods/binding, pods/ephemeralcontainers, pods/resize                         | default         | jp-absent |
        | nothing                            | leases.coordination.k8s.io                                                  | kube-system     | jp-node   |
        | nothing                            | csinodes.storage.k8s.io/status                                              |                 | jp-node   |
        | nothing                            | nodes/proxy, nodes/metrics, nodes/stats, nodes/log, nodes/healthz           |                 | jp-node   |
        | nothing                            | services/status, services/proxy, replicationcontrollers, limitranges        | default         | jp-absent |
        | nothing                            | podtemplates, resourcequotas, bindings                                      | default         | jp-absent |
        | nothing                            | namespaces, namespaces/status, namespaces/finalize, persistentvolumes       |                 | jp-absent |
        | nothing                            | componentstatuses                                                           |                 | jp-absent |
        | nothing                            | volumeattachments.storage.k8s.io, storageclasses.storage.k8s.io             |                 | jp-absent |
        | nothing                            | csistoragecapacities.storage.k8s.io, resourceclaims.resource.k8s.io         | default         | jp-absent |
        | nothing                            | certificatesigningrequests.certificates.k8s.io/approval                     |                 | jp-absent |
        | nothing                            | certificatesigningrequests.certificates.k8s.io/status                       |                 | jp-absent |
        | nothing                            | certificatesigningrequests.certificates.k8s.io/nodeclient                   |                 | jp-absent |
        | nothing                            | signers.certificates.k8s.io                                                 |                 | jp-absent |
        | nothing                            | roles.rbac.authorization.k8s.io, rolebindings.rbac.authorization.k8s.io     | kube-system     | jp-absent |
        | nothing                            | clusterroles.rbac.authorization.k8s.io                                      |                 | jp-absent |
        | nothing                            | clusterrolebindings.rbac.authorization.k8s.io                               |                 | jp-absent |
        | nothing                            | deployments.apps, daemonsets.apps, replicasets.apps, statefulsets.apps      | kube-system     | jp-absent |
        | nothing                            | controllerrevisions.apps, jobs.batch, cronjobs.batch                        | kube-system     | jp-absent |
        | nothing                            | horizontalpodautoscalers.autoscaling, poddisruptionbudgets.policy           | default         | jp-absent |
        | nothing                            | ingresses.networking.k8s.io, networkpolicies.networking.k8s.io              | default         | jp-absent |
        | nothing                            | endpointslices.discovery.k8s.io                                             | default         | jp-absent |
        | nothing                            | ingressclasses.networking.k8s.io, priorityclasses.scheduling.k8s.io         |                 | jp-absent |
        | nothing                            | mutatingwebhookconfigurations.admissionregistration.k8s.io                  |                 | jp-absent |
        | nothing                            | validatingwebhookconfigurations.admissionregistration.k8s.io                |                 | jp-absent |
        | nothing                            | validatingadmissionpolicies.admissionregistration.k8s.io                    |                 | jp-absent |
        | nothing                            | customresourcedefinitions.apiextensions.k8s.io                              |                 | jp-absent |
        | nothing                            | apiservices.apiregistration.k8s.io                                          |                 | jp-absent |
        | nothing                            | flowschemas.flowcontrol.apiserver.k8s.io                                    |                 | jp-absent |
        | nothing                            | users, groups, uids.authentication.k8s.io, userextras.authentication.k8s.io |                 | jp-absent |

    @since:1.34
    Scenario: slices of devices, all of them and one that nobody has published
      Then the Node authorizer lets nodes do with each of these just that:
        | verbs   | what                                  | where | name      |
        | create  | resourceslices.resource.k8s.io        |       | jp-absent |
        | nothing | resourceslices.resource.k8s.io/status |       | jp-absent |

  @NODE-008 @SHOULD
  Rule: A node reads only what its Pods use

    Why: a node that reads every Secret makes each machine as precious as the control plane.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and take the group system:nodes out of the
    ClusterRoleBinding "system:node".

    Background:
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim

    Scenario: Secrets
      Then the first node is refused who tries to:
        | read a Secret that no Pod uses               |
        | read the Secret of the other Pod             |
        | list the Secret of the other Pod by its name |
        | read a Secret of that name in kube-system    |
        | list the Secrets of a namespace              |
        | watch the Secrets of a namespace             |
        | list all Secrets                             |
        | watch all Secrets                            |
        | change the Secret of its Pod                 |
        | delete the Secret of its Pod                 |
        | make a Secret                                |

    Scenario: ConfigMaps
      Given the first node is let through who tries to:
        | read the ConfigMap of its Pod |
      Then the first node is refused who tries to:
        | read the ConfigMap of the other Pod |
        | read a ConfigMap that no Pod uses   |
        | read the ConfigMap coredns          |
        | list the ConfigMaps of a namespace  |
        | watch all ConfigMaps                |
        | list all ConfigMaps                 |
        | change the ConfigMap of its Pod     |
        | make a ConfigMap                    |

    Scenario: ways to read it
      Then the first node may:
        | list the Secret of its Pod by its name     |
        | watch the Secret of its Pod by its name    |
        | list the ConfigMap of its Pod by its name  |
        | watch the ConfigMap of its Pod by its name |
        | get a token for its Pod                    |

    Scenario: data that a Pod uses otherwise than as a volume
      Then the first node may:
        | read the Secret by which its Pod pulls images      |
        | read the Secret of a variable of its Pod           |
        | read the Secret of all variables of its Pod        |
        | read the Secret of an init container of its Pod    |
        | read a Secret among the sources of its Pod         |
        | read the ConfigMap of a variable of its Pod        |
        | read the ConfigMap of all variables of its Pod     |
        | read the ConfigMap of an init container of its Pod |
        | read a ConfigMap among the sources of its Pod      |
      And the first node is refused who tries to:
        | read the Secret by which the other Pod pulls images  |
        | read the Secret of a variable of the other Pod       |
        | read the ConfigMap of all variables of the other Pod |

    Scenario: a Pod that is gone
      Given a Secret that a Pod on the first node used, and its Pod is deleted
      Then the first node is soon refused to read that Secret

    Scenario: volumes and accounts
      Given the first node is let through who tries to:
        | read the claim of its Pod |
      Then the first node is refused who tries to:
        | read the claim of the other Pod                 |
        | list the claim of its Pod by its name           |
        | watch the claim of its Pod by its name          |
        | read the status of the claim of its Pod         |
        | list the claims of a namespace                  |
        | report the status of the claim of the other Pod |
        | change the claim of its Pod                     |
        | read a volume that no Pod uses                  |
        | list all volumes                                |
        | list all volume attachments                     |
        | read an account that no Pod of it uses          |
        | list the accounts of a namespace                |

  @P-70 @MUST
  Rule: A node decides neither which Pods come to it nor what its Node belongs to

    Why: with a label or a taint of its choice a stolen node draws the Pods that are worth most to itself.
    Repair: start kube-apiserver with --enable-admission-plugins=NodeRestriction.

    Background:
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim

    Scenario: taints and labels
      Given the first node is let through who tries to:
        | annotate its own Node                                        |
        | label its own Node node.kubernetes.io/joinproof              |
        | label its own Node joinproof.invalid/seen                    |
        | register itself with the label topology.kubernetes.io/zone   |
        | label its own Node joinproof.invalid/seen through its status |
      Then the first node is refused who tries to:
        | taint its own Node                                                          |
        | label its own Node node-restriction.kubernetes.io/tier                      |
        | label its own Node tier.node-restriction.kubernetes.io/joinproof            |
        | label its own Node node-role.kubernetes.io/control-plane                    |
        | label its own Node node-role.kubernetes.io/worker                           |
        | label its own Node kubernetes.io/role                                       |
        | label its own Node x-k8s.io.k8s.io/seen                                     |
        | label its own Node kubernetes.io/joinproof                                  |
        | label its own Node xkubelet.kubernetes.io/joinproof                         |
        | label its own Node xnode.kubernetes.io/joinproof                            |
        | take a label that an administrator gave off its own Node                    |
        | change a label that an administrator gave its own Node                      |
        | label its own Node node-restriction.kubernetes.io/tier through its status   |
        | take a label that an administrator gave off its own Node through its status |
        | label its own Node joinproof.k8s.io/seen                                    |
        | register itself with the label node-restriction.kubernetes.io/tier          |
        | register itself with the label tier.node-restriction.kubernetes.io/seen     |
        | register itself with the label node-role.kubernetes.io/joinproof            |
        | register itself with the label kubernetes.io/joinproof                      |

    Scenario: labels that kubelets say of their machines, and no others of Kubernetes
      Then the first node may:
        | register itself with the label topology.kubernetes.io/region            |
        | register itself with the label failure-domain.beta.kubernetes.io/zone   |
        | register itself with the label failure-domain.beta.kubernetes.io/region |
        | register itself with the label node.kubernetes.io/instance-type         |
        | register itself with the label beta.kubernetes.io/instance-type         |
        | register itself with the label beta.kubernetes.io/os                    |
        | register itself with the label beta.kubernetes.io/arch                  |
        | register itself with the label kubelet.kubernetes.io/seen               |
        | register itself with the label joinproof.kubelet.kubernetes.io/seen     |
        | register itself with the label joinproof.node.kubernetes.io/seen        |
      And the first node is refused who tries to:
        | register itself with the label kubernetes.io/role                           |
        | register itself with the label topology.kubernetes.io/rack                  |
        | register itself with the label beta.kubernetes.io/joinproof                 |
        | register itself with the label failure-domain.beta.kubernetes.io/rack       |
        | register itself with the label joinproof.kubernetes.io/hostname             |
        | register itself with the label node.joinproof.kubernetes.io/seen            |
        | register itself with the label k8s.io/joinproof                             |
        | take the taints of its own Node away                                        |
        | change the effect of a taint of its own Node                                |
        | label its own Node node-restriction.kubernetes.io/tier by a strategic patch |
        | label its own Node node-restriction.kubernetes.io/tier by a JSON patch      |
        | label its own Node node-restriction.kubernetes.io/tier by applying it       |

    @since:1.31
    Scenario: owners
      Given the first node is let through who tries to:
        | annotate its own Node |
      Then the first node is refused who tries to:
        | give its own Node an owner |

  @P-361 @MUST
  Rule: A node reads what its Pods use, in whatever way they use it, and no other node does

    Why: a kubelet that may not read it never starts the Pod; a node that may read more is worth more to who steals it.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.
    Repair, for makers: let every reference of a Pod, of its volumes and of its claims lead to its node, and nothing else.

    Background:
      Given two nodes that may report their own status

    Scenario: Secrets of volumes, and volumes
      Given a Pod on the first node that uses Secrets and volumes in other ways
      Then the first node may read of that Pod, and the second may not:
        | the Secret of a variable of its second container             |
        | the ConfigMap of a variable of its second container          |
        | the Secret of its CSI volume                                 |
        | the Secret of its Azure volume                               |
        | the Secret of its flex volume                                |
        | the Secret of its iSCSI volume                               |
        | the Secret of its CephFS volume                              |
        | the Secret of its RBD volume                                 |
        | the Secret of its ScaleIO volume                             |
        | the Secret of its StorageOS volume                           |
        | the Secret of the Azure volume of a claim                    |
        | the Secret of the flex volume of a claim                     |
        | the Secret of the iSCSI volume of a claim                    |
        | the Secret of the CephFS volume of a claim                   |
        | the Secret of the RBD volume of a claim                      |
        | the Secret of the ScaleIO volume of a claim                  |
        | the Secret of the StorageOS volume of a claim                |
        | its claim                                                    |
        | the claim of its ephemeral volume                            |
        | the volume of its claim                                      |
        | the attachment of that volume                                |
        | the Secret by which a node publishes the volume of its claim |
        | the Secret by which a node stages the volume of its claim    |
      And the first node may not read of that Pod:
        | the Secret by which a controller publishes the volume of its claim                |
        | the volume of a claim of that name elsewhere                                      |
        | the Secret by which a node publishes the volume of a claim of that name elsewhere |
        | a Secret beside its claim, of the name of that of the Azure volume                |
        | a Secret beside its claim, of the name of that of the RBD volume                  |
        | a Secret elsewhere, of the name of that of the CephFS volume                      |

    Scenario: a volume that comes later
      Given a Pod on the first node whose volume was made after that node had asked for it
      Then the first node may read of that Pod, and the second may not:
        | the volume of its claim                                      |
        | the attachment of that volume                                |
        | the Secret by which a node publishes the volume of its claim |

    Scenario: a Pod that has ended and is still there
      Given a Pod on the first node that has ended
      Then the first node may read of that Pod, and the second may not:
        | the Secret of a variable of its second container    |
        | the ConfigMap of a variable of its second container |

    Scenario: a Pod that is to end and is still there
      Given a Pod on the first node that is to end, and is held
      Then the first node may read of that Pod, and the second may not:
        | the Secret of a variable of its second container    |
        | the ConfigMap of a variable of its second container |

    @since:1.33
    Scenario: a container that was added later
      Given a Pod on the first node that a container was added to
      Then the first node may read of that Pod, and the second may not:
        | the Secret of a variable of its ephemeral container    |
        | the ConfigMap of a variable of its ephemeral container |

    @since:1.27
    Scenario: a volume that grows
      Given a Pod on the first node that uses Secrets and volumes in other ways
      Then the first node may read of that Pod, and the second may not:
        | the Secret by which a node expands the volume of its claim |

    @since:1.34
    Scenario: devices
      Given a Pod on the first node that uses device claims
      Then the first node may read of that Pod, and the second may not:
        | the device claim that it names        |
        | the device claim that was made for it |
      And the first node may not read of that Pod:
        | a device claim that it does not name |

  @P-386 @MUST
  Rule: A node reports of a claim what it has done to the volume, and nothing else

    Why: a claim that a node calls bound, or opens in another way, gives its Pods a volume that is somebody else's.
    Repair: take NodeRestriction into --enable-admission-plugins of kube-apiserver.

    Scenario: the claim of its own Pod
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And the claim of the Pod of the first node is there
      Then the first node may:
        | report the conditions of its claim |
        | report the capacity of its claim   |
      And the first node is refused who tries to:
        | say of its claim that it is bound          |
        | say of its claim how it may be opened      |
        | annotate its claim through its status      |
        | give its claim a volume through its status |

    @since:1.34
    Scenario: device claims of its own Pod
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And the first node is let through who tries to:
        | report the status of its Pod |
      Then the first node is refused who tries to:
        | say which device claims were made for its Pod |

  @P-363 @SHOULD
  Rule: A Node comes closed to Pods until it is ready

    Why: whatever is scheduled to a machine that is still joining waits there, or fails.
    Repair: take TaintNodesByCondition out of --disable-admission-plugins of kube-apiserver.

    Scenario: a Node that registers without a taint
      Then a Node that registers is given the taint "node.kubernetes.io/not-ready" with the effect "NoSchedule"

  @P-549 @SHOULD
  Rule: A Node is as closed to Pods as its kubelet says, and no longer

    Why: whoever has joined is given Pods once his kubelet says that it is ready; a Node that stays closed is given none, and
    one that stays open is given what it cannot run.
    Repair: take node-lifecycle-controller into --controllers of kube-controller-manager.

    Scenario: what a kubelet says
      Given a Node whose kubelet says that it is ready
      Then it is soon closed by nothing
      And it is soon closed by just what its kubelet says:
        | condition          | is      | taint               |
        | Ready              | False   | not-ready           |
        | Ready              | Unknown | unreachable         |
        | MemoryPressure     | True    | memory-pressure     |
        | DiskPressure       | True    | disk-pressure       |
        | PIDPressure        | True    | pid-pressure        |
        | NetworkUnavailable | True    | network-unavailable |

    Scenario: what an administrator says
      Given a Node whose kubelet says that it is ready
      Then it is soon closed as long as an administrator has cordoned it

  @P-561 @SHOULD
  Rule: Of a Node that is silent nothing is known

    Why: kubeadm lets no machine join under the name of a Node that is ready; one that has died, or never came, must not
    seem ready, and what it has said before is no news.
    Repair: take node-lifecycle-controller into --controllers of kube-controller-manager, and leave
    --node-monitor-grace-period below a few minutes.

    Scenario: a kubelet that says no more, and one that has never said anything
      Given a Node whose kubelet says that it is ready
      And a Node of which no kubelet says anything
      Then in a while neither is known to be what it was said to be
      And when the first is heard of again it is ready

  @P-565 @SHOULD
  Rule: What a Node is labelled with in the words of today, it is in those of old

    Why: whoever joins is given Pods by labels, and many still name the operating system and the processor as they were
    named once.
    Repair: take node-lifecycle-controller into --controllers of kube-controller-manager.

    Scenario: labels
      Given a Node whose kubelet says that it is ready
      Then it is soon labelled in the words of old as in those of today:
        | today              | value | old                     | before |
        | kubernetes.io/os   | linux | beta.kubernetes.io/os   |        |
        | kubernetes.io/arch | amd64 | beta.kubernetes.io/arch | other  |

  @P-144 @MUST
  Rule: The admission plug-ins that guard nodes and certificates are on

    Why: without them a stolen node changes every Node, and whoever may write an approval approves an administrator.
    Repair: start kube-apiserver with --enable-admission-plugins=NodeRestriction, and take the plug-ins that are named
    out of --disable-admission-plugins.

    Scenario: the flags of the API server
      Given kube-apiserver publishes its flags
      Then the flag "enable-admission-plugins" of kube-apiserver, where it is published, has "NodeRestriction" and has not "AlwaysAdmit"
      And the flag "disable-admission-plugins" of kube-apiserver, where it is published, has not "NodeRestriction"
      And the flag "disable-admission-plugins" of kube-apiserver, where it is published, has not "CertificateApproval"
      And the flag "disable-admission-plugins" of kube-apiserver, where it is published, has not "CertificateSigning"
      And the flag "disable-admission-plugins" of kube-apiserver, where it is published, has not "CertificateSubjectRestriction"

  @P-71 @MUST @since:1.32
  Rule: A node reads neither other Nodes nor their Pods

    Why: the Nodes of a cluster are the map that an attacker wants: names, addresses, versions, labels.
    Repair: take the group system:nodes out of the bindings that grant it; leave the gate AuthorizeNodeWithSelectors on.

    Scenario: reading
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And the first node is let through who tries to:
        | read its own Node |
      Then the first node is refused who tries to:
        | read the other Node              |
        | list the other Node by its name  |
        | watch the other Node by its name |
        | list all Nodes                   |
        | watch all Nodes                  |
        | read the Pod of the other Node   |

  @P-510 @MUST @since:1.32
  Rule: A review of rights is judged by its field selector

    Why: a node may list its own Pods alone; a review that passes over what it asks for, or over a part of it, says that it
    may list those of all nodes.
    Repair: leave the gate AuthorizeNodeWithSelectors on.
    Repair, for makers: hand requirements of one value to the authorizers, and pass over what is not understood.

    Scenario: a node that lists Pods
      Then a review allows a node to list Pods:
        | of its own, by a requirement     |
        | of its own, as kubectl writes it |
      And a review does not allow a node to list Pods:
        | of all nodes                                  |
        | of another node, by a requirement             |
        | of another node, as kubectl writes it         |
        | of its own and another node, by a requirement |
        | of all but its own, by a requirement          |
        | of all but its own, as kubectl writes it      |
        | of any node, by a requirement                 |

  @P-72 @MUST
  Rule: A node gets tokens of service accounts for its own Pods only

    Why: a token of any other account is the way from one machine to the whole cluster.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and --enable-admission-plugins=NodeRestriction.

    Background:
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And the first node is let through who tries to:
        | get a token for its Pod |

    Scenario: Pods and accounts
      Then the first node is refused who tries to:
        | get a token for no Pod                                 |
        | get a token for the Pod of the other Node              |
        | get a token for its Pod under another UID              |
        | get a token for its Pod without a UID                  |
        | get a token for its Pod of another version             |
        | get a token for a Secret                               |
        | get a token for its own Node                           |
        | get a token of an account that its Pods do not run as  |
        | get a token of the account of that name in kube-system |

    @since:1.33
    Scenario: audiences
      Then the first node is refused who tries to:
        | get a token for two audiences |

  @P-393 @MUST @since:1.33
  Rule: A node gets tokens of a Pod for the audiences that it mounts, and for no others

    Why: a token for the API server of whatever account runs on a stolen node is the way from there to the cluster.
    Repair: leave the gate ServiceAccountNodeAudienceRestriction on, and NodeRestriction in --enable-admission-plugins.

    Scenario: a Pod that mounts a token of one audience
      Given a node that has joined with a bootstrap token
      Then that node gets tokens of a Pod for the audience that it mounts, and not for:
        | the API server                |
        | another audience              |
        | its audience in capitals      |
        | the beginning of its audience |
        | more than its audience        |
        | its audience and another      |

  @P-73 @MUST
  Rule: A node makes no Pods but mirrors of its own, which open nothing to it

    Why: a Pod of its making that names a Secret or an account would hand it to the node.
    Repair: start kube-apiserver with --enable-admission-plugins=NodeRestriction.

    Scenario: Pods that a node makes or changes
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And the first node is let through who tries to:
        | make a mirror Pod            |
        | report the status of its Pod |
      Then the first node is refused who tries to:
        | make a Pod that is no mirror                           |
        | make a mirror Pod on the other Node                    |
        | make a mirror Pod without an owner                     |
        | make a mirror Pod of the other Node                    |
        | make a mirror Pod of a Node of another UID             |
        | make a mirror Pod of two owners                        |
        | make a mirror Pod that its Node does not control       |
        | make a mirror Pod that says nothing of who controls it |
        | make a mirror Pod of a Node of another API group       |
        | make a mirror Pod of something that is no Node         |
        | make a mirror Pod that blocks the deletion of its Node |
        | make a mirror Pod that uses a Secret                   |
        | make a mirror Pod that uses a ConfigMap                |
        | make a mirror Pod that uses a claim                    |
        | make a mirror Pod with a variable of a Secret          |
        | make a mirror Pod with a variable of a ConfigMap       |
        | make a mirror Pod with a ConfigMap among its sources   |
        | make a mirror Pod that mounts a token                  |
        | make a mirror Pod with a service account               |
        | change its Pod                                         |
        | bind its Pod to the other Node                         |
        | label its Pod through its status                       |
        | change a label of its Pod through its status           |
        | take a label from its Pod through its status           |

    Scenario: a Pod that looks like a mirror, whoever made it
      Given two nodes that may report their own status
      And a mirror Pod on the first node that an administrator has made, with a ConfigMap
      And a Pod on the first node that uses Secrets and volumes in other ways
      Then the first node may read of that Pod, and the second may not:
        | the Secret of its CSI volume |
      But the first node may not read of the mirror Pod:
        | the ConfigMap of its volume |

    Scenario: mirror Pods that an administrator makes
      Given two nodes that may report their own status
      And on each of them a Pod that uses a Secret, a ConfigMap and a claim
      And an administrator is let through who tries, as the first node does, to:
        | make a mirror Pod that uses a ConfigMap |
      Then an administrator is refused who tries, as the first node does, to:
        | make a mirror Pod with a service account      |
        | make a mirror Pod that uses a Secret          |
        | make a mirror Pod with a variable of a Secret |
        | make a mirror Pod that mounts a token         |

  @P-389 @MUST
  Rule: A node asks for no administrator's certificate

    Why: whoever approves requests by hand reads their names, and not always all of them.
    Repair: take CertificateSubjectRestriction out of --disable-admission-plugins of kube-apiserver.

    Scenario: the signer for API clients
      Given a node that has joined with a bootstrap token
      Then the node is forbidden to ask the signer for API clients for the group system:masters

  @P-74 @MUST
  Rule: Who is a node has both its name and its group

    Why: whoever gets a certificate with one of them would have a node's rights.
    Repair, for makers: take a user for a node where the name begins with system:node: and the groups hold system:nodes.

    Scenario Outline: the user "<user>" in the group "<group>" is no node
      Then the user "<user>" in the group "<group>" is not allowed to:
        | verb           | what                       | where           | name    |
        | create, update | nodes                      |                 |         |
        | patch          | nodes/status               |                 | jp-node |
        | get, update    | leases.coordination.k8s.io | kube-node-lease | jp-node |
        | create         | events                     | default         |         |
      And nodes are allowed something

      Examples:
        | user                 | group               |
        | system:node:jp-node  | system:node         |
        | system:node:jp-node  | System:Nodes        |
        | jp-node              | system:nodes        |
        | system:node:         | system:nodes        |
        | system:nodes:jp-node | system:nodes        |
        | System:Node:jp-node  | system:nodes        |
        | system:node:jp-node  | system:nodesx       |
        | system:node:jp-node  | system:nodes:jp     |
        | system:node:jp-node  | system:node:jp-node |
