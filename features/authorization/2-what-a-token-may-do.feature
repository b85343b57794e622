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

    Scenario: a binding that lost its subject
      Given a cluster that kubeadm has set up
      And a cluster of ours whose controller manager has no key of the CA
      And its ClusterRoleBinding "kubeadm:kubelet-bootstrap" has lost its subjects
      When the bootstrap-token phase of init runs again
      Then its ClusterRoleBinding "kubeadm:kubelet-bootstrap" binds "Group system:bootstrappers:kubeadm:default-node-token" again

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

  @RBAC-025 @MUST
  Rule: The API server enforces RBAC

    Why: with AlwaysAllow every accepted credential is an administrator's.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC, or name an RBAC authorizer in the file of
    --authorization-config.

    Scenario: nobody may do what nobody granted
      Then a user whom nobody knows is not allowed to:
        | verb   | what                                          | where       |
        | delete | nodes                                         |             |
        | list   | secrets                                       | kube-system |
        | create | clusterrolebindings.rbac.authorization.k8s.io |             |
      And the flag "authorization-mode" of kube-apiserver, where it is published, has "RBAC" and has not "AlwaysAllow"

  @RBAC-026 @MUST
  Rule: The Node authorizer is in use

    Why: without it nodes need a role for all of them, and each can read every Secret.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC and remove the subjects of the
    ClusterRoleBinding "system:node".

    Scenario: a node may do for itself what RBAC grants to nobody
      Given the roles and bindings of the cluster
      Then the ClusterRoleBinding "system:node" binds nobody
      And nodes are allowed to:
        | verb   | what  |
        | create | nodes |
      And the flag "authorization-mode" of kube-apiserver, where it is published, has "Node" and has not "AlwaysAllow"

  @RBAC-027 @MUST
  Rule: TLS and RBAC are both in force

    Why: one without the other is open: TLS lets everybody in who has a credential, RBAC over plain HTTP shows
    credentials to the network.
    Repair: serve on the secure port only, with --authorization-mode=Node,RBAC.

    Scenario: HTTPS, and no permission that nobody granted
      Then the API server is reached over TLS
      And a user whom nobody knows is not allowed to:
        | verb | what    | where       |
        | list | secrets | kube-system |

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
