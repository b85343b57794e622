Feature: Asking about others, and in their name

  Kubelets and extension API servers do not know tokens; they ask the API server about them. Proxies and tools of people
  know who stands behind a request; they ask in that name, if they may.

  @P-330 @MUST @since:1.28
  Rule: A review says of a token what a login with it comes to

    Why: whoever asks by a TokenReview lets in whom it names; a word more, and a kubelet is open to everybody.
    Repair, for makers: ask the authenticators of the API server, for its own audiences where none is named, and take
    nothing from a status that comes along.

    Scenario: a bootstrap token
      Given a bootstrap token of the group that kubeadm binds
      Then a review tells who logs in with it

    Scenario: a token of a service account
      Given a token of a service account that logs in
      Then a review tells who logs in with it

    Scenario: for whom it is
      Given a bootstrap token of the group that kubeadm binds
      Then a review tells of the audiences that it was asked about those that it is for

    Scenario: for whom a token of a service account is
      Given a token of a service account that logs in
      Then a review tells of the audiences that it was asked about those that it is for

    Scenario: for whom a token of two audiences is
      Given a token of a service account that logs in
      Then a review of one for two audiences tells of the one that it was asked about

    Scenario: what is no token
      Given a bootstrap token of the group that kubeadm binds
      Then a review tells of nobody, asked about:
        | its id and another secret half                                    |
        | its id and another secret half, with a status that says who it is |
        | its secret half and another id                                    |
        | its secret half alone                                             |
        | a word                                                            |
        | a token of a service account that nobody has signed               |
        | it, for another audience                                          |

    Scenario: tokens that log nobody in
      Given a good bootstrap token, and one for each of these lines:
        | expiration | usage-bootstrap-authentication | auth-extra-groups |
        | 1 hour ago |                                |                   |
        |            | false                          |                   |
        |            |                                | system:masters    |
      Then a review tells who logs in with the good one, and of nobody for the others

  @P-509 @MUST
  Rule: A review of rights answers a question that is whole, and refuses every other

    Why: kubelets, extension API servers and the approver of certificates ask what somebody may do; an answer to a question
    that names nobody, or another namespace than it is asked in, is taken for leave.
    Repair, for makers: demand a user or a group, either a resource or a path, and in a namespace that namespace.

    Scenario: who may do what
      Then a review of rights is answered that asks:
        | about a user             |
        | about a group alone      |
        | about a path             |
        | about oneself            |
        | in a namespace, about it |
      And a review of rights is refused that asks:
        | about nobody                        |
        | about a UID alone                   |
        | about nothing                       |
        | about a resource and a path         |
        | under a name                        |
        | about nothing that one does oneself |
        | in a namespace, about another       |
        | in a namespace, about all           |
        | in a namespace, about a path        |

    Scenario: whose rights count
      Then a review of rights allows what is asked:
        | about a group alone                  |
        | about oneself, of what everybody may |
      And a review of rights does not allow what is asked:
        | about a user in no group, of what everybody may |
        | about oneself, of what others may               |

  @P-564 @SHOULD
  Rule: A review says again what it asks, and why the answer is so

    Why: an administrator whose node is refused looks for the reason there; whoever asks about many tells the answers by
    what they say was asked.
    Repair, for makers: answer with the specification as it came, and with the reasons of all authorizers, one to a line.

    Scenario: what is asked
      Then a review says again what it asks:
        | about a user                  |
        | about a group alone           |
        | about a path                  |
        | in a namespace, about it      |
        | about oneself                 |
        | about a token that nobody has |
      And a review of no token is refused

    @since:1.28
    Scenario: when it is asked
      Then a review of who one is says when it was asked

    Scenario: why a node may not
      Then a review of a node says why it may not:
        | verb   | what                             | where           | name      | why                                                                  |
        | get    | secrets                          | default         | jp-absent | no relationship found between node 'jp-node' and this object         |
        | list   | configmaps                       | default         |           | No Object name found                                                 |
        | update | secrets                          | default         | jp-absent | can only read resources of this type                                 |
        | get    | secrets/joinproof                | default         | jp-absent | cannot read subresource                                              |
        | get    | configmaps/status                | default         | jp-absent | cannot read subresource                                              |
        | get    | secrets                          |                 | jp-absent | can only read namespaced object of this type                         |
        | list   | persistentvolumes                |                 |           | can only get individual resources of this type                       |
        | get    | persistentvolumes/status         |                 | jp-absent | cannot get subresource                                               |
        | get    | persistentvolumeclaims/status    | default         | jp-absent | can only get/update/patch this type                                  |
        | get    | volumeattachments.storage.k8s.io |                 | jp-absent | no relationship found between node 'jp-node' and this object         |
        | create | serviceaccounts/token            | default         |           | can only create tokens for individual service accounts               |
        | create | serviceaccounts/joinproof        | default         | jp-absent | can only create token subresource of serviceaccount                  |
        | create | serviceaccounts/token            | default         | jp-absent | no relationship found between node 'jp-node' and this object         |
        | list   | leases.coordination.k8s.io       | kube-node-lease |           | can only get, create, update, patch, or delete a node lease          |
        | get    | leases.coordination.k8s.io       | kube-system     | jp-node   | can only access leases in the "kube-node-lease" system namespace     |
        | get    | leases.coordination.k8s.io       | kube-node-lease | jp-other  | can only access node lease with the same name as the requesting node |
        | list   | csinodes.storage.k8s.io          |                 |           | can only get, create, update, patch, or delete a CSINode             |
        | get    | csinodes.storage.k8s.io/status   |                 | jp-node   | cannot authorize CSINode subresources                                |
        | get    | csinodes.storage.k8s.io          |                 | jp-other  | can only access CSINode with the same name as the requesting node    |
        | delete | nodes                            |                 | jp-node   |                                                                      |
        | get    | pods/log                         | default         | jp-absent |                                                                      |

    @since:1.32
    Scenario: why a node may not look at others
      Then a review of a node says why it may not:
        | verb | what  | where   | name      | why                                                             |
        | list | nodes |         |           | node 'jp-node' cannot read all nodes, only its own Node object  |
        | get  | nodes |         | jp-other  | node 'jp-node' cannot read 'jp-other', only its own Node object |
        | list | pods  |         |           | can only list/watch pods with spec.nodeName field selector      |
        | list | pods  | default | jp-absent | no relationship found between node 'jp-node' and this object    |
        | get  | pods  | default | jp-absent | no relationship found between node 'jp-node' and this object    |

    @since:1.34
    Scenario: why a node may not look at devices
      Then a review of a node says why it may not:
        | verb  | what                                  | where | name      | why                                                                                                                         |
        | get   | resourceslices.resource.k8s.io/status |       | jp-absent | cannot authorize ResourceSlice subresources                                                                                 |
        | list  | resourceslices.resource.k8s.io        |       |           | can only list/watch/deletecollection resourceslices with nodeName field selector                                            |
        | get   | resourceslices.resource.k8s.io        |       | jp-absent | no relationship found between node 'jp-node' and this object                                                                |
        | proxy | resourceslices.resource.k8s.io        |       | jp-absent | only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection |

    Scenario: who may
      Then a review says which binding lets somebody in

    Scenario: reasons of two authorizers
      Given a node that a role is bound to which nobody has
      Then a review of that node says why neither authorizer lets it

  @P-331 @MUST @since:1.28
  Rule: Whoever asks in the name of others may do so for each part of it

    Why: with one part that nobody asks about a helper of people becomes an administrator, or a node.
    Repair: name users, groups, UIDs and keys of extra in the roles that grant "impersonate".
    Repair, for makers: ask the authorizer about the user, every group, the UID and every value of extra.

    Scenario: a user who may speak for one user, one group, one UID, one value of extra and one account
      Given a user who may ask in the name of others
      Then who asks in these names is just that:
        | the user                                                               |
        | the user in the group                                                  |
        | the user in both groups                                                |
        | the user with the UID                                                  |
        | the user with the value of extra                                       |
        | the user with both values of extra                                     |
        | the user with the value of extra, of a key that is written in percents |
        | the account                                                            |
        | the account in the group                                               |
      And it is forbidden to ask in these names:
        | another user                                         |
        | the user in another group                            |
        | the user in the group system:masters                 |
        | the user in the group and system:masters             |
        | the user in another group and the group              |
        | the user in both groups and three others             |
        | the user in the group, with another UID              |
        | the user with another UID                            |
        | the user with another value of extra                 |
        | the user with the value of extra and another one     |
        | the user with the value of extra, and of another key |
        | the user with another key of extra                   |
        | the account in another group                         |
        | the account in the group system:masters              |
        | the account with another UID                         |
        | the account with another value of extra              |
        | another account                                      |
        | the account of another namespace                     |
        | a node                                               |
      And who asks in the name of a stranger is one

  @P-548 @MUST @since:1.36
  Rule: Whoever asks in the name of others in some requests does so in no others

    Why: a helper that may ask one thing in the name of a user is given to more people than an administrator; asked for in
    every request, or of nodes, it is one.
    Repair: grant "impersonate:<kind>" with "impersonate-on:<kind>:<verb>", and "impersonate" to nobody who needs less.
    Repair, for makers: ask the authorizer about the request, too; take no node for a user, and nobody for an
    administrator.

    Scenario: a user who may speak for one user, one group, one UID, one value of extra, one account and one node
      Given a user who may ask in the name of others who he is, and nothing else
      Then who asks in these names is just that:
        | the user                                                               |
        | the user in the group                                                  |
        | the user with the UID                                                  |
        | the user with the value of extra, of a key that is written in percents |
        | the account                                                            |
        | the node                                                               |
      And it is forbidden to ask in these names:
        | another user                         |
        | the user in another group            |
        | the user in the group system:masters |
        | the user with another UID            |
        | the user with the value of extra     |
        | the account in the group             |
        | another account                      |
        | the account of another namespace     |
        | the node in the group                |
        | another node                         |
        | a node                               |
      And it is forbidden to ask in the name of the user:
        | for what he may do          |
        | whether he may do something |
        | which versions there are    |
