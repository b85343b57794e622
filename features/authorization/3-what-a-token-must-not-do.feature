Feature: What a bootstrap token must not do

  Document 004 draws the line: a bootstrap token asks for a certificate and touches nothing that affects workloads or the security
  of the cluster. Each rule is put to the API server twice: as a question about every group that a token of the cluster has
  (SubjectAccessReview, which changes nothing), and, where writing is allowed, as the real request of a token that may join,
  sent as a dry run. Either way the same identity is allowed something first: a cluster that allows it nothing proves nothing.
  In the tables the entries of each cell are combined; an empty cell means any.

  @LIM-001 @MUST
  Rule: A token does not touch Pods

    Why: a token that starts Pods starts privileged ones, on any node.
    Repair: take the bootstrap groups out of the binding that grants it.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                                               | where                | name      |
        | create, deletecollection | pods                                               | default, kube-system |           |
        | update, patch, delete    | pods                                               | default, kube-system | jp-absent |
        | update, patch            | pods/status, pods/ephemeralcontainers, pods/resize | kube-system          | jp-absent |
        | create                   | pods/binding, pods/eviction                        | kube-system          | jp-absent |
        | create                   | bindings                                           | kube-system          |           |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-002 @MUST
  Rule: A token does not touch Services

    Why: a changed Service sends the traffic of the cluster elsewhere.
    Repair: take the bootstrap groups out of the binding that grants it.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                                       | where                | name      |
        | create, deletecollection | services                                   | default, kube-system |           |
        | update, patch, delete    | services                                   | kube-system          | kube-dns  |
        | update, patch, delete    | services                                   | default              | jp-absent |
        | update, patch            | services/status                            | kube-system          | kube-dns  |
        | create, deletecollection | endpoints, endpointslices.discovery.k8s.io | kube-system          |           |
        | update, patch, delete    | endpoints, endpointslices.discovery.k8s.io | kube-system          | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-003 @MUST
  Rule: A token does not touch workloads

    Why: a workload is Pods by another name.
    Repair: take the bootstrap groups out of the binding that grants it; look for a wildcard on the API group apps.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                                                  | where       | name      |
        | create                   | deployments.apps, daemonsets.apps                     | default     |           |
        | create                   | statefulsets.apps, replicasets.apps                   | default     |           |
        | create                   | jobs.batch, cronjobs.batch                            | default     |           |
        | create                   | replicationcontrollers                                | default     |           |
        | create, deletecollection | deployments.apps, daemonsets.apps                     | kube-system |           |
        | create, deletecollection | statefulsets.apps, replicasets.apps                   | kube-system |           |
        | create, deletecollection | jobs.batch, cronjobs.batch                            | kube-system |           |
        | create, deletecollection | replicationcontrollers                                | kube-system |           |
        | update, patch, delete    | deployments.apps, daemonsets.apps                     | kube-system | jp-absent |
        | update, patch, delete    | statefulsets.apps, replicasets.apps                   | kube-system | jp-absent |
        | update, patch, delete    | jobs.batch, cronjobs.batch                            | kube-system | jp-absent |
        | update, patch, delete    | replicationcontrollers                                | kube-system | jp-absent |
        | update, patch            | deployments.apps/scale, replicasets.apps/scale        | kube-system | jp-absent |
        | update, patch            | statefulsets.apps/scale, replicationcontrollers/scale | kube-system | jp-absent |
        | create                   | horizontalpodautoscalers.autoscaling                  | kube-system |           |
        | update, patch, delete    | horizontalpodautoscalers.autoscaling                  | kube-system | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-004 @MUST
  Rule: A token reads no Secrets

    Why: Secrets are what the other identities of the cluster are made of. The one exception is
    kube-system/kubeadm-certs, encrypted,
    while certificates are uploaded (document 004 says never: erratum).
    Repair: take "secrets" out of every role of the bootstrap groups, or name the one Secret in resourceNames.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb        | what    | where                             | name          |
        | list, watch | secrets |                                   |               |
        | list, watch | secrets | default, kube-system, kube-public |               |
        | get         | secrets | default, kube-system, kube-public | jp-absent     |
        | list, watch | secrets | kube-system                       | kubeadm-certs |
        | get         | secrets | default                           | kubeadm-certs |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-005 @MUST
  Rule: A token reads no token, not even its own

    Why: one leaked token would give all the others.
    Repair: take "secrets" out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb             | what    | where       | name                   |
        | get, list, watch | secrets | kube-system | bootstrap-token-zzzzzz |
        | list, watch      | secrets | kube-system |                        |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

    Scenario: its own Secret
      Given a bootstrap token that may join, in real requests
      Then its bearer is forbidden to read its own Secret

  @LIM-006 @MUST
  Rule: A token writes no Secrets

    Why: it could prolong its own life, or mint tokens of other groups.
    Repair: take "secrets" out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what    | where                             | name                                  |
        | create, deletecollection | secrets | default, kube-system, kube-public |                                       |
        | update, patch, delete    | secrets | default                           | jp-absent                             |
        | update, patch, delete    | secrets | kube-system                       | bootstrap-token-zzzzzz, kubeadm-certs |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-007 @MUST
  Rule: A token approves no certificate requests

    Why: it could approve its own request, for any name.
    Repair: take certificatesigningrequests/approval and signers out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb               | what                                                    | name      |
        | get, update, patch | certificatesigningrequests.certificates.k8s.io/approval | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

    Scenario: the right to approve for a signer
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb    | what                        | name                                                               |
        | approve | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client, kubernetes.io/kubelet-serving |
        | approve | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client-kubelet, kubernetes.io/*       |
        | approve | signers.certificates.k8s.io | kubernetes.io/legacy-unknown, jp-absent.invalid/any                |

  @LIM-008 @MUST
  Rule: A token issues no certificates

    Why: it could publish a certificate of its own making as if it were issued.
    Repair: take certificatesigningrequests/status out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb               | what                                                  | name      |
        | get, update, patch | certificatesigningrequests.certificates.k8s.io/status | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

    Scenario: the right to sign for a signer
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb         | what                        | name                                                               |
        | sign, attest | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client, kubernetes.io/kubelet-serving |
        | sign, attest | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client-kubelet, kubernetes.io/*       |
        | sign, attest | signers.certificates.k8s.io | kubernetes.io/legacy-unknown, jp-absent.invalid/any                |

  @LIM-009 @MUST
  Rule: A token changes and deletes no certificate requests

    Why: it could remove the requests of other machines.
    Repair: allow create, get, list and watch on certificatesigningrequests and no other verb.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                  | what                                           | name      |
        | update, patch, delete | certificatesigningrequests.certificates.k8s.io | jp-absent |
        | deletecollection      | certificatesigningrequests.certificates.k8s.io |           |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-010 @MUST
  Rule: A token changes no roles and bindings

    Why: it could bind its own group to cluster-admin.
    Repair: take rbac.authorization.k8s.io out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                                          | where                    | name      |
        | create, deletecollection | clusterroles.rbac.authorization.k8s.io        |                          |           |
        | update, patch, delete    | clusterroles.rbac.authorization.k8s.io        |                          | jp-absent |
        | create, deletecollection | clusterrolebindings.rbac.authorization.k8s.io |                          |           |
        | update, patch, delete    | clusterrolebindings.rbac.authorization.k8s.io |                          | jp-absent |
        | create, deletecollection | roles.rbac.authorization.k8s.io               | kube-system              |           |
        | update, patch, delete    | roles.rbac.authorization.k8s.io               | kube-system              | jp-absent |
        | create, deletecollection | rolebindings.rbac.authorization.k8s.io        | kube-public, kube-system |           |
        | update, patch, delete    | rolebindings.rbac.authorization.k8s.io        | kube-public, kube-system | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

    Scenario: the rights to hand on what one does not hold
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb           | what                                   | where       | name                                               |
        | bind, escalate | clusterroles.rbac.authorization.k8s.io |             | cluster-admin, system:node-bootstrapper, jp-absent |
        | bind, escalate | roles.rbac.authorization.k8s.io        | kube-system | kubeadm:nodes-kubeadm-config, jp-absent            |

  @LIM-011 @MUST
  Rule: A token writes no ConfigMaps

    Why: whoever changes cluster-info or kubelet-config changes every node that joins later.
    Repair: allow "get" on the named ConfigMaps and nothing else.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what       | where                             | name                                        |
        | create, deletecollection | configmaps | default, kube-system, kube-public |                                             |
        | update, patch, delete    | configmaps | kube-public                       | cluster-info                                |
        | update, patch, delete    | configmaps | kube-system                       | kubelet-config, kubeadm-config, kube-proxy  |
        | update, patch, delete    | configmaps | kube-system                       | coredns, extension-apiserver-authentication |
        | update, patch, delete    | configmaps | default                           | jp-absent                                   |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-012 @SHOULD
  Rule: A token reads only the ConfigMaps that joining needs

    Why: other ConfigMaps tell of the cluster what a joining machine need not know.
    Repair: name the ConfigMaps in resourceNames.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb        | what       | where                             | name                                                   |
        | list, watch | configmaps |                                   |                                                        |
        | list, watch | configmaps | default, kube-system, kube-public |                                                        |
        | list, watch | configmaps | kube-system                       | kubelet-config, kubeadm-config, kube-proxy             |
        | get         | configmaps | kube-system                       | coredns, extension-apiserver-authentication, jp-absent |
        | get         | configmaps | default, kube-public              | kubelet-config, kubeadm-config, kube-proxy, jp-absent  |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-013 @MUST
  Rule: A token does nothing to Nodes but get one

    Why: a Node written with a token is a Node without a certificate.
    Repair: allow "get" on nodes and nothing else.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                                  | what                       | where           | name      |
        | create, list, watch, deletecollection | nodes                      |                 |           |
        | list, watch                           | nodes                      |                 | jp-absent |
        | update, patch, delete                 | nodes                      |                 | jp-absent |
        | get, update, patch                    | nodes/status               |                 | jp-absent |
        | create                                | leases.coordination.k8s.io | kube-node-lease |           |
        | get, update, patch, delete            | leases.coordination.k8s.io | kube-node-lease | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-014 @MUST
  Rule: A token reaches no kubelet and no container

    Why: the proxy of a control-plane Node is the control plane.
    Repair: take nodes/proxy, pods/exec, pods/attach, pods/portforward and pods/log out of every role of the
    bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                               | what                                              | where                | name      |
        | get, create, update, patch, delete | nodes/proxy                                       |                      | jp-absent |
        | get                                | nodes/log, nodes/stats, nodes/metrics, nodes/spec |                      | jp-absent |
        | get                                | nodes/pods, nodes/configz, nodes/healthz          |                      | jp-absent |
        | get, create, update, patch, delete | pods/proxy, services/proxy                        | kube-system          | jp-absent |
        | get                                | pods/log                                          | default, kube-system | jp-absent |
        | get, create                        | pods/exec, pods/attach, pods/portforward          | default, kube-system | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-016 @MUST
  Rule: A token gets no ServiceAccount tokens

    Why: it could trade itself for an identity that lives longer and may do more.
    Repair: take serviceaccounts/token out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                  | where                | name                               |
        | create                   | serviceaccounts/token | default, kube-system | default                            |
        | create                   | serviceaccounts/token | kube-system          | clusterrole-aggregation-controller |
        | create, deletecollection | serviceaccounts       | kube-system          |                                    |
        | update, patch, delete    | serviceaccounts       | kube-system          | default                            |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-019 @MUST
  Rule: A token changes nothing that extends the API server

    Why: a webhook sees and changes every request.
    Repair: take admissionregistration.k8s.io, apiregistration.k8s.io and apiextensions.k8s.io out of every role of
    the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                     | what                                                           | name      |
        | create, deletecollection | mutatingwebhookconfigurations.admissionregistration.k8s.io     |           |
        | create, deletecollection | validatingwebhookconfigurations.admissionregistration.k8s.io   |           |
        | create, deletecollection | validatingadmissionpolicies.admissionregistration.k8s.io       |           |
        | create, deletecollection | validatingadmissionpolicybindings.admissionregistration.k8s.io |           |
        | create, deletecollection | mutatingadmissionpolicies.admissionregistration.k8s.io         |           |
        | create, deletecollection | mutatingadmissionpolicybindings.admissionregistration.k8s.io   |           |
        | create, deletecollection | apiservices.apiregistration.k8s.io                             |           |
        | create, deletecollection | customresourcedefinitions.apiextensions.k8s.io                 |           |
        | update, patch, delete    | mutatingwebhookconfigurations.admissionregistration.k8s.io     | jp-absent |
        | update, patch, delete    | validatingwebhookconfigurations.admissionregistration.k8s.io   | jp-absent |
        | update, patch, delete    | validatingadmissionpolicies.admissionregistration.k8s.io       | jp-absent |
        | update, patch, delete    | validatingadmissionpolicybindings.admissionregistration.k8s.io | jp-absent |
        | update, patch, delete    | mutatingadmissionpolicies.admissionregistration.k8s.io         | jp-absent |
        | update, patch, delete    | mutatingadmissionpolicybindings.admissionregistration.k8s.io   | jp-absent |
        | update, patch, delete    | apiservices.apiregistration.k8s.io                             | jp-absent |
        | update, patch, delete    | customresourcedefinitions.apiextensions.k8s.io                 | jp-absent |
        | update, patch            | apiservices.apiregistration.k8s.io/status                      | jp-absent |
        | update, patch            | customresourcedefinitions.apiextensions.k8s.io/status          | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-015 @MUST
  Rule: A token impersonates nobody

    Why: who impersonates an administrator is one.
    Repair: take the verb "impersonate" out of every role of the bootstrap groups.

    Scenario Outline: as <who>
      Given a bootstrap token that may join, in real requests
      Then its bearer is refused when it claims to be <who>

      Examples:
        | who                                               |
        | the user system:admin                             |
        | the user system:admin in the group system:masters |
        | the service account kube-system/default           |
        | the node jp-absent                                |
        | nobody in the group system:masters                |
        | nobody with another UID                           |
        | nobody with an extra                              |
        | the user jp-absent with another UID               |
        | the user jp-absent with an extra                  |
        | another bootstrap token of its own group          |

    Scenario: the rights to do so
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb                                                        | what                                                                | where       | name                                                    |
        | impersonate                                                 | users                                                               |             | system:admin, system:kube-controller-manager, jp-absent |
        | impersonate                                                 | groups                                                              |             | system:masters, system:nodes, jp-absent                 |
        | impersonate                                                 | serviceaccounts                                                     | kube-system | default, clusterrole-aggregation-controller             |
        | impersonate                                                 | uids.authentication.k8s.io, userextras.authentication.k8s.io/scopes |             | jp-absent                                               |
        | impersonate:user-info                                       | users.authentication.k8s.io, groups.authentication.k8s.io           |             | jp-absent                                               |
        | impersonate:arbitrary-node, impersonate:associated-node     | nodes.authentication.k8s.io                                         |             | jp-absent                                               |
        | impersonate:serviceaccount                                  | serviceaccounts.authentication.k8s.io                               | kube-system | default                                                 |
        | impersonate-on:user-info:get, impersonate-on:user-info:list | secrets                                                             | kube-system |                                                         |

  @LIM-017 @MUST
  Rule: A token's request for anything but a node is not approved automatically

    Why: otherwise a token is turned into an administrator's certificate.
    Repair: see who approves: the built-in approver takes only O=[system:nodes] and CN=system:node:<name> for the
    kubelet's client signer.

    Scenario: all kinds of names and groups that are no node's
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                                                                       |
        | an administrator in the group system:masters                                  |
        | an administrator in the group system:masters, with a node's request behind it |
        | the user admin in no group                                                    |
        | nobody in the group of nodes                                                  |
        | a node in no group                                                            |
        | a node that is in the group system:masters as well                            |
        | a node that is in the group system:masters before all                         |
        | a node that is in the group kubeadm:cluster-admins as well                    |
        | a node whose two groups stand in one part of its name                         |
        | a node that is in its group twice                                             |
        | a node in the group System:Nodes                                              |
        | a node in the group system:node                                               |
        | the group system:nodes under a name that is no node's                         |
        | a node whose second name is kubernetes-admin                                  |
        | a node, with the signer kubernetes.io/kube-apiserver-client                   |
        | an API client that nobody approves automatically                              |
      And its bearer asks for a certificate for a node
      Then the request for the node is approved, and none of the others is

    Scenario: the group system:masters from the signer for API clients
      Given a bootstrap token of the group that kubeadm binds
      Then its bearer is forbidden to ask the signer for API clients for the group system:masters

  @LIM-018 @MUST
  Rule: A token's request for a serving certificate is not approved automatically

    Why: its holder could pose as any kubelet.
    Repair: take out the approver that does it; the built-in one never approves kubernetes.io/kubelet-serving.

    Scenario: a serving certificate
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                               |
        | a node's server                       |
        | a node's server, by its name alone    |
        | a node's server, by its address alone |
      And its bearer asks for a certificate for a node
      Then the request for the node is approved, and none of the others is

  @LIM-020 @MUST
  Rule: Strangers neither ask for certificates nor see who does

    Why: a stranger who may ask for certificates needs no token.
    Repair: take system:anonymous and system:unauthenticated out of every binding to system:node-bootstrapper.

    Scenario: strangers look
      Given strangers are let in by the API server
      Then a stranger is refused to:
        | list the certificate requests  |
        | watch the certificate requests |
        | read a certificate request     |

    Scenario: strangers try
      Given strangers are let in by the API server
      Then a stranger is refused who tries to:
        | ask for a certificate         |
        | change a certificate request  |
        | approve a certificate request |
        | issue a certificate           |
        | delete a certificate request  |
      And an administrator is let through who tries to:
        | ask for a certificate |

    Scenario: the API server's opinion
      Then strangers are not allowed to:
        | verb                                    | what                                                          |
        | create, list, get, watch                | certificatesigningrequests.certificates.k8s.io                |
        | update, patch, delete, deletecollection | certificatesigningrequests.certificates.k8s.io                |
        | get, update, patch                      | certificatesigningrequests.certificates.k8s.io/approval       |
        | get, update, patch                      | certificatesigningrequests.certificates.k8s.io/status         |
        | create                                  | certificatesigningrequests.certificates.k8s.io/nodeclient     |
        | create                                  | certificatesigningrequests.certificates.k8s.io/selfnodeclient |

  @LIM-021 @MUST
  Rule: A node outlives the token that it joined with

    Why: tokens live for a day, nodes for years.
    Repair, for makers: let the API server judge a client certificate by the certificate alone.

    Scenario: the token is deleted after the node has its certificate
      Given a node that has joined with a bootstrap token of its own
      When that token is deleted and the API server has forgotten it
      Then the token is refused as unauthorized
      And the node still reports its own status

  @P-75 @MUST
  Rule: Who approves and signs does so for the signers that he may approve and sign for

    Why: whoever may write the approval of one kind of certificate could approve an administrator's.
    Repair: leave the admission plug-ins CertificateApproval and CertificateSigning on.

    Scenario: the right to write is not the right to decide
      Given certificate requests for these signers:
        | kubernetes.io/kube-apiserver-client-kubelet |
        | kubernetes.io/kube-apiserver-client         |
        | kubernetes.io/kubelet-serving               |
        | joinproof.invalid/any                       |
        | joinproof.invalid/other                     |
      Then the certificate controller approves those for:
        | kubernetes.io/kube-apiserver-client-kubelet |
      And it is forbidden that the certificate controller approves those for:
        | kubernetes.io/kube-apiserver-client |
        | joinproof.invalid/any               |
      And the certificate controller fails those for:
        | kubernetes.io/kube-apiserver-client |
        | kubernetes.io/kubelet-serving       |
      And it is forbidden that the certificate controller fails those for:
        | joinproof.invalid/any   |
        | joinproof.invalid/other |
