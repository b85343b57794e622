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
      When the machine bootstraps and registers its Node
      Then its steps were, in this order:
        | step                                   |
        | creates a request, with the token      |
        | fetches its certificate, with the token |
        | registers its Node, as the node        |

  @BOOT-011 @MUST
  Rule: From then on the token is not needed

    Why: a node that still needs its token dies with it.
    Repair: let the kubelet's kubeconfig name its certificate, not the token.

    Scenario: the token is gone before the Node registers
      Given a cluster that kubeadm has set up
      And a machine with a bootstrap token
      When the machine bootstraps, its token is deleted, and it registers its Node
      Then the Node is there, made by the node itself

  @BOOT-012 @MUST
  Rule: Then it is a node

    Why: that is what joining is for.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: a Node that reports, and a Pod that is bound to it
      Given a cluster that kubeadm has set up
      And a machine with a bootstrap token
      When the machine bootstraps and registers its Node
      And a Pod is bound to its Node
      Then the machine sees that Pod
      And the machine may report its Node ready

  @BOOT-014 @MUST
  Rule: Until then it may ask for its certificate and little else

    Why: a machine that has not been let in must not act as if it had.
    Repair: take the bootstrap groups out of the binding that grants it.

    Scenario: with the token alone
      Given a bootstrap token that may join, in real requests
      Then none of these is allowed:
        | verb   | what                            | where           | name      |
        | create | nodes                           |                 |           |
        | list   | pods                            |                 |           |
        | patch  | nodes/status                    |                 | jp-absent |
        | create | leases.coordination.k8s.io      | kube-node-lease |           |
        | create | events                          | default         |           |
        | list   | services                        |                 |           |
      And its bearer may ask for a certificate for a node

  @ROT-004 @MUST
  Rule: A node renews with the certificate that it has

    Why: the token is long gone.
    Repair: let the kubelet's kubeconfig name its certificate.

    Scenario: the second request
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the stored request names the node and its group

  @ROT-005 @MUST
  Rule: A node's renewal for itself is approved without a human

    Why: otherwise nodes die one by one, a year after they joined.
    Repair: run "kubeadm init phase bootstrap-token" for the binding to the selfnodeclient role.

    Scenario: the second request
      Given a cluster that kubeadm has set up
      And a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the request is approved automatically

  @ROT-006 @MUST
  Rule: A node does not get another node's certificate

    Why: one compromised node would be all of them.
    Repair: take the group system:nodes out of every binding to the nodeclient role; start kube-apiserver with NodeRestriction.

    Scenario: a request for another node
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      And the node asks for a certificate of another node
      Then its own request is approved, and that for the other is refused or not approved

    @since:1.31
    Scenario: refused at once
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate
      Then the node is forbidden to ask for a certificate of another node

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
      Then both certificates are issued

  @ROT-012 @MUST
  Rule: Renewing interrupts nothing

    Why: a node that loses its credentials for a moment loses its Pods.
    Repair: let the old certificate live until the new one is in use.

    Scenario: requests before, during and after
      Given a node that has joined with a bootstrap token of its own
      When the node renews its certificate and keeps asking meanwhile
      Then none of its requests was refused, with the old certificate or with the new

  @ROT-015 @MAY
  Rule: A renewal may change the kind of key

    Why: keys must be able to outlive their algorithms.
    Repair: leave approval to csrapproving, which does not look at the key.

    Scenario Outline: from ECDSA to <kind>
      Given a node that has joined with a bootstrap token
      When the node asks for its next certificate with a key of <kind>
      Then the request is approved automatically

      Examples:
        | kind        |
        | RSA-2048    |
        | ECDSA-P384  |
        | Ed25519     |

  @ROT-016 @MUST
  Rule: A leaked key is useless once its certificate has ended

    Why: that is what renewal is for.
    Repair: set the clock of kube-apiserver's machine; close connections whose certificate has ended.

    Scenario: the old pair and the new
      Given a cluster of ours whose clock may be moved far
      And a node that has joined for ten minutes
      When the node has renewed its certificate and the old one has expired
      Then the new certificate logs in, and the old one is refused as unauthorized

  @SRV-001 @MUST
  Rule: The serving certificate comes after the client certificate

    Why: it is asked for with the client certificate.
    Repair: let the kubelet ask as its node.

    Scenario: a node's two requests
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then that request is younger than the node's first one, and made by the node

  @SRV-002 @MUST
  Rule: The node itself asks for its serving certificate

    Why: whoever holds a serving certificate of a node can pose as its kubelet.
    Repair: let the kubelet ask as its node; deny requests of others.

    Scenario: a node's serving request
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then the stored request names the node and its group

    @since:1.31
    Scenario: another node's serving request
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then the node is forbidden to ask for a serving certificate of another node

  @SRV-005 @MUST
  Rule: The cluster's CA signs serving certificates

    Why: clients of the kubelet trust that CA.
    Repair: leave csrsigning on.

    Scenario: a serving certificate
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate, which an administrator approves
      Then that certificate is signed by the cluster's CA, for servers and not for clients

  @SRV-012 @MUST
  Rule: Somebody has to approve a serving certificate

    Why: nobody but an operator knows which addresses are whose (document 004 says it is automatic: erratum).
    Repair: take out what approves them blindly.

    Scenario: before and after the approval
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      And the node asks for its next certificate
      Then the renewal is approved, and the serving request waits
      When an administrator approves the serving request
      Then the serving certificate is issued
