Feature: Certificate requests as operators want them

  The API server keeps what requesters write and what approvers decide. What lies there for long, comes again and again
  or bears strange names is what an operator looks for when machines do not join.

  @P-21 @SHOULD
  Rule: No request waits for long

    Why: a kubelet whose serving certificate waits answers neither logs nor exec, and one whose client certificate waits
    does not join.
    Repair: look at it with "kubectl get csr", and approve or deny it; let an approver of serving certificates run.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then none waits for longer than the policy lets it

  @P-372 @SHOULD
  Rule: What is approved is signed

    Why: a kubelet whose request is approved and carries no certificate waits, and nobody is asked again.
    Repair: see whether kube-controller-manager runs with csrsigning in --controllers, and what its log says of the CA.

    Scenario: every request of the cluster
      Given kube-controller-manager is to sign certificates
      And the certificate requests of the cluster
      Then each that is approved carries a certificate

  @P-36 @SHOULD
  Rule: No request outlives its token undecided

    Why: whoever revoked the token believes that its holder is out, and the request can still be approved.
    Repair: deny or delete the request.

    Scenario: every request of a token
      Given the certificate requests of the cluster
      Then none waits for a decision whose token is gone

  @P-23 @SHOULD
  Rule: Keys and signatures of requests are strong

    Why: the signers of Kubernetes sign for RSA keys of 1024 bits, and read requests that are signed with SHA-1.
    Repair: deny the request; make the key anew, ECDSA P-256 as kubelets do.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then each has a strong key and a strong signature

  @P-08 @SHOULD
  Rule: The subject of a node's request is CN and O alone

    Why: whoever recognises a kubelet compares these two, and another signer may copy the rest: a UID attribute is the
    user's UID at login since 1.33.
    Repair: deny the request; ask as kubelets do.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then each of a node has a subject of CN and O alone

  @P-24 @SHOULD
  Rule: Nobody is denied again and again

    Why: a kubelet that is denied asks again two seconds later, for ever, and nothing else tells of it.
    Repair: find the machine of that name, and stop or mend it.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then none is denied again and again

  @P-27 @SHOULD
  Rule: A request bears a plain name

    Why: whoever asks chooses the name, and blanks, capitals or other scripts in it mislead people and programs.
    Repair: deny and delete the request.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then each is named as objects are

  @P-29 @SHOULD
  Rule: No client certificate bears a name that is kept for others

    Why: the API server takes its holder for a token, a service account or a stranger, whose rights he then has.
    Repair: rotate the CA, since a certificate cannot be revoked, or wait for its end with the names unbound.

    Scenario: every certificate that was issued for clients
      Given the certificate requests of the cluster
      Then no certificate bears a name that is kept for others

  @P-142 @SHOULD
  Rule: No certificate makes an administrator, a component or a node of its bearer

    Why: whoever may approve and sign makes himself anybody; the API server refuses the group system:masters alone.
    Repair: unbind the name, or rotate the CA, since a certificate cannot be revoked; see who may approve.

    Scenario: every certificate that was issued for clients
      Given the certificate requests of the cluster
      Then no certificate bears a name of an administrator, a component or a node

  @P-143 @SHOULD
  Rule: No token takes the place of a control plane

    Why: a control plane asks before its Node is there; who asks in its name later, with a token, is somebody else, or
    it was made anew without its Node being removed.
    Repair: find out who asked; delete the Node and its certificate's machine, or the request.

    Scenario: every request of a token
      Given the certificate requests of the cluster
      And the Nodes of the cluster
      Then no token takes the place of a control plane

  @P-452 @MUST
  Rule: No token takes the place of a machine that is ready

    Why: kubeadm refuses to join under the name of a Node that is ready; who asks for its certificate with a token is not
    that machine, reads the Secrets of its Pods and says what becomes of them.
    Repair: find out who asked and with which token; delete the token, and move the Pods. The certificate is good for as
    long as the CA is.

    Scenario: every request of a token
      Given the certificate requests of the cluster
      And the Nodes of the cluster, machine by machine
      Then no token takes the place of a machine that was ready

  @P-32 @SHOULD
  Rule: The signing CA outlives what it signs

    Why: a certificate is cut at the CA's end without a word, and all nodes expire in the same second as the CA.
    Repair: renew the CA, or lower --cluster-signing-duration below the rest of its life.

    Scenario: every certificate of a signer of Kubernetes
      Given the certificate requests of the cluster
      Then each certificate ends before the CA that has signed it

  @T-22 @SHOULD
  Rule: No certificate lives for long

    Why: a certificate cannot be revoked; its end is all that takes it from whom it has leaked to.
    Repair: lower --cluster-signing-duration, and let kubelets renew.

    Scenario: every certificate of a signer of Kubernetes
      Given the certificate requests of the cluster
      Then no certificate lives for longer than the policy lets it

  @T-27 @SHOULD
  Rule: Requests name signers that are known

    Why: a request for a signer that nobody runs waits until it is cleaned away, and one for a signer that nobody knows
    may be signed by anybody.
    Repair: name the signer in the parameter "signers", or deny the request.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then each names a signer of the policy
