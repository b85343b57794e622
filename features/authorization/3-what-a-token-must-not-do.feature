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
        | verb                  | what | where                | name      |
        | create                | pods | default, kube-system |           |
        | update, patch, delete | pods | default, kube-system | jp-absent |

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
        | verb                  | what     | where                | name      |
        | create                | services | default, kube-system |           |
        | update, patch, delete | services | kube-system          | kube-dns  |
        | delete                | services | default              | jp-absent |

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
        | verb                          | what                                | where                | name      |
        | create, update, patch, delete | deployments.apps, daemonsets.apps   | default, kube-system | jp-absent |
        | create, update, patch, delete | statefulsets.apps, replicasets.apps | default, kube-system | jp-absent |
        | create, update, patch, delete | jobs.batch, cronjobs.batch          | default, kube-system | jp-absent |

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
        | verb        | what    | where                | name      |
        | list        | secrets |                      |           |
        | list, watch | secrets | kube-system          |           |
        | get         | secrets | default, kube-system | jp-absent |

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
        | verb | what    | where       | name                   |
        | get  | secrets | kube-system | bootstrap-token-zzzzzz |
        | list | secrets | kube-system |                        |

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
        | verb                  | what    | where                | name                   |
        | create                | secrets | default, kube-system |                        |
        | update, patch, delete | secrets | kube-system          | bootstrap-token-zzzzzz |

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
        | verb          | what                                                    | name      |
        | update, patch | certificatesigningrequests.certificates.k8s.io/approval | jp-absent |

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

  @LIM-008 @MUST
  Rule: A token issues no certificates

    Why: it could publish a certificate of its own making as if it were issued.
    Repair: take certificatesigningrequests/status out of every role of the bootstrap groups.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb          | what                                                  | name      |
        | update, patch | certificatesigningrequests.certificates.k8s.io/status | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

    Scenario: the right to sign for a signer
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb | what                        | name                                                               |
        | sign | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client, kubernetes.io/kubelet-serving |
        | sign | signers.certificates.k8s.io | kubernetes.io/kube-apiserver-client-kubelet, kubernetes.io/*       |

  @LIM-009 @MUST
  Rule: A token changes and deletes no certificate requests

    Why: it could remove the requests of other machines.
    Repair: allow create, get, list and watch on certificatesigningrequests and no other verb.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb                  | what                                           | name      |
        | update, patch, delete | certificatesigningrequests.certificates.k8s.io | jp-absent |

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
        | verb                          | what                                          | where       | name      |
        | create, update, patch, delete | clusterroles.rbac.authorization.k8s.io        |             | jp-absent |
        | create, update, patch, delete | clusterrolebindings.rbac.authorization.k8s.io |             | jp-absent |
        | create, update, patch, delete | roles.rbac.authorization.k8s.io               | kube-system | jp-absent |
        | create, update, patch, delete | rolebindings.rbac.authorization.k8s.io        | kube-public | jp-absent |

      Examples:
        | whom                                              |
        | every bootstrap group of the cluster, in reviews  |
        | a bootstrap token that may join, in real requests |

  @LIM-011 @MUST
  Rule: A token writes no ConfigMaps

    Why: whoever changes cluster-info or kubelet-config changes every node that joins later.
    Repair: allow "get" on the named ConfigMaps and nothing else.

    Scenario Outline: asked by <whom>
      Given <whom>
      Then none of these is allowed:
        | verb          | what       | where       | name                           |
        | update, patch | configmaps | kube-public | cluster-info                   |
        | patch         | configmaps | kube-system | kubelet-config, kubeadm-config |
        | delete        | configmaps | kube-system | kubeadm-config                 |
        | create        | configmaps | kube-system |                                |

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
        | verb | what       | where       | name                                        |
        | list | configmaps |             |                                             |
        | list | configmaps | kube-system |                                             |
        | get  | configmaps | kube-system | coredns, extension-apiserver-authentication |

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
        | verb                  | what         | name      |
        | create, list, watch   | nodes        |           |
        | update, patch, delete | nodes        | jp-absent |
        | patch                 | nodes/status | jp-absent |

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
        | verb        | what                                     | where       | name      |
        | get, create | nodes/proxy                              |             | jp-absent |
        | get         | pods/proxy, pods/exec, pods/log          | kube-system | jp-absent |
        | create      | pods/exec, pods/attach, pods/portforward | kube-system | jp-absent |

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
        | verb   | what                  | where                | name    |
        | create | serviceaccounts/token | default, kube-system | default |

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
        | verb                          | what                                                         | name      |
        | create, update, patch, delete | mutatingwebhookconfigurations.admissionregistration.k8s.io   | jp-absent |
        | create, update, patch, delete | validatingwebhookconfigurations.admissionregistration.k8s.io | jp-absent |
        | create, update, patch, delete | apiservices.apiregistration.k8s.io                           | jp-absent |
        | create, update, patch, delete | customresourcedefinitions.apiextensions.k8s.io               | jp-absent |

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
        | who                                                |
        | the user system:admin                              |
        | the user system:admin in the group system:masters  |
        | the service account kube-system/default            |
        | the node jp-absent                                 |
        | nobody in the group system:masters                 |

  @LIM-017 @MUST
  Rule: A token's request for anything but a node is not approved automatically

    Why: otherwise a token is turned into an administrator's certificate.
    Repair: see who approves: the built-in approver takes only O=[system:nodes] and CN=system:node:<name> for the
    kubelet's client signer.

    Scenario: all kinds of names and groups that are no node's
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                                                                               |
        | an administrator in the group system:masters                                          |
        | an administrator in the group system:masters, with a node's request behind it          |
        | the user admin in no group                                                            |
        | nobody in the group of nodes                                                          |
        | a node in no group                                                                    |
        | a node that is in the group system:masters as well                                    |
        | a node that is in the group system:masters before all                                 |
        | a node that is in the group kubeadm:cluster-admins as well                            |
        | a node whose two groups stand in one part of its name                                 |
        | a node that is in its group twice                                                     |
        | a node in the group System:Nodes                                                      |
        | a node in the group system:node                                                       |
        | the group system:nodes under a name that is no node's                                 |
        | a node whose second name is kubernetes-admin                                          |
        | a node, with the signer kubernetes.io/kube-apiserver-client                           |
        | an API client that nobody approves automatically                                      |
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
        | request                              |
        | a node's server                      |
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
        | list the certificate requests |

    Scenario: strangers try
      Given strangers are let in by the API server
      Then a stranger is refused who tries to:
        | ask for a certificate |
      And an administrator is let through who tries to:
        | ask for a certificate |

    Scenario: the API server's opinion
      Then strangers are not allowed to:
        | verb                     | what                                           |
        | create, list, get, watch | certificatesigningrequests.certificates.k8s.io |

  @LIM-021 @MUST
  Rule: A node outlives the token that it joined with

    Why: tokens live for a day, nodes for years.
    Repair, for makers: let the API server judge a client certificate by the certificate alone.

    Scenario: the token is deleted after the node has its certificate
      Given a node that has joined with a bootstrap token of its own
      When that token is deleted and the API server has forgotten it
      Then the token is refused as unauthorized
      And the node still reports its own status
