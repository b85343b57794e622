Feature: Rights as operators want them

  The documents name bindings; a policy asks who else has what they give, by whatever role and binding.

  @T-05 @MUST
  Rule: Nobody approves serving certificates by a right of home-made names

    Why: core Kubernetes never approves serving certificates; an approver that goes by "selfnodeserver" looks at nothing
    of the names that are asked for.
    Repair: take the right away, and run an approver that compares names and addresses with the Node.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody is approved for serving by a right of his own

  @T-12 @SHOULD
  Rule: Nobody approves for kubelets and clients but who is known

    Why: whoever approves for these signers makes nodes, and users of any name.
    Repair: bind the right to approve to named signers only, or name the approver in the parameter "approvers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody approves for kubelets and clients but whom the policy names

  @T-24 @SHOULD
  Rule: First certificates without a human go to whom the policy names

    Why: whoever has that right gets a certificate in the name of any node.
    Repair: unbind them, or name them in the parameter "joiners"; an empty list means that a human approves each.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody gets his first certificate without a human but whom the policy names

  @P-136 @SHOULD
  Rule: Nobody signs for Kubernetes but its controllers

    Why: whoever may sign, or write the status of a request, puts any certificate there, and others take it.
    Repair: take the right away, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody signs for Kubernetes but whom the policy names

  @P-137 @MUST
  Rule: Nobody writes bootstrap tokens but who is known

    Why: whoever makes a token makes machines join, and whoever changes one takes over those that join with it.
    Repair: bind the right to named people, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody writes bootstrap tokens but whom the policy names

  @P-138 @SHOULD
  Rule: Nobody reads what lets machines join but who is known

    Why: a right to read all Secrets of kube-system is a right to join as any machine, and control plane.
    Repair: name the Secrets in the role, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody reads what lets machines join but whom the policy names

  @P-139 @MUST
  Rule: Nobody writes what joining machines read but who is known

    Why: whoever writes kubelet-config or kubeadm-config decides what the next machine runs, and who writes cluster-info
    whom it believes.
    Repair: take the right away, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody writes what joining machines read but whom the policy names

  @P-140 @SHOULD
  Rule: Nobody makes himself somebody else

    Why: who may impersonate, bind, escalate, or get tokens of the accounts of kube-system is a node or an administrator
    whenever he wants to be.
    Repair: take the right away, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody makes himself somebody else but whom the policy names

  @P-180 @SHOULD
  Rule: Nobody changes what stands before the API but who is known

    Why: a webhook, an admission policy or an APIService hears or refuses what every machine asks for, and a FlowSchema
    makes it wait; Endpoints and DNS say where it is, and ConfigMaps of kube-system who is believed to be it. Without the
    roles and bindings of kubeadm no machine joins.
    Repair: take the right away from people, groups and default accounts, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody changes what stands before the API but whom the policy names

  @P-181 @SHOULD
  Rule: Nobody gets into what the cluster runs but who is known

    Why: Pods of kube-system are root on machines and hold the credentials of controllers; a volume may be the disk of a
    machine, labels of a Node say what comes to it and its status where it is; and controllers wait for who has their Lease.
    Repair: take the right away from people, groups and default accounts, or name who has it in the parameter "keepers".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody gets into what the cluster runs but whom the policy names
      And no group speaks with kubelets but whom the policy names

  @P-141 @SHOULD
  Rule: Who may do everything is known

    Why: a service account of cluster-admin makes administrators of all who make Pods beside it.
    Repair: bind narrower roles, or name who needs it in the parameter "administrators".

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then nobody may do everything but whom the policy names

  @T-16 @MUST
  Rule: No token file lets machines in

    Why: the tokens of a file never end, lie in clear text on every control plane, and take a restart to revoke.
    Repair: use bootstrap tokens; remove --token-auth-file and the bindings of its users.

    Scenario: roles and bindings
      Given the roles and bindings of the cluster
      Then no binding is for the user of a token file
      And the flag "token-auth-file" of kube-apiserver, where it is published, is not given

  @P-19 @MUST
  Rule: The controllers of kube-controller-manager have credentials of their own

    Why: as one user they may write neither signatures nor approvals, and nothing but a log line says so.
    Repair: start kube-controller-manager with --use-service-account-credentials=true.

    Scenario: the flags of the controller manager
      Given kube-controller-manager publishes its flags
      Then the flag "use-service-account-credentials" of kube-controller-manager, where it is published, is "true"

  @T-19 @MUST
  Rule: Roles of a cloud make nodes under names of their own

    Why: a fixed name, or one that somebody chooses, makes every machine of the role the same node, or any.
    Repair: write "system:node:{{EC2PrivateDNSName}}" as the username of the entry in aws-auth.

    Scenario: the ConfigMap aws-auth
      Then aws-auth, where it is there, makes each node under a name of its own

  @T-14 @MUST
  Rule: Ways to join that others read are safe ones

    Why: ConfigMaps are read by many; a token there is everybody's, and a machine that joins without a pin believes
    whoever answers.
    Repair: remove the token, and give the pin of the CA: --discovery-token-ca-cert-hash sha256:….

    Scenario: every ConfigMap of the cluster
      Given every ConfigMap of the cluster
      Then each way to join that one tells is safe

    Scenario: whatever else is read by others
      Then each way to join that another object tells is safe

    Scenario: descriptions of tokens
      Then each way to join that a token is described by is safe

  @P-271 @SHOULD
  Rule: No Secret of another namespace holds a token of the cluster

    Why: whoever reads Secrets there, by a role of that namespace or in a Pod, lets machines join.
    Repair: delete the token and the copy, and give each machine a short token of its own.

    Scenario: every token, looked for in Secrets
      Then no Secret of another namespace holds a token of the cluster

  @P-173 @MUST
  Rule: The controllers that joining needs may do their work

    Why: without their roles no token is signed for, none is cleaned away and nobody signs what kubelets ask for; a
    controller that is refused says so in its own log alone.
    Repair: restart kube-apiserver, which makes the roles and bindings of its controllers again and repairs them, unless
    rbac.authorization.kubernetes.io/autoupdate is "false" there.

    Scenario: who signs cluster-info
      Then the controller "bootstrap-signer" is allowed to:
        | verb             | what       | where       | name         |
        | get, list, watch | secrets    | kube-system |              |
        | get, list, watch | configmaps | kube-public |              |
        | update           | configmaps | kube-public | cluster-info |

    Scenario: who cleans tokens away
      Then the controller "token-cleaner" is allowed to:
        | verb                     | what    | where       |
        | get, list, watch, delete | secrets | kube-system |

    Scenario: who approves and signs requests
      Then the controller "certificate-controller" is allowed to:
        | verb                     | what                                                    | name                                        |
        | get, list, watch, delete | certificatesigningrequests.certificates.k8s.io          |                                             |
        | update                   | certificatesigningrequests.certificates.k8s.io/approval |                                             |
        | update                   | certificatesigningrequests.certificates.k8s.io/status   |                                             |
        | approve, sign            | signers.certificates.k8s.io                             | kubernetes.io/kube-apiserver-client-kubelet |
        | sign                     | signers.certificates.k8s.io                             | kubernetes.io/kubelet-serving               |
        | create                   | subjectaccessreviews.authorization.k8s.io               |                                             |

  @P-370 @MUST
  Rule: Roles and bindings let controllers and administrators do their work

    Why: a role that somebody has cut down, or a binding that is gone, lets no request be approved, no token be signed for
    and nobody repair it with admin.conf; nothing tells of it but the log of a controller.
    Repair: restart kube-apiserver, which adds what its roles and bindings lack; make the others again with
    "kubeadm init phase bootstrap-token" and "kubeadm init phase kubeconfig admin".

    Scenario: controllers that joining needs
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let the controller "bootstrap-signer":
        | verbs            | what                                         |
        | get, list, watch | secrets in kube-system                       |
        | get, list, watch | configmaps in kube-public                    |
        | update           | configmaps named cluster-info in kube-public |
      And roles and bindings let the controller "token-cleaner":
        | verbs                    | what                   |
        | get, list, watch, delete | secrets in kube-system |
      And roles and bindings let the controller "certificate-controller":
        | verbs                    | what                                                                          |
        | get, list, watch, delete | certificatesigningrequests.certificates.k8s.io                                |
        | update                   | certificatesigningrequests.certificates.k8s.io/approval                       |
        | update                   | certificatesigningrequests.certificates.k8s.io/status                         |
        | approve, sign            | signers.certificates.k8s.io named kubernetes.io/kube-apiserver-client-kubelet |
        | sign                     | signers.certificates.k8s.io named kubernetes.io/kubelet-serving               |
        | create                   | subjectaccessreviews.authorization.k8s.io                                     |

    Scenario: who leads the controllers, and who finds places for Pods
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let the user "system:kube-controller-manager":
        | verbs       | what                                                                    |
        | get, update | leases.coordination.k8s.io named kube-controller-manager in kube-system |
        | list, watch | *.*                                                                     |
        | create      | serviceaccounts/token in kube-system                                    |
      And roles and bindings let the user "system:kube-scheduler":
        | verbs            | what                                                           |
        | get, update      | leases.coordination.k8s.io named kube-scheduler in kube-system |
        | get, list, watch | nodes                                                          |
        | get, list, watch | pods                                                           |
        | create           | pods/binding                                                   |

    Scenario: controllers of what runs on machines that join
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let the controller "daemon-set-controller":
        | verbs                              | what            |
        | get, list, watch                   | daemonsets.apps |
        | list, watch                        | nodes           |
        | list, watch, create, delete, patch | pods            |
      And roles and bindings let the controller "node-controller":
        | verbs                            | what         |
        | get, list, update, delete, patch | nodes        |
        | update, patch                    | nodes/status |
        | get, list, delete                | pods         |
      And roles and bindings let the controller "endpointslice-controller":
        | verbs                             | what                            |
        | get, list, watch                  | services                        |
        | get, list, create, update, delete | endpointslices.discovery.k8s.io |
      And roles and bindings let the controller "root-ca-cert-publisher":
        | verbs          | what       |
        | create, update | configmaps |
      And roles and bindings let the controller "service-account-controller":
        | verbs  | what            |
        | create | serviceaccounts |

    Scenario: kubelets that ask without a credential whether the API server lives
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let strangers:
        | verbs | what            |
        | get   | /livez, /readyz |

    @since:1.29
    Scenario: administrators
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings let the group "kubeadm:cluster-admins":
        | verbs | what |
        | *     | *.*  |

  @P-387 @SHOULD
  Rule: The API server's own roles and bindings give no more than Kubernetes gives by them

    Why: they are those that nobody looks at: what is added to the role of a controller, or to a binding of everybody, stays
    there at every start and every upgrade.
    Repair: take the rule or subject that is named out of the role or binding; give a role of your own to those who need it.

    @since:1.31 @until:1.36
    Scenario: every role and binding that it makes
      Given the roles and bindings of a cluster that kubeadm has set up
      Then roles and bindings of the API server itself give no more than Kubernetes does

  @P-284 @SHOULD
  Rule: ClusterRoles that collect others hold their rules

    Why: without its controller nobody gets the rights that a new role was to add, "admin", "edit" and "view" of a new
    cluster give none at all, and what was written by hand into one of them stays.
    Repair: start kube-controller-manager without -clusterrole-aggregation-controller; write rules into a role of their
    own, with the label that is collected.

    Scenario: every ClusterRole that collects others
      Then each ClusterRole holds the rules that it collects
