Feature: Who may read cluster-info

  A machine that has not joined yet is a stranger: it has no credential. It may read this one ConfigMap, and nothing
  else.

  @INFO-013 @MUST
  Rule: Strangers read cluster-info

    Why: a machine that joins has nothing to log in with before it knows the cluster.
    Repair: leave anonymous authentication on, at least for this path, and run "kubeadm init phase bootstrap-token" for
    the binding.

    Scenario: without credentials
      Given the ConfigMap cluster-info
      When a stranger reads cluster-info
      Then the stranger gets the kubeconfig

  @INFO-014 @MUST
  Rule: The Role for strangers opens cluster-info and nothing else

    Why: without the name in the Role all of kube-public is open; with another verb strangers write it.
    Repair: run "kubeadm init phase bootstrap-token", which restores the Role "kubeadm:bootstrap-signer-clusterinfo".

    Scenario: the rules of the Role
      Then the Role that opens cluster-info grants exactly:
        | verbs | resource                      |
        | get   | configmaps named cluster-info |

  @INFO-015 @MUST
  Rule: The RoleBinding for strangers refers to that Role

    Why: a binding to another role grants what that role has.
    Repair: delete the RoleBinding and run "kubeadm init phase bootstrap-token"; a roleRef cannot be changed.

    Scenario: the roleRef
      Then the RoleBinding that opens cluster-info refers to that Role

  @INFO-016 @MUST
  Rule: The RoleBinding names strangers

    Why: a machine that joins has no identity, so a binding to those who have logged in does not reach it.
    Repair: bind "User system:anonymous"; the group system:unauthenticated, which document 002 names, has the same
    effect.

    Scenario: the subjects
      Then it binds strangers, as a user or as a group, and nobody else

  @INFO-017 @MUST
  Rule: Strangers hold nothing in the whole cluster but the public addresses

    Why: a ClusterRoleBinding opens every namespace.
    Repair: delete the ClusterRoleBinding, or take the subject out of it.

    Scenario: every ClusterRoleBinding that names strangers
      Then strangers are in no ClusterRoleBinding but those to:
        | system:public-info-viewer |

    Scenario: the public addresses
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:public-info-viewer" grants at most:
        | verbs | resource                                       |
        | get   | /healthz, /livez, /readyz, /version, /version/ |

  @INFO-018 @MUST
  Rule: Strangers read cluster-info by its name and change nothing

    Why: whoever can write it can hand every joining machine another cluster.
    Repair: let the Role grant "get" on this name alone.

    Scenario: reading it otherwise than by its name
      Given the ConfigMap cluster-info
      And strangers are let in by the API server
      Then a stranger is refused to:
        | list the ConfigMaps of kube-public  |
        | list them by the name cluster-info  |
        | watch the ConfigMaps of kube-public |

    Scenario: changing it
      Given the ConfigMap cluster-info
      And strangers are let in by the API server
      Then a stranger is refused who tries to:
        | create a ConfigMap in kube-public     |
        | replace cluster-info                  |
        | patch cluster-info                    |
        | delete cluster-info                   |
        | delete every ConfigMap of kube-public |
      And an administrator is let through who tries to:
        | create a ConfigMap in kube-public |

    Scenario: the API server's opinion
      Then strangers are not allowed to:
        | verb                                                         | what       | where       | name         |
        | list, watch, create, update, patch, delete, deletecollection | configmaps | kube-public |              |
        | list, watch, update, patch, delete                           | configmaps | kube-public | cluster-info |

    Scenario: the API server's opinion of what else is there
      Then strangers are not allowed to:
        | verb                                  | what                            | where       |
        | get, list, create, update, delete     | secrets, pods                   | kube-public |
        | create, update, patch, bind, escalate | roles.rbac.authorization.k8s.io | kube-public |

  @INFO-019 @MUST
  Rule: Strangers read nothing else

    Why: the next ConfigMap holds the layout of the cluster, and Secrets hold its keys.
    Repair: look for bindings of system:anonymous and system:unauthenticated, and remove them.

    Scenario: other objects
      Given the ConfigMap cluster-info
      And strangers are let in by the API server
      Then a stranger is refused to:
        | read another ConfigMap of kube-public |
        | read the ConfigMap kubeadm-config     |
        | read the ConfigMap kube-root-ca.crt   |
        | read the Secret kubeadm-certs         |
        | read the Secret of a bootstrap token  |
        | list the Secrets of kube-system       |
        | list all Secrets                      |
        | list the ConfigMaps of kube-system    |
        | list all ConfigMaps                   |
        | read a Node                           |
        | list the Nodes                        |
        | read the log of a Pod                 |
        | list the Pods                         |
        | watch all Pods                        |
        | list the ServiceAccounts              |
        | list the ClusterRoleBindings          |
        | list the namespaces                   |

    Scenario: the API server's opinion
      Then strangers are not allowed to:
        | verb             | what                                                 | where                |
        | get, list, watch | secrets, configmaps, pods, pods/log, serviceaccounts | kube-system, default |
        | create           | secrets, pods, pods/exec, serviceaccounts/token      | kube-system          |
        | get, list, watch | nodes, nodes/proxy, namespaces                       |                      |
        | get              | clusterroles.rbac.authorization.k8s.io               |                      |
        | impersonate      | users, groups, serviceaccounts                       |                      |

    Scenario: the API server's opinion of what has a name
      Then strangers are not allowed to:
        | verb | what       | where       | name                                       |
        | get  | secrets    | kube-system | kubeadm-certs, bootstrap-token-07401b      |
        | get  | configmaps | kube-system | kubeadm-config, kubelet-config, kube-proxy |
        | get  | configmaps | kube-public | kube-root-ca.crt, jp-other                 |
