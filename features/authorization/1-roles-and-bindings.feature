Feature: The roles and bindings that let machines join

  A bootstrap token opens nothing by itself: what its bearer may do comes from RBAC, through the groups of the token.
  kubeadm binds one group, system:bootstrappers:kubeadm:default-node-token, to a handful of narrow roles. A binding that is
  too narrow stops every join; one that is too wide turns every leaked token into a way into the cluster.

  @RBAC-001 @MUST
  Rule: The bootstrapper role lets a machine ask for its certificate

    Why: without "watch" the kubelet never sees its certificate, without "create" it cannot ask.
    Repair: restart kube-apiserver with the annotation rbac.authorization.kubernetes.io/autoupdate: "true" on the
    role; it repairs its default roles.

    Scenario: what system:node-bootstrapper must grant
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:node-bootstrapper" grants at least:
        | verbs                    | resource                                       |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io |

  @RBAC-002 @MUST
  Rule: The bootstrapper role grants nothing else

    Why: every joining machine, and everybody who steals a token, has this role.
    Repair: remove the added rule from the ClusterRole "system:node-bootstrapper"; kube-apiserver keeps additions
    when it repairs the role.

    Scenario: what system:node-bootstrapper must not grant
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:node-bootstrapper" grants at most:
        | verbs                    | resource                                       |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io |

  @RBAC-003 @SHOULD
  Rule: The bootstrapper role is kept up to date by the API server

    Why: with the annotation "false" a damaged role stays damaged over restarts and upgrades.
    Repair: set the label kubernetes.io/bootstrapping=rbac-defaults and the annotation
    rbac.authorization.kubernetes.io/autoupdate="true" on the role.

    Scenario: label and annotation of the default role
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:node-bootstrapper" is one of the API server's defaults and repaired by it

  @RBAC-004 @MUST
  Rule: The joining machines are bound to the bootstrapper role

    Why: without the binding a token authenticates and is then refused its certificate request; with another role it
    may do other things.
    Repair: run "kubeadm init phase bootstrap-token", after deleting a binding whose roleRef is wrong (a roleRef
    cannot be changed).

    Scenario: kubeadm's binding
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRoleBinding "kubeadm:kubelet-bootstrap" refers to the ClusterRole "system:node-bootstrapper"

  @RBAC-005 @MUST
  Rule: Only the joining machines are bound to the bootstrapper role

    Why: any other subject can ask for node certificates.
    Repair: remove every subject but the group "system:bootstrappers:kubeadm:default-node-token" from the binding.

    Scenario: kubeadm's binding
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRoleBinding "kubeadm:kubelet-bootstrap" binds exactly:
        | subject                                               |
        | Group system:bootstrappers:kubeadm:default-node-token |

    Scenario: every binding that lets somebody ask for certificates
      Given the roles and bindings of the cluster
      Then "create certificatesigningrequests.certificates.k8s.io" goes to no group that everybody is in

  @RBAC-006 @MUST
  Rule: The role for automatic approval of first certificates grants that and nothing else

    Why: the approver asks whether the requester may "create certificatesigningrequests/nodeclient"; a wider role
    would let it approve by itself.
    Repair: restore the ClusterRole to its one rule, or delete it and restart kube-apiserver.

    Scenario: the nodeclient role
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:certificates.k8s.io:certificatesigningrequests:nodeclient" grants exactly:
        | verbs  | resource                                                  |
        | create | certificatesigningrequests.certificates.k8s.io/nodeclient |

  @RBAC-007 @MUST
  Rule: Only joining machines get their first certificate without a human

    Why: whoever holds this permission gets a certificate for any node name, approved automatically.
    Repair: bind the role to the group "system:bootstrappers:kubeadm:default-node-token" and to nobody else.

    Scenario: kubeadm's binding
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRoleBinding "kubeadm:node-autoapprove-bootstrap" refers to the ClusterRole "system:certificates.k8s.io:certificatesigningrequests:nodeclient"
      And the ClusterRoleBinding "kubeadm:node-autoapprove-bootstrap" binds exactly:
        | subject                                               |
        | Group system:bootstrappers:kubeadm:default-node-token |

    Scenario: every binding that approves first certificates
      Given the roles and bindings of the cluster
      Then "create certificatesigningrequests.certificates.k8s.io/nodeclient" goes to bootstrappers and administrators only

  @RBAC-008 @MUST
  Rule: The role for automatic renewal grants that and nothing else

    Why: with "nodeclient" in its place a node could get certificates for other nodes.
    Repair: restore the ClusterRole to its one rule, or delete it and restart kube-apiserver.

    Scenario: the selfnodeclient role
      Given the roles and bindings of the cluster
      Then the ClusterRole "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient" grants exactly:
        | verbs  | resource                                                      |
        | create | certificatesigningrequests.certificates.k8s.io/selfnodeclient |

  @RBAC-009 @MUST
  Rule: Nodes renew their own certificates without a human

    Why: without the binding every renewal stays pending, and nodes die when their certificates do.
    Repair: bind the role to the group "system:nodes" and to nobody else; "kubeadm init phase bootstrap-token" does it.

    Scenario: kubeadm's binding
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRoleBinding "kubeadm:node-autoapprove-certificate-rotation" refers to the ClusterRole "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient"
      And the ClusterRoleBinding "kubeadm:node-autoapprove-certificate-rotation" binds exactly:
        | subject            |
        | Group system:nodes |

  @RBAC-010 @MUST
  Rule: First certificates and renewals are not crossed

    Why: a node that holds "nodeclient" gets a certificate in the name of any other node, approved automatically.
    Repair: take the group "system:nodes" out of every binding to the nodeclient role, and the bootstrap group out
    of those to selfnodeclient.

    Scenario: nodes hold no right to first certificates
      Given the roles and bindings of the cluster
      Then no node may "create certificatesigningrequests.certificates.k8s.io/nodeclient"

    Scenario: tokens hold no right to renewals
      Given the roles and bindings of the cluster
      Then no bootstrap token may "create certificatesigningrequests.certificates.k8s.io/selfnodeclient"

  @RBAC-011 @MUST
  Rule: The role to look for a Node's name allows to get one Node

    Why: kubeadm join looks whether a Ready node of its name exists; listing or changing nodes is more than that.
    Repair: restore the ClusterRole "kubeadm:get-nodes" to "get" on nodes; "kubeadm init phase bootstrap-token" does it.

    Scenario: the get-nodes role
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRole "kubeadm:get-nodes" grants exactly:
        | verbs | resource |
        | get   | nodes    |

  @RBAC-012 @MUST
  Rule: Joining machines, and only they, are bound to the get-nodes role

    Why: without the binding a join ends with: cannot get Node.
    Repair: run "kubeadm init phase bootstrap-token".

    Scenario: kubeadm's binding
      Given the roles and bindings of a cluster that kubeadm has set up
      Then the ClusterRoleBinding "kubeadm:get-nodes" refers to the ClusterRole "kubeadm:get-nodes"
      And the ClusterRoleBinding "kubeadm:get-nodes" binds exactly:
        | subject                                               |
        | Group system:bootstrappers:kubeadm:default-node-token |

  @RBAC-014 @MUST
  Rule: The bindings speak of RBAC's API group

    Why: a reference into another API group names nothing.
    Repair: write apiGroup rbac.authorization.k8s.io, without a version.

    Scenario: every binding of bootstrappers and nodes
      Given the roles and bindings of the cluster
      Then roleRef and subjects of every binding of bootstrappers or nodes are in RBAC's API group

  @RBAC-015 @MUST
  Rule: Every role that a binding names exists

    Why: the API accepts a binding to a role that is not there, and it grants nothing, silently.
    Repair: create the role, or correct the name in a new binding.

    Scenario: every binding of the cluster
      Given the roles and bindings of the cluster
      Then every role that a binding of joining machines, nodes or strangers names exists

  @RBAC-018 @MUST
  Rule: Tokens carry a group that RBAC lets join

    Why: a group that differs by one segment looks right, and every join with it ends with 403. So does one with
    half of the rights.
    Repair: set auth-extra-groups of the token to the group that the binding names, for example
    system:bootstrappers:kubeadm:default-node-token.

    Scenario: every bootstrap token that carries groups
      Given the roles and bindings of the cluster
      Then RBAC opens something to the groups of every bootstrap token

  @RBAC-019 @MAY
  Rule: A cluster that kubeadm did not make may use other names

    Why: role and effect count, not the name of the binding.
    Repair: bind a group below "system:bootstrappers" to the ClusterRole "system:node-bootstrapper".

    Scenario: every binding to the bootstrapper role
      Given the roles and bindings of the cluster
      Then every binding to the ClusterRole "system:node-bootstrapper" binds bootstrappers, machines or users, whatever its name

  @RBAC-020 @MUST
  Rule: Bootstrappers are bound to nothing beyond joining

    Why: every grant to them is a grant to whoever gets hold of a token.
    Repair: delete the binding, or give the permission to an identity of its own.

    Scenario: every binding that names a bootstrap group or token
      Given the roles and bindings of the cluster
      Then bootstrappers are bound only to these roles:
        | role                                                                         |
        | ClusterRole system:node-bootstrapper                                         |
        | ClusterRole system:certificates.k8s.io:certificatesigningrequests:nodeclient |
        | ClusterRole kubeadm:get-nodes                                                |
        | Role kube-system/kubeadm:kubelet-config                                      |
        | Role kube-system/kubeadm:nodes-kubeadm-config                                |
        | Role kube-system/kube-proxy                                                  |
        | Role kube-system/kubeadm:kubeadm-certs                                       |

  @RBAC-021 @MUST
  Rule: Strangers are bound to cluster-info and the public URLs only

    Why: whatever strangers may do, the whole network may do.
    Repair: delete the binding.

    Scenario: every binding that names strangers
      Given the roles and bindings of the cluster
      Then strangers are bound only to these roles:
        | role                                                  |
        | ClusterRole system:public-info-viewer                 |
        | Role kube-public/kubeadm:bootstrap-signer-clusterinfo |

    Scenario: what strangers may do altogether
      Given the roles and bindings of the cluster
      Then a stranger holds no permissions but these:
        | verbs | what                                           |
        | get   | /healthz, /livez, /readyz, /version, /version/ |
        | get   | configmaps named cluster-info in kube-public   |

  @RBAC-024 @MAY
  Rule: Joining machines may read the configuration of kube-proxy

    Why: kubeadm join reads it and goes on without it; the whole of kube-system must not come along.
    Repair: the Role "kube-proxy" in kube-system allows "get" on the ConfigMap "kube-proxy" and nothing else.

    Scenario: the Role kube-proxy, where it exists
      Given the roles and bindings of the cluster
      Then the Role "kube-proxy" in "kube-system", where it exists, grants exactly:
        | verbs | resource                    |
        | get   | configmaps named kube-proxy |

  @RBAC-028 @MUST
  Rule: The administrators' group is bound to cluster-admin

    Why: it is how a cluster is repaired when all other bindings are broken.
    Repair: restart kube-apiserver; it repairs its default bindings.

    Scenario: the default binding
      Given the roles and bindings of the cluster
      Then the ClusterRoleBinding "cluster-admin" refers to the ClusterRole "cluster-admin"
      And the ClusterRoleBinding "cluster-admin" binds at least:
        | subject              |
        | Group system:masters |

  @RBAC-029 @MUST
  Rule: The control plane's components are bound to the roles of their names

    Why: with cluster-admin in their place one stolen component credential is the whole cluster.
    Repair: delete the wrong binding and restart kube-apiserver; it makes its default bindings again.

    Scenario Outline: <component>
      Given the roles and bindings of the cluster
      Then the ClusterRoleBinding "<component>" refers to the ClusterRole "<component>"
      And the ClusterRoleBinding "<component>" binds at least:
        | subject          |
        | User <component> |
      And the User "<component>" must not:
        | verbs          | what                                                      |
        | *              | *.*, *.* in kube-system                                   |
        | create         | clusterrolebindings.rbac.authorization.k8s.io             |
        | create         | rolebindings.rbac.authorization.k8s.io in kube-system     |
        | bind, escalate | clusterroles.rbac.authorization.k8s.io                    |
        | impersonate    | users, groups                                             |
        | create         | certificatesigningrequests.certificates.k8s.io/nodeclient |

      Examples:
        | component                      |
        | system:kube-controller-manager |
        | system:kube-scheduler          |

  @P-340 @MUST
  Rule: A role that collects others holds what they hold, and no more

    Why: whoever takes a right out of a role expects it to be gone from everybody.
    Repair: leave clusterrole-aggregation on in --controllers of kube-controller-manager.

    Scenario: a right that is given, changed and taken away
      Given a role that collects another one
      Then the role that collects soon holds the right to get
      When the collected role is to list alone
      Then the role that collects soon holds the right to list
      And the role that collects soon holds no right to get
      When the label of the collected role has another value
      Then the role that collects soon holds no right to list
      When the collected role has its label again
      Then the role that collects soon holds the right to list
      When the collected role loses its label
      Then the role that collects soon holds no right to list
      When the collected role has its label again
      Then the role that collects soon holds the right to list
      When the collected role is deleted
      Then the role that collects soon holds no right to list

    Scenario: a selector behind another one, of several values
      Given a role that collects another one by its second selector
      Then the role that collects soon holds the right to get
      When the label of the collected role has another value
      Then the role that collects soon holds no right to get

    Scenario: a selector that would take the role itself
      Given a role that collects another one, and would collect itself
      Then the role that collects soon holds the right to get
      And the role that collects soon holds no right to list

    Scenario: a selector that leaves some out
      Given a role that collects another one unless it is put aside
      Then the role that collects soon holds the right to get
      When the collected role is from now on put aside
      Then the role that collects soon holds no right to get
      When the collected role is from now on not put aside
      Then the role that collects soon holds the right to get
      When the collected role is from now on never to be collected
      Then the role that collects soon holds no right to get

  @P-365 @MUST
  Rule: A binding stays with the role that it was made for

    Why: whoever may add members to a binding would hand them any role.
    Repair, for makers: refuse every change of roleRef as invalid; a binding to another role is another binding.

    Scenario: an administrator who tries
      Given a user who may write roles and bindings, and nothing else
      Then nobody points the binding of his role to another one, by:
        | a replacement |
        | a patch       |

  @P-544 @MUST
  Rule: A role says what it grants, and a binding to whom, or it is refused

    Why: a binding of an account that could be any, or a role over a path in one namespace, is taken for a grant by whoever
    reads it, and is none, or another.
    Repair, for makers: demand verbs, and either groups with resources or paths, which no role of a namespace has; of
    subjects a name, a known kind and its API group, and of accounts a namespace; of a binding for all namespaces a
    ClusterRole.

    Scenario: as they are written
      Then these roles and bindings are taken:
        | a role                                       |
        | a role over a path                           |
        | a role of a namespace                        |
        | a binding of an account                      |
        | a binding of an account of its own namespace |
      And these roles and bindings are refused:
        | a role to do nothing                            |
        | a role over no API group                        |
        | a role over no resources                        |
        | a role over resources and a path at once        |
        | a role over an API group and a path at once     |
        | a role over a name and a path at once           |
        | a role over a name in no API group              |
        | a role to do nothing to a path                  |
        | a role that collects by no selector             |
        | a role of a namespace over a path               |
        | a binding of an account of no namespace         |
        | a binding of nobody                             |
        | a binding of a kind that nobody is of           |
        | a binding of a group of another API group       |
        | a binding of a user of another API group        |
        | a binding of an account of an API group         |
        | a binding to a role of another API group        |
        | a binding to no role                            |
        | a binding for all namespaces to the role of one |

    Scenario: an account of the same namespace
      Then an account that a binding names without a namespace is that of its own

    Scenario: users of one name in several groups
      Then a user is what a binding names by the groups of each request alone

  @P-450 @MUST
  Rule: What every Pod is given makes nobody a node, an approver or an administrator

    Why: whoever makes a Pod of his own speaks as its namespace's account "default", and whoever is root on one machine as
    kube-proxy; Kubernetes advises strongly against giving all accounts what administrators have.
    Repair: unbind the group or the account, and give the program that needs the right an account of its own; or name who
    has it in the parameter "keepers".

    Scenario: the accounts that Pods have without being given one
      Given the roles and bindings of the cluster
      Then what every Pod is makes nobody a node, an approver or an administrator

  @P-332 @MUST
  Rule: Who may write roles and bindings hands on no more than he holds

    Why: otherwise whoever may make one role is an administrator.
    Repair, for makers: compare the rules that are written, or bound, with those of the writer, unless he may "escalate"
    or "bind".

    Scenario: a user who may make roles and bindings
      Given a user who may write roles and bindings, and nothing else
      Then he may write:
        | a role with what he holds                                |
        | a role with less than he holds                           |
        | a role on a path below one that he holds                 |
        | a role on scales of one kind                             |
        | a role with one of all verbs                             |
        | a role on one of all groups                              |
        | a role on one of all resources                           |
        | a role on one name of those that he holds                |
        | a binding of his own role                                |
        | less into his own role                                   |
        | a part of what he holds into his own role                |
        | another user into the binding of his own role            |
        | a patch of another user into the binding of his own role |
        | an owner of a role that holds more                       |
        | a finalizer of a role that holds more                    |
        | an owner of a binding to view                            |
        | a role of that namespace with what he holds there        |
      And he is forbidden to write:
        | a role with what he holds in one namespace                       |
        | a role of another namespace with what he holds there             |
        | a label by which others collect it onto system:node-bootstrapper |
        | what he holds into a role that collects others no more           |
        | Secrets into his own role                                        |
        | a patch of Secrets into his own role                             |
        | Secrets into a role that has labels                              |
        | a patch of Secrets into a role that has labels                   |
        | a strategic patch of Secrets into his own role                   |
        | a JSON patch of Secrets into his own role                        |
        | Secrets into his own role, applied                               |
        | a role on Secrets, put where there is none                       |
        | Secrets into a role of a namespace                               |
        | a patch of Secrets into a role of a namespace                    |
        | himself into a binding to view                                   |
        | a patch of himself into a binding to view                        |
        | a role on Secrets                                                |
        | a role with what he holds and more                               |
        | a role on all of which he holds one                              |
        | a role on another than he holds                                  |
        | a role on another path                                           |
        | a role on a path above one that he holds                         |
        | a role on a path with another verb                               |
        | a role on a part of what he holds                                |
        | a role on scales of another group                                |
        | a role with one of all verbs on another                          |
        | a role on one of all groups with another verb                    |
        | a role on one of all resources in another group                  |
        | a role on what he holds in another group                         |
        | a role on what he holds in no group, in another one              |
        | a role on every group of what he holds                           |
        | a role on everything of a group                                  |
        | a role that collects others                                      |
        | a binding to system:node-bootstrapper                            |
        | a role with another verb                                         |
        | a role with every verb                                           |
        | a role with the verbs bind and escalate                          |
        | a role on everything                                             |
        | a role on every path                                             |
        | a role on Secrets in a namespace                                 |
        | a binding to cluster-admin                                       |
        | a binding to view                                                |
        | a binding to cluster-admin in a namespace                        |
      And who is forbidden to write a role is told of all that he does not hold

    Scenario: a user who binds what is not there
      Given a user who may write roles and bindings, and nothing else
      Then he may write:
        | a binding of his own role |
      And he finds no role for:
        | a binding to a role that is not there                  |
        | a binding to a role of its namespace that is not there |

    Scenario: a user who may bind whatever role there is, and write none beyond his own rights
      Given a user who may write roles and bindings, and "bind" every role
      Then he may write:
        | a binding to view |
      And he is forbidden to write:
        | a role on Secrets                |
        | a role on Secrets in a namespace |

    Scenario: a user who may bind one role, and no other
      Given a user who may write roles and bindings, and "bind" the role "view"
      Then he may write:
        | a binding to view              |
        | himself into a binding to view |
      And he is forbidden to write:
        | a binding to edit |

    Scenario: a user who may write one role as he likes, and no other
      Given a user who may write roles and bindings, and "escalate" the role "view"
      Then he may write:
        | Secrets into the role view |
      And he is forbidden to write:
        | Secrets into his own role |
        | a role on Secrets         |

    Scenario: a user who may write whatever role he likes, and bind none beyond his own rights
      Given a user who may write roles and bindings, and "escalate" every role
      Then he may write:
        | a role on Secrets |
      And he is forbidden to write:
        | a binding to view          |
        | a binding to cluster-admin |
