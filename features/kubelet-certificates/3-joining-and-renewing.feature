Feature: A machine joins, and renews

  The machine's steps in their order, as a kubelet takes them: ask with the token, wait, fetch, and from then on be the node.
  Later the node asks again in its own name, before its certificate ends.

  @BOOT-008 @MUST
  Rule: The bootstrap runs in order

    Why: each step needs what the one before it gave.
    Repair: see the step that is named.

    Scenario: from the token to the Node
      Given a cluster that kubeadm has set up
      And a machine with a bootstrap token
      Then the machine is forbidden to register its Node with the token
      When the machine bootstraps
      Then it is given its certificate
      And the machine registers its Node
      And the cluster shows that it asked, was approved and registered its Node, in this order

  @BOOT-011 @MUST
  Rule: From then on the token is not needed

    Why: a node that still needs its token dies with it.
    Repair: let the kubelet's kubeconfig name its certificate, not the token.

    Scenario: the token is gone before the Node registers
      Given a cluster that kubeadm has set up
      And a machine with a bootstrap token
      And the machine has bootstrapped
      When that token is deleted and the API server has forgotten it
      Then the token is refused as unauthorized
      And the machine registers its Node
      And the machine may report the state of its Node
      And the machine is given its next certificate

  @BOOT-012 @MUST
  Rule: Then it is a node

    Why: that is what joining is for.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: a Node that reports, and a Pod that is bound to it
      Given a cluster that kubeadm has set up
      And a machine with a bootstrap token
      And the machine has bootstrapped
      When the machine registers its Node
      Then the machine may report the state of its Node
      When a Pod is bound to its Node
      Then the machine sees that Pod
      And the machine may report that the Pod runs

  @BOOT-014 @MUST
  Rule: Until then it may ask for its certificate and little else

    Why: a machine that has not been let in must not act as if it had.
    Repair: take the bootstrap groups out of the binding that grants it.

    Scenario: with the token alone
      Given a bootstrap token that may join, in real requests
      Then none of these is allowed:
        | verb   | what                                                    | where           | name      |
        | create | nodes                                                   |                 |           |
        | list   | pods                                                    |                 |           |
        | patch  | nodes/status                                            |                 | jp-absent |
        | create | leases.coordination.k8s.io                              | kube-node-lease |           |
        | create | events                                                  | default         |           |
        | list   | services                                                |                 |           |
        | get    | secrets                                                 | kube-system     | jp-absent |
        | create | pods                                                    | kube-system     |           |
        | list   | nodes                                                   |                 |           |
        | create | serviceaccounts/token                                   | kube-system     | default   |
        | update | certificatesigningrequests.certificates.k8s.io/approval |                 | jp-absent |
      And its bearer may ask for a certificate for a node
      And its bearer can get, list and watch the request

  @ROT-004 @MUST
  Rule: A node renews with the certificate that it has

    Why: the token is long gone.
    Repair: let the kubelet's kubeconfig name its certificate.

    Scenario: the second request
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the stored request names the node and its group

    @since:1.32
    Scenario: the certificate that it came with
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the stored request says which certificate the node came with

  @ROT-005 @MUST
  Rule: A node's renewal for itself is approved without a human

    Why: otherwise nodes die one by one, a year after they joined.
    Repair: run "kubeadm init phase bootstrap-token" for the binding to the selfnodeclient role.

    Scenario: the second request
      Given a cluster that kubeadm has set up
      And a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the request is approved automatically, as a node's for itself

  @ROT-006 @MUST
  Rule: A node does not get another node's certificate

    Why: one compromised node would be all of them.
    Repair: take the group system:nodes out of every binding to the nodeclient role; start kube-apiserver with NodeRestriction.

    Scenario: requests for others
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks for certificates of:
        | another node                          |
        | a node whose name begins with its own |
        | a node whose name its own begins with |
        | a node whose name ends with its own   |
        | its own name in capitals              |
      Then its renewal is approved, and none of the others is

    Scenario: who bears the name of a node and is none, whom no admission stops
      Given a cluster of ours that kubeadm has set up
      And users who bear the name of a node and are none
      When they ask for certificates of:
        | its own name                                      |
        | another node                                      |
        | a node whose name begins with its own             |
        | a node whose name its own begins with             |
        | a node whose name ends with its own               |
        | its own name in capitals                          |
        | the node that the second one is named after       |
        | its own name, as one who may not have it approved |
      Then the request for its own name is approved, and none of the others is

    @since:1.31
    Scenario: refused at once
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks for certificates of:
        | another node                          |
        | a node whose name begins with its own |
        | a node whose name its own begins with |
        | a node whose name ends with its own   |
        | its own name in capitals              |
      Then each of them is forbidden at once

  @ROT-007 @MUST
  Rule: Without the binding a renewal waits for a person

    Why: an approver that asks nobody approves for everybody.
    Repair: leave approval to csrapproving.

    Scenario: a cluster that lacks the binding
      Given a cluster of ours that kubeadm has set up
      And a node of its own that has joined
      And the node has its renewals approved automatically
      And its ClusterRoleBinding "kubeadm:node-autoapprove-certificate-rotation" has lost its subjects
      When the node asks for its next certificate
      Then that request is not approved until an administrator does it

  @ROT-010 @MUST
  Rule: An expired certificate is refused

    Why: its end is the only end that a leaked key has.
    Repair: set the clock of kube-apiserver's machine.

    Scenario: the same certificate before and after its end
      Given a cluster of ours whose clock may be moved far
      And a node that has joined for ten minutes
      Then its certificate logs in
      When its certificate has expired
      Then its certificate is refused as unauthorized

  @ROT-011 @MAY
  Rule: Renewals are approved by the controller or by a person

    Why: both ways lead to a certificate.
    Repair: give administrators update on certificatesigningrequests/approval and approve on the signer.

    Scenario: one by each
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks for a serving certificate, which an administrator approves
      Then its renewal is issued
      And the serving certificate is issued

  @ROT-012 @MUST
  Rule: Renewing interrupts nothing

    Why: a node that loses its credentials for a moment loses its Pods.
    Repair: let the old certificate live until the new one is in use.

    Scenario: requests before, during and after
      Given a node that has joined with a bootstrap token of its own
      When the node renews its certificate and keeps asking meanwhile
      Then none of its requests was refused, with the old certificate or with the new, which is good when it comes

  @ROT-015 @MAY
  Rule: A renewal may change the kind of key

    Why: keys must be able to outlive their algorithms.
    Repair: leave approval to csrapproving, which does not look at the key.

    Scenario Outline: from ECDSA to <kind>
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate with a key of <kind>
      Then the request is approved automatically
      And a certificate for that key is issued

      Examples:
        | kind       |
        | RSA-2048   |
        | ECDSA-P384 |
        | Ed25519    |

  @ROT-016 @MUST
  Rule: A leaked key is useless once its certificate has ended

    Why: that is what renewal is for.
    Repair: set the clock of kube-apiserver's machine; close connections whose certificate has ended.

    Scenario: the old pair and the new
      Given a cluster of ours whose clock may be moved far
      And a node that has joined for ten minutes
      When the node has renewed its certificate and the old one has expired
      Then the new certificate logs in, and the old one is refused as unauthorized

  @P-68 @MUST
  Rule: A renewal brings what the node had, and nothing more

    Why: nobody looks at renewals; what is added to one is there for a year.
    Repair: take out the signer that does it.

    Scenario: the next certificate beside the first
      Given a node that has joined with a bootstrap token
      When the node is given its next certificate
      Then that certificate is for its key, its node, clients alone and a year at most
      And that certificate is signed by the cluster's CA

    @since:1.28
    Scenario: its bearer
      Given a node that has joined with a bootstrap token
      When the node is given its next certificate
      Then that certificate is for its key, its node, clients alone and a year at most
      And its bearer is who the bearer of the first one was

  @P-69 @MUST
  Rule: Of what a node asks for itself nothing but its renewal is approved

    Why: a group, a host name or a usage beside its own makes of one node's certificate one for much more.
    Repair: leave approval to csrapproving; take out every other approver that does it.

    Scenario: renewals with something odd in them
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks in its name for:
        | a node that is in the group system:masters as well          |
        | a node that is in the group kubeadm:cluster-admins as well  |
        | a node whose two groups stand in one part of its name       |
        | a node in no group                                          |
        | a node with the host name of the API server                 |
        | a node with an IP address                                   |
        | a node with a URI                                           |
        | a node that may serve as well                               |
        | a node that may serve and nothing else                      |
        | a node that may sign certificates                           |
        | a node with the usage digital signature alone               |
        | a node, with the signer kubernetes.io/kube-apiserver-client |
      Then its renewal is approved, and none of the others is

  @SRV-005 @MUST
  Rule: The cluster's CA signs serving certificates

    Why: clients of the kubelet trust that CA.
    Repair: leave csrsigning on.

    Scenario: a serving certificate
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate, which an administrator approves
      Then that certificate is signed by the cluster's CA, for its key, its node, servers alone and a year at most

  @SRV-012 @MUST
  Rule: Somebody has to approve a serving certificate

    Why: nobody but an operator knows which addresses are whose (document 004 says it is automatic: erratum).
    Repair: take out what approves them blindly.

    Scenario: before and after the approval
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks for a serving certificate
      Then the renewal is approved, and the serving request waits
      When an administrator approves the serving request
      Then the serving certificate is issued
