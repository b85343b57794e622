Feature: What a bootstrap token may do

  A joining machine reads three ConfigMaps, looks for its Node's name and asks for a certificate. The API server enforces that,
  and answers what nobody granted with 403.

  @RBAC-013 @MUST
  Rule: A token may look for a Node's name

    Why: kubeadm join refuses a name that a Ready node has; without the permission it stops before anything else.
    Repair: run "kubeadm init phase bootstrap-token"; it makes the role and the binding "kubeadm:get-nodes".

    Scenario: the API server's opinion
      Then joining tokens are allowed to:
        | verb | what  |
        | get  | nodes |

    Scenario: a name that no Node has
      Given a bootstrap token of the group that kubeadm binds
      Then its bearer is told that there is no Node of a name that none has

  @RBAC-016 @MUST
  Rule: Setting the roles up again repairs what has drifted

    Why: a rerun that takes "it exists" for success keeps a broken binding broken.
    Repair, for makers: let the setup create or update every role and binding.

    Scenario: every role and binding of the phase has drifted
      Given a cluster that kubeadm has set up
      And a cluster of ours whose controller manager has no key of the CA
      And there somebody has changed:
        | object                                                           | change                  |
        | ClusterRoleBinding kubeadm:kubelet-bootstrap                     | binds nobody            |
        | ClusterRoleBinding kubeadm:node-autoapprove-bootstrap            | binds everybody as well |
        | ClusterRoleBinding kubeadm:node-autoapprove-certificate-rotation | binds nobody            |
        | ClusterRoleBinding kubeadm:get-nodes                             | binds everybody as well |
        | ClusterRole kubeadm:get-nodes                                    | grants Secrets as well  |
        | Role kube-public/kubeadm:bootstrap-signer-clusterinfo            | grants nothing          |
        | RoleBinding kube-public/kubeadm:bootstrap-signer-clusterinfo     | binds nobody            |
      When the bootstrap-token phase of init runs again
      Then each of them is as it was before

  @RBAC-017 @MUST
  Rule: Automatic approval is a permission, not an address

    Why: the approver asks the authorizer; the path that document 002 prints has no version and is no endpoint
    (erratum), so no POST proves anything.
    Repair: judge by SubjectAccessReview; bind the nodeclient and selfnodeclient roles.

    Scenario: first certificates
      Then joining tokens are allowed to:
        | verb   | what                                                      |
        | create | certificatesigningrequests.certificates.k8s.io/nodeclient |

    Scenario: renewals
      Then nodes that joined with kubeadm are allowed to:
        | verb   | what                                                          |
        | create | certificatesigningrequests.certificates.k8s.io/selfnodeclient |

  @RBAC-022 @MUST
  Rule: A token may read the kubelet's configuration

    Why: kubeadm join downloads it with the token.
    Repair: run "kubeadm init phase upload-config kubelet"; the Role "kubeadm:kubelet-config" names the bootstrap
    group and system:nodes.

    Scenario: the API server's opinion
      Then joining tokens are allowed to:
        | verb | what       | where       | name           |
        | get  | configmaps | kube-system | kubelet-config |

    Scenario: the real request
      Given a bootstrap token of the group that kubeadm binds
      Then its bearer reads the ConfigMap "kubelet-config" in "kube-system"

  @RBAC-023 @MUST
  Rule: A token may read the cluster's configuration

    Why: kubeadm join downloads it with the token.
    Repair: run "kubeadm init phase upload-config kubeadm"; the Role "kubeadm:nodes-kubeadm-config" names the
    bootstrap group and system:nodes.

    Scenario: the API server's opinion
      Then joining tokens are allowed to:
        | verb | what       | where       | name           |
        | get  | configmaps | kube-system | kubeadm-config |

    Scenario: the real request
      Given a bootstrap token of the group that kubeadm binds
      Then its bearer reads the ConfigMap "kubeadm-config" in "kube-system"

    Scenario: nodes, which are upgraded by it
      Then nodes that joined with kubeadm are allowed to:
        | verb | what       | where       | name           |
        | get  | configmaps | kube-system | kubeadm-config |

  @RBAC-025 @MUST
  Rule: The API server enforces RBAC

    Why: with AlwaysAllow every accepted credential is an administrator's.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC, or name an RBAC authorizer in the file of
    --authorization-config.

    Scenario: nobody may do what nobody granted
      Then a user whom nobody knows is not allowed to:
        | verb                             | what                                                    | where       |
        | *, get, list, create             | *.*                                                     |             |
        | get, list, watch, create, delete | secrets                                                 | kube-system |
        | update, patch, deletecollection  | secrets                                                 | kube-system |
        | create, update, patch, delete    | nodes                                                   |             |
        | create                           | pods                                                    | kube-system |
        | create                           | pods/exec, serviceaccounts/token                        | kube-system |
        | create, bind, escalate           | clusterroles.rbac.authorization.k8s.io                  |             |
        | create, bind, escalate           | clusterrolebindings.rbac.authorization.k8s.io           |             |
        | impersonate                      | users, groups, serviceaccounts                          |             |
        | approve, sign                    | signers.certificates.k8s.io                             |             |
        | create, update                   | certificatesigningrequests.certificates.k8s.io          |             |
        | create, update                   | certificatesigningrequests.certificates.k8s.io/approval |             |
        | get                              | /metrics, /logs/, /debug/pprof/, /versionx, /apix       |             |
        | post, put, delete, *             | /api, /version                                          |             |
      And the flag "authorization-mode" of kube-apiserver, where it is published, has "RBAC" and has not "AlwaysAllow"

    Scenario: what is granted by a name is granted for that name
      Given a user who may get, list and watch one ConfigMap by its name
      Then that user may:
        | get it              |
        | list it by its name |
      And that user is forbidden to:
        | get another one                          |
        | get one of its name in another namespace |
        | list another one by its name             |
        | list all of its namespace                |
        | list all but it                          |
        | watch all of its namespace               |
        | delete it                                |

    Scenario Outline: who may <verb> may not do what is done otherwise
      Given a user who may <verb> the ConfigMaps of a namespace, and nothing else
      Then that user may:
        | <own> |
      And that user is forbidden to:
        | <first>  |
        | <second> |
        | <third>  |

      Examples:
        | verb             | own                         | first                     | second                      | third                       |
        | get              | get it                      | list all of its namespace | watch all of its namespace  | delete it                   |
        | list             | list all of its namespace   | get it                    | watch all of its namespace  | delete all of its namespace |
        | watch            | watch all of its namespace  | get it                    | list all of its namespace   | delete it                   |
        | delete           | delete it                   | get it                    | delete all of its namespace | list all of its namespace   |
        | deletecollection | delete all of its namespace | delete it                 | list all of its namespace   | get it                      |

    Scenario: what is granted is not granted for another group, verb or part of it
      Then a user whom nobody knows is not allowed to:
        | verb                      | what                                                 | where |
        | create                    | selfsubjectaccessreviews.authentication.k8s.io       |       |
        | create                    | selfsubjectaccessreviews.authorization.k8s.io/status |       |
        | get, list, update, delete | selfsubjectaccessreviews.authorization.k8s.io        |       |

    Scenario: what is changed counts as changed
      Then what a user may do is what his role and his binding say, after each of:
        | change                                  | get | list |
        | a role to get, and a binding            | yes | no   |
        | the role is to list as well             | yes | yes  |
        | the role is to list alone               | no  | yes  |
        | the role is to do nothing               | no  | no   |
        | the role is to get again                | yes | no   |
        | the binding is of somebody else         | no  | no   |
        | the binding is of somebody else and him | yes | no   |
        | the role is deleted                     | no  | no   |
        | the role is made again, to list         | no  | yes  |
        | the binding is deleted                  | no  | no   |

    Scenario: what is granted is granted word by word
      Given a user, a group and an account with rights of many words
      Then RBAC lets the user do:
        | verb   | what                                                 | where       | name     |
        | get    | services                                             | kube-system | jp       |
        | update | deployments.apps                                     | kube-system | jp       |
        | delete | leases.coordination.k8s.io                           | kube-system | jp       |
        | get    | deployments.apps/scale                               | kube-system | jp       |
        | get    | nodes/status                                         |             | jp       |
        | patch  | configmaps                                           | kube-system | jp-one   |
        | create | pods/eviction                                        | kube-system | jp       |
        | create | serviceaccounts/token                                | kube-system | jp-one   |
        | patch  | daemonsets.apps                                      | kube-system | jp-two   |
        | patch  | jobs.batch                                           | kube-system | jp-three |
        | get    | /joinproof, /joinproof-below/a                       |             |          |
        | get    | /joinproof-from, /joinproof-from/a, /joinproof-fromx |             |          |
        | list   | secrets                                              | default     |          |
      And RBAC lets a member of the group do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC lets a member of it and others do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC lets a user of a name between blanks do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
      And RBAC lets the account do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC lets an account of its name elsewhere do:
        | verb | what        | where   | name |
        | list | limitranges | default |      |
      And RBAC does not let the user do:
        | verb                               | what                                                     | where       | name   |
        | list, watch, patch, update, delete | services                                                 | kube-system |        |
        | get                                | services/status, services/proxy                          | kube-system | jp     |
        | get                                | services.joinproof.example                               | kube-system | jp     |
        | get                                | services.apps, servicesx, service                        | kube-system | jp     |
        | patch, get, list, create           | deployments.apps                                         | kube-system | jp     |
        | update                             | deployments, deployments.apps/status, daemonsets.apps    | kube-system | jp     |
        | deletecollection                   | leases.coordination.k8s.io                               | kube-system |        |
        | get                                | deployments.apps                                         | kube-system | jp     |
        | get                                | replicationcontrollers/scale                             | kube-system | jp     |
        | get                                | pods, pods/log, pods/status                              | kube-system | jp     |
        | get                                | nodes, nodes/proxy                                       |             | jp     |
        | create                             | serviceaccounts/token                                    | kube-system | jp-two |
        | create                             | serviceaccounts/token                                    | kube-system |        |
        | patch                              | configmaps                                               | kube-system | jp-two |
        | patch                              | configmaps                                               | kube-system |        |
        | create                             | pods, pods/exec                                          | kube-system | jp     |
        | get                                | /joinproof/, /joinproofx, /joinproof/a, /joinproof-below |             |        |
        | get                                | /joinproof-fro, /joinproof-belowx                        |             |        |
        | get                                | /joinproof-inside                                        |             |        |
        | post, put, *                       | /joinproof                                               |             |        |
        | list                               | secrets                                                  | kube-system |        |
        | list                               | secrets                                                  |             |        |
        | get, watch                         | secrets                                                  | default     |        |
      And RBAC does not let a user of a Role of the name of a ClusterRole do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
      And RBAC does not let a user of that name without them do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC does not let a user of the name of the group do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC does not let an account of its name elsewhere do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC does not let him who was a member do:
        | verb | what     | where   | name |
        | get  | services | default | jp   |
        | list | secrets  | default |      |
      And RBAC does not let the account do:
        | verb | what        | where   | name |
        | list | limitranges | default |      |

    Scenario Outline: the user "<user>" in the group "<group>" is nobody
      Then the user "<user>" in the group "<group>" is not allowed to:
        | verb        | what                                                      | where       |
        | list        | secrets                                                   | kube-system |
        | create, get | certificatesigningrequests.certificates.k8s.io            |             |
        | create      | certificatesigningrequests.certificates.k8s.io/nodeclient |             |
        | create      | clusterrolebindings.rbac.authorization.k8s.io             |             |
        | get         | nodes                                                     |             |

      Examples:
        | user                                            | group                                              |
        | system:masters                                  | jp-nobody                                          |
        | jp-nobody                                       | system:mastersx                                    |
        | jp-nobody                                       | System:Masters                                     |
        | jp-nobody                                       | cluster-admin                                      |
        | jp-nobody                                       | system:kube-controller-manager                     |
        | system:nodes                                    | jp-nobody                                          |
        | system:bootstrappers:kubeadm:default-node-token | jp-nobody                                          |
        | jp-nobody                                       | system:bootstrappers:kubeadm:default-node-token:jp |
        | jp-nobody                                       | system:bootstrappers:kubeadm:default-node          |
        | jp-nobody                                       | system:bootstrappers:kubeadm:Default-Node-Token    |

  @P-390 @MUST
  Rule: A request takes the right to what it does, and no other

    Why: roles of kubelets, signers and joining machines name verbs; a watch that passes for a list, or a change that makes
    what is not there, opens what nobody has granted.
    Repair, for makers: take the verb from method, path and query; ask for "create" as well where a change makes an object.

    Scenario: every way to ask, of users who hold one verb each
      Given a ConfigMap and a Lease of one name
      Then who may do this with both in their namespace is let through to just that:
        | verbs            | requests                                                   |
        | get              | get it                                                     |
        | list             | list all, list it by its name                              |
        | watch            | watch all, watch it by its name, watch all by the old path |
        | create           | make one                                                   |
        | update           | replace it                                                 |
        | patch            | patch it, apply it                                         |
        | delete           | delete it                                                  |
        | deletecollection | delete all                                                 |
        | create, update   | make one, replace it, put a Lease that is not there        |
        | create, patch    | make one, patch it, apply it, apply one that is not there  |

  @RBAC-026 @MUST
  Rule: The Node authorizer is in use

    Why: without it nodes need a role for all of them, and each can read every Secret.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and remove the subjects of the
    ClusterRoleBinding "system:node".

    Scenario: a node may do for itself what RBAC grants to nobody
      Given the roles and bindings of the cluster
      Then the ClusterRoleBinding "system:node" binds nobody
      And nodes are allowed to:
        | verb                       | what                                           | where           | name    |
        | create, update, patch      | nodes                                          |                 |         |
        | update, patch              | nodes/status                                   |                 | jp-node |
        | get, update, patch, delete | leases.coordination.k8s.io                     | kube-node-lease | jp-node |
        | create                     | events                                         | default         |         |
        | create                     | certificatesigningrequests.certificates.k8s.io |                 |         |
      And the flag "authorization-mode" of kube-apiserver, where it is published, has "Node" and has not "AlwaysAllow"

  @RBAC-027 @MUST
  Rule: TLS and RBAC are both in force

    Why: one without the other is open: TLS lets everybody in who has a credential, RBAC over plain HTTP shows
    credentials to the network.
    Repair: serve on the secure port only, with --authorization-mode=Node,RBAC.

    Scenario: no plain HTTP on the port of the API server
      Then the API server is reached over TLS
      And the API server answers no request that came without TLS

    Scenario: HTTPS, and no permission that nobody granted
      Then the API server is reached over TLS
      And a user whom nobody knows is not allowed to:
        | verb | what    | where       |
        | list | secrets | kube-system |

  @P-360 @MUST
  Rule: Everybody is told of his own rights, all of them

    Why: people and programs ask before they try; who is told too little gives up, and who audits sees too little.
    Repair, for makers: list the rules of every binding that reaches the asker, cluster-wide and of the namespace.

    Scenario: rights of many words, cluster-wide and in one namespace
      Given a user, a group and an account with rights of many words
      Then each of these is told in "default" all that RBAC lets him do there:
        | the user              |
        | a member of the group |
        | the account           |
      And each of these is told in "kube-system" all that RBAC lets him do there:
        | the user              |
        | a member of the group |
        | the account           |

    Scenario: rights that are not those of RBAC alone
      Then who asks for his rights is told whether there may be others:
        | who                      | others |
        | a node                   | true   |
        | a user who has logged in | false  |
      And nobody is told of his rights in no namespace

  @RBAC-030 @MUST
  Rule: A bootstrap token holds what joining needs and nothing else

    Why: a stolen token must serve no other purpose; a grant to all authenticated users reaches its bearer as well.
    Document 004 says
    that a token never reads kubeadm-certs (erratum): a machine that joins the control plane does.
    Repair: delete the binding that is named, or give its permission to a narrower subject.

    Scenario: all permissions of a joining token together, whoever gave them
      Given the roles and bindings of the cluster
      Then a joining token holds these permissions, the needed ones where kubeadm has set the cluster up, and no other:
        | verbs                    | what                                                      | needed | because                      |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io            | needed | asks for its certificate     |
        | create                   | certificatesigningrequests.certificates.k8s.io/nodeclient |        | is approved automatically    |
        | get                      | nodes                                                     | needed | sees whether a name is taken |
        | get                      | configmaps named kubelet-config in kube-system            | needed | configures the kubelet       |
        | get                      | configmaps named kubeadm-config in kube-system            | needed | learns of the cluster        |
        | get                      | configmaps named kube-proxy in kube-system                |        | learns of kube-proxy         |
        | get                      | secrets named kubeadm-certs in kube-system                |        | joins a control plane        |
        | create                   | selfsubjectaccessreviews.authorization.k8s.io             |        | has logged in                |
        | create                   | selfsubjectrulesreviews.authorization.k8s.io              |        | has logged in                |
        | create                   | selfsubjectreviews.authentication.k8s.io                  |        | has logged in                |
        | get                      | /api, /api/*, /apis, /apis/*, /openapi, /openapi/*        |        | has logged in                |
        | get                      | /healthz, /livez, /readyz, /version, /version/            |        | has logged in                |

    Scenario: all that the API server itself lists of a joining token
      Given a bootstrap token that may join, in real requests
      Then the API server lists no permissions of its bearer but:
        | verbs                    | what                                                      |
        | create, get, list, watch | certificatesigningrequests.certificates.k8s.io            |
        | create                   | certificatesigningrequests.certificates.k8s.io/nodeclient |
        | get                      | nodes                                                     |
        | get                      | configmaps named kubelet-config in kube-system            |
        | get                      | configmaps named kubeadm-config in kube-system            |
        | get                      | configmaps named kube-proxy in kube-system                |
        | get                      | secrets named kubeadm-certs in kube-system                |
        | create                   | selfsubjectaccessreviews.authorization.k8s.io             |
        | create                   | selfsubjectrulesreviews.authorization.k8s.io              |
        | create                   | selfsubjectreviews.authentication.k8s.io                  |
        | get                      | /api, /api/*, /apis, /apis/*, /openapi, /openapi/*        |
        | get                      | /healthz, /livez, /readyz, /version, /version/            |

    Scenario: what nobody but an administrator has
      Given every bootstrap group of the cluster, in reviews
      Then none of these is allowed:
        | verb                         | what                                                          | where       | name           |
        | *, get, list, create, delete | *.*                                                           |             |                |
        | *                            | certificatesigningrequests.certificates.k8s.io, nodes         |             |                |
        | *, create                    | configmaps, secrets                                           | kube-system |                |
        | get, list                    | namespaces, events, persistentvolumes                         |             |                |
        | create, delete               | namespaces                                                    |             | kube-system    |
        | create                       | certificatesigningrequests.certificates.k8s.io/selfnodeclient |             |                |
        | get                          | nodes.metrics.k8s.io, nodes.jp.invalid                        |             |                |
        | create                       | certificatesigningrequests.jp.invalid                         |             |                |
        | get                          | configmaps.jp.invalid                                         | kube-system | kubelet-config |
        | create                       | tokenreviews.authentication.k8s.io                            |             |                |
        | create                       | subjectaccessreviews.authorization.k8s.io                     |             |                |
        | get                          | /metrics, /logs/, /debug/pprof/, /versionx, /apix             |             |                |
        | post, put, delete, *         | /api, /version                                                |             |                |
